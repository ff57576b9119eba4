// Ranks of matrices that are exact products of integers, in rows of very different units.
#include "linear_oracle.hpp"

#include "solve/rank.hpp"

#include <cmath>

namespace rattleback::solve {
namespace {

struct Integers {
    int rows, cols;
    std::vector<long long> values;
};

// Over the field of a prime: exact, and for these small numbers never less than the rank over the rationals in
// practice.
int rank_modulo(Integers a, const std::vector<int>& rows) {
    constexpr long long p = 1000000007;
    const auto power = [](long long x, long long e) {
        long long result = 1;
        for (; e > 0; e /= 2, x = x * x % p)
            if (e % 2) result = result * x % p;
        return result;
    };
    std::vector<std::vector<long long>> m;
    for (const int i : rows) {
        m.emplace_back();
        for (int j = 0; j < a.cols; ++j) m.back().push_back((a.values[i * a.cols + j] % p + p) % p);
    }
    int rank = 0;
    for (int j = 0; j < a.cols; ++j) {
        std::size_t pivot = static_cast<std::size_t>(rank);
        while (pivot < m.size() && m[pivot][j] == 0) ++pivot;
        if (pivot == m.size()) continue;
        std::swap(m[pivot], m[rank]);
        const long long inverse = power(m[rank][j], p - 2);
        for (std::size_t i = static_cast<std::size_t>(rank) + 1; i < m.size(); ++i) {
            const long long l = m[i][j] * inverse % p;
            for (int k = j; k < a.cols; ++k) m[i][k] = (m[i][k] + (p - l) * m[rank][k]) % p;
        }
        ++rank;
    }
    return rank;
}

Integers random_product(int rows, int cols, int inner, Random& random) {
    std::vector<int> left(rows * inner), right(inner * cols);
    for (int& x : left) x = random.below(19) - 9;
    for (int& x : right) x = random.below(19) - 9;
    Integers a{rows, cols, std::vector<long long>(rows * cols, 0)};
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < cols; ++j)
            for (int k = 0; k < inner; ++k) a.values[i * cols + j] += left[i * inner + k] * right[k * cols + j];
    return a;
}

TEST(Rank, two_thousand_matrices_of_known_rank_and_none_wrong) {
    Random random(1);
    int wrong = 0;
    double smallest_kept = 1, largest_dropped = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        const int rows = 1 + random.below(12), cols = 1 + random.below(12);
        const Integers a = random_product(rows, cols, 1 + random.below(std::min(rows, cols)), random);
        std::vector<double> scaled(a.values.begin(), a.values.end());
        for (int i = 0; i < rows; ++i) {
            const double unit = std::pow(10.0, 30 * random.uniform());
            for (int j = 0; j < cols; ++j) scaled[i * cols + j] *= unit;
        }
        std::vector<int> all(rows);
        for (int i = 0; i < rows; ++i) all[i] = i;
        const int exact = rank_modulo(a, all);
        const Rank found = row_rank(scaled, rows, cols);
        const bool right = found.rank == exact && rank_modulo(a, found.independent_rows) == exact &&
                           found.independent_rows.size() == static_cast<std::size_t>(exact) &&
                           found.independent_rows.size() + found.dependent_rows.size() == all.size();
        wrong += !right;
        if (found.rank > 0) smallest_kept = std::min(smallest_kept, found.smallest_kept);
        largest_dropped = std::max(largest_dropped, found.largest_dropped);
    }
    EXPECT_EQ(wrong, 0);
    // The decision has room on both sides. Measured: 3.0e-7 and 5.8e-6.
    expect_within(1e-10 / smallest_kept, 6e-7, "threshold over smallest kept");
    expect_within(largest_dropped / 1e-10, 1.2e-5, "largest dropped over threshold");
}

TEST(Rank, units_of_a_power_of_two_change_nothing) {
    Random random(2);
    for (int trial = 0; trial < 50; ++trial) {
        const Integers a = random_product(6, 8, 4, random);
        std::vector<double> plain(a.values.begin(), a.values.end()), scaled = plain;
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 8; ++j) scaled[i * 8 + j] = std::ldexp(plain[i * 8 + j], 37 * i - 90);
        const Rank one = row_rank(plain, 6, 8), other = row_rank(scaled, 6, 8);
        EXPECT_EQ(one.independent_rows, other.independent_rows);
        EXPECT_EQ(one.smallest_kept, other.smallest_kept);
        EXPECT_EQ(one.largest_dropped, other.largest_dropped);
    }
}

TEST(Rank, the_edges) {
    EXPECT_EQ(row_rank({}, 0, 0).rank, 0);
    EXPECT_EQ(row_rank({}, 0, 3).rank, 0);
    EXPECT_EQ(row_rank({}, 3, 0).dependent_rows, (std::vector<int>{0, 1, 2}));
    EXPECT_EQ(row_rank({0, 0, 0, 0}, 2, 2).dependent_rows, (std::vector<int>{0, 1}));
    const Rank tall = row_rank({1, 2, 3, 0}, 4, 1);
    EXPECT_EQ(tall.rank, 1);
    EXPECT_EQ(tall.dependent_rows.size(), 3u);
    EXPECT_EQ(row_rank({1, 0, 0, std::nan("")}, 2, 2).rank, -1);
    EXPECT_EQ(row_rank({1, 0, 0, -HUGE_VAL}, 2, 2).rank, -1);
    EXPECT_EQ(row_rank({1e300, 1e300, 1e-300, -1e-300}, 2, 2).rank, 2);
    EXPECT_NEAR(row_rank({3, 0, 0, 4}, 2, 2).smallest_kept, 1, 1e-15); // lengths do not count
    EXPECT_EQ(row_rank({1, 1, 1, 1 + 1e-9}, 2, 2).rank, 2);            // rows at an angle of 5e-10
    EXPECT_EQ(row_rank({1, 1, 1, 1 + 1e-11}, 2, 2).rank, 1);
}

} // namespace
} // namespace rattleback::solve
