// Control of mechanics with velocity constraints: `solve` works with the velocities that they leave. Whole paths are
// compared with SymPy and SciPy by test/oracle/rolling_control.py.
#include "problems.hpp"

namespace rattleback::boundary_test {
namespace {

// A sled that is pushed and turned, by hand: x' = s cos(a), y' = s sin(a), s' = F, a'' = N.
std::string sled(const std::string& to) {
    return R"-(coordinates = ["x", "y", "a"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + a'^2)/2"
force = { x = "F*cos(a)", y = "F*sin(a)", a = "N" }
[constraints]
velocity = ["x'*sin(a) - y'*cos(a)"]
[control]
inputs = ["F", "N"]
cost = "(F^2 + N^2)/2 + (x'^2 + y'^2)/8"
[boundary]
from = { q = { x = 0, y = 0, a = 0 }, v = { x = 0, y = 0, a = 0 } }
)-" + to + "time = 2\n";
}

const std::string by_hand = R"-(coordinates = ["x", "y", "a", "w", "s"]
[control]
inputs = ["F", "N"]
dynamics = { x = "s*cos(a)", y = "s*sin(a)", a = "w", s = "F", w = "N" }
cost = "(F^2 + N^2)/2 + s^2/8"
[boundary]
from = { x = 0, y = 0, a = 0, w = 0, s = 0 }
)-";

void expect_same(const std::string& to, const std::string& to_by_hand) {
    const Solution a = solved(sled(to), {.starts = 12}),
                   b = solved(by_hand + to_by_hand + "time = 2\n", {.starts = 12});
    ASSERT_EQ(a.status, Solution::Status::solved) << a.what;
    ASSERT_EQ(b.status, Solution::Status::solved) << b.what;
    EXPECT_EQ(a.best().verdict, Extremal::Verdict::minimum);
    EXPECT_NEAR(a.best().cost, b.best().cost, 1e-11);
    EXPECT_LE(apart(a.best().q, b.best().q), 1e-8);
    EXPECT_LE(apart(a.best().p0, b.best().p0), 1e-7);
}

TEST(RollingControl, IsTheProblemThatWasReducedByHand) {
    expect_same("to = { q = { x = 1, y = 1, a = 1 }, v = { x = 0, y = 0, a = 0 } }\n",
                "to = { x = 1, y = 1, a = 1, w = 0, s = 0 }\n");
    // Velocities that are not at rest: with a = 1 at the end, y' = 1/2 is s = 1/(2 sin 1).
    expect_same("to = { q = { x = 1, y = 1, a = 1 }, v = { y = 0.5, a = 0 } }\n",
                "to = { x = 1, y = 1, a = 1, w = 0, s = \"1/(2*sin(1))\" }\n");
    // A direction that is free: x' and y' are formulas of it.
    expect_same("to = { q = { x = 1, y = 1 }, v = { y = 0.5, a = 0 } }\n",
                "to = [\"x - 1\", \"y - 1\", \"w\", \"s*sin(a) - 1/2\"]\n");
    expect_same("to = { q = { x = 1, y = 1 }, v = { x = 0, y = 0, a = 0 } }\n",
                "to = { x = 1, y = 1, w = 0, s = 0 }\n");
    expect_same("to = [\"x - 1\", \"y - 1\", \"x'^2 + y'^2 - 1/4\", \"a'\"]\n",
                "to = [\"x - 1\", \"y - 1\", \"s^2 - 1/4\", \"w\"]\n");
}

TEST(RollingControl, RefusesVelocitiesThatTheConstraintsForbid) {
    EXPECT_THROW(solved(sled("to = { q = { x = 1, y = 1, a = 1 }, v = { x = 0.1, y = 0.5, a = 0 } }\n")), BadModel);
}

// `run` starts from q and v, and refuses a v that the constraint forbids.
TEST(RollingControl, RunsFromCostates) {
    const std::string start = sled("to = { q = { x = 1, y = 1, a = 1 }, v = { x = 0, y = 0, a = 0 } }\n");
    const auto from = [&](const std::string& v) {
        return read_model(start + "[initial]\nq = { x = 0, y = 0, a = 0.3 }\nv = " + v + "\np = [1, 2, 3, 4, 5]\n",
                          "sled.toml");
    };
    const Model model = from("{ x = \"2*cos(0.3)\", y = \"2*sin(0.3)\", a = 1 }");
    EXPECT_EQ(model.q0.size(), 5u);
    EXPECT_NEAR(static_cast<double>(model.q0[3]), 1, 1e-15);
    EXPECT_NEAR(static_cast<double>(model.q0[4]), 2, 1e-15);
    EXPECT_THROW(from("{ x = 2, y = 2, a = 1 }"), BadModel);
}

// Constraints with numbers for coefficients are solved for those velocities: no new ones are needed.
TEST(RollingControl, KeepsVelocitiesWhereItCan) {
    const Model disk = read_model(R"-(coordinates = ["x", "y", "a", "b"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + a'^2 + b'^2)/2"
force = { a = "u", b = "w" }
[constraints]
velocity = ["x' - b'*cos(a)", "y' - b'*sin(a)"]
[control]
inputs = ["u", "w"]
cost = "(u^2 + w^2)/2"
)-" + std::string("[boundary]\nfrom = { q = { x = 0, y = 0, a = 0, b = 0 }, v = { a = 0, b = 0 } }\n"
                  "to = { q = { x = 1, y = 1 }, v = { a = 0, b = 0 } }\ntime = 1\n"),
                                  "disk.toml");
    std::vector<std::string> names;
    for (const Component& c : disk.q) names.push_back(c.name);
    EXPECT_EQ(names, (std::vector<std::string>{"x", "y", "a", "b", "a'", "b'"}));
    EXPECT_EQ(disk.observables.size(), 2u); // x', y'
}

TEST(RollingControl, ConstraintsThatDependOnEachOtherAreRefused) {
    std::string twice = sled("to = { q = { x = 1, y = 1, a = 1 } }\n");
    const std::string one = "\"x'*sin(a) - y'*cos(a)\"";
    twice.replace(twice.find(one), one.size(), one + ", \"2*x'*sin(a) - 2*y'*cos(a)\"");
    EXPECT_THROW(read_model(twice, "sled.toml"), BadModel);
}

} // namespace
} // namespace rattleback::boundary_test
