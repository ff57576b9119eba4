#include "expr/stencil.hpp"
#include "expr/graph.hpp"

#include <array>
#include <charconv>

namespace rattleback {

std::vector<int> StencilReader::mixed(const Stencil& stencil) const {
    std::vector<int> indices;
    for (NodeId id : reachable(graph_, stencil.fixed)) {
        if (graph_.node(id).op != Op::symbol) continue;
        const std::string& name = graph_.name(id);
        for (const MovingMember& leaf : stencil.leaves) {
            const std::string start = graph_.family(leaf.family).name + "[";
            if (!name.starts_with(start)) continue;
            int member = 0;
            const char *const first = name.data() + start.size(), *const end = name.data() + name.size();
            if (const auto parsed = std::from_chars(first, end, member); parsed.ec == std::errc() && *parsed.ptr == ']')
                indices.push_back(member - leaf.shift);
        }
    }
    return indices;
}

void StencilReader::read(Stencil& stencil, NodeId instance, std::span<const NodeId> members, int k) {
    stencil_ = &stencil, place_.clear();
    for (std::size_t i = 0; i < members.size(); ++i) place_.try_emplace(members[i], static_cast<std::int64_t>(i));
    std::unordered_map<NodeId, MovingMember> leaf_of;
    for (const MovingMember& leaf : stencil.leaves)
        leaf_of.try_emplace(graph_.member(leaf.family, k + leaf.shift).id(), leaf);
    // From the instance down to the members that the template names; where simplification has taken a member apart,
    // down to symbols.
    std::vector<NodeId> order, stack{instance};
    graph_.begin_visit();
    next_ = static_cast<std::int64_t>(members.size());
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        if (place_.contains(id) || !graph_.visit(id)) continue;
        if (const auto leaf = leaf_of.find(id); leaf != leaf_of.end()) {
            stencil.symbols.push_back(leaf->second);
            place_[id] = next_++;
        }
        order.push_back(id);
        graph_.for_children(id, [&](NodeId child) { stack.push_back(child); });
    }
    in_order(order);
    for (NodeId id : order) add_line(id);
    const auto it = place_.find(instance);
    stencil.result = it == place_.end() ? -static_cast<std::int64_t>(instance) : it->second;
}

void StencilReader::add_line(NodeId id) {
    const Node n = graph_.node(id);
    if (n.op < Op::add || place_.contains(id)) return;
    Stencil::Line line{n.op, n.op == Op::add || n.op == Op::mul, templates_.of(id), {0, 0, 0}};
    const std::array children = {n.a, n.b, n.c};
    bool moves = false;
    for (std::size_t i = 0; i < static_cast<std::size_t>(function(n.op).arity); ++i) {
        const auto it = place_.find(children[i]);
        moves |= it != place_.end();
        line.args[i] = it == place_.end() ? -static_cast<std::int64_t>(children[i]) : it->second;
        if (graph_.node(children[i]).op == Op::constant) line.by_age = false; // constants are not ordered by id
    }
    if (!moves) return;
    stencil_->lines.push_back(line);
    place_[id] = next_++;
}

} // namespace rattleback
