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
        place_.resize(program_.slots + 1);
        for (std::size_t s = 0; s < program_.slots; ++s) place_[s + 1] = place_[s] + needed_[s];
    }

    CompiledSystem make(const std::vector<std::size_t>& results) const {
        CompiledSystem part{all_.graph, {}, all_.given, {}, all_.after, {}, all_.roots};
        part.divides_by = all_.divides_by, part.restarts = all_.restarts;
        for (std::size_t i : results) part.results.push_back(place_[all_.results[i]]);
        for (std::size_t b = 0; b < all_.blocks.size(); ++b)
            if (kept_[b]) part.blocks.push_back(moved(all_.blocks[b]));
        part.program.slots = place_.back();
        for (const auto& [slot, value] : program_.constants)
            if (needed_[slot]) part.program.constants.emplace_back(place_[slot], value);
        for (const Section& s : program_.sections) add(s, part.program);
        return part;
    }

  private:
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

    bool is_needed(const Block& block) const {
        const auto is = [&](Slot s) { return needed_[s]; };
        return std::any_of(block.unknowns.begin(), block.unknowns.end(), is) || [&] {
            for (std::size_t i : sections(block)) {
                const auto first = needed_.begin() + program_.sections[i].first;
                const auto last = first + static_cast<std::ptrdiff_t>(program_.sections[i].nodes.size());
                if (std::find(first, last, true) != last) return true;
            }
            return false;
        }();
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
    void add(const Section& section, Program& to) const {
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
        to.sections.push_back(std::move(part));
    }

    const CompiledSystem& all_;
    const Program& program_;
    std::vector<bool> needed_; // by slot
    std::vector<char> kept_;   // by block
    std::vector<Slot> place_;  // by slot: how many needed ones come before it, which is where it moves to
};

} // namespace

std::shared_ptr<const CompiledSystem> restricted(const CompiledSystem& all, const std::vector<std::size_t>& results) {
    return std::make_shared<const CompiledSystem>(Restriction(all, results).make(results));
}

} // namespace rattleback
