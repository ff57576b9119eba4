// [control]: optimal control, by the minimum principle a Hamiltonian system (Pontryagin). With the dynamics q' = Gamma
// and the cost L the Hamiltonian is H = L + p . Gamma, and the inputs follow from H_u = 0. Without dynamics they are
// those of [mechanics], q and v together: L_vv v' = L_q + F - L_vq v - L_vt. Of coordinates on groups, v are velocities
// of the body: see src/model/group_control.cpp.
#include <algorithm>

#include "expr/cases.hpp"
#include "model/copy.hpp"
#include "model/keys.hpp"
#include "model/reader.hpp"

namespace rattleback::model {

void Reader::read_inputs() {
    const Value* control = table("control");
    if (!control) return;
    const Entry* list = control->find("inputs");
    if (!list) fail(document_.root().find("control")->key_range, "[control] has no inputs", "write inputs = [\"u\"]");
    for (const Value& item : names_in(*list, "[\"u\"]")) {
        if (!item.is(Value::Kind::String)) fail(item.range(), "an input is a name in quotes", "write \"u\"");
        const std::string name(item.text());
        require_free(name, item.range());
        claim_column(name, item.range());
        inputs_.push_back({name, graph_.symbol(name)});
        scope_.add_input(name, inputs_[inputs_.size() - 1].value);
    }
}

void Reader::read_control() {
    const Value* control = table("control");
    const Range header = document_.root().find("control")->key_range;
    allow_keys(*control, keys_of("control"), "in [control]");
    if (const Entry* variables = document_.root().find("variables"))
        fail(variables->key_range, "[control] does not go with variables, which may have no costates",
             "write coordinates in place of variables");
    model_.control.emplace();
    if (const Entry* dynamics = control->find("dynamics"))
        read_dynamics(*dynamics);
    else
        read_dynamics_of_mechanics(header);
    read_costs(*control, header);
    read_chosen_parameters(*control);
    for (const char* key : {"bounds", "path"})
        if (const Entry* e = control->find(key); e && !model_.groups.empty())
            fail(e->key_range, "bounds and inequalities do not go with coordinates on groups",
                 "write coordinates of a chart");
    read_bounds(*control);
    Control& c = *model_.control;
    c.inputs = inputs_;
    for (Expr* e : {&c.cost, &c.terminal}) *e = in_left_velocities(*e);
    for (Control::Bound& b : c.bounds) b.value = in_left_velocities(b.value);
    model_.kind = Model::hamiltonian;
    model_.function = c.cost + dot(model_.p, c.dynamics);
    if (c.bounds.empty()) eliminate_inputs(*control->find("cost")); // with bounds they do not follow from H_u = 0
}

void Reader::read_dynamics(const Entry& dynamics) {
    if (const Entry* c = document_.root().find("constraints"))
        fail(c->key_range, "constraints go with [mechanics], and [control] gives dynamics",
             "write dynamics that keep them, or leave dynamics out and write [mechanics]");
    for (const char* other : {"mechanics", "group"})
        if (const Entry* m = document_.root().find(other))
            fail(m->key_range, "[control] gives dynamics, and [" + std::string(other) + "] gives others",
                 "remove one of them");
    if (!dynamics.value.is(Value::Kind::Table))
        fail(dynamics.key_range, "[control] needs dynamics, a table of coordinates", "write dynamics = { x = \"u\" }");
    model_.control->dynamics =
        read_components(dynamics.value, "dynamics", {.velocity = true, .momentum = true},
                        "dynamics depend on q, the inputs and t only", "write the rates themselves");
    for (const Component& c : model_.q) // zeros_like has filled in what is left out
        if (std::none_of(dynamics.value.entries().begin(), dynamics.value.entries().end(),
                         [&](const Entry& e) { return key_of(e).name == name_in_tables(c); }))
            fail(dynamics.value.range(), "dynamics do not give " + name_in_tables(c),
                 name_in_tables(c) == c.name ? "write " + c.name + " = \"0\" if it is constant"
                                             : "write its velocity, seen from the body: [\"u\", \"0\", ...]");
}

// The equations of motion as dynamics of (q, v): the velocities become coordinates, with momenta of their own.
void Reader::read_dynamics_of_mechanics(Range header) {
    const bool group = table("group") != nullptr;
    if (!group && !table("mechanics"))
        fail(header, "[control] needs dynamics, a table of coordinates, or [mechanics]",
             "write dynamics = { x = \"u\" }");
    if (group)
        read_group_mechanics();
    else
        read_mechanics();
    const Range mechanics = document_.root().find(group ? "group" : "mechanics")->key_range;
    if (model_.kind != Model::lagrangian)
        fail(mechanics, "control takes mechanics with velocities, not a Hamiltonian",
             "give lagrangian, or kinetic and potential");
    for (const Component& c : model_.q)
        if (c.family)
            fail(mechanics, "control of mechanics takes single coordinates, '" + c.name + "' is a family",
                 "write the equations of motion as dynamics of [control]");
    const std::size_t n = model_.q.size();
    const Vec constraints = read_control_constraints();
    const Expr L = in_chart_rates(model_.function);
    const Vec momentum = gradient(L, model_.v);
    const Vec carried =
        derivative_along(momentum, concat({model_.q, model_.time_vec()}), concat({model_.v, Vec({{"t", Expr(1)}})}));
    Vec applied = gradient(L, model_.q) - carried;
    for (std::size_t i = 0; i < model_.force.size(); ++i)
        applied[i].value = applied[i].value + in_chart_rates(model_.force[i].value);
    std::vector<Expr> mass, rhs;
    for (std::size_t i = 0; i < n; ++i) {
        for (const Component& m : gradient(momentum[i].value, model_.v)) mass.push_back(seen_from_the_body(m.value));
        rhs.push_back(seen_from_the_body(applied[i].value));
    }
    require_mass(mass, mechanics);
    model_.control->positions = n;
    if (!constraints.empty()) {
        const Range at = document_.root().find("constraints")->key_range;
        choose_left_velocities(constraints, at);
        model_.control->dynamics = dynamics_of_left_velocities(mass, rhs, at);
        return make_velocities_coordinates(left_velocities_);
    }
    const std::vector<Expr> solution = solved(mass, rhs);
    Vec rates = model_.v;
    for (std::size_t i = 0; i < n; ++i) rates[i].value = solution[i];
    rates = body_accelerations(rates);
    Vec dynamics = chart_rates();
    for (std::size_t i = 0; i < n; ++i) dynamics.push_back({velocity_names()[i].name + "'", rates[i].value});
    model_.control->dynamics = dynamics;
    make_velocities_coordinates(velocity_names());
}

// Of mechanics under control, those of velocities.
Vec Reader::read_control_constraints() {
    if (model_.is_group && !model_.velocity.empty())
        fail(document_.root().find("group")->key_range, "constraints of [group] do not go with [control]",
             "write coordinates, [mechanics] and [constraints], or dynamics of [control]");
    const Entry* found = document_.root().find("constraints");
    if (!found) return {};
    read_constraints();
    if (!model_.groups.empty() || model_.is_group)
        fail(found->key_range, "constraints of control problems do not go with coordinates on groups",
             "write coordinates of a chart, or dynamics of [control] that keep the constraints");
    if (!model_.holonomic.empty() || !model_.phase.empty())
        fail(found->key_range,
             "constraints of control problems are on velocities: holonomic and phase ones are not "
             "supported",
             "write coordinates of what they leave");
    if (model_.variational)
        fail(found->key_range, "control takes the nonholonomic principle, not the variational one",
             "leave out principle; with velocities as inputs, write dynamics of [control]");
    const Vec constraints = written_out(model_.velocity);
    Vec named;
    const std::vector<std::string> names = expanded_names(model_.velocity);
    for (std::size_t i = 0; i < constraints.size(); ++i) named.push_back({names[i], constraints[i].value});
    model_.velocity = {}, all_velocities_ = model_.v;
    return named;
}

void Reader::require_mass(const std::vector<Expr>& mass, Range mechanics) const {
    const std::size_t n = model_.q.size();
    for (std::size_t i = 0; i < n; ++i)
        if (std::all_of(mass.begin() + static_cast<std::ptrdiff_t>(i * n),
                        mass.begin() + static_cast<std::ptrdiff_t>((i + 1) * n), [](const Expr& m) { return m.is(0); }))
            fail(mechanics,
                 "L_vv is singular: '" + velocity_names()[i].name + "' does not enter the Lagrangian quadratically",
                 "control takes regular Lagrangians");
}

void Reader::make_velocities_coordinates(const Vec& v) {
    model_.force = {}, model_.kind = Model::hamiltonian;
    const Vec q = model_.q;
    Vec rates, momenta;
    for (const Component& c : q) rates.push_back({"rate of " + c.name, graph_.symbol("rate of " + c.name)});
    for (const Component& c : v) {
        const std::string rate = c.name + "'", momentum = "p_" + c.name;
        rates.push_back({rate, graph_.symbol(rate)});
        momenta.push_back({momentum, graph_.symbol(momentum)});
        columns_.insert(momentum);
        places_[c.name] = q.size() + momenta.size() - 1;
    }
    model_.q = concat({q, v}), model_.v = rates, model_.p = concat({model_.p, momenta});
}

// Of (t, q, u); of mechanics the velocities are coordinates.
void Reader::read_costs(const Value& control, Range header) {
    Control& c = *model_.control;
    const Contents forbidden{.velocity = c.positions == 0, .momentum = true};
    const Entry* cost = control.find("cost");
    if (!cost) fail(header, "[control] has no cost", "write cost = \"u^2/2\"");
    c.cost = formula(cost->value, "the cost", forbidden, "a cost depends on q, the inputs and t only",
                     "write the rates themselves");
    if (const Entry* terminal = control.find("terminal_cost")) {
        c.terminal = formula(terminal->value, "the terminal cost", forbidden,
                             "a terminal cost depends on q and t at the end only", "write the rates themselves");
        for (const Component& slope : gradient(c.terminal, inputs_))
            if (!slope.value.is(0))
                fail(terminal->value.range(), "a terminal cost depends on q and t at the end only, not on inputs",
                     "inputs belong to the cost");
    }
}

void Reader::read_chosen_parameters(const Value& control) {
    const Entry* list = control.find("parameters");
    if (!list) return;
    for (const Value& item : names_in(*list, "[\"m\"]")) {
        const std::string name(item.is(Value::Kind::String) ? item.text() : "");
        std::vector<std::string> known;
        for (const Parameter& p : model_.parameters) known.push_back(p.name);
        if (std::find(known.begin(), known.end(), name) == known.end())
            fail(item.range(), "parameters of [control] are names of [parameters], to be optimised",
                 suggestion(name, known, "parameters are "));
        std::vector<std::string>& chosen = model_.control->chosen;
        if (std::find(chosen.begin(), chosen.end(), name) != chosen.end())
            fail(item.range(), "the parameter '" + name + "' is named twice", "name it once");
        chosen.push_back(name);
    }
}

// A number or a formula of parameters; inf on the sides that are not bounded.
std::optional<quad> Reader::read_bound(const Value& value) {
    const std::string text(value.is(Value::Kind::String) ? value.text() : "");
    if (text == "inf" || text == "-inf" || text == "+inf") return {};
    return number(text_of(value, "a bound"));
}

void Reader::read_bounds(const Value& control) {
    std::vector<Control::Bound>& bounds = model_.control->bounds;
    if (const Entry* e = control.find("bounds")) {
        const char* remedy = "write bounds = { u = [-1, 1], x = [0, \"inf\"] }";
        if (!e->value.is(Value::Kind::Table)) fail(e->value.range(), "bounds must be a table", remedy);
        for (const Entry& b : e->value.entries()) {
            const std::string name(b.key);
            const auto named = [&](const Vec& of) -> const Component* {
                for (const Component& c : of)
                    if (c.name == name && !c.family) return &c;
                return nullptr;
            };
            const Component* c = named(inputs_);
            if (!c) c = named(model_.q);
            if (c && name_in_tables(*c) != name) c = nullptr; // of a chart
            std::vector<std::string> known;
            for (const Vec* of : {&inputs_, &model_.q})
                for (const Component& each : *of)
                    if (name_in_tables(each) == each.name) known.push_back(each.name);
            if (!c)
                fail(b.key_range, "bounds are for inputs and coordinates; '" + name + "' is neither",
                     suggestion(name, known, "known are "));
            if (!b.value.is(Value::Kind::Array) || b.value.items().size() != 2)
                fail(b.value.range(), "a bound is a pair [lowest, highest]", remedy);
            Control::Bound bound{name, c->value, read_bound(b.value.items()[0]), read_bound(b.value.items()[1])};
            if (bound.lo && bound.hi && *bound.lo > *bound.hi)
                fail(b.value.range(), "the bounds of '" + name + "' leave nothing between them",
                     "the lowest comes first");
            bounds.push_back(bound);
        }
    }
    if (const Entry* e = control.find("path")) read_path(*e);
}

// "x^2 + y^2 - 1 >= 0": a comparison, as the difference of its sides.
void Reader::read_path(const Entry& path) {
    const char* remedy = "write path = [\"x^2 + y^2 - 1 >= 0\"]";
    if (!path.value.is(Value::Kind::Array)) fail(path.value.range(), "path must be a list of inequalities", remedy);
    for (const Value& item : path.value.items()) {
        if (!item.is(Value::Kind::String)) fail(item.range(), "an inequality is a formula in quotes", remedy);
        const std::string text(item.text());
        const std::size_t at = std::min(text.find(">="), text.find("<="));
        if (at == std::string::npos || text.find(">=", at + 2) != std::string::npos ||
            text.find("<=", at + 2) != std::string::npos)
            fail(item.range(), "'" + text + "' is no inequality with one >= or <=", remedy);
        const auto side = [&](std::size_t from, std::size_t count) {
            const Parsed p = parse({&item, text.substr(from, count), {}, from});
            const Expr e = scalar(p);
            forbid(e, {.velocity = model_.control->positions == 0, .momentum = true}, p,
                   "an inequality depends on q, the inputs and t only", "write the rates themselves");
            return e;
        };
        const Expr difference = side(0, at) - side(at + 2, std::string::npos);
        model_.control->bounds.push_back(
            {text, text[at] == '>' ? difference : -difference, std::optional<quad>(0), std::nullopt});
    }
}

// The solution of a linear system: by one division each where unknowns do not meet, else as one system.
std::vector<Expr> Reader::solved(const std::vector<Expr>& matrix, const std::vector<Expr>& rhs) {
    const std::size_t n = rhs.size();
    bool apart = true;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) apart &= i == j || matrix[i * n + j].is(0);
    if (!apart) return graph_.solve(matrix, rhs);
    std::vector<Expr> found;
    for (std::size_t i = 0; i < n; ++i) found.push_back(rhs[i] / matrix[i * n + i]);
    return found;
}

// Where H_uu is a matrix of numbers, it is not singular.
void Reader::require_regular(const std::vector<Expr>& matrix, const Vec& inputs, const Entry& cost) {
    const std::size_t n = inputs.size();
    std::vector<quad> m;
    for (const Expr& e : matrix) {
        const std::optional<quad> value = (e.graph() ? scope_.with_numbers(e) : e).constant();
        if (!value) return;
        m.push_back(*value);
    }
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t best = c;
        for (std::size_t i = c + 1; i < n; ++i)
            if (real::abs(m[i * n + c]) > real::abs(m[best * n + c])) best = i;
        if (real::abs(m[best * n + c]) <= static_cast<quad>(1e-25))
            fail(cost.key_range, "H_uu is singular: H_u = 0 does not determine '" + inputs[c].name + "'",
                 "the cost must grow in every direction of the inputs");
        for (std::size_t j = 0; j < n; ++j) std::swap(m[c * n + j], m[best * n + j]);
        for (std::size_t i = c + 1; i < n; ++i) {
            const quad factor = m[i * n + c] / m[c * n + c];
            for (std::size_t j = c; j < n; ++j) m[i * n + j] -= factor * m[c * n + j];
        }
    }
}

// H_u = 0 for u, where it is linear in u. Inputs without a square in H leave H_u = 0 as constraints of (q, p), in which
// no input occurs: the constraint algorithm finds what they hide, and the inputs.
void Reader::eliminate_inputs(const Entry& cost) {
    const std::size_t n = inputs_.size();
    const Vec slope = gradient(model_.function, inputs_);
    require_no_corner(slope, cost);
    std::vector<Expr> hessian;
    std::vector<std::size_t> regular, singular;
    Control& c = *model_.control;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec row = gradient(slope[i].value, inputs_);
        c.implicit |= has_cases(slope[i].value, inputs_);
        bool enters = false;
        for (std::size_t j = 0; j < n; ++j) {
            for (const Component& third : gradient(row[j].value, inputs_)) c.implicit |= !third.value.is(0);
            hessian.push_back(row[j].value);
            enters |= !row[j].value.is(0);
        }
        if (slope[i].value.is(0))
            fail(cost.key_range, "the input '" + inputs_[i].name + "' enters neither the dynamics nor the cost",
                 "remove it from inputs");
        if (enters)
            regular.push_back(i);
        else
            singular.push_back(i);
    }
    if (c.implicit && !singular.empty())
        fail(cost.key_range,
             "H_uu is singular: '" + inputs_[singular[0]].name +
                 "' does not enter the cost quadratically, and H_u = 0 is not linear in other inputs",
             "add a term like " + inputs_[singular[0]].name + "^2/2 to the cost");
    if (c.implicit && !model_.groups.empty())
        fail(cost.key_range, "H_u = 0 is not linear in the inputs, and with coordinates on groups it has to be",
             "write a cost that is quadratic in them, and dynamics that are linear");
    if (c.implicit) return; // methods solve for them
    const Vec none = zeros_like(inputs_);
    std::vector<Expr> matrix, rhs;
    Vec determined;
    for (const std::size_t i : regular) {
        for (const std::size_t j : regular) matrix.push_back(hessian[i * n + j]);
        rhs.push_back(-substitute(slope[i].value, {{inputs_, none}}));
        determined.push_back(inputs_[i]);
    }
    require_regular(matrix, determined, cost);
    const std::vector<Expr> found = solved(matrix, rhs);
    for (const Component& u : inputs_) model_.inputs.push_back({u.name, u.value}); // of singular ones the leaf stays
    for (std::size_t k = 0; k < regular.size(); ++k) model_.inputs[regular[k]].formula = found[k];
    model_.function = with_inputs(model_.function);
    for (const std::size_t i : singular) {
        const Vec leaf({inputs_[i]}), zero({{inputs_[i].name, Expr(0)}});
        model_.phase.push_back({"H_" + inputs_[i].name, slope[i].value});
        model_.function = substitute(model_.function, {{leaf, zero}});
    }
}

// A formula of (t, q, u) with the inputs that H_u = 0 gives.
Expr Reader::with_inputs(const Expr& f) const {
    Vec u = inputs_;
    for (std::size_t i = 0; i < u.size(); ++i) u[i].value = model_.inputs[i].formula;
    return substitute(f, {{inputs_, u}});
}

// What else is written with inputs: observables.
void Reader::put_in_inputs() {
    if (model_.inputs.empty()) return;
    for (NamedFormula& o : model_.observables) o.formula = with_inputs(o.formula);
}

} // namespace rattleback::model
