#include "expr/index_numbers.hpp"

#include "expr/shown.hpp"

#include <algorithm>
#include <unordered_set>

namespace rattleback {
namespace {

constexpr int most_work = 2'000'000;          // nodes looked at or evaluated
constexpr std::uint32_t largest_body = 2'000; // nodes, of the text and of a value: they are visited recursively

bool may_be_infinite(const syntax::Node& n) { // where its parts are not
    using syntax::Kind;
    if (n.kind == Kind::Binary) return n.op != syntax::Op::Add && n.op != syntax::Op::Subtract;
    return n.kind == Kind::Call || n.kind == Kind::Index;
}

} // namespace

void IndexNumbers::require_finite_sum(std::uint32_t sum) {
    if (is_worth_while(sum)) look(sum);
}

void IndexNumbers::require_finite(std::uint32_t root, const std::string& index_name, const Loop& loop) {
    if (is_worth_while(root)) go_through(root, index_name, loop);
}

// Most sums have no such formulas.
bool IndexNumbers::is_worth_while(std::uint32_t root) {
    std::vector<std::uint32_t> stack{root};
    bool any = false;
    for (std::uint32_t seen = 0; !stack.empty(); ++seen) {
        if (seen == largest_body) return false;
        const std::uint32_t node = stack.back();
        stack.pop_back();
        any = any || (may_be_infinite(tree_.nodes[node]) && !parts(scalars_[node]).empty());
        const auto children = tree_.children_of(tree_.nodes[node]);
        stack.insert(stack.end(), children.begin(), children.end());
    }
    return any;
}

// NOTE: ends at the first part that is no number, so that definitions in definitions are not gone through anew each
// time.
const std::vector<NodeId>& IndexNumbers::parts(NodeId id) {
    const auto [it, fresh] = parts_.try_emplace(id);
    if (!fresh || id == 0) return it->second;
    std::unordered_set<NodeId> seen;
    std::vector<NodeId> stack{id};
    while (!stack.empty()) {
        const NodeId part = stack.back();
        stack.pop_back();
        if (!seen.insert(part).second) continue;
        const Op op = graph_.node(part).op;
        const bool is_number = op == Op::constant || op == Op::index || (op > Op::solve && op < Op::fma);
        if (!is_number || seen.size() > largest_body) return it->second;
        graph_.for_children(part, [&](NodeId child) { stack.push_back(child); });
    }
    it->second.assign(seen.begin(), seen.end());
    std::sort(it->second.begin(), it->second.end()); // a node is older than those that use it
    return it->second;
}

std::optional<quad> IndexNumbers::value(NodeId id) {
    const std::vector<NodeId>& all = parts(id);
    if (all.empty()) return {};
    work_ += static_cast<int>(all.size());
    for (const NodeId part : all) {
        const Node& n = graph_.node(part);
        if (n.op == Op::constant)
            values_[part] = graph_.value(part);
        else if (n.op == Op::index) {
            const auto is_it = [&](const auto& b) { return b.second == part; };
            if (std::none_of(bound_.begin(), bound_.end(), is_it)) return {};
        } else {
            const auto argument = [&](NodeId child) { return child ? values_.at(child) : quad(0); };
            const int arity = function(n.op).arity;
            values_[part] = evaluate(n.op, argument(n.a), arity > 1 ? argument(n.b) : 0, arity > 2 ? argument(n.c) : 0);
        }
    }
    return values_.at(id);
}

void IndexNumbers::go_through(std::uint32_t body, const std::string& name, const Loop& loop) {
    const NodeId index = loop.index.id();
    const auto bound = [&](const Expr& e) { return e.graph() ? value(e.id()) : e.constant(); };
    const auto lo = bound(loop.lo), hi = bound(loop.hi);
    if (!lo || !hi) return;
    bound_.emplace_back(name, index);
    for (quad k = *lo; k <= *hi && work_ < most_work; ++k) {
        values_[index] = k;
        look(body);
    }
    bound_.pop_back();
}

void IndexNumbers::look_at_call(const syntax::Node& n) {
    const auto children = tree_.children_of(n);
    if (tree_.name_of(n) == "if" && children.size() == 3) {
        look(children[0]);
        if (const auto holds = value(scalars_[children[0]])) return look(children[*holds != 0 ? 1 : 2]);
    }
    for (const std::uint32_t child : children) look(child);
}

void IndexNumbers::look(std::uint32_t node) {
    using syntax::Kind;
    const syntax::Node& n = tree_.nodes[node];
    ++work_;
    if (n.kind == Kind::Sum) {
        const auto it = sums_.find(node);
        if (it != sums_.end()) go_through(tree_.children_of(n)[2], tree_.name_of(n), it->second);
        return;
    }
    if (n.kind == Kind::Call)
        look_at_call(n);
    else
        for (const std::uint32_t child : tree_.children_of(n)) look(child);
    const auto x = may_be_infinite(n) ? value(scalars_[node]) : std::nullopt;
    if (!x || real::is_finite(*x)) return;
    std::string where;
    for (const auto& [name, index] : bound_)
        where += (where.empty() ? " at " : ", ") + name + " = " + real::to_text(values_.at(index));
    throw FormulaError(n.begin, n.end, shortened(tree_.text_of(n), 60) + " is not a finite number" + where);
}

} // namespace rattleback
