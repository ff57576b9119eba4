// What a page draws of a run: the numbers of all shapes of a view at some of its nodes.
#pragma once

#include <functional>

#include "model/view.hpp"
#include "output/json.hpp"
#include "output/report.hpp"
#include "solve/system.hpp"

namespace rattleback {

// Numbers as a page carries them: base64 of single or double precision.
std::string singles(const std::vector<double>& values);
std::string doubles(const std::vector<double>& values);

// `most` of `count` places, evenly; the first and the last too.
std::vector<std::size_t> strided(std::size_t count, std::size_t most);
std::vector<double> picked(const std::vector<double>& values, const std::vector<std::size_t>& places);

// How many nodes, from the first on, can be shown by `most` of them with straight lines in between: all, or as many as
// keep the node in the middle of two kept ones within `tolerance` of its line, in the mean. `values`: of a node, in
// units of how far they vary.
std::size_t followed(std::size_t count, std::size_t most, double tolerance,
                     const std::function<std::vector<double>(std::size_t)>& values);

class Pictures {
  public:
    // For so many runs on one page: the more there are, the fewer members of families are drawn.
    Pictures(const Model& model, std::size_t runs);

    Json view() const;
    std::size_t nodes(const ReportRun& run); // that can be shown as a motion, from the first on
    Json of(const ReportRun& run, double until);

  private:
    std::size_t count() const { return solver_.result_count(); }
    Vec given() const;
    Vec formulas() const;
    std::size_t most() const; // frames
    std::vector<const std::vector<double>*> inputs_of(const ReportRun& run) const;
    bool evaluate(const ReportRun& run, const std::vector<const std::vector<double>*>& inputs, std::size_t node);

    Model model_;
    View view_;
    std::size_t runs_;
    bool general_;
    SystemSolver<double> solver_;
};

} // namespace rattleback
