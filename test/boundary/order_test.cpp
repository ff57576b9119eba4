// Cost, path and costates converge with the order of the method; the estimate of the error of the cost is right.
#include "problems.hpp"

namespace rattleback::boundary_test {
namespace {

struct Errors {
    double cost, path, costate, estimate;
};

Errors errors(const std::string& method, int steps, const Solution& reference) {
    const Solution s = solved(swing_up, {.method = method, .steps = steps, .starts = 2});
    EXPECT_EQ(s.status, Solution::Status::solved);
    EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum) << method; // compositions go backwards in between
    const std::size_t each = static_cast<std::size_t>(s.steps), fine = reference.run.t.rows() - 1;
    Errors e{std::abs(s.best().cost - reference.best().cost), 0, 0, s.cost_error};
    for (std::size_t k = 0; k <= each; ++k)
        for (std::size_t i = 0; i < 2; ++i) {
            e.path = std::max(e.path, std::abs(s.run.q(k, i) - reference.run.q(k * fine / each, i)));
            e.costate = std::max(e.costate, std::abs(s.run.p(k, i) - reference.run.p(k * fine / each, i)));
        }
    return e;
}

TEST(Order, OfCostPathAndCostates) {
    const Solution reference = solved(swing_up, {.method = "gauss:stages=4", .steps = 320, .starts = 2});
    ASSERT_NEAR(reference.best().cost, 1.21259059572143192, 1e-12);
    struct Case {
        const char* method;
        int coarse;
        double order;
    };
    for (const Case& c :
         {Case{"type2", 160, 1}, Case{"type2_sym", 40, 2}, Case{"gauss:stages=2", 20, 4},
          Case{"compose:base=type2_sym", 40, 4}, Case{"compose:base=type2_sym:order=6", 20, 6},
          Case{"compose:base=type2_sym:order=8", 20, 8}, Case{"type2:quadrature=right", 160, 1},
          Case{"type2:quadrature=midpoint", 40, 2}, Case{"type2:quadrature=trapezoid:inputs=step", 40, 2},
          Case{"type2:cost=midpoint:dynamics=right", 160, 1}, Case{"type2:cost=midpoint:dynamics=trapezoid", 40, 2}}) {
        const Errors one = errors(c.method, c.coarse, reference), two = errors(c.method, 2 * c.coarse, reference);
        EXPECT_NEAR(std::log2(one.cost / two.cost), c.order, 0.15) << c.method;
        EXPECT_NEAR(std::log2(one.path / two.path), c.order, 0.15) << c.method;
        EXPECT_NEAR(std::log2(one.costate / two.costate), c.order, 0.15) << c.method;
        // Estimates trust no order above 4: of order 6 the error is (2^6 - 1)/(2^4 - 1) times smaller than they say.
        const double smaller = c.order > 4 ? (std::exp2(c.order) - 1) / 15 : 1;
        EXPECT_NEAR(two.estimate / two.cost, smaller, 0.1 * std::max(1.0, smaller / 4)) << c.method;
    }
}

TEST(Order, AccuracyThatIsAskedForIsReached) {
    for (const char* method : {"type2_sym", "gauss:stages=2", "gauss:stages=4"})
        for (const double accuracy : {1e-4, 1e-7}) {
            const Solution s = solved(swing_up, {.method = method, .accuracy = accuracy, .starts = 2});
            EXPECT_LE(std::abs(s.best().cost - 1.21259059572143192), accuracy) << method;
            EXPECT_LE(s.cost_error, accuracy) << method;
        }
}

// Where the dynamics have a kink, halving the steps gains less than the method's order promises, and the estimate
// knows. With x' = -sqrt(k + |x|), sqrt(k + 1) - sqrt(k) = 1/2: k = 9/16 and the cost is 7/48.
TEST(Order, ErrorsOfTheCostAreThoseOfThePathThatIsThere) {
    const std::string text = R"-(coordinates = ["x"]
[control]
inputs = ["u"]
dynamics = { x = "u - sqrt(abs(x))" }
cost = "u^2/2"
[boundary]
from = { x = 1 }
to = { x = -1 }
time = 2
)-";
    const Solution s = solved(text, {.accuracy = 1e-7, .starts = 4});
    ASSERT_EQ(s.status, Solution::Status::solved);
    const double error = std::abs(s.best().cost - 7.0 / 48);
    EXPECT_LE(error, 2 * s.cost_error);
    EXPECT_GE(error, s.cost_error / 2);
    EXPECT_LE(s.cost_error, 1e-7);
}

} // namespace
} // namespace rattleback::boundary_test
