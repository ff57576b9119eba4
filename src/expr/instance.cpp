// One instance of a template: folded item by item or, where it is like others before it, copied from their shape.
#include "expr/expander.hpp"
#include "expr/fold.hpp"

#include <algorithm>
#include <array>

namespace rattleback {
namespace {

constexpr int most_folded = 16; // instances of a template: if there are no more, its shapes are not worth reading
constexpr std::size_t most_shapes = 16; // of a template

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

bool Expander::is_of_numbers(const Item& item) const {
    if (item.op == Op::index) return true;
    if (item.op < Op::add) return false;
    for (int i = 0; i < function(item.op).arity; ++i)
        if (item.args[i] < 0 && graph_.node(static_cast<NodeId>(-item.args[i])).op != Op::constant) return false;
    return true;
}

Expander::Plan& Expander::plan(NodeId root) {
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
        plan.items.push_back(item);
    }
    plan.of_numbers =
        std::all_of(plan.items.begin(), plan.items.end(), [&](const Item& item) { return is_of_numbers(item); });
    if (!find_index(plan)) plan.index = 0;
    return plan;
}

// An item that is made of the index alone, if it is one of those that can be computed in whole numbers.
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

// Whether instances differ in one index alone, and only in what moves along with it.
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
    if (plan.of_numbers)
        if (const auto value = computed(plan)) {
            const NodeId made = graph_.constant(*value).id();
            templates_.note(made, root);
            return {made};
        }
    if (plan.index == 0 || ++plan.instances <= most_folded) return {folded(plan)};
    plan.instances = most_folded; // enough counted
    const int k = bound(plan.index - 1);
    if (!look(plan, k)) return {folded(plan)};
    for (ShapeId id : plan.shapes)
        if (const Shape& shape = shapes_[id]; shape.numbers == asked_ && shape.members == member_shapes_) {
            if (std::find(shape.except.begin(), shape.except.end(), k) != shape.except.end()) return {folded(plan)};
            return {copy(shape, k), id};
        }
    const NodeId made = folded(plan);
    return {made, made == none ? no_shape : read_shape(plan, made, k)};
}

// Without nodes for what is computed on the way: every member of a chain has numbers of its own. Nothing where one of
// them is not finite: folding leaves it as it is written.
std::optional<quad> Expander::computed(const Plan& plan) {
    computed_.clear();
    for (const Item& item : plan.items) {
        std::array<quad, 3> args{};
        if (item.op == Op::index) {
            computed_.push_back(bound(graph_.node(item.id).a));
            continue;
        }
        for (std::size_t i = 0; i < static_cast<std::size_t>(function(item.op).arity); ++i)
            args[i] = item.args[i] < 0 ? graph_.value(static_cast<NodeId>(-item.args[i]))
                                       : computed_[static_cast<std::size_t>(item.args[i])];
        const auto value = finite_value(item.op, args);
        if (!value) return {};
        computed_.push_back(*value);
    }
    return computed_.back();
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

// What the shape of the instance at k depends on. False if it is one of a kind.
bool Expander::look(const Plan& plan, int k) {
    for (const MovingMember& m : plan.members) {
        const Family& f = graph_.family(m.family);
        if (k + m.shift < f.lo || k + m.shift > f.hi) return false;
    }
    for (const MovingMember& m : plan.members) member(m.family, k + m.shift); // may look at others in turn
    places_.clear(), member_shapes_.clear(), numbers_.clear(), asked_.clear();
    for (const MovingMember& m : plan.members) {
        const Member& known = inside_[m.family][static_cast<std::size_t>(k + m.shift - graph_.family(m.family).lo)];
        if (known.shape == no_shape) return false;
        places_.push_back(known.id), member_shapes_.push_back(known.shape);
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

ShapeId Expander::read_shape(Plan& plan, NodeId instance, int k) {
    if (plan.shapes.size() == most_shapes) { // as many as instances, it seems
        plan.index = 0;
        return no_shape;
    }
    Shape shape{asked_, member_shapes_, {}, plan.fixed, {}, {}, {}, 0};
    for (std::size_t i = 0; i < plan.members.size(); ++i) {
        const MovingMember& m = plan.members[i];
        if (member_shapes_[i] == a_symbol) {
            shape.leaves.push_back(m);
            continue;
        }
        if (member_shapes_[i] == always_the_same) shape.fixed.push_back(places_[i]);
        const Shape& inner = shapes_[member_shapes_[i]];
        for (const MovingMember& leaf : inner.leaves) shape.leaves.push_back({leaf.family, leaf.shift + m.shift});
        shape.fixed.insert(shape.fixed.end(), inner.fixed.begin(), inner.fixed.end());
    }
    std::sort(shape.fixed.begin(), shape.fixed.end());
    shape.fixed.erase(std::unique(shape.fixed.begin(), shape.fixed.end()), shape.fixed.end());
    std::sort(shape.leaves.begin(), shape.leaves.end());
    shape.leaves.erase(std::unique(shape.leaves.begin(), shape.leaves.end()), shape.leaves.end());
    ShapeReader reader(graph_, templates_);
    shape.except = reader.mixed(shape);
    if (std::find(shape.except.begin(), shape.except.end(), k) != shape.except.end()) return no_shape;
    reader.read(shape, instance, places_, k);
    shapes_.push_back(std::move(shape));
    plan.shapes.push_back(static_cast<ShapeId>(shapes_.size() - 1));
    return plan.shapes.back();
}

NodeId Expander::copy(const Shape& shape, int k) {
    for (const MovingMember& symbol : shape.symbols) places_.push_back(member(symbol.family, k + symbol.shift));
    const auto node = [&](std::int64_t a) {
        return a < 0 ? static_cast<NodeId>(-a) : places_[static_cast<std::size_t>(a)];
    };
    for (const Shape::Line& line : shape.lines) {
        const int arity = function(line.op).arity;
        NodeId a = node(line.args[0]), b = arity > 1 ? node(line.args[1]) : 0;
        if (line.by_age && a > b) std::swap(a, b);
        const NodeId made = graph_.make(line.op, a, b, arity > 2 ? node(line.args[2]) : 0);
        templates_.note(made, line.from);
        places_.push_back(made);
    }
    return node(shape.result);
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

} // namespace rattleback
