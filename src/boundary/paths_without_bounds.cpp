#include "boundary/paths_without_bounds.hpp"

#include <memory>

#include "boundary/eliminated_inputs.hpp"
#include "boundary/search.hpp"

namespace rattleback::boundary {
namespace {

constexpr int starts = 8;
constexpr std::size_t steps = 60, most_paths = 2;

} // namespace

std::vector<Transcription::Guess> paths_without_bounds(const Model& model, const Problem& problem,
                                                       const SolveOptions& options) {
    if (model.control->bounds.empty()) return {};
    const std::optional<Model> free = without_bounds(model);
    if (!free) return {};
    const Problem unbounded(*free);
    SolveOptions few = options;
    few.starts = starts, few.progress = {};
    Search search(unbounded, "midpoint", steps, few);
    std::vector<Transcription::Guess> all;
    for (Found& f : search.run()) {
        if (all.size() == most_paths) break;
        const auto path = std::make_shared<const Found>(std::move(f));
        const std::size_t n = path->path.states() / 2, m = path->u.size() / path->path.steps();
        if (n != static_cast<std::size_t>(problem.model.q.count()) || m == 0) continue;
        const auto parts = static_cast<std::size_t>(search.parts());
        all.push_back([path, n, m, parts](double time, double* q, double* u) {
            std::vector<double> x(2 * n);
            interpolated(path->path, parts)(time, x.data());
            std::copy_n(x.data(), n, q);
            const std::size_t count = path->u.size() / m;
            const auto k = std::min(static_cast<std::size_t>(time * static_cast<double>(count)), count - 1);
            std::copy_n(&path->u[k * m], m, u);
        });
    }
    return all;
}

} // namespace rattleback::boundary
