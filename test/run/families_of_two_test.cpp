// Families with two indices, u[1..n,1..m], against closed forms and against the same lattice with one index.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <array>
#include <cmath>

#include "expr/graph.hpp"

namespace rattleback {
namespace {

std::string membrane(const std::string& more = "", int n = 5, int m = 4) {
    return "coordinates = [\"u[1..n,1..m]\"]\n[parameters]\nn = " + std::to_string(n) + "\nm = " + std::to_string(m) +
           "\n[definitions]\n\"u[0,j]\" = 0\n\"u[n+1,j]\" = 0\n\"u[i,0]\" = 0\n\"u[i,m+1]\" = 0\n"
           "[mechanics]\nkinetic = \"sum(i in 1..n: sum(j in 1..m: u[i,j]'^2/2))\"\n"
           "potential = \"sum(i in 0..n: sum(j in 1..m: (u[i+1,j] - u[i,j])^2/2)) "
           "+ sum(i in 1..n: sum(j in 0..m: (u[i,j+1] - u[i,j])^2/2))\"\n" +
           more + "[initial]\nq = { \"u[i,j]\" = \"sin(pi*2*i/(n+1))*sin(pi*j/(m+1))\" }\nv = { \"u[i,j]\" = 0 }\n";
}

double frequency(int a, int n, int b, int m) {
    const double x = std::sin(M_PI * a / (2.0 * (n + 1))), y = std::sin(M_PI * b / (2.0 * (m + 1)));
    return 2 * std::sqrt(x * x + y * y);
}

TEST(FamiliesOfTwo, VibrateAsTheirNormalModes) {
    const Model model = read_model(membrane(), "membrane.toml");
    const auto run = integrate(model, {.method = "gauss:stages=4", .step = 0.1, .until = 8});
    ASSERT_TRUE(run.report().ok()) << run.report().text();
    const double c = std::cos(8 * frequency(2, 5, 1, 4));
    const std::vector<std::string>& names = run.record.names("q");
    ASSERT_EQ(names.size(), 20u);
    EXPECT_EQ(names[0], "u[1,1]");
    EXPECT_EQ(names[19], "u[5,4]");
    EXPECT_EQ(run.record.names("v")[6], "u[2,3]'");
    EXPECT_EQ(run.record.names("p")[6], "p_u[2,3]");
    for (int i = 1; i <= 5; ++i)
        for (int j = 1; j <= 4; ++j)
            EXPECT_NEAR(run.summary().end["q"][static_cast<std::size_t>((i - 1) * 4 + j - 1)],
                        c * std::sin(2 * M_PI * i / 6) * std::sin(M_PI * j / 5), 2e-13); // measured: 8e-14
}

// The same forces, written for one index k = (i - 1) m + j with neighbours that are there.
TEST(FamiliesOfTwo, MoveAsTheSameLatticeWithOneIndex) {
    const int n = 3, m = 4;
    std::string potential, kinetic = "sum(k in 1..12: x[k]'^2/2)", start;
    const auto x = [&](int i, int j) {
        const bool there = i >= 1 && i <= n && j >= 1 && j <= m;
        return there ? "x[" + std::to_string((i - 1) * m + j) + "]" : std::string("0");
    };
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= m; ++j) {
            potential += (potential.empty() ? "" : " + ") + x(i, j) + "^4/4";
            start += (start.empty() ? "" : ", ") + std::to_string(0.1 * i - 0.03 * j);
        }
    for (int i = 0; i <= n; ++i)
        for (int j = 1; j <= m; ++j) potential += " + (" + x(i + 1, j) + " - " + x(i, j) + ")^2/2";
    for (int i = 1; i <= n; ++i)
        for (int j = 0; j <= m; ++j) potential += " + (" + x(i, j + 1) + " - " + x(i, j) + ")^2/2";
    const Model one =
        read_model("coordinates = [\"x[1..12]\"]\n[mechanics]\nkinetic = \"" + kinetic + "\"\npotential = \"" +
                       potential + "\"\n[initial]\nq = [" + start + "]\nv = { \"x[k]\" = 0 }\n",
                   "one.toml");
    std::string text = membrane("", n, m);
    text.replace(text.find("potential = \""), 13, "potential = \"sum(i in 1..n: sum(j in 1..m: u[i,j]^4/4)) + ");
    text.replace(text.find("q = {"), text.find("}\nv") + 1 - text.find("q = {"), "q = [" + start + "]");
    const Model two = read_model(text, "two.toml");
    for (const char* method : {"verlet", "midpoint", "rk4"}) {
        const RunOptions options{.method = method, .step = 0.05, .steps = 100};
        const auto a = integrate(one, options), b = integrate(two, options);
        for (std::size_t k = 0; k < 12; ++k)
            EXPECT_NEAR(a.summary().end["q"][k], b.summary().end["q"][k], 4e-15) << method; // measured: 1e-15
    }
}

TEST(FamiliesOfTwo, HaveMovingBordersAndForces) {
    std::string text =
        membrane("force = { \"u[i,j]\" = \"-0.1*u[i,j]'\", \"u[2,j]\" = \"j*sin(t)\", \"u[1,1]\" = 1 }\n");
    text.replace(text.find("\"u[0,j]\" = 0"), 12, "\"u[0,j]\" = \"sin(t)*j\"");
    text.replace(text.find("\"u[i,0]\" = 0"), 12, "\"u[i,0]\" = \"i^2\"");
    const Model model = read_model(text + "[observables]\n", "driven.toml");
    const std::vector<Expr> forces = expand(model.force);
    EXPECT_EQ(forces[0].constant(), 1);
    EXPECT_EQ(to_text(forces[1]), "-0.1*u[1,2]'");
    EXPECT_EQ(to_text(forces[6]), "3*sin(t)");
    const std::vector<Expr> slope = expand(gradient(model.function, model.q));
    EXPECT_NE(to_text(slope[2]).find("3*sin(t)"), std::string::npos) << to_text(slope[2]); // the row above
    EXPECT_NE(to_text(slope[8]).find('9'), std::string::npos) << to_text(slope[8]);        // i^2 of row 3
}

TEST(FamiliesOfTwo, AreConstrainedRowByRow) {
    const std::string rods = "[constraints]\nholonomic = [\"u[i,j+1] - u[i,j] - 1 for i in 1..n, j in 1..m-1\", "
                             "\"u[i,1] - i for i in 1..n\"]\n";
    std::string text = membrane(rods, 2, 3);
    text.replace(text.find("q = {"), text.find("}\nv") + 1 - text.find("q = {"), "q = { \"u[i,j]\" = \"i + j - 1\" }");
    const Model model = read_model(text, "rods.toml");
    EXPECT_EQ(model.holonomic.count(), 6);
    const auto run = integrate(model, {.method = "rattle", .step = 0.1, .steps = 10});
    ASSERT_TRUE(run.report().ok()) << run.report().text();
    EXPECT_EQ(run.summary().end["q"], (std::vector<double>{1, 2, 3, 2, 3, 4}));
}

// The membrane with definitions in place of its differences, border values among their members.
TEST(DefinitionsOfTwo, AreTheSameModelAsWrittenOutByHand) {
    std::string text = membrane("force = { \"u[i,j]\" = \"-0.1*across[i,j]'\" }\n"), by_hand = text;
    text.replace(text.find("[mechanics]"), 11,
                 "\"across[i,j]\" = \"u[i+1,j] - u[i,j]\"\n\"along[i,j]\" = \"u[i,j+1] - u[i,j]\"\n"
                 "\"row[i]\" = \"sum(j in 1..m: u[i,j])\"\n\"twist[i,j]\" = \"across[i,j+1] - along[i,j]*row[2]\"\n"
                 "[mechanics]");
    const std::size_t from = text.find("kinetic"), to = text.find("force");
    text.replace(from, to - from,
                 "kinetic = \"sum(i in 1..n, j in 1..m: u[i,j]'^2/2)\"\n"
                 "potential = \"sum(i in 0..n, j in 1..m: across[i,j]^2/2) + sum(i in 1..n, j in 0..m: "
                 "along[i,j]^2/2) + sum(i in 1..n: row[i]^4/4) + twist[2,3]^2\"\n");
    const std::size_t at = by_hand.find("\"\nforce");
    by_hand.insert(at, " + sum(i in 1..n: sum(j in 1..m: u[i,j])^4/4) + (u[3,4] - u[2,4] - (u[2,4] - u[2,3])*"
                       "(u[2,1] + u[2,2] + u[2,3] + u[2,4]))^2");
    by_hand.replace(by_hand.find("across[i,j]'"), 12, "(u[i+1,j]' - u[i,j]')");
    const Model defined = read_model(text, "defined.toml"), written = read_model(by_hand, "by_hand.toml");
    for (const char* method : {"gauss", "rk4"}) {
        const RunOptions options{.method = method, .step = 0.05, .steps = 100};
        const auto a = integrate(defined, options), b = integrate(written, options);
        ASSERT_TRUE(a.report().ok()) << a.report().text();
        for (std::size_t k = 0; k < 20; ++k)
            EXPECT_NEAR(a.summary().end["q"][k], b.summary().end["q"][k], 1e-14) << method;
    }
}

// Of pairs of a family with one index: the sums stay sums, whatever the number of bodies.
TEST(DefinitionsOfTwo, ArePairsOfOneFamily) {
    const auto bodies = [](const std::string& definition, const std::string& distance) {
        return read_model("coordinates = [\"x[1..n]\", \"y[1..n]\"]\n[parameters]\nn = 4"
                          "\n[definitions]\n" +
                              definition +
                              "[mechanics]\nkinetic = \"sum(i in 1..n: x[i]'^2 + y[i]'^2)/2\"\npotential = "
                              "\"-sum(i in 1..n, j in i+1..n: i*j/" +
                              distance +
                              ")\"\n[initial]\nq = { \"x[i]\" = \"3*cos(2*i)\", \"y[i]\" = \"3*sin(2*i)\" }\n"
                              "v = { \"x[i]\" = 0, \"y[i]\" = 0 }\n",
                          "bodies.toml");
    };
    const std::string formula = "sqrt((x[i] - x[j])^2 + (y[i] - y[j])^2 + 0.1)";
    const Model pairs = bodies("\"r[i,j]\" = \"" + formula + "\"\n", "r[i,j]"), plain = bodies("", formula);
    const RunOptions options{.method = "verlet", .step = 0.01, .steps = 200};
    EXPECT_EQ(integrate(pairs, options).summary().end["q"], integrate(plain, options).summary().end["q"]);
    EXPECT_LT(reachable(*pairs.graph, std::array{pairs.function.id()}).size(), 60u);
}

TEST(DefinitionsOfTwo, StandInConstraintsAndBorders) {
    const std::string rods = "[constraints]\nholonomic = [\"along[i,j] - 1 for i in 1..n, j in 1..m-1\", "
                             "\"first[i] - i for i in 1..n\"]\n";
    std::string text = membrane(rods, 2, 3);
    text.replace(text.find("[mechanics]"), 11,
                 "\"along[i,j]\" = \"u[i,j+1] - u[i,j]\"\n\"first[i]\" = \"u[i,1]\"\n[mechanics]");
    text.replace(text.find("q = {"), text.find("}\nv") + 1 - text.find("q = {"), "q = { \"u[i,j]\" = \"i + j - 1\" }");
    const Model model = read_model(text, "rods.toml");
    EXPECT_EQ(model.holonomic.count(), 6);
    const auto run = integrate(model, {.method = "rattle", .step = 0.1, .steps = 10});
    ASSERT_TRUE(run.report().ok()) << run.report().text();
    EXPECT_EQ(run.summary().end["q"], (std::vector<double>{1, 2, 3, 2, 3, 4}));
}

// Deriving grows with the number of rows, not with that of members.
TEST(FamiliesOfTwo, AreDerivedRowByRow) {
    const auto nodes = [](int n, int m) {
        const Model model = read_model(membrane("", n, m), "membrane.toml");
        const std::size_t read = model.graph->size(); // with numbers of the start
        gradient(model.function, model.q);
        return model.graph->size() - read;
    };
    EXPECT_EQ(nodes(10, 400), nodes(10, 40));
    EXPECT_LT(nodes(40, 10), 5 * nodes(10, 10));
}

std::string refusal(const std::string& from, const std::string& to) {
    std::string text = membrane();
    text.replace(text.find(from), from.size(), to);
    try {
        read_model(text, "bad.toml");
        return "no complaint";
    } catch (const BadModel& e) {
        const std::string what = e.what();
        return what.substr(0, what.find('\n'));
    }
}

TEST(FamiliesOfTwo, SaySoWhenAnIndexIsWrong) {
    EXPECT_EQ(refusal("\"u[0,j]\" = 0\n", ""),
              "bad.toml:11:56: u[0,j] does not exist: u has members 1..5,1..4 (border values are a definition "
              "\"u[0,j]\" = \"...\")");
    EXPECT_EQ(refusal("u[i,j]'^2/2", "u[i]'^2/2"), "bad.toml:11:42: 'u' is a family with two indices: write u[i,j]");
    EXPECT_EQ(refusal("u[i,j]'^2/2", "u'^2/2"), "bad.toml:11:42: 'u' is a family with two indices: write u[i,j]");
    EXPECT_EQ(refusal("\"u[i,j]\" = 0 }", "\"u[i]\" = 0 }"), "bad.toml:15:7: 'u' has two indices");
    EXPECT_EQ(refusal("\"u[i,j]\" = 0 }", "u = 0 }"), "bad.toml:15:7: 'u' is a family with two indices");
    EXPECT_EQ(refusal("\"u[i,j]\" = 0 }", "\"u[9,j]\" = 0 }"), "bad.toml:15:7: 'u[9,j]' does not exist");
    EXPECT_EQ(refusal("\"u[0,j]\" = 0", "\"u[2,j]\" = 0"),
              "bad.toml:6:1: 'u[2,j]' has coordinates: a definition cannot give them");
    EXPECT_EQ(refusal("u[1..n,1..m]", "u[1..n,1..m,1..m]"),
              "bad.toml:1:16: 'u[1..n,1..m,1..m]' is neither a name nor a family");
}

TEST(DefinitionsOfTwo, SaySoWhenAnIndexIsWrong) {
    const std::string d = "\"d[i,j]\" = \"u[i,j] - u[i-1,j]\"\n[mechanics]";
    const auto used = [&](const std::string& definition, const std::string& use) {
        return refusal("[mechanics]\nkinetic = \"", definition + "\nkinetic = \"" + use + " + ");
    };
    const std::string not_two = "bad.toml:12:12: 'd' is a definition with two indices: write d[i,j]",
                      not_one = "bad.toml:12:12: 'd' is a family: write d[i] or d[1]";
    EXPECT_EQ(used(d, "d[1]"), not_two);
    EXPECT_EQ(used(d, "d"), not_two);
    EXPECT_EQ(used(d, "d[1,2,3]"), "bad.toml:12:17: an index has at most two parts");
    EXPECT_EQ(used(d, "d[9,1]"), "bad.toml:12:12: d[9,j]: u[9,j] does not exist: u has members 1..5,1..4 (border "
                                 "values are a definition \"u[9,j]\" = \"...\")");
    EXPECT_EQ(used(d, "d[1,9]"), "bad.toml:12:12: u[1,9] does not exist: the second index goes through 1..4");
    EXPECT_EQ(used(d, "sum(i in 1..n: d[1,i+1])"),
              "bad.toml:12:12: u[1,6] does not exist: the second index goes through 1..4");
    EXPECT_EQ(used(d, "sum(i in 1..n, j in 1..m: d[j+i,1])"),
              "bad.toml:12:38: d[7,j]: u[7,j] does not exist: u has members 1..5,1..4 (border values are a definition "
              "\"u[7,j]\" = \"...\")");
    const std::string of_one = "\"d[i]\" = \"u[i,1]\"\n[mechanics]";
    EXPECT_EQ(used(of_one, "d[1,2]"), not_one);
    EXPECT_EQ(used(of_one, "d"), not_one);
    EXPECT_EQ(used("\"d[i,j,k]\" = \"u[i,j]\"\n[mechanics]", "1"),
              "bad.toml:10:1: 'd[i,j,k]' has more than two indices");
    EXPECT_EQ(used("\"d[i,i]\" = \"u[i,i]\"\n[mechanics]", "1"), "bad.toml:10:1: both indices are called 'i'");
    EXPECT_EQ(used("\"d[i,j]\" = \"u[j,i]\"\n[mechanics]", "1"),
              "bad.toml:10:12: the second index of 'd' is the first of another: here 'j' must be a number");
    EXPECT_EQ(used("\"d[i,j]\" = \"u[i,j] + foo\"\n[mechanics]", "1"), "bad.toml:10:22: unknown name 'foo'");
    EXPECT_EQ(used("\"d[i,j]\" = \"u[i]\"\n[mechanics]", "1"),
              "bad.toml:10:13: 'u' is a family with two indices: write u[i,j]");
    EXPECT_EQ(used("\"d[i,j]\" = [\"u[i,j]\", \"1\"]\n[mechanics]", "1"),
              "bad.toml:10:12: a definition for every i,j must be a number, not a list");
    EXPECT_EQ(used("\"d[1,j]\" = \"u[1,j]\"\n[mechanics]", "1"),
              "bad.toml:10:1: 'd' is no family with two indices, it has no border values");
    EXPECT_EQ(used("\"u[i,j]\" = \"1\"\n[mechanics]", "1"),
              "bad.toml:10:1: 'u' has its members as coordinates: a definition cannot give them");
    EXPECT_EQ(used("\"d[i,j]\" = \"d[i-1,j]\"\n[mechanics]", "1"),
              "bad.toml:10:1: definitions refer to each other in a circle: d -> d");
}

} // namespace
} // namespace rattleback
