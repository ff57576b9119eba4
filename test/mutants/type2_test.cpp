// Mutants of type2: what its laws see of a step that is not the one of the discrete problem. Theorem 3.2 and Prop. 3.3
// of de Leon, Martin de Diego and Santamaria (2004b) are among the laws.
#include <gtest/gtest.h>

#include "evidence/defects.hpp"
#include "scheme/build.hpp"
#include <rattleback/operators.hpp>

namespace rattleback::laws {
namespace {

const char* const problem = R"-(coordinates = ["x", "y", "a"]
[control]
inputs   = ["v", "w"]
dynamics = { x = "v*cos(a)", y = "v*sin(a) + x^2/4 + sin(t)/5", a = "w" }
cost     = "(v^2 + w^2)/2 + v*w/4 + y^2*(1 + t)/3"
[initial]
q = [0, 0, 0.2]
p = [-1, -0.5, 0.3]
)-";

using Change = void (*)(Method&);

Method changed(const Model& model, const std::string& text, Change change) {
    Method method = build_in_graph(model, parse_methods(text)[0]);
    change(method);
    return method;
}

Vec times(const Vec& f, double factor) { return factor * f; }

struct Mutant {
    const char *what, *method;
    Change change;
    const char* broken;
    friend void PrintTo(const Mutant& m, std::ostream* out) { *out << m.what; }
};

const Mutant mutants[] = {
    {"left as it is", "type2", [](Method&) {}, ""},
    {"trapezoid as it is", "type2_sym", [](Method&) {}, ""},
    {"one input a step as it is", "type2:cost=trapezoid:dynamics=midpoint", [](Method&) {}, ""},
    {"S_2 without the last p.q", "type2", // the sum of the theorem as it is printed
     [](Method& m) {
         Vec next = m.step.state;
         for (std::size_t i = 0; i < next.size(); ++i) next[i].value = next[i].value + m.step.increment[i].value;
         m.step.generating = *m.step.generating - dot(first_components(next, 3), last_components(next, 3));
     },
     "one_form"},
    {"L of S_2 larger", "type2", [](Method& m) { m.step.generating = 1.001 * *m.step.generating; }, "one_form"},
    {"the costate at its old place", "type2", // explicit: H_q at p0
     [](Method& m) {
         const Vec K = m.step.find[0].symbols;
         for (Equation& e : m.step.equations) e.rhs = substitute(e.rhs, {{K, zeros_like(K)}});
     },
     "symplectic, one_form, two_form"},
    {"the costate moved by half of what it must", "type2_sym",
     [](Method& m) {
         for (std::size_t i = 3; i < 6; ++i) m.step.increment[i].value = m.step.increment[i].value / 2;
     },
     "symplectic, one_form, two_form, symmetric, order"},
    {"inputs that forget an end of the step", "type2:quadrature=trapezoid:inputs=step",
     [](Method& m) { // H_u = 0 with the costate of its beginning
         Equation& last = m.step.equations.back();
         const Vec K = m.step.find[0].symbols;
         last.lhs = substitute(last.lhs, {{K, zeros_like(K)}});
     },
     "symplectic, one_form, two_form, symmetric, order"},
    {"inputs that are too small", "type2:cost=trapezoid:dynamics=midpoint", // symplectic: with another H
     [](Method& m) {
         Equation& last = m.step.equations.back();
         const Vec u = m.step.find.back().symbols;
         last.lhs = substitute(last.lhs, {{u, times(u, 1.01)}});
     },
     "one_form, order"},
};

std::string broken(const Mutant& mutant) {
    const Model model = read_model(problem, "problem.toml");
    const Method method = changed(model, mutant.method, mutant.change);
    const bool even = method.order == 2;
    std::string list;
    const auto law = [&](const char* name, std::optional<double> value, double limit) {
        const double x = value.value_or(1e300) / limit;
        EXPECT_TRUE(x <= 1 || x >= 1e4) << name << " neither holds nor breaks clearly: " << x;
        if (x > 1) list += (list.empty() ? "" : ", ") + std::string(name);
    };
    Report report;
    law("symplectic", symplectic_defect<double>(compile(model, method), 0.1, 20, report), 1.1e-14);
    const auto d = generating_defect<double>(compile(model, method), 0.1, 10, report);
    EXPECT_TRUE(d);
    law("one_form", d->one_form, 1.1e-14), law("two_form", d->two_form, 1.1e-14);
    if (even) law("symmetric", symmetry_defect<double>(compile(model, method), 0.1, 10, report), 1.1e-14);
    const OrderStudy study = observed_order(compile(model, method), {.until = 1, .coarsest = 8, .most_halvings = 4});
    law("order", study.order < method.order - 0.5 ? 1.0 : std::abs(study.order - method.order) / 1e4, 2e-5);
    return list;
}

class Type2Mutants : public testing::TestWithParam<Mutant> {};
TEST_P(Type2Mutants, AreSeenByTheLawsOfTheTable) { EXPECT_EQ(broken(GetParam()), GetParam().broken); }
INSTANTIATE_TEST_SUITE_P(All, Type2Mutants, testing::ValuesIn(mutants), [](const auto& m) {
    std::string name = m.param.what;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(c); }, '_');
    return name;
});

// Prop. 3.3: p_h . q_h less the action generates the flow. Of Gauss methods the action that their stages sum up does so
// exactly; of rk4 as far as it knows the flow, to h^4.
TEST(Action, GeneratesTheFlow) {
    const Model model = read_model(problem, "problem.toml");
    Report report;
    const auto defect = [&](const char* method, int steps,
                            const std::function<Expr(const Model&)>& rate = action_rate) {
        return static_cast<double>(
            action_defect<quad>(model, method, 1 / static_cast<quad>(steps), steps, report, rate).value());
    };
    EXPECT_LE(defect("gauss:stages=8", 10), 5e-30);
    EXPECT_LE(defect("gauss:stages=2", 10), 7e-28); // 3.3e-28: as far as Newton's method goes
    EXPECT_NEAR(std::log2(defect("rk4", 10) / defect("rk4", 20)), 4, 0.2);
    EXPECT_GT(defect("gauss:stages=8", 10, [](const Model& m) { return action_rate(m) + 1e-3 * m.function; }), 1e-5);
    EXPECT_GT(defect("gauss:stages=8", 10, [](const Model& m) { return 1.001 * action_rate(m); }), 1e-5);
}

} // namespace
} // namespace rattleback::laws
