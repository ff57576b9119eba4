// Dirac's algorithm against exact linear algebra in other coordinates: levels, classes, multipliers, motions.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

#include "formulation/chain.hpp"

namespace rattleback {
namespace {

struct Case {
    const char *name, *text;
    std::vector<int> levels; // constraints of each
    int second_class, arbitrary;
    std::vector<double> motion; // empty: not all multipliers are determined
};

const std::vector<Case>& cases() {
    static const std::vector<Case> all = {
#include "chain_cases.inc"
    };
    return all;
}

TEST(Chains, OfRandomSystemsEndWhereExactAlgebraEnds) {
    for (const Case& c : cases()) {
        const Model model = read_model(c.text, std::string(c.name) + ".toml");
        const DiracChain chain(model);
        std::vector<int> levels;
        for (const DiracChain::Level& l : chain.levels) levels.push_back(static_cast<int>(l.constraints.size()));
        EXPECT_EQ(levels, c.levels) << c.name;
        EXPECT_EQ(chain.second_class().count(), c.second_class) << c.name;
        EXPECT_EQ(static_cast<int>(chain.arbitrary.size()), c.arbitrary) << c.name;
        EXPECT_EQ(chain.off_start, "") << c.name;
        if (c.motion.empty()) continue;
        const std::vector<double> found = chain.values(chain.hamiltonian().rate, {{chain.start, chain.others}}).at(0);
        ASSERT_GE(found.size(), c.motion.size()) << c.name;
        for (std::size_t i = 0; i < c.motion.size(); ++i)
            EXPECT_NEAR(found[i], c.motion[i], 1e-11 * std::max(1.0, std::abs(c.motion[i]))) << c.name << " " << i;
    }
}

Model with_phase(const std::string& H, const std::string& constraint, const std::string& initial) {
    return read_model("coordinates = [\"x\"]\n[mechanics]\nhamiltonian = \"" + H + "\"\n[constraints]\nphase = [\"" +
                          constraint + "\"]\n[initial]\n" + initial + "\n",
                      "m.toml");
}

// x = 0 and its rate leave nothing that could move.
TEST(Chains, MayEndAtAPoint) {
    const Model model = with_phase("p_x^2/2 + x^2/2 + x*p_x", "x", "q = [0]\np = [0]");
    const DiracChain chain(model);
    ASSERT_EQ(chain.levels.size(), 2u);
    EXPECT_EQ(chain.levels[0].dimension, 1);
    EXPECT_EQ(chain.levels[1].dimension, 0);
    EXPECT_EQ(chain.second_class().count(), 2);
    EXPECT_EQ(chain.values(chain.hamiltonian().rate, {{chain.start, chain.others}}).at(0), (std::vector<double>{0, 0}));
}

std::string complaint(const Model& model) {
    try {
        const DiracChain chain(model);
        return "ended with level " + std::to_string(chain.levels.size() - 1);
    } catch (const Unsuitable& e) { return e.what(); }
}

TEST(Chains, EndWhereNoVariablesAreLeft) {
    const char* const start = "q = [0]\np = [0]";
    EXPECT_EQ(complaint(with_phase("p_x^2/2", "x\", \"p_x", start)), "ended with level 0");
    EXPECT_EQ(complaint(with_phase("p_x^2/2", "x\", \"p_x\", \"x - p_x", start)),
              "there are 3 constraints on 2 variables: they cannot be independent\n  leave out those that follow from "
              "the others");
    EXPECT_EQ(complaint(with_phase("p_x + x^2/2", "x", start)),
              "contradictory constraints: {phi1, H} = 1 must vanish, and does nowhere");
}

// {x[1], H} = x[2], {x[2], H} = x[3], ...
TEST(Chains, HaveAtMostTwelveLevels) {
    const auto chain = [](int n) {
        std::string coordinates, H, zeros;
        for (int i = 1; i <= n; ++i) {
            const std::string number = std::to_string(i), comma = i > 1 ? ", " : "";
            coordinates += comma + "\"x" + number + "\"", zeros += comma + "0";
            H += i < n ? "p_x" + number + "*x" + std::to_string(i + 1) + " + " : "p_x" + number + "^2/2";
        }
        return read_model("coordinates = [" + coordinates + "]\n[mechanics]\nhamiltonian = \"" + H +
                              "\"\n[constraints]\nphase = [\"x1\"]\n[initial]\nq = [" + zeros + "]\np = [" + zeros +
                              "]\n",
                          "m.toml");
    };
    EXPECT_EQ(complaint(chain(3)), "ended with level 5");
    EXPECT_EQ(complaint(chain(8)), "Dirac's algorithm does not end within 12 levels");
}

// A circle is a circle, whatever it is divided by, until its brackets vanish in double.
TEST(Chains, DoNotDependOnTheSizeOfConstraints) {
    const auto circle = [](const std::string& size) {
        return read_model("coordinates = [\"x\", \"y\"]\n[mechanics]\nhamiltonian = \"(p_x^2 + p_y^2)/2 + y\"\n"
                          "[constraints]\nholonomic = [\"(x^2 + y^2 - 1)/" +
                              size + "\"]\n[initial]\nq = [1, 0]\np = [0, 0.5]\n",
                          "m.toml");
    };
    for (const char* size : {"1e-50", "1e-9", "1", "1e6", "1e12", "1e50"})
        EXPECT_EQ(complaint(circle(size)), "ended with level 1") << size;
    EXPECT_EQ(
        complaint(circle("1e160")),
        "a constraint of unusual size: the gradient of g1 is 2e-160 at the start\n  multiply it by 1e160: it says "
        "the same, and its products can be computed");
}

} // namespace
} // namespace rattleback
