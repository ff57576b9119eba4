// The metric and the reactions of nonholonomic mechanics, seen through its projectors: TQ = D + D^perp, orthogonal in
// the kinetic metric, D = ker A; P and Q of a vector w, P* and Q* of a covector w.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>
#include <random>

#include "run/initial.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

using Values = std::vector<quad>;

// As equations for new leaves (u, kappa):
//     vectors:    M u = A^T kappa,  A (w - u) = 0;       Q w = u
//     covectors:  M u = w - A^T kappa,  A u = 0;         Q* w = A^T kappa
struct Projection {
    Vec u, kappa, P, Q;
    std::vector<Equation> equations;
};
Projection project(const Nonholonomic& sys, const Vec& w, const std::string& label) {
    const Vec u = symbols_like(sys.graph, label, sys.v), kappa = symbols_like(sys.graph, label, sys.lambda);
    const Vec off = derivative_along(sys.phi, sys.v, w - u);
    return {
        u, kappa, w - u, u, {sys.metric({sys.q, sys.v, sys.t}, u, sys.reaction(kappa)), off == zeros_like(sys.phi)}};
}
Projection project_dual(const Nonholonomic& sys, const Vec& w, const std::string& label) {
    const Vec u = symbols_like(sys.graph, label, sys.v), kappa = symbols_like(sys.graph, label, sys.lambda);
    const Vec force = sys.reaction(kappa), off = derivative_along(sys.phi, sys.v, u);
    return {u, kappa, w - force, force, {sys.metric({sys.q, sys.v, sys.t}, u, w - force), off == zeros_like(sys.phi)}};
}

// P w, Q w, P* w, Q* w, A w and M w of a model, at its start.
class Projectors {
  public:
    explicit Projectors(const std::string& name) {
        for (const GalleryItem& item : gallery())
            if (item.name == name) model_.emplace(read_model(item.text, name + ".toml"));
        const Nonholonomic sys(*model_);
        const Vec w = symbols_like(*model_->graph, "any ", sys.v);
        const auto a = project(sys, w, "vector "), b = project_dual(sys, w, "covector ");
        System system{model_->graph,
                      concat({w, sys.q, sys.v, model_->time_vec(), model_->parameter_vec()}),
                      {{a.u, {}}, {a.kappa, {}}, {b.u, {}}, {b.kappa, {}}},
                      a.equations,
                      concat({a.P, a.Q, b.P, b.Q, derivative_along(sys.phi, sys.v, w),
                              derivative_along(sys.momentum(), sys.v, w)})};
        system.equations.insert(system.equations.end(), b.equations.begin(), b.equations.end());
        solver_.emplace(compile(system));
        n = static_cast<std::size_t>(sys.q.count()), m = static_cast<std::size_t>(sys.phi.count());
    }

    struct Images {
        Values P, Q, P_dual, Q_dual, A, M;
    };
    Images of(const Values& w) {
        InitialData<quad> start;
        Report report;
        EXPECT_TRUE(complete_initial_data(*model_, start, report));
        quad* given = std::copy(w.begin(), w.end(), solver_->given());
        given = std::copy(start.q.begin(), start.q.end(), given);
        given = std::copy(start.v.begin(), start.v.end(), given);
        *given++ = model_->t0;
        for (const Parameter& p : model_->parameters) *given++ = p.value;
        EXPECT_TRUE(solver_->solve(report)) << report.text();
        std::size_t at = 0;
        const auto take = [&](std::size_t count) {
            Values part;
            for (std::size_t i = 0; i < count; ++i) part.push_back(solver_->result(at++));
            return part;
        };
        return {take(n), take(n), take(n), take(n), take(m), take(n)};
    }

    std::size_t n = 0, m = 0;

  private:
    std::optional<Model> model_;
    std::optional<SystemSolver<quad>> solver_;
};

double difference(const Values& a, const Values& b) {
    quad worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, real::abs(a[i] - b[i]));
    return static_cast<double>(worst);
}
Values sum(const Values& a, const Values& b) {
    Values c = a;
    for (std::size_t i = 0; i < a.size(); ++i) c[i] += b[i];
    return c;
}
quad pair(const Values& a, const Values& b) {
    quad total = 0;
    for (std::size_t i = 0; i < a.size(); ++i) total += a[i] * b[i];
    return total;
}

constexpr double round_off = 1e-30; // in quad

class ProjectorLaws : public testing::TestWithParam<const char*> {};

TEST_P(ProjectorLaws, Hold) {
    Projectors projectors(GetParam());
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    for (int trial = 0; trial < 5; ++trial) {
        Values w, p;
        for (std::size_t i = 0; i < projectors.n; ++i) w.emplace_back(normal(random)), p.emplace_back(normal(random));
        const auto W = projectors.of(w), C = projectors.of(p), PW = projectors.of(W.P), QW = projectors.of(W.Q),
                   PC = projectors.of(C.P_dual), QC = projectors.of(C.Q_dual);
        EXPECT_LE(difference(sum(W.P, W.Q), w), round_off) << "P + Q = 1";
        EXPECT_LE(difference(sum(C.P_dual, C.Q_dual), p), round_off) << "P* + Q* = 1";
        EXPECT_LE(difference(PW.P, W.P), round_off) << "P P = P";
        EXPECT_LE(difference(QW.Q, W.Q), round_off) << "Q Q = Q";
        EXPECT_LE(difference(QW.P, Values(w.size(), 0)), round_off) << "P Q = 0";
        EXPECT_LE(difference(PC.P_dual, C.P_dual), round_off) << "P* P* = P*";
        EXPECT_LE(difference(QC.Q_dual, C.Q_dual), round_off) << "Q* Q* = Q*";
        EXPECT_LE(difference(PW.A, Values(projectors.m, 0)), round_off) << "A P = 0";
        EXPECT_LE(std::abs(static_cast<double>(pair(C.P_dual, w) - pair(p, W.P))), round_off) << "<P* p, w> = <p, P w>";
        EXPECT_LE(std::abs(static_cast<double>(pair(C.Q_dual, w) - pair(p, W.Q))), round_off) << "<Q* p, w> = <p, Q w>";
        EXPECT_LE(std::abs(static_cast<double>(pair(PW.M, W.Q))), round_off) << "orthogonal in the metric";
        EXPECT_LE(difference(projectors.of(W.M).P_dual, PW.M), round_off) << "P* M = M P";
        EXPECT_GT(difference(W.P, w), 1e-3) << "the constraints take something away";
    }
}
INSTANTIATE_TEST_SUITE_P(Gallery, ProjectorLaws,
                         testing::Values("nonholonomic_particle", "chaplygin_sleigh", "snakeboard", "falling_disk",
                                         "rattleback", "ball_on_turntable", "sleigh_with_tow", "appell_hamel"),
                         [](const auto& name) { return std::string(name.param); });

// The sleigh by hand: Q* p = mu^T (mu M^-1 mu^T)^-1 mu M^-1 p, for the nonholonomic particle at (x, y, z) with M = 1
// and mu = (-y, 0, 1).
TEST(Projectors, AreThoseOfTheFormula) {
    const Model model =
        read_model("coordinates = [\"x\", \"y\", \"z\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2 + "
                   "z'^2)/2\"\n[constraints]\nvelocity = [\"z' - y*x'\"]\n[initial]\nq = [0, 2, 0]\nv = "
                   "[1, 1, 2]\n",
                   "m.toml");
    const Nonholonomic sys(model);
    const auto dual = project_dual(sys, sys.p, "covector ");
    SystemSolver<double> solver(compile(
        System{model.graph, concat({sys.q, sys.v, sys.p}), {{dual.u, {}}, {dual.kappa, {}}}, dual.equations, dual.Q}));
    const double values[] = {0, 2, 0, 1, 1, 2, 1, 5, 7}; // q, v, p = (1, 5, 7): mu p = 5, mu mu^T = 5
    std::copy(std::begin(values), std::end(values), solver.given());
    Report report;
    ASSERT_TRUE(solver.solve(report));
    EXPECT_DOUBLE_EQ(solver.result(0), -2);
    EXPECT_DOUBLE_EQ(solver.result(1), 0);
    EXPECT_DOUBLE_EQ(solver.result(2), 1);
}

} // namespace
} // namespace rattleback
