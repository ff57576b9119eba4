// The rattleback must do what it is known for.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <algorithm>
#include <cmath>

namespace rattleback {
namespace {

std::vector<double> spins(const char* spin, const char* method, double step, double until) {
    for (const GalleryItem& item : gallery())
        if (item.name == "rattleback") {
            const auto run = integrate(read_model(item.text, "celt.toml", {.set = {{"w", spin}}}),
                                       {.method = method, .step = step, .until = until});
            EXPECT_TRUE(run.report().ok()) << run.report().text();
            EXPECT_LT(run.energy_error_max(), 1e-3 * run.summary().energy_initial);
            std::vector<double> all;
            for (std::size_t k = 0; k < run["observables"].rows(); ++k) all.push_back(run["observables"](k, 0));
            return all;
        }
    throw std::runtime_error("no rattleback");
}

// Spun one way it begins to rattle, stops at t = 2.5 and turns at full speed in the other direction, without friction.
TEST(Rattleback, ReversesItsSpin) {
    for (const auto& [method, step] : {std::pair("nh_gauss:stages=2", 0.002), std::pair("nh_gauss", 0.0005)}) {
        const std::vector<double> spin = spins("5", method, step, 6);
        EXPECT_EQ(spin.front(), 5);
        EXPECT_LT(*std::min_element(spin.begin(), spin.end()), -5) << method;
    }
}

// The other way it is content: after the same time it still spins, as fast as before.
TEST(Rattleback, KeepsTheSpinItLikes) {
    const std::vector<double> spin = spins("-5", "nh_gauss:stages=2", 0.002, 4);
    EXPECT_LT(*std::max_element(spin.begin(), spin.end()), -4.5);
}

} // namespace
} // namespace rattleback
