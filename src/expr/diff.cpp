// Derivatives with respect to leaf symbols and leaf families.
//
// The unit of work is the gradient map of a node: its nonzero partial derivatives, keyed by leaf. Reverse mode sweeps
// through functions. Three kinds of node ("compound") cannot be swept through; their maps are computed first, innermost
// nodes before the nodes that contain them:
//   * a sum: the map of its body, summed; where the leaf is x[j+c] and j the bound index, the sum collapses and the
//     entry becomes one for every member m of x (the body at j = m - c);
//   * a choice if(c, a, b), min or max: entry by entry, so that the branch not taken is not multiplied by 0 (it may be
//   0/0);
//   * a member of a derived family: the map of the family's body, with the free index replaced.
#include "expr/graph.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <unordered_set>

#include "expr/dense_limit.hpp"
#include "expr/rewrite.hpp"

namespace rattleback {
namespace {

// A leaf: the id of a symbol or element node, or a whole family (each member m, m = any_index()).
using Leaf = std::uint64_t;
constexpr Leaf whole(FamilyId f) { return Leaf(1) << 32 | f; }
constexpr bool is_whole(Leaf l) { return l >> 32 != 0; }
using GradientMap = std::vector<std::pair<Leaf, Expr>>; // ascending leaves

class Differentiator {
  public:
    Differentiator(Graph& graph, const Vec& leaves, std::size_t most = ~std::size_t{0}) : graph_(graph), most_(most) {
        for (const Component& c : leaves) {
            if (!c.value.graph() || c.value.op() != (c.family ? Op::element : Op::symbol))
                throw ExprError("derivatives are taken with respect to symbols only");
            if (c.family)
                families_.insert(graph.node(c.value.id()).a);
            else
                symbols_.insert(c.value.id());
        }
    }

    GradientMap reverse(NodeId root) {
        prepare(root);
        return sweep(root);
    }
    const GradientMap& forward(NodeId root);

  private:
    const GradientMap& forward_of(NodeId id) const { return forward_[forward_place_[id] - 1]; }
    bool depends(NodeId id) const { return id < depends_.size() && depends_[id] == yes; }
    bool decided(NodeId id) const { return id < depends_.size() && depends_[id] != unknown; }
    bool family_depends(FamilyId f) const {
        if (families_.contains(f)) return true;
        const Family& family = graph_.family(f);
        if (family.body && depends(*family.body)) return true;
        return std::any_of(family.border.begin(), family.border.end(), [&](auto& b) { return depends(b.second); });
    }
    bool is_leaf(NodeId id) const {
        const Node& n = graph_.node(id);
        return symbols_.contains(id) || (n.op == Op::element && families_.contains(n.a) && !border_depends(n.a));
    }
    bool border_depends(FamilyId f) const {
        const auto& border = graph_.family(f).border;
        return std::any_of(border.begin(), border.end(), [&](auto& b) { return depends(b.second); });
    }
    bool is_compound(NodeId id) const {
        const Op op = graph_.node(id).op;
        return op == Op::sum || is_choice(op) || (op == Op::element && !is_leaf(id));
    }

    void prepare(NodeId root);
    GradientMap compound(NodeId id);
    GradientMap of_sum(const Node& sum);
    GradientMap of_element(const Node& element);
    std::vector<NodeId> unmarked_below(NodeId root, std::vector<std::uint32_t>& marks);
    GradientMap sweep(NodeId root);
    template <class Pass> void sweep_solution(std::uint32_t system, const std::vector<Expr>& adjoint, const Pass& pass);
    GradientMap combine_forward(NodeId id);
    std::vector<Expr> arguments(NodeId id) const;
    Expr expr(NodeId id) const { return {graph_, id}; }

    Graph& graph_;
    std::size_t most_; // nodes
    std::unordered_set<NodeId> symbols_;
    std::unordered_set<FamilyId> families_;
    // Arrays by node id instead of hash tables: formulas of millions of nodes are common.
    enum : char { unknown, no, yes };
    std::vector<char> depends_;
    std::vector<std::uint32_t> place_;         // position in the order of the current sweep, plus one
    std::vector<std::uint32_t> forward_place_; // position in forward_, plus one
    std::deque<GradientMap> forward_;
    std::unordered_map<NodeId, GradientMap> compound_;
};

class Accumulator { // collects contributions to each leaf, and adds them pairwise at the end
  public:
    void add(Leaf leaf, const Expr& e) {
        if (!e.is(0)) terms_.emplace_back(leaf, e);
    }
    GradientMap total(Graph& graph) {
        const auto by_leaf = [](const auto& x, const auto& y) { return x.first < y.first; };
        if (!std::is_sorted(terms_.begin(), terms_.end(), by_leaf))
            std::stable_sort(terms_.begin(), terms_.end(), by_leaf);
        GradientMap map;
        for (std::size_t from = 0, to = 0; from < terms_.size(); from = to) {
            const Leaf leaf = terms_[from].first;
            for (to = from + 1; to < terms_.size() && terms_[to].first == leaf;) ++to;
            Expr e = terms_[from].second;
            if (to - from == 2) e = e + terms_[from + 1].second;
            if (to - from > 2) {
                std::vector<Expr> same;
                for (std::size_t i = from; i < to; ++i) same.push_back(terms_[i].second);
                e = graph.balanced_sum(same);
            }
            if (!e.is(0)) map.emplace_back(leaf, e);
        }
        return map;
    }

  private:
    std::vector<std::pair<Leaf, Expr>> terms_;
};

std::vector<Expr> Differentiator::arguments(NodeId id) const {
    std::vector<Expr> args;
    graph_.for_children(id, [&](NodeId child) { args.push_back(expr(child)); });
    return args;
}

// Marks the nodes that depend on the leaves, and computes the maps of all compound nodes below root, innermost first.
void Differentiator::prepare(NodeId root) {
    if (decided(root)) return;
    const std::vector<NodeId> order = reachable(graph_, std::array{root}, true);
    if (depends_.size() < graph_.size()) depends_.resize(graph_.size(), unknown);
    for (NodeId id : order) {
        if (decided(id)) continue;
        const Node n = graph_.node(id);
        bool d = symbols_.contains(id);
        if (n.op == Op::element)
            d |= family_depends(n.a);
        else
            graph_.for_children(id, [&](NodeId child) { d |= depends(child); });
        depends_[id] = d ? yes : no;
    }
    for (NodeId id : order)
        if (depends(id) && is_compound(id) && !compound_.contains(id)) compound_[id] = compound(id);
}

GradientMap Differentiator::compound(NodeId id) {
    if (graph_.size() > most_) throw TooManyNodes("the derivatives of these families grow without end");
    const Node n = graph_.node(id);
    if (n.op == Op::sum) return of_sum(n);
    if (n.op == Op::element) return of_element(n);
    const auto [condition, taken, other] = choice(graph_, n);
    std::map<Leaf, std::pair<Expr, Expr>> merged;
    if (depends(taken))
        for (auto& [leaf, e] : sweep(taken)) merged[leaf].first = e;
    if (depends(other))
        for (auto& [leaf, e] : sweep(other)) merged[leaf].second = e;
    GradientMap map;
    for (auto& [leaf, pair] : merged) map.emplace_back(leaf, fn::choose(condition, pair.first, pair.second));
    return map;
}

// if(lo <= index and index <= hi, value, 0), without the conditions that hold for every value of `index` in its range.
Expr guarded(Graph& g, const Expr& index, const Expr& lo, const Expr& hi, const Expr& value, int range_lo, int range_hi,
             int shift) {
    const auto low = lo.constant(), high = hi.constant();
    Expr inside = 1;
    if (!low || *low > range_lo - shift) inside = fn::ge(index, lo);
    if (!high || *high < range_hi - shift) {
        const Expr upper = fn::le(index, hi);
        inside = inside.is(1) ? upper : fn::both(inside, upper);
    }
    if (inside.is(1)) return value;
    return fn::choose(Expr(g, inside.in(g)), value, 0);
}

GradientMap Differentiator::of_sum(const Node& sum) {
    const Expr j = expr(sum.d), lo = expr(sum.a), hi = expr(sum.b);
    Accumulator result;
    for (auto& [leaf, value] : sweep(sum.c)) {
        if (!is_whole(leaf) && graph_.node(static_cast<NodeId>(leaf)).op == Op::element) {
            const Node element = graph_.node(static_cast<NodeId>(leaf));
            const auto index = affine_index(graph_, element.b);
            if (index->variable == sum.d) {
                const Family& f = graph_.family(element.a);
                const Expr at = graph_.any_index() - index->shift; // j + shift = m
                const Expr collapsed = replace_index(value, sum.d, at);
                result.add(whole(element.a), guarded(graph_, at, lo, hi, collapsed, f.lo, f.hi, index->shift));
                continue;
            }
        }
        result.add(leaf, graph_.sum(j, lo, hi, value));
    }
    return result.total(graph_);
}

GradientMap Differentiator::of_element(const Node& element) {
    const Family family = graph_.family(element.a);
    const Expr at = expr(element.b);
    Accumulator result;
    const auto inside = fn::both(fn::ge(at, family.lo), fn::le(at, family.hi));
    if (families_.contains(element.a)) result.add(graph_.element(element.a, at).id(), fn::choose(inside, 1, 0));
    if (family.body && depends(*family.body))
        for (auto& [leaf, value] : sweep(*family.body)) {
            const Expr here = fn::choose(inside, replace_index(value, graph_.free_index().id(), at), 0);
            Leaf moved = leaf;
            if (!is_whole(leaf) && graph_.node(static_cast<NodeId>(leaf)).op == Op::element) {
                const Node n = graph_.node(static_cast<NodeId>(leaf));
                const auto index = affine_index(graph_, n.b);
                if (index->variable) moved = graph_.element(n.a, at + index->shift).id();
            }
            result.add(moved, here);
        }
    for (auto [k, value] : family.border)
        if (depends(value))
            for (auto& [leaf, e] : sweep(value)) result.add(leaf, fn::choose(fn::eq(at, k), e, 0));
    return result.total(graph_);
}

// The nodes from a root down to leaves and compound nodes that have no mark yet, in ascending order; marks them.
std::vector<NodeId> Differentiator::unmarked_below(NodeId root, std::vector<std::uint32_t>& marks) {
    std::vector<NodeId> order, stack{root};
    if (marks.size() < graph_.size()) marks.resize(graph_.size(), 0);
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        if (!depends(id) || marks[id]) continue;
        marks[id] = ~0u;
        order.push_back(id);
        if (!is_leaf(id) && !is_compound(id)) graph_.for_children(id, [&](NodeId child) { stack.push_back(child); });
    }
    std::sort(order.begin(), order.end());
    return order;
}

// Contributions to the adjoints of a sweep, as linked lists in one pool. When a list is complete its terms are added
// pairwise.
class Adjoints {
  public:
    Adjoints(Graph& graph, std::size_t nodes) : graph_(graph), first_(nodes, 0), pool_(1) {}
    void add(std::uint32_t node, const Expr& e) {
        pool_.push_back({e.in(graph_), first_[node]});
        first_[node] = static_cast<std::uint32_t>(pool_.size() - 1);
    }
    Expr total(std::uint32_t node) const {
        std::vector<Expr> terms;
        for (std::uint32_t i = first_[node]; i; i = pool_[i].next) terms.emplace_back(graph_, pool_[i].value);
        std::reverse(terms.begin(), terms.end());
        return graph_.balanced_sum(terms);
    }

  private:
    struct Item {
        NodeId value;
        std::uint32_t next;
    };
    Graph& graph_;
    std::vector<std::uint32_t> first_;
    std::vector<Item> pool_;
};

// Reverse mode from one root down to leaves and compound nodes.
GradientMap Differentiator::sweep(NodeId root) {
    std::vector<NodeId> order = unmarked_below(root, place_);
    std::reverse(order.begin(), order.end());
    for (std::uint32_t i = 0; i < order.size(); ++i) place_[order[i]] = i + 1;
    Adjoints adjoints(graph_, order.size());
    if (!order.empty()) adjoints.add(0, 1.0);
    std::unordered_map<std::uint32_t, std::vector<Expr>> solutions; // adjoints of a linear system's solution
    Accumulator result;
    const auto pass = [&](NodeId to, const Expr& e) {
        if (depends(to) && !e.is(0)) adjoints.add(place_[to] - 1, e);
    };
    for (std::uint32_t at = 0; at < order.size(); ++at) {
        const NodeId id = order[at];
        const Expr adjoint = adjoints.total(at);
        const Node n = graph_.node(id);
        if (is_leaf(id)) {
            result.add(id, adjoint);
        } else if (is_compound(id)) {
            for (auto& [leaf, value] : compound_.at(id)) result.add(leaf, adjoint * value);
        } else if (n.op == Op::solve) {
            auto& w = solutions.try_emplace(n.a, graph_.system(n.a).n, Expr(0)).first->second;
            w[n.b] = adjoint;
            const bool more = at + 1 < order.size() && graph_.node(order[at + 1]).op == Op::solve &&
                              graph_.node(order[at + 1]).a == n.a;
            if (!more) sweep_solution(n.a, w, pass);
        } else {
            const std::vector<Expr> args = arguments(id);
            for (std::size_t i = 0; i < args.size(); ++i)
                if (depends(args[i].id()))
                    pass(args[i].id(), adjoint * function(n.op).derivative(args, expr(id), static_cast<int>(i)));
        }
    }
    for (NodeId id : order) place_[id] = 0;
    return result.total(graph_);
}

// Adjoint of A w = b: b~ = A^-T w~, A~ = -b~ w^T. The components of w have consecutive ids; the adjoint is computed
// when the sweep reaches the last of them.
template <class Pass>
void Differentiator::sweep_solution(std::uint32_t system, const std::vector<Expr>& adjoint, const Pass& pass) {
    const LinearSystem s = graph_.system(system);
    std::vector<Expr> transposed(s.matrix.size());
    for (std::uint32_t i = 0; i < s.n; ++i)
        for (std::uint32_t j = 0; j < s.n; ++j) transposed[j * s.n + i] = expr(s.matrix[i * s.n + j]);
    const std::vector<Expr> b = graph_.solve(transposed, adjoint);
    for (std::uint32_t i = 0; i < s.n; ++i) {
        pass(s.rhs[i], b[i]);
        for (std::uint32_t j = 0; j < s.n; ++j)
            if (depends(s.matrix[i * s.n + j])) pass(s.matrix[i * s.n + j], -(b[i] * graph_.solution(system, j)));
    }
}

// Forward mode: the map of f(args) is the sum of its partials times the maps of its arguments. The rows of a Jacobian
// share the maps of common subformulas.
GradientMap Differentiator::combine_forward(NodeId id) {
    if (is_leaf(id)) return {{id, Expr(1)}};
    if (is_compound(id)) return compound_.at(id);
    const Node n = graph_.node(id);
    Accumulator result;
    if (n.op == Op::solve) { // A dw = db - dA w, leaf by leaf
        const LinearSystem s = graph_.system(n.a);
        std::map<Leaf, std::vector<Expr>> rhs;
        const auto add = [&](NodeId from, std::uint32_t row, const Expr& factor) {
            if (!depends(from)) return;
            for (auto& [leaf, e] : forward_of(from)) {
                auto& r = rhs.try_emplace(leaf, s.n, Expr(0)).first->second[row];
                r = r + factor * e;
            }
        };
        for (std::uint32_t i = 0; i < s.n; ++i) {
            add(s.rhs[i], i, 1);
            for (std::uint32_t j = 0; j < s.n; ++j) add(s.matrix[i * s.n + j], i, -graph_.solution(n.a, j));
        }
        std::vector<Expr> matrix;
        for (NodeId x : s.matrix) matrix.push_back(expr(x));
        for (auto& [leaf, b] : rhs) result.add(leaf, graph_.solve(matrix, b)[n.b]);
        return result.total(graph_);
    }
    const std::vector<Expr> args = arguments(id);
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (!depends(args[i].id())) continue;
        const Expr partial = function(n.op).derivative(args, expr(id), static_cast<int>(i));
        for (auto& [leaf, e] : forward_of(args[i].id())) result.add(leaf, partial * e);
    }
    return result.total(graph_);
}

const GradientMap& Differentiator::forward(NodeId root) {
    prepare(root);
    static const GradientMap none;
    if (!depends(root)) return none;
    for (NodeId id : unmarked_below(root, forward_place_)) {
        forward_.push_back(combine_forward(id));
        forward_place_[id] = static_cast<std::uint32_t>(forward_.size());
    }
    return forward_of(root);
}

} // namespace

Vec gradient(const Expr& f, const Vec& leaves) {
    Vec result = zeros_like(leaves);
    if (!f.graph()) return result;
    Graph& g = *f.graph();
    const GradientMap map = Differentiator(g, leaves).reverse(f.id());
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        const NodeId leaf = leaves[i].value.id();
        std::vector<Expr> terms;
        for (const auto& [key, value] : map) {
            if (!leaves[i].family) {
                if (key == leaf) terms.push_back(value);
                continue;
            }
            const FamilyId family = g.node(leaf).a;
            if (key == whole(family)) {
                terms.push_back(replace_index(value, g.any_index().id(), g.free_index()));
            } else if (!is_whole(key) && g.node(static_cast<NodeId>(key)).op == Op::element &&
                       g.node(static_cast<NodeId>(key)).a == family) {
                const auto index = affine_index(g, g.node(static_cast<NodeId>(key)).b);
                if (index->variable) throw ExprError("an index is used outside the sum that binds it");
                terms.push_back(fn::choose(fn::eq(g.free_index(), index->shift), value, 0));
            }
        }
        result[i].value = g.balanced_sum(terms);
    }
    return result;
}

std::vector<JacobianTerm> jacobian(const Vec& f, const Vec& leaves) { return jacobian(f, leaves, ~std::size_t{0}); }

std::vector<JacobianTerm> jacobian(const Vec& f, const Vec& leaves, std::size_t most) {
    std::vector<JacobianTerm> terms;
    Graph* g = graph_of(f);
    if (!g) return terms;
    Differentiator diff(*g, leaves, most);
    std::unordered_map<Leaf, std::size_t> column; // symbols and families
    for (std::size_t c = 0; c < leaves.size(); ++c) {
        const NodeId id = leaves[c].value.id();
        column[leaves[c].family ? whole(g->node(id).a) : Leaf(id)] = c;
    }
    for (std::size_t r = 0; r < f.size(); ++r) {
        if (!f[r].value.graph()) continue;
        for (const auto& [leaf, value] : diff.forward(f[r].value.id())) {
            JacobianTerm term{r, 0, JacobianTerm::single, 0, value};
            if (is_whole(leaf)) {
                term.column = column.at(leaf), term.kind = JacobianTerm::full;
            } else if (const Node& n = g->node(static_cast<NodeId>(leaf)); n.op == Op::element) {
                const auto index = affine_index(*g, n.b);
                if (index->variable && *index->variable != g->free_index().id())
                    throw ExprError("an index is used outside the sum that binds it");
                term.column = column.at(whole(n.a)), term.shift = index->shift;
                term.kind = index->variable ? JacobianTerm::stencil : JacobianTerm::fixed;
            } else {
                term.column = column.at(leaf);
            }
            terms.push_back(term);
        }
        require_below_dense_limit(static_cast<double>(terms.size()));
    }
    return terms;
}

Expr derivative(const Expr& f, const Expr& symbol) { return gradient(f, Vec({{"", symbol}}))[0].value; }

} // namespace rattleback
