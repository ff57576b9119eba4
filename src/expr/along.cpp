// Directional derivatives by forward mode: (df/dx) w in one pass, without forming df/dx. Total time derivatives and the
// products M w and G v of schemes are of this kind. Families stay templates.
#include "expr/graph.hpp"

#include <array>

#include "expr/rewrite.hpp"

namespace rattleback {
namespace {

class Along {
  public:
    Along(Graph& graph, const Vec& leaves, const Vec& direction) : graph_(graph) {
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            if (leaves[i].family)
                families_[graph.node(leaves[i].value.id()).a] = family_of(graph, direction[i]);
            else
                tangent_[leaves[i].value.id()] = direction[i].value;
        }
    }

    Expr operator()(const Expr& f) {
        if (!f.graph()) return 0.0;
        for (NodeId id : reachable(graph_, std::array{f.id()}))
            if (!tangent_.contains(id)) tangent_[id] = of(id);
        return tangent_.at(f.id());
    }

  private:
    // The tangent of one node; 0 if the node is constant along the direction.
    Expr of(NodeId id) {
        const Node n = graph_.node(id);
        switch (n.op) {
        case Op::constant:
        case Op::symbol:
        case Op::index:
        case Op::count: return 0.0;
        case Op::element: {
            const std::optional<FamilyId> f = family(n.a);
            return f ? graph_.element(*f, {graph_, n.b}) : Expr(0);
        }
        case Op::sum: return graph_.sum({graph_, n.d}, {graph_, n.a}, {graph_, n.b}, tangent_.at(n.c));
        case Op::choose:
        case Op::min:
        case Op::max: {
            const auto [condition, yes, no] = choice(graph_, n);
            return fn::choose(condition, tangent_.at(yes), tangent_.at(no));
        }
        case Op::solve: return of_solution(n);
        default: return of_function(id);
        }
    }

    Expr of_function(NodeId id) {
        std::vector<Expr> args, terms;
        graph_.for_children(id, [&](NodeId child) { args.emplace_back(graph_, child); });
        for (std::size_t i = 0; i < args.size(); ++i) {
            const Expr& d = tangent_.at(args[i].id());
            if (!d.is(0))
                terms.push_back(function(graph_.node(id).op).derivative(args, {graph_, id}, static_cast<int>(i)) * d);
        }
        return graph_.balanced_sum(terms);
    }

    Expr of_solution(const Node& n) { // A dw = db - dA w
        const LinearSystem s = graph_.system(n.a);
        std::vector<Expr> matrix, rhs;
        for (NodeId x : s.matrix) matrix.emplace_back(graph_, x);
        for (std::uint32_t i = 0; i < s.n; ++i) {
            Expr r = tangent_.at(s.rhs[i]);
            for (std::uint32_t j = 0; j < s.n; ++j)
                r = r - tangent_.at(s.matrix[i * s.n + j]) * graph_.solution(n.a, j);
            rhs.push_back(r);
        }
        return graph_.solve(matrix, rhs)[n.b];
    }

    std::optional<FamilyId> family(FamilyId id) {
        if (auto it = families_.find(id); it != families_.end()) return it->second;
        const Family f = graph_.family(id);
        Family d{"d" + f.name, f.lo, f.hi, graph_.constant(0).id(), {}};
        bool any = false;
        if (f.body) {
            const Expr body = (*this)(Expr(graph_, *f.body));
            any |= !body.is(0);
            d.body = body.in(graph_);
        }
        for (auto [k, value] : f.border) {
            const Expr e = (*this)(Expr(graph_, value));
            any |= !e.is(0);
            d.border.emplace_back(k, e.in(graph_));
        }
        families_[id] = any ? std::optional(graph_.family(std::move(d))) : std::nullopt;
        return families_[id];
    }

    Graph& graph_;
    std::unordered_map<NodeId, Expr> tangent_;
    std::unordered_map<FamilyId, std::optional<FamilyId>> families_;
};

} // namespace

Expr derivative_along(const Expr& f, const Vec& leaves, const Vec& direction) {
    return f.graph() ? Along(*f.graph(), leaves, direction)(f) : Expr(0);
}

Vec derivative_along(const Vec& f, const Vec& leaves, const Vec& direction) {
    Vec result = zero_border(f);
    std::optional<Along> along;
    for (std::size_t i = 0; i < f.size(); ++i) {
        Graph* g = f[i].value.graph();
        if (g && !along) along.emplace(*g, leaves, direction);
        result[i].value = g ? (*along)(f[i].value) : Expr(0);
    }
    return result;
}

} // namespace rattleback
