#include "code/branches.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "expr/graph.hpp"

namespace rattleback::code {
namespace {

class Finder {
  public:
    Finder(const Program& program, const Section& section, const std::vector<bool>& wanted)
        : section_(section), operands_(section.nodes.size()), uses_(section.nodes.size(), 0) {
        for (const Group& g : section.groups)
            for (std::uint32_t i = 0; i < g.count; ++i) {
                const Slot slot = g.target + i;
                for (int a = 0; a < arity(g.op); ++a) {
                    const Slot o = program.operands[g.operands + static_cast<std::uint32_t>(a) * g.count + i];
                    operands_[slot - section.first].push_back(o);
                    if (here(o)) ++uses_[o - section.first];
                }
                if (g.op == Op::choose) choices_[operands_[slot - section.first][0]].push_back(slot);
            }
        for (std::size_t i = 0; i < uses_.size(); ++i) uses_[i] += wanted[section.first + i];
    }

    std::vector<Branch> run() {
        std::vector<Branch> found;
        for (const auto& [condition, choices] : choices_)
            if (Branch b = branch(condition, choices); b.inside.size() >= shortest_branch && keep(b))
                found.push_back(b);
        return found;
    }

  private:
    bool here(Slot s) const { return s >= section_.first && s - section_.first < uses_.size(); }
    const std::vector<Slot>& operands(Slot s) const { return operands_[s - section_.first]; }

    // A slot is inside as soon as all its users are.
    Branch branch(Slot condition, const std::vector<Slot>& choices) const {
        Branch b{condition, choices, {}, {condition}};
        std::unordered_map<Slot, std::uint32_t> left; // users that are not inside
        std::vector<Slot> stack;
        for (Slot c : choices) stack.push_back(operands(c)[1]), b.operands.push_back(operands(c)[2]);
        std::vector<Slot> met;
        while (!stack.empty()) {
            const Slot s = stack.back();
            stack.pop_back();
            if (!here(s)) continue;
            const auto [at, first] = left.try_emplace(s, uses_[s - section_.first]);
            if (first) met.push_back(s);
            if (--at->second > 0) continue;
            b.inside.push_back(s);
            stack.insert(stack.end(), operands(s).begin(), operands(s).end());
        }
        for (Slot s : met)
            if (left[s] > 0) b.operands.push_back(s);
        return b;
    }
    // Operands come before what is computed from them: so none of these needs one of the choices. What is inside one
    // branch is not part of another.
    bool keep(const Branch& b) {
        const Slot first = *std::min_element(b.choices.begin(), b.choices.end());
        for (Slot s : b.operands)
            if (here(s) && (s >= first || taken_.contains(s))) return false;
        for (const auto* slots : {&b.inside, &b.choices})
            for (Slot s : *slots)
                if (taken_.contains(s)) return false;
        for (const auto* slots : {&b.inside, &b.choices})
            for (Slot s : *slots) taken_[s] = true;
        return true;
    }

    const Section& section_;
    std::vector<std::vector<Slot>> operands_; // by slot of the section
    std::vector<std::uint32_t> uses_;
    std::map<Slot, std::vector<Slot>> choices_; // by condition
    std::unordered_map<Slot, bool> taken_;
};

} // namespace

std::vector<Branch> find_branches(const Program& program, const Section& section, const std::vector<bool>& wanted) {
    const bool chooses =
        std::any_of(section.groups.begin(), section.groups.end(), [](const Group& g) { return g.op == Op::choose; });
    return chooses ? Finder(program, section, wanted).run() : std::vector<Branch>();
}

} // namespace rattleback::code
