// Dirac's algorithm: chains of hidden constraints, classes, strong and weak invariants.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "evidence/defects.hpp"
#include "evidence/studies.hpp"

namespace rattleback {
namespace {

using Kind = BracketStudy::Kind;

Model phase(const std::string& coordinates, const std::string& H, const std::string& constraints,
            const std::string& initial) {
    return read_model("coordinates = " + coordinates + "\n[mechanics]\nhamiltonian = \"" + H + "\"\n[constraints]\n" +
                          constraints + "\n[initial]\n" + initial + "\n",
                      "m.toml");
}

Model from_gallery(const std::string& name) {
    for (const GalleryItem& item : gallery())
        if (item.name == name) return read_model(item.text, name + ".toml");
    throw std::runtime_error(name);
}

std::string chain_of(const BracketStudy& study) {
    std::string s;
    for (const BracketStudy::Constraint& c : study.chain)
        s += (s.empty() ? "" : "; ") + c.name + " " + c.origin + " " + std::to_string(c.level) +
             (c.second_class ? " second" : " first");
    return s;
}

Kind kind(const BracketStudy& study, const std::string& name, const std::string& under) {
    for (const BracketStudy::Invariant& i : study.invariants)
        if (i.name == name && i.under == under) return i.kind;
    throw std::runtime_error(name + " under " + under);
}

std::string complaint(const Model& model) {
    try {
        return "chain: " + chain_of(study_brackets(model));
    } catch (const std::exception& e) { return e.what(); }
}

// Section 3.1, and the remark on Cooper's theorem: in (30)-(31) g, psi and H are strong, elsewhere weak.
TEST(Brackets, OfThePendulum) {
    const BracketStudy study = study_brackets(from_gallery("cartesian_pendulum"));
    EXPECT_EQ(chain_of(study), "g1 given 0 second; psi1 {g1, H} 1 second");
    for (const char* f : {"g1", "psi1", "H"}) {
        EXPECT_EQ(kind(study, f, "dirac_weak"), Kind::strong) << f;
        EXPECT_EQ(kind(study, f, "dirac_simplified"), Kind::weak) << f;
        EXPECT_EQ(kind(study, f, "dirac"), Kind::weak) << f;
    }
    EXPECT_EQ(kind(study, "g1", "underlying"), Kind::weak);
    EXPECT_EQ(kind(study, "psi1", "underlying"), Kind::strong) << "why the midpoint rule keeps it to 6e-15";
    EXPECT_EQ(kind(study, "psi1", "H alone"), Kind::none);
    ASSERT_EQ(study.multipliers.size(), 2u);
}

TEST(Brackets, OfSymmetriesAndSeveralConstraints) {
    const BracketStudy sphere = study_brackets(from_gallery("cartesian_spherical_pendulum"));
    for (const char* under : {"H alone", "underlying", "dirac", "dirac_simplified", "dirac_weak"})
        EXPECT_EQ(kind(sphere, "vertical", under), Kind::strong) << under;
    const BracketStudy bars = study_brackets(from_gallery("four_bar"));
    EXPECT_EQ(chain_of(bars),
              "g1 given 0 second; g2 given 0 second; g3 given 0 second; psi1 {g1, H} 1 second; psi2 {g2, H} 1 "
              "second; psi3 {g3, H} 1 second");
    for (const char* f : {"g2", "psi3", "H"}) EXPECT_EQ(kind(bars, f, "dirac_weak"), Kind::strong) << f;
}

TEST(Brackets, OfPhaseConstraints) {
    // A pair of the second class hides nothing.
    EXPECT_EQ(complaint(phase("[\"x\", \"y\"]", "(x^2 + 2*y^2)/2", "phase = [\"p_x + y/2\", \"p_y - x/2\"]",
                              "q = [1, 0.5]\np = [-0.25, 0.5]")),
              "chain: phi1 given 0 second; phi2 given 0 second");
    // An integral of the motion is of the first class.
    const Model turning = phase("[\"x\", \"y\"]", "(p_x^2 + p_y^2)/2 + (x^2 + y^2)/2",
                                "phase = [\"x*p_y - y*p_x - 1\"]", "q = [1, 0]\np = [0.3, 1]");
    EXPECT_EQ(complaint(turning), "chain: phi1 given 0 first");
    EXPECT_EQ(kind(study_brackets(turning), "phi1", "dirac_weak"), Kind::strong);
    // p_x = 0 with a force along x: x = 0 is hidden, and the pair is of the second class.
    EXPECT_EQ(complaint(phase("[\"x\", \"y\"]", "p_y^2/2 + x^2*(1 + y^2)/2 + y^2/2", "phase = [\"p_x\"]",
                              "q = [0, 0.5]\np = [0, 0.2]")),
              "chain: phi1 given 0 second; psi1 {phi1, H} 1 second");
    // Three hidden levels: p_x = 0, then y = 0, p_y = 0 and x + p_x = 0, whose rate alone sees the multiplier.
    EXPECT_EQ(
        complaint(phase("[\"x\", \"y\"]", "p_y^2/2 + p_x*y + y*x", "phase = [\"p_x\"]", "q = [0, 0]\np = [0, 0]")),
        "chain: phi1 given 0 second; psi1 {phi1, H} 1 second; psi_2_1 {psi1, H} 2 second; psi_3_1 {psi_2_1, H} 3 "
        "second");
    EXPECT_EQ(complaint(phase("[\"x\", \"y\"]", "p_y^2/2 + x", "phase = [\"p_x\"]", "q = [0, 0]\np = [0, 0]")),
              "contradictory constraints: {phi1, H} = 1 must vanish, and does nowhere");
}

TEST(Brackets, HiddenConstraintsThatTheStartMissesAreSaid) {
    const Model off = phase("[\"x\", \"y\"]", "p_y^2/2 + x^2/2", "phase = [\"p_x\"]", "q = [0.5, 0]\np = [0, 0]");
    const std::string words = "the initial data are off the hidden constraint psi1 = {phi1, H} = -x = 0: the residual "
                              "is -0.5, 1 of its largest term\n  correct them; check --brackets prints it";
    EXPECT_EQ(study_brackets(off).hidden_at_start, words);
    try {
        integrate(off, {.method = "dirac_weak", .step = 0.1, .steps = 1});
        FAIL();
    } catch (const Unsuitable& e) { EXPECT_EQ(e.what(), words); }
}

// p_x = 0 follows three levels below x = 0: data that miss it have no motion, and are refused.
TEST(Brackets, ChainsOfFourLevelsAreFollowedToTheirEnd) {
    const auto model = [](const char* p) {
        return phase("[\"x\", \"y\"]", "p_x*p_y + y^2/2 + 3*x", "phase = [\"x\"]", std::string("q = [0, 0]\np = ") + p);
    };
    const BracketStudy study = study_brackets(model("[0.7, 0]"));
    EXPECT_EQ(chain_of(study), "phi1 given 0 second; psi1 {phi1, H} 1 second; psi_2_1 {psi1, H} 2 second; psi_3_1 "
                               "{psi_2_1, H} 3 second");
    ASSERT_EQ(study.levels.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_EQ(study.levels[k].dimension, 3 - static_cast<int>(k));
        EXPECT_EQ(study.levels[k].conditions.size(), k == 3 ? 1u : 0u);
    }
    EXPECT_EQ(to_text(study.multipliers.at(0).formula), "-3");
    for (std::size_t i = 1; i < 4; ++i) EXPECT_TRUE(study.multipliers.at(i).vanishes) << "hidden ones have none";
    for (const char* method : {"dirac", "dirac_weak"}) try {
            integrate(model("[0.7, 0]"), {.method = method, .step = 0.1, .steps = 1});
            FAIL() << method;
        } catch (const Unsuitable& e) {
            EXPECT_EQ(std::string(e.what()),
                      "the initial data are off the hidden constraint psi_3_1 = {psi_2_1, H} = -p_x = 0: the residual "
                      "is -0.7, 1 of its largest term\n  correct them; check --brackets prints it");
        }
    const auto rest = integrate(model("[0, 0]"), {.method = "dirac", .step = 0.1, .steps = 10});
    ASSERT_TRUE(rest.report().ok());
    for (double x : rest.summary().end["q"]) EXPECT_EQ(x, 0);
}

// l is what holds the rod, l = p^2 - y; the same pendulum as J z' = grad H of index 3, and with lobatto.
TEST(Brackets, AMultiplierAsACoordinateFollowsTheMotion) {
    const Model model = phase("[\"x\", \"y\", \"l\"]", "p_x^2/2 + p_y^2/2 + y + l*(x^2 + y^2 - 1)/2",
                              "phase = [\"p_l\"]", "q = [1, 0, 1.44]\np = [0, -1.2, 0]");
    EXPECT_EQ(
        chain_of(study_brackets(model)),
        "phi1 given 0 second; psi1 {phi1, H} 1 second; psi_2_1 {psi1, H} 2 second; psi_3_1 {psi_2_1, H} 3 second");
    const Model general = read_model(
        "variables = [\"x\", \"y\", \"u\", \"v\", \"l\"]\n[hamiltonian]\nformula = \"(u^2 + v^2)/2 + y + l*(x^2 + y^2 "
        "- "
        "1)/2\"\nstructure = [[0, 0, -1, 0, 0], [0, 0, 0, -1, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, "
        "0]]\n[initial]\nz = [1, 0, 0, -1.2, 1.44]\n",
        "m.toml");
    const BracketStudy study = study_brackets(general);
    EXPECT_EQ(chain_of(study), "pi1 of the kernel of J 0 second; psi1 {pi1, H} 1 second; psi_2_1 {psi1, H} 2 second; "
                               "psi_3_1 {psi_2_1, H} 3 second");
    const Model rod = phase("[\"x\", \"y\"]", "p_x^2/2 + p_y^2/2 + y", "holonomic = [\"(x^2 + y^2 - 1)/2\"]",
                            "q = [1, 0]\np = [0, -1.2]");
    const auto exact = integrate(rod, {.method = "lobatto:stages=5", .step = 0.01, .until = 3.0});
    const auto q = exact.summary().end["q"], p = exact.summary().end["p"];
    const double l = p[0] * p[0] + p[1] * p[1] - q[1];
    for (const char* method : {"dirac:stages=3", "dirac_weak:stages=3"}) {
        const auto run = integrate(model, {.method = method, .step = 0.01, .until = 3.0});
        const auto same = integrate(general, {.method = method, .step = 0.01, .until = 3.0});
        ASSERT_TRUE(run.report().ok() && same.report().ok()) << method;
        const auto end = run.summary().end["q"], z = same.summary().end["z"];
        EXPECT_NEAR(end[0], q[0], 1e-11) << method;
        EXPECT_NEAR(end[2], l, 1e-11) << method;
        EXPECT_NEAR(run.summary().end["v"][2], -3 * p[1], 1e-10) << method << ": l' by its multiplier";
        EXPECT_NEAR(z[0], q[0], 1e-11) << method;
        EXPECT_NEAR(z[4], l, 1e-11) << method;
    }
    // The midpoint rule as it is: a relation that keeps the form, and lets the constraints be violated.
    Model forced = general;
    forced.any_index = true;
    Report report;
    const CompiledMethod relation = compile(forced, build_method(forced, parse_methods("midpoint")[0]));
    EXPECT_LE(symplectic_defect<double>(relation, 0.02, 20, report).value_or(1), 7e-16) << "measured 3.3e-16";
    const auto drifted = integrate(forced, {.method = "midpoint", .step = 0.02, .until = 2.0});
    EXPECT_GT(*drifted.summary().constraint_max, 1e-5) << "measured 9.4e-4";
    EXPECT_THROW(integrate(general, {.method = "gauss", .step = 0.01, .steps = 1}), Unsuitable) << "not of index 1";
}

TEST(Brackets, WhatCannotBeDecidedIsRefused) {
    EXPECT_EQ(complaint(phase("[\"x\", \"y\"]", "p_y^2/2 + x^3/3", "phase = [\"p_x\"]", "q = [0, 0.1]\np = [0, 0.3]")),
              "the hidden constraint {phi1, H} = -x^2 has no gradient of its own where it vanishes: Dirac's algorithm "
              "cannot go on\n  write the model such that it is regular there, as x = 0 in place of x^2 = 0");
    // The rate of p_x vanishes at t = 0 alone.
    EXPECT_EQ(complaint(phase("[\"x\", \"y\"]", "p_y^2/2 + x*sin(t)", "phase = [\"p_x\"]", "q = [0, 0]\np = [0, 0]"))
                  .substr(0, 44),
              "contradictory constraints: {phi1, H} = 0.521");
}

TEST(Inspection, SaysWhichRootOfSeveralIsTaken) {
    const Model model =
        read_model("variables = [\"q\", \"p\", \"l\"]\n[hamiltonian]\nformula = \"p^2/2 + q^2/2 + l^3/3 - "
                   "l*(2 + q)\"\nstructure = [[0, -1, 0], [1, 0, 0], [0, 0, 0]]\n[initial]\nz = { q = "
                   "0.25, p = 0.5 }\n",
                   "m.toml");
    const Inspection found = inspect(model);
    ASSERT_EQ(found.warnings.size(), 1u);
    EXPECT_EQ(found.warnings[0], "H_lambda = 0 has several roots: l = 1.5 is taken; others: l = -1.5\n  give all "
                                 "components of z to take another");
    Model other = model;
    other.z0 = {0.25, 0.5, -1.5}, other.z_given = {0.25, 0.5, -1.5};
    EXPECT_NEAR(integrate(other, {.method = "midpoint", .step = 0.1, .steps = 1}).summary().end["z"][2],
                -1.51364230730056, 1e-13);
}

// Charged particles in a strong field: p_x + y/2 = 0 = p_y - x/2 leave x' = H_y, y' = -H_x of H(x, y, -y/2, x/2).
TEST(Brackets, PhaseConstraintsAreIntegrated) {
    const Model model = phase("[\"x\", \"y\"]", "(p_x^2 + p_y^2)/2 + (x^2 + 2*y^2)/2 + x^4/4",
                              "phase = [\"p_x + y/2\", \"p_y - x/2\"]", "q = [1, 0.5]\np = [-0.25, 0.5]");
    const Model reduced =
        read_model("variables = [\"x\", \"y\"]\nstructure = [[0, 1], [-1, 0]]\n[hamiltonian]\nformula = "
                   "\"(x^2 + y^2)/8 + (x^2 + 2*y^2)/2 + x^4/4\"\n[initial]\nz = [1, 0.5]\n",
                   "r.toml");
    const auto exact = integrate(reduced, {.method = "gauss:stages=4", .step = 0.01, .until = 3.0});
    for (const char* method : {"dirac:stages=4", "dirac_weak:stages=4"}) {
        const auto run = integrate(model, {.method = method, .step = 0.01, .until = 3.0});
        ASSERT_TRUE(run.report().ok()) << run.report().text();
        for (std::size_t i = 0; i < 2; ++i)
            EXPECT_NEAR(run.summary().end["q"][i], exact.summary().end["z"][i], 2e-14) << method;
        EXPECT_LT(*run.summary().constraint_max, 1e-15) << method;
    }
    EXPECT_THROW(integrate(model, {.method = "dirac_simplified", .step = 0.01, .steps = 1}), Unsuitable);
    EXPECT_THROW(integrate(model, {.method = "rattle", .step = 0.01, .steps = 1}), Unsuitable);
    Model missed = model;
    missed.p0[0] = 0;
    EXPECT_THROW(integrate(missed, {.method = "dirac_weak", .step = 0.01, .steps = 1}), std::runtime_error);
}

} // namespace
} // namespace rattleback
