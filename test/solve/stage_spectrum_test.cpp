// Eigenvalues and eigenvectors of the stages' matrix: they solve (1 - g M) x = e_j for any g; the elimination of a
// shifted matrix, beside a dense LU of complex numbers.
#include <gtest/gtest.h>
#include <rattleback/operators.hpp>

#include <complex>
#include <random>

#include "solve/collocation.hpp"
#include "solve/shifted_elimination.hpp"
#include "solve/stage_spectrum.hpp"

namespace rattleback {
namespace {

StageWeights weights_of(int s) {
    const Tableau t = gauss(s);
    StageWeights w{{}, {}, t.b, t.c};
    for (std::size_t i = 0; i < t.b.size(); ++i) {
        w.mu.emplace_back();
        for (std::size_t j = 0; j < t.b.size(); ++j) w.mu[i].push_back(t.a[i][j] / t.b[j]);
    }
    return w;
}

// The residual of these solutions, with what g multiplies.
double residual(const StageWeights& w, const StageSpectrum& spectrum, quad g) {
    double most = 0;
    for (std::size_t j = 0; j < w.stages(); ++j) {
        std::vector<quad> x(w.stages(), 0);
        for (std::size_t r = 0; r < spectrum.pairs(); ++r) {
            const StageSpectrum::Number shifted{spectrum.shift[r].re - g, spectrum.shift[r].im},
                z = spectrum.into[r][j] * shifted.inverse();
            for (std::size_t i = 0; i < x.size(); ++i)
                x[i] += spectrum.from[i][r].re * z.re + spectrum.from[i][r].im * z.im;
        }
        for (std::size_t i = 0; i < x.size(); ++i) {
            quad sum = x[i] - (i == j ? 1 : 0);
            for (std::size_t k = 0; k < x.size(); ++k) sum -= g * w.b[i] * w.mu[i][k] * x[k];
            most = std::max(most, static_cast<double>(real::abs(sum)));
        }
    }
    return most;
}

TEST(StageSpectrum, DecouplesTheStages) {
    for (int s = 1; s <= 16; ++s) {
        const StageWeights w = weights_of(s);
        const StageSpectrum spectrum = spectrum_of(w);
        EXPECT_EQ(spectrum.pairs(), static_cast<std::size_t>(s + 1) / 2);
        // Measured: 4e-33 with two stages, 7e-27 with eight, 4e-18 with sixteen, whose eigenvectors are nearly
        // parallel.
        const double off = s <= 8 ? 2e-26 : 8e-18;
        for (quad g : {quad(0), quad(1), quad(-1000)})
            EXPECT_LE(residual(w, spectrum, g), real::in_round_off(off)) << s;
        StageSpectrum mutant = spectrum;
        mutant.shift[0].re *= 1 + quad(1e-3);
        EXPECT_GE(residual(w, mutant, 1), 1e-5) << s;
    }
}

TEST(StageSpectrum, HasTheEigenvaluesOfPadeApproximants) { // two stages: 1/lambda = 3 +- i sqrt(3)
    const StageSpectrum two = spectrum_of(weights_of(2));
    EXPECT_NEAR(static_cast<double>(two.shift[0].re), 3, 1e-15);
    EXPECT_NEAR(static_cast<double>(two.shift[0].im), std::sqrt(3), 1e-15);
}

using Numbers = std::vector<std::complex<double>>;

Numbers by_dense_lu(std::vector<Numbers> a, Numbers b) {
    const std::size_t n = a.size();
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t i = k; i < n; ++i)
            if (std::abs(a[i][k]) > std::abs(a[best][k])) best = i;
        std::swap(a[k], a[best]), std::swap(b[k], b[best]);
        for (std::size_t i = k + 1; i < n; ++i) {
            const auto l = a[i][k] / a[k][k];
            for (std::size_t j = k; j < n; ++j) a[i][j] -= l * a[k][j];
            b[i] -= l * b[k];
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::size_t j = k + 1; j < n; ++j) b[k] -= a[k][j] * b[j];
        b[k] /= a[k][k];
    }
    return b;
}

TEST(ShiftedElimination, SolvesSparseSystems) {
    std::minstd_rand random(7);
    const auto any = [&] { return static_cast<double>(random()) / 2147483647.0 * 2 - 1; };
    for (int n : {1, 2, 3, 5, 8, 13, 20})
        for (int filled : {15, 40, 100}) {
            solve::Entries entries;
            std::vector<double> values;
            const std::complex<double> shift{4, 5};
            std::vector<Numbers> dense(static_cast<std::size_t>(n), Numbers(static_cast<std::size_t>(n)));
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    auto& at = dense[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
                    if (i == j) at = shift;
                    if (static_cast<int>(random() % 100) >= filled) continue;
                    entries.emplace_back(i, j), values.push_back(3 * any()), at -= values.back();
                }
            Numbers b;
            std::vector<solve::Complex<double>> x;
            for (int i = 0; i < n; ++i) b.emplace_back(any(), any()), x.push_back({b.back().real(), b.back().imag()});
            const solve::ShiftedElimination list(n, entries);
            std::vector<solve::Complex<double>> factors(list.places()), inverse(x);
            ASSERT_FALSE(list.factor(solve::Complex<double>{4, 5}, values.data(), factors.data(), inverse.data()));
            list.solve(factors.data(), inverse.data(), x.data());
            const Numbers exact = by_dense_lu(dense, b);
            for (std::size_t i = 0; i < x.size(); ++i) {
                EXPECT_NEAR(x[i].re, exact[i].real(), 1e-12) << n << " " << filled;
                EXPECT_NEAR(x[i].im, exact[i].imag(), 1e-12) << n << " " << filled;
            }
        }
}

TEST(ShiftedElimination, RefusesSmallPivots) {
    const solve::ShiftedElimination list(2, {{0, 1}, {1, 0}});
    const std::vector<double> values{1e9, 1};
    std::vector<solve::Complex<double>> factors(list.places()), inverse(2);
    EXPECT_TRUE(list.factor(solve::Complex<double>{3, 1}, values.data(), factors.data(), inverse.data()));
}

// q' = p, p' = g(q): the rows of q cost a product each, what is left has half the size.
TEST(ShiftedElimination, HalvesEquationsOfSecondOrder) {
    constexpr int n = 8;
    solve::Entries second, first;
    for (int i = 0; i < n; ++i) {
        second.emplace_back(i, n + i);
        for (int j = 0; j < n; ++j) second.emplace_back(n + i, j);
    }
    for (int i = 0; i < 2 * n; ++i)
        for (int j = 0; j < 2 * n; ++j) first.emplace_back(i, j);
    EXPECT_LE(4 * solve::ShiftedElimination(2 * n, second).operations(),
              solve::ShiftedElimination(2 * n, first).operations());
}

} // namespace
} // namespace rattleback
