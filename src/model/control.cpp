// [control]: optimal control, by the minimum principle a Hamiltonian system (Pontryagin). With the dynamics q' = Gamma
// and the cost L the Hamiltonian is H = L + p . Gamma, and the inputs follow from H_u = 0.
#include <algorithm>

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
    if (const Entry* m = document_.root().find("mechanics"))
        fail(m->key_range, "control of mechanics is not supported by this version",
             "write the equations of motion as dynamics of [control]");
    if (const Entry* c = document_.root().find("constraints"))
        fail(c->key_range, "constraints of control problems are not supported by this version", "remove them");
    allow_keys(*control, {"inputs", "dynamics", "cost", "terminal_cost", "bounds", "path"}, "in [control]");
    for (const char* later : {"bounds", "path", "terminal_cost"})
        if (const Entry* e = control->find(later))
            fail(e->key_range,
                 std::string(later) + " goes with boundary values, which are not supported by this version",
                 "remove it");
    const Entry *dynamics = control->find("dynamics"), *cost = control->find("cost");
    if (!dynamics || !dynamics->value.is(Value::Kind::Table))
        fail(dynamics ? dynamics->key_range : header, "[control] needs dynamics, a table of coordinates",
             "write dynamics = { x = \"u\" }");
    if (!cost) fail(header, "[control] has no cost", "write cost = \"u^2/2\"");
    if (!model_.groups.empty())
        fail(header, "coordinates on groups are not supported in [control]", "write coordinates of a chart");
    const Contents rates{.velocity = true, .momentum = true};
    const Vec gamma = read_components(dynamics->value, "dynamics", rates, "dynamics depend on q, the inputs and t only",
                                      "write the rates themselves");
    for (const Component& c : model_.q) // zeros_like has filled in what is left out
        if (std::none_of(dynamics->value.entries().begin(), dynamics->value.entries().end(),
                         [&](const Entry& e) { return key_of(e).name == c.name; }))
            fail(dynamics->value.range(), "dynamics do not give " + c.name,
                 "write " + c.name + " = \"0\" if it is constant");
    const Expr L = formula(cost->value, "the cost", rates, "a cost depends on q, the inputs and t only",
                           "write the rates themselves");
    model_.kind = Model::hamiltonian;
    model_.function = L + dot(model_.p, gamma);
    eliminate_inputs(*cost);
}

// H_u = 0 for u, where it is linear in u: by one division each where inputs do not meet, else as a linear system.
void Reader::eliminate_inputs(const Entry& cost) {
    const std::size_t n = inputs_.size();
    const Vec none = zeros_like(inputs_), slope = gradient(model_.function, inputs_);
    std::vector<Expr> matrix, rhs;
    bool apart = true;
    for (std::size_t i = 0; i < n; ++i) {
        const Vec row = gradient(slope[i].value, inputs_);
        bool enters = false;
        for (std::size_t j = 0; j < n; ++j) {
            for (const Component& c : gradient(row[j].value, inputs_))
                if (!c.value.is(0))
                    fail(cost.key_range,
                         "H_u = 0 is not linear in the inputs: '" + inputs_[i].name + "' enters as " +
                             to_text(slope[i].value, 60),
                         "this version takes costs that are quadratic and dynamics that are affine in the inputs");
            matrix.push_back(row[j].value);
            enters |= !row[j].value.is(0), apart &= i == j || row[j].value.is(0);
        }
        if (!enters)
            fail(cost.key_range, "H_uu is singular: '" + inputs_[i].name + "' does not enter the cost quadratically",
                 "add a term like " + inputs_[i].name + "^2/2 to the cost");
        rhs.push_back(-substitute(slope[i].value, {{inputs_, none}}));
    }
    std::vector<Expr> found;
    if (apart)
        for (std::size_t i = 0; i < n; ++i) found.push_back(rhs[i] / matrix[i * n + i]);
    else
        found = graph_.solve(matrix, rhs);
    for (std::size_t i = 0; i < n; ++i) model_.inputs.push_back({inputs_[i].name, found[i]});
    model_.function = substitute(model_.function, {{inputs_, [&] {
                                                        Vec u = inputs_;
                                                        for (std::size_t i = 0; i < n; ++i) u[i].value = found[i];
                                                        return u;
                                                    }()}});
}

// What else is written with inputs: observables.
void Reader::put_in_inputs() {
    if (model_.inputs.empty()) return;
    Vec u = inputs_;
    for (std::size_t i = 0; i < u.size(); ++i) u[i].value = model_.inputs[i].formula;
    for (NamedFormula& o : model_.observables) o.formula = substitute(o.formula, {{inputs_, u}});
}

} // namespace rattleback::model
