#include "boundary/group_curve.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rattleback::boundary {

GroupCurve::GroupCurve(const Problem& problem, const std::vector<int>& rounds, const std::vector<double>& off)
    : charts_(*problem.charts), states_(2 * problem.from.value.size()), from_(problem.from.centre),
      to_(problem.to.centre), w_(states_, 0.0) {
    std::vector<double> begin(states_, 0.0), end(states_, 0.0); // off the elements that are given
    for (const Charts::Group& g : charts_.groups()) {
        const bool starts = problem.from.value[g.first].has_value(), ends = problem.to.value[g.first].has_value();
        const auto own = [&](std::vector<double>& x) { return x.begin() + static_cast<std::ptrdiff_t>(g.centre); };
        const std::size_t c = static_cast<std::size_t>(g.group->carried());
        if (!starts && ends) std::copy_n(own(to_), c, own(from_));
        if (starts && !ends) std::copy_n(own(from_), c, own(to_));
        for (std::size_t i = g.first; i < g.first + g.count; ++i) (ends ? begin : end)[i] = starts && ends ? 0 : off[i];
    }
    charts_.centre_at(from_.data(), begin.data(), states_), charts_.centre_at(to_.data(), end.data(), states_);
    charts_.carry(to_.data(), from_.data(), w_.data(), states_);
    for (std::size_t i = 0; i < charts_.groups().size(); ++i) {
        const Charts::Group& g = charts_.groups()[i];
        double* const rho = &w_[g.first];
        const double turn = std::hypot(rho[0], rho[1], rho[2]), more = 2 * std::numbers::pi * rounds[i];
        double axis[] = {off[g.first], off[g.first + 1], off[g.first + 2]}; // of a whole turn, any one
        const double length = std::hypot(axis[0], axis[1], axis[2]);
        for (std::size_t k = 0; k < 3 && more != 0; ++k)
            rho[k] += more * (turn > 1e-6 ? rho[k] / turn : length > 0 ? axis[k] / length : k == 2 ? 1 : 0);
        for (std::size_t k = 0; k < g.count; ++k) longest_ = std::max(longest_, std::abs(rho[k]));
    }
}

void GroupCurve::at(double s, double* centres) const {
    std::copy(from_.begin(), from_.end(), centres);
    std::vector<double> x(states_, 0.0);
    for (const Charts::Group& g : charts_.groups())
        for (std::size_t i = g.first; i < g.first + g.count; ++i) x[i] = s * w_[i];
    if (s == 1) // to the last bit
        std::copy(to_.begin(), to_.end(), centres);
    else if (s > 0)
        charts_.centre_at(centres, x.data(), states_);
}

} // namespace rattleback::boundary
