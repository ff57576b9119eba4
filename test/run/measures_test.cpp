// What summaries say of columns of nodes does not depend on how many come at once, nor on the vectors of the processor.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "run/measures.hpp"
#include "run/sparse_rows.hpp"

namespace rattleback {
namespace {

std::vector<double> some_numbers(std::size_t count) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> between(-1, 1);
    std::vector<double> x(count);
    for (double& value : x) value = between(random) + 1e3;
    return x;
}

TEST(Measures, AreTheSameWhateverComesAtOnce) {
    const std::vector<double> x = some_numbers(1000);
    LargestChange one_change;
    Slope one_slope(1000);
    one_change.begin(x[0]), one_slope.begin(x[0]);
    long double sum = 0, moment = 0, most = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        one_change.add(x[k]), one_slope.add(x[k]);
        const long double change = x[k] - static_cast<long double>(x[0]);
        sum += change, moment += static_cast<long double>(k) * change, most = std::max(most, std::abs(change));
    }
    const auto n = static_cast<long double>(x.size());
    const long double slope = (moment - (n - 1) / 2 * sum) / (n * (n * n - 1) / 12);
    EXPECT_NEAR(one_slope.value(1), static_cast<double>(slope), 9e-20) << "4.3e-20";
    EXPECT_EQ(one_change.value(), static_cast<double>(most));
    for (const std::size_t at_once : {1, 7, 8, 256}) {
        LargestChange change;
        Slope slopes(1000);
        change.begin(x[0]), slopes.begin(x[0]);
        for (std::size_t k = 0; k < x.size(); k += at_once) {
            const std::size_t count = std::min(at_once, x.size() - k);
            change.add(&x[k], count), slopes.add(&x[k], count);
        }
        EXPECT_EQ(change.value(), one_change.value()) << at_once;
        EXPECT_EQ(slopes.value(1), one_slope.value(1)) << at_once;
    }
}

// All operations of the lanes, beside those of one number.
template <class Vector> [[gnu::always_inline]] inline void compute(const double* x, double* y) {
    using Eight = in_lanes::Eight<Vector>;
    const Eight a(x), b(x + in_lanes::count), c = 999.5;
    const Eight small = select((a < b) & (c < a), a - c, magnitude(c - b) / a);
    root(larger(a * small, b) + 0.5).store(y);
    y[in_lanes::count] = largest(b);
    y[in_lanes::count + 1] = all(c < a) + 2 * all(Eight(0.0) < a);
}

TEST(Lanes, HaveTheSameBitsInAllVectors) {
    const std::vector<double> x = some_numbers(2 * in_lanes::count);
    double wanted[in_lanes::count + 2] = {};
    bool above = true;
    for (std::size_t i = 0; i < in_lanes::count; ++i) {
        const double a = x[i], b = x[in_lanes::count + i], c = 999.5;
        const double small = a < b && c < a ? a - c : std::abs(c - b) / a;
        wanted[i] = std::sqrt(std::max(a * small, b) + 0.5), above = above && c < a;
        wanted[in_lanes::count] = std::max(wanted[in_lanes::count], b);
    }
    wanted[in_lanes::count + 1] = above + 2;
    const auto expect_same = [&](const double* found, const char* vectors) {
        for (std::size_t i = 0; i < in_lanes::count + 2; ++i) EXPECT_EQ(found[i], wanted[i]) << vectors << i;
    };
    double found[in_lanes::count + 2] = {};
    compute<solve::Vector<2>>(x.data(), found);
    expect_same(found, "2, ");
    const auto in_any = [&](auto vector) RATTLEBACK_LANES { compute<decltype(vector)>(x.data(), found); };
    if (solve::has_wide) solve::in_wider_code(in_any), expect_same(found, "4, ");
    if (solve::has_widest) solve::in_widest_code(in_any), expect_same(found, "8, ");
}

// Against cofactors: rows that are called apart have a volume, those that turn little keep the sign of their products.
TEST(SparseRows, AreApartOrTurnLittleOnlyWhereTheyDo) {
    using Rows = std::vector<double>; // three times three
    std::vector<ScalarEntry> entries;
    for (std::uint32_t i = 0; i < 9; ++i) entries.push_back({i / 3, i % 3, Expr()});
    const SparseRows rows(entries, 3);
    const auto determinant = [](const Rows& m) {
        return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
               m[2] * (m[3] * m[7] - m[4] * m[6]);
    };
    const auto size = [](const Rows& m) {
        double all = 1;
        for (std::size_t i = 0; i < 9; i += 3)
            all *= std::sqrt(m[i] * m[i] + m[i + 1] * m[i + 1] + m[i + 2] * m[i + 2]);
        return all;
    };
    std::mt19937_64 random(11);
    std::normal_distribution<double> any(0, 1);
    int apart = 0, little = 0, neither = 0, through = 0;
    for (int trial = 0; trial < 4000; ++trial) {
        Rows before(9), now(9);
        for (double& x : before) x = any(random);
        const double turn = std::exp2(-trial % 20);
        for (std::size_t i = 0; i < 9; ++i) now[i] = before[i] + turn * any(random);
        const double volume = determinant(now) / size(now), both = determinant(before) * determinant(now);
        if (rows.are_apart(now)) {
            ++apart;
            EXPECT_GT(volume * volume, SparseRows::flat);
        } else if (rows.turn_little(before, now)) {
            ++little;
            EXPECT_GT(both, 0) << trial;
        } else {
            ++neither, through += both < 0;
        }
    }
    EXPECT_GT(apart, 1000);
    EXPECT_GT(little, 400);
    EXPECT_GT(through, 40);
    EXPECT_GT(neither, through);
}

} // namespace
} // namespace rattleback
