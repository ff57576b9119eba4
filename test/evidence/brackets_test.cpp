// Dirac's algorithm: chains of hidden constraints, classes, strong and weak invariants.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

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
    // One that hides two levels: p_x = 0, then x = y^2 by its force, which {p_x, .} sees.
    EXPECT_EQ(
        complaint(phase("[\"x\", \"y\"]", "p_y^2/2 + p_x*y + y*x", "phase = [\"p_x\"]", "q = [0, 0]\np = [0, 0]")),
        "chain: phi1 given 0 first; psi1 {phi1, H} 1 second; psi_2_1 {psi1, H} 2 second");
    EXPECT_EQ(complaint(phase("[\"x\", \"y\"]", "p_y^2/2 + x", "phase = [\"p_x\"]", "q = [0, 0]\np = [0, 0]")),
              "contradictory constraints: {phi1, H} = 1 must vanish, and does nowhere");
}

TEST(Brackets, HiddenConstraintsThatTheStartMissesAreSaid) {
    const Model off = phase("[\"x\", \"y\"]", "p_y^2/2 + x^2/2", "phase = [\"p_x\"]", "q = [0.5, 0]\np = [0, 0]");
    const std::string words = "the initial data are off the hidden constraint psi1 = {phi1, H} = 0: the residual is "
                              "-0.5\n  correct them; check --brackets prints it";
    EXPECT_EQ(study_brackets(off).hidden_at_start, words);
    try {
        integrate(off, {.method = "dirac_weak", .step = 0.1, .steps = 1});
        FAIL();
    } catch (const Unsuitable& e) { EXPECT_EQ(e.what(), words); }
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
