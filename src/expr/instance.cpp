// One instance of a template: simplified item by item or, if an earlier one had the same conditions, by its stencil.
#include "expr/expander.hpp"
#include "expr/graph.hpp"

#include <algorithm>
#include <array>

namespace rattleback {
namespace {

constexpr int most_folded = 16;           // instances of a template that are simplified before stencils are tried
constexpr std::size_t most_stencils = 16; // of a template; one that has more gets no others

long value(Op op, long x, long y) {
    switch (op) {
    case Op::add: return x + y;
    case Op::sub: return x - y;
    case Op::lt: return x < y;
    case Op::le: return x <= y;
    case Op::gt: return x > y;
    case Op::ge: return x >= y;
    case Op::eq: return x == y;
    case Op::ne: return x != y;
    case Op::both: return x && y;
    default: return x || y; // Op::either
    }
}
bool is_number(Op op) { return op == Op::add || op == Op::sub || (op >= Op::lt && op <= Op::either); }

} // namespace

Expander::Plan& Expander::plan(NodeId root) {
    if (const std::uint32_t known = plan_of_[root]) return plans_[known - 1];
    Plan& plan = plans_.emplace_back();
    plan_of_.set(root, static_cast<std::uint32_t>(plans_.size()));
    // The index of an element is kept in its item. The body of a sum has a plan of its own, which is evaluated for
    // every value of the bound index.
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
        plan.items.push_back(item);
    }
    if (!find_index(plan)) plan.index = 0;
    return plan;
}

// An item that depends on the index alone, if its operation can be done in integers.
std::optional<Expander::Number> Expander::as_number(const Item& item, std::span<const int> numbers) const {
    if (item.op == Op::index) return Number{item.op, {-1, -1}, {0, 0}};
    if (!is_number(item.op)) return {};
    Number number{item.op, {-1, -1}, {0, 0}};
    for (int i = 0; i < 2; ++i) {
        if (item.args[i] >= 0) {
            number.args[i] = numbers[static_cast<std::size_t>(item.args[i])];
            if (number.args[i] < 0) return {};
        } else {
            const auto constant = affine_index(graph_, static_cast<NodeId>(-item.args[i]));
            if (!constant || constant->variable) return {};
            number.values[i] = constant->shift;
        }
    }
    return number;
}

// True if instances depend on one index only, and have a member x[k + shift]: then stencils are possible.
bool Expander::find_index(Plan& plan) const {
    std::vector<int> numbers(plan.items.size(), -1); // by item: where it is among the numbers
    std::vector<bool> asked;
    const auto is_the_index = [&](std::uint32_t index) {
        if (plan.index == 0) plan.index = index;
        return index != 0 && plan.index == index;
    };
    for (std::size_t i = 0; i < plan.items.size(); ++i) {
        const Item& item = plan.items[i];
        if (item.op == Op::sum || item.op == Op::solve) return false;
        if (item.op == Op::index && !is_the_index(graph_.node(item.id).a + 1)) return false;
        if (item.op == Op::element) {
            if (!is_the_index(item.index)) return false; // 0: a fixed member
            plan.members.push_back({graph_.node(item.id).a, item.shift});
            continue;
        }
        if (const auto number = as_number(item, numbers)) {
            numbers[i] = static_cast<int>(plan.numbers.size());
            plan.numbers.push_back(*number), asked.push_back(false);
            continue;
        }
        for (int k = 0; k < function(item.op).arity; ++k)
            if (item.args[k] < 0)
                plan.fixed.push_back(static_cast<NodeId>(-item.args[k]));
            else if (const int number = numbers[static_cast<std::size_t>(item.args[k])]; number >= 0)
                asked[static_cast<std::size_t>(number)] = true;
    }
    for (std::size_t i = 0; i < asked.size(); ++i)
        if (asked[i]) plan.asked.push_back(i);
    return !plan.members.empty();
}

Expander::Member Expander::instance(NodeId root) {
    if (!graph_.node(root).rolled) return {root, always_the_same};
    Plan& plan = this->plan(root);
    if (plan.index == 0 || ++plan.instances <= most_folded) return {folded(plan)};
    plan.instances = most_folded; // keeps the counter from overflowing
    const int k = bound(plan.index - 1);
    if (!look(plan, k)) return {folded(plan)};
    for (StencilId id : plan.stencils)
        if (const Stencil& stencil = stencils_[id]; stencil.numbers == asked_ && stencil.members == member_stencils_) {
            if (std::find(stencil.except.begin(), stencil.except.end(), k) != stencil.except.end())
                return {folded(plan)};
            return {copy(stencil, k), id};
        }
    const NodeId made = folded(plan);
    return {made, made == none ? no_stencil : read_stencil(plan, made, k)};
}

NodeId Expander::folded(const Plan& plan) {
    const std::size_t first = values_.size();
    for (const Item& item : plan.items) {
        const NodeId made = step(item, first);
        templates_.note(made, item.id);
        values_.push_back(made);
    }
    const NodeId id = values_.back(); // the root has the largest id
    values_.resize(first);
    return id;
}

// Finds what the stencil of the instance at k depends on: places_, member_stencils_, asked_. False if there is none.
bool Expander::look(const Plan& plan, int k) {
    for (const MovingMember& m : plan.members) {
        const Family& f = graph_.family(m.family);
        if (k + m.shift < f.lo || k + m.shift > f.hi) return false;
    }
    for (const MovingMember& m : plan.members) member(m.family, k + m.shift); // may expand other families
    places_.clear(), member_stencils_.clear(), numbers_.clear(), asked_.clear();
    for (const MovingMember& m : plan.members) {
        const Member& known = inside_[m.family][static_cast<std::size_t>(k + m.shift - graph_.family(m.family).lo)];
        if (known.stencil == no_stencil) return false;
        places_.push_back(known.id), member_stencils_.push_back(known.stencil);
    }
    for (const Number& n : plan.numbers) {
        const auto argument = [&](int i) {
            return n.args[i] < 0 ? n.values[i] : numbers_[static_cast<std::size_t>(n.args[i])];
        };
        numbers_.push_back(n.op == Op::index ? k : value(n.op, argument(0), argument(1)));
    }
    for (std::size_t i : plan.asked) asked_.push_back(numbers_[i]);
    return true;
}

StencilId Expander::read_stencil(Plan& plan, NodeId instance, int k) {
    if (plan.stencils.size() == most_stencils) { // nearly every instance has its own: not worth trying again
        plan.index = 0;
        return no_stencil;
    }
    Stencil stencil{asked_, member_stencils_, {}, plan.fixed, {}, {}, {}, 0};
    for (std::size_t i = 0; i < plan.members.size(); ++i) {
        const MovingMember& m = plan.members[i];
        if (member_stencils_[i] == a_symbol) {
            stencil.leaves.push_back(m);
            continue;
        }
        if (member_stencils_[i] == always_the_same) stencil.fixed.push_back(places_[i]);
        const Stencil& inner = stencils_[member_stencils_[i]];
        for (const MovingMember& leaf : inner.leaves) stencil.leaves.push_back({leaf.family, leaf.shift + m.shift});
        stencil.fixed.insert(stencil.fixed.end(), inner.fixed.begin(), inner.fixed.end());
    }
    std::sort(stencil.fixed.begin(), stencil.fixed.end());
    stencil.fixed.erase(std::unique(stencil.fixed.begin(), stencil.fixed.end()), stencil.fixed.end());
    std::sort(stencil.leaves.begin(), stencil.leaves.end());
    stencil.leaves.erase(std::unique(stencil.leaves.begin(), stencil.leaves.end()), stencil.leaves.end());
    StencilReader reader(graph_, templates_);
    stencil.except = reader.mixed(stencil);
    if (std::find(stencil.except.begin(), stencil.except.end(), k) != stencil.except.end()) return no_stencil;
    reader.read(stencil, instance, places_, k);
    stencils_.push_back(std::move(stencil));
    plan.stencils.push_back(static_cast<StencilId>(stencils_.size() - 1));
    return plan.stencils.back();
}

NodeId Expander::copy(const Stencil& stencil, int k) {
    for (const MovingMember& symbol : stencil.symbols) places_.push_back(member(symbol.family, k + symbol.shift));
    const auto node = [&](std::int64_t a) {
        return a < 0 ? static_cast<NodeId>(-a) : places_[static_cast<std::size_t>(a)];
    };
    for (const Stencil::Line& line : stencil.lines) {
        const int arity = function(line.op).arity;
        NodeId a = node(line.args[0]), b = arity > 1 ? node(line.args[1]) : 0;
        if (line.by_age && a > b) std::swap(a, b);
        const NodeId made = graph_.make(line.op, a, b, arity > 2 ? node(line.args[2]) : 0);
        templates_.note(made, line.from);
        places_.push_back(made);
    }
    return node(stencil.result);
}

NodeId Expander::step(const Item& item, std::size_t first) {
    const auto argument = [&](int i) {
        const std::int64_t a = item.args[i];
        return a < 0 ? static_cast<NodeId>(-a) : values_[first + static_cast<std::size_t>(a)];
    };
    switch (item.op) {
    case Op::index: return graph_.constant(bound(graph_.node(item.id).a)).id();
    case Op::element: return member(graph_.node(item.id).a, item.shift + (item.index ? bound(item.index - 1) : 0));
    case Op::sum: return sum(item.id, whole(argument(0)), whole(argument(1)));
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
    if (item.op == Op::choose && ids[0] != none) // the branch not taken may name members that do not exist
        if (const auto c = args[0].constant()) return ids[*c != 0 ? 1 : 2];
    if (!complete) return none;
    return call(item.op, std::span(args).first(static_cast<std::size_t>(arity))).in(graph_);
}

} // namespace rattleback
