// A part of a compiled system: the same instructions without those that the wanted results do not need.
#include "solve/restricted.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace rattleback {
namespace {

class Restriction {
  public:
    Restriction(const CompiledSystem& all, const std::vector<std::size_t>& results)
        : all_(all), program_(all.program), needed_(program_.slots, false) {
        if (!all.ends.values.empty()) throw std::logic_error("a step is not restricted");
        std::fill_n(needed_.begin(), all.given, true);
        for (std::size_t i : results) needed_[all.results[i]] = true;
        visit(program_.sections[all.after]);
        kept_.resize(all.blocks.size());
        for (std::size_t b = all.blocks.size(); b-- > 0;)
            if ((kept_[b] = is_needed(all.blocks[b]))) keep(all.blocks[b]);
        find_places();
    }

    CompiledSystem make(const std::vector<std::size_t>& results) const {
        CompiledSystem part{all_.formulas, {}, all_.given, {}, all_.after, {}, all_.roots};
        part.divides_by = all_.divides_by, part.restarts = all_.restarts;
        for (std::size_t i : results) part.results.push_back(place_[all_.results[i]]);
        part.program.slots = slots_;
        for (const auto& [slot, value] : program_.constants)
            if (needed_[slot]) part.program.constants.emplace_back(place_[slot], value);
        for (const Section& s : program_.sections) part.program.sections.push_back(without_unneeded(s, part.program));
        std::vector<std::size_t> before; // sections of blocks that need not be solved
        for (std::size_t b = 0; b < all_.blocks.size(); ++b) {
            const Block& block = all_.blocks[b];
            if (kept_[b])
                put_first(before, block.before, part.program), part.blocks.push_back(moved(block));
            else
                before.insert(before.end(), {block.before, block.residual, block.jacobian, block.follow});
        }
        put_first(before, part.after, part.program);
        return part;
    }

  private:
    // Slots of inputs, constants and unknowns come first, then those of the sections, in the order of execution.
    void find_places() {
        std::vector<bool> in_section(program_.slots, false);
        for (const Section& s : program_.sections) std::fill_n(in_section.begin() + s.first, s.nodes.size(), true);
        place_.assign(program_.slots + 1, 0);
        Slot next = 0;
        const auto put = [&](std::size_t s) {
            place_[s] = next; // of one that is not needed: where the next one is
            next += needed_[s];
        };
        for (std::size_t s = 0; s < program_.slots; ++s)
            if (!in_section[s]) put(s);
        for (const Section& s : program_.sections)
            for (std::size_t i = 0; i < s.nodes.size(); ++i) put(s.first + i);
        slots_ = next;
    }

    template <class F> void for_operands(const Group& g, std::uint32_t i, F&& f) const {
        for (int a = 0; a < arity(g.op); ++a)
            f(program_.operands[g.operands + static_cast<std::uint32_t>(a) * g.count + i]);
    }

    // Marks what the needed results of a section are computed from.
    void visit(const Section& section) {
        for (auto g = section.groups.rbegin(); g != section.groups.rend(); ++g)
            for (std::uint32_t i = 0; i < g->count; ++i)
                if (needed_[g->target + i]) for_operands(*g, i, [&](Slot s) { needed_[s] = true; });
    }

    static std::array<std::size_t, 4> sections(const Block& b) { return {b.before, b.residual, b.jacobian, b.follow}; }

    // Whether a block has to be solved. Formulas beside it that do not contain its unknowns may be needed all the same.
    bool is_needed(const Block& block) {
        for (std::size_t i : {block.follow, block.jacobian, block.residual, block.before}) visit(program_.sections[i]);
        return std::any_of(block.unknowns.begin(), block.unknowns.end(), [&](Slot s) { return needed_[s]; });
    }

    // NOTE: a block is kept as it is: where Newton's method stagnates, it looks at all values of its residual.
    void keep(const Block& block) {
        for (const auto* slots : {&block.unknowns, &block.guess, &block.residuals, &block.changes})
            for (Slot s : *slots) needed_[s] = true;
        for (const BlockEntry& e : block.entries) needed_[e.slot] = true;
        for (const auto& [kind, slot] : block.beside) needed_[slot] = true;
        for (std::size_t i : sections(block)) {
            const Section& s = program_.sections[i];
            std::fill_n(needed_.begin() + s.first, s.nodes.size(), true);
            visit(s);
        }
    }

    Block moved(Block b) const {
        for (auto* slots : {&b.unknowns, &b.guess, &b.residuals, &b.changes})
            for (Slot& s : *slots) s = place_[s];
        for (BlockEntry& e : b.entries) e.slot = place_[e.slot];
        for (auto& [kind, slot] : b.beside) slot = place_[slot];
        return b;
    }

    // Slots keep their order, so what is left of a group has consecutive ones.
    Section without_unneeded(const Section& section, Program& to) const {
        Section part;
        part.first = place_[section.first];
        for (std::size_t i = 0; i < section.nodes.size(); ++i)
            if (needed_[section.first + i]) part.nodes.push_back(section.nodes[i]);
        for (Slot cut : section.cuts)
            if (part.cuts.empty() || part.cuts.back() != place_[cut]) part.cuts.push_back(place_[cut]);
        for (const Group& g : section.groups) {
            std::vector<std::uint32_t> left;
            for (std::uint32_t i = 0; i < g.count; ++i)
                if (needed_[g.target + i]) left.push_back(i);
            if (left.empty()) continue;
            part.groups.push_back({g.op, static_cast<std::uint32_t>(left.size()), place_[g.target],
                                   static_cast<std::uint32_t>(to.operands.size())});
            for (int a = 0; a < arity(g.op); ++a)
                for (std::uint32_t i : left)
                    to.operands.push_back(
                        place_[program_.operands[g.operands + static_cast<std::uint32_t>(a) * g.count + i]]);
        }
        return part;
    }

    // Puts what is left of sections before that of another one, in the order in which they were evaluated.
    static void put_first(std::vector<std::size_t>& before, std::size_t other, Program& in) {
        Section all;
        before.push_back(other);
        for (std::size_t i : before) {
            Section& s = in.sections[i];
            if (s.nodes.empty()) continue;
            if (all.nodes.empty()) all.first = s.first;
            all.nodes.insert(all.nodes.end(), s.nodes.begin(), s.nodes.end());
            all.groups.insert(all.groups.end(), s.groups.begin(), s.groups.end());
            if (!all.cuts.empty() || s.first != all.first) all.cuts.push_back(s.first);
            all.cuts.insert(all.cuts.end(), s.cuts.begin(), s.cuts.end());
            s.nodes.clear(), s.groups.clear(), s.cuts.clear();
        }
        if (!all.nodes.empty()) in.sections[other] = std::move(all);
        before.clear();
    }

    const CompiledSystem& all_;
    const Program& program_;
    std::vector<bool> needed_; // by slot
    std::vector<char> kept_;   // by block
    std::vector<Slot> place_;  // by slot: where it moves to
    std::size_t slots_ = 0;    // that are needed
};

} // namespace

std::shared_ptr<const CompiledSystem> restricted(const CompiledSystem& all, const std::vector<std::size_t>& results) {
    return std::make_shared<const CompiledSystem>(Restriction(all, results).make(results));
}

} // namespace rattleback
