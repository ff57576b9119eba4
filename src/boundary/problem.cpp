#include "boundary/problem.hpp"

#include <algorithm>

#include "boundary/last_set.hpp"
#include "expr/each_formula.hpp"
#include "expr/graph.hpp"
#include "formulation/chain.hpp"
#include "model/copy.hpp"

namespace rattleback::boundary {
namespace {

Vec scalars(const Vec& of) {
    Vec all;
    const std::vector<Expr> values = expand(of);
    const std::vector<std::string> names = expanded_names(of);
    for (std::size_t i = 0; i < values.size(); ++i) all.push_back({names[i], values[i]});
    return all;
}

// The model with members of families as coordinates of their own: the conditions at the ends speak of single ones,
// which derivatives by a family would not find.
Model written_out_families(const Model& of) {
    Model m = deep_copy(of);
    const auto is_family = [](const Component& c) { return c.family; };
    if (std::none_of(m.q.begin(), m.q.end(), is_family)) return m;
    const auto write_out = [](Expr& e) {
        if (e.graph()) e = expand(e);
    };
    write_out(m.function);
    for (Vec* v : {&m.q, &m.v, &m.p, &m.force, &m.holonomic, &m.velocity, &m.phase}) *v = scalars(*v);
    for (Vec* v : {&m.boundary->from_set, &m.boundary->to_set}) *v = scalars(*v);
    for (NamedFormula& u : m.inputs) write_out(u.formula);
    if (!m.control) return m;
    m.control->inputs = scalars(m.control->inputs), m.control->dynamics = scalars(m.control->dynamics);
    write_out(m.control->cost), write_out(m.control->terminal);
    for (Control::Bound& b : m.control->bounds) write_out(b.value);
    return m;
}

std::vector<std::optional<double>> in_double(const std::vector<std::optional<quad>>& values) {
    std::vector<std::optional<double>> all;
    for (const auto& v : values) all.push_back(v ? std::optional(static_cast<double>(*v)) : std::nullopt);
    return all;
}

// v of a Lagrangian that is quadratic in v, from p = L_v; throws where it is not.
Vec velocities_of_momenta(const Model& m) {
    const Vec momentum = gradient(m.function, m.v), none = zeros_like(m.v);
    std::vector<Expr> mass, rhs;
    for (std::size_t i = 0; i < m.q.size(); ++i) {
        for (const Component& c : gradient(momentum[i].value, m.v)) {
            for (const Component& third : gradient(c.value, m.v))
                if (!third.value.is(0) || c.family)
                    throw Unsuitable(
                        "a free time needs a Hamiltonian, or a Lagrangian that is quadratic in velocities");
            mass.push_back(c.value);
        }
        rhs.push_back(m.p[i].value - substitute(momentum[i].value, {{m.v, none}}));
    }
    const std::vector<Expr> found = m.graph->solve(mass, rhs);
    Vec v = m.v;
    for (std::size_t i = 0; i < v.size(); ++i) v[i].value = found[i];
    return v;
}

} // namespace

Problem::Problem(const Model& of) {
    if (!of.boundary) throw Unsuitable("the model has no [boundary]: it says where a path begins and ends");
    model = written_out_families(of);
    from.value = in_double(of.boundary->from), to.value = in_double(of.boundary->to);
    set_charts(of);
    const Boundary& b = *of.boundary;
    is_periodic = b.periodic;
    if (is_periodic) {
        make_periodic();
        return;
    }
    if (of.constrained() && !of.velocity.empty() && !of.variational)
        throw Unsuitable("nonholonomic motions have no boundary values: their velocities follow from the start; with "
                         "principle = \"variational\" paths between two places exist");
    const bool singular = !singular_inputs(of).empty();
    if (singular && !of.groups.empty())
        throw Unsuitable("inputs without a square in the cost are not supported beside coordinates on groups");
    if (singular)
        last_set.emplace(model);
    else if (!of.phase.empty())
        throw Unsuitable("phase constraints are not supported in boundary value problems");
    if (!of.force.empty())
        throw Unsuitable("a boundary value problem with forces has no action; write inputs of [control] instead");
    is_control = of.control.has_value();
    coordinates = static_cast<std::size_t>(of.q.count());
    if (is_control) {
        Vec u = model.control->inputs;
        for (std::size_t i = 0; i < model.inputs.size(); ++i) u[i].value = model.inputs[i].formula;
        running_cost = substitute(model.control->cost, {{model.control->inputs, u}});
    }
    model.symmetries.clear(), model.sections.clear(), model.observables.clear(), model.inputs.clear();
    model.view = nullptr;
    t0 = static_cast<double>(of.t0);
    if (b.time) time = static_cast<double>(*b.time);
    if (is_control && !of.control->chosen.empty()) make_parameters_coordinates();
    if (!b.time) make_time_a_coordinate();
    set_ends();
}

// Ends on groups: in the plane coordinates of the one chart, in space 0 in a chart that is centred there.
void Problem::set_charts(const Model& of) {
    charts = take_out_groups(model);
    const auto n = static_cast<std::size_t>(model.q.count());
    for (auto [end, given] : {std::pair{&from, &of.boundary->from}, std::pair{&to, &of.boundary->to}}) {
        end->value.resize(n);
        for (const GroupCoordinate& c : of.groups) {
            const LieGroup& g = *find_group(c.group);
            std::vector<quad> shown;
            for (std::size_t k = 0; k < c.centre_count; ++k)
                shown.push_back((*given)[n + c.centre + k].value_or(of.centre0[c.centre + k]));
            if (g.space == 3) {
                const std::vector<double> carried = carried_numbers(g, shown);
                end->centre.insert(end->centre.end(), carried.begin(), carried.end());
            } else if (end->value[c.first]) {
                const std::vector<quad> w = planar_coordinates(shown);
                for (std::size_t k = 0; k < w.size(); ++k) end->value[c.first + k] = static_cast<double>(w[k]);
            }
        }
    }
}

namespace {

bool depends_on_time(const Model& m) {
    const Vec one = Vec({{"t", Expr(1)}});
    if (!derivative_along(m.function, m.time_vec(), one).is(0)) return true;
    for (const Vec* of : {&m.force, &m.holonomic, &m.velocity})
        for (const Component& c : derivative_along(*of, m.time_vec(), one))
            if (!c.value.is(0)) return true;
    return false;
}

} // namespace

void Problem::make_periodic() {
    if (model.control)
        throw Unsuitable("periodic paths of control problems are not supported; [boundary] from and to say where a "
                         "path begins and ends");
    if (!model.velocity.empty() && !model.variational)
        throw Unsuitable("periodic paths of nonholonomic motions are not supported: their methods do not carry (q, p)");
    if (!model.phase.empty()) throw Unsuitable("periodic paths with phase constraints are not supported");
    if (!model.has_start) throw Unsuitable("a periodic path needs [initial]: a point near it, where the search begins");
    is_autonomous = !depends_on_time(model), free_time = !model.boundary->time;
    if (free_time && !is_autonomous)
        throw Unsuitable("the model depends on t, so a periodic path takes the time of what drives it, or a multiple: "
                         "write it as time in [boundary]");
    coordinates = static_cast<std::size_t>(model.q.count());
    t0 = static_cast<double>(model.t0);
    if (!free_time) time = static_cast<double>(*model.boundary->time);
    model.symmetries.clear(), model.sections.clear(), model.observables.clear();
    model.view = nullptr;
    for (End* end : {&from, &to}) end->value.assign(coordinates, std::nullopt), end->potential = Expr(0);
    from.has_velocities = !model.holonomic.empty();
    if (!model.holonomic.empty()) from.conditions = concat({model.holonomic, rates_of(model.holonomic, model)});
    from.conditions = substitute(from.conditions, {{model.time_vec(), Vec({{"t", Expr(static_cast<quad>(t0))}})}});
}

void Problem::choose_orbit(const std::vector<double>& start, const std::vector<double>& direction, double energy) {
    if (!is_autonomous) return; // nothing to choose: the phase is that of what drives it
    const Vec x = concat({model.q, model.p});
    Expr phase = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        phase = phase + Expr(static_cast<quad>(direction[i])) * (x[i].value - Expr(static_cast<quad>(start[i])));
    from.conditions.push_back({"phase", phase});
    if (!free_time || !model.force.empty()) return;
    Expr kept = model.function;
    if (model.kind == Model::lagrangian) {
        kept = dot(gradient(kept, model.v), model.v) - kept;
        from.has_velocities = true;
    }
    from.conditions.push_back({"energy", kept - Expr(static_cast<quad>(energy))});
}

void Problem::add_coordinate(const std::string& name, double start) {
    Graph& graph = *model.graph;
    model.q.push_back({name, graph.symbol(name)});
    model.v.push_back({name + "'", graph.symbol(name + "'")});
    model.p.push_back({"p_" + name, graph.symbol("p_" + name)});
    model.q0.push_back(start), model.p0.push_back(0), model.v0.clear();
    from.value.emplace_back(), to.value.emplace_back();
    if (is_control) model.control->dynamics.push_back({name, Expr(0)});
    guess.push_back(start);
}

void Problem::make_parameters_coordinates() {
    for (const std::string& name : model.control->chosen) {
        const auto it = std::find_if(model.parameters.begin(), model.parameters.end(),
                                     [&](const Parameter& p) { return p.name == name; });
        add_coordinate("chosen " + name, static_cast<double>(it->value));
        replace(Vec({{name, it->symbol}}), Vec({{name, model.q[model.q.size() - 1].value}}));
        Control& c = *model.control;
        c.terminal =
            substitute(c.terminal, {{Vec({{name, it->symbol}}), Vec({{name, model.q[model.q.size() - 1].value}})}});
    }
}

void Problem::replace(const Vec& leaves, const Vec& by) {
    for (Expr* e : {&model.function, &running_cost}) *e = substitute(*e, {{leaves, by}});
    if (last_set)
        for (Vec* v : {&last_set->phi, &last_set->brackets, &last_set->slopes}) *v = substitute(*v, {{leaves, by}});
    if (!is_control) return;
    Control& c = *model.control;
    c.cost = substitute(c.cost, {{leaves, by}}), c.dynamics = substitute(c.dynamics, {{leaves, by}});
    for (Control::Bound& b : c.bounds) b.value = substitute(b.value, {{leaves, by}});
}

Expr Problem::end_time() const {
    return free_time ? Expr(static_cast<quad>(t0)) + model.q[model.q.size() - 1].value
                     : Expr(static_cast<quad>(t0 + time));
}

void Problem::make_time_a_coordinate() {
    if (model.constrained()) throw Unsuitable("a free time of paths with constraints is not supported");
    if (model.kind == Model::lagrangian) {
        const Vec v = velocities_of_momenta(model);
        model.function = dot(model.p, v) - substitute(model.function, {{model.v, v}});
        model.kind = Model::hamiltonian;
        model.p0.assign(model.v0.size(), 0);
    }
    add_coordinate("final time", 1);
    free_time = true, time = 1;
    const Expr T = model.q[model.q.size() - 1].value;
    const Expr at = Expr(static_cast<quad>(t0)) + T * model.t;
    replace(model.time_vec(), Vec({{"t", at}}));
    model.function = T * model.function, running_cost = T * running_cost;
    if (!is_control) return;
    model.control->cost = T * model.control->cost;
    for (std::size_t i = 0; i < model.control->dynamics.size(); ++i)
        model.control->dynamics[i].value = T * model.control->dynamics[i].value;
}

void Problem::set_ends() {
    const auto set_of = [&](const Vec& formulas, const Expr& at) {
        return substitute(formulas, {{model.time_vec(), Vec({{"t", at}})}});
    };
    const Boundary& own = *model.boundary;
    from.set = set_of(own.from_set, Expr(static_cast<quad>(t0)));
    to.set = set_of(own.to_set, end_time());
    Expr terminal = is_control ? model.control->terminal : Expr(0);
    terminal = substitute(terminal, {{model.time_vec(), Vec({{"t", end_time()}})}});
    set_end(from, "at the start, multiplier of ", Expr(0));
    set_end(to, "at the end, multiplier of ", terminal);
    if (free_time) model.t0 = 0, t0 = 0;
    if (last_set) model.phase = last_set->phi, choose_conditions_on_last_set(*this);
}

void Problem::set_end(End& end, const std::string& label, const Expr& potential) {
    end.nu = symbols_like(*model.graph, label, end.set);
    end.potential = potential + dot(end.nu, end.set);
    const Vec q = scalars(model.q), p = scalars(model.p);
    Expr written = end.potential;
    if (written.graph()) written = expand(written);
    const Vec slope = gradient(written, q);
    for (std::size_t i = 0; i < q.size(); ++i)
        end.conditions.push_back(end.value[i]
                                     ? Component{q[i].name, q[i].value - Expr(static_cast<quad>(*end.value[i]))}
                                     : Component{p[i].name, p[i].value - slope[i].value});
    for (const Component& c : end.set) end.conditions.push_back(c);
    if (!model.holonomic.empty() && &end == &from) // p lies in the tangent space; the steps keep it there
        end.conditions = concat({end.conditions, rates_of(model.holonomic, model)}), end.has_velocities = true;
}

template <class F> void each_formula(End& end, F&& f) {
    for (Vec* v : {&end.conditions, &end.nu, &end.set}) rattleback::each_formula(*v, f);
    for (End::Unused& u : end.unused) f(u.value);
    f(end.potential);
}

EndEquations::EndEquations(const Formulas& formulas, const End& written) {
    const Formulas f = deep_copy(formulas);
    End end = written;
    import_formulas(end, *f.model.graph); // symbols are the same where their names are
    const Step& s = f.method.step;
    states_ = static_cast<std::size_t>(s.state.count()), hints_ = static_cast<std::size_t>(s.hint.count());
    rows_ = static_cast<std::size_t>(end.conditions.count()), multipliers_ = static_cast<std::size_t>(end.nu.count());
    for (const Parameter& p : f.model.parameters) parameters_.push_back(static_cast<double>(p.value));
    for (std::size_t i = 0; i < end.value.size(); ++i)
        if (end.value[i]) fixed_.push_back(i);
    const Vec given = concat({step_inputs(f).values(), end.nu});
    const bool needs_v = end.has_velocities;
    Vec conditions = end.conditions;
    if (needs_v) conditions = substitute(conditions, {{f.model.v, s.v}});
    implicit_.emplace(System{s.graph, given, needs_v ? s.node_find : std::vector<Unknown>{},
                             needs_v ? s.node_equations : std::vector<Equation>{}, conditions},
                      std::vector{s.state, end.nu});
    const Vec q = scalars(f.model.q);
    Expr potential = end.potential;
    if (potential.graph()) potential = expand(potential);
    second_.add(gradient(potential, q), q), second_.add(end.set, q);
    second_solver_.emplace(
        compile(System{s.graph, given, {}, {}, concat({second_.formulas, Vec({{"potential", end.potential}})})}));
}

std::vector<double> EndEquations::inputs(const double* x, const std::vector<double>& nu, double t, double h) const {
    std::vector<double> all(x, x + states_);
    all.resize(states_ + hints_, 0.0);
    all.push_back(t), all.push_back(h);
    all.insert(all.end(), parameters_.begin(), parameters_.end());
    all.insert(all.end(), nu.begin(), nu.end());
    return all;
}

bool EndEquations::evaluate(const double* x, const std::vector<double>& nu, double t, double h) {
    Report report;
    std::vector<Matrix<double>> d;
    if (!implicit_->at(inputs(x, nu, t, h), d, report)) return false;
    by_state = d[0], by_nu = d[1];
    values = implicit_->values();
    return true;
}

Matrix<double> EndEquations::hessian(const double* x, const std::vector<double>& nu, double t, double h) {
    const std::vector<double> given = inputs(x, nu, t, h);
    std::copy(given.begin(), given.end(), second_solver_->given());
    Report report;
    if (!second_solver_->solve(report)) return {};
    return second_.read(*second_solver_)[0];
}

double EndEquations::potential(const double* x, double t, double h) {
    const std::vector<double> given = inputs(x, std::vector<double>(multipliers_, 0.0), t, h);
    std::copy(given.begin(), given.end(), second_solver_->given());
    Report report;
    if (!second_solver_->solve(report)) return Real<double>::nan;
    return second_solver_->result(second_solver_->result_count() - 1);
}

Matrix<double> EndEquations::tangent_rows(const double* x, const std::vector<double>& nu, double t, double h) {
    const Matrix<double> hess = hessian(x, nu, t, h);
    const Matrix<double> set = second_.read(*second_solver_)[1];
    Matrix<double> rows(fixed_.size() + set.rows, hess.columns);
    for (std::size_t i = 0; i < fixed_.size(); ++i) rows(i, fixed_[i]) = 1;
    for (std::size_t i = 0; i < set.rows; ++i)
        for (std::size_t j = 0; j < set.columns; ++j) rows(fixed_.size() + i, j) = set(i, j);
    return rows;
}

} // namespace rattleback::boundary
