// Families unrolled into scalars: x[k] becomes the symbol "x[3]", sums become pairwise sums, guards are decided.
#include <rattleback/expr.hpp>

#include <algorithm>
#include <array>

namespace rattleback {
namespace {

constexpr NodeId none = 0; // a value that does not exist: a member outside its family without a border value

class Expander {
  public:
    explicit Expander(Graph& graph) : graph_(graph) {}

    // f with the free index k and the dense index m given.
    Expr operator()(const Expr& f, int k, int m = 0) {
        if (!f.graph() || !graph_.node(f.id()).rolled) return f;
        bound_[graph_.free_index().id()] = k;
        bound_[graph_.any_index().id()] = m;
        const NodeId id = evaluate(f.id());
        if (id == none) throw ExprError(missing_);
        return {graph_, id};
    }

  private:
    struct Plan { // the rolled nodes of a template, children first, with their places in the scratch array
        std::vector<NodeId> nodes;
        std::unordered_map<NodeId, std::uint32_t> place;
    };

    const Plan& plan(NodeId root) {
        auto [it, is_new] = plans_.try_emplace(root);
        if (!is_new) return it->second;
        // The bodies of sums are plans of their own: they are evaluated once for every value of the bound index.
        std::vector<NodeId> stack{root};
        Plan& p = it->second;
        while (!stack.empty()) {
            const NodeId id = stack.back();
            stack.pop_back();
            if (!graph_.node(id).rolled || !p.place.try_emplace(id, 0).second) continue;
            p.nodes.push_back(id);
            const Node& n = graph_.node(id);
            if (n.op == Op::sum)
                stack.push_back(n.a), stack.push_back(n.b);
            else
                graph_.for_children(id, [&](NodeId child) { stack.push_back(child); });
        }
        std::sort(p.nodes.begin(), p.nodes.end());
        for (std::uint32_t i = 0; i < p.nodes.size(); ++i) p.place[p.nodes[i]] = i;
        return p;
    }

    NodeId evaluate(NodeId root) {
        if (!graph_.node(root).rolled) return root;
        const Plan& p = plan(root); // stable: unordered_map does not move its values
        std::vector<NodeId> value(p.nodes.size());
        const auto at = [&](NodeId id) { return graph_.node(id).rolled ? value[p.place.at(id)] : id; };
        for (std::size_t i = 0; i < p.nodes.size(); ++i) value[i] = step(p.nodes[i], at);
        return value[p.place.at(root)];
    }

    template <class At> NodeId step(NodeId id, const At& at) {
        const Node n = graph_.node(id);
        switch (n.op) {
        case Op::index: return graph_.constant(bound_.at(id)).id();
        case Op::element: return member(n.a, whole(at(n.b)));
        case Op::sum: return sum(n, whole(at(n.a)), whole(at(n.b)));
        case Op::solve: throw ExprError("solve(A, b) does not take families");
        default: break;
        }
        const int arity = function(n.op).arity;
        const std::array<NodeId, 3> ids = {at(n.a), arity > 1 ? at(n.b) : none, arity > 2 ? at(n.c) : none};
        std::array<Expr, 3> args;
        for (int i = 0; i < arity; ++i) args[i] = Expr(graph_, ids[i]);
        if (n.op == Op::choose && ids[0] != none) // the branch not taken may not exist
            if (const auto c = args[0].constant()) return ids[*c != 0 ? 1 : 2];
        for (int i = 0; i < arity; ++i)
            if (ids[i] == none) return none;
        return call(n.op, std::span(args).first(static_cast<std::size_t>(arity))).in(graph_);
    }

    int whole(NodeId id) const {
        const auto index = id == none ? std::nullopt : affine_index(graph_, id);
        if (!index || index->variable) throw ExprError("an index or a bound of a sum is not a whole number");
        return index->shift;
    }

    NodeId sum(const Node& n, int lo, int hi) {
        std::vector<Expr> terms;
        for (int j = lo; j <= hi; ++j) {
            bound_[n.d] = j;
            const NodeId id = evaluate(n.c);
            if (id == none) return none;
            terms.emplace_back(graph_, id);
        }
        return graph_.balanced_sum(std::move(terms)).in(graph_);
    }

    NodeId member(FamilyId family, int k) {
        const std::uint64_t key = std::uint64_t(family) << 32 | static_cast<std::uint32_t>(k);
        if (auto it = members_.find(key); it != members_.end()) return it->second;
        const NodeId id = new_member(graph_.family(family), k);
        members_[key] = id;
        return id;
    }

    NodeId new_member(const Family f, int k) { // by value: the graph's table may grow below
        for (auto [index, value] : f.border)
            if (index == k) return evaluate(value);
        if (k < f.lo || k > f.hi) {
            missing_ = f.name + "[" + std::to_string(k) + "] does not exist: " + f.name + " has members " +
                       std::to_string(f.lo) + ".." + std::to_string(f.hi);
            return none;
        }
        if (!f.body) return graph_.symbol(f.name + "[" + std::to_string(k) + "]").id();
        const NodeId free = graph_.free_index().id();
        const int outer = bound_.contains(free) ? bound_[free] : 0;
        bound_[free] = k;
        const NodeId id = evaluate(*f.body);
        bound_[free] = outer;
        return id;
    }

    Graph& graph_;
    std::unordered_map<NodeId, int> bound_;
    std::unordered_map<NodeId, Plan> plans_;
    std::unordered_map<std::uint64_t, NodeId> members_;
    std::string missing_;
};

Graph* graph_of(const Vec& f) {
    for (const Component& c : f)
        if (c.value.graph()) return c.value.graph();
    return nullptr;
}

} // namespace

std::vector<Expr> expand(const Vec& f) {
    std::vector<Expr> scalars;
    Graph* g = graph_of(f);
    std::optional<Expander> expander;
    if (g) expander.emplace(*g);
    for (const Component& c : f)
        for (int k = c.family ? c.lo : 1; k <= (c.family ? c.hi : 1); ++k)
            scalars.push_back(g ? (*expander)(c.value, k) : c.value);
    return scalars;
}

std::vector<std::string> expanded_names(const Vec& f) {
    std::vector<std::string> names;
    for (const Component& c : f) {
        if (!c.family)
            names.push_back(c.name);
        else
            for (int k = c.lo; k <= c.hi; ++k) names.push_back(c.name + "[" + std::to_string(k) + "]");
    }
    return names;
}

Expr expand(const Expr& f) { return f.graph() ? Expander(*f.graph())(f, 0) : f; }

std::vector<ScalarEntry> expand(const std::vector<JacobianTerm>& terms, const Vec& rows, const Vec& columns) {
    std::vector<ScalarEntry> entries;
    std::vector<std::uint32_t> row_start, column_start;
    std::uint32_t at = 0;
    for (const Component& c : rows) row_start.push_back(at), at += static_cast<std::uint32_t>(c.count());
    at = 0;
    for (const Component& c : columns) column_start.push_back(at), at += static_cast<std::uint32_t>(c.count());
    Graph* g = graph_of(rows);
    if (!g) return entries;
    Expander expander(*g);
    for (const JacobianTerm& t : terms) {
        const Component &row = rows[t.row], &column = columns[t.column];
        const int first = row.family ? row.lo : 1, last = row.family ? row.hi : 1;
        const auto add = [&](int k, int m) { // row member k, column member m
            if (column.family && (m < column.lo || m > column.hi)) return;
            const Expr value = expander(t.value, k, m);
            if (value.is(0)) return;
            const int r = k - first, c = column.family ? m - column.lo : 0;
            entries.push_back({row_start[t.row] + static_cast<std::uint32_t>(r),
                               column_start[t.column] + static_cast<std::uint32_t>(c), value});
        };
        for (int k = first; k <= last; ++k) {
            switch (t.kind) {
            case JacobianTerm::single: add(k, 0); break;
            case JacobianTerm::stencil: add(k, k + t.shift); break;
            case JacobianTerm::fixed: add(k, t.shift); break;
            case JacobianTerm::dense:
                for (int m = column.lo; m <= column.hi; ++m) add(k, m);
            }
        }
    }
    // A stencil, a fixed member and a dense block may meet in one place: their values add up.
    std::stable_sort(entries.begin(), entries.end(), [](const ScalarEntry& x, const ScalarEntry& y) {
        return std::pair(x.row, x.column) < std::pair(y.row, y.column);
    });
    std::vector<ScalarEntry> merged;
    for (ScalarEntry& e : entries) {
        if (!merged.empty() && merged.back().row == e.row && merged.back().column == e.column)
            merged.back().value = merged.back().value + e.value;
        else
            merged.push_back(std::move(e));
    }
    return merged;
}

} // namespace rattleback
