#include "boundary/path_run.hpp"

#include <algorithm>
#include <cmath>

#include "boundary/last_set.hpp"
#include "model/copy.hpp"
#include "run/columns.hpp"
#include "run/least_inputs.hpp"
#include "run/stepper.hpp"
#include "scheme/group_state.hpp"

namespace rattleback::boundary {

PathShown::PathShown(const Model& model, const Problem& problem, const std::string& method)
    : model_(model), problem_(problem), method_(method) {
    if (model.groups.empty()) return;
    const Model copy = deep_copy(model);
    const GroupState state(copy);
    const ShownCoordinates shown = shown_coordinates(copy);
    const Vec results = substitute(concat({shown.q, shown.p}), {{copy.centre, state.centre()}});
    shown_ = std::make_shared<SystemSolver<double>>(
        compile(System{copy.graph, concat({state.leaves(), copy.q, copy.p}), {}, {}, results}));
}

// What a method carries beside (q, p): the centres of charts, in the plane the identity; of a composition, which of its
// substeps comes next.
std::vector<double> PathShown::carried(const Path& path, std::size_t k, std::size_t states) const {
    std::vector<double> all;
    auto in_space = path.charts ? path.charts->groups().begin() : std::vector<Charts::Group>::const_iterator();
    for (const GroupCoordinate& c : model_.groups) {
        const auto count = static_cast<std::size_t>(find_group(c.group)->carried());
        if (find_group(c.group)->space == 2) {
            all.resize(all.size() + count, 0.0);
            continue;
        }
        const double* const centre = path.centre(k) + in_space->centre;
        all.insert(all.end(), centre, centre + count);
        ++in_space;
    }
    all.resize(std::max(all.size(), states - 2 * problem_.coordinates), 0.0);
    return all;
}

std::pair<std::vector<double>, std::vector<double>> PathShown::node(const Path& path, std::size_t k) const {
    const std::size_t n = path.states() / 2, own = problem_.coordinates;
    const double* const x = path.node(k);
    if (!shown_) return {{x, x + own}, {x + n, x + n + own}};
    const std::vector<double> centres = carried(path, k, 2 * own);
    double* at = std::copy(centres.begin(), centres.end(), shown_->given());
    at = std::copy_n(x, own, at);
    std::copy_n(x + n, own, at);
    Report report;
    shown_->solve(report);
    std::vector<double> q(shown_->result_count() - own), p(own);
    shown_->results(0, q.size(), q.data()), shown_->results(q.size(), own, p.data());
    return {q, p};
}

// Of a singular problem the method finds the chain of constraints at the model's start: a place of the path.
Model PathShown::started(const Path& path) const {
    Model m = model_;
    if (!problem_.last_set) return m;
    const std::size_t n = path.states() / 2, own = problem_.coordinates, k = path.steps() / 2;
    std::vector<double> x(path.node(k), path.node(k) + path.states());
    LastSetPlaces(problem_).move_onto(x.data(), path.t[k]);
    m.q0.assign(x.data(), x.data() + own), m.p0.assign(x.data() + n, x.data() + n + own);
    m.v0.clear(), m.has_start = true;
    m.t0 = problem_.free_time ? model_.t0 + static_cast<quad>(x[n - 1] * path.t[k]) : static_cast<quad>(path.t[k]);
    return m;
}

Run PathShown::run_of(const Path& path, const Inputs& beginning, const std::vector<double>& parameters,
                      const std::string& command) const {
    Model chosen = started(path);
    for (std::size_t i = 0; i < parameters.size(); ++i)
        for (Parameter& p : chosen.parameters)
            if (p.name == model_.control->chosen[i]) p.value = parameters[i];
    return run_of(chosen, path, beginning, command);
}

void PathShown::show(const Path& path, const Inputs& beginning, Solution& to, const std::string& command) const {
    to.run = run_of(path, beginning, to.best().parameters, command);
    to.steps = to.run.summary().steps;
    if (!model_.control) return;
    to.u_first = inputs(path, beginning, false), to.u_last = inputs(path, beginning, true);
}

Run PathShown::run_of(const Model& model, const Path& path, const Inputs& beginning, const std::string& command) const {
    const CompiledMethod compiled = compile(model, method_);
    const Formulas formulas = compiled.parts().copy_of_formulas();
    const NamedSystem node = node_system(formulas);
    const Columns columns(formulas.model, formulas.method, node.results);
    Run run(columns.layout());
    Stepper<double> stepper(compiled);
    NodeReader<double> reader(node);
    Report& report = run.report_;
    Summary& s = run.summary_;
    const std::size_t n = path.states() / 2, own = problem_.coordinates, parts = formulas.method.substeps.size(),
                      steps = path.steps() / parts;
    const double t0 = static_cast<double>(model_.t0), time = problem_.free_time ? path.node(0)[n - 1] : problem_.time;
    s.end.layout = columns.layout(), s.model = model.name, s.method = formulas.method.text;
    s.step = time / static_cast<double>(steps);
    run.origin = origin_of(model), run.origin.t0 = t0;
    run.origin.method = s.method, run.origin.step = s.step, run.origin.command = command;
    for (const Symmetry& symmetry : model.symmetries) s.momentum_error_max.emplace_back(symmetry.name, 0.0);
    const auto in_hint = inputs_in_hint(formulas.method.step);
    std::vector<double> momenta;
    for (std::size_t k = 0; k <= steps; ++k) {
        const double* const x = path.node(k * parts);
        InitialData<double> data;
        data.q.assign(x, x + own), data.p.assign(x + n, x + n + own);
        // Of the methods that paths are made of.
        std::vector<double> state = carried(path, k * parts, compiled.parts().states);
        state.insert(state.end(), data.q.begin(), data.q.end());
        state.insert(state.end(), data.p.begin(), data.p.end());
        if (shown_) std::tie(data.q, data.centre) = from_shown(model, this->node(path, k * parts).first);
        if (shown_) data.p = this->node(path, k * parts).second;
        const double t = k == steps ? t0 + time : t0 + static_cast<double>(k) * s.step;
        if (beginning) data.v.assign(own, 0.0); // not used, and not to be looked for
        if (k == 0 && !stepper.start(data, t, report, s.step)) break;
        stepper.set_state(state);
        if (beginning) {
            const std::vector<double> u = beginning(static_cast<double>(k) / static_cast<double>(steps));
            std::vector<double> hint = stepper.hint();
            set_inputs(hint, in_hint, u);
            stepper.set_hint(hint);
        }
        if (!reader.read(stepper, t, report)) break;
        const NodeValues<double>& values = reader.node();
        if (k == 0) s.energy_initial = values.energy, momenta = values.momenta, run.origin.start = data;
        s.energy_error_max = std::max(s.energy_error_max, std::abs(values.energy - s.energy_initial));
        s.constraint_max = std::max(s.constraint_max.value_or(0), values.velocity_residual);
        s.holonomic_max = std::max(s.holonomic_max.value_or(0), values.holonomic_residual);
        for (std::size_t i = 0; i < s.momentum_error_max.size(); ++i)
            s.momentum_error_max[i].second =
                std::max(s.momentum_error_max[i].second, std::abs(values.momenta[i] - momenta[i]));
        columns.read(t, reader, s.end.values);
        s.t_end = t, s.steps = static_cast<long long>(k);
        run.record.append(s.end.values);
    }
    return run;
}

// At the first stage of the first step or at the last stage of the last.
std::vector<double> PathShown::inputs(const Path& path, const Inputs& beginning, bool last) const {
    const Formulas f = formulas_of(started(path), parse_methods(method_)[0]);
    const Step& s = f.method.step;
    Vec u;
    for (const NamedFormula& input : f.model.inputs) u.push_back({input.name, input.formula});
    if (s.stages.empty() || s.stages[0].p.empty()) return {};
    const Stage& stage = last ? s.stages.back() : s.stages.front();
    if (!stage.u.empty() && !problem_.last_set) u = stage.u; // there they are multipliers
    u = substitute(u, {{concat({f.model.q, f.model.p, f.model.time_vec(), f.model.centre}),
                        concat({stage.q, stage.p, Vec({{"t", stage.t}}), s.centre})}});
    SystemSolver<double> solver(compile(System{s.graph, step_inputs(f).values(), s.find, s.equations, u}));
    const std::size_t k = last ? path.steps() - 1 : 0, n = path.states() / 2, own = problem_.coordinates;
    const double* const x = path.node(k);
    const double scale = problem_.free_time ? x[n - 1] : 1;
    const std::vector<double> beside = carried(path, k, static_cast<std::size_t>(s.state.count()));
    double* at = std::copy(beside.begin(), beside.end(), solver.given());
    at = std::copy_n(x, own, at);
    at = std::copy_n(x + n, own, at);
    std::vector<double> hint(static_cast<std::size_t>(s.hint.count()), 0.0);
    if (beginning) set_inputs(hint, inputs_in_hint(s), beginning(last ? 1.0 : 0.0));
    at = std::copy(hint.begin(), hint.end(), at);
    *at++ = problem_.free_time ? static_cast<double>(model_.t0) + scale * path.t[k] : path.t[k];
    *at++ = scale * path.h[k];
    for (const Parameter& p : f.model.parameters) *at++ = static_cast<double>(p.value);
    Report report;
    std::vector<double> values(u.size());
    if (!solver.solve(report)) return {};
    solver.results(0, values.size(), values.data());
    return values;
}

} // namespace rattleback::boundary
