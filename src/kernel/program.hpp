// Straight-line programs made from formulas, and their interpreter: the tape.
//
// A Program is a list of sections that share one array of slots (registers in memory, one per value). A section is
// straight-line code that is executed as a whole, such as Newton's residual; whoever runs the program decides which
// section runs when. Within a section instructions are grouped by operation: the interpreter dispatches once per group
// and then runs one tight loop. execute() is a template over its scalar. It is the reference for machine code, which
// must give the same bits, and runs where there is no compiler.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "expr/graph.hpp"
#include "kernel/key_numbers.hpp"

namespace rattleback {

using Slot = std::uint32_t;

inline int arity(Op op) { return op >= Op::fma ? 3 : function(op).arity; }

// `count` instructions with one operation that do not depend on each other.
struct Group {
    Op op;
    std::uint32_t count;
    Slot target;            // results go to target, target + 1, ...
    std::uint32_t operands; // into Program::operands: `count` slots of first arguments, then of second, then of third
};

struct Section {
    std::vector<Group> groups;
    std::vector<NodeId> nodes; // the formula of each result, in the order of execution
    Slot first = 0;            // slot of nodes[0]; results have consecutive slots
    std::vector<Slot> cuts;    // ascending: where the results of instances of another template begin
};

struct Program {
    std::size_t slots = 0;
    std::vector<std::pair<Slot, quad>> constants;
    std::vector<Slot> operands;
    std::vector<Section> sections;
};

// Builds a Program section by section. A symbol must be made an input or an alias before a formula uses it.
class ProgramBuilder {
  public:
    explicit ProgramBuilder(Graph& graph) : graph_(graph) {}

    Slot input(const Expr& symbol);                    // returns the slot that the caller will fill
    void alias(const Expr& symbol, const Expr& value); // replaces the symbol by a formula
    // Adds a section that computes the roots, and returns their slots. Values of earlier sections are reused.
    std::vector<Slot> section(std::span<const Expr> roots);
    // From here on, sorts instructions by template: instances of one template get consecutive slots, in the order of
    // their index, so that code::find_loops finds loops with stride 0 or 1. The table may still grow.
    void alike(const Templates& templates) { templates_ = &templates; }
    void alike(const Expr& symbol, const Expr& other); // sorts `symbol` as an instance of the other's template
    // A scope is the body of a loop: what its sections compute is not reused after end_scope().
    void begin_scope() { scope_open_ = true; }
    void end_scope();
    // For Newton's loop, called before end_scope(): sines, cosines and exponentials of this section that later sections
    // use are extrapolated from the last iteration instead of evaluated again, f(x) = f(x0) + f'(x0) (x - x0). Returns
    // the changes x - x0; the caller computes them after the loop and checks that they are small.
    std::vector<Expr> follow(std::size_t section);
    // Loop invariants: the largest subformulas of the roots that do not depend on the given symbols.
    std::vector<Expr> invariants(std::span<const Expr> roots, std::span<const Expr> symbols);
    // A formula as the sections compute it: with aliases substituted and powers replaced by products and roots.
    Expr lowered(const Expr& formula) { return {graph_, lower(formula.in(graph_))}; }
    // The node that a node of a formula was lowered to; Section::nodes has such nodes. 0: it was not lowered.
    NodeId as_computed(NodeId id) const { return is_lowered(id); }
    Program finish() {
        program_.slots = next_;
        return std::move(program_);
    }

  private:
    NodeId lower(NodeId root);
    NodeId lower_power(NodeId base, const Node& n);
    NodeId whole_power(NodeId base, unsigned n);
    struct Instruction { // what a node becomes: its own operation, or a multiply-add together with one child
        NodeId node;
        Op op;
        bool from_left; // of a multiply-add: the product is the first child
    };
    std::array<NodeId, 3> arguments(const Instruction& i) const;
    std::vector<Instruction> select(const std::vector<NodeId>& order, std::span<const NodeId> roots);
    void schedule(const std::vector<Instruction>& order, Section& section);
    void set_kinds(const std::vector<NodeId>& order);
    std::uint32_t kind(NodeId operand);
    void sort_by_kind(const std::vector<Instruction>& order, std::vector<std::uint32_t>& batch) const;
    std::optional<Slot> known(NodeId lowered) const;
    void remember(NodeId lowered, Slot slot);
    NodeId is_lowered(NodeId id) const { return lowered_[id]; }

    Graph& graph_;
    Program program_;
    Slot next_ = 0;
    // Tables by node id, where 0 means "none".
    ByNode kept_;                  // slot + 1 of inputs, constants and results outside scopes
    ByNode scoped_;                // slot + 1 of results of the open scope
    std::vector<NodeId> in_scope_; // the nodes that have an entry in scoped_
    bool scope_open_ = false;
    ByNode lowered_; // the node that a node was lowered to
    ByNode place_;   // while a section is built: where a node stands in its order, counted from 1
    const Templates* templates_ = nullptr;
    ByNode kind_;            // a number for each sort of alike(), from 1
    KeyNumbers kind_number_; // by template, or by operation and kinds of operands
    ByNode alias_;
    // follow(): a lowered function, and the formula that stands for it after the loop; of the open scope, and of all
    // scopes that are closed.
    std::unordered_map<NodeId, NodeId> to_follow_, followed_;
};

template <class T> void load_constants(const Program& program, T* slots) {
    for (const auto& [slot, value] : program.constants) slots[slot] = static_cast<T>(value);
}

template <class T> void execute(const Program& program, const Section& section, T* slots);
extern template void execute(const Program&, const Section&, double*);
extern template void execute(const Program&, const Section&, long double*);
extern template void execute(const Program&, const Section&, quad*);

// Where a NaN or an infinity arose: the first node of a section whose value is not finite although its arguments are.
// Nodes that only the branch not taken of a choice uses are skipped.
template <class T>
std::optional<NodeId> first_not_finite(const Program& program, const Section& section, const T* slots) {
    const auto operand = [&](const Group& group, std::uint32_t i, int a) {
        return program.operands[group.operands + static_cast<std::uint32_t>(a) * group.count + i];
    };
    enum Use : char { result, unused, used };
    std::vector<Use> use(section.nodes.size(), result);
    const auto mark = [&](Slot s, Use u) {
        if (s >= section.first && s - section.first < use.size()) use[s - section.first] = u;
    };
    for (const Group& group : section.groups)
        for (std::uint32_t i = 0; i < group.count; ++i)
            for (int a = 0; a < arity(group.op); ++a) mark(operand(group, i, a), unused);
    for (auto group = section.groups.rbegin(); group != section.groups.rend(); ++group)
        for (std::uint32_t i = 0; i < group->count; ++i) {
            if (use[group->target + i - section.first] == unused) continue;
            const int skipped = group->op != Op::choose ? -1 : slots[operand(*group, i, 0)] != T(0) ? 2 : 1;
            for (int a = 0; a < arity(group->op); ++a)
                if (a != skipped) mark(operand(*group, i, a), used);
        }
    for (const Group& group : section.groups)
        for (std::uint32_t i = 0; i < group.count; ++i) {
            if (use[group.target + i - section.first] == unused || real::is_finite(slots[group.target + i])) continue;
            bool clean = true;
            for (int a = 0; a < arity(group.op); ++a) clean = clean && real::is_finite(slots[operand(group, i, a)]);
            if (clean) return section.nodes[group.target + i - section.first];
        }
    return {};
}

} // namespace rattleback
