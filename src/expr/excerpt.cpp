#include "expr/excerpt.hpp"

#include <stdexcept>

namespace rattleback {

Excerpt::Excerpt(const Graph& graph, std::span<NodeId* const> roots) {
    std::vector<NodeId> ids, number(graph.size(), 0);
    ids.reserve(roots.size());
    for (const NodeId* root : roots) ids.push_back(*root);
    NodeId next = 0;
    for (NodeId id : reachable(graph, ids)) {
        const Node& n = graph.node(id);
        number[id] = ++next;
        bytes_.push_back(static_cast<std::uint8_t>(n.op));
        if (n.op == Op::constant) {
            const quad value = graph.value(id);
            const auto* const first = reinterpret_cast<const std::uint8_t*>(&value);
            bytes_.insert(bytes_.end(), first, first + sizeof value);
        } else if (n.op == Op::symbol) {
            const std::string name = graph.name(id);
            write(name.size());
            bytes_.insert(bytes_.end(), name.begin(), name.end());
        } else if (n.op < Op::add) {
            throw std::logic_error("an excerpt has neither families nor linear systems");
        } else {
            graph.for_children(id, [&](NodeId child) { write(next - number[child]); });
        }
    }
    bytes_.shrink_to_fit();
    for (NodeId* root : roots) *root = number[*root];
}

void Excerpt::write(std::uint64_t number) {
    for (; number >= 128; number /= 128) bytes_.push_back(static_cast<std::uint8_t>(number % 128 + 128));
    bytes_.push_back(static_cast<std::uint8_t>(number));
}

std::uint64_t Excerpt::read(std::size_t& at) const {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
        const std::uint64_t byte = bytes_[at++];
        number += byte % 128 << shift;
        if (byte < 128) return number;
    }
}

Graph& Excerpt::graph() const {
    std::call_once(once_, [&] {
        auto graph = std::make_unique<Graph>();
        NodeId next = 0;
        for (std::size_t at = 0; at < bytes_.size();) {
            const Op op = static_cast<Op>(bytes_[at++]);
            ++next;
            if (op == Op::constant) {
                quad value;
                std::memcpy(&value, &bytes_[at], sizeof value);
                graph->constant(value), at += sizeof value;
            } else if (op == Op::symbol) {
                const std::size_t size = read(at);
                graph->symbol({reinterpret_cast<const char*>(bytes_.data() + at), size}), at += size;
            } else {
                NodeId arguments[3] = {};
                for (int i = 0; i < function(op).arity; ++i) arguments[i] = next - static_cast<NodeId>(read(at));
                graph->make(op, arguments[0], arguments[1], arguments[2]);
            }
        }
        graph_ = std::move(graph);
    });
    return *graph_;
}

} // namespace rattleback
