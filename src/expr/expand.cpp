#include "expr/expander.hpp"
#include "expr/rewrite.hpp"

#include <algorithm>
#include <array>

namespace rattleback {
namespace {

constexpr NodeId none = 0; // a value that does not exist: a member outside its family without a border value

} // namespace

int& Expander::bound(std::uint32_t index) {
    if (index >= bound_.size()) bound_.resize(index + 1, 0);
    return bound_[index];
}

Expr Expander::at(const Expr& f, int k, int m) {
    if (!f.graph() || !graph_.node(f.id()).rolled) return f;
    bound(free_) = k, bound(any_) = m;
    values_.clear();
    const NodeId id = evaluate(f.id());
    if (id == none) throw ExprError(missing_);
    return {graph_, id};
}

const Expander::Plan& Expander::plan(NodeId root) {
    if (root >= plans_.size()) plans_.resize(root + 1);
    if (plans_[root]) return *plans_[root];
    Plan& plan = *(plans_[root] = std::make_unique<Plan>()); // stable: new plans do not move it
    // Indices of elements are followed directly. The bodies of sums are plans of their own: they are evaluated once
    // for every value of the bound index.
    std::unordered_map<NodeId, std::int64_t> place;
    std::vector<NodeId> stack{root}, nodes;
    const auto children = [&](NodeId id, auto&& f) {
        const Node& n = graph_.node(id);
        if (n.op == Op::sum)
            f(n.a), f(n.b);
        else if (n.op != Op::element)
            graph_.for_children(id, f);
    };
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        if (!graph_.node(id).rolled || !place.try_emplace(id, 0).second) continue;
        nodes.push_back(id);
        children(id, [&](NodeId child) { stack.push_back(child); });
    }
    std::sort(nodes.begin(), nodes.end());
    for (std::size_t i = 0; i < nodes.size(); ++i) place[nodes[i]] = static_cast<std::int64_t>(i);
    for (NodeId id : nodes) {
        Item item{id, graph_.node(id).op, {0, 0, 0}, 0, 0};
        int k = 0;
        if (item.op != Op::solve)
            children(id, [&](NodeId child) {
                item.args[k++] = graph_.node(child).rolled ? place.at(child) : -static_cast<std::int64_t>(child);
            });
        if (item.op == Op::element) {
            const auto index = affine_index(graph_, graph_.node(id).b);
            item.shift = index->shift;
            item.index = index->variable ? graph_.node(*index->variable).a + 1 : 0; // 0: a fixed member
        }
        plan.push_back(item);
    }
    return plan;
}

NodeId Expander::evaluate(NodeId root) {
    if (!graph_.node(root).rolled) return root;
    const Plan& items = plan(root);
    const std::size_t first = values_.size();
    for (const Item& item : items) {
        const NodeId made = step(item, first);
        templates_.note(made, item.id);
        values_.push_back(made);
    }
    const NodeId id = values_.back(); // the root has the largest id
    values_.resize(first);
    return id;
}

NodeId Expander::step(const Item& item, std::size_t first) {
    const auto argument = [&](int i) {
        const std::int64_t a = item.args[i];
        return a < 0 ? static_cast<NodeId>(-a) : values_[first + static_cast<std::size_t>(a)];
    };
    switch (item.op) {
    case Op::index: return graph_.constant(bound(graph_.node(item.id).a)).id();
    case Op::element: return member(graph_.node(item.id).a, item.shift + (item.index ? bound(item.index - 1) : 0));
    case Op::sum: return sum(graph_.node(item.id), whole(argument(0)), whole(argument(1)));
    case Op::solve: throw ExprError("solve(A, b) does not take families");
    default: break;
    }
    const int arity = function(item.op).arity;
    std::array<NodeId, 3> ids{};
    std::array<Expr, 3> args;
    bool complete = true;
    for (int i = 0; i < arity; ++i) {
        ids[static_cast<std::size_t>(i)] = argument(i);
        complete &= argument(i) != none;
        args[static_cast<std::size_t>(i)] = Expr(graph_, argument(i));
    }
    if (item.op == Op::choose && ids[0] != none) // the branch not taken may not exist
        if (const auto c = args[0].constant()) return ids[*c != 0 ? 1 : 2];
    if (!complete) return none;
    return call(item.op, std::span(args).first(static_cast<std::size_t>(arity))).in(graph_);
}

int Expander::whole(NodeId id) const {
    const auto index = id == none ? std::nullopt : affine_index(graph_, id);
    if (!index || index->variable) throw ExprError("an index or a bound of a sum is not a whole number");
    return index->shift;
}

NodeId Expander::sum(const Node& n, int lo, int hi) {
    if (static_cast<long long>(hi) - lo >= most_terms)
        throw ExprError("a sum of " + std::to_string(static_cast<long long>(hi) - lo + 1) +
                        " terms is too long: at most " + std::to_string(most_terms) + " are expanded");
    const std::uint32_t index = graph_.node(n.d).a;
    const int outer = bound(index); // a member's body may hold the same sum again
    const NodeId body = n.c;
    std::vector<Expr> terms;
    for (int j = lo; j <= hi; ++j) {
        if (++expanded_ > most_expanded)
            throw ExprError("the sums of this formula have more than " + std::to_string(most_expanded) +
                            " terms in all");
        bound(index) = j;
        const NodeId id = evaluate(body);
        if (id == none) break;
        terms.emplace_back(graph_, id);
    }
    bound(index) = outer;
    if (static_cast<long long>(terms.size()) < static_cast<long long>(hi) - lo + 1) return none; // a member is missing
    return graph_.balanced_sum(terms).in(graph_);
}

NodeId Expander::member(FamilyId family, int k) {
    if (family >= inside_.size()) inside_.resize(family + 1);
    const Family& f = graph_.family(family);
    if (k < f.lo || k > f.hi) {
        const std::uint64_t key = std::uint64_t(family) << 32 | static_cast<std::uint32_t>(k);
        if (auto it = outside_.find(key); it != outside_.end()) return it->second;
        return outside_[key] = new_member(family, k);
    }
    if (inside_[family].empty()) inside_[family].resize(static_cast<std::size_t>(f.hi - f.lo + 1), none);
    const auto place = static_cast<std::size_t>(k - f.lo);
    if (const NodeId known = inside_[family][place]) return known;
    const NodeId id = new_member(family, k); // may add families, and so move inside_
    return inside_[family][place] = id;
}

NodeId Expander::new_member(FamilyId family, int k) {
    const Family& f = graph_.family(family); // stays where it is, whatever is added
    for (auto [index, value] : f.border)
        if (index == k) return evaluate(value);
    if (k < f.lo || k > f.hi) {
        missing_ = f.name + "[" + std::to_string(k) + "] does not exist: " + f.name + " has members " +
                   std::to_string(f.lo) + ".." + std::to_string(f.hi);
        return none;
    }
    if (!f.body) {
        const NodeId symbol = graph_.member(family, k).id();
        templates_.note(symbol, ~family);
        return symbol;
    }
    const int outer = bound(free_);
    bound(free_) = k;
    const NodeId id = evaluate(*f.body);
    bound(free_) = outer;
    return id;
}

std::vector<Expr> Expander::members(const Vec& f) {
    std::vector<Expr> scalars;
    scalars.reserve(static_cast<std::size_t>(f.count()));
    for (const Component& c : f)
        for (int k = c.family ? c.lo : 1; k <= (c.family ? c.hi : 1); ++k) scalars.push_back(at(c.value, k, 0));
    return scalars;
}

std::vector<ScalarEntry> Expander::entries(const std::vector<JacobianTerm>& terms, const Vec& rows,
                                           const Vec& columns) {
    std::vector<ScalarEntry> found;
    std::vector<std::uint32_t> row_start, column_start;
    std::uint32_t next = 0;
    for (const Component& c : rows) row_start.push_back(next), next += static_cast<std::uint32_t>(c.count());
    next = 0;
    for (const Component& c : columns) column_start.push_back(next), next += static_cast<std::uint32_t>(c.count());
    for (const JacobianTerm& t : terms) {
        const Component &row = rows[t.row], &column = columns[t.column];
        const int first = row.family ? row.lo : 1, last = row.family ? row.hi : 1;
        const auto add = [&](int k, int m) { // row member k, column member m
            if (column.family && (m < column.lo || m > column.hi)) return;
            const Expr value = at(t.value, k, m);
            if (value.is(0)) return;
            const int r = k - first, c = column.family ? m - column.lo : 0;
            found.push_back({row_start[t.row] + static_cast<std::uint32_t>(r),
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
    std::stable_sort(found.begin(), found.end(), [](const ScalarEntry& x, const ScalarEntry& y) {
        return std::pair(x.row, x.column) < std::pair(y.row, y.column);
    });
    std::vector<ScalarEntry> merged;
    for (ScalarEntry& e : found) {
        if (!merged.empty() && merged.back().row == e.row && merged.back().column == e.column)
            merged.back().value = merged.back().value + e.value;
        else
            merged.push_back(std::move(e));
    }
    return merged;
}

std::vector<Expr> expand(const Vec& f) {
    if (Graph* g = graph_of(f)) return Expander(*g).members(f);
    std::vector<Expr> numbers;
    for (const Component& c : f) numbers.insert(numbers.end(), static_cast<std::size_t>(c.count()), c.value);
    return numbers;
}

Expr expand(const Expr& f) { return f.graph() ? Expander(*f.graph()).scalar(f) : f; }

std::vector<ScalarEntry> expand(const std::vector<JacobianTerm>& terms, const Vec& rows, const Vec& columns) {
    Graph* g = graph_of(rows);
    return g ? Expander(*g).entries(terms, rows, columns) : std::vector<ScalarEntry>{};
}

std::vector<std::string> expanded_names(const Vec& f) {
    std::vector<std::string> names;
    for (const Component& c : f) {
        if (!c.family)
            names.push_back(c.name);
        else
            for (int k = c.lo; k <= c.hi; ++k) {
                const bool velocity = c.name.ends_with('\''); // x[3]', as it is written in formulas
                names.push_back(c.name.substr(0, c.name.size() - velocity) + "[" + std::to_string(k) + "]" +
                                (velocity ? "'" : ""));
            }
    }
    return names;
}

} // namespace rattleback
