#include "expr/expander.hpp"

#include <algorithm>
#include <array>

#include "expr/dense_limit.hpp"
#include "expr/graph.hpp"
#include "expr/rewrite.hpp"

namespace rattleback {
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

int Expander::whole(NodeId id) const {
    const auto index = id == none ? std::nullopt : affine_index(graph_, id);
    if (!index || index->variable) throw ExprError("an index or a bound of a sum is not a whole number");
    return index->shift;
}

NodeId Expander::sum(NodeId sum, int lo, int hi) {
    if (const NodeId known = closed_[sum]) return known;
    const Node n = graph_.node(sum);
    if (static_cast<long long>(hi) - lo >= most_terms)
        throw ExprError("a sum of " + std::to_string(static_cast<long long>(hi) - lo + 1) +
                        " terms is too long: at most " + std::to_string(most_terms) + " are expanded");
    const std::uint32_t index = graph_.node(n.d).a;
    const int outer = bound(index); // restored below: a member's body may contain the same sum
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
    const NodeId made = graph_.balanced_sum(terms).in(graph_);
    if (sums_.closed(sum)) closed_.set(sum, made);
    return made;
}

NodeId Expander::member(FamilyId family, int k) {
    if (family >= inside_.size()) inside_.resize(family + 1);
    const Family& f = graph_.family(family);
    if (k < f.lo || k > f.hi) {
        const std::uint64_t key = std::uint64_t(family) << 32 | static_cast<std::uint32_t>(k);
        if (auto it = outside_.find(key); it != outside_.end()) return it->second;
        return outside_[key] = new_member(family, k).id;
    }
    if (inside_[family].empty()) inside_[family].resize(static_cast<std::size_t>(f.hi - f.lo + 1));
    const auto place = static_cast<std::size_t>(k - f.lo);
    if (const NodeId known = inside_[family][place].id) return known;
    const Member made = new_member(family, k); // may add families, and so reallocate inside_
    return (inside_[family][place] = made).id;
}

Expander::Member Expander::new_member(FamilyId family, int k) {
    const Family& f = graph_.family(family); // a deque: the reference stays valid when families are added
    for (auto [index, value] : f.border)
        if (index == k) return {evaluate(value)};
    if (k < f.lo || k > f.hi) {
        const std::size_t star = f.name.find('*'); // of a row u[1,*], which users know as u[1,j]
        const bool row = star != std::string::npos;
        missing_ = (row ? f.name.substr(0, star) + std::to_string(k) + "]" : f.name + "[" + std::to_string(k) + "]") +
                   " does not exist: " + (row ? "the second index goes through " : f.name + " has members ") +
                   std::to_string(f.lo) + ".." + std::to_string(f.hi);
        return {none};
    }
    if (!f.body) {
        const NodeId symbol = graph_.member(family, k).id();
        templates_.note(symbol, ~family);
        return {symbol, a_symbol};
    }
    const int outer = bound(free_);
    bound(free_) = k;
    const Member made = instance(*f.body);
    bound(free_) = outer;
    return made;
}

std::vector<Expr> Expander::members(const Vec& f) {
    require_sums_below_dense_limit(f);
    std::vector<Expr> scalars;
    scalars.reserve(static_cast<std::size_t>(f.count()));
    for (const Component& c : f)
        for (int k = c.family ? c.lo : 1; k <= (c.family ? c.hi : 1); ++k) scalars.push_back(at(c.value, k, 0));
    return scalars;
}

std::vector<ScalarEntry> Expander::entries(const std::vector<JacobianTerm>& terms, const Vec& rows,
                                           const Vec& columns) {
    struct Found {           // a third of a ScalarEntry: of a chain there are many
        std::uint64_t place; // row, column
        std::uint32_t value; // a node or, from max_nodes on, where it stands in `numbers`
    };
    std::vector<Found> found;
    std::vector<Expr> numbers;
    std::vector<std::uint32_t> row_start, column_start;
    std::uint32_t next = 0;
    for (const Component& c : rows) row_start.push_back(next), next += static_cast<std::uint32_t>(c.count());
    next = 0;
    for (const Component& c : columns) column_start.push_back(next), next += static_cast<std::uint32_t>(c.count());
    require_below_dense_limit(terms, rows, columns);
    for (const JacobianTerm& t : terms) {
        const Component &row = rows[t.row], &column = columns[t.column];
        const int first = row.family ? row.lo : 1, last = row.family ? row.hi : 1;
        const auto add = [&](int k, int m) { // row member k, column member m
            if (column.family && (m < column.lo || m > column.hi)) return;
            const Expr value = at(t.value, k, m);
            if (value.is(0)) return;
            const int r = k - first, c = column.family ? m - column.lo : 0;
            const std::uint64_t in_row = row_start[t.row] + static_cast<std::uint32_t>(r);
            if (!value.graph()) numbers.push_back(value);
            found.push_back(
                {in_row << 32 | (column_start[t.column] + static_cast<std::uint32_t>(c)),
                 value.graph() ? value.id() : static_cast<std::uint32_t>(Graph::max_nodes + numbers.size() - 1)});
        };
        for (int k = first; k <= last; ++k) {
            switch (t.kind) {
            case JacobianTerm::single: add(k, 0); break;
            case JacobianTerm::stencil: add(k, k + t.shift); break;
            case JacobianTerm::fixed: add(k, t.shift); break;
            case JacobianTerm::full:
                for (int m = column.lo; m <= column.hi; ++m) add(k, m);
            }
        }
    }
    // A stencil, a fixed member and a full block may have entries in the same place: they are added.
    std::stable_sort(found.begin(), found.end(), [](const Found& x, const Found& y) { return x.place < y.place; });
    std::vector<ScalarEntry> merged;
    merged.reserve(found.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto [place, id] = found[i];
        const Expr value = id < Graph::max_nodes ? Expr(graph_, id) : numbers[id - Graph::max_nodes];
        if (i > 0 && found[i - 1].place == place)
            merged.back().value = merged.back().value + value;
        else
            merged.push_back({static_cast<std::uint32_t>(place >> 32), static_cast<std::uint32_t>(place), value});
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
    names.reserve(static_cast<std::size_t>(f.count()));
    for (const Component& c : f) {
        if (!c.family) {
            names.push_back(c.name);
        } else {
            const bool velocity = c.name.ends_with('\''); // x[3]', as it is written in formulas
            const std::size_t star = c.name.find('*');    // u[3,*]: a row of a family with two indices
            const bool row = star != std::string::npos;
            const std::string before = row ? c.name.substr(0, star) : c.name.substr(0, c.name.size() - velocity) + "[",
                              after = row        ? c.name.substr(star + 1)
                                      : velocity ? "]'"
                                                 : "]";
            for (int k = c.lo; k <= c.hi; ++k) names.push_back(before + std::to_string(k) + after);
        }
    }
    return names;
}

} // namespace rattleback
