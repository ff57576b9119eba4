// The columns of a run, listed in one place: a new group is one more entry of columns.cpp, and every file format, page
// and summary has it.
#pragma once

#include <rattleback/run.hpp>

namespace rattleback {

class Columns {
  public:
    Columns(const Model& model, const Method& method);
    const std::shared_ptr<const Layout>& layout() const { return layout_; }
    void read(double t, const NodeValues<double>& node, std::vector<double>& row) const;

  private:
    using Source = std::span<const double> (*)(const NodeValues<double>&);
    std::shared_ptr<const Layout> layout_;
    std::vector<Source> sources_; // of each group but t
};

// What a model says of itself; method, step and command are still to be filled in.
Origin origin_of(const Model& model);

} // namespace rattleback
