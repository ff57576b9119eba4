// Control problems with inputs that have no square in H: the chain of Dirac, Bergmann, Gotay and Nester.
#include "problems.hpp"

#include "evidence/studies.hpp"

namespace rattleback::boundary_test {
namespace {

std::string singular(const std::string& cost, const std::string& p = "[1, 0]") {
    return "coordinates = [\"x\", \"y\"]\n[control]\ninputs = [\"u\"]\ndynamics = { x = \"y\", y = \"u\" }\ncost = \"" +
           cost + "\"\n[initial]\nq = [1, -1]\np = " + p + "\n[observables]\ntwice = \"2*u\"\n";
}

std::string facts(const std::string& text) {
    std::string all;
    for (const auto& f : inspect(read_model(text, "singular.toml")).facts) all += f.first + ": " + f.second + "\n";
    return all;
}

// H_u = p_y, {p_y, H} = -(p_x + y): there x'' = x, and u = x.
TEST(Singular, TheChainDeterminesTheInput) {
    const std::string all = facts(singular("(x^2 + y^2)/2"));
    for (const char* line :
         {"singular: u has no square in H: H_u = 0 is a constraint of q and p\n", "P_0: p_y = 0; of dimension 3\n",
          "P_1: {phi1, H} = -(p_x + y) = 0; of dimension 2, nothing else is hidden\n",
          "input: u = x on the last set, which is symplectic\n",
          "Kelley: {H_u, {H_u, H}} is not negative at the start, for u: paths on the last set may be minima\n"})
        EXPECT_NE(all.find(line), std::string::npos) << line << all;
}

TEST(Singular, PathsStayOnTheLastSet) {
    for (const char* method : {"dirac:stages=3", "dirac_weak:stages=3"}) {
        const rattleback::Run run = integrate(read_model(singular("(x^2 + y^2)/2"), "singular.toml"),
                                              {.method = method, .step = 0.05, .steps = 20});
        ASSERT_TRUE(run.report().ok()) << run.report().what;
        for (std::size_t k = 0; k < run.t.rows(); ++k) {
            const double decay = std::exp(-run.t[k]);
            EXPECT_NEAR(run.q(k, 0), decay, 1e-11) << method;
            EXPECT_NEAR(run["u"][k], decay, 1e-11) << method;
            EXPECT_NEAR(run["observables"][k], 2 * decay, 2e-11) << method;
            EXPECT_NEAR(run.p(k, 0) + run.q(k, 1), 0, 1e-13) << method;
            EXPECT_NEAR(run.p(k, 1), 0, 1e-13) << method;
        }
    }
}

// Beside an input that H_u = 0 determines.
TEST(Singular, InputsOfBothKinds) {
    const rattleback::Run run = integrate(read_model(R"-(coordinates = ["x", "y", "z"]
[control]
inputs   = ["w", "u"]
dynamics = { x = "y", y = "u", z = "w" }
cost     = "(x^2 + y^2 + w^2)/2"
[initial]
q = [1, -1, 0]
p = [1, 0, 2]
)-",
                                                     "singular.toml"),
                                          {.method = "dirac:stages=3", .step = 0.05, .steps = 20});
    ASSERT_TRUE(run.report().ok()) << run.report().what;
    const std::size_t last = run.t.rows() - 1;
    EXPECT_NEAR(run["u"](last, 0), -2, 1e-13);
    EXPECT_NEAR(run["u"](last, 1), std::exp(-1.0), 1e-11);
    EXPECT_NEAR(run.q(last, 2), -2, 1e-13);
}

TEST(Singular, KelleysConditionMayFail) {
    const std::string all = facts(singular("(x^2 - y^2)/2", "[-1, 0]"));
    EXPECT_NE(
        all.find("Kelley: {H_u, {H_u, H}} is NEGATIVE at the start, for u: paths on the last set are no minima\n"),
        std::string::npos)
        << all;
}

TEST(Singular, LegendresConditionMayFail) {
    const std::string text = R"-(coordinates = ["x", "y"]
[control]
inputs   = ["u", "w"]
dynamics = { x = "u", y = "w" }
cost     = "u^2/2 + u*w + c*w^2"
[parameters]
c = 0.4
[initial]
q = [0, 0]
p = [1, 0]
)-";
    const std::string line =
        "Legendre: H_uu is NOT positive at the start: inputs from H_u = 0 do not make H least there, "
        "and paths are no minima\n";
    EXPECT_NE(facts(text).find(line), std::string::npos) << facts(text);
    std::string positive = text;
    positive.replace(positive.find("0.4"), 3, "0.6");
    EXPECT_EQ(facts(positive).find("Legendre"), std::string::npos) << facts(positive);
}

template <class F> std::string message_of(F&& f) {
    try {
        f();
    } catch (const Error& e) { return e.what(); }
    return "nothing was thrown";
}

TEST(Singular, WhatIsNotDeterminedIsRefused) {
    const Model open = read_model(singular("x", "[0, 0]"), "singular.toml"); // p_x' = -1: no place where all holds
    EXPECT_NE(message_of([&] {
                  integrate(open, {.method = "dirac", .step = 0.1, .steps = 1});
              }).find("contradictory constraints: {psi1, H} = 1 must vanish, and does nowhere"),
              std::string::npos);
    const Model flat = read_model(singular("0", "[0, 0]"), "singular.toml");
    EXPECT_EQ(message_of([&] { integrate(flat, {.method = "dirac", .step = 0.1, .steps = 1}); }),
              "the input 'u' is not determined: neither H_u = 0 nor what it hides contains it, and the last set of the "
              "chain is not symplectic\n  check --brackets prints the chain; a cost that grows with the input "
              "determines it");
    EXPECT_NE(facts(singular("0", "[0, 0]")).find("refused: the input 'u' is not determined"), std::string::npos);
}

TEST(Singular, AStartOffTheLastSetIsRefused) {
    const Model off = read_model(singular("(x^2 + y^2)/2", "[2, 0]"), "singular.toml");
    EXPECT_NE(message_of([&] {
                  integrate(off, {.method = "dirac", .step = 0.1, .steps = 1});
              }).find("the initial data are off the hidden constraint psi1 = {phi1, H} = -(p_x + y) = 0"),
              std::string::npos);
}

} // namespace
} // namespace rattleback::boundary_test
