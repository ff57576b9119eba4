// How much a solve magnifies errors: an estimate of the condition number from factors that are there already.
#pragma once

#include "solve/dense.hpp"

#include <vector>

namespace rattleback::solve {

// The largest of |A^-1 x| / |x| in the 1-norm, found from a few solves (Hager 1984, Higham 1988; LAPACK's xLACON): a
// lower bound that is rarely off by more than a factor of three. inverse(x) and inverse_transposed(x) work in place.
template <class T, class Inverse, class Transposed>
T inverse_norm(int n, Inverse inverse, Transposed inverse_transposed) {
    const auto norm = [](const std::vector<T>& v) {
        T sum = 0;
        for (const T x : v) sum += real::abs(x);
        return sum;
    };
    std::vector<T> x(n, T(1) / T(n)), y, z;
    T estimate = 0;
    for (int round = 0, last = -1; round < 5; ++round) {
        y = x;
        inverse(y.data());
        estimate = std::max(estimate, norm(y));
        z.resize(n);
        for (int i = 0; i < n; ++i) z[i] = y[i] < T(0) ? T(-1) : T(1);
        inverse_transposed(z.data());
        int steepest = 0;
        T slope = 0;
        for (int i = 0; i < n; ++i) {
            if (real::abs(z[i]) > real::abs(z[steepest])) steepest = i;
            slope += z[i] * x[i];
        }
        if (steepest == last || !(real::abs(z[steepest]) > slope)) break;
        last = steepest;
        x.assign(n, T(0));
        x[steepest] = T(1);
    }
    // A vector that no structure of the matrix annihilates guards against a start that sees nothing.
    for (int i = 0; i < n; ++i) x[i] = (i % 2 ? T(-1) : T(1)) * (T(1) + T(i) / T(n > 1 ? n - 1 : 1));
    inverse(x.data());
    return std::max(estimate, T(2) * norm(x) / T(3 * n));
}

// The condition number of the row-equilibrated matrix, in the 1-norm: that is the matrix solve() works with, and the
// units of an equation do not enter. The matrix must have been factored.
template <class T> T condition(Dense<T>& factored) {
    const int n = factored.size();
    if (n <= 1) return T(1);
    T norm = 0;
    for (int j = 0; j < n; ++j) {
        T sum = 0;
        for (int i = 0; i < n; ++i) sum += real::abs(factored.at(i, j)) * factored.scale(i);
        norm = std::max(norm, sum);
    }
    const auto unscale = [&](T* x) {
        for (int i = 0; i < n; ++i) x[i] /= factored.scale(i);
    };
    return norm * inverse_norm<T>(
                      n,
                      [&](T* x) {
                          unscale(x);
                          factored.solve(x);
                      },
                      [&](T* x) {
                          factored.solve_transposed(x);
                          unscale(x);
                      });
}

} // namespace rattleback::solve
