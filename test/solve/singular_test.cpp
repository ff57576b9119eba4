// Matrices that cannot be solved: said so, with the place, and without a crash.
#include "linear_oracle.hpp"

#include <algorithm>
#include <limits>

namespace rattleback::solve {
namespace {

template <class T> class SingularTest : public ::testing::Test {};
using Scalars = ::testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(SingularTest, Scalars);

template <class Solver, class T> void expect_singular(Matrix<T> a, int row, int column) {
    Solver solver;
    fill(solver, a);
    const Outcome outcome = solver.factor();
    EXPECT_FALSE(outcome.ok);
    EXPECT_GE(outcome.index, 0);
    EXPECT_LT(outcome.index, a.n);
    const int expected = std::max(row, column); // neither given: any will do
    EXPECT_TRUE(expected < 0 || outcome.index == expected) << outcome.index << " instead of " << expected;
    EXPECT_EQ(outcome.is_row, row >= 0);
    std::vector<T> b(a.n, T(1));
    solver.solve(b.data()); // anything but a crash
}

// A matrix of each kind with one number replaced, or a line of them.
template <class T, class Change> void expect_all_singular(int n, int row, int column, Change change) {
    Random random(6);
    Matrix<T> dense = random_dense<T>(n, random), band = random_band<T>(n, 2, 2, random);
    Matrix<T> scattered = random_scattered<T>(n, 4, random), three = random_band<T>(n, 1, 1, random);
    for (Matrix<T>* a : {&dense, &band, &scattered, &three}) change(*a);
    expect_singular<Tridiagonal<T>>(three, row, column);
    expect_singular<Dense<T>>(dense, row, column);
    expect_singular<Sparse<T>>(band, row, column);
    expect_singular<Sparse<T>>(dense, row, column);
    expect_singular<Sparse<T>>(scattered, row, column);
}

TYPED_TEST(SingularTest, zero_rows_and_columns_are_named) {
    using T = TypeParam;
    for (const int n : {3, 8, 13, 40})
        for (const int line : {0, n / 2, n - 1}) {
            expect_all_singular<T>(n, line, -1, [&](Matrix<T>& a) {
                for (std::size_t k = 0; k < a.values.size(); ++k)
                    if (a.entries[k].first == line) a.values[k] = T(0);
            });
            expect_all_singular<T>(n, -1, line, [&](Matrix<T>& a) {
                for (std::size_t k = 0; k < a.values.size(); ++k)
                    if (a.entries[k].second == line) a.values[k] = T(0);
            });
        }
}

TYPED_TEST(SingularTest, equal_rows_are_singular) {
    using T = TypeParam;
    Random random(7);
    for (const int n : {2, 3, 7, 10, 25})
        for (int trial = 0; trial < 20; ++trial) {
            Matrix<T> a = random_dense<T>(n, random);
            const int from = random.below(n), to = (from + 1 + random.below(n - 1)) % n;
            for (int j = 0; j < n; ++j) a.values[to * n + j] = T(4) * a.values[from * n + j];
            expect_singular<Dense<T>>(a, -1, -1);
            expect_singular<Sparse<T>>(a, -1, -1);
        }
}

TYPED_TEST(SingularTest, what_is_not_finite_is_refused) {
    using T = TypeParam;
    const T infinity = std::numeric_limits<double>::infinity();
    for (const T bad : {T(std::numeric_limits<double>::quiet_NaN()), infinity, -infinity})
        for (const int n : {3, 8, 13})
            for (const int row : {0, n - 1})
                expect_all_singular<T>(n, row, -1, [&](Matrix<T>& a) {
                    std::size_t k = 0;
                    while (a.entries[k].first != row) ++k;
                    a.values[k] = bad;
                });
    expect_singular<Dense<T>>(Matrix<T>{1, {{0, 0}}, {infinity}}, 0, -1);
    expect_singular<Dense<T>>(Matrix<T>{2, {{0, 0}, {1, 1}}, {T(1), -infinity}}, 1, -1);
}

TYPED_TEST(SingularTest, small_and_structurally_singular_matrices_are_refused) {
    using T = TypeParam;
    expect_singular<Dense<T>>(Matrix<T>{1, {{0, 0}}, {T(0)}}, 0, -1);
    expect_singular<Dense<T>>(Matrix<T>{2, {{0, 0}, {1, 0}}, {T(1), T(1)}}, -1, 1);
    expect_singular<Dense<T>>(Matrix<T>{2, {{0, 1}, {1, 1}}, {T(1), T(1)}}, -1, 0);
    expect_singular<Sparse<T>>(Matrix<T>{3, {{0, 0}, {1, 2}, {2, 0}, {2, 2}}, {T(1), T(1), T(1), T(1)}}, -1, 1);
    expect_singular<Sparse<T>>(Matrix<T>{3, {{0, 0}, {0, 1}, {2, 2}}, {T(1), T(1), T(1)}}, 1, -1);
}

} // namespace
} // namespace rattleback::solve
