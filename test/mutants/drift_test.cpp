// Round-off must not drift: where a method's own error is below it, the energy error is a random walk of 1e-18 a step,
// and a line fitted to it rises by what that walk does. Every bias, were it 1e-20 a step, would show.
#include <gtest/gtest.h>

#include "expr/rewrite.hpp"
#include "laws/measure.hpp"
#include "scheme/build.hpp"
#include <rattleback/batch.hpp>
#include <rattleback/operators.hpp>

namespace rattleback::laws {
namespace {

// By how much the line fitted to the energy error rises over the run.
double rise(const Model& model, const Step& step, double h, int steps) {
    const Method method{.id = "gauss", .step = step, .order = 10};
    Stepper<double> stepper(model, method);
    NodeReader<double> reader(model, method);
    Report report;
    EXPECT_TRUE(stepper.start(report, h) && reader.read(stepper, 0, report)) << report.text();
    const double initial = reader.node().energy;
    double moment = 0, weight = 0;
    for (int k = 0; k < steps; ++k) {
        EXPECT_TRUE(stepper.advance(k, h, report) && reader.read(stepper, (k + 1) * h, report)) << report.text();
        const double along = static_cast<double>(k) / steps - 0.5;
        moment += along * (reader.node().energy - initial), weight += along * along;
    }
    return moment / weight;
}

TEST(EnergyDrift, IsThatOfARandomWalk) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/henon_heiles.toml");
    for (const auto& [stages, h] : {std::pair{5, 0.2}, {5, 0.3}, {6, 0.4}}) {
        const double by = rise(model, runge_kutta_step(model, gauss(stages)), h, 200000);
        EXPECT_LE(std::abs(by), 7e-15) << stages << " stages, step " << h;
    }
}

TEST(EnergyDrift, ShowsWeightsRoundedToDouble) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/henon_heiles.toml");
    Tableau rounded = gauss(5);
    for (auto& row : rounded.a)
        for (quad& a : row) a = static_cast<double>(a);
    EXPECT_GE(std::abs(rise(model, runge_kutta_step(model, rounded), 0.3, 200000)), 2e-14);
}

// Lobatto's weights, such as 1/6 and 5/24, with the second of their two parts such that both make the nearest double.
Method with_rounded_weights(const Model& model, int stages) {
    Method method = build_in_graph(model, parse_methods("lobatto:stages=" + std::to_string(stages))[0]);
    const Tableau A = lobatto_a(stages), B = symplectic_partner(A);
    Rewriter rewrite(*model.graph, true);
    const auto round = [&](const std::vector<quad>& weights) {
        for (const quad w : weights) {
            const quad most = static_cast<float>(w), rest = w - most, rounded = static_cast<double>(w);
            if (rest == 0) continue;
            rewrite.replace(Expr(rest).in(*model.graph), rounded - most);
            rewrite.replace(Expr(-rest).in(*model.graph), most - rounded);
        }
    };
    for (const Tableau* t : {&A, &B}) {
        for (const auto& row : t->a) round(row);
        round(t->b);
    }
    const auto rewritten = [&](Vec v) {
        for (std::size_t i = 0; i < v.size(); ++i) v[i].value = rewrite(v[i].value);
        return v;
    };
    method.step.increment = rewritten(method.step.increment);
    for (Equation& e : method.step.equations) e = rewritten(e.lhs) == rewritten(e.rhs);
    return method;
}

TEST(EnergyDrift, ShowsLobattosWeightsRoundedToDouble) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/henon_heiles.toml");
    const Method right = build_in_graph(model, parse_methods("lobatto:stages=6")[0]);
    EXPECT_LE(std::abs(rise(model, right.step, 0.3, 200000)), 7e-15) << "measured 1.7e-15";
    EXPECT_GE(std::abs(rise(model, with_rounded_weights(model, 6).step, 0.3, 200000)), 2e-14) << "measured 3.0e-14";
}

// Distances in the weak Dirac form: what rounding leaves walks away, unless each step takes it back.
TEST(ConstraintDrift, OfTheWeakFormIsTakenBack) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/cartesian_spherical_pendulum.toml");
    const auto largest = [&](const char* method) {
        return *integrate(model, {.method = method, .step = 0.05, .steps = 200000, .every = 200000})
                    .summary()
                    .holonomic_max;
    };
    EXPECT_LE(largest("dirac_weak"), 6e-16) << "measured 2.8e-16";
    EXPECT_GE(largest("dirac_weak:correct=no"), 2e-15);
}

// Angular momentum of a spherical pendulum: a walk, not a march.
double momentum_error(const Model& model, const Method& method) {
    Stepper<double> stepper(model, method);
    NodeReader<double> reader(model, method);
    Report report;
    const double h = 0.0123456789;
    EXPECT_TRUE(stepper.start(report, h) && reader.read(stepper, 0, report)) << report.text();
    const double initial = reader.node().momenta[0];
    constexpr int steps = 400000;
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(stepper.advance(k, h, report)) << report.text();
    EXPECT_TRUE(reader.read(stepper, steps * h, report));
    return std::abs(reader.node().momenta[0] - initial);
}

TEST(MomentumDrift, IsThatOfARandomWalk) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/cartesian_spherical_pendulum.toml");
    Method method = build_in_graph(model, parse_methods("rattle")[0]);
    EXPECT_LE(momentum_error(model, method), 4e-15);
    // The mutant: velocities are unknowns of Newton's method, no formulas of the multiplier it ends with.
    for (Equation& e : method.step.equations)
        if (e.lhs[0].name.find("x'") != std::string::npos) e = Expr(2) * e.lhs == Expr(2) * e.rhs;
    EXPECT_GE(momentum_error(model, method), 2e-14);
}

// A line fitted to the angular momentum of each of sixteen motions that start apart: the mean slope a step, and the
// error that their spread leaves it.
std::pair<double, double> slope(const Model& model, const Method& method, double h) {
    constexpr std::size_t members = 16, readings = 100;
    constexpr long long steps = 100000, between = steps / readings;
    Batch batch(model, method, members);
    Stepper<double> at(model, method);
    NodeReader<double> reader(model, method);
    Report report;
    EXPECT_TRUE(at.start(report, h)) << report.text();
    std::vector<double> first(members), moment(members);
    for (std::size_t i = 0; i < members; ++i) {
        InitialData<double> data;
        for (quad q : model.q0) data.q.push_back(static_cast<double>(q));
        for (quad v : model.v0) data.v.push_back(static_cast<double>(v) * (1 + 0.002 * static_cast<double>(i)));
        EXPECT_TRUE(batch.start(i, data, 0));
    }
    for (std::size_t k = 0; k <= readings; ++k) {
        if (k > 0) batch.advance(static_cast<long long>(k - 1) * between, between, h);
        for (std::size_t i = 0; i < members; ++i) {
            at.set_state(batch.state(i));
            EXPECT_TRUE(reader.read(at, 0, report)) << report.text();
            const double J = reader.node().momenta[0];
            if (k == 0) first[i] = J;
            moment[i] += (static_cast<double>(k) / readings - 0.5) * (J - first[i]);
        }
    }
    double mean = 0, square = 0;
    for (double m : moment) mean += m / members, square += m * m / members;
    double weight = 0;
    for (std::size_t k = 0; k <= readings; ++k) weight += std::pow(static_cast<double>(k) / readings - 0.5, 2);
    const double unit = weight * static_cast<double>(steps);
    return {mean / unit, std::sqrt((square - mean * mean) / (members - 1)) / unit};
}

// As a multiple of that error: a walk has slopes of both signs.
double march(const Model& model, const Method& method, double h) {
    const auto [mean, error] = slope(model, method, h);
    return std::abs(mean) / error;
}

TEST(MomentumDrift, HasNoDirectionAfterNewtonsMethod) {
    const auto gallery = [](const std::string& name) {
        return load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/" + name + ".toml");
    };
    const Model kepler = gallery("kepler"), pendulum = gallery("cartesian_spherical_pendulum");
    struct Case {
        const Model& model;
        const char* id;
        double h;
    };
    for (const auto& [model, id, h] : {Case{kepler, "midpoint", 0.0123456789},
                                       {kepler, "gauss:stages=2", 0.01},
                                       {kepler, "del:ld=midpoint", 0.01},
                                       {kepler, "compose:base=del", 0.05},
                                       {pendulum, "lobatto:stages=3", 0.05},
                                       {pendulum, "lobatto:stages=3", 0.2}}) {
        Method method = build_in_graph(model, parse_methods(id)[0]);
        // Measured: 0.05 to 2.9. Where lobatto's weights 1/6 and 1/3 were taken out of sums, and rounded with h, slopes
        // were 15 and 96 times their errors (bench/drift.cpp).
        EXPECT_LE(march(model, method, h), 4) << id;
        if (std::string(id) != "midpoint") continue;
        // The mutant: the momentum and what is added to it in the residual are rounded to the momentum's last place.
        for (Equation& e : method.step.equations) e = Expr(2) * e.lhs == Expr(2) * e.rhs;
        EXPECT_GE(march(model, method, h), 6) << "measured 12.7";
    }
}

// Steps that are decimal fractions: h/2 times a force lies on fractions of a last place, so that its rounding has a
// direction, but for the impulse of a constraint, which is an unknown of its own.
TEST(MomentumDrift, HasNoDirectionWhereStepsAreDecimalFractions) {
    const Model model = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/cartesian_spherical_pendulum.toml");
    for (const double h : {0.05, 0.1, 0.3}) {
        Method method = build_in_graph(model, parse_methods("rattle")[0]);
        EXPECT_LE(march(model, method, h), 4) << h << ": measured 0.6 to 1.8";
        // The mutant: multipliers as unknowns, and h/2 times what they do.
        Step& step = method.step;
        for (Unknown& u : step.find) {
            if (!model.graph->name(u.symbols[0].value.id()).starts_with("impulse")) continue;
            const Vec Lambda = symbols_like(*model.graph, "multiplier for ", u.symbols);
            const auto with = [&](const Vec& f) { // linear in the impulse
                return substitute(f, {{u.symbols, zeros_like(Lambda)}}) +
                       (step.h / 2) * derivative_along(f, u.symbols, Lambda);
            };
            for (Equation& e : step.equations) e = e.lhs == with(e.rhs);
            step.increment = with(step.increment), step.next_hint = with(step.next_hint);
            u = {Lambda, (2 / step.h) * u.guess, u.beside};
        }
        EXPECT_GE(march(model, method, h), 5) << h << ": measured 6.2 to 7.9";
    }
}

// A rotation that the constraint force does not hinder: horizontal, and its momentum is quadratic.
const char* const winding_text = R"toml(
name = "nonholonomic particle with a horizontal rotation"
coordinates = ["x", "y", "z"]
[mechanics]
kinetic   = "(x'^2 + y'^2 + z'^2)/2"
potential = "(x^2 + y^2)/2 + z^2/3"
[constraints]
velocity = ["z' - x*(x*x' + y*y')"]
[symmetries]
rotation = { x = "-y", y = "x" }
[initial]
q = { x = 1, y = 0.2, z = 0 }
v = { x = 0.1, y = 0.9, z = "0.1 + 0.2*0.9" }
)toml";

// Gauss's methods at such steps: h F cancels in a residual before it is rounded to a place of its own, and weights such
// as 1/2 have two parts as others have, too.
TEST(MomentumDrift, HasNoDirectionWhereStepsOfGaussAreDecimalFractions) {
    const Model kepler = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/kepler.toml");
    for (const auto& [id, h] : {std::pair{"gauss:stages=2", 0.05}, {"gauss:stages=3", 0.05}})
        EXPECT_LE(march(kepler, build_in_graph(kepler, parse_methods(id)[0]), h), 4) << id;
    const Model winding = read_model(winding_text, "winding.toml");
    Method method = build_in_graph(winding, parse_methods("nh_gauss:stages=2")[0]);
    EXPECT_LE(march(winding, method, 0.3), 4);
    // The mutant: the weights 1/2 have one part.
    Rewriter rewrite(*winding.graph, true);
    for (const int j : {0, 1}) {
        const quad half = 0.5, most = half + half * (2 * j + 3) / (1 << 23), rest = half - most;
        rewrite.replace(Expr(most).in(*winding.graph), half);
        rewrite.replace(Expr(rest).in(*winding.graph), 0);
        rewrite.replace(Expr(-rest).in(*winding.graph), 0);
    }
    const auto rewritten = [&](Vec v) {
        for (std::size_t i = 0; i < v.size(); ++i) v[i].value = rewrite(v[i].value);
        return v;
    };
    method.step.increment = rewritten(method.step.increment);
    for (Equation& e : method.step.equations) e = rewritten(e.lhs) == rewritten(e.rhs);
    EXPECT_GE(march(winding, method, 0.3), 5);
}

// What still marches (docs/design/same-bits.md) does not march faster: twice the slopes measured.
TEST(MomentumDrift, IsNoLargerThanIsSaid) {
    const Model kepler = load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/kepler.toml");
    const Model winding = read_model(winding_text, "winding.toml");
    struct Case {
        const Model& model;
        const char* id;
        double h, measured;
    };
    for (const auto& [model, id, h, measured] : {Case{kepler, "midpoint", 0.01, 3.1e-21},
                                                 {kepler, "midpoint", 0.05, 1.2e-20},
                                                 {kepler, "midpoint", 0.1, 2.9e-20},
                                                 {kepler, "midpoint", 0.2, 1.6e-19},
                                                 {kepler, "gauss:stages=2", 0.2, 1.3e-20},
                                                 {winding, "nh_gauss", 0.05, 2.1e-20},
                                                 {winding, "nh_gauss", 0.1, 2.8e-20},
                                                 {winding, "nh_gauss", 0.2, 1.1e-19}}) {
        const auto [by, error] = slope(model, build_in_graph(model, parse_methods(id)[0]), h);
        EXPECT_LE(std::abs(by), 2 * measured) << id << ", step " << h << ": " << by << " (" << error << ")";
    }
    // The mutant: as above, the residual is rounded to the momentum's last place.
    Method method = build_in_graph(kepler, parse_methods("midpoint")[0]);
    for (Equation& e : method.step.equations) e = Expr(2) * e.lhs == Expr(2) * e.rhs;
    EXPECT_GE(std::abs(slope(kepler, method, 0.01).first), 1.2e-20) << "measured 2.4e-20";
}

} // namespace
} // namespace rattleback::laws
