// The rounded weights of stages: pairs of a symplectic method make 1 to the last digit.
#include <gtest/gtest.h>
#include <rattleback/operators.hpp>

#include "solve/collocation.hpp"

namespace rattleback {
namespace {

template <class T> void look_at(int s) {
    const Tableau t = gauss(s);
    StageWeights w{{}, {}, t.b, t.c};
    const auto n = static_cast<std::size_t>(s);
    for (std::size_t i = 0; i < n; ++i) {
        w.mu.emplace_back();
        for (std::size_t j = 0; j < n; ++j) w.mu[i].push_back(t.a[i][j] / t.b[j]);
    }
    const auto mu = rounded_mu<T>(w);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const quad sum = static_cast<quad>(mu[i][j]) + static_cast<quad>(mu[j][i]);
            EXPECT_TRUE(sum == 1) << s << " " << i << " " << j;
            const quad off = real::abs(static_cast<quad>(mu[i][j]) - w.mu[i][j]);
            EXPECT_LE(static_cast<double>(off / (1 + real::abs(w.mu[i][j])) / Real<T>::epsilon), 2.0) << s;
            if (sizeof(T) == sizeof(double)) { // the same read backwards
                EXPECT_TRUE(mu[i][j] == mu[n - 1 - j][n - 1 - i]) << s << " " << i << " " << j;
            }
        }
}

TEST(StageWeights, MakeOneInPairs) {
    const bool rounds = Real<long double>::epsilon > Real<quad>::epsilon; // elsewhere it is quad, as weights are given
    for (int s = 1; s <= 16; ++s) {
        look_at<double>(s);
        if (rounds) look_at<long double>(s);
    }
}

} // namespace
} // namespace rattleback
