// What the tests of linear algebra judge by: products in quad and closed forms, never another elimination.
#pragma once

#include "solve/linear.hpp"

#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace rattleback::solve {

// A sparse matrix as a list, each entry once.
template <class T> struct Matrix {
    int n = 0;
    Entries entries;
    std::vector<T> values;

    void add(int i, int j, T x) {
        entries.emplace_back(i, j);
        values.push_back(x);
    }
};

class Random {
  public:
    explicit Random(unsigned seed) : engine_(seed) {}
    int below(int n) { return static_cast<int>(engine_() % static_cast<unsigned>(n)); }
    double uniform() { return 2 * (engine_() / 4294967296.0) - 1; } // in [-1, 1)
    template <class T> T number() {                                 // all digits of T at random
        return T(uniform()) + T(uniform()) * T(0x1p-32) + T(uniform()) * T(0x1p-64) + T(uniform()) * T(0x1p-96);
    }

  private:
    std::mt19937 engine_; // the same numbers on every machine, which std's distributions do not promise
};

template <class T> Matrix<T> random_dense(int n, Random& random) {
    Matrix<T> a{n, {}, {}};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) a.add(i, j, random.number<T>());
    return a;
}

template <class T> Matrix<T> random_band(int n, int kl, int ku, Random& random) {
    Matrix<T> a{n, {}, {}};
    for (int i = 0; i < n; ++i)
        for (int j = std::max(0, i - kl); j <= std::min(n - 1, i + ku); ++j) a.add(i, j, random.number<T>());
    return a;
}

// Blocks of 2 x 2 on three diagonals; if `ring`, the last is coupled to the first.
template <class T> Matrix<T> random_chain(int n, bool ring, Random& random) {
    Matrix<T> a{n, {}, {}};
    const int blocks = n / 2;
    for (int i = 0; i < blocks; ++i)
        for (int step = -1; step <= 1; ++step) {
            const int j = ring ? (i + step + blocks) % blocks : i + step;
            for (int k = 0; k < 4 && j >= 0 && j < blocks; ++k) a.add(2 * i + k / 2, 2 * j + k % 2, random.number<T>());
        }
    return a;
}

// Random places, and a full diagonal in places that a permutation hides.
template <class T> Matrix<T> random_scattered(int n, int per_row, Random& random) {
    Matrix<T> a{n, {}, {}};
    for (int i = 0; i < n; ++i) {
        std::vector<int> columns{(i * 7 + 3) % n};
        for (int k = 1; k < per_row; ++k) columns.push_back(random.below(n));
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        for (const int j : columns) a.add(i, j, random.number<T>());
    }
    return a;
}

template <class T> std::vector<T> random_vector(int n, Random& random) {
    std::vector<T> v(n);
    for (T& x : v) x = random.number<T>();
    return v;
}

// The solvers behind one door.
template <class T> void fill(Dense<T>& solver, const Matrix<T>& a) {
    solver.resize(a.n);
    for (std::size_t k = 0; k < a.values.size(); ++k) solver.at(a.entries[k].first, a.entries[k].second) = a.values[k];
}
template <class T> void fill(Tridiagonal<T>& solver, const Matrix<T>& a) {
    solver.resize(a.n);
    for (std::size_t k = 0; k < a.values.size(); ++k) solver.at(a.entries[k].first, a.entries[k].second) = a.values[k];
}
template <class T> void refill(Sparse<T>& solver, const Matrix<T>& a) {
    solver.clear();
    for (std::size_t k = 0; k < a.values.size(); ++k) solver.values()[solver.slots()[k]] = a.values[k];
}
template <class T> void fill(Sparse<T>& solver, const Matrix<T>& a) {
    solver = Sparse<T>(a.n, a.entries);
    refill(solver, a);
}

template <class Solver, class T> std::vector<T> solution(Solver& solver, const Matrix<T>& a, std::vector<T> b) {
    fill(solver, a);
    const Outcome outcome = solver.factor();
    EXPECT_TRUE(outcome.ok) << "at " << outcome.index;
    EXPECT_EQ(outcome.index, -1);
    solver.solve(b.data());
    return b;
}

// By how much, in eps, the rows of a matrix would have to change for x to be the exact solution.
template <class T> double backward_error(const Matrix<T>& a, const std::vector<T>& x, const std::vector<T>& b) {
    std::vector<quad> rest(b.begin(), b.end()), size(a.n, quad(0));
    quad largest = 0;
    for (const T& v : x) largest = std::max(largest, real::abs(quad(v)));
    for (std::size_t k = 0; k < a.values.size(); ++k) {
        const auto [i, j] = a.entries[k];
        rest[i] -= quad(a.values[k]) * quad(x[j]);
        size[i] = std::max(size[i], real::abs(quad(a.values[k])));
    }
    quad worst = 0;
    for (int i = 0; i < a.n; ++i) {
        const quad relative = real::abs(rest[i]) / (size[i] * largest + real::abs(quad(b[i])));
        if (!(relative <= worst)) worst = relative; // takes a NaN as well
    }
    return static_cast<double>(worst / quad(Real<T>::epsilon));
}

template <class T> double difference(const std::vector<T>& x, const std::vector<T>& y) {
    T worst = 0, largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        worst = std::max(worst, real::abs(x[i] - y[i]));
        largest = std::max(largest, real::abs(y[i]));
    }
    return static_cast<double>(worst / largest);
}

// Bounds are twice what was measured; the measured number goes to the test's record.
inline void expect_within(double measured, double bound, const std::string& what) {
    EXPECT_LE(measured, bound) << what;
    std::ostringstream text;
    text << measured;
    ::testing::Test::RecordProperty(what, text.str());
}

} // namespace rattleback::solve
