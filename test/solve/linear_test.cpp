// Dense, tridiagonal and sparse elimination, judged by residuals in quad and by solutions known in advance.
#include "expr/real_functions.hpp"
#include "linear_oracle.hpp"

#include <algorithm>
#include <numeric>

namespace rattleback::solve {
namespace {

template <class T> class LinearTest : public ::testing::Test {};
using Scalars = ::testing::Types<double, long double, quad>;
TYPED_TEST_SUITE(LinearTest, Scalars);

template <class T> Matrix<T> times_rows(Matrix<T> a, std::vector<T>& b, const std::vector<T>& factor) {
    for (std::size_t k = 0; k < a.values.size(); ++k) a.values[k] *= factor[a.entries[k].first];
    for (int i = 0; i < a.n; ++i) b[i] *= factor[i];
    return a;
}

// The largest backward error of a solver over rows of very different units.
template <class Solver, class T> double worst_error(const Matrix<T>& a, Random& random) {
    Solver solver;
    std::vector<T> b = random_vector<T>(a.n, random), units(a.n);
    for (T& u : units) u = real::pow(T(10), T(random.below(41) - 20));
    const Matrix<T> scaled = times_rows(a, b, units);
    return backward_error(scaled, solution(solver, scaled, b), b);
}

TYPED_TEST(LinearTest, dense_solutions_leave_residuals_of_round_off) {
    using T = TypeParam;
    Random random(1);
    double worst = 0;
    for (int n = 1; n <= 40; n += n < 12 ? 1 : 7)
        for (int trial = 0; trial < 20; ++trial)
            worst = std::max(worst, worst_error<Dense<T>>(random_dense<T>(n, random), random));
    expect_within(worst, 35, "dense"); // measured: 17.4
}

TYPED_TEST(LinearTest, tridiagonal_solutions_leave_residuals_of_round_off) {
    using T = TypeParam;
    Random random(12);
    double worst = 0;
    for (const int n : {1, 2, 3, 9, 30, 400, 1100})
        for (int trial = 0; trial < 20; ++trial) {
            const int beside = n > 1 ? 1 : 0;
            Matrix<T> a = random_band<T>(n, beside, beside, random); // with swaps: no diagonal is larger than others
            worst = std::max(worst, worst_error<Tridiagonal<T>>(a, random));
            for (std::size_t k = 0; k < a.values.size(); ++k)
                if (a.entries[k].first == a.entries[k].second) a.values[k] += T(3); // without
            worst = std::max(worst, worst_error<Tridiagonal<T>>(a, random));
        }
    expect_within(worst, 2.9, "tridiagonal"); // measured: 1.46
}

// One matrix after the other in the same solver, with and without swapped rows: nothing of the last one is left.
TYPED_TEST(LinearTest, tridiagonal_solvers_forget_the_matrix_before) {
    using T = TypeParam;
    Random random(13);
    constexpr int n = 50;
    Tridiagonal<T> used(n);
    for (int trial = 0; trial < 40; ++trial) {
        Matrix<T> a = random_band<T>(n, 1, 1, random);
        for (std::size_t k = 0; k < a.values.size() && trial % 3 > 0; ++k)
            if (a.entries[k].first == a.entries[k].second) a.values[k] += T(3); // no swaps
        std::vector<T> b = random_vector<T>(n, random);
        Tridiagonal<T> fresh;
        const std::vector<T> expected = solution(fresh, a, b);
        for (std::size_t k = 0; k < a.values.size(); ++k)
            used.at(a.entries[k].first, a.entries[k].second) = a.values[k];
        ASSERT_TRUE(used.factor().ok);
        used.solve(b.data());
        EXPECT_EQ(b, expected) << trial;
    }
}

TYPED_TEST(LinearTest, sparse_solutions_leave_residuals_of_round_off) {
    using T = TypeParam;
    Random random(3);
    double worst = 0;
    for (const int n : {1, 2, 5, 30, 100}) {
        worst = std::max(worst, worst_error<Sparse<T>>(random_scattered<T>(n, 4, random), random));
        worst = std::max(worst, worst_error<Sparse<T>>(random_dense<T>(std::min(n, 30), random), random));
    }
    for (const int n : {10, 40, 200}) {
        worst = std::max(worst, worst_error<Sparse<T>>(random_chain<T>(n, false, random), random));
        worst = std::max(worst, worst_error<Sparse<T>>(random_chain<T>(n, true, random), random));
    }
    expect_within(worst, 46, "sparse"); // measured: 22.9
}

// Zeros wherever a pivot is first looked for.
TYPED_TEST(LinearTest, permutations_are_solved_exactly) {
    using T = TypeParam;
    for (int n = 1; n <= 14; ++n)
        for (int shift = 0; shift < n; ++shift) {
            Matrix<T> a{n, {}, {}};
            std::vector<T> b(n), x(n);
            Dense<T> dense;
            Sparse<T> sparse;
            for (int i = 0; i < n; ++i) {
                a.add(i, (n - i + shift) % n, T(2));
                b[i] = T(2 * i + 2);
                x[(n - i + shift) % n] = T(i + 1);
            }
            EXPECT_EQ(solution(dense, a, b), x);
            EXPECT_EQ(solution(sparse, a, b), x);
        }
}

// scale * Hilbert, in integers: lcm(1 .. 2n - 1) / (i + j + 1).
template <class T> Matrix<T> hilbert(int n) {
    long long scale = 1;
    for (long long k = 1; k < 2 * n; ++k) scale = std::lcm(scale, k);
    Matrix<T> a{n, {}, {}};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) a.add(i, j, T(scale / (i + j + 1)));
    return a;
}

// |inverse of the Hilbert matrix|: products of binomial coefficients, which are exact here.
double inverse_hilbert(int n, int i, int j) {
    const auto choose = [](int m, int k) {
        double product = 1;
        for (int l = 1; l <= k; ++l) product = product * (m - k + l) / l;
        return product;
    };
    const double middle = choose(i + j, i);
    return (i + j + 1) * choose(n + i, n - j - 1) * choose(n + j, n - i - 1) * middle * middle;
}

// Of the matrix whose rows are scaled to a largest number in [1, 2): the 1-norms of it and of its inverse.
double hilbert_condition(int n) {
    const double scale = hilbert<double>(n).values[0];
    const auto row = [&](int i) { return scale * std::exp2(-std::floor(std::log2(scale / (i + 1)))); };
    double norm = 0, inverse = 0;
    for (int j = 0; j < n; ++j) {
        double column = 0, inverse_column = 0;
        for (int i = 0; i < n; ++i) {
            column += row(i) / (i + j + 1);
            inverse_column += inverse_hilbert(n, i, j) / row(j);
        }
        norm = std::max(norm, column);
        inverse = std::max(inverse, inverse_column);
    }
    return norm * inverse;
}

TYPED_TEST(LinearTest, ill_conditioned_solutions_are_off_by_the_condition_at_most) {
    using T = TypeParam;
    double worst = 0;
    for (int n = 2; n <= 10; ++n) {
        const double condition = hilbert_condition(n);
        if (condition * double(Real<T>::epsilon) > 1e-3) continue; // beyond what doubles can solve
        const Matrix<T> a = hilbert<T>(n);
        std::vector<T> x(n), b(n, T(0));
        for (int i = 0; i < n; ++i) x[i] = T(i % 2 ? -i : i + 1);
        for (std::size_t k = 0; k < a.values.size(); ++k) b[a.entries[k].first] += a.values[k] * x[a.entries[k].second];
        Dense<T> dense;
        Sparse<T> sparse;
        for (const auto& found : {solution(dense, a, b), solution(sparse, a, b)})
            worst = std::max(worst, difference(found, x) / (double(Real<T>::epsilon) * condition));
    }
    expect_within(worst, 0.11, "error over eps * condition"); // measured: 0.053
}

TEST(Dense, hilbert_matrices_in_quad_have_the_inverse_of_the_closed_form) {
    double worst = 0;
    for (int n = 2; n <= 10; ++n) {
        const Matrix<quad> a = hilbert<quad>(n);
        const quad scale = a.values[0];
        for (int j = 0; j < n; ++j) {
            std::vector<quad> unit(n, quad(0)), exact(n);
            unit[j] = scale;
            for (int i = 0; i < n; ++i) exact[i] = quad((i + j) % 2 ? -1 : 1) * quad(inverse_hilbert(n, i, j));
            Dense<quad> dense;
            worst = std::max(worst, difference(solution(dense, a, unit), exact));
        }
    }
    expect_within(worst, 2.8e-23, "relative error of the inverse"); // measured: 1.4e-23; the condition is 3e13
}

TYPED_TEST(LinearTest, rows_in_units_of_a_power_of_two_give_the_same_bits) {
    using T = TypeParam;
    Random random(4);
    const auto check = [&](auto solver, const Matrix<T>& a) {
        const std::vector<T> b = random_vector<T>(a.n, random);
        std::vector<T> units(a.n), scaled_b = b;
        for (T& u : units) u = real::pow(T(2), T(random.below(81) - 40));
        const std::vector<T> x = solution(solver, a, b);
        const Matrix<T> scaled = times_rows(a, scaled_b, units);
        EXPECT_EQ(x, solution(solver, scaled, scaled_b)) << a.n;
    };
    for (int n = 1; n <= 14; ++n) check(Dense<T>(), random_dense<T>(n, random));
    for (int n = 2; n <= 14; ++n) check(Tridiagonal<T>(), random_band<T>(n, 1, 1, random));
    for (int n = 4; n <= 60; n += 8) check(Sparse<T>(), random_chain<T>(n, true, random));
}

// The rows in another order and in units of no power of two.
template <class T> Matrix<T> rewritten(Matrix<T> a, std::vector<T>& b, Random& random) {
    std::vector<T> units(a.n), moved(a.n);
    for (T& u : units) u = T(0.1) + real::abs(random.number<T>());
    a = times_rows(a, b, units);
    std::vector<int> place(a.n);
    std::iota(place.begin(), place.end(), 0);
    for (int i = a.n - 1; i > 0; --i) std::swap(place[i], place[random.below(i + 1)]);
    for (auto& [row, column] : a.entries) row = place[row];
    for (int i = 0; i < a.n; ++i) moved[place[i]] = b[i];
    b = moved;
    return a;
}

// The condition number in the 1-norm of the matrix whose rows are scaled to a largest number in [1, 2).
template <class T> double condition(const Matrix<T>& a) {
    Dense<quad> dense(a.n);
    for (std::size_t k = 0; k < a.values.size(); ++k) dense.at(a.entries[k].first, a.entries[k].second) = a.values[k];
    quad scale = 0, norm = 0, inverse = 0;
    for (int i = 0; i < a.n; ++i) equilibrate(&dense.at(i, 0), &dense.at(i, 0), a.n, scale);
    EXPECT_TRUE(dense.factor().ok);
    for (int j = 0; j < a.n; ++j) {
        std::vector<quad> column(a.n, quad(0));
        column[j] = 1;
        dense.solve(column.data());
        quad sum = 0, inverse_sum = 0;
        for (int i = 0; i < a.n; ++i) sum += real::abs(dense.at(i, j)), inverse_sum += real::abs(column[i]);
        norm = std::max(norm, sum), inverse = std::max(inverse, inverse_sum);
    }
    return static_cast<double>(norm * inverse);
}

TYPED_TEST(LinearTest, how_the_equations_are_written_matters_by_the_condition_at_most) {
    using T = TypeParam;
    Random random(5);
    double worst_dense = 0, worst_sparse = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const int n = 2 + trial % 10;
        const Matrix<T> a = trial % 2 ? random_dense<T>(n, random) : random_chain<T>(n + 4 - n % 2, true, random);
        const std::vector<T> b = random_vector<T>(a.n, random);
        std::vector<T> other_b = b;
        const Matrix<T> other = rewritten(a, other_b, random);
        Dense<T> dense;
        Sparse<T> sparse;
        const std::vector<T> x = solution(dense, a, b), y = solution(sparse, a, b);
        const double allowed = static_cast<double>(Real<T>::epsilon) * condition(a);
        worst_dense = std::max(worst_dense, difference(solution(dense, other, other_b), x) / allowed);
        worst_sparse = std::max(worst_sparse, difference(solution(sparse, other, other_b), y) / allowed);
    }
    expect_within(worst_dense, 1.1, "dense, change over eps * condition");   // measured: 0.51
    expect_within(worst_sparse, 1.1, "sparse, change over eps * condition"); // measured: 0.55
}

TEST(Dense, rows_at_the_ends_of_the_range_are_solved) {
    const std::vector<double> units{1e-300, 1e300, 0x1p-1040, 1.7e308};
    for (int n = 1; n <= 4; ++n) {
        Matrix<double> a{n, {}, {}};
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) a.add(i, j, units[i] * (i == j ? 1.0 : 0.25 / (1 + i + j)));
        std::vector<double> b(n); // for x = (1, 0, ...)
        for (int i = 0; i < n; ++i) b[i] = a.values[i * n];
        Dense<double> dense;
        const std::vector<double> x = solution(dense, a, b);
        EXPECT_NEAR(x[0], 1, 1e-8); // the subnormal row has 34 bits left
        for (int i = 1; i < n; ++i) EXPECT_NEAR(x[i], 0, 1e-8);
    }
}

template <class T> const char* choice(const Matrix<T>& a) { return Linear<T>(a.n, a.entries).name(); }

TYPED_TEST(LinearTest, the_pattern_chooses_the_solver_and_the_solver_does_not_matter) {
    using T = TypeParam;
    Random random(9);
    EXPECT_STREQ(choice(random_chain<T>(16, true, random)), "dense");
    EXPECT_STREQ(choice(random_dense<T>(40, random)), "dense");
    EXPECT_STREQ(choice(random_chain<T>(40, false, random)), "sparse"); // a band of more than three diagonals
    EXPECT_STREQ(choice(random_band<T>(9, 1, 1, random)), "tridiagonal");
    EXPECT_STREQ(choice(random_band<T>(8, 1, 1, random)), "dense"); // as machine code has it
    EXPECT_STREQ(choice(random_chain<T>(40, true, random)), "sparse");
    EXPECT_STREQ(choice(random_scattered<T>(40, 4, random)), "sparse");
    double worst = 0;
    for (const auto& a : {random_dense<T>(7, random), random_dense<T>(40, random), random_chain<T>(40, false, random),
                          random_chain<T>(40, true, random), random_scattered<T>(40, 4, random)}) {
        Linear<T> linear(a.n, a.entries);
        for (int round = 0; round < 2; ++round) {
            linear.clear();
            for (std::size_t k = 0; k < a.values.size(); ++k) linear.values()[linear.slot(k)] = a.values[k];
            EXPECT_TRUE(linear.factor().ok);
            const std::vector<T> b = random_vector<T>(a.n, random);
            std::vector<T> x = b;
            linear.solve(x.data());
            worst = std::max(worst, backward_error(a, x, b));
        }
        EXPECT_EQ(linear.fallbacks(), 0);
    }
    expect_within(worst, 23, "facade"); // measured: 11.4
}

} // namespace
} // namespace rattleback::solve
