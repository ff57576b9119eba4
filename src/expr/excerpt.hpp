// Formulas that are kept for messages, and rarely read: in about 6 bytes a node, where a graph that can be built upon
// takes more than 30.
#pragma once

#include "expr/graph.hpp"

#include <mutex>

namespace rattleback {

class Excerpt {
  public:
    // The roots and what they are made of; each root becomes its number here. Neither families nor linear systems.
    Excerpt(const Graph& graph, std::span<NodeId* const> roots);

    // The formulas as nodes, whose ids are their numbers. Made when it is first asked for, by whichever thread that is;
    // from then on it is only to be read.
    Graph& graph() const;

  private:
    void write(std::uint64_t number); // 7 bits a byte, the last byte below 128
    std::uint64_t read(std::size_t& at) const;

    // Of each node: its operation, then how far back its arguments are; of a symbol its name, of a constant its bytes.
    std::vector<std::uint8_t> bytes_;
    mutable std::once_flag once_;
    mutable std::unique_ptr<Graph> graph_;
};

} // namespace rattleback
