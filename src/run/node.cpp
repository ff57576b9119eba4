// Nodes: from a carried state to q, v, p, energy, momentum maps and observables.
#include <rattleback/stepper.hpp>

#include <algorithm>

#include "run/compiled.hpp"
#include "run/initial.hpp"
#include "run/redundant.hpp"
#include "run/residuals.hpp"
#include "run/step_code.hpp"
#include "solve/system.hpp"
#include <rattleback/operators.hpp>

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

} // namespace

NamedSystem node_system(const Formulas& own, const std::vector<Expr>& extra) {
    const Model& model = own.model;
    const Step& step = own.method.step;
    NamedSystem node{step_inputs(own), {}, nullptr};
    System system{step.graph, node.given.values(), step.node_find, step.node_equations, {}};
    std::vector<Substitution> rules;
    Expr energy = model.function;
    Vec momenta, more, observables;
    if (model.kind == Model::general) {
        node.results = {{"z", step.z}};
        rules.push_back({model.z, step.z});
    } else {
        node.results = {{"q", step.q}, {"v", step.v}, {"p", step.p}, {"lambda", all_multipliers(model, step, system)}};
        rules.push_back({concat({model.q, model.v, model.p}), concat({step.q, step.v, step.p})});
        energy = Mechanics(model).energy();
        if (model.variational && !model.velocity.empty()) {
            const Variational sys(model);
            rules.push_back({sys.lambda, step.lambda});
            energy = sys.energy();
        }
        for (const NamedFormula& m : momentum_maps(model)) momenta.push_back({m.name, m.formula});
    }
    const Residuals residuals = constraint_residuals(model);
    for (const NamedFormula& o : model.observables) observables.push_back({o.name, o.formula});
    for (const Expr& e : extra) more.push_back({"", e});
    const Fields shown{{"energy", Vec({{"energy", energy}})},
                       {"momenta", momenta},
                       {"velocity residuals", concat({residuals.velocity, residuals.phase})},
                       {"holonomic residuals", residuals.holonomic},
                       {"observables", observables},
                       {"extra", more}};
    node.results.add(shown, substitute(shown.values(), rules));
    system.results = node.results.values();
    node.compiled = compile_for(model, system);
    return node;
}

Residuals constraint_residuals(const Model& model) {
    if (model.kind == Model::general) return {GeneralHamiltonian(model).multiplier_equations(), {}, {}};
    return {model.velocity, model.phase, concat({model.holonomic, model.redundant})};
}

template <class T>
NodeReader<T>::NodeReader(const NamedSystem& node)
    : solver_(std::make_unique<SystemSolver<T>>(node.compiled)), energy_(node.results["energy"].offset),
      velocity_residuals_(node.results["velocity residuals"].offset),
      holonomic_residuals_(node.results["holonomic residuals"].offset),
      end_of_residuals_(node.results["holonomic residuals"].end()) {
    using Values = NodeValues<T>;
    const std::pair<const char*, std::vector<T> Values::*> vectors[] = {{"z", &Values::z},
                                                                        {"q", &Values::q},
                                                                        {"v", &Values::v},
                                                                        {"p", &Values::p},
                                                                        {"lambda", &Values::lambda},
                                                                        {"momenta", &Values::momenta},
                                                                        {"observables", &Values::observables},
                                                                        {"extra", &Values::extra}};
    for (const auto& [name, values] : vectors) {
        if (!node.results.has(name) || node.results[name].size == 0) continue;
        (node_.*values).resize(node.results[name].size);
        places_.emplace_back(node.results[name].offset, values);
    }
    results_.resize(node.results.size());
}
template <class T> NodeReader<T>::NodeReader(const CompiledMethod& compiled) : NodeReader(compiled.parts().node()) {}
template <class T> NodeReader<T>::~NodeReader() = default;
template <class T> NodeReader<T>::NodeReader(NodeReader&&) noexcept = default;

template <class T> bool NodeReader<T>::read(const Stepper<T>& stepper, T t, Report& report) {
    stepper.give(t, stepper.h(), solver_->given());
    if (!coded_solve()) {
        Report mine; // Newton of nodes is not counted as Newton of steps
        if (!solver_->solve(mine)) {
            report.fail(mine);
            report.time = static_cast<double>(t);
            return false;
        }
        solver_->results(0, results_.size(), results_.data());
    }
    for (const auto& [offset, values] : places_)
        std::copy_n(results_.data() + offset, (node_.*values).size(), (node_.*values).data());
    node_.energy = results_[energy_];
    const auto largest = [&](std::size_t first, std::size_t end) {
        T worst = 0;
        for (std::size_t i = first; i < end; ++i) worst = std::max(worst, real::abs(results_[i]));
        return worst;
    };
    node_.velocity_residual = largest(velocity_residuals_, holonomic_residuals_);
    node_.holonomic_residual = largest(holonomic_residuals_, end_of_residuals_);
    node_.constraint = std::max(node_.velocity_residual, node_.holonomic_residual);
    return true;
}

// False: nothing was computed.
template <class T> bool NodeReader<T>::coded_solve() {
    if constexpr (std::is_same_v<T, double>)
        if (code_) {
            double none = 0, active = 1, left = 0, iterations = 0;
            const std::array<double*, code::array_count> arrays = {
                solver_->given(), results_.data(), &none,       &none, &none, &none,
                &active,          &left,           &iterations, &none, &none};
            return code_->run(arrays, 1) == 1;
        }
    return false;
}

#define RATTLEBACK_INSTANTIATE(T) template class NodeReader<T>;
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
