// Whether the residuals of a block are no more than round-off of what they are computed from: asked where Newton's
// method stagnates. The largest of all values says little of one equation, in whose units it need not be.
#pragma once

#include <algorithm>
#include <array>

#include "solve/newton_rules.hpp"

namespace rattleback::solve {

// What is added in an instruction: the operands from here on. None: it is no sum.
inline int first_term(Op op) { return op >= Op::fma ? 2 : op == Op::add || op == Op::sub ? 0 : arity(op); }

template <class T> class RoundOff {
  public:
    // `slots`: the residuals have been evaluated there, by the tape.
    RoundOff(const CompiledSystem& system, const Block& block, T* slots)
        : program_(system.program), block_(block), sections_{block.before, block.residual}, slots_(slots) {}

    // Of the terms that residuals are sums of, those that the block's sections compute: machine code looks at these.
    T largest_term() const {
        T largest = 0;
        std::vector<bool> is_residual(program_.slots, false);
        for (Slot r : block_.residuals) is_residual[r] = true;
        for (std::size_t i : sections_)
            for (const Group& g : program_.sections[i].groups)
                for (std::uint32_t k = 0; k < g.count; ++k) {
                    if (!is_residual[g.target + k]) continue;
                    for (int a = first_term(g.op); a < arity(g.op); ++a) {
                        const Slot o = program_.operands[g.operands + k + static_cast<std::uint32_t>(a) * g.count];
                        if (is_computed(o)) largest = std::max(largest, real::abs(slots_[o]));
                    }
                }
        return largest;
    }

    // Whether each residual is no larger than what becomes of it when all that it is computed from changes in its last
    // digits. `begin` sets the unknowns to where the residuals were evaluated. The slots keep their values.
    template <class Begin> bool explains(Begin begin) const {
        const std::vector<T> values(slots_, slots_ + program_.slots);
        std::vector<bool> fixed(values.size(), false);
        for (const auto& [slot, value] : program_.constants) fixed[slot] = true;
        for (std::size_t i = 0; i < values.size(); ++i) fixed[i] = fixed[i] || is_computed(static_cast<Slot>(i));
        constexpr int more = 1 << 10; // than the last digit, so that rounding does not hide what becomes of it
        std::vector<T> change(block_.residuals.size(), T(0));
        std::uint32_t random = 1;
        for (int round = 0; round < 4; ++round) {
            begin();
            for (std::size_t i = 0; i < values.size(); ++i) {
                random = random * 1664525u + 1013904223u;
                const T part = T(static_cast<double>(random >> 8) / (1 << 23) - 1);
                if (!fixed[i]) slots_[i] += part * (more * Real<T>::epsilon) * slots_[i];
            }
            for (std::size_t i : sections_) execute(program_, program_.sections[i], slots_);
            for (std::size_t i = 0; i < change.size(); ++i) {
                const Slot r = block_.residuals[i];
                change[i] = std::max(change[i], real::abs(slots_[r] - values[r]));
            }
            std::copy(values.begin(), values.end(), slots_);
        }
        for (std::size_t i = 0; i < change.size(); ++i)
            if (!is_round_off<T>(real::abs(values[block_.residuals[i]]), change[i] / (more * Real<T>::epsilon)))
                return false;
        return true;
    }

  private:
    bool is_computed(Slot slot) const {
        return std::any_of(sections_.begin(), sections_.end(), [&](std::size_t i) {
            const Section& s = program_.sections[i];
            return slot >= s.first && slot - s.first < s.nodes.size();
        });
    }

    const Program& program_;
    const Block& block_;
    std::array<std::size_t, 2> sections_;
    T* slots_;
};

} // namespace rattleback::solve
