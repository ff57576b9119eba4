#include "boundary/time_scan.hpp"

#include "boundary/search.hpp"
#include "model/copy.hpp"

namespace rattleback::boundary {
namespace {

constexpr int starts = 6;
constexpr double times[] = {0.25, 0.5, 1, 2, 4};

} // namespace

std::vector<CostOfTime> costs_of_times(const Model& model, const SolveOptions& options) {
    std::vector<CostOfTime> all;
    if (model.boundary->time || !model.control || !model.phase.empty() || !model.groups.empty()) return all;
    SolveOptions few = options;
    few.starts = starts, few.progress = {};
    for (const double time : times) {
        if (options.interrupt && *options.interrupt) break;
        Model fixed = deep_copy(model);
        fixed.boundary->time = static_cast<quad>(time);
        const Problem problem(fixed);
        Search search(problem, "midpoint", 60, few);
        const std::vector<Found> found = search.run();
        if (!found.empty()) all.push_back({time, found[0].cost});
    }
    return all;
}

} // namespace rattleback::boundary
