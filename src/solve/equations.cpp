#include "solve/equations.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "expr/dense_limit.hpp"
#include "expr/rewrite.hpp"
#include "solve/system.hpp"

namespace rattleback::solve {
namespace {

// Piecewise constant functions: their derivatives vanish although they depend on their arguments.
bool is_switch(Op op) { return op == Op::sign || (op >= Op::lt && op <= Op::either); }

// Whether a formula is a product with the step size, or a sum of such. Not looked for deeper than `levels`.
bool has_factor(const Graph& graph, NodeId id, NodeId step_size, int levels = 12) {
    if (id == step_size) return true;
    if (levels == 0) return false;
    const Node n = graph.node(id);
    const auto look = [&](NodeId part) { return has_factor(graph, part, step_size, levels - 1); };
    switch (n.op) {
    case Op::mul: return look(n.a) || look(n.b);
    case Op::div:
    case Op::neg: return look(n.a);
    case Op::add:
    case Op::sub: return look(n.a) && look(n.b);
    default: return false;
    }
}

// Whether a formula is made of products with a number below 2^-20, such as second parts of weights (step_along).
bool is_small(const Graph& graph, NodeId id, int levels = 12) {
    const Node n = graph.node(id);
    const auto look = [&](NodeId part) { return is_small(graph, part, levels - 1); };
    if (levels == 0) return false;
    switch (n.op) {
    case Op::constant: return real::abs(graph.value(id)) < quad(1) / (1 << 20);
    case Op::mul: return look(n.a) || look(n.b);
    case Op::neg: return look(n.a);
    case Op::add:
    case Op::sub: return look(n.a) && look(n.b);
    default: return false;
    }
}

// x + y or x - y, where y may be h F and the small products that F has for its weights: these come last.
Expr add_small_last(const Expr& x, const Expr& y, bool minus) {
    const auto add = [&](const Expr& sum, const Expr& term) { return minus ? sum - term : sum + term; };
    Graph& graph = *y.graph();
    const Node n = graph.node(y.id());
    if (n.op != Op::add && n.op != Op::sub) return add(x, y);
    const bool first = is_small(graph, n.a), second = is_small(graph, n.b);
    if (first == second) return add(x, y);
    const Expr a(graph, n.a), b = n.op == Op::add ? Expr(graph, n.b) : -Expr(graph, n.b);
    return first ? add(add(x, b), a) : add(add(x, a), b);
}

// a - whole, or minus that, where the sum `whole` has one term that is proportional to the step size: that term comes
// last. The residual of p + h F = L_v is (p - L_v) + h F: the first difference is nearly exact, and what is left has
// digits below the last place of p. If p + h F were rounded to that place, all iterates would lie on one grid, and
// rounding them would have a direction: the angular momentum of Kepler's problem marched by 2e-20 a step. Where h F has
// small products beside it, for the weights' second parts, h F is added before them: it cancels what is nearly the
// same, without being rounded to a place of its own, of which the iterates have few multiples (1e-20 a step).
std::optional<Expr> small_term_last(const Expr& whole, const Expr& a, NodeId step_size) {
    if (!whole.graph() || (whole.op() != Op::add && whole.op() != Op::sub)) return {};
    const Node n = whole.graph()->node(whole.id());
    const Expr x(*whole.graph(), n.a), y(*whole.graph(), n.b);
    const bool first = n.op == Op::add && has_factor(*whole.graph(), n.a, step_size),
               second = has_factor(*whole.graph(), n.b, step_size);
    if (first == second) return {};
    return first ? add_small_last(y - a, x, false) : add_small_last(x - a, y, n.op == Op::sub);
}

bool is_family(const Component& c) { return c.family; }

// That derivatives of families may lead to. They add 1.2 times the nodes that are there in the gallery at most; those
// of twelve explicit stages, each a formula of the neighbours' formulas in the stage before, added 220 times as many.
std::size_t most_nodes(const Graph& graph) { return 100'000 + 20 * graph.size(); }

} // namespace

Equations::Equations(const System& system) : graph(*system.graph), expander_(graph) {
    gather(system);
    replace_linear_solves();
    order();
}

void Equations::gather(const System& system) {
    given = expander_.members(system.given);
    rolled_ = std::any_of(system.given.begin(), system.given.end(), is_family);
    results = system.results;
    std::uint32_t next = 0;
    for (const Unknown& u : system.find) {
        unknowns_ = concat({unknowns_, u.symbols});
        guess_ = concat({guess_, u.guess.empty() ? zeros_like(u.symbols) : u.guess});
        kind.insert(kind.end(), static_cast<std::size_t>(u.symbols.count()), next);
        beside.push_back(u.beside);
        ++next;
    }
    kinds_ = next;
    const NodeId step_size = system.steady > 0 ? system.given[system.given.size() - system.steady].value.id() : 0;
    for (const Equation& e : system.equations) {
        Vec difference = e.lhs - e.rhs;
        for (std::size_t i = 0; i < e.lhs.size(); ++i) {
            const Expr &lhs = e.lhs[i].value, &rhs = e.rhs[i].value;
            if (const auto left = small_term_last(lhs, rhs, step_size))
                difference[i].value = *left;
            else if (const auto right = small_term_last(rhs, lhs, step_size))
                difference[i].value = -*right;
        }
        residuals_ = concat({residuals_, difference});
    }
}

// solve(A, b): its solution becomes unknowns, A w = b equations of the system.
void Equations::replace_linear_solves() {
    std::vector<NodeId> roots;
    for (const Vec* v : {&residuals_, &results, &guess_})
        for (const Component& c : *v)
            if (c.value.graph()) roots.push_back(c.value.id());
    std::set<std::uint32_t> found;
    for (NodeId id : reachable(graph, roots, true))
        if (graph.node(id).op == Op::solve) found.insert(graph.node(id).a);
    if (found.empty()) return;
    std::set<NodeId> unknown_ids;
    for (const Component& c : unknowns_)
        if (!c.family) unknown_ids.insert(c.value.id());
    std::vector<std::uint32_t> systems(found.begin(), found.end()); // those that depend on inputs alone come first
    std::stable_partition(systems.begin(), systems.end(), [&](std::uint32_t s) {
        std::vector<NodeId> leads = graph.system(s).matrix;
        leads.insert(leads.end(), graph.system(s).rhs.begin(), graph.system(s).rhs.end());
        const auto below = reachable(graph, leads, true);
        return std::none_of(below.begin(), below.end(), [&](NodeId id) { return unknown_ids.contains(id); });
    });
    Rewriter rewrite(graph, true);
    const auto unknown = [&](std::uint32_t s, std::uint32_t i) {
        return graph.symbol("solve" + std::to_string(s) + "[" + std::to_string(i + 1) + "]");
    };
    for (std::uint32_t s : systems)
        for (std::uint32_t i = 0; i < graph.system(s).n; ++i) rewrite.replace(graph.solution(s, i).id(), unknown(s, i));
    const auto rewritten = [&](Vec v) {
        for (std::size_t i = 0; i < v.size(); ++i) v[i].value = rewrite(v[i].value);
        return v;
    };
    residuals_ = rewritten(residuals_), results = rewritten(results), guess_ = rewritten(guess_);
    Vec solution, equations, zero;
    std::vector<std::uint32_t> kinds;
    for (std::uint32_t s : systems) {
        const LinearSystem system = graph.system(s);
        for (std::uint32_t i = 0; i < system.n; ++i) {
            Expr row = -rewrite(Expr(graph, system.rhs[i]));
            for (std::uint32_t j = 0; j < system.n; ++j)
                row = row + rewrite(Expr(graph, system.matrix[i * system.n + j])) * unknown(s, j);
            solution.push_back({graph.name(unknown(s, i).id()), unknown(s, i)});
            equations.push_back({"linear system", row});
            zero.push_back({"", 0.0});
            kinds.push_back(kinds_);
        }
        ++kinds_, beside.emplace_back();
    }
    // In front, so that those that depend on inputs alone come before the guesses that use them.
    unknowns_ = concat({solution, unknowns_}), residuals_ = concat({equations, residuals_});
    guess_ = concat({zero, guess_});
    kind.insert(kind.begin(), kinds.begin(), kinds.end());
}

void Equations::order() {
    if (std::any_of(residuals_.begin(), residuals_.end(), is_family)) require_below_dense_limit(residuals_, unknowns_);
    symbol = expander_.members(unknowns_);
    names = expanded_names(unknowns_);
    start = expander_.members(guess_);
    residual = expander_.members(residuals_);
    const auto n = static_cast<std::uint32_t>(symbol.size());
    if (residual.size() != n)
        throw StructuralError("there are " + std::to_string(residual.size()) + " equations for " + std::to_string(n) +
                              " unknowns");
    const auto slopes = jacobian(residuals_, unknowns_, rolled_ ? most_nodes(graph) : ~std::size_t{0});
    entries_ = expander_.entries(slopes, residuals_, unknowns_);
    first_.resize(n + 1, 0);
    for (const ScalarEntry& e : entries_) ++first_[e.row + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::vector<std::uint32_t>> pattern(n);
    for (std::size_t e = 0; e < n; ++e) {
        pattern[e].reserve(row(e).size());
        for (const ScalarEntry& x : row(e)) pattern[e].push_back(x.column);
    }
    add_switches(pattern);
    structure = solve::block_triangular(pattern, n, mentioned_);
    if (structure.determined) return;
    std::string missing;
    for (std::uint32_t u = 0; u < n; ++u)
        if (structure.equation_of[u] < 0) missing += (missing.empty() ? "" : ", ") + names[u];
    throw StructuralError("the equations do not determine " + missing, missing);
}

// Adds dependencies that the Jacobian does not show: on unknowns in conditions, and on unknowns that cancel in an
// equation (their derivative is zero, but evaluating the formula needs a value).
void Equations::add_switches(std::vector<std::vector<std::uint32_t>>& pattern) {
    constexpr std::uint32_t none = ~0u;
    ByNode unknown; // counted from 1
    for (std::uint32_t u = 0; u < symbol.size(); ++u) unknown.set(symbol[u].id(), u + 1);
    const auto unknown_of = [&](NodeId id) { return unknown[id] - 1; };
    switches_.resize(residual.size()), mentioned_.resize(residual.size());
    std::vector<std::size_t> last(symbol.size(), residual.size()); // the last equation with a derivative by an unknown
    std::vector<NodeId> stack, found;
    for (std::size_t e = 0; e < residual.size(); ++e) { // equations are many and small: only what is found is sorted
        if (!residual[e].graph()) continue;
        std::vector<NodeId> conditions;
        found.clear(), stack.assign(1, residual[e].id());
        graph.begin_visit();
        while (!stack.empty()) {
            const NodeId id = stack.back();
            stack.pop_back();
            if (!graph.visit(id)) continue;
            if (is_switch(graph.node(id).op))
                conditions.push_back(id);
            else if (unknown_of(id) != none)
                found.push_back(id);
            graph.for_children(id, [&](NodeId child) { stack.push_back(child); });
        }
        for (const ScalarEntry& x : row(e)) last[x.column] = e;
        std::sort(found.begin(), found.end());
        for (NodeId id : found)
            if (const std::uint32_t u = unknown_of(id); last[u] != e) mentioned_[e].push_back(u);
        if (conditions.empty()) continue;
        for (NodeId id : reachable(graph, conditions))
            if (const std::uint32_t u = unknown_of(id); u != none) switches_[e].push_back(u);
        for (std::uint32_t u : switches_[e])
            if (std::find(pattern[e].begin(), pattern[e].end(), u) == pattern[e].end()) pattern[e].push_back(u);
    }
}
bool Equations::switches(const std::vector<std::uint32_t>& block) const {
    return std::any_of(block.begin(), block.end(), [&](std::uint32_t u) {
        const auto& seen = switches_[equation_of(u)];
        return std::any_of(seen.begin(), seen.end(),
                           [&](std::uint32_t s) { return std::find(block.begin(), block.end(), s) != block.end(); });
    });
}

bool Equations::depends(std::span<const Expr> formulas, const std::vector<std::uint32_t>& block) const {
    std::vector<NodeId> roots;
    for (const Expr& e : formulas)
        if (e.graph()) roots.push_back(e.id());
    const auto nodes = reachable(graph, roots);
    return std::any_of(block.begin(), block.end(),
                       [&](std::uint32_t u) { return std::binary_search(nodes.begin(), nodes.end(), symbol[u].id()); });
}

std::optional<Expr> Equations::slope_of_one(const std::vector<std::uint32_t>& block) const {
    if (block.size() != 1 || switches(block)) return {};
    const std::span<const ScalarEntry> entries = row(equation_of(block[0]));
    const auto entry = std::find_if(entries.begin(), entries.end(), [&](auto& x) { return x.column == block[0]; });
    return entry == entries.end() ? std::nullopt : std::optional(entry->value);
}

} // namespace rattleback::solve
