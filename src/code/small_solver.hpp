// How a block's matrix is solved: as SystemSolver<double> does, by its inverse or by its factors.
#pragma once

#include "code/small_lu.hpp"
#include "solve/small_inverse.hpp"

namespace rattleback::code {

class SmallSolver {
  public:
    SmallSolver(Listing& listing, int n, bool linear) : listing_(&listing), n_(n) {
        if (linear || n < 2 || n > solve::most_inverted)
            lu_.emplace_back(listing, n);
        else
            for (int i = 0; i < n * n; ++i) inverse_.emplace_back(listing, number(listing, 0));
    }

    // See SmallLu.
    void factor(const std::vector<Number>& a, const Mask& renew, bool mixed, const Variable<Mask>& trouble) {
        if (!lu_.empty()) return lu_[0].factor(a, renew, mixed, trouble);
        solve::SmallInverse<Number> matrix;
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) matrix.a[at(i)][at(j)] = a[at(i * n_ + j)];
        const Mask bad = solve::with_size(n_, [&]<int n>() {
            if constexpr (n < 4)
                return matrix.template invert_directly<n>(); // where that loses too much, the tape eliminates
            else
                return matrix.template invert<n>(number(*listing_, 0), nowhere(*listing_));
        });
        trouble.set(trouble.get() | (bad & renew));
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) {
                const Number& x = matrix.a[at(i)][at(n_ + j)];
                const Variable<Number>& to = inverse_[at(i * n_ + j)];
                to.set(mixed ? select(renew, x, to.get()) : x);
            }
    }

    std::vector<Number> solve(const std::vector<Number>& b) const {
        if (!lu_.empty()) return lu_[0].solve(b);
        solve::SmallInverse<Number> matrix;
        for (int i = 0; i < n_; ++i)
            for (int j = 0; j < n_; ++j) matrix.a[at(i)][at(n_ + j)] = inverse_[at(i * n_ + j)].get();
        std::vector<Number> x;
        for (int i = 0; i < n_; ++i)
            x.push_back(solve::with_size(n_, [&]<int n>() { return matrix.template row_times<n>(i, b.data()); }));
        return x;
    }

  private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }

    Listing* listing_;
    int n_;
    std::vector<SmallLu> lu_; // one or none
    std::vector<Variable<Number>> inverse_;
};

} // namespace rattleback::code
