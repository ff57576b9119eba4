#include "boundary/monodromy.hpp"

#include <algorithm>
#include <cmath>

#include "boundary/second_order.hpp"
#include "evidence/linear.hpp"

namespace rattleback::boundary {
namespace {

// Multipliers of conserved quantities are 1 twice, in blocks of Jordan's form: rounding moves them by its square root.
constexpr double on_circle = 1e-5;

} // namespace

Orbit orbit_of(const PathSolver& solver, const Path& path) {
    const std::size_t w = path.states();
    Dense all(w, w);
    for (std::size_t i = 0; i < w; ++i) all(i, i) = 1;
    for (std::size_t k = 0; k < path.steps(); ++k) {
        Dense step(w, w);
        std::copy_n(solver.tangent(k), w * w, step.entries.data());
        all = product(step, all);
    }
    if (!solver.formulas().model.holonomic.empty()) {
        const Dense allowed = allowed_directions(solver, path, 0);
        const std::vector<double> within = restricted(all.entries.data(), allowed, allowed);
        all = Dense(2 * allowed.columns, 2 * allowed.columns);
        all.entries = within;
    }
    Orbit orbit;
    orbit.monodromy = all;
    orbit.multipliers = eigenvalues(all);
    std::sort(orbit.multipliers.begin(), orbit.multipliers.end(), [](const auto& a, const auto& b) {
        const double x = std::abs(a), y = std::abs(b);
        if (std::abs(x - y) > on_circle * std::max(x, y)) return x > y;
        return a.real() != b.real() ? a.real() > b.real() : a.imag() > b.imag();
    });
    orbit.is_stable = std::abs(orbit.multipliers.front()) <= 1 + on_circle;
    return orbit;
}

} // namespace rattleback::boundary
