#include "scheme/discrete_table.hpp"

#include <algorithm>
#include <array>

#include "expr/graph.hpp"
#include "expr/rewrite.hpp"
#include "scheme/common.hpp"

namespace rattleback {
namespace {

Vec one(const Expr& e) { return Vec({{"", e}}); }

// x_1 - x_0 is h W, also of members of families. As it is written the difference would lose digits: after 100,000 steps
// of 0.001 of a quartic oscillator at x = 1000 the position is off by 1.2e-10.
class Differences {
  public:
    Differences(Graph& graph, const DiscreteMechanics& table, const DiscreteLagrangian& Ld, const Expr& h)
        : graph_(graph), rewrite_(graph, false), h_(h) {
        for (std::size_t i = 0; i < table.q0.size(); ++i) {
            const NodeId slope = Ld.slopes[0][i].value.id();
            const bool family = table.q0[i].family;
            ends_.push_back({key(table.q0[i].value.id()), key(table.q1[i].value.id()),
                             family ? graph.node(slope).a : slope, family});
        }
    }

    Expr operator()(const Expr& e) {
        if (!e.graph()) return e;
        for (NodeId id : reachable(graph_, std::array{e.id()})) {
            const Node n = graph_.node(id);
            if (n.op != Op::sub) continue;
            if (const auto forward = step_between(n.b, n.a)) rewrite_.replace(id, h_ * *forward);
            if (const auto back = step_between(n.a, n.b)) rewrite_.replace(id, -(h_ * *back));
        }
        return rewrite_(e);
    }

  private:
    struct Ends {
        NodeId begin, end, slope; // symbols, or families
        bool family;
    };
    NodeId key(NodeId leaf) const { return graph_.node(leaf).op == Op::element ? graph_.node(leaf).a : leaf; }
    std::optional<Expr> step_between(NodeId from, NodeId to) {
        const Node a = graph_.node(from), b = graph_.node(to);
        const bool members = a.op == Op::element && b.op == Op::element && a.b == b.b;
        if (!members && (a.op != Op::symbol || b.op != Op::symbol)) return {};
        for (const Ends& e : ends_)
            if (e.family == members && e.begin == key(from) && e.end == key(to))
                return members ? graph_.element(e.slope, Expr(graph_, a.b)) : Expr(graph_, e.slope);
        return {};
    }

    Graph& graph_;
    Rewriter rewrite_;
    Expr h_;
    std::vector<Ends> ends_;
};

} // namespace

Vec in_step(const Mechanics& sys, const DiscreteLagrangian& Ld, const Vec& given) {
    const DiscreteMechanics& d = *sys.model.discrete;
    const Vec h({{"h", step_size(sys.model)}});
    Differences differences(sys.graph, d, Ld, h[0].value);
    Vec f = given;
    for (std::size_t i = 0; i < f.size(); ++i) f[i].value = differences(f[i].value);
    return substitute(
        f, {{Vec({{"h", d.h}}), h}, {Vec({{"t_0", d.t0}}), sys.model.time_vec()}, {d.q0, Ld.q0}, {d.q1, Ld.q1}});
}

DiscreteLagrangian given_lagrangian(const Mechanics& sys) {
    if (!sys.model.discrete)
        throw Unsuitable("ld=model takes the discrete Lagrangian of the model's [discrete] table, and this model has "
                         "none; ld=midpoint makes one from L");
    const DiscreteMechanics& d = *sys.model.discrete;
    require_consistent(sys);
    const Expr h = step_size(sys.model);
    const Vec h_leaf({{"h", d.h}}), t_leaf({{"t_0", d.t0}});
    DiscreteLagrangian Ld;
    Ld.given = true;
    Ld.q0 = symbols_like(sys.graph, "q0 ", d.q0), Ld.q1 = symbols_like(sys.graph, "q1 ", d.q1);
    Vec v = sys.v;
    for (std::size_t i = 0; i < v.size(); ++i)
        for (std::size_t k = 0; k < v[i].border.size(); ++k)
            v[i].border[k].second = substitute((d.q1[i].border[k].second - d.q0[i].border[k].second) / d.h,
                                               {{h_leaf, Vec({{"h", h}})}, {t_leaf, sys.model.time_vec()}});
    Ld.slopes = {symbols_like(sys.graph, "slope of ", v)}, Ld.weights = {1};
    Ld.mean = in_step(sys, Ld, one(d.lagrangian / d.h))[0].value;
    Ld.points = {midpoint_of(sys, Ld)}; // where forces and reactions act that the table does not give
    if (!sys.has_lagrangian()) Ld.points[0].at.p = symbols_like(sys.graph, "point 1 of ", sys.p);
    Ld.symmetric = is_symmetric(sys.model);
    Ld.order = Ld.symmetric ? 2 : 1; // at least: consistent, and even where it is its own adjoint
    return Ld;
}

bool takes_given_lagrangian(const Scheme& scheme) {
    return std::any_of(scheme.options.begin(), scheme.options.end(),
                       [](const OptionInfo& o) { return o.name == "ld" && o.help.ends_with(given_lagrangian_help); });
}

std::string table_left_aside(const Model& model, const Method& method) {
    if (!model.discrete || method.text.find(":ld=") != std::string::npos) return {};
    for (const Scheme* scheme : all_schemes())
        for (const OptionInfo& o : scheme->options)
            if (scheme->id == method.id && o.name == "ld" && takes_given_lagrangian(*scheme))
                return "the model's [discrete] table is not used: " + method.id + " takes ld=" + o.fallback +
                       " unless " + method.id + ":ld=model is asked for";
    return {};
}

std::vector<Claim> claims_of_given(const std::vector<Claim>& claims) {
    std::vector<Claim> result = claims;
    for (Claim& c : result) {
        const bool kept = c.answer == Answer::yes;
        if (c.property == Property::energy_exact || c.property == Property::constraint_at_stages)
            c.answer = Answer::unknown; // it may be so
        if (c.property == Property::momentum_exact && kept) c.conditions.push_back(Condition::discrete_invariant);
        if (c.property == Property::symmetric && kept) c.conditions.push_back(Condition::discrete_symmetric);
        if (c.property == Property::reversible && kept) {
            std::erase_if(c.conditions,
                          [](Condition x) { return x == Condition::L_even || x == Condition::L_even_in_v; });
            c.conditions.push_back(Condition::discrete_reversible);
        }
    }
    return result;
}

std::vector<PointForce> end_forces(const Mechanics& sys, const DiscreteLagrangian& Ld, const Vec& begin,
                                   const Vec& end) {
    const Expr h = step_size(sys.model);
    return {{{1, {0}, {Ld.q0, Ld.slopes[0], sys.t}}, in_step(sys, Ld, begin) / h},
            {{1, {1}, {Ld.q1, Ld.slopes[0], sys.t + h}}, in_step(sys, Ld, end) / h}};
}

} // namespace rattleback
