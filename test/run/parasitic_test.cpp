// The (-1)^k mode of nonholonomic leapfrogs, on the Chaplygin sleigh.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>

namespace rattleback {
namespace {

Summary sleigh(const std::string& method, double step, double until) {
    for (const GalleryItem& item : gallery())
        if (item.name == "chaplygin_sleigh")
            return integrate(read_model(item.text, "sleigh.toml"), {.method = method, .step = step, .until = until})
                .summary();
    throw std::runtime_error("no sleigh");
}

const char* const warning =
    "the multipliers alternate from step to step, with a growing amplitude: a mode of the method, "
    "not of the motion; smaller steps delay it, nh_gauss and gf do not have it";

TEST(ParasiticMode, IsMeasuredAndWarnedOf) {
    for (const char* method : {"gni", "gni:ld=verlet", "nh_rattle", "nh_shake"}) {
        const Summary s = sleigh(method, 0.02, 20);
        ASSERT_TRUE(s.parasitic) << method;
        EXPECT_LT(s.parasitic->first, 1e-3) << method;
        EXPECT_GT(s.parasitic->last, 1) << method;
        EXPECT_EQ(s.warnings, std::vector<std::string>{warning}) << method;
    }
}

TEST(ParasiticMode, IsNotInOtherMethods) {
    for (const char* method : {"dla", "gf", "nh_gauss", "rk4"}) {
        const Summary s = sleigh(method, 0.02, 20);
        EXPECT_FALSE(s.parasitic) << method;
        EXPECT_TRUE(s.warnings.empty()) << method;
    }
}

// Also where it is as large as it can be after a small part of the run.
TEST(ParasiticMode, IsWarnedOfWhereItGrowsFast) {
    for (const GalleryItem& item : gallery())
        if (item.name == "whipple_bicycle") {
            const Model model = read_model(item.text, "bicycle.toml");
            const Summary s = integrate(model, {.method = "nh_rattle", .step = 0.01, .until = 10.0}).summary();
            EXPECT_EQ(s.warnings, std::vector<std::string>{warning});
        }
}

// Where it does not grow, nothing is said.
TEST(ParasiticMode, IsQuietWhereItStaysSmall) {
    const Summary s = sleigh("gni", 0.02, 3);
    EXPECT_TRUE(s.warnings.empty());
    EXPECT_LT(s.parasitic->largest, 2.6e-3);
}

// A quarter for half the step, with a smooth start; with a plain one, as large as the multiplier from the start on.
TEST(ParasiticMode, HasTheAmplitudeOfItsStart) {
    const double coarse = sleigh("gni", 0.02, 4).parasitic->last, fine = sleigh("gni", 0.01, 4).parasitic->last;
    EXPECT_NEAR(coarse / fine, 4, 0.2);
    const double plain = sleigh("gni:start=plain", 0.02, 4).parasitic->first,
                 finer = sleigh("gni:start=plain", 0.01, 4).parasitic->first;
    EXPECT_NEAR(plain / finer, 1, 0.1);
    EXPECT_GT(plain, 10 * coarse);
}

} // namespace
} // namespace rattleback
