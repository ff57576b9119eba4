// In what order the terms of a residual are added: h F meets what it cancels before it is rounded.
#include <gtest/gtest.h>

#include <random>

#include "solve/equations.hpp"

namespace rattleback {
namespace {

struct Residuals {
    Vec given;
    Expr ours, plain; // as the solver takes it, and with h F and its small products rounded to their own place first
};

// p + h F + small = L or p - (h F + small) = L, where F = K has small products with numbers beside it.
Residuals residuals(const std::shared_ptr<Graph>& graph, bool minus, bool two) {
    const auto symbol = [&](const char* name) { return Component{name, graph->symbol(name)}; };
    const Component p = symbol("p"), L = symbol("L"), K = symbol("K"), M = symbol("M"), N = symbol("N"),
                    h = symbol("h");
    Expr along = (h.value * Expr(3.0 / (1 << 25))) * M.value;
    if (two) along = along + (h.value * Expr(-5.0 / (1 << 24))) * N.value;
    along = along + h.value * K.value;
    const Vec whole({{"", minus ? p.value - along : p.value + along}});
    const solve::Equations equations(System{.graph = graph,
                                            .given = Vec({p, K, M, N, h}),
                                            .find = {{Vec({L}), Vec({p})}},
                                            .equations = {whole == Vec({L})},
                                            .results = Vec({L}),
                                            .steady = 1});
    const Expr difference = p.value - L.value;
    return {Vec({p, L, K, M, N, h}), equations.residual[0], minus ? difference - along : difference + along};
}

template <class T> T value(const std::shared_ptr<Graph>& graph, const Residuals& r, const Expr& f, const double* x) {
    SystemSolver<T> solver(compile(System{.graph = graph, .given = r.given, .results = Vec({{"", f}})}));
    std::copy_n(x, 6, solver.given());
    Report report;
    EXPECT_TRUE(solver.solve(report)) << report.text();
    return solver.result(0);
}

TEST(Residuals, AddProductsWithTheStepBeforeTheirSmallParts) {
    for (const bool minus : {false, true})
        for (const bool two : {false, true}) {
            const auto graph = std::make_shared<Graph>();
            const Residuals r = residuals(graph, minus, two);
            std::minstd_rand random(7);
            std::uniform_real_distribution<double> between(1, 2);
            double ours = 0, plain = 0;
            for (int i = 0; i < 50; ++i) {
                const double p = between(random), K = between(random), h = 0.05;
                const double x[] = {p, minus ? p - h * K : p + h * K, K, between(random), between(random), h};
                const auto error = [&](const Expr& f) {
                    return static_cast<double>(real::abs(value<double>(graph, r, f, x) - value<quad>(graph, r, f, x)));
                };
                ours = std::max(ours, error(r.ours)), plain = std::max(plain, error(r.plain));
            }
            EXPECT_LE(ours, 8.3e-24) << minus << two << ": measured 4.1e-24";
            EXPECT_GE(plain, 1e-18) << minus << two;
        }
}

} // namespace
} // namespace rattleback
