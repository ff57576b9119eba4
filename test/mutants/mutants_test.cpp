// Every law has a mutant: a one-line corruption of a method that it must notice. The table below says for each mutant
// which laws see it and, by what is not listed, which do not: no single law is a witness. A law must break clearly,
// ten thousand times above its limit, or hold.
#include <gtest/gtest.h>

#include "laws/measure.hpp"
#include "scheme/build.hpp"
#include "scheme/composition.hpp"
#include <rattleback/operators.hpp>

namespace rattleback::laws {
namespace {

const TestModel& model_named(const std::string& name) {
    for (const TestModel& m : models())
        if (m.name == name) return m;
    throw std::runtime_error(name);
}

using Build = Method (*)(const Model&);

// --- the laws, each on one model ---------------------------------------------------------------------------------

struct Law {
    std::string name, model;
    enum Kind { order, property } kind;
    Property measured = Property::symplectic;
};
const std::vector<Law> laws = {
    {"order", "relativistic Kepler", Law::order},
    {"order in time", "driven Duffing", Law::order},
    {"order with forces", "reversible force", Law::order},
    {"symplectic", "relativistic Kepler", Law::property, Property::symplectic},
    {"symplectic in time", "driven Duffing", Law::property, Property::symplectic},
    {"symmetric", "relativistic Kepler", Law::property, Property::symmetric},
    {"symmetric in time", "driven Duffing", Law::property, Property::symmetric},
    {"reversible", "relativistic Kepler", Law::property, Property::reversible},
    {"reversible with forces", "reversible force", Law::property, Property::reversible},
    {"rotation", "relativistic Kepler", Law::property, Property::momentum_exact},
    {"translation", "nonlinear springs", Law::property, Property::momentum_exact},
    {"energy exact", "linear springs", Law::property, Property::energy_exact},
    {"energy bounded", "relativistic Kepler", Law::property, Property::energy_bounded},
};

TestModel linear_springs() {
    TestModel m = model_named("nonlinear springs");
    m.text.replace(m.text.find(" - r2^2/4"), 9, "");
    return m;
}

// Distance from what is promised, in units of the limit: at most 1 holds.
double excess(const Law& law, Build build) {
    const TestModel test = law.model == "linear springs" ? linear_springs() : model_named(law.model);
    const Model model = test.read();
    const Method method = build(model);
    if (law.kind == Law::property) {
        const double limit = law.measured == Property::energy_bounded ? 1e-4 : 4e-15; // 0 or 1; see laws_test.cpp
        return measure(law.measured, test, model, method).value_or(1) / limit;        // a run that fails breaks it
    }
    const OrderStudy study =
        observed_order(compile(model, method),
                       {.until = test.until, .coarsest = 8, .most_halvings = 3, .exact = exact_end_of(test, model)});
    return study.order < method.order - 0.5 ? 1e4 : std::abs(study.order - method.order) / 0.1;
}

std::string broken(Build build) {
    std::string list;
    for (const Law& law : laws) {
        const double x = excess(law, build);
        EXPECT_TRUE(x <= 1 || x >= 9999) << law.name << " neither holds nor breaks clearly: " << x;
        if (x > 1) list += (list.empty() ? "" : ", ") + law.name;
    }
    return list;
}

// --- the mutants ----------------------------------------------------------------------------------------------------

Method base(const Model& model, const char* text) { return build_in_graph(model, parse_methods(text)[0]); }
Method runge_kutta_mutant(const Model& model, const Tableau& t, int order) {
    return {.id = "mutant", .step = runge_kutta_step(model, t), .order = order};
}
Vec at_time(const Vec& f, const Model& model, const Expr& t) {
    return substitute(f, {{model.time_vec(), Vec({{"t", t}})}});
}

struct Mutant {
    const char* what;
    Build build;
    const char* broken;
    friend void PrintTo(const Mutant& m, std::ostream* out) { *out << m.what; }
};

constexpr const char* all_but_translation = "order, order in time, order with forces, symplectic, symplectic in time, "
                                            "symmetric, symmetric in time, reversible, "
                                            "reversible with forces, rotation, energy exact, energy bounded";

const Mutant mutants[] = {
    {"gauss:stages=2 as it is", [](const Model& m) { return base(m, "gauss:stages=2"); }, ""},
    {"weights of gauss:stages=2 uneven", // they still add up to 1
     [](const Model& m) {
         Tableau t = gauss(2);
         t.b[0] += static_cast<quad>(0.01), t.b[1] -= static_cast<quad>(0.01);
         return runge_kutta_mutant(m, t, 4);
     },
     all_but_translation},
    {"one coefficient of gauss:stages=2 wrong",
     [](const Model& m) {
         Tableau t = gauss(2);
         t.a[0][1] += static_cast<quad>(0.01);
         return runge_kutta_mutant(m, t, 4);
     },
     all_but_translation},
    {"midpoint with the coefficients of the trapezoidal rule", // its energy is bounded, yet it is not symplectic
     [](const Model& m) {
         const quad half = static_cast<quad>(1) / 2;
         return runge_kutta_mutant(m, {{{0, 0}, {half, half}}, {half, half}, {0, 1}}, 2);
     },
     "symplectic, symplectic in time, rotation"},
    {"stage times of gauss:stages=2 exchanged",
     [](const Model& m) {
         Tableau t = gauss(2);
         std::swap(t.c[0], t.c[1]);
         return runge_kutta_mutant(m, t, 4);
     },
     "order in time"},
    {"midpoint with its stage explicit",
     [](const Model& m) {
         Method method = base(m, "midpoint");
         const Vec K = method.step.find[0].symbols;
         for (Equation& e : method.step.equations) e.rhs = substitute(e.rhs, {{K, zeros_like(K)}});
         return method;
     },
     all_but_translation},
    {"midpoint with the time of the node",
     [](const Model& m) {
         Method method = base(m, "midpoint");
         for (Equation& e : method.step.equations)
             e.lhs = at_time(e.lhs, m, m.t - method.step.h / 2), e.rhs = at_time(e.rhs, m, m.t - method.step.h / 2);
         return method;
     },
     "order in time, symmetric in time"},
    {"force with the wrong sign",
     [](const Model& m) {
         Model wrong = m;
         wrong.force = -m.force;
         return base(wrong, "del");
     },
     "order with forces"},
    {"force against friction's sign in the momentum only", // F_d^+ added twice, F_d^- once
     [](const Model& m) {
         Method method = base(m, "del");
         const Mechanics sys(m);
         const std::size_t n = m.q.size();
         const Vec F = sys.force(m.q, method.step.find[0].symbols, m.t);
         for (std::size_t i = 0; i < n; ++i)
             method.step.increment[n + i].value = method.step.increment[n + i].value + method.step.h * F[i].value;
         return method;
     },
     "order with forces, reversible with forces"},
    {"del without D1 of the action in its equation",
     [](const Model& m) {
         Method method = base(m, "del");
         method.step.equations = {gradient(m.function, m.v) == m.p}; // p0 = L_v(q0, W)
         method.step.equations[0].lhs = substitute(method.step.equations[0].lhs, {{m.v, method.step.find[0].symbols}});
         return method;
     },
     all_but_translation},
    {"symplectic_euler as it is", [](const Model& m) { return base(m, "symplectic_euler"); },
     "symmetric, symmetric in time, reversible, reversible with forces, energy exact"},
    {"symplectic_euler with both of q and p from the old state", // Euler's method
     [](const Model& m) {
         Method method = base(m, "symplectic_euler");
         method.step.equations = {gradient(m.function, m.v) == m.p}; // p0 = L_v(q0, V)
         method.step.equations[0].lhs = substitute(method.step.equations[0].lhs, {{m.v, method.step.find[0].symbols}});
         return method;
     },
     "symplectic, symplectic in time, symmetric, symmetric in time, reversible, reversible with forces, "
     "rotation, translation, energy exact, energy bounded"},
    {"composition with other fractions", // symmetric, and they add up to 1
     [](const Model& m) {
         Method method = base(m, "compose:order=4");
         method.substeps = {static_cast<quad>(0.2), static_cast<quad>(0.2), static_cast<quad>(0.2),
                            static_cast<quad>(0.2), static_cast<quad>(0.2)};
         return method;
     },
     "order, order in time, order with forces"},
    {"composition with fractions out of order",
     [](const Model& m) {
         Method method = base(m, "compose:order=4");
         std::swap(method.substeps[1], method.substeps[2]);
         return method;
     },
     "order, order in time, order with forces, symmetric, symmetric in time, reversible, reversible with forces"},
    {"composition with fractions that do not add up to 1",
     [](const Model& m) {
         Method method = base(m, "compose:order=4");
         method.substeps[2] += static_cast<quad>(0.001);
         return method;
     },
     "order, order in time, order with forces, symmetric in time"},
    {"reversal without its minus sign",
     [](const Model& m) {
         Method method = base(m, "midpoint");
         method.step.reverse = method.step.state;
         return method;
     },
     "reversible, reversible with forces"},
    {"a Lagrangian with h^2 q1^2 added", // of order 2 still
     [](const Model& m) {
         Model wrong = m;
         wrong.function = m.function + pow(step_size(m) * m.q[0].value, 2);
         return base(wrong, "del");
     },
     "rotation, translation, energy exact"},
};

class Mutants : public testing::TestWithParam<Mutant> {};
TEST_P(Mutants, AreSeenByTheLawsOfTheTable) { EXPECT_EQ(broken(GetParam().build), GetParam().broken); }
INSTANTIATE_TEST_SUITE_P(All, Mutants, testing::ValuesIn(mutants), [](const auto& m) {
    std::string name = m.param.what;
    std::erase_if(name, [](char c) { return c == ':' || c == '=' || c == ','; });
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
    return name;
});

TEST(EveryLaw, HasAMutantThatBreaksIt) {
    std::string all;
    for (const Mutant& m : mutants) all += ", " + std::string(m.broken);
    for (const Law& law : laws) EXPECT_NE((all + ",").find(", " + law.name + ","), std::string::npos) << law.name;
}

// The mutant of the compensated sums: setting the state to itself forgets what the additions lost.
TEST(Compensation, KeepsWhatAdditionsLose) {
    const TestModel test = model_named("relativistic Kepler");
    const Model model = test.read();
    const Method method = base(model, "midpoint");
    const auto drift = [&](bool compensated) {
        Stepper<double> stepper(model, method);
        NodeReader<double> reader(model, method);
        Report report;
        double worst = 0, first = 0;
        EXPECT_TRUE(stepper.start(report) && reader.read(stepper, 0, report));
        first = reader.node().momenta[0];
        for (int k = 0; k < 100000; ++k) {
            EXPECT_TRUE(stepper.advance(k, 0.01, report));
            if (!compensated) stepper.set_state(stepper.state());
            EXPECT_TRUE(reader.read(stepper, 0, report));
            worst = std::max(worst, std::abs(reader.node().momenta[0] / first - 1));
        }
        return worst;
    };
    const double with = drift(true), without = drift(false); // 2.9e-15, 1.5e-14
    EXPECT_LE(with, 6e-15);
    EXPECT_GE(without, 2.5 * with);
}

} // namespace
} // namespace rattleback::laws
