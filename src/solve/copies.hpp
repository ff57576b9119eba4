// Repeats on other instances of a template what a rewriting did to one of them: the 100,000 instances of a chain differ
// in nothing but their symbols, and relabelling is faster than rewriting.
#pragma once

#include "expr/graph.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace rattleback::solve {

class Copies {
  public:
    Copies(Graph& graph, Templates& templates) : graph_(graph), templates_(templates) {}

    // Records that `formula` was rewritten as `written`. About a node of it, `look` answers
    //   stays(node): whether it is the same node in all instances (a number or a parameter);
    //   value(node): what it was rewritten as, if it is a symbol or a formula rewritten before; else 0;
    //   sign(node, whether it has a value): what else the rewriting depends on, such as its number of uses.
    template <class Look> void learn(NodeId formula, NodeId written, const Look& look);
    // What the rewriting would make of another instance of the same template; 0 if it differs from the recorded one in
    // more than its symbols.
    template <class Look> NodeId copy(NodeId formula, const Look& look);

  private:
    static constexpr std::uint32_t most = 1000; // nodes of a formula

    struct Place { // a node of the recorded formula; parents come before children
        Op op;
        NodeId stays; // 0: may be another node
        bool leaf;    // it has a value, see look
        std::uint32_t sign;
        std::array<std::uint32_t, 3> arguments;
    };
    struct Argument { // a fixed node, the value of a leaf, or the result of an earlier line
        enum : char { node, place, line } is;
        std::uint32_t which;
    };
    struct Line {
        Op op;
        std::uint32_t from; // the template
        std::array<Argument, 3> arguments;
    };
    struct Pattern {
        std::vector<Place> places;
        std::vector<Line> lines;
        Argument result;
    };

    int arguments(NodeId id) const {
        const Op op = graph_.node(id).op;
        return op == Op::symbol || op == Op::constant ? 0 : function(op).arity;
    }
    NodeId argument(NodeId id, int i) const {
        const Node& n = graph_.node(id);
        return i == 0 ? n.a : i == 1 ? n.b : n.c;
    }
    // The nodes below a root, ascending; not below those where ends(node). None of a formula that has more than `most`.
    template <class F> std::vector<NodeId> below(NodeId root, F&& ends) const;

    Graph& graph_;
    Templates& templates_;
    std::unordered_map<std::uint32_t, Pattern> patterns_; // by template
    std::vector<NodeId> at_, made_;                       // of the formula at hand: nodes, or values of leaves; lines
};

template <class F> std::vector<NodeId> Copies::below(NodeId root, F&& ends) const {
    std::vector<NodeId> nodes, stack{root};
    graph_.begin_visit();
    while (!stack.empty()) {
        const NodeId id = stack.back();
        stack.pop_back();
        if (!graph_.visit(id)) continue;
        if (nodes.size() == most) return {};
        nodes.push_back(id);
        for (int i = 0; !ends(id) && i < arguments(id); ++i) stack.push_back(argument(id, i));
    }
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

template <class Look> void Copies::learn(NodeId formula, NodeId written, const Look& look) {
    const std::uint32_t from = templates_.of(formula);
    if (from == 0) return;
    const auto is_leaf = [&](NodeId id) { return look.value(id) != 0; };
    std::vector<NodeId> nodes = below(formula, [&](NodeId id) { return look.stays(id) || is_leaf(id); });
    if (nodes.empty()) return;
    std::reverse(nodes.begin(), nodes.end());
    Pattern pattern;
    std::unordered_map<NodeId, std::uint32_t> place, leaf; // leaves by their values
    for (NodeId id : nodes) place.emplace(id, static_cast<std::uint32_t>(place.size()));
    for (NodeId id : nodes) {
        Place p{graph_.node(id).op, look.stays(id) ? id : 0, is_leaf(id), look.sign(id, is_leaf(id)), {}};
        if (p.leaf && !p.stays && !leaf.emplace(look.value(id), place.at(id)).second) return; // which of them?
        for (int i = 0; !p.stays && !p.leaf && i < arguments(id); ++i) p.arguments[i] = place.at(argument(id, i));
        pattern.places.push_back(p);
    }
    // Parts of `written` that consist of fixed nodes alone are fixed, too.
    std::unordered_map<NodeId, Argument> taken;
    const std::vector<NodeId> parts = below(written, [&](NodeId node) { return leaf.contains(node); });
    if (parts.empty()) return;
    for (NodeId id : parts) {
        if (const auto known = leaf.find(id); known != leaf.end()) {
            taken[id] = {Argument::place, known->second};
            continue;
        }
        bool stays = arguments(id) > 0 || look.stays(id);
        if (!stays) return; // a symbol that the formula does not show
        for (int i = 0; i < arguments(id); ++i) stays = stays && taken.at(argument(id, i)).is == Argument::node;
        taken[id] = stays ? Argument{Argument::node, id}
                          : Argument{Argument::line, static_cast<std::uint32_t>(pattern.lines.size())};
        if (stays) continue;
        Line l{graph_.node(id).op, templates_.of(id), {}};
        for (int i = 0; i < arguments(id); ++i) l.arguments[i] = taken.at(argument(id, i));
        pattern.lines.push_back(l);
    }
    pattern.result = taken.at(written);
    patterns_.insert_or_assign(from, std::move(pattern));
}

template <class Look> NodeId Copies::copy(NodeId formula, const Look& look) {
    const auto known = patterns_.find(templates_.of(formula));
    if (known == patterns_.end()) return 0;
    const Pattern& pattern = known->second;
    at_.assign(pattern.places.size(), 0);
    at_[0] = formula;
    for (std::size_t k = 0; k < at_.size(); ++k) {
        const NodeId id = at_[k];
        const Place& p = pattern.places[k];
        if (p.stays) {
            if (id != p.stays) return 0;
            continue;
        }
        if (graph_.node(id).op != p.op || look.sign(id, p.leaf) != p.sign) return 0;
        if (p.leaf) {
            at_[k] = look.value(id);
            if (at_[k] == 0) return 0;
            continue;
        }
        for (int i = 0; i < arguments(id); ++i) {
            NodeId &there = at_[p.arguments[i]], here = argument(id, i);
            if (there != 0 && there != here) return 0;
            there = here;
        }
    }
    made_.clear();
    const auto taken = [&](const Argument& a) {
        return a.is == Argument::node ? a.which : a.is == Argument::place ? at_[a.which] : made_[a.which];
    };
    for (const Line& l : pattern.lines) {
        const int count = function(l.op).arity;
        made_.push_back(graph_.make(l.op, taken(l.arguments[0]), count > 1 ? taken(l.arguments[1]) : 0,
                                    count > 2 ? taken(l.arguments[2]) : 0));
        templates_.note(made_.back(), l.from);
    }
    return taken(pattern.result);
}

} // namespace rattleback::solve
