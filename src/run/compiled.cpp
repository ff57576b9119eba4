#include "run/compiled.hpp"

#include "formulation/chain.hpp"
#include "model/copy.hpp"
#include "model/each_formula.hpp"
#include "run/initial.hpp"
#include "run/stages.hpp"
#include "run/start_sizes.hpp"
#include "scheme/build.hpp"
#include "scheme/each_formula.hpp"
#include "solve/system.hpp"
#include <rattleback/operators.hpp>

namespace rattleback {
namespace {

std::size_t count(const Vec& v) { return static_cast<std::size_t>(v.count()); }

// Whether all of the parameters that a system divides by have other values than 0.
bool can_divide(const std::set<NodeId>& by, const Vec& parameters, const std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        if (values[i] == 0 && by.contains(parameters[i].value.id())) return false;
    return true;
}

// state + increment of the components that are no sums: x1 where the increment is x1 - x0.
Vec next_values(const Step& step) {
    const Vec state = last_components(step.state, step.outright);
    Vec next = last_components(step.increment, step.outright);
    for (std::size_t i = 0; i < next.size(); ++i) {
        const Expr& d = next[i].value;
        const bool difference = d.graph() && d.op() == Op::sub && d.graph()->node(d.id()).b == state[i].value.id();
        next[i].value = difference ? Expr(*d.graph(), d.graph()->node(d.id()).a) : state[i].value + d;
    }
    return next;
}

Fields step_results(const Step& step) {
    Fields results{{"increment", first_components(step.increment, step.increment.size() - step.outright)},
                   {"next", next_values(step)},
                   {"next hint", step.next_hint}};
    if (!step.steady_hint.empty()) results.add("steady hint", step.steady_hint);
    results.add("error", step.error);
    return results;
}

} // namespace

// From the leaves of the model's initial data to the state that a method carries.
NamedSystem start_system(const Formulas& formulas) {
    const auto& [model, method] = formulas;
    const bool variational = model.variational && !model.velocity.empty();
    NamedSystem start;
    if (model.kind == Model::general)
        start.given = {{"z", model.z}};
    else
        start.given = {{"q", model.q}, {"v", model.v}, {"p", model.p}};
    if (variational) start.given.add("lambda", Variational(model).lambda);
    start.given.add("centre", model.centre);
    start.given.add("t", Vec({{"t", model.t}}));
    start.given.add("h", Vec({{"h", method.step.h}}));
    start.given.add("parameters", model.parameter_vec());
    start.results = {{"state", method.step.start}, {"hint", method.step.start_hint}};
    start.compiled = compile(System{model.graph, start.given.values(), method.step.start_find,
                                    method.step.start_equations, start.results.values()});
    return start;
}

namespace {

NamedSystem reverse_system(const Formulas& formulas) {
    NamedSystem reverse{step_inputs(formulas), {{"state", formulas.method.step.reverse}}, nullptr};
    reverse.compiled = compile(System{formulas.model.graph, reverse.given.values(), {}, {}, reverse.results.values()});
    return reverse;
}

} // namespace

Formulas formulas_of(const Model& model, const Method& method) {
    const bool general = model.kind == Model::general;
    const int has = (general ? method.step.z : method.step.q).count(), needed = (general ? model.z : model.q).count();
    if (has != needed)
        throw BadRun("the method was built for another model: its nodes have " + std::to_string(has) +
                     (general ? " variables" : " coordinates") + ", this model has " + std::to_string(needed));
    Formulas copy{deep_copy(model), method};
    put_in_singular_inputs(copy.model);
    import_formulas(copy.method.step, *copy.model.graph); // symbols are the same where their names are
    copy.method.step.graph = copy.model.graph;
    return copy;
}

Formulas formulas_of(const Model& model, const MethodName& name) {
    Formulas copy{deep_copy(model), {}};
    put_in_singular_inputs(copy.model);
    copy.method = build_in_graph(copy.model, name);
    return copy;
}

Formulas formulas_of(const Model& model, const Scheme& scheme, const Options& options) {
    Formulas copy{deep_copy(model), {}};
    put_in_singular_inputs(copy.model);
    copy.method = build_in_graph(copy.model, scheme, options);
    return copy;
}

Formulas deep_copy(const Formulas& formulas) {
    Formulas copy = formulas;
    copy.model.graph = copy.method.step.graph = formulas.model.graph->copy();
    move_to_copy(copy.model, *copy.model.graph), move_to_copy(copy.method.step, *copy.model.graph);
    return copy;
}

Fields step_inputs(const Formulas& f) {
    const Step& step = f.method.step;
    return {{"state", step.state},
            {"hint", step.hint},
            {"t", Vec({{"t", step.t}})},
            {"h", Vec({{"h", step.h}})},
            {"parameters", f.model.parameter_vec()}};
}

System::Restarts restarts_of(const Formulas& f) {
    if (f.model.kind != Model::general || f.method.step.node_find.empty()) return {};
    const Fields inputs = step_inputs(f);
    return {inputs["hint"].offset, inputs["hint"].size};
}

std::vector<double> typical_values(const Model& model) {
    std::vector<double> values{typical_step};
    for (const Parameter& p : model.parameters) values.push_back(static_cast<double>(p.typical));
    return values;
}

namespace {

// Components of the state that advance by increments.
std::size_t sums_of(const Step& step) { return count(step.state) - count(last_components(step.state, step.outright)); }

NamedSystem step_system(const Formulas& copy, bool divide) {
    const StartSizes sizes = start_sizes(copy);
    const Step& s = copy.method.step;
    NamedSystem made{step_inputs(copy), step_results(s), nullptr};
    System system{.graph = s.graph,
                  .given = made.given.values(),
                  .find = s.find,
                  .equations = s.equations,
                  .results = made.results.values(),
                  .carried = {made.given["hint"].offset, made.results["next hint"].offset, count(s.hint),
                              s.steady_hint.empty() ? 1u : 2u},
                  .steady = 1 + copy.model.parameter_vec().size(),
                  .typical = typical_values(copy.model),
                  .sums = sums_of(s),
                  .functional = s.functional,
                  .restarts = restarts_of(copy),
                  .sizes = sizes.inputs,
                  .step_like = sizes.step};
    made.compiled = divide ? compile_for(copy.model, system) : rattleback::compile(system, false);
    return made;
}

} // namespace

NamedSystem CompiledMethod::Parts::compile_step(bool divide) const { return step_system(copy_of_formulas(), divide); }

CompiledMethod::Parts::Parts(Formulas all)
    : formulas(std::move(all)), step(compile_step(true)),
      stages(stages_of(formulas, *step.compiled, [this] { return start_system(copy_of_formulas()); })),
      states(count(method().step.state)), parameters(model().parameters.size()),
      newton_hints(count(method().step.hint)), hints(stages ? stages->all_hints() : newton_hints),
      sums(sums_of(method().step)), places(step.given),
      result_places(step.results, !method().step.steady_hint.empty()) {}

const NamedSystem& CompiledMethod::Parts::step_for(const std::vector<double>& values) const {
    const Vec names = model().parameter_vec();
    if (can_divide(step.compiled->divides_by, names, values) &&
        (!stages || can_divide(stages->divides_by(), names, values)))
        return step;
    return division_free_.get([&] { return compile_step(false); });
}

const NamedSystem& CompiledMethod::Parts::start() const {
    return start_.get([&] { return start_system(copy_of_formulas()); });
}
const NamedSystem& CompiledMethod::Parts::node() const {
    return node_.get([&] { return node_system(copy_of_formulas()); });
}
const NamedSystem& CompiledMethod::Parts::reverse() const {
    return reverse_.get([&] { return reverse_system(copy_of_formulas()); });
}

const CompiledMethod::Parts::TangentMap& CompiledMethod::Parts::tangent() const {
    return tangent_.get([&] {
        const Formulas copy = copy_of_formulas();
        const Step& s = copy.method.step;
        const Vec given = step_inputs(copy).values();
        TangentMap map;
        const System whole{.graph = s.graph,
                           .given = given,
                           .find = s.find,
                           .equations = s.equations,
                           .results = s.increment,
                           .restarts = restarts_of(copy)};
        map.step =
            std::make_shared<const solve::ImplicitSystem>(whole, std::vector{s.state, copy.model.parameter_vec()});
        if (!s.manifold.empty())
            map.manifold = std::make_shared<const solve::ImplicitSystem>(
                System{s.graph, given, s.node_find, s.node_equations, s.manifold}, std::vector{s.state});
        for (const auto& [a, b] : s.form) map.form.add(a, s.state), map.form.add(b, s.state);
        map.forms = rattleback::compile(System{s.graph, given, {}, {}, map.form.formulas});
        return map;
    });
}

const Model& CompiledMethod::model() const { return parts_->model(); }
const Method& CompiledMethod::method() const { return parts_->method(); }

namespace {

CompiledMethod compiled(Formulas formulas) {
    return CompiledMethod(std::make_shared<const CompiledMethod::Parts>(std::move(formulas)));
}

} // namespace

CompiledMethod compile(const Model& model, const Method& method) { return compiled(formulas_of(model, method)); }

CompiledMethod compile(const Model& model, const std::string& method) {
    const std::vector<MethodName> names = parse_methods(method);
    if (names.size() != 1) throw BadRun("one method is needed here, not " + std::to_string(names.size()));
    return compiled(formulas_of(model, names[0]));
}

CompiledMethod compile(const Model& model, const Scheme& scheme, const Options& options) {
    return compiled(formulas_of(model, scheme, options));
}

} // namespace rattleback
