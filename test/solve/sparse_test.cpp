// Pivots chosen from a probe: when they last, when they do not, and what choosing costs.
#include "linear_oracle.hpp"

#include <cmath>

namespace rattleback::solve {
namespace {

template <class T> class SparseTest : public ::testing::Test {};
using Scalars = ::testing::Types<double, quad>;
TYPED_TEST_SUITE(SparseTest, Scalars);

template <class T> std::vector<T> solved(Sparse<T>& solver, const Matrix<T>& a, std::vector<T> b) {
    refill(solver, a);
    EXPECT_TRUE(solver.factor().ok);
    solver.solve(b.data());
    return b;
}

TEST(Sparse, equal_entries_share_a_slot) {
    Sparse<double> solver(2, {{1, 1}, {0, 0}, {1, 1}, {0, 1}});
    EXPECT_EQ(solver.slots(), (std::vector<int>{2, 0, 2, 1}));
    for (int k = 0; k < 4; ++k) solver.values()[solver.slots()[k]] += k + 1; // (2 4; 0 1+3)
    std::vector<double> b{10, 4};
    EXPECT_TRUE(solver.factor().ok);
    solver.solve(b.data());
    EXPECT_EQ(b, (std::vector<double>{3, 1}));
}

// A chain whose pivots the probe wants on the diagonal, where the second matrix has numbers of the size `small`.
template <class T> Matrix<T> chain_with_diagonal(int n, T diagonal, Random& random) {
    Matrix<T> a = random_chain<T>(n, true, random);
    for (std::size_t k = 0; k < a.values.size(); ++k)
        if (a.entries[k].first == a.entries[k].second) a.values[k] = diagonal;
    return a;
}

TYPED_TEST(SparseTest, where_the_old_pivots_vanish_new_ones_are_chosen_for_that_matrix_alone) {
    using T = TypeParam;
    Random random(1);
    const int n = 60;
    const Matrix<T> probe = chain_with_diagonal<T>(n, T(10), random), similar = chain_with_diagonal<T>(n, T(9), random);
    Sparse<T> solver;
    fill(solver, probe);
    ASSERT_TRUE(solver.analyse().ok);
    const std::vector<T> b = random_vector<T>(n, random);
    const std::vector<T> before = solved(solver, similar, b);
    EXPECT_EQ(solver.fallbacks(), 0);
    double worst = 0;
    long expected = 0;
    for (const T small : {T(0), T(1e-30), T(1e-14), T(1e-8)}) {
        const Matrix<T> other = chain_with_diagonal<T>(n, small, random);
        worst = std::max(worst, backward_error(other, solved(solver, other, b), b));
        EXPECT_EQ(solver.fallbacks(), ++expected) << static_cast<double>(small);
        EXPECT_EQ(solved(solver, similar, b), before) << "a fallback must leave no trace";
        EXPECT_EQ(solver.fallbacks(), expected);
    }
    expect_within(worst, 41, "after fallback"); // measured: 20.5
}

TYPED_TEST(SparseTest, a_singular_matrix_between_good_ones_is_reported_and_leaves_no_trace) {
    using T = TypeParam;
    Random random(2);
    const Matrix<T> good = random_chain<T>(40, true, random);
    Matrix<T> zero_column = good, not_a_number = good;
    for (std::size_t k = 0; k < good.values.size(); ++k)
        if (good.entries[k].second == 17) zero_column.values[k] = T(0);
    not_a_number.values[50] = T(std::nan(""));
    Sparse<T> solver;
    fill(solver, zero_column);
    EXPECT_FALSE(solver.factor().ok); // no probe yet: the next matrix is one
    const std::vector<T> b = random_vector<T>(40, random), x = solved(solver, good, b);
    for (const Matrix<T>* bad : {&zero_column, &not_a_number}) {
        refill(solver, *bad);
        const Outcome outcome = solver.factor();
        EXPECT_FALSE(outcome.ok);
        EXPECT_EQ(outcome.index, bad == &zero_column ? 17 : not_a_number.entries[50].first);
        std::vector<T> untouched = b;
        solver.solve(untouched.data());
        EXPECT_EQ(untouched, b);
        EXPECT_EQ(solved(solver, good, b), x);
    }
}

// The bounds of Sparse: orders from a probe with unrelated numbers, which grow by any amount.
TEST(Sparse, unrelated_matrices_are_solved_to_round_off_in_the_order_of_the_probe) {
    Random random(3);
    double worst = 0, growth = 0;
    long matrices = 0, fallbacks = 0;
    for (int probe = 0; probe < 40; ++probe) {
        Matrix<double> a =
            probe % 2 ? random_chain<double>(200, true, random) : random_scattered<double>(100, 3, random);
        Sparse<double> solver;
        fill(solver, a);
        if (!solver.analyse().ok) continue; // scattered numbers can be singular
        for (int trial = 0; trial < 25; ++trial) {
            for (double& x : a.values) x = random.uniform();
            const std::vector<double> b = random_vector<double>(a.n, random);
            refill(solver, a);
            const Outcome outcome = solver.factor();
            if (!outcome.ok) continue;
            std::vector<double> x = b;
            solver.solve(x.data());
            worst = std::max(worst, backward_error(a, x, b));
            growth = std::max(growth, outcome.growth);
            ++matrices;
        }
        fallbacks += solver.fallbacks();
    }
    EXPECT_GT(growth, 1e4) << "too tame to show anything";
    EXPECT_GT(matrices, 500);
    expect_within(static_cast<double>(fallbacks) / static_cast<double>(matrices), 0.29, "fallbacks"); // measured: 0.143
    expect_within(worst, 50, "backward error");                                                       // measured: 24.6
}

// Fill and work of the analysis, per unknown.
struct Cost {
    double fill, work, error;
};
template <class T> Cost cost(const Matrix<T>& a, Random& random) {
    Sparse<T> solver;
    fill(solver, a);
    EXPECT_TRUE(solver.analyse().ok);
    const std::vector<T> b = random_vector<T>(a.n, random);
    return {static_cast<double>(solver.factor_entries()) / a.n, static_cast<double>(solver.operations()) / a.n,
            backward_error(a, solved(solver, a, b), b)};
}

TYPED_TEST(SparseTest, chains_and_rings_cost_the_same_per_link_at_any_length) {
    using T = TypeParam;
    Random random(4);
    double error = 0;
    for (const bool ring : {false, true})
        for (const int n : {100, 10000, 100000}) {
            if (n > 10000 && sizeof(T) > 8) continue;
            const Cost c = cost(random_chain<T>(n, ring, random), random);
            const std::string what = (ring ? "ring_" : "chain_") + std::to_string(n);
            expect_within(c.fill, ring ? 20.3 : 12.2, what + "_fill"); // measured: 10.13 and 6.09
            expect_within(c.work, ring ? 110 : 33, what + "_work");    // measured: 55 and 16.6
            error = std::max(error, c.error);
        }
    expect_within(error, 43, "error"); // measured: 21.1
}

// A parameter in every equation and an equation for every unknown: neither may cost its length at every step.
TEST(Sparse, a_full_row_and_a_full_column_cost_no_more_than_their_length) {
    Random random(5);
    for (const int n : {1000, 10000}) {
        Matrix<double> a = random_chain<double>(n, false, random);
        for (int i = 0; i < n - 4; ++i) {
            a.add(n - 1, i, random.uniform());
            a.add(i, n - 1, random.uniform());
        }
        const Cost c = cost(a, random);
        expect_within(c.fill, 22, "fill_" + std::to_string(n));   // measured: 8.3 and 10.9
        expect_within(c.work, 123, "work_" + std::to_string(n));  // measured: 33 and 61
        expect_within(c.error, 13, "error_" + std::to_string(n)); // measured: 1.1 and 6.4
    }
}

// Rows of two numbers, of which one is too small for its column and the other in a column of all of them.
TEST(Sparse, a_full_column_is_not_searched_for_the_sake_of_a_short_row) {
    Random random(6);
    const int m = 1000, n = 2 * m + 1;
    Matrix<double> a{n, {}, {}};
    for (int i = 0; i < m; ++i) {
        a.add(i, i, 0.01);
        a.add(i, n - 1, 1);
        for (int k = 0; k < 2; ++k) a.add(m + i, (i + k) % m, random.uniform());
        for (int k = 0; k < 3; ++k) a.add(m + i, m + (i + k) % m, random.uniform());
    }
    for (int j = 0; j < n; j += 100) a.add(n - 1, j, 1);
    const Cost c = cost(a, random);
    expect_within(c.work, 97, "work");  // measured: 48.5
    expect_within(c.error, 3, "error"); // measured: 1.5
}

TEST(Sparse, a_candidate_of_round_off_is_passed_over) {
    const double small = smallest_pivot<double>(3);
    const Matrix<double> a{
        3, {{0, 0}, {0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 1}, {2, 2}}, {0.7 * small, 1, 2 * small, 1, 1, 1, 0.2}};
    Sparse<double> solver;
    const std::vector<double> b{1, 2, 3}, x = solution(solver, a, b);
    expect_within(backward_error(a, x, b), 1, "error"); // measured: 3e-15, x being of the size of 1 / small
}

} // namespace
} // namespace rattleback::solve
