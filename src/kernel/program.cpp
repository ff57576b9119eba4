#include "kernel/program.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <unordered_set>

namespace rattleback {

std::optional<Slot> ProgramBuilder::known(NodeId id) const {
    if (const std::uint32_t kept = kept_[id]) return kept - 1;
    if (!scope_open_) return {};
    const std::uint32_t scoped = scoped_[id];
    return scoped ? std::optional(scoped - 1) : std::nullopt;
}

void ProgramBuilder::remember(NodeId id, Slot slot) {
    if (scope_open_) in_scope_.push_back(id);
    (scope_open_ ? scoped_ : kept_).set(id, slot + 1);
}

void ProgramBuilder::end_scope() {
    for (NodeId id : in_scope_) scoped_.set(id, 0);
    in_scope_.clear();
    scope_open_ = false;
    if (to_follow_.empty()) return;
    lowered_.clear();
    followed_.merge(to_follow_);
    to_follow_.clear();
}

std::vector<Expr> ProgramBuilder::follow(std::size_t section) {
    const Section& s = program_.sections[section];
    const auto value = [&](NodeId id) -> std::optional<NodeId> { // a symbol for the value of the last iteration
        const auto slot = known(id);
        if (!slot || *slot < s.first || *slot - s.first >= s.nodes.size()) return {};
        const NodeId symbol = graph_.symbol("~" + std::to_string(*slot)).id();
        kept_.set(symbol, *slot + 1);
        return symbol;
    };
    std::vector<Expr> changes;
    std::unordered_set<NodeId> seen; // of these
    for (NodeId id : s.nodes) {
        const Node n = graph_.node(id);
        if (n.op != Op::sin && n.op != Op::cos && n.op != Op::exp) continue;
        const Op slope = n.op == Op::sin ? Op::cos : n.op == Op::cos ? Op::sin : Op::exp; // for a cosine, -f'
        const auto f = value(id), df = value(graph_.make(slope, n.a)), x = value(n.a);
        if (!f || !df || !x) continue;
        const NodeId change = graph_.make(Op::sub, n.a, *x);
        to_follow_[id] = graph_.make(n.op == Op::cos ? Op::sub : Op::add, *f, graph_.make(Op::mul, *df, change));
        if (seen.insert(change).second) changes.emplace_back(graph_, change);
    }
    return changes;
}

Slot ProgramBuilder::input(const Expr& symbol) {
    if (const auto slot = known(symbol.id())) return *slot;
    kept_.set(symbol.id(), ++next_);
    return next_ - 1;
}

void ProgramBuilder::alias(const Expr& symbol, const Expr& value) { alias_.set(symbol.id(), value.in(graph_)); }

// base^n by repeated squaring. Made without simplification, which would turn x*x back into x^2.
NodeId ProgramBuilder::whole_power(NodeId base, unsigned n) {
    NodeId result = 0, square = base;
    for (;; n /= 2) {
        if (n % 2) result = result ? graph_.make(Op::mul, result, square) : square;
        if (n <= 1) return result;
        square = graph_.make(Op::mul, square, square);
    }
}

// Powers with exponent n/2 become products and a square root: cheaper than pow, and each step is rounded correctly.
NodeId ProgramBuilder::lower_power(NodeId base, const Node& n) {
    const NodeId exponent_node = is_lowered(n.b);
    if (graph_.node(exponent_node).op == Op::constant) {
        const quad exponent = graph_.value(exponent_node), twice = 2 * exponent;
        if (exponent == 0) return graph_.constant(1).id();
        if (real::floor(twice) == twice && real::abs(exponent) <= 64) {
            const unsigned halves = static_cast<unsigned>(real::abs(twice));
            NodeId result = halves >= 2 ? whole_power(base, halves / 2) : 0;
            if (halves % 2) {
                const NodeId root = graph_.make(Op::sqrt, base);
                result = result ? graph_.make(Op::mul, result, root) : root;
            }
            return exponent > 0 ? result : graph_.make(Op::div, graph_.constant(1).id(), result);
        }
    }
    return graph_.make(Op::power, base, exponent_node);
}

// Replaces aliases, powers and functions that follow() extrapolates, children first, with an explicit stack.
NodeId ProgramBuilder::lower(NodeId root) {
    std::vector<NodeId> stack{root};
    while (!stack.empty()) {
        const NodeId id = stack.back();
        if (is_lowered(id)) {
            stack.pop_back();
            continue;
        }
        const Node n = graph_.node(id);
        if (n.op == Op::constant) {
            lowered_.set(id, id);
            continue;
        }
        if (n.op < Op::add && n.op != Op::symbol) // families must be expanded, and linear solves replaced, before
            throw ExprError("a tape cannot hold " + to_text(Expr(graph_, id), 60));
        const NodeId target = n.op == Op::symbol ? alias_[id] : 0;
        if (n.op == Op::symbol && target == 0) {
            lowered_.set(id, id);
            continue;
        }
        bool ready = true;
        const auto need = [&](NodeId child) {
            if (!is_lowered(child)) stack.push_back(child), ready = false;
        };
        if (n.op == Op::symbol)
            need(target);
        else
            graph_.for_children(id, need);
        if (!ready) continue;
        stack.pop_back();
        if (n.op == Op::symbol) {
            lowered_.set(id, is_lowered(target));
        } else if (n.op == Op::power) {
            const NodeId product = lower_power(is_lowered(n.a), n);
            lowered_.set(id, product), lowered_.set(product, product);
        } else {
            const int arity = function(n.op).arity;
            const NodeId a = is_lowered(n.a), b = arity > 1 ? is_lowered(n.b) : 0, c = arity > 2 ? is_lowered(n.c) : 0;
            const bool unchanged = a == n.a && (arity < 2 || b == n.b) && (arity < 3 || c == n.c);
            const NodeId same = unchanged ? id : graph_.make(n.op, a, b, c);
            const auto extrapolated = followed_.find(same);
            if (extrapolated == followed_.end())
                lowered_.set(id, same);
            else if (const NodeId to = is_lowered(extrapolated->second))
                lowered_.set(id, to);
            else
                stack.insert(stack.end(), {id, extrapolated->second}); // that formula must be lowered first
        }
    }
    return is_lowered(root);
}

namespace {
// Whether a product is a small part of what it is added to: a number below 2^-20 is a factor of it.
bool is_correction(const Graph& graph, NodeId product, int levels = 3) {
    const Node& n = graph.node(product);
    if (n.op == Op::constant) return real::abs(graph.value(product)) < quad(1) / (1 << 20);
    return n.op == Op::mul && levels > 0 &&
           (is_correction(graph, n.a, levels - 1) || is_correction(graph, n.b, levels - 1));
}
} // namespace

// Instruction selection: a product that only one sum uses becomes one fused multiply-add with it. A sum or difference
// of two products stays three instructions: if only one of the products were rounded, x*y - z*w would no longer vanish
// for equal products, nor change sign when they are exchanged. Where one of them is a correction of the other, which it
// is not equal to, the other is fused: h F and what the weights' second parts add are rounded together (step_along).
std::vector<ProgramBuilder::Instruction> ProgramBuilder::select(const std::vector<NodeId>& order,
                                                                std::span<const NodeId> roots) {
    std::vector<std::uint32_t> uses(order.size() + 1, 0); // by place; place 0 stands for nodes of other sections
    for (NodeId id : order) graph_.for_children(id, [&](NodeId child) { ++uses[place_[child]]; });
    for (NodeId id : roots) uses[place_[id]] += 2;
    std::vector<bool> absorbed(order.size() + 1, false);
    std::vector<Instruction> instructions;
    instructions.reserve(order.size());
    for (NodeId id : order) {
        const Node& n = graph_.node(id);
        Instruction instruction{id, n.op, false};
        if (n.op == Op::add || n.op == Op::sub) {
            const bool left = graph_.node(n.a).op == Op::mul, right = graph_.node(n.b).op == Op::mul;
            const bool corrected = left && right && is_correction(graph_, n.b),
                       correcting = left && right && is_correction(graph_, n.a);
            const bool from_left = left && (!right || corrected);
            const NodeId product = from_left ? n.a : n.b;
            if ((left != right || corrected != correcting) && uses[place_[product]] == 1 && place_[product] != 0) {
                absorbed[place_[product]] = true;
                instruction = {id, n.op == Op::add ? Op::fma : from_left ? Op::fms : Op::fnma, from_left};
            }
        }
        instructions.push_back(instruction);
    }
    std::erase_if(instructions, [&](const Instruction& i) { return absorbed[place_[i.node]]; });
    return instructions;
}

std::array<NodeId, 3> ProgramBuilder::arguments(const Instruction& i) const {
    const Node& n = graph_.node(i.node);
    if (i.op < Op::fma) return {n.a, n.b, n.c};
    const Node& product = graph_.node(i.from_left ? n.a : n.b);
    return {product.a, product.b, i.from_left ? n.b : n.a};
}

namespace {
constexpr std::uint64_t of_template = std::uint64_t(1) << 62, of_node = std::uint64_t(1) << 63;
}

std::uint32_t ProgramBuilder::kind(NodeId operand) {
    if (const std::uint32_t known = kind_[operand]) return known;
    const std::uint32_t from = templates_->of(operand);
    return kind_number_(from ? of_template | from : of_node | operand);
}

// Value numbering up to the index: instances of one template are of one kind; other nodes (made by differentiation or
// substitution) are of one kind if their operations are equal and their operands are of one kind each.
void ProgramBuilder::set_kinds(const std::vector<NodeId>& order) {
    if (!templates_) return;
    for (NodeId id : order) {
        if (kind_[id]) continue;
        const Node& n = graph_.node(id);
        if (const std::uint32_t from = templates_->of(id)) {
            kind_.set(id, kind_number_(of_template | from));
        } else {
            std::uint64_t key = static_cast<std::uint64_t>(n.op);
            graph_.for_children(id,
                                [&](NodeId child) { key = std::rotl(key ^ kind(child), 29) * 0x9e3779b97f4a7c15u; });
            kind_.set(id, kind_number_(key >> 2));
        }
    }
}

void ProgramBuilder::alike(const Expr& symbol, const Expr& other) {
    if (!templates_) return;
    kind_.set(symbol.id(), kind(lower(other.id())));
}

namespace {

std::size_t arity_of(Op op) { return static_cast<std::size_t>(arity(op)); }

// Room for so many more. Sections may be many and small, or few and large: then none is left over.
void reserve_more(std::vector<Slot>& list, std::size_t count) {
    const std::size_t needed = list.size() + count;
    if (needed > list.capacity()) list.reserve(std::max(needed, list.capacity() + list.capacity() / 2));
}

} // namespace

void ProgramBuilder::sort_by_kind(const std::vector<Instruction>& order, std::vector<std::uint32_t>& batch) const {
    if (!templates_ || batch.size() < 4) return;
    std::vector<std::uint64_t> keys;
    keys.reserve(batch.size());
    for (std::uint32_t i : batch) keys.push_back(std::uint64_t(kind_[order[i].node]) << 32 | i);
    if (!std::is_sorted(keys.begin(), keys.end())) std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < batch.size(); ++i) batch[i] = static_cast<std::uint32_t>(keys[i]);
    // What a rewritten sum adds up was made from its last term to its first: turned round, it reads ascending slots.
    const auto operands = [&](std::uint32_t i) {
        std::array<Slot, 3> slots = arguments(order[i]);
        for (std::size_t a = 0; a < 3; ++a) slots[a] = a < arity_of(order[i].op) ? *known(slots[a]) : 0;
        return slots;
    };
    for (std::size_t first = 0, end = 0; first < batch.size(); first = end) {
        while (end < batch.size() && keys[end] >> 32 == keys[first] >> 32) ++end;
        std::size_t down = 0; // instructions whose operands lie just before those of the one ahead: see code::Piece
        std::array<Slot, 3> here = operands(batch[first]);
        for (std::size_t i = first; i + 1 < end; ++i) {
            const std::array<Slot, 3> next = operands(batch[i + 1]);
            bool moves = false, fits = true;
            for (std::size_t a = 0; a < 3; ++a)
                moves |= next[a] != here[a], fits &= next[a] <= here[a] && here[a] - next[a] <= 2;
            down += moves && fits;
            here = next;
        }
        if (2 * down > end - first)
            std::reverse(batch.begin() + static_cast<std::ptrdiff_t>(first),
                         batch.begin() + static_cast<std::ptrdiff_t>(end));
    }
}

// Greedy list scheduling: the next group is the operation with the most instructions whose operands are known, and
// takes all of them, so that groups are few and long. place_ gives the place of a node in `order`, which is ascending.
void ProgramBuilder::schedule(const std::vector<Instruction>& order, Section& section) {
    std::size_t operands = 0;
    const auto for_places = [&](const Instruction& i, auto&& f) { // of the arguments that are of this section
        const std::array<NodeId, 3> all = arguments(i);
        for (std::size_t a = 0; a < arity_of(i.op); ++a, ++operands)
            if (const std::uint32_t p = place_[all[a]]) f(p - 1);
    };
    // The users of each instruction in compressed form: those of i are users[first[i]] .. users[first[i + 1] - 1],
    // ascending. At first first[i] is where they end.
    std::vector<std::uint8_t> waiting(order.size(), 0);
    std::vector<std::uint32_t> first(order.size() + 1, 0);
    for (std::size_t i = 0; i < order.size(); ++i)
        for_places(order[i], [&](std::uint32_t p) { ++waiting[i], ++first[p]; });
    reserve_more(program_.operands, operands);
    for (std::size_t i = 0; i < order.size(); ++i) first[i + 1] += first[i];
    std::vector<std::uint32_t> users(first.back());
    for (std::uint32_t i = static_cast<std::uint32_t>(order.size()); i-- > 0;)
        for_places(order[i], [&](std::uint32_t p) { users[--first[p]] = i; });
    std::array<std::vector<std::uint32_t>, static_cast<std::size_t>(Op::count)> ready;
    for (std::uint32_t i = 0; i < order.size(); ++i)
        if (waiting[i] == 0) ready[static_cast<std::size_t>(order[i].op)].push_back(i);
    section.first = next_;
    section.nodes.reserve(order.size());
    for (;;) {
        auto best = std::max_element(ready.begin(), ready.end(), [](auto& x, auto& y) { return x.size() < y.size(); });
        if (best->empty()) break;
        std::vector<std::uint32_t> batch = std::move(*best);
        best->clear();
        sort_by_kind(order, batch);
        const Op op = static_cast<Op>(best - ready.begin());
        section.groups.push_back({op, static_cast<std::uint32_t>(batch.size()), next_,
                                  static_cast<std::uint32_t>(program_.operands.size())});
        const std::size_t begin = program_.operands.size(), count = batch.size(), per = arity_of(op);
        program_.operands.resize(begin + per * count);
        for (std::size_t k = 0; k < count; ++k) {
            const std::array<NodeId, 3> all = arguments(order[batch[k]]);
            for (std::size_t a = 0; a < per; ++a) program_.operands[begin + a * count + k] = *known(all[a]);
        }
        std::uint32_t kind = 0;
        for (std::uint32_t i : batch) {
            if (templates_ && kind_[order[i].node] != kind) section.cuts.push_back(next_);
            kind = templates_ ? kind_[order[i].node] : 0;
            remember(order[i].node, next_++);
            section.nodes.push_back(order[i].node);
            for (std::uint32_t u = first[i]; u < first[i + 1]; ++u)
                if (--waiting[users[u]] == 0) ready[static_cast<std::size_t>(order[users[u]].op)].push_back(users[u]);
        }
    }
}

std::vector<Slot> ProgramBuilder::section(std::span<const Expr> roots) {
    std::vector<NodeId> lowered;
    for (const Expr& e : roots) lowered.push_back(lower(e.in(graph_)));
    std::vector<NodeId> order, stack(lowered.begin(), lowered.end());
    graph_.begin_visit();
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        if (known(id) || !graph_.visit(id)) continue;
        const Op op = graph_.node(id).op;
        if (op == Op::constant) {
            program_.constants.emplace_back(next_, graph_.value(id));
            kept_.set(id, ++next_);
            continue;
        }
        if (op == Op::symbol) throw ExprError("'" + graph_.name(id) + "' has no value here");
        order.push_back(id);
        graph_.for_children(id, [&](NodeId child) { stack.push_back(child); });
    }
    in_order(order);
    set_kinds(order);
    const auto set_places = [&](const auto& nodes, std::uint32_t step) { // step 1: 1, 2, ...; step 0: clears them
        std::uint32_t next = 0;
        for (const auto& n : nodes) {
            if constexpr (std::is_same_v<std::decay_t<decltype(n)>, NodeId>)
                place_.set(n, next += step);
            else
                place_.set(n.node, next += step);
        }
    };
    set_places(order, 1);
    const std::vector<Instruction> instructions = select(order, lowered);
    set_places(order, 0);
    order = {};
    set_places(instructions, 1);
    Section section;
    schedule(instructions, section);
    set_places(instructions, 0);
    std::vector<Slot> slots;
    for (NodeId id : lowered) slots.push_back(*known(id));
    program_.sections.push_back(std::move(section));
    return slots;
}

std::vector<Expr> ProgramBuilder::invariants(std::span<const Expr> roots, std::span<const Expr> symbols) {
    std::vector<NodeId> lowered;
    for (const Expr& e : roots) lowered.push_back(lower(e.in(graph_)));
    const auto order = reachable(graph_, lowered);
    // Marks are kept in place_, which is cleared again: a table of all nodes for each block would make the time to
    // compile many small blocks quadratic.
    enum : std::uint32_t { independent, dependent, taken };
    for (const Expr& e : symbols) place_.set(e.id(), dependent);
    for (NodeId id : order)
        graph_.for_children(id, [&](NodeId child) {
            if (place_[child] == dependent) place_.set(id, dependent);
        });
    std::vector<Expr> result;
    const auto take = [&](NodeId id) {
        const Op op = graph_.node(id).op;
        if (place_[id] == independent && op != Op::constant && op != Op::symbol)
            place_.set(id, taken), result.emplace_back(graph_, id);
    };
    for (NodeId id : lowered) take(id);
    for (NodeId id : order)
        if (place_[id] == dependent) graph_.for_children(id, take);
    for (NodeId id : order) place_.set(id, independent);
    for (const Expr& e : symbols) place_.set(e.id(), independent);
    return result;
}

} // namespace rattleback
