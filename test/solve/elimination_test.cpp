// Elimination in a fixed order: the answers are answers, or the order is refused.
#include "solve/elimination.hpp"

#include <cmath>

#include "solve/linear_oracle.hpp"
#include "solve/pivots.hpp"

namespace rattleback::solve {
namespace {

// Scattered, with a permutation that has no zeros: mostly regular.
Matrix<double> scattered(int n, double density, Random& random) {
    std::vector<int> other(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) other[static_cast<std::size_t>(i)] = i;
    for (int i = n - 1; i > 0; --i)
        std::swap(other[static_cast<std::size_t>(i)], other[static_cast<std::size_t>(random.below(i + 1))]);
    Matrix<double> a{n, {}, {}};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const bool whole = other[static_cast<std::size_t>(i)] == j;
            if (whole || random.uniform() < 2 * density - 1)
                a.add(i, j, whole ? 1 + random.uniform() / 2 : random.uniform());
        }
    return a;
}

std::vector<std::vector<double>> full(const Matrix<double>& a) {
    std::vector<std::vector<double>> b(static_cast<std::size_t>(a.n),
                                       std::vector<double>(static_cast<std::size_t>(a.n)));
    for (std::size_t k = 0; k < a.values.size(); ++k)
        b[static_cast<std::size_t>(a.entries[k].first)][static_cast<std::size_t>(a.entries[k].second)] = a.values[k];
    return b;
}

// In the order of its pivots; empty where a sample of it gives none.
Matrix<double> ordered(const Matrix<double>& a) {
    const auto order = pivot_order({full(a), full(a), full(a)}, 0.1); // with fewer samples it gives up
    if (order.empty()) return {};
    std::vector<int> row(static_cast<std::size_t>(a.n)), column(row);
    for (int i = 0; i < a.n; ++i) {
        const auto [r, c] = order[static_cast<std::size_t>(i)];
        row[static_cast<std::size_t>(r)] = column[static_cast<std::size_t>(c)] = i;
    }
    Matrix<double> b = a;
    for (auto& [i, j] : b.entries) i = row[static_cast<std::size_t>(i)], j = column[static_cast<std::size_t>(j)];
    return b;
}

// |b - A x| in quad, relative to |A| |x| + |b|, the largest over the rows.
double backward_error(const Matrix<double>& a, const std::vector<double>& b, const std::vector<double>& x) {
    std::vector<quad> rest(b.begin(), b.end()), size;
    for (double value : b) size.push_back(std::abs(value));
    for (std::size_t k = 0; k < a.values.size(); ++k) {
        const auto i = static_cast<std::size_t>(a.entries[k].first), j = static_cast<std::size_t>(a.entries[k].second);
        const quad term = quad(a.values[k]) * x[j];
        rest[i] -= term, size[i] += real::abs(term);
    }
    double worst = 0;
    for (std::size_t i = 0; i < b.size(); ++i)
        worst = std::max(worst, static_cast<double>(real::abs(rest[i]) / size[i]));
    return worst;
}

TEST(Eliminations, SolveOrAreRefused) {
    Random random(7);
    int tried = 0, refused = 0;
    double plain = 0, refined = 0;
    for (int round = 0; round < 4000; ++round) {
        const int n = 2 + random.below(39);
        Matrix<double> a = ordered(scattered(n, 0.05 + 0.5 * (round % 10) / 10, random));
        if (a.n == 0) continue;
        if (round % 2) // the order is a sample's: other numbers of the same pattern
            for (double& x : a.values) x *= 1 + 0.4 * random.uniform();
        Eliminated matrix(n, a.entries);
        ++tried;
        if (!matrix.factor(a.values.data())) {
            ++refused;
            continue;
        }
        std::vector<double> b;
        for (int i = 0; i < n; ++i) b.push_back(random.uniform());
        std::vector<double> x = b, y = b;
        ASSERT_TRUE(matrix.solve(false, x.data()));
        plain = std::max(plain, backward_error(a, b, x));
        if (matrix.solve(true, y.data())) refined = std::max(refined, backward_error(a, b, y));
    }
    EXPECT_GT(tried, 3900);
    EXPECT_LT(refused, tried / 50);
    EXPECT_LT(plain, 1e-9);
    EXPECT_LT(refined, 1e-15);
}

TEST(Eliminations, AreRefusedWhereAPivotIsSmall) {
    const Entries entries = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    const auto fits = [&](std::vector<double> values) { return Eliminated(2, entries).factor(values.data()); };
    EXPECT_TRUE(fits({2, 1, 1, 2}));
    EXPECT_FALSE(fits({1e-7, 1, 1, 2}));               // beside its row
    EXPECT_FALSE(fits({1, 1, 1, 1}));                  // nothing is left of the second row
    EXPECT_FALSE(fits({1, 1, 1, 1 + 1e-9}));           // or too little
    EXPECT_TRUE(fits({1e100, 1e100, 1e-100, 3e-100})); // whatever the scale of the rows
    EXPECT_FALSE(fits({NAN, 1, 1, 2}));
    EXPECT_FALSE(fits({1, NAN, 1, 2}));
    EXPECT_FALSE(fits({1, 1, NAN, 2}));
    EXPECT_FALSE(fits({INFINITY, 1, 1, 2}));
    EXPECT_FALSE(fits({1, INFINITY, 1, 2}));
    EXPECT_FALSE(fits({0, 0, 1, 2}));
}

// A pattern whose diagonal is filled only on the way, and one with an empty row.
TEST(Eliminations, FillIn) {
    const Entries entries = {{0, 0}, {0, 1}, {1, 0}, {1, 2}, {2, 0}, {2, 2}};
    const std::vector<double> values = {2, 1, 1, 3, 4, 1}; // row 1 has no diagonal of its own
    Eliminated matrix(3, entries);
    ASSERT_TRUE(matrix.factor(values.data()));
    std::vector<double> x = {4, 10, 7}; // (1, 2, 3)
    ASSERT_TRUE(matrix.solve(true, x.data()));
    EXPECT_EQ(x, (std::vector<double>{1, 2, 3}));
    EXPECT_FALSE(Eliminated(2, {{0, 0}, {0, 1}}).factor(values.data()));
}

} // namespace
} // namespace rattleback::solve
