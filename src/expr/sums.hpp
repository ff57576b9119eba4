// What the sums of templates depend on, and how much they become when families are expanded.
#pragma once

#include "expr/graph.hpp"

#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace rattleback {

class Sums {
  public:
    explicit Sums(const Graph& graph) : graph_(graph) {}

    // Whether a sum depends on no index but those that it binds: its value is then the same in all members.
    bool closed(NodeId sum) { return indices(sum).empty(); }

  private:
    using Indices = std::vector<std::uint32_t>; // their numbers, ascending

    const Indices& indices(NodeId sum);
    Indices below(NodeId root);

    const Graph& graph_;
    std::unordered_map<NodeId, Indices> known_; // by sum
};

// Operations of the sums that each member of a family, or each term of another sum, has for itself: what grows with the
// square of the number of members. Sums of a few terms, such as those over neighbours, do not count.
class NestedSums {
  public:
    explicit NestedSums(const Graph& graph) : graph_(graph), sums_(graph) {}

    double operations(const Vec& f);

  private:
    struct Count {
        double direct = 0, nested = 0; // of one instance
    };
    Count count(NodeId root);
    Count count_sum(NodeId sum);
    double mean(NodeId bound, int levels = 8) const;

    const Graph& graph_;
    Sums sums_;
    std::unordered_map<std::uint32_t, double> mean_; // the middle of its range, by the number of an index
    std::unordered_set<NodeId> closed_;              // sums that have been counted
    double of_closed_ = 0;                           // in all of these
    std::vector<FamilyId> families_;                 // that were named so far
    std::unordered_set<FamilyId> named_;
};

} // namespace rattleback
