// Writes the solution of a block's linear systems as straight-line code, with the bits of SystemSolver<double>: by the
// inverse of a small matrix, or by an elimination with a fixed pivot order.
#pragma once

#include "code/listing.hpp"
#include "solve/elimination.hpp"
#include "solve/small_inverse.hpp"

#include "solve/system.hpp"

namespace rattleback::code {

class BlockSolver {
  public:
    BlockSolver(Listing& listing, const Block& block)
        : n_(static_cast<int>(block.unknowns.size())), linear_(block.linear), block_(block) {
        if (block.ordered) list_ = elimination(block);
        const std::size_t kept = block.ordered ? list_.places() + at(n_) : at(n_ * n_);
        for (std::size_t i = 0; i < kept; ++i) variables_.emplace_back(listing, number(listing, 0));
        if (!block.ordered)
            for (const BlockEntry& e : block.entries) matrix_.given[e.row][e.column] = true;
        if (!block.ordered) std::copy(block.units.begin(), block.units.end(), matrix_.unit.begin());
    }

    static solve::Elimination elimination(const Block& block) {
        solve::Entries entries;
        for (const BlockEntry& e : block.entries)
            entries.emplace_back(static_cast<int>(e.row), static_cast<int>(e.column));
        return {static_cast<int>(block.unknowns.size()), entries, block.units};
    }

    // The inverse or the LU factors of the matrix with these entries; of one unknown, the entry itself. Lanes of
    // `where` in which a pivot is too small are added to `trouble`: the tape then searches for pivots.
    std::vector<Number> prepare(const std::vector<Number>& entries, const Mask& where, const Variable<Mask>& trouble) {
        if (n_ == 1) { // solve() divides: there is no other work that could hide the latency of a reciprocal
            const Mask bad = ~(magnitude(entries[0]) <= Real<double>::largest) | (entries[0] == 0.0);
            trouble.set(trouble.get() | (bad & where));
            return entries;
        }
        entries_ = entries;
        return block_.ordered ? factors(where, trouble) : inverse(where, trouble);
    }
    const std::vector<Variable<Number>>& variables() const { return variables_; } // for what prepare() returns

    // x with A x = b. Linear blocks have one step of iterative refinement; lanes in which its residual is too large are
    // added to `trouble`.
    std::vector<Number> solve(const std::vector<Number>& b, const Variable<Mask>& trouble) {
        if (n_ == 1) return {b[0] / variables_[0].get()};
        if (!block_.ordered)
            for (int i = 0; i < n_; ++i)
                for (int j = 0; j < n_; ++j) matrix_.a[at(i)][at(n_ + j)] = variables_[at(i * n_ + j)].get();
        std::vector<Number> x = once(b);
        if (!linear_) return x;
        std::vector<Number> rest(x.size());
        const Mask bad = block_.ordered ? list_.rest_of(entries_.data(), b.data(), x.data(), rest.data())
                                        : solve::with_size(n_, [&]<int n>() {
                                              return matrix_.template rest_of<n>(b.data(), x.data(), rest.data());
                                          });
        trouble.set(trouble.get() | bad);
        const std::vector<Number> correction = once(rest);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + correction[i];
        return x;
    }

  private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    std::vector<Number> inverse(const Mask& where, const Variable<Mask>& trouble) {
        const Number zero = number(where.listing(), 0);
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) matrix_.a[at(i)][at(j)] = zero;
        for (std::size_t k = 0; k < entries_.size(); ++k)
            matrix_.a[block_.entries[k].row][block_.entries[k].column] = entries_[k];
        const Mask bad = solve::with_size(n_, [&]<int n>() { return matrix_.template invert<n>(); });
        trouble.set(trouble.get() | (bad & where));
        std::vector<Number> result;
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) result.push_back(matrix_.a[at(i)][at(n_ + j)]);
        return result;
    }

    std::vector<Number> factors(const Mask& where, const Variable<Mask>& trouble) {
        std::vector<Number> result(list_.places() + at(n_), number(where.listing(), 0));
        for (std::size_t k = 0; k < entries_.size(); ++k) result[list_.place(k)] = entries_[k];
        const Mask bad = list_.factor(result.data(), result.data() + list_.places());
        trouble.set(trouble.get() | (bad & where));
        return result;
    }

    std::vector<Number> once(const std::vector<Number>& b) const {
        std::vector<Number> x;
        if (block_.ordered) {
            std::vector<Number> kept;
            for (const auto& v : variables_) kept.push_back(v.get());
            x = b;
            list_.solve(kept.data(), kept.data() + list_.places(), x.data());
        } else {
            for (int i = 0; i < n_; ++i)
                x.push_back(solve::with_size(n_, [&]<int n>() { return matrix_.template row_times<n>(i, b.data()); }));
        }
        return x;
    }

    int n_;
    bool linear_;
    const Block& block_;
    solve::SmallInverse<Number> matrix_;
    solve::Elimination list_;
    std::vector<Number> entries_;
    std::vector<Variable<Number>> variables_;
};

} // namespace rattleback::code
