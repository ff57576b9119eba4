// What `check` says of models on groups. The mutants are models: each differs from one that has a property in one
// place.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "evidence/group_facts.hpp"
#include "evidence/studies.hpp"

namespace rattleback {
namespace {

std::string body(const std::string& lagrangian, const std::string& more = "", const std::string& v = "[0.6, 0.8, 0]") {
    return "coordinates = [\"R in SO(3)\"]\n[mechanics]\nlagrangian = \"" + lagrangian + "\"\n" + more +
           "\n[initial]\nq = { R = [1, 0, 0, 0, 1, 0, 0, 0, 1] }\nv = { R = " + v + " }\n";
}
std::string constraint(const std::string& phi) { return "[constraints]\nvelocity = [\"" + phi + "\"]"; }

std::string fact(const std::string& text, const std::string& name) {
    for (const auto& [key, words] : inspect(read_model(text, "body.toml")).facts)
        if (key == name) return words.substr(0, words.find(':'));
    return "";
}

const std::string round = "(body(R)[1]^2 + body(R)[2]^2 + body(R)[3]^2)/2",
                  any = "(body(R)[1]^2 + 1.5*body(R)[2]^2 + 2*body(R)[3]^2)/2";

TEST(GroupFacts, TellMetricsApart) {
    EXPECT_EQ(fact(body(round), "metric"), "bi-invariant");
    EXPECT_EQ(fact(body("dot(space(R), space(R))/2"), "metric"), "bi-invariant") << "in other words";
    EXPECT_EQ(fact(body(any), "metric"), "left-invariant, not bi-invariant");
    EXPECT_EQ(fact(body(any + " - R[3,3]"), "metric"), "left-invariant, not bi-invariant") << "with a potential";
    EXPECT_EQ(fact(body("dot(space(R), space(R))/2 + 0.3*space(R)[1]^2"), "metric"), "not left-invariant");
    EXPECT_EQ(fact(body(any), "group"), "SO(3)");
    EXPECT_EQ(fact(body(any), "coordinates"), "3");
}

TEST(GroupFacts, TellDistributionsApart) {
    EXPECT_EQ(fact(body(any, constraint("body(R)[3]")), "distribution"), "left-invariant");
    EXPECT_EQ(fact(body(any, constraint("(2 + R[1,1])*body(R)[3]")), "distribution"), "left-invariant")
        << "the rows change, what they allow does not";
    EXPECT_EQ(fact(body(any, constraint("space(R)[3]")), "distribution"), "not left-invariant");
}

TEST(GroupFacts, SayWhereTheEnergyTheoremHolds) {
    const std::string leaning = constraint("space(R)[3]"), name = "energy of p_minus";
    EXPECT_EQ(fact(body(round, leaning), name), "lie_gni keeps it");
    EXPECT_EQ(fact(body(any, leaning), name), "lie_gni keeps it with ld=mv, for any inertia");
    EXPECT_EQ(fact(body(round + " - R[3,3]", leaning), name), "no theorem");
    EXPECT_EQ(fact(body(round + " + 0.1*body(R)[1]", leaning), name), "no theorem");
    EXPECT_EQ(fact("[group]\nname = \"SE(2) x R^2\"\ninertia = [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], "
                   "[0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]\nconstraints = [[0, 0, 1, 0, 0]]\n[initial]\n"
                   "g = [0, 0, 0, 0, 0]\nxi = [1, 1, 0, 1, 1]\n",
                   name),
              "no theorem");
}

TEST(GroupFacts, KnowWhichGeneratorsTranslate) {
    const auto translates = [](const std::string& generator) {
        const Model model = read_model(body(any, "[symmetries]\ns = { R = " + generator + " }"), "body.toml");
        return is_translation(Sample(model), model.symmetries[0]);
    };
    EXPECT_TRUE(translates("\"transpose(R)*[0, 1, 2]\"")); // to the left
    EXPECT_TRUE(translates("[0, 0, 1]"));                  // to the right
    EXPECT_FALSE(translates("\"R*[0, 1, 2]\""));
    EXPECT_FALSE(translates("\"R[1,1]*[0, 0, 1]\""));
}

} // namespace
} // namespace rattleback
