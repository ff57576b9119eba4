// Eliminations whose pivots are small beside their rows, as samples near 1 choose them for a model in other units.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <algorithm>
#include <cmath>

#include "solve/elimination.hpp"
#include "solve/small_inverse.hpp"

namespace rattleback {
namespace {

// 1200 beside the diagonal of each pair of rows, and small numbers elsewhere, the diagonal among them: nothing cancels.
template <int n> solve::SmallInverse<double> matrix_with_pivots(double small) {
    solve::SmallInverse<double> m{};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            m.given[i][j] = true;
            m.a[i][j] = small * (1 + std::sin(3.0 * i + 7.0 * j) / 2);
            if (j == (i + n / 2) % n) m.a[i][j] = 1200;
        }
    return m;
}

TEST(Growth, OfRowsIsRefused) {
    for (double small : {1e-7, 1e-12, 1e-20, 1e-30}) {
        solve::SmallInverse<double> four = matrix_with_pivots<4>(small), six = matrix_with_pivots<6>(small);
        EXPECT_FALSE(invert_small(four, 4)) << small;
        EXPECT_FALSE(invert_small(six, 6)) << small;
    }
    solve::SmallInverse<double> good = matrix_with_pivots<6>(300);
    EXPECT_TRUE(invert_small(good, 6));
}

// The same numbers where the unit of an unknown is small: no row grows, or one does that would not seem to.
TEST(Growth, IsMeasuredInTheUnitsOfTheUnknowns) {
    for (double unit : {0x1p-40, 0x1p40}) {
        solve::SmallInverse<double> m = matrix_with_pivots<4>(300);
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 2; ++j) m.a[i][j] /= unit;
        solve::SmallInverse<double> in_units = m;
        in_units.unit[0] = in_units.unit[1] = unit;
        EXPECT_TRUE(invert_small(in_units, 4)) << unit;
        EXPECT_EQ(invert_small(m, 4), unit < 1);
    }
    const solve::Entries entries{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    const std::vector<double> values{1, 0x1p-40, 2, 1};
    EXPECT_TRUE(solve::Eliminated(2, entries).factor(values.data()));
    EXPECT_FALSE(solve::Eliminated(2, entries, {0x1p-70, 1}).factor(values.data()));
}

const char* const satellite = R"toml(
coordinates = ["x", "y", "z"]
[parameters]
m  = 1200
GM = 4e14
[mechanics]
lagrangian = "m/2*(x'^2 + y'^2 + z'^2) + GM*m/sqrt(x^2 + y^2 + z^2)"
[initial]
q = { x = 4.2e7, y = 0, z = 0 }
v = { x = 0, y = 3000, z = 700 }
)toml";

// Where h^2 is far below the last digit of everything, four steps are 4 h v. With pivots chosen by samples near 1 and
// no guard, x was -1.25 after four steps of 1e-6, without a word.
TEST(Growth, DoesNotSpoilSmallStepsInOtherUnits) {
    const Model model = read_model(satellite, "satellite.toml");
    for (const char* method : {"gauss:stages=2", "gauss:stages=3", "gauss:stages=4", "midpoint", "lobatto:stages=3"})
        for (double h : {1e-14, 1e-12, 1e-9, 1e-6, 1e-3}) {
            const auto run = integrate(model, {.method = method, .step = h, .steps = 4});
            ASSERT_TRUE(run.report().ok()) << method << " " << h << " " << run.report().text();
            EXPECT_NEAR(run.q(4, 0) / 4.2e7, 1 - 4e14 * h * h * 8 / (4.2e7 * 4.2e7 * 4.2e7), 1e-15)
                << method << " " << h;
            EXPECT_NEAR(run.q(4, 1) / (4 * h * 3000), 1, 1e-12) << method << " " << h;
            EXPECT_NEAR(run.q(4, 2) / (4 * h * 700), 1, 1e-12) << method << " " << h;
        }
}

// The order of pivots of a file with numbers near 1, and a run with numbers in SI units: the guard alone is left.
TEST(Growth, IsNoticedFarFromTheFilesStart) {
    std::string text = satellite;
    const auto replace = [&](const std::string& from, const std::string& to) {
        text.replace(text.find(from), from.size(), to);
    };
    replace("m  = 1200", "m  = 1e-9"), replace("4e14", "1e15"), replace("4.2e7", "1"), replace("3000", "1");
    replace("700", "0.3");
    const Model model = read_model(text, "satellite.toml");
    Stepper<double> stepper(model, build_method(model, parse_methods("gauss:stages=2")[0]));
    Report report;
    ASSERT_TRUE(stepper.start({.q = {4.2e7, 0, 0}, .v = {0, 3000, 700}}, 0, report, 1e-9)) << report.text();
    for (int i = 0; i < 4; ++i) ASSERT_TRUE(stepper.advance(i, 1e-9, report)) << report.text();
    const std::vector<double> state = stepper.state();
    EXPECT_NEAR(state[0] / 4.2e7, 1, 1e-15);
    EXPECT_NEAR(state[1] / (4e-9 * 3000), 1, 1e-12);
}

} // namespace
} // namespace rattleback
