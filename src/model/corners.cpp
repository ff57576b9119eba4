// Inputs that decide between cases, as in abs(u), max(u, 0) or if(u > 1, ...): derivatives of H_u do not show that it
// is not linear in them, nor that it jumps.
#include <cmath>

#include "expr/cases.hpp"
#include "model/reader.hpp"

namespace rattleback::model {

// Where H_u jumps along one input, the others, coordinates and costates somewhere.
std::optional<double> Reader::corner(const Expr& slope, const Component& input) {
    constexpr double range = 4, width = 0.5, shift = 0.0137, least_jump = 1e-6, narrow = 1e-13;
    Vec leaves = concat({model_.q, model_.p, model_.time_vec(), model_.centre}), values = leaves;
    for (const Component& u : inputs_) leaves.push_back(u), values.push_back(u);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i].value = Expr(1.2 * std::sin(1 + 1.7 * static_cast<double>(i)));
    std::size_t place = 0;
    while (place < leaves.size() && !(leaves[place].value == input.value)) ++place;
    const auto at = [&](double u) {
        values[place].value = Expr(u);
        const Expr number = scope_.with_numbers(substitute(slope, {{leaves, values}}));
        return static_cast<double>(number.constant().value_or(Real<quad>::nan));
    };
    for (double from = -range - shift; from < range; from += width) {
        double a = from, b = from + width, at_a = at(a), at_b = at(b);
        while (b - a > narrow && std::abs(at_b - at_a) > least_jump) {
            const double middle = (a + b) / 2, there = at(middle);
            if (std::abs(there - at_a) > std::abs(at_b - there))
                b = middle, at_b = there;
            else
                a = middle, at_a = there;
        }
        if (std::abs(at_b - at_a) > least_jump) return std::abs(b) < 1e-9 ? 0.0 : b;
    }
    return {};
}

void Reader::require_no_corner(const Vec& slope, const Entry& cost) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (!has_cases(slope[i].value, inputs_)) continue;
        const std::optional<double> at = corner(slope[i].value, inputs_[i]);
        const std::string& u = inputs_[i].name;
        if (at)
            fail(cost.key_range,
                 "the cost or the dynamics have a corner at " + u + " = " + real::to_text(*at, 4) +
                     ", where H_u jumps: H_u = 0 does not determine the input there",
                 "with bounds, abs(u) is a + b of two inputs a and b >= 0 that take the place of u = a - b");
    }
}

} // namespace rattleback::model
