// The energy theorem of Ferraro, Iglesias and Martin de Diego (2008): with a bi-invariant metric GNI keeps H(q,
// p_minus), p_minus = -D1 L_d being the momentum with which a step leaves its node. On R^n with translations as the
// group, a metric is bi-invariant where it is constant, and L_d is left-invariant where nothing else is in L: then
// p_plus = p_minus along a step, and the reflection at a node keeps its length.
#include "evidence/defects.hpp"

#include <algorithm>

#include "run/compiled.hpp"
#include "run/stepper.hpp"
#include "solve/system.hpp"

namespace rattleback {

template <class T>
std::optional<T> energy_of_p_minus_defect(const CompiledMethod& compiled, T h, int steps, Report& report) {
    const Formulas formulas = compiled.parts().copy_of_formulas();
    const Model& model = formulas.model;
    const Step& step = formulas.method.step;
    if (!step.alternates || step.arrival.empty() || formulas.method.substeps.size() > 1) return {};
    const Mechanics sys(model);
    const Vec p_minus = Expr(2) * step.p - step.arrival, w = symbols_like(*model.graph, "leaving with ", model.v);
    const Point leaving{step.q, w, step.t, p_minus, step.centre};
    System system{step.graph, step_inputs(formulas).values(), step.node_find, step.node_equations, {}};
    system.find.push_back({w, {}});
    system.equations.push_back(sys.legendre(leaving));
    system.results = sys.at(Vec({{"H", sys.energy()}}), leaving);
    SystemSolver<T> solver(compile(system));
    Stepper<T> stepper(compiled);
    if (!stepper.start(report, h)) return {};
    T first = 0, worst = 0;
    for (int k = 0; k <= steps; ++k) {
        if (k > 0 && !stepper.advance(k - 1, h, report)) return {};
        stepper.parts().give(stepper.t0() + static_cast<T>(k) * h, h, solver.given());
        if (!solver.solve(report)) return {};
        if (k == 0) first = solver.result(0);
        worst = std::max(worst, real::abs(solver.result(0) - first) / (first == 0 ? T(1) : real::abs(first)));
    }
    return worst;
}

template std::optional<double> energy_of_p_minus_defect(const CompiledMethod&, double, int, Report&);
template std::optional<quad> energy_of_p_minus_defect(const CompiledMethod&, quad, int, Report&);

} // namespace rattleback
