// Newton's method from other starting values, where it fails from those it was given. It fails at a multiple root: of
// l^3 = c, where l = 0 is the last value known, the first increment is c/0.
//
// For unknowns that have one solution it does not matter where the search for it begins. That there is but one is the
// assumption of McLachlan, Modin, Verdier and Wilkins (2014, Prop. 4) on multipliers, and is looked at here: all
// searches that end must end at the same place.
#include "solve/system.hpp"

#include <algorithm>

namespace rattleback {
namespace {

// How far beside the given values: powers of ten, since multipliers come in any unit. Newton's method approaches l^3 =
// c from far by a factor of 2/3 an iteration.
constexpr int powers = 6;

// Whether two solutions of a block differ by more than round-off makes of a triple root, beside the largest of a kind.
template <class T> bool are_apart(const Block& block, const std::vector<T>& one, const std::vector<T>& other) {
    static const T relative = real::pow(Real<T>::epsilon, T(1) / T(3));
    std::vector<T> size(block.kinds, T(0));
    for (std::size_t i = 0; i < one.size(); ++i)
        size[block.kind[i]] = std::max({size[block.kind[i]], real::abs(one[i]), real::abs(other[i])});
    for (std::size_t i = 0; i < one.size(); ++i)
        if (!(real::abs(one[i] - other[i]) <= relative * size[block.kind[i]] + Real<T>::epsilon)) return true;
    return false;
}

} // namespace

template <class T> bool SystemSolver<T>::restart(const Block& block, BlockState& state, Report& report) {
    const std::size_t first = compiled_->restarts.first, count = compiled_->restarts.count;
    if (count == 0 || (report.status != Report::singular && report.status != Report::newton_failed)) return false;
    T* const start = slots_.data() + first;
    const std::vector<T> known(start, start + count);
    const auto search = [&](const T& beside) {
        for (std::size_t i = 0; i < count; ++i) start[i] = known[i] + beside;
        Report mine;
        const bool solved = solve_block(block, state, mine);
        report.newton_iterations += mine.newton_iterations, report.newton_solves += mine.newton_solves;
        std::copy(known.begin(), known.end(), start);
        return solved;
    };
    std::vector<T> one;
    T from = 0;
    for (int power = -powers; power <= powers; ++power)
        for (const T& direction : {T(1), T(-1)}) {
            const T beside = direction * real::pow(T(10), T(power));
            if (!search(beside)) continue;
            std::vector<T> other;
            for (const Slot s : block.unknowns) other.push_back(slots_[s]);
            if (one.empty()) one = other, from = beside;
            if (are_apart(block, one, other)) return false; // the failure that led here is the answer
        }
    if (one.empty()) return false;
    report.fail({});
    return search(from);
}

#define RATTLEBACK_INSTANTIATE(T) template bool SystemSolver<T>::restart(const Block&, BlockState&, Report&);
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
