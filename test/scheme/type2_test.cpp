// Quadratures of type2: which are adjoint to which, which methods they are by other names, and what is refused.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

namespace rattleback {
namespace {

const char* const hamiltonian = R"-(coordinates = ["x", "y"]
[mechanics]
hamiltonian = "(p_x^2*(1 + y^2) + p_y^2/(1 + x^2) + p_x^2*p_y^2)/2 + x^2/2 + y^2 + x*y^3/2 + x*sin(t)/5"
[initial]
q = [0.3, -0.4]
p = [0.5, 0.2]
t = 0.4
)-";
const char* const control = R"-(coordinates = ["x", "y", "a"]
[control]
inputs   = ["v", "w"]
dynamics = { x = "v*cos(a)", y = "v*sin(a) + x^2/4 + sin(t)/5", a = "w" }
cost     = "(v^2 + w^2)/2 + v*w/4 + y^2*(1 + t)/3"
[initial]
q = [0, 0, 0.2]
p = [-1, -0.5, 0.3]
t = 0.4
)-";

Model model_of(const std::string& text) { return read_model(text, "model.toml"); }

// Largest difference between a step of one method and what is found in its place.
double largest(const std::vector<quad>& a, const std::vector<quad>& b) {
    double worst = 0;
    for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(static_cast<double>(a[i] - b[i])));
    return worst;
}

constexpr quad h = static_cast<quad>(0.1);
constexpr int steps = 8;

// A step forwards, then one of another method backwards: how far from where it began.
double apart_from_adjoint(const Model& model, const std::string& one, const std::string& other) {
    Stepper<quad> forward(compile(model, one)), back(compile(model, other));
    Report report;
    EXPECT_TRUE(forward.start(report, h) && back.start(report, h)) << report.what;
    double worst = 0;
    for (int k = 0; k < steps; ++k) {
        const std::vector<quad> before = forward.state();
        EXPECT_TRUE(forward.advance(k, h, report)) << report.what;
        back.set_state(forward.state());
        EXPECT_TRUE(back.advance(-(k + 1), -h, report)) << report.what;
        worst = std::max(worst, largest(before, back.state()));
    }
    return worst;
}

// Half a step of one and half a step of another, beside a step of a third.
double apart_from_composition(const Model& model, const std::string& first, const std::string& second,
                              const std::string& both) {
    Stepper<quad> one(compile(model, first)), two(compile(model, second)), whole(compile(model, both));
    Report report;
    EXPECT_TRUE(one.start(report, h / 2) && two.start(report, h / 2) && whole.start(report, h)) << report.what;
    double worst = 0;
    for (int k = 0; k < steps; ++k) {
        EXPECT_TRUE(one.advance(2 * k, h / 2, report)) << report.what;
        two.set_state(one.state());
        EXPECT_TRUE(two.advance(2 * k + 1, h / 2, report)) << report.what;
        one.set_state(two.state());
        EXPECT_TRUE(whole.advance(k, h, report)) << report.what;
        worst = std::max(worst, largest(two.state(), whole.state()));
    }
    return worst;
}

double apart(const Model& model, const std::string& one, const std::string& other) {
    Stepper<quad> a(compile(model, one)), b(compile(model, other));
    Report report;
    EXPECT_TRUE(a.start(report, h) && b.start(report, h)) << report.what;
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(a.advance(k, h, report) && b.advance(k, h, report)) << report.what;
    return largest(a.state(), b.state());
}

// The mirror image of a quadrature has the adjoint step, with H, with L and Gamma apart, and with forces of time.
TEST(Type2, MirrorImagesAreAdjoint) {
    const Model H = model_of(hamiltonian), problem = model_of(control);
    struct Pair {
        const char *one, *other;
    };
    for (const Pair& p : {Pair{"type2", "type2:quadrature=right"},
                          Pair{"type2:quadrature=alpha:alpha=1/4", "type2:quadrature=alpha:alpha=3/4"},
                          Pair{"type2:quadrature=trapezoid", "type2:quadrature=trapezoid"}})
        for (const Model* model : {&H, &problem})
            EXPECT_LE(apart_from_adjoint(*model, p.one, p.other), 1e-31) << p.one; // 4e-33
    for (const Pair& p : {Pair{"type2:cost=right:dynamics=midpoint", "type2:cost=left:dynamics=midpoint"},
                          Pair{"type2:cost=alpha:alpha=1/4:dynamics=left", "type2:cost=alpha:alpha=3/4:dynamics=right"},
                          Pair{"type2:quadrature=trapezoid:inputs=step", "type2:quadrature=trapezoid:inputs=step"},
                          Pair{"type2:cost=midpoint:dynamics=trapezoid", "type2:cost=midpoint:dynamics=trapezoid"}})
        EXPECT_LE(apart_from_adjoint(problem, p.one, p.other), 1e-31) << p.one;
    EXPECT_GT(apart_from_adjoint(problem, "type2", "type2"), 1e-3); // 8e-3
    EXPECT_GT(apart_from_adjoint(problem, "type2:cost=right:dynamics=midpoint", "type2:cost=right:dynamics=midpoint"),
              1e-5);
}

TEST(Type2, TheTrapezoidalRuleIsLeftThenRight) {
    for (const char* text : {hamiltonian, control}) {
        const Model model = model_of(text);
        EXPECT_LE(apart_from_composition(model, "type2", "type2:quadrature=right", "type2_sym"), 1e-31);
        EXPECT_GT(apart_from_composition(model, "type2:quadrature=right", "type2", "type2_sym"), 1e-5);
        EXPECT_EQ(apart(model, "type2_sym", "type2:quadrature=trapezoid"), 0);
        EXPECT_EQ(apart(model, "type2", "type2:quadrature=alpha:alpha=0"), 0);
        EXPECT_LE(apart(model, "midpoint", "type2:quadrature=midpoint"), 1e-25); // 5e-26: Newton's method ends there
    }
}

// One input for a step is the same where it is needed at one place only, and else not.
TEST(Type2, InputsOfAStep) {
    const Model model = model_of(control);
    EXPECT_LE(apart(model, "type2", "type2:inputs=step"), 1e-31);
    EXPECT_LE(apart(model, "type2:quadrature=midpoint", "type2:quadrature=midpoint:inputs=step"), 1e-31);
    EXPECT_LE(apart(model, "type2:cost=trapezoid", "type2:cost=trapezoid:dynamics=left:inputs=step"), 0);
    EXPECT_GT(apart(model, "type2:quadrature=trapezoid", "type2:quadrature=trapezoid:inputs=step"), 1e-5);
}

template <class E> std::string refusal(const Model& model, const std::string& method) {
    try {
        build_method(model, parse_methods(method)[0]);
    } catch (const E& e) { return e.what(); }
    return "";
}

TEST(Type2, RefusesWhatMakesNoSense) {
    const Model H = model_of(hamiltonian), problem = model_of(control);
    EXPECT_EQ(refusal<BadMethod>(H, "type2:quadrature=simpson"),
              "option quadrature=simpson is not known; choose one of left, right, midpoint, trapezoid, alpha");
    EXPECT_EQ(refusal<BadMethod>(H, "type2:quadrature=alpha"),
              "quadrature=alpha needs alpha, the place in the step: 0 for its beginning, 1 for its end");
    EXPECT_EQ(refusal<BadMethod>(H, "type2:alpha=1/3"), "option alpha has an effect with quadrature=alpha only");
    EXPECT_EQ(refusal<BadMethod>(problem, "type2:quadrature=right:cost=left:dynamics=right"),
              "option quadrature=right has no effect beside cost and dynamics; leave it out");
    EXPECT_EQ(refusal<BadMethod>(problem, "type2:cost=right:inputs=points"),
              "inputs=points needs the same quadrature for cost and dynamics: an input at a place where only one of "
              "them is taken would not connect them");
    EXPECT_EQ(refusal<Unsuitable>(H, "type2:cost=right"),
              "method 'type2': cost, dynamics and inputs say how [control] is made discrete, and this model has none; "
              "quadrature serves every Hamiltonian");
    std::string nonlinear = control;
    nonlinear.replace(nonlinear.find("v*w/4"), 5, "v^4/4");
    EXPECT_EQ(
        refusal<Unsuitable>(model_of(nonlinear), "type2:inputs=step"),
        "method 'type2' takes one input for a step where H_u = 0 is linear in the inputs; leave inputs=points and "
        "give the cost and the dynamics the same quadrature");
    EXPECT_EQ(refusal<Unsuitable>(model_of(nonlinear), "type2:quadrature=trapezoid"), "");
    EXPECT_EQ(refusal<Unsuitable>(model_of(nonlinear), "compose:base=type2_sym"), "");
    EXPECT_EQ(
        refusal<Unsuitable>(model_of(nonlinear), "compose:base=rattle"),
        "method 'compose' does not solve H_u = 0 for inputs that enter nonlinearly; try gauss, type2 or type2_sym");
}

} // namespace
} // namespace rattleback
