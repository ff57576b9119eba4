#include "solve/system.hpp"

#include <algorithm>

namespace rattleback {

bool reads(const CompiledSystem& system, std::size_t first, std::size_t count) {
    const auto is_one = [=](Slot slot) { return slot >= first && slot - first < count; };
    const auto has = [&](const std::vector<Slot>& slots) { return std::any_of(slots.begin(), slots.end(), is_one); };
    return has(system.program.operands) || std::any_of(system.blocks.begin(), system.blocks.end(), [&](const Block& b) {
               const auto is_entry = [&](const BlockEntry& e) { return is_one(e.slot); };
               const auto is_beside = [&](const auto& given) { return is_one(given.second); };
               return has(b.guess) || has(b.residuals) || has(b.changes) ||
                      std::any_of(b.entries.begin(), b.entries.end(), is_entry) ||
                      std::any_of(b.beside.begin(), b.beside.end(), is_beside);
           });
}

} // namespace rattleback
