// Symmetry groups transverse to the constraints, the reduced motion, the constrained connection.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "evidence/studies.hpp"

namespace rattleback {
namespace {

std::string gallery_text(const std::string& name) {
    for (const GalleryItem& item : gallery())
        if (item.name == name) return item.text;
    throw std::runtime_error(name);
}
Model from_gallery(const std::string& name) { return read_model(gallery_text(name), name + ".toml"); }

std::string fact(const Model& model, const std::string& name) {
    for (const auto& [key, words] : inspect(model).facts)
        if (key == name) return words;
    return "";
}

std::string changed(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error(from);
    return text.replace(at, from.size(), to);
}

Model skate(const std::string& lagrangian, const std::string& symmetries) {
    return read_model("coordinates = [\"x\", \"y\", \"th\"]\n[mechanics]\nlagrangian = \"" + lagrangian +
                          "\"\n[constraints]\nvelocity = [\"x'*sin(th) - y'*cos(th)\"]\n" + symmetries +
                          "\n[initial]\nq = [1, 2, 0.3]\nv = [0, 0, 1]\n",
                      "skate.toml");
}

TEST(Chaplygin, SaysShapeAndGroupCoordinates) {
    const char* key = "Chaplygin system";
    EXPECT_EQ(fact(from_gallery("nonholonomic_particle"), key),
              "shape coordinates x, y, group coordinates z; abelian group");
    EXPECT_EQ(fact(from_gallery("rolling_disk"), key),
              "for the subgroup translation_x, translation_y: shape coordinates theta, phi, group coordinates x, y; "
              "abelian group");
    EXPECT_EQ(fact(from_gallery("knife_edge"), key),
              "shape coordinates x, theta, group coordinates y; abelian group; where cos(theta) is not 0");
    EXPECT_EQ(
        fact(from_gallery("two_wheeled_robot"), key),
        "shape coordinates x, theta, group coordinates y, right, left; abelian group; where R^2*cos(theta) is not "
        "0");
    EXPECT_EQ(fact(from_gallery("kepler"), key), "");
    EXPECT_EQ(fact(from_gallery("appell_hamel"), key), "") << "nonlinear constraints";
}

TEST(Chaplygin, SaysWhereTheGroupIsLarger) {
    EXPECT_EQ(fact(from_gallery("chaplygin_sleigh"), "symmetry group"),
              "the general case: of its 3 directions the constraints allow 2, which have a generalised momentum; its "
              "shape space is a point");
    EXPECT_EQ(fact(from_gallery("snakeboard"), "symmetry group"),
              "the general case: of its 4 directions the constraints allow 2, which have a generalised momentum");
    EXPECT_EQ(fact(from_gallery("nonholonomic_particle"), "symmetry group"), "");
}

// What is no symmetry of L, of the constraints or of the forces is none of the group.
TEST(Chaplygin, AsksForAllThatTheGroupMustLeave) {
    const std::string particle = gallery_text("nonholonomic_particle");
    const auto verdict = [&](const std::string& from, const std::string& to) {
        return fact(read_model(changed(particle, from, to), "m.toml"), "Chaplygin system");
    };
    EXPECT_NE(verdict("x^2 + y^2\"", "x^2 + y^2\""), "");
    EXPECT_EQ(verdict("x^2 + y^2\"", "x^2 + y^2 + z^2/1000\""), "") << "L";
    EXPECT_EQ(verdict("z' - y*x'\"", "z' - y*x' - z*y'/1000\""), "") << "constraints";
    EXPECT_EQ(verdict("[constraints]", "force = { y = \"z/1000\" }\n[constraints]"), "") << "forces";
    EXPECT_NE(verdict("[constraints]", "force = { y = \"x'/10\" }\n[constraints]"), "");
    EXPECT_EQ(
        fact(skate("(x'^2 + y'^2 + th'^2)/2 - x^2 - y^2", "[symmetries]\nturn = { th = \"1\" }"), "Chaplygin system"),
        "")
        << "no direction of a symmetry crosses the blade";
}

TEST(Chaplygin, SaysWhatCannotBeReduced) {
    const auto refusal = [](const Model& model) -> std::string {
        try {
            return reduce_chaplygin(model).model;
        } catch (const Unsuitable& e) { return e.what(); }
    };
    EXPECT_EQ(refusal(from_gallery("kepler")),
              "this model is not reduced to a shape space: that needs a Lagrangian, and velocity constraints "
              "that are linear and without time, under d'Alembert's principle");
    EXPECT_EQ(refusal(skate("(x'^2 + y'^2 + th'^2)/2 - x^2*y", "")),
              "this model is not reduced to a shape space: it has no symmetries");
    // Rotations about the origin: L and the constraint are the same, and at the start they cross the blade.
    EXPECT_EQ(
        refusal(skate("(x'^2 + y'^2 + th'^2)/2 - x^2 - y^2",
                      "[symmetries]\nrotation = { x = \"-y\", y = \"x\", th = \"1\" }")),
        "this model is not reduced to a shape space: the coordinates are not adapted to the group: it moves x, y, "
        "th, more coordinates than it has dimensions; choose coordinates of which it moves as many as the group has "
        "dimensions");
}

std::string line(const ShownEquations& shown, const std::string& left) {
    for (const auto& section : shown.sections)
        for (const auto& l : section.lines)
            if (l.left == left) return l.right;
    return "";
}

TEST(Chaplygin, ReducesTheParticle) {
    const ChaplyginReduction r = reduce_chaplygin(from_gallery("nonholonomic_particle"));
    EXPECT_EQ(line(r.equations, "G_x"), "x'*y*y'");
    EXPECT_EQ(line(r.equations, "G_y"), "-x'^2*y");
    EXPECT_EQ(line(r.equations, "z'"), "x'*y");
    const Model reduced = read_model(r.model, "reduced.toml");
    EXPECT_EQ(reduced.q.size(), 2u);
    EXPECT_TRUE(reduced.velocity.empty());
    const auto run = integrate(reduced, {.method = "gauss:stages=2", .step = 0.05, .until = 5});
    EXPECT_LE(run.energy_error_max(), 1e-4) << "gyroscopic forces do no work";
}

// One force with the other sign is no gyroscopic force: energy is lost.
TEST(Chaplygin, NeedsTheGyroscopicForces) {
    const std::string text = reduce_chaplygin(from_gallery("nonholonomic_particle")).model;
    const auto error = [](const std::string& t) {
        return integrate(read_model(t, "m.toml"), {.method = "gauss:stages=3", .step = 0.02, .until = 2})
            .energy_error_max();
    };
    EXPECT_LE(error(text), 1e-9);
    EXPECT_GT(error(changed(text, "y = \"-x'^2*y\"", "y = \"x'^2*y\"")), 1e-2);
}

TEST(Connection, IsThatOfTheParticle) {
    const ShownEquations c = study_connection(from_gallery("nonholonomic_particle"));
    EXPECT_EQ(line(c, "Q^x_x"), "y^2/(y^2 + 1)");
    EXPECT_EQ(line(c, "Gammabar^x_{y x}"), "2*y/(y^2 + 1)^2");
    EXPECT_EQ(line(c, "Gammabar^x_{x y}"), "") << "what vanishes is not shown; nabla-bar has torsion";
    EXPECT_EQ(line(c, "W^x"), "-2*x/(y^2 + 1)");
    EXPECT_EQ(line(c, "lambda^z"), "-2*x*y/(y^2 + 1) + x'*y'/(y^2 + 1)");
    for (const char* name : {"kepler", "appell_hamel", "ball_on_turntable", "contact_oscillator_shifted"})
        EXPECT_TRUE(study_connection(from_gallery(name)).sections.empty()) << name;
}

} // namespace
} // namespace rattleback
