// Nodes: from a carried state to q, v, p, energy, momentum maps and observables.
#include <rattleback/run.hpp>

#include <algorithm>

#include "run/step_code.hpp"

#include "run/initial.hpp"
#include "run/redundant.hpp"
#include "run/residuals.hpp"
#include "scheme/operators.hpp"

namespace rattleback {
namespace {

// The multipliers of a step, completed by those of redundant constraints.
Vec all_multipliers(const Model& model, const Step& step, System& system) {
    if (model.redundant.empty() || step.lambda.empty()) return step.lambda;
    const std::size_t own = model.holonomic.size();
    LeastNorm shortest = least_norm_multipliers(model, last_components(step.lambda, own));
    system.find.insert(system.find.end(), shortest.find.begin(), shortest.find.end());
    for (const Equation& e : shortest.equations)
        system.equations.push_back(substitute(e.lhs, {{model.q, step.q}}) == substitute(e.rhs, {{model.q, step.q}}));
    return concat({first_components(step.lambda, step.lambda.size() - own), shortest.lambda});
}

// All that is shown, in one system: what is not known of the state (v, say) is solved for, the rest are formulas.
System node_system(const Model& model, const Step& step, const std::vector<Expr>& extra) {
    System system{step.graph,
                  concat({step.state, step.hint, Vec({{"t", step.t}, {"h", step.h}}), model.parameter_vec()}),
                  step.node_find,
                  step.node_equations,
                  {}};
    Vec shown;
    std::vector<Substitution> rules;
    if (model.kind == Model::general) {
        system.results = step.z;
        rules.push_back({model.z, step.z});
        shown.push_back({"energy", model.function});
    } else {
        system.results = concat({step.q, step.v, step.p, all_multipliers(model, step, system)});
        rules.push_back({concat({model.q, model.v, model.p}), concat({step.q, step.v, step.p})});
        shown.push_back({"energy", Mechanics(model).energy()});
        if (model.variational && !model.velocity.empty()) {
            const Variational sys(model);
            rules.push_back({sys.lambda, step.lambda});
            shown[0].value = sys.energy();
        }
        for (const NamedFormula& m : momentum_maps(model)) shown.push_back({m.name, m.formula});
    }
    const Residuals residuals = constraint_residuals(model);
    shown = concat({shown, residuals.velocity, residuals.phase, residuals.holonomic});
    for (const NamedFormula& o : model.observables) shown.push_back({o.name, o.formula});
    for (const Expr& e : extra) shown.push_back({"", e});
    system.results = concat({system.results, substitute(shown, rules)});
    return system;
}

} // namespace

Residuals constraint_residuals(const Model& model) {
    if (model.kind == Model::general) return {GeneralHamiltonian(model).multiplier_equations(), {}, {}};
    return {model.velocity, model.phase, concat({model.holonomic, model.redundant})};
}

template <class T>
NodeReader<T>::NodeReader(const Model& model, const Method& method, const std::vector<Expr>& extra)
    : solver_(compile_for(model, node_system(model, method.step, extra))) {
    if (model.kind == Model::general)
        node_.z.resize(static_cast<std::size_t>(model.z.count()));
    else
        for (auto* part : {&node_.q, &node_.v, &node_.p}) part->resize(static_cast<std::size_t>(model.q.count()));
    node_.momenta.resize(model.symmetries.size() + model.sections.size());
    node_.lambda.resize(static_cast<std::size_t>(shown_multipliers(model, method.step)));
    const Residuals residuals = constraint_residuals(model);
    velocity_residuals_ =
        static_cast<std::size_t>(residuals.velocity.count()) + static_cast<std::size_t>(residuals.phase.count());
    residuals_.resize(velocity_residuals_ + static_cast<std::size_t>(residuals.holonomic.count()));
    node_.observables.resize(model.observables.size());
    node_.extra.resize(extra.size());
}

template <class T> bool NodeReader<T>::read(const Stepper<T>& stepper, T t, Report& report) {
    T* given = solver_.given();
    given = std::copy(stepper.state().begin(), stepper.state().end(), given);
    given = std::copy(stepper.hint().begin(), stepper.hint().end(), given);
    *given++ = t, *given++ = stepper.h();
    std::copy(stepper.parameters().begin(), stepper.parameters().end(), given);
    Report mine; // Newton of nodes is not counted as Newton of steps
    if (!coded_solve() && !solver_.solve(mine)) {
        report.fail(mine);
        report.time = static_cast<double>(t);
        return false;
    }
    const auto result = [&](std::size_t i) { return results_.empty() ? solver_.result(i) : results_[i]; };
    std::size_t at = 0;
    const auto take = [&](std::vector<T>& to) {
        for (T& x : to) x = result(at++);
    };
    take(node_.z), take(node_.q), take(node_.v), take(node_.p), take(node_.lambda);
    node_.energy = result(at++);
    take(node_.momenta), take(residuals_), take(node_.observables), take(node_.extra);
    node_.velocity_residual = node_.holonomic_residual = 0;
    for (std::size_t i = 0; i < residuals_.size(); ++i) {
        T& worst = i < velocity_residuals_ ? node_.velocity_residual : node_.holonomic_residual;
        worst = std::max(worst, real::abs(residuals_[i]));
    }
    node_.constraint = std::max(node_.velocity_residual, node_.holonomic_residual);
    return true;
}

// False: nothing was computed.
template <class T> bool NodeReader<T>::coded_solve() {
    results_.clear();
    if constexpr (std::is_same_v<T, double>)
        if (code_) {
            double none = 0, active = 1, left = 0, iterations = 0;
            results_.resize(solver_.result_count());
            const std::array<double*, code::array_count> arrays = {
                solver_.given(), results_.data(), &none, &none, &none, &none, &active, &left, &iterations};
            if (code_->run(arrays, 1) == 1) return true;
            results_.clear();
        }
    return false;
}

template class NodeReader<double>;
template class NodeReader<long double>;
template class NodeReader<quad>;

} // namespace rattleback
