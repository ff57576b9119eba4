#include "run/grid.hpp"

#include <cmath>

namespace rattleback {

Grid make_grid(const Model& model, const RunOptions& options) {
    const std::optional<double> step = options.step ? options.step : model.run.step;
    if (!step) throw BadRun("no step is given: use --step STEP, or step in [run]");
    double h = *step;
    if (h == 0 || !std::isfinite(h)) throw BadRun("the step must be a finite number other than 0");
    if (options.every < 1) throw BadRun("--every must be at least 1");
    if (options.steps && options.until) throw BadRun("--steps and --until cannot be given together");
    const bool from_options = options.steps || options.until;
    const auto steps = from_options ? options.steps : model.run.steps;
    const auto until = from_options ? options.until : model.run.until;
    if (steps) {
        if (*steps < 0) throw BadRun("the number of steps must not be negative");
        return {h, *steps, false};
    }
    if (!until) throw BadRun("no end is given: use --steps N or --until T, or steps or until in [run]");
    const double span = *until - static_cast<double>(model.t0);
    if (!std::isfinite(span)) throw BadRun("--until must be a finite number");
    if (span * h < 0)
        throw BadRun("the step " + real::to_text(h) + " leads away from the end " + real::to_text(*until));
    const double exact = span / h, nearest = std::round(exact);
    if (exact > 9e15) throw BadRun("that is more than 9e15 steps");
    // An end that was itself computed may miss a multiple of the step by some digits: no step is added for those, but
    // the steps end where they should. Only what the division itself rounds leaves the step as it was given.
    const bool divides = std::abs(exact - nearest) <= 1e-12 * nearest;
    const double n = divides ? nearest : std::ceil(exact);
    if (std::abs(exact - nearest) > 4 * Real<double>::epsilon * nearest) h = span / n;
    return {h, static_cast<long long>(n), !divides, until};
}

} // namespace rattleback
