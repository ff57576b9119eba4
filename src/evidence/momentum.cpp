#include <rattleback/evidence.hpp>

#include <algorithm>

#include "run/momentum.hpp"

namespace rattleback {

template <class T>
std::optional<T> momentum_equation_defect(const CompiledMethod& method, T h, int steps, Report& report) {
    const Formulas own = method.parts().own_formulas();
    MomentumEquation<T> equation(own);
    if (equation.wanted().empty()) return {};
    Stepper<T> stepper(method);
    NodeReader<T> reader(node_system(own, equation.wanted()));
    if (!stepper.start(report, h)) return {};
    T size = 1, worst = 0;
    for (int k = 0; k <= steps; ++k) {
        if (k > 0 && !stepper.advance(k - 1, h, report)) return {};
        if (!reader.read(stepper, stepper.t0() + static_cast<T>(k) * h, report)) return {};
        const NodeValues<T>& node = reader.node();
        equation.at_node(node.extra, node, stepper.t0() + static_cast<T>(k) * h);
        for (const T& J : node.momenta) size = std::max(size, real::abs(J));
    }
    const auto residuals = equation.largest_residuals();
    for (const auto& [name, residual] : residuals) worst = std::max(worst, residual);
    return residuals.empty() ? std::nullopt : std::optional(worst / size);
}

template std::optional<double> momentum_equation_defect(const CompiledMethod&, double, int, Report&);
template std::optional<quad> momentum_equation_defect(const CompiledMethod&, quad, int, Report&);

} // namespace rattleback
