// Straight-line programs made from formulas: the tape.
//
// A Program is a set of sections that share one array of slots. Within a section instructions are grouped by
// operation: each group is one tight loop over many like operations, so that the cost of dispatch is paid once a
// group. The tape is a template over its scalar; it is the oracle for faster back ends and needs no compiler.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <rattleback/expr.hpp>

namespace rattleback {

using Slot = std::uint32_t;

inline int arity(Op op) { return op >= Op::fma ? 3 : function(op).arity; }

struct Group {
    Op op;
    std::uint32_t count;
    Slot target;            // results go to target, target + 1, ...
    std::uint32_t operands; // where the argument slots start: first arguments, then second, then third
};

struct Section {
    std::vector<Group> groups;
    std::vector<NodeId> nodes; // of each result, in the order of execution: for messages
    Slot first = 0;            // slot of nodes[0]
    std::vector<Slot> cuts;    // ascending: slots at which instances of another template begin
};

struct Program {
    std::size_t slots = 0;
    std::vector<std::pair<Slot, quad>> constants;
    std::vector<Slot> operands;
    std::vector<Section> sections;
};

// Builds a Program section by section. Symbols must have been given a slot (or an alias) before they are used.
class ProgramBuilder {
  public:
    explicit ProgramBuilder(Graph& graph) : graph_(graph) {}

    Slot input(const Expr& symbol);                    // a slot filled by the caller
    void alias(const Expr& symbol, const Expr& value); // the symbol stands for a formula
    // Adds a section that computes the roots; returns their slots. What has been computed before is not computed again.
    std::vector<Slot> section(std::span<const Expr> roots);
    // Operations of one template's instances are put side by side, so that the operands of a run of them lie side by
    // side, too. The table may grow later on.
    void alike(const Templates& templates) { templates_ = &templates; }
    void alike(const Expr& symbol,
               const Expr& other); // a symbol is to be taken for an instance of the other's template
    // Within a scope results are forgotten at its end: for a loop body, whose values change.
    void begin_scope() { scope_open_ = true; }
    void end_scope();
    // For a loop that ends when its values hardly change any more, before the scope is closed: what later sections ask
    // of the sines, cosines and exponentials of this section comes from the last round, f(x) = f(x0) + f'(x0) (x - x0),
    // and is not evaluated again. Returns the changes x - x0, to be computed after the loop and to be small.
    std::vector<Expr> follow(std::size_t section);
    // The largest parts of the roots that do not depend on the given symbols: what a loop need not repeat.
    std::vector<Expr> invariants(std::span<const Expr> roots, std::span<const Expr> symbols);
    // A formula as the sections hold it, with aliases and powers replaced.
    Expr lowered(const Expr& formula) { return {graph_, lower(formula.in(graph_))}; }
    // The node that stands for a formula in the sections, which name it so.
    NodeId as_computed(NodeId id) const { return is_lowered(id); }
    Program finish() {
        program_.slots = next_;
        return std::move(program_);
    }

  private:
    NodeId lower(NodeId root);
    NodeId lower_power(NodeId base, const Node& n);
    NodeId whole_power(NodeId base, unsigned n);
    struct Instruction { // what a node becomes: its own operation, or one fused with that of a child
        Op op;
        NodeId node, arguments[3];
    };
    std::vector<Instruction> select(const std::vector<NodeId>& order, std::span<const NodeId> roots);
    void schedule(const std::vector<Instruction>& order, Section& section);
    void set_kinds(const std::vector<NodeId>& order);
    std::uint32_t kind(NodeId operand);
    std::uint32_t kind_number(std::uint64_t key);
    void sort_by_kind(const std::vector<Instruction>& order, std::vector<std::uint32_t>& batch) const;
    std::optional<Slot> known(NodeId lowered) const;
    void remember(NodeId lowered, Slot slot);
    NodeId is_lowered(NodeId id) const { return lowered_[id]; }

    Graph& graph_;
    Program program_;
    Slot next_ = 0;
    // By node, where 0 is "none". The slot plus one of inputs, constants and results outside scopes; of results of the
    // open scope.
    ByNode kept_, scoped_;
    std::vector<NodeId> in_scope_; // what scoped_ holds
    bool scope_open_ = false;
    ByNode lowered_, place_; // what nodes have become; scratch of a section under construction
    const Templates* templates_ = nullptr;
    ByNode kind_;                                              // counted from 1: see alike()
    std::unordered_map<std::uint64_t, std::uint32_t> kind_of_; // by template, or by operation and kinds of operands
    ByNode alias_;
    // Functions as lowered, and what they are after their loop: of the open scope, and of those before it.
    std::unordered_map<NodeId, NodeId> to_follow_, followed_;
};

template <class T> void load_constants(const Program& program, T* slots) {
    for (const auto& [slot, value] : program.constants) slots[slot] = static_cast<T>(value);
}

template <class T> void execute(const Program& program, const Section& section, T* slots);
extern template void execute(const Program&, const Section&, double*);
extern template void execute(const Program&, const Section&, long double*);
extern template void execute(const Program&, const Section&, quad*);

// The first node of a section whose value is not finite although its arguments are: where a NaN was born. What stands
// in a branch that is not taken is not to blame.
template <class T>
std::optional<NodeId> first_not_finite(const Graph& graph, const Program& program, const Section& section,
                                       const T* slots) {
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
    (void)graph;
    return {};
}

} // namespace rattleback
