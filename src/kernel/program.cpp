#include <rattleback/kernel.hpp>

#include <algorithm>
#include <array>

namespace rattleback {

Slot ProgramBuilder::input(const Expr& symbol) {
    auto [it, is_new] = kept_.try_emplace(symbol.id(), next_);
    if (is_new) ++next_;
    return it->second;
}

void ProgramBuilder::alias(const Expr& symbol, const Expr& value) { alias_[symbol.id()] = value.in(graph_); }

// base^n by repeated squaring. Built unfolded: folding would turn x*x back into x^2.
NodeId ProgramBuilder::whole_power(NodeId base, unsigned n) {
    NodeId result = 0, square = base;
    for (;; n /= 2) {
        if (n % 2) result = result ? graph_.make(Op::mul, result, square) : square;
        if (n <= 1) return result;
        square = graph_.make(Op::mul, square, square);
    }
}

// Powers with exponents n/2 become products and square roots, which are exact to fewer roundings and far cheaper.
NodeId ProgramBuilder::lower_power(NodeId base, const Node& n) {
    const NodeId exponent_node = lowered_.at(n.b);
    if (graph_.node(exponent_node).op == Op::constant) {
        const quad exponent = graph_.value(exponent_node), twice = 2 * exponent;
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

// Replaces aliases and powers, bottom-up.
NodeId ProgramBuilder::lower(NodeId root) {
    std::vector<NodeId> stack{root};
    while (!stack.empty()) {
        const NodeId id = stack.back();
        if (lowered_.contains(id)) {
            stack.pop_back();
            continue;
        }
        const auto target = alias_.find(id);
        bool ready = true;
        const auto need = [&](NodeId child) {
            if (!lowered_.contains(child)) stack.push_back(child), ready = false;
        };
        if (target != alias_.end())
            need(target->second);
        else
            graph_.for_children(id, need);
        if (!ready) continue;
        stack.pop_back();
        if (target != alias_.end()) {
            lowered_[id] = lowered_.at(target->second);
            continue;
        }
        const Node n = graph_.node(id);
        if (n.op == Op::constant || n.op == Op::symbol) {
            lowered_[id] = id;
        } else if (n.op == Op::power) {
            const NodeId product = lower_power(lowered_.at(n.a), n);
            lowered_[id] = lowered_[product] = product;
        } else {
            const int arity = function(n.op).arity;
            lowered_[id] =
                graph_.make(n.op, lowered_.at(n.a), arity > 1 ? lowered_.at(n.b) : 0, arity > 2 ? lowered_.at(n.c) : 0);
        }
    }
    return lowered_.at(root);
}

// Greedy list scheduling: always the operation with the most instructions ready, all of them at once, so that the
// groups are few and long.
void ProgramBuilder::schedule(const std::vector<NodeId>& order, Section& section) {
    std::unordered_map<NodeId, std::uint32_t> place;
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    std::vector<std::uint32_t> waiting(order.size(), 0);
    std::vector<std::vector<std::uint32_t>> users(order.size());
    std::array<std::vector<std::uint32_t>, static_cast<std::size_t>(Op::count)> ready;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        graph_.for_children(order[i], [&](NodeId child) {
            if (auto it = place.find(child); it != place.end()) ++waiting[i], users[it->second].push_back(i);
        });
        if (waiting[i] == 0) ready[static_cast<std::size_t>(graph_.node(order[i]).op)].push_back(i);
    }
    section.first = next_;
    auto& results = scoped_ ? *scoped_ : kept_;
    for (;;) {
        auto best = std::max_element(ready.begin(), ready.end(), [](auto& x, auto& y) { return x.size() < y.size(); });
        if (best->empty()) break;
        std::vector<std::uint32_t> batch = std::move(*best);
        best->clear();
        const Op op = static_cast<Op>(best - ready.begin());
        const int arity = function(op).arity;
        section.groups.push_back({op, static_cast<std::uint32_t>(batch.size()), next_,
                                  static_cast<std::uint32_t>(program_.operands.size())});
        for (int a = 0; a < arity; ++a)
            for (std::uint32_t i : batch) {
                const Node& n = graph_.node(order[i]);
                program_.operands.push_back(*known(a == 0 ? n.a : a == 1 ? n.b : n.c));
            }
        for (std::uint32_t i : batch) {
            results[order[i]] = next_++;
            section.nodes.push_back(order[i]);
            for (std::uint32_t user : users[i])
                if (--waiting[user] == 0) ready[static_cast<std::size_t>(graph_.node(order[user]).op)].push_back(user);
        }
    }
}

std::optional<Slot> ProgramBuilder::known(NodeId lowered) const {
    if (auto it = kept_.find(lowered); it != kept_.end()) return it->second;
    if (scoped_)
        if (auto it = scoped_->find(lowered); it != scoped_->end()) return it->second;
    return {};
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
            kept_[id] = next_++;
            continue;
        }
        if (op == Op::symbol) throw ExprError("'" + graph_.name(id) + "' has no value here");
        order.push_back(id);
        graph_.for_children(id, [&](NodeId child) { stack.push_back(child); });
    }
    std::sort(order.begin(), order.end());
    Section section;
    schedule(order, section);
    std::vector<Slot> slots;
    for (NodeId id : lowered) slots.push_back(*known(id));
    program_.sections.push_back(std::move(section));
    return slots;
}

std::vector<Expr> ProgramBuilder::invariants(std::span<const Expr> roots, std::span<const Expr> symbols) {
    std::vector<NodeId> lowered;
    for (const Expr& e : roots) lowered.push_back(lower(e.in(graph_)));
    std::unordered_map<NodeId, bool> depends;
    for (const Expr& s : symbols) depends[s.id()] = true;
    std::vector<Expr> result;
    const auto order = reachable(graph_, lowered);
    for (NodeId id : order) {
        bool d = depends[id];
        graph_.for_children(id, [&](NodeId child) { d |= depends[child]; });
        depends[id] = d;
    }
    std::unordered_map<NodeId, bool> taken;
    const auto take = [&](NodeId id) {
        const Op op = graph_.node(id).op;
        if (!depends[id] && op != Op::constant && op != Op::symbol && !taken[id])
            taken[id] = true, result.emplace_back(graph_, id);
    };
    for (NodeId id : lowered) take(id);
    for (NodeId id : order)
        if (depends[id]) graph_.for_children(id, take);
    return result;
}

} // namespace rattleback
