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

} // namespace
} // namespace rattleback
