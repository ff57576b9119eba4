// The first of the random parking problems of bench/parking.cpp, with fewer starts: each ends at a minimum.
#include "problems.hpp"

#include "../../bench/parking.hpp"

namespace rattleback::boundary_test {
namespace {

TEST(Parking, RandomEnds) {
    for (int i = 0; i < 10; ++i) {
        const parking::Problem problem = parking::random_problem(i);
        const Solution s = solved(problem.text, {.starts = 8});
        ASSERT_EQ(s.status, Solution::Status::solved) << problem.text << s.what;
        EXPECT_EQ(s.best().verdict, Extremal::Verdict::minimum) << problem.text;
        EXPECT_LE(s.best().residual, 1e-12);
        EXPECT_LE(s.cost_error, 1e-9 * s.best().cost);
    }
}

} // namespace
} // namespace rattleback::boundary_test
