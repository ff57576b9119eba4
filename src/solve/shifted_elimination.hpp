// LU of (shift - S), S sparse and real, shift complex, in an order of pivots on the diagonal that only looks at the
// pattern, so that the operations are a list, as in src/solve/elimination.hpp. Entries off the diagonal stay real until
// elimination reaches them. Second-order equations need no more: of q' = p, p' = g(q) it eliminates the rows of q by
// one product each, and what is left has half the size.
//
// Without a search for pivots: where a pivot is small beside its row, or a row beside what it was, factor() says so.
#pragma once

#include <cstdint>

#include "solve/complex.hpp"
#include "solve/newton_rules.hpp"
#include "solve/sparse.hpp"

namespace rattleback::solve {

class ShiftedElimination {
  public:
    ShiftedElimination() = default;
    ShiftedElimination(int n, const Entries& entries);

    std::size_t size() const { return pivots_.size(); }
    std::size_t places() const { return places_; } // complex numbers of the factors
    std::size_t operations() const { return operations_; }
    std::size_t operations_to_solve() const { return to_solve_; }

    // a: the factors, inverse: those of the pivots. The mask says where a check failed.
    template <class N>
    [[gnu::always_inline]] inline auto factor(const Complex<N>& shift, const N* entries, Complex<N>* a,
                                              Complex<N>* inverse) const {
        for (std::size_t k = 0; k < entry_.size(); ++k) a[entry_[k]].re = -entries[k];
        for (const Pivot& p : pivots_) {
            a[p.place].re = p.given ? shift.re + a[p.place].re : shift.re;
            a[p.place].im = shift.im;
        }
        const auto everywhere = (shift.re == shift.re) | (shift.re != shift.re);
        auto good = everywhere;
        for (std::size_t k = 0; k < pivots_.size(); ++k) {
            const Pivot& p = pivots_[k];
            const N pivot = magnitude_of(a[p.place], true);
            N left = pivot, before = magnitude(shift.re) + magnitude(shift.im);
            for (const Known& u : p.right) left = left + magnitude_of(a[u.place], u.complex);
            good = good & (pivot >= 0x1p-20 * left) & (left <= 0x1p400);
            if (p.changes) {
                for (std::uint32_t e : p.entries) before = before + magnitude(entries[e]);
                good = good & (left >= 0x1p-20 * before);
            }
            inverse[k] = a[p.place].inverse();
            const Complex<N> minus = -inverse[k];
            for (const Row& row : p.rows) {
                Complex<N>& l = a[row.factor.place];
                l = times(minus, l, row.factor.complex);
                for (const Update& u : row.updates) update(a[u.target.place], l, a[u.upper.place], u);
            }
        }
        return without(everywhere, good);
    }

    // (shift - S) x = b, in place.
    template <class N>
    [[gnu::always_inline]] inline void solve(const Complex<N>* a, const Complex<N>* inverse, Complex<N>* x) const {
        for (std::size_t k = 0; k < pivots_.size(); ++k)
            for (const Row& row : pivots_[k].rows)
                x[row.row] = product_and_sum(a[row.factor.place], x[pivots_[k].row], x[row.row]);
        for (std::size_t k = pivots_.size(); k-- > 0;) {
            Complex<N>& y = x[pivots_[k].row];
            for (const Known& u : pivots_[k].right) {
                const Complex<N> minus = -x[u.column];
                y = u.complex ? product_and_sum(a[u.place], minus, y) : product_and_sum(minus, a[u.place].re, y);
            }
            y = y * inverse[k];
        }
    }

  private:
    struct Known { // complex: its imaginary part is there, too
        std::uint32_t place;
        bool complex;
        std::uint32_t column = 0;
    };
    struct Update {
        Known target, upper;
        bool fills; // there was nothing
    };
    struct Row { // below a pivot
        std::uint32_t row;
        Known factor;
        std::vector<Update> updates;
    };
    struct Pivot {
        std::uint32_t row, place;
        bool given = false, changes = false; // S has the entry; rows before have changed this one
        std::vector<std::uint32_t> entries;  // of S, in its row
        std::vector<Known> right;
        std::vector<Row> rows;
    };

    template <class N> [[gnu::always_inline]] static inline N magnitude_of(const Complex<N>& x, bool complex) {
        return complex ? magnitude(x.re) + magnitude(x.im) : magnitude(x.re);
    }
    template <class N>
    [[gnu::always_inline]] static inline Complex<N> times(const Complex<N>& x, const Complex<N>& y, bool complex) {
        return complex ? x * y : Complex<N>{x.re * y.re, x.im * y.re};
    }
    template <class N>
    [[gnu::always_inline]] static inline void update(Complex<N>& x, const Complex<N>& l, const Complex<N>& u,
                                                     const Update& how) {
        if (how.fills)
            x = times(l, u, how.upper.complex);
        else if (how.target.complex)
            x = how.upper.complex ? product_and_sum(l, u, x) : product_and_sum(l, u.re, x);
        else if (how.upper.complex)
            x = {product_and_sum(-l.im, u.im, product_and_sum(l.re, u.re, x.re)),
                 product_and_sum(l.im, u.re, l.re * u.im)};
        else
            x = {product_and_sum(l.re, u.re, x.re), l.im * u.re};
    }

    std::size_t places_ = 0, operations_ = 0, to_solve_ = 0;
    std::vector<std::uint32_t> entry_; // places
    std::vector<Pivot> pivots_;
};

} // namespace rattleback::solve
