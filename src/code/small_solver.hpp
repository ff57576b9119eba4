// How a block's matrix is solved: as SystemSolver<double> does, by its inverse.
#pragma once

#include "code/listing.hpp"
#include "solve/small_inverse.hpp"

#include <rattleback/solve.hpp>

namespace rattleback::code {

class SmallSolver {
  public:
    static constexpr int most = solve::most_inverted; // unknowns

    SmallSolver(Listing& listing, const Block& block)
        : n_(static_cast<int>(block.unknowns.size())), linear_(block.linear) {
        for (const BlockEntry& e : block.entries) matrix_.given[e.row][e.column] = true;
        for (int i = 0; i < n_ * n_; ++i) inverse_.emplace_back(listing, number(listing, 0));
    }

    // Of the matrix (row-major); of one unknown, the matrix itself. Lanes of `where` in which that loses too much are
    // added to `trouble`: the tape looks for pivots.
    std::vector<Number> inverse(const std::vector<Number>& a, const Mask& where, const Variable<Mask>& trouble) {
        if (n_ == 1) { // divided by: one unknown alone waits for nothing else
            const Mask bad = ~(magnitude(a[0]) <= Real<double>::largest) | (a[0] == 0.0);
            trouble.set(trouble.get() | (bad & where));
            return a;
        }
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) matrix_.a[at(i)][at(j)] = a[at(i * n_ + j)];
        const Mask bad = solve::with_size(n_, [&]<int n>() { return matrix_.template invert_directly<n>(); });
        trouble.set(trouble.get() | (bad & where));
        std::vector<Number> result;
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) result.push_back(matrix_.a[at(i)][at(n_ + j)]);
        return result;
    }
    const std::vector<Variable<Number>>& variables() const { return inverse_; } // where it is kept

    // Where a linear system is not solved well enough after one refinement, its lanes are added to `trouble`.
    std::vector<Number> solve(const std::vector<Number>& b, const Variable<Mask>& trouble) {
        if (n_ == 1) return {b[0] / inverse_[0].get()};
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) matrix_.a[at(i)][at(n_ + j)] = inverse_[at(i * n_ + j)].get();
        std::vector<Number> x = product(b);
        if (!linear_) return x;
        std::vector<Number> rest(x.size());
        const Mask bad =
            solve::with_size(n_, [&]<int n>() { return matrix_.template rest_of<n>(b.data(), x.data(), rest.data()); });
        trouble.set(trouble.get() | bad);
        const std::vector<Number> correction = product(rest);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + correction[i];
        return x;
    }

  private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    std::vector<Number> product(const std::vector<Number>& b) const {
        std::vector<Number> x;
        for (int i = 0; i < n_; ++i)
            x.push_back(solve::with_size(n_, [&]<int n>() { return matrix_.template row_times<n>(i, b.data()); }));
        return x;
    }

    int n_;
    bool linear_;
    solve::SmallInverse<Number> matrix_;
    std::vector<Variable<Number>> inverse_;
};

} // namespace rattleback::code
