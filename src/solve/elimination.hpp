// LU in an order of pivots that is fixed before any number is known, so that the operations are a list. The tape runs
// through the list, machine code has it unrolled, in any number of lanes; all is written over any arithmetic of
// src/expr/elementary.hpp and gives the same bits.
//
// factor() checks that no pivot is small beside its row, and no row beside what it was. Where one is, that matrix is
// factored with a search for pivots instead: src/solve/linear.hpp.
//
// Ablation: machine code needs it for blocks of 9 to 40 unknowns, which would stay on the tape. There, dense or sparse
// LU instead takes 1.21 times the instructions on andrews_squeezer (rattle), 1.03 on rattleback (nh_gauss), 0.87 on
// fput.
#pragma once

#include <array>
#include <vector>

#include "expr/elementary.hpp"
#include "solve/sparse.hpp"

namespace rattleback::solve {

constexpr int most_eliminated = 40; // unknowns

class Elimination {
  public:
    Elimination() = default;
    // Rows and columns in the order of the pivots. `units`: see Block::units.
    Elimination(int n, const Entries& entries, const std::vector<double>& units = {});

    int size() const { return static_cast<int>(pivots_.size()); }
    std::size_t places() const { return places_; } // entries of the matrix with its fill-in
    std::size_t place(std::size_t entry) const { return entry_[entry]; }
    std::size_t operations() const { return operations_; } // of a factorization

    // Replaces the matrix (0 at the places of the fill-in) by its factors. The mask says where a check failed.
    template <class N> [[gnu::always_inline]] inline auto factor(N* a, N* inverse) const {
        using elementary::fused, elementary::magnitude, elementary::without;
        std::array<N, most_eliminated> size; // sums of magnitudes of the rows that will change
        for (std::size_t k = 0; k < pivots_.size(); ++k) {
            if (pivots_[k].lower.empty()) continue;
            const std::vector<Weighed>& given = pivots_[k].given;
            size[k] = of(a, given[0]);
            for (std::size_t i = 1; i < given.size(); ++i) size[k] = size[k] + of(a, given[i]);
        }
        const auto everywhere = (a[0] == a[0]) | (a[0] != a[0]);
        auto good = everywhere;
        for (std::size_t k = 0; k < pivots_.size(); ++k) {
            const Pivot& p = pivots_[k];
            const N pivot = magnitude(a[p.place]);
            N left = pivot;
            for (const Weighed& u : p.right) left = left + of(a, u);
            // The last two conditions, since products of rows of very different scales could over- or underflow.
            good = good & (pivot >= 0x1p-20 * left) & (left <= 0x1p400) & (pivot >= 0x1p-400);
            if (!p.lower.empty()) good = good & (left >= 0x1p-20 * size[k]);
            inverse[k] = 1.0 / a[p.place];
            const N minus = -inverse[k];
            for (const Row& row : p.rows) {
                const N factor = a[row.place] * minus;
                a[row.place] = factor;
                for (const Update& u : row.updates) a[u.target] = fused(factor, a[u.upper], a[u.target]);
            }
        }
        return without(everywhere, good);
    }

    template <class N> [[gnu::always_inline]] inline void solve(const N* a, const N* inverse, N* x) const {
        using elementary::fused;
        for (std::size_t i = 0; i < pivots_.size(); ++i)
            for (const Factor& l : pivots_[i].lower) x[i] = fused(a[l.place], x[l.other], x[i]);
        std::array<N, most_eliminated> minus; // x
        for (std::size_t i = pivots_.size(); i-- > 0;) {
            for (const Factor& u : pivots_[i].upper) x[i] = fused(a[u.place], minus[u.other], x[i]);
            x[i] = x[i] * inverse[i];
            minus[i] = -x[i];
        }
    }

    // The residual b - A x, with the entries of the matrix as they were given. The mask says where it is too large for
    // one refinement.
    template <class N>
    [[gnu::always_inline]] inline auto rest_of(const N* entries, const N* b, const N* x, N* rest) const {
        using elementary::fused, elementary::magnitude, elementary::without;
        std::array<N, most_eliminated> size;
        for (std::size_t i = 0; i < pivots_.size(); ++i) rest[i] = b[i], size[i] = magnitude(b[i]);
        for (std::size_t k = 0; k < at_.size(); ++k) {
            const auto [i, j] = at_[k];
            rest[i] = fused(-entries[k], x[j], rest[i]);
            size[i] = fused(magnitude(entries[k]), magnitude(x[j]), size[i]);
        }
        const auto everywhere = (b[0] == b[0]) | (b[0] != b[0]);
        auto good = everywhere;
        for (std::size_t i = 0; i < pivots_.size(); ++i) {
            const N left = magnitude(rest[i]);
            good = good & (left <= 0x1p-27 * size[i]);
        }
        return without(everywhere, good);
    }

  private:
    struct Update {
        std::uint32_t target, upper;
    };
    struct Weighed { // an entry of a pivot's row
        std::uint32_t place;
        double unit; // of its unknown, in that of the pivot's
    };
    template <class N> [[gnu::always_inline]] static inline N of(const N* a, const Weighed& entry) {
        using elementary::magnitude;
        return entry.unit == 1 ? magnitude(a[entry.place]) : magnitude(a[entry.place]) * entry.unit;
    }
    struct Row { // below a pivot
        std::uint32_t place;
        std::vector<Update> updates;
    };
    struct Factor {
        std::uint32_t place, other; // the column
    };
    struct Pivot {
        std::uint32_t place;
        std::vector<Weighed> given, right; // entries of its row: of the matrix, and right of the pivot
        std::vector<Row> rows;
        std::vector<Factor> lower, upper; // of its row
    };
    std::size_t places_ = 0, operations_ = 0;
    std::vector<std::pair<int, int>> at_; // the entries
    std::vector<std::uint32_t> entry_;    // their places
    std::vector<Pivot> pivots_;
};

// The factorization on the tape, compiled for fused multiply-add instructions where the CPU has them.
class Eliminated {
  public:
    Eliminated() = default;
    Eliminated(int n, const Entries& entries, const std::vector<double>& units = {})
        : list_(n, entries, units), entries_(entries.size()), factors_(list_.places()),
          inverse_(static_cast<std::size_t>(n)), right_(inverse_), rest_(inverse_) {}

    bool factor(const double* entries); // false: the order does not fit these numbers
    // `linear`: with one refinement. False: that is not enough.
    bool solve(bool linear, double* x);

  private:
    Elimination list_;
    std::vector<double> entries_, factors_, inverse_, right_, rest_;
};

} // namespace rattleback::solve
