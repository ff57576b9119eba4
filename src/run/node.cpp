// Nodes: from a carried state to q, v, p, energy, momentum maps and observables.
#include <rattleback/stepper.hpp>

#include <algorithm>

#include "formulation/general_hamiltonian.hpp"
#include "model/copy.hpp"
#include "run/compiled.hpp"
#include "run/initial.hpp"
#include "run/redundant.hpp"
#include "run/step_code.hpp"
#include "run/stepper.hpp"
#include "solve/restricted.hpp"
#include <rattleback/operators.hpp>

namespace rattleback {
namespace {

// The multipliers of a step, completed by those of redundant constraints.
Vec all_multipliers(const Model& model, const Step& step, System& system) {
    if (model.redundant.empty() || step.lambda.empty()) return step.lambda;
    const std::size_t kept = model.holonomic.size();
    LeastNorm shortest = least_norm_multipliers(model, last_components(step.lambda, kept));
    system.find.insert(system.find.end(), shortest.find.begin(), shortest.find.end());
    for (const Equation& e : shortest.equations)
        system.equations.push_back(substitute(e.lhs, {{model.q, step.q}}) == substitute(e.rhs, {{model.q, step.q}}));
    return concat({first_components(step.lambda, step.lambda.size() - kept), shortest.lambda});
}

// The multipliers of holonomic constraints beside variational ones, lambda^h of McLachlan, Modin, Verdier and Wilkins
// (2014, Prop. 6): functions of (t, q, v, lambda), from the second derivative of g = 0.
Vec holonomic_multipliers(const Variational& sys, const std::vector<Substitution>& rules, System& system) {
    const FirstOrder reduced = sys.index_reduced(); // y = (a, lambda', lambda^h)
    system.find.push_back({reduced.y, {}});
    for (const Equation& e : reduced.algebraic)
        system.equations.push_back(substitute(e.lhs, rules) == substitute(e.rhs, rules));
    return last_components(reduced.y, sys.g.size());
}

} // namespace

NamedSystem node_system(const Formulas& formulas, const std::vector<Expr>& extra) {
    const Model& model = formulas.model;
    const Step& step = formulas.method.step;
    NamedSystem node{step_inputs(formulas), {}, nullptr};
    System system{step.graph, node.given.values(), step.node_find, step.node_equations, {}};
    system.typical = typical_values(model), system.reorder_refused = true;
    system.restarts = restarts_of(formulas);
    std::vector<Substitution> rules;
    Expr energy = model.function;
    Vec momenta, more, observables, inputs;
    if (model.kind == Model::general) {
        node.results = {{"z", step.z}};
        rules.push_back({model.z, step.z});
    } else {
        rules.push_back(
            {concat({model.q, model.v, model.p, model.centre}), concat({step.q, step.v, step.p, step.centre})});
        if (!model.groups.empty()) { // also in formulas that are written out member by member
            const Substitution whole = rules.back();
            rules.push_back({written_out(whole.from), written_out(whole.to)});
        }
        const ShownCoordinates shown = shown_coordinates(model);
        const auto here = [&](const Vec& f) { return model.groups.empty() ? Vec() : substitute(f, rules); };
        node.results = {{"q", model.groups.empty() ? step.q : here(shown.q)},
                        {"v", model.groups.empty() ? step.v : here(shown.v)},
                        {"p", model.groups.empty() ? step.p : here(shown.p)},
                        {"lambda", all_multipliers(model, step, system)}};
        energy = Mechanics(model).energy();
        if (model.variational && !model.velocity.empty()) {
            const Variational sys(model);
            rules.push_back({sys.lambda, step.lambda});
            energy = sys.energy();
            if (shows_holonomic_multipliers(model))
                node.results.add("lambda_h", holonomic_multipliers(sys, rules, system));
        }
        for (const NamedFormula& m : momentum_maps(model)) momenta.push_back({m.name, m.formula});
    }
    const Residuals residuals = constraint_residuals(model);
    for (const NamedFormula& o : model.observables) observables.push_back({o.name, o.formula});
    for (const NamedFormula& u : model.inputs) inputs.push_back({u.name, u.formula});
    inputs = concat({inputs, model.implicit_inputs()});
    for (const Expr& e : extra) more.push_back({"", e});
    const Fields shown{{"energy", Vec({{"energy", energy}})},
                       {"momenta", momenta},
                       {"velocity residuals", concat({residuals.velocity, residuals.phase})},
                       {"holonomic residuals", residuals.holonomic},
                       {"observables", observables},
                       {"u", inputs},
                       {"extra", more}};
    node.results.add(shown, substitute(shown.values(), rules));
    system.results = node.results.values();
    node.compiled = compile_for(model, system, false);
    return node;
}

NamedSystem without_formulas(const NamedSystem& system) {
    const auto all = [](const Fields& fields) {
        std::vector<std::string_view> names;
        for (const Fields::Field& f : fields.fields()) names.push_back(f.name);
        return fields.chosen(names);
    };
    return {all(system.given), all(system.results), system.compiled};
}

NamedSystem restricted(const NamedSystem& system, const std::vector<std::string_view>& names) {
    NamedSystem part = without_formulas(system);
    part.results = part.results.chosen(names);
    std::vector<std::size_t> results;
    for (const Fields::Field& f : part.results.fields())
        for (std::size_t i = 0; i < f.size; ++i) results.push_back(system.results[f.name].offset + i);
    part.compiled = restricted(*system.compiled, results);
    return part;
}

code::NodeLayout ShownNode::layout() const {
    code::NodeLayout layout{&system, {}, {}, beside.get()};
    for (const char* name : {"velocity residuals", "holonomic residuals"})
        layout.largest.push_back(system.results[name]);
    for (std::string_view name : hidden) layout.hidden.push_back(system.results[name]);
    return layout;
}

std::size_t ShownNode::first_beside() const {
    std::size_t count = 3; // iterations and residuals
    const code::NodeLayout rows = layout();
    for (std::size_t i = 0; i < system.results.size(); ++i) count += rows.is_column(i);
    return count;
}

Residuals constraint_residuals(const Model& model) {
    if (model.kind == Model::general && model.phase.empty())
        return {GeneralHamiltonian(model).multiplier_equations(), {}, {}};
    return {model.velocity, model.phase, concat({model.holonomic, model.redundant})};
}

template <class T>
NodeReader<T>::Parts::Parts(const NamedSystem& system)
    : solver(system.compiled), results(system.results.size()), energy(system.results["energy"].offset),
      velocity_residuals(system.results["velocity residuals"].offset),
      holonomic_residuals(system.results["holonomic residuals"].offset),
      end_of_residuals(system.results["holonomic residuals"].end()) {
    const Fields::Field& hint = system.given["hint"];
    const auto is_hint = [&](Slot slot) { return slot >= hint.offset && slot < hint.end(); };
    const std::vector<Slot>& shown = system.compiled->results;
    reads_hint = reads(*system.compiled, hint.offset, hint.size) || std::any_of(shown.begin(), shown.end(), is_hint);
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
        if (!system.results.has(name) || system.results[name].size == 0) continue;
        (node.*values).resize(system.results[name].size);
        places.emplace_back(system.results[name].offset, values);
    }
    show({system});
}

template <class T> void NodeReader<T>::Parts::show(const ShownNode& shown) {
    const code::NodeLayout rows = shown.layout();
    columns.clear();
    for (std::size_t i = 0; i < results.size(); ++i)
        if (rows.is_column(i)) columns.push_back(i);
}

template <class T> bool NodeReader<T>::Parts::read(const Stepper<T>& stepper, T t, Report& report) {
    stepper.parts().give(t, stepper.h(), solver.given(), reads_hint);
    return read_given(t, report);
}

template <class T> bool NodeReader<T>::Parts::read_given(T t, Report& report) {
    if (!coded_solve()) {
        Report mine; // Newton of nodes is not counted as Newton of steps
        if (!solver.solve(mine)) {
            report.fail(mine);
            report.time = static_cast<double>(t);
            return false;
        }
        solver.results(0, results.size(), results.data());
    }
    spread();
    const auto largest = [&](std::size_t first, std::size_t end) {
        T worst = 0;
        for (std::size_t i = first; i < end; ++i) worst = std::max(worst, real::abs(results[i]));
        return worst;
    };
    node.velocity_residual = largest(velocity_residuals, holonomic_residuals);
    node.holonomic_residual = largest(holonomic_residuals, end_of_residuals);
    node.constraint = std::max(node.velocity_residual, node.holonomic_residual);
    return true;
}

// From the results to what the node is called by.
template <class T> void NodeReader<T>::Parts::spread() {
    for (const auto& [offset, values] : places)
        std::copy_n(results.data() + offset, (node.*values).size(), (node.*values).data());
    node.energy = results[energy];
}

// False: nothing was computed.
template <class T> bool NodeReader<T>::Parts::coded_solve() {
    if constexpr (std::is_same_v<T, double>)
        if (code) return code->solve(solver.given(), results.data());
    return false;
}

template <class T> NodeReader<T>::NodeReader(const NamedSystem& node) : parts_(std::make_unique<Parts>(node)) {}
template <class T> NodeReader<T>::NodeReader(const CompiledMethod& compiled) : NodeReader(compiled.parts().node()) {}
template <class T> NodeReader<T>::~NodeReader() = default;
template <class T> NodeReader<T>::NodeReader(NodeReader&&) noexcept = default;
template <class T> bool NodeReader<T>::read(const Stepper<T>& stepper, T t, Report& report) {
    return parts_->read(stepper, t, report);
}
template <class T> const NodeValues<T>& NodeReader<T>::node() const { return parts_->node; }

#define RATTLEBACK_INSTANTIATE(T) template class NodeReader<T>;
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
