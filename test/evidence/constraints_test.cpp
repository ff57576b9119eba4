// What `check` finds out about constraints.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <algorithm>
#include <map>

#include "evidence/preserved.hpp"
#include "evidence/studies.hpp"

namespace rattleback {
namespace {

Model model_of(const std::string& coordinates, const std::string& lagrangian, const std::string& constraints,
               const std::string& initial) {
    return read_model("coordinates = " + coordinates + "\n[mechanics]\nlagrangian = \"" + lagrangian +
                          "\"\n[constraints]\n" + constraints + "\n[initial]\n" + initial + "\n",
                      "m.toml");
}
Model particle(const std::string& constraints, const std::string& initial) {
    return model_of("[\"x\", \"y\", \"z\"]", "(x'^2 + y'^2 + z'^2)/2", constraints, initial);
}

Model from_gallery(const std::string& name, const LoadOptions& options = {}) {
    for (const GalleryItem& item : gallery())
        if (item.name == name) return read_model(item.text, name + ".toml", options);
    throw std::runtime_error(name);
}

std::string fact(const Model& model, const std::string& name) {
    std::string all;
    for (const auto& [key, words] : inspect(model).facts)
        if (key == name) all += (all.empty() ? "" : "\n") + words;
    return all;
}
std::string integrability(const Model& model) { return fact(model, "integrability"); }

TEST(Check, ClassifiesHowVelocitiesEnter) {
    EXPECT_EQ(fact(particle("velocity = [\"z' - y*x'\"]", "q = [0, 1, 0]\nv = [1, 1, 1]"), "velocities"),
              "they enter the constraints linearly");
    EXPECT_EQ(fact(particle("velocity = [\"z' - y*x' - 1\"]", "q = [0, 1, 0]\nv = [1, 1, 2]"), "velocities"),
              "they enter the constraints affinely");
    EXPECT_EQ(fact(particle("velocity = [\"z'^2 - y*x'\"]", "q = [0, 1, 0]\nv = [1, 1, 1]"), "velocities"),
              "they enter the constraints nonlinearly");
    // The square is only on paper.
    EXPECT_EQ(
        fact(particle("velocity = [\"(z' + y)^2 - z'^2 - y^2 - x'\"]", "q = [0, 1, 0]\nv = [2, 0, 1]"), "velocities"),
        "they enter the constraints linearly");
}

TEST(Check, FindsGrowthVectors) {
    EXPECT_EQ(integrability(from_gallery("heisenberg")), "nonholonomic: growth vector (2, 3)");
    EXPECT_EQ(integrability(from_gallery("martinet")), "nonholonomic: growth vector (2, 3), (2, 2, 3) at the start");
    EXPECT_EQ(integrability(from_gallery("martinet", {.q = {{"y", "0.5"}}, .v = {{"z", "0.075"}}})),
              "nonholonomic: growth vector (2, 3)");
    EXPECT_EQ(integrability(from_gallery("engel")), "nonholonomic: growth vector (2, 3, 4)");
    EXPECT_EQ(integrability(from_gallery("rolling_disk")), "nonholonomic: growth vector (2, 3, 4)");
    EXPECT_EQ(integrability(from_gallery("rolling_sphere_geodesic")), "nonholonomic: growth vector (2, 3, 5)");
    EXPECT_EQ(integrability(from_gallery("snakeboard")), "nonholonomic: growth vector (3, 4, 5)");
    EXPECT_EQ(integrability(from_gallery("trailers_geodesic")), "nonholonomic: growth vector (2, 3, 4, 5)");
    EXPECT_EQ(integrability(from_gallery("ball_on_turntable")), "nonholonomic: growth vector (4, 6) in space-time");
    EXPECT_EQ(integrability(from_gallery("chaotic_oscillator")), "nonholonomic: growth vector (6, 7)");
    EXPECT_EQ(integrability(from_gallery("sleigh_with_tow")), "nonholonomic: growth vector (3, 4)");
}

TEST(Check, UnmasksIntegrableConstraints) {
    const char* const disguised = "integrable: holonomic in disguise. Brackets of allowed directions are allowed";
    EXPECT_EQ(integrability(particle("velocity = [\"x*x' + y*y' + z*z'\"]", "q = [1, 0, 0]\nv = [0, 1, 1]")),
              disguised);
    // exp(y) (x dy + dx), with a factor that hides d(x exp(y)) well
    EXPECT_EQ(integrability(particle("velocity = [\"(2 + sin(z))*(x*y' + x')\"]", "q = [1, 0, 0]\nv = [1, -1, 1]")),
              disguised);
    // z_i in place of y_i: x + sum z_i^2/2 is constant
    EXPECT_EQ(
        integrability(model_of("[\"x\", \"y[1..3]\", \"z[1..3]\"]", "(x'^2 + sum(i in 1..3: y[i]'^2 + z[i]'^2))/2",
                               "velocity = [\"x' + sum(i in 1..3: z[i]*z[i]')\"]",
                               "q = { x = 0.8, \"y[i]\" = 0.1, \"z[i]\" = 0.2 }\n"
                               "v = { x = 0, \"y[i]\" = 1, \"z[i]\" = 0 }")),
        disguised);
    // affine and timed: d(x exp(t))
    EXPECT_EQ(integrability(particle("velocity = [\"exp(t)*(x' + x)\"]", "q = [1, 0, 0]\nv = [-1, 1, 1]")), disguised);
    EXPECT_EQ(integrability(from_gallery("two_wheeled_robot")),
              "partly integrable: 1 function of the coordinates is constant; growth vector (2, 3, 4)");
    const Inspection found = inspect(particle("velocity = [\"x' - y'\"]", "q = [0, 0, 0]\nv = [1, 1, 1]"));
    ASSERT_EQ(found.warnings.size(), 1u);
    EXPECT_EQ(found.warnings[0], "the velocity constraints are integrable: they can be written under holonomic");
}

TEST(Check, SeesRanks) {
    EXPECT_EQ(fact(from_gallery("snakeboard"), "velocity rank"),
              "2 of 2 constraints are independent at the start and around it");
    const Model square =
        from_gallery("snakeboard", {.q = {{"phi", "pi/2"}}, .v = {{"theta", "0"}, {"x", "0"}, {"y", "0"}}});
    EXPECT_EQ(fact(square, "velocity rank"), "1 of 2 constraints are independent at the start, 2 at points around it");
    EXPECT_EQ(integrability(square), "not looked at: the start is singular");
    const Inspection found = inspect(square);
    ASSERT_EQ(found.warnings.size(), 1u);
    EXPECT_EQ(found.warnings[0], "dependent constraints: at the start x'*sin(theta - phi) - y'*cos(theta - phi) - "
                                 "r*theta'*cos(phi) = 0 follows from the others");
    for (const auto& [id, why] : found.methods) EXPECT_EQ(why, "the equations are singular at the start") << id;
    const Model doubled = particle("holonomic = [\"x - y\", \"x^2 - y^2\"]", "q = [1, 1, 0]\nv = [1, 1, 1]");
    EXPECT_EQ(fact(doubled, "holonomic rank"), "1 of 2 constraints are independent at the start; these follow from the "
                                               "others: x^2 - y^2");
    EXPECT_EQ(fact(from_gallery("four_bar"), "holonomic rank"), "3 of 3 constraints are independent at the start");
}

TEST(Check, TestsCompatibilityAndIndex) {
    EXPECT_EQ(fact(from_gallery("rolling_disk"), "compatibility"),
              "A M^-1 A^T is regular at the start, with condition number 3");
    // An indefinite metric: phi_v has full rank, which is not enough.
    const std::string initial = "q = [0, 0, 1]\nv = [1, -1, 0]\n";
    const Model saddle =
        model_of("[\"x\", \"y\", \"z\"]", "(x'^2 - y'^2 + z'^2)/2", "velocity = [\"x' + y'\"]", initial);
    EXPECT_EQ(fact(saddle, "compatibility"), "A M^-1 A^T is SINGULAR at the start");
    const Model inside = model_of("[\"x\", \"y\", \"z\"]", "(x'^2 - y'^2 + z'^2)/2",
                                  "velocity = [\"x' + y'\"]\nprinciple = \"variational\"", initial + "lambda = [0]");
    EXPECT_EQ(fact(inside, "index 1"), "phi_v F_vv^-1 phi_v^T is SINGULAR at the start");
    EXPECT_EQ(fact(inside, "restricted form"), "rank 4 of 6 on the constraint set: NOT symplectic");
    EXPECT_EQ(fact(from_gallery("falling_cat"), "index 1"),
              "phi_v F_vv^-1 phi_v^T is regular at the start, with condition number 1");
    // A metric on the allowed directions only: index 1 all the same.
    const Model thin =
        model_of("[\"x\", \"y\", \"z\"]", "(x'^2 + y'^2)/2", "velocity = [\"z' - y*x'\"]\nprinciple = \"variational\"",
                 "q = [0, 0, 0]\nv = [1, 0, 0]\nlambda = [0]");
    EXPECT_EQ(fact(thin, "index 1"),
              "F_vv is singular; [[F_vv, phi_v^T], [phi_v, 0]] is regular at the start, with condition number 1");
    EXPECT_EQ(fact(thin, "restricted form"), "rank 6 of 6 on the constraint set: symplectic");
    const Inspection found = inspect(thin);
    EXPECT_TRUE(std::find(found.methods.begin(), found.methods.end(),
                          std::pair<std::string, std::string>("gauss", "")) != found.methods.end());
    EXPECT_EQ(fact(from_gallery("falling_cat"), "restricted form"), "rank 6 of 6 on the constraint set: symplectic");
}

TEST(Check, KnowsWhichSymmetriesAreHorizontal) {
    EXPECT_EQ(
        fact(from_gallery("nonholonomic_particle_free"), "symmetry"),
        "translation_x: leaves the formulas unchanged; not horizontal: the constraint forces change its momentum\n"
        "translation_y: leaves the formulas unchanged; horizontal: its momentum is conserved\n"
        "translation_z: leaves the formulas unchanged; not horizontal: the constraint forces change its momentum");
    EXPECT_EQ(fact(from_gallery("cartesian_spherical_pendulum"), "symmetry"),
              "vertical: leaves the formulas unchanged; its momentum is conserved");
    const std::string axis = "[symmetries]\nshift = { x = \"1\" }\n";
    EXPECT_EQ(fact(particle("holonomic = [\"x^2 + y^2 - 1\"]\n" + axis, "q = [1, 0, 0]\nv = [0, 1, 1]"), "symmetry"),
              "shift: leaves the formulas unchanged; but it changes the holonomic constraints, whose forces change its "
              "momentum");
    // Variational: it is enough that the constraints become combinations of one another.
    EXPECT_EQ(fact(from_gallery("rolling_sphere_geodesic"), "symmetry"),
              "translation_x: leaves the formulas unchanged; its momentum is conserved\n"
              "translation_y: leaves the formulas unchanged; its momentum is conserved\n"
              "turn: leaves the formulas unchanged; its momentum is conserved");
    EXPECT_EQ(fact(particle("velocity = [\"z' - x*y'\"]\nprinciple = \"variational\"\n" + axis,
                            "q = [0, 0, 0]\nv = [1, 0, 0]\nlambda = [1]"),
                   "symmetry"),
              "shift: leaves the formulas unchanged; but it changes the constraints: its momentum is not conserved");
}

TEST(Check, SaysWhatEachMethodWillPreserve) {
    const auto kept = [](const std::string& system, const std::string& id) {
        for (const auto& [name, words] : inspect(from_gallery(system)).preserves)
            if (name == id) return words;
        return std::string("does not fit");
    };
    EXPECT_EQ(kept("rolling_disk", "gni"),
              "order 2; keeps: velocity constraints, momentum of turn, symmetric, reversible");
    EXPECT_EQ(kept("rolling_disk", "gf"), "order 2; keeps: momentum of turn, symmetric, reversible");
    EXPECT_EQ(kept("rolling_disk", "gf_proj"), "order 2; keeps: velocity constraints, momentum of turn");
    EXPECT_EQ(kept("chaplygin_sleigh", "nh_gauss"), "order 2; keeps: velocity constraints, symmetric, reversible");
    EXPECT_EQ(kept("rolling_disk", "rk4"), "order 4; keeps: momentum of turn") << "being linear";
    EXPECT_EQ(kept("kepler", "rk4"), "order 4; keeps nothing");
    // Affine constraints cannot be run backwards, the shifted Lagrangian is not even.
    EXPECT_EQ(kept("ball_on_turntable", "nh_gauss"),
              "order 2; keeps: velocity constraints, momentum of spin, symmetric");
    EXPECT_EQ(kept("contact_oscillator_shifted", "nh_gauss"), "order 2; keeps: velocity constraints, symmetric");
    EXPECT_EQ(kept("sleigh_with_tow", "nh_rattle"),
              "order 2; keeps: velocity constraints, holonomic constraints, symmetric, reversible");
    EXPECT_EQ(kept("kepler", "gauss"),
              "order 2; keeps: symplectic, bounded energy, momentum of rotation, symmetric, reversible");
    EXPECT_EQ(kept("snakeboard_torques", "nh_gauss"), "order 2; keeps: velocity constraints, symmetric");
    EXPECT_EQ(kept("snakeboard", "gauss"), "does not fit");
}

TEST(Check, SaysWhichMethodsFitAndWhyOthersDoNot) {
    const Inspection found = inspect(from_gallery("appell_hamel"));
    const auto why = [&](const std::string& id) {
        for (const auto& [name, words] : found.methods)
            if (name == id) return words;
        return std::string("unknown");
    };
    EXPECT_EQ(why("nh_gauss"), "");
    EXPECT_EQ(why("gf"), "");
    for (const char* id : {"gni", "nh_rattle", "nh_shake", "dla", "gf_proj", "gf_sym_proj", "gf_geometric"})
        EXPECT_EQ(why(id), "") << id;
    EXPECT_EQ(why("gauss"), "method 'gauss' takes models without constraints; this model has nonholonomic constraints: "
                            "try nh_gauss or gni");
}

// i*omega on C = {H_lambda = 0}, in any basis; with a holonomic constraint as a multiplier C is too large.
TEST(Check, RestrictsTheForm) {
    for (const char* name : {"massive_photon", "massive_photon_skewed"})
        EXPECT_EQ(fact(from_gallery(name), "restricted form"), "rank 4 of 4 on the constraint set: symplectic") << name;
    EXPECT_EQ(fact(from_gallery("cartesian_spherical_pendulum"), "restricted form"),
              "rank 4 of 4 on the constraint set: symplectic");
    EXPECT_EQ(fact(from_gallery("chaplygin_sleigh"), "restricted form"), "") << "d'Alembert's principle keeps none";
    const auto general = [](const std::string& variables, const std::string& H, const std::string& structure,
                            const std::string& z) {
        return read_model("variables = " + variables + "\n[hamiltonian]\nformula = \"" + H +
                              "\"\nstructure = " + structure + "\n[initial]\nz = " + z + "\n",
                          "m.toml");
    };
    const Model index_3 =
        general("[\"x\", \"p\", \"l\"]", "p^2/2 + l*(x - 1)", "[[0, -1, 0], [1, 0, 0], [0, 0, 0]]", "[1, 0, 0]");
    EXPECT_EQ(fact(index_3, "restricted form"), "rank 0 of 2 on the constraint set: NOT symplectic");
    EXPECT_EQ(fact(index_3, "index"), "not 1: H_lambda_lambda has rank 0 of 1");
    const Model flat = general("[\"x\", \"p\", \"l\"]", "p^2/2 + x^2/2 + l^4/4 - l*(p - x)/5",
                               "[[0, -1, 0], [1, 0, 0], [0, 0, 0]]", "{ x = 0.7, p = 0.7 }");
    EXPECT_EQ(fact(flat, "restricted form"), "rank 0 of 2 on the constraint set: NOT symplectic at the start");
    EXPECT_EQ(fact(flat, "index"),
              "1: H_lambda = 0 has one solution, although H_lambda_lambda has rank 0 of 1 at the start");
    const auto methods = inspect(flat).methods;
    const std::map<std::string, std::string> why(methods.begin(), methods.end());
    EXPECT_EQ(why.at("midpoint"), "");
    EXPECT_NE(why.at("dirac"), "") << "its brackets are singular there";
    const Model still = general("[\"x\", \"y\"]", "x^2 + y^2", "[[0, 0], [0, 0]]", "[0, 0]");
    EXPECT_EQ(fact(still, "restricted form"), "none: the constraint set is a point");
    EXPECT_EQ(fact(still, "index"), "not 1: J = 0, the equations are algebraic");
}

} // namespace
} // namespace rattleback
