// A picture of a run in the terminal.
#pragma once

#include <string>
#include <vector>

#include <rattleback/rattleback.hpp>

namespace app {

// Takes nodes as they come and draws a column against time, or against another column. Of long runs it keeps every
// second, fourth, ... node, so that memory stays bounded.
class Plot {
  public:
    explicit Plot(const std::string& columns); // "theta" or "x,y"; empty: no plot
    explicit operator bool() const { return !names_.empty(); }
    void prepare(const rattleback::Layout& layout); // throws BadCommand for a column that is not there
    void add(const rattleback::NodeView& node);
    std::string draw(std::size_t width) const; // lines of at most so many columns

  private:
    std::vector<std::string> names_;  // of the axes: t and theta, or x and y
    std::vector<std::size_t> places_; // in a row
    std::vector<double> x_, y_;
    long long every_ = 1, seen_ = 0;
};

} // namespace app
