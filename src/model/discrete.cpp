// [discrete]: a discrete Lagrangian L_d(q0, q1, h) or generating function S of the user's own, with discrete forces and
// constraints. The ends of the step from a coordinate x are x_0 and x_1, at the times t_0 and t_1 = t_0 + h.
#include "expr/graph.hpp"
#include "model/keys.hpp"
#include "model/reader.hpp"

namespace rattleback::model {
namespace {

constexpr Contents forbidden{.now = true};
constexpr const char *rule = "formulas of [discrete] depend on both ends of a step",
                     *remedy = "write x_0 and x_1 for the coordinate x, (x_1 - x_0)/h for its velocity, t_0 and t_1 "
                               "for the time";

} // namespace

void Reader::name_ends(Range header) {
    DiscreteMechanics& d = *model_.discrete;
    const auto require_new = [&](const std::string& name, const std::string& meaning) {
        if (scope_.taken(name))
            fail(header, "the name '" + name + "' is used twice: in [discrete] it is " + meaning,
                 "choose another name for the one that the model has");
    };
    require_new("h", "the size of the step");
    require_new("t_0", "the time at which the step begins");
    require_new("t_1", "the time at which the step ends");
    d.h = graph_.symbol("h"), d.t0 = graph_.symbol("t_0");
    const Expr t1 = d.t0 + d.h;
    scope_.add_end({"h", d.h}), scope_.add_end({"t_0", d.t0}), scope_.add_end({"t_1", t1});
    const auto add = [&](Component c, const std::string& suffix, const Expr& time, const std::string& where, Vec& to) {
        require_new(c.name + suffix, "where the step of '" + c.name + "' " + where);
        c.name += suffix;
        for (auto& [k, value] : c.border) value = substitute(value, {{model_.time_vec(), Vec({{"t", time}})}});
        to.push_back(symbols_like(graph_, "", Vec({c}))[0]);
        scope_.add_end(to[to.size() - 1]);
    };
    for (const Component& x : model_.q) add(x, "_0", d.t0, "begins", d.q0), add(x, "_1", t1, "ends", d.q1);
}

// Covectors at both ends, a table of coordinates for each.
void Reader::read_ends(const Value& from, const std::string& what, Vec& begin, Vec& end) {
    const std::string example = "write " + what + " = { begin = { x = \"...\" }, end = { x = \"...\" } }";
    if (!from.is(Value::Kind::Table)) fail(from.range(), what + " must be a table with begin and end", example);
    allow_keys(from, {"begin", "end"}, "in " + what);
    for (const auto& [key, to] : {std::pair("begin", &begin), std::pair("end", &end)}) {
        const Entry* e = from.find(key);
        if (!e) fail(from.range(), what + " does not say what acts at the " + key + " of a step", example);
        if (!e->value.is(Value::Kind::Table)) fail(e->value.range(), std::string(key) + " must be a table", example);
        *to = read_components(e->value, "a discrete force", forbidden, rule, remedy);
    }
}

// NOTE: read last, so that the ends of a step are no names in other formulas, and that nodes of the graph have the
// numbers they would have without this table: what does not use it has the same bits.
void Reader::read_discrete() {
    const Value* found = table("discrete");
    if (!found) return;
    const Range header = document_.root().find("discrete")->key_range;
    if (model_.kind == Model::general)
        fail(header, "[discrete] goes with coordinates; this model has variables", "remove it");
    if (!model_.groups.empty())
        fail(header, "[discrete] does not go with coordinates on groups",
             "lie_del and its like have ld=mv, log and cay");
    allow_keys(*found, keys_of("discrete"), "in [discrete]");
    const Entry* L = found->find("lagrangian");
    if (!L)
        fail(header, "[discrete] has no lagrangian",
             "write lagrangian = \"...\", the integral of L over a step from x_0 to x_1");
    model_.discrete.emplace();
    name_ends(header);
    DiscreteMechanics& d = *model_.discrete;
    d.lagrangian = formula(L->value, "a discrete Lagrangian", forbidden, rule, remedy);
    if (const Entry* e = found->find("forces")) {
        if (model_.force.empty())
            fail(e->key_range, "forces of [discrete] stand for the force of [mechanics], and this model has none",
                 "give force in [mechanics], too");
        read_ends(e->value, "forces", d.force_0, d.force_1);
    }
    if (const Entry* e = found->find("reaction")) {
        if (model_.velocity.empty())
            fail(e->key_range, "reaction is the force of velocity constraints, and this model has none", "remove it");
        read_ends(e->value, "reaction", d.reaction_0, d.reaction_1);
    }
    if (const Entry* e = found->find("constraint")) {
        d.constraint = read_constraint_list(e->value, "constraint", forbidden, rule, remedy);
        if (d.constraint.count() != model_.velocity.count())
            fail(e->value.range(),
                 "constraint has " + count_of(static_cast<std::size_t>(d.constraint.count()), "formula") +
                     ", the model has " +
                     count_of(static_cast<std::size_t>(model_.velocity.count()), "velocity constraint"),
                 "give one for each, in the same order");
    }
}

} // namespace rattleback::model
