// Wavefronts, conjugate and cut points against closed forms.
#include "problems.hpp"

#include <functional>
#include <numbers>

#include "boundary/metric.hpp"
#include "boundary/wavefront.hpp"

namespace rattleback::boundary_test {
namespace {

using boundary::Geodesic;
using boundary::Wavefront;
using boundary::WavefrontOptions;
constexpr double pi = std::numbers::pi;

Wavefront front(const std::string& text, const WavefrontOptions& options) {
    return boundary::wavefront_of(read_model(text, "front.toml"), options);
}
std::string control(const std::string& names, const std::string& dynamics) {
    return "coordinates = [" + names + "]\n[control]\ninputs = [\"u\", \"v\"]\ndynamics = { " + dynamics +
           " }\ncost = \"(u^2 + v^2)/2\"\n[boundary]\nfrom = { x = 0, y = 0" +
           (names.find('z') == std::string::npos ? "" : ", z = 0") + " }\ntime = 1\n";
}
const std::string heisenberg = control(R"("x", "y", "z")", R"(x = "u", y = "v", z = "(x*v - y*u)/2")");
const std::string grushin = control(R"("x", "y")", R"(x = "u", y = "x*v")");
const std::string martinet = control(R"("x", "y", "z")", R"(x = "u", y = "v", z = "y^2*u/2")");
const std::string sphere = R"-(coordinates = ["a", "b"]
[mechanics]
kinetic   = "(a'^2 + cos(a)^2*b'^2)/2"
potential = "0"
[initial]
q = [0.2, 0]
v = [1, 0]
)-";

// What times should be, as a function of the first costates; none: later than the last time. The largest difference,
// infinite where one has a time and the other has none.
using Expected = std::function<double(const Geodesic&)>;
double worst(const Wavefront& f, std::optional<double> Geodesic::*what, const Expected& expected) {
    double most = 0;
    for (const Geodesic& g : f.geodesics) {
        const double time = expected(g), last = f.times.back();
        if (std::abs(time - last) < 1e-6) continue;
        if ((g.*what).has_value() != (time < last)) return 1e300;
        if (time < last) most = std::max(most, std::abs(*(g.*what) - time));
    }
    return most;
}

TEST(Wavefront, HeisenbergsConjugateAndCutPointsAreOneTurn) {
    const Wavefront f = front(heisenberg, {.times = {0.5, 1}});
    EXPECT_EQ(f.rank, 2);
    EXPECT_EQ(f.geodesics.size(), 48u * 25u);
    const Expected turn = [](const Geodesic& g) { return 2 * pi / std::abs(g.p0[2]); };
    EXPECT_LE(worst(f, &Geodesic::conjugate, turn), 8e-12); // 3.6e-12
    EXPECT_LE(worst(f, &Geodesic::cut, turn), 6e-12);       // 2.5e-12
    // Mutants: half a turn, and a hundredth more.
    EXPECT_GT(worst(f, &Geodesic::cut, [&](const Geodesic& g) { return turn(g) / 2; }), 1e-3);
    EXPECT_GT(worst(f, &Geodesic::conjugate, [&](const Geodesic& g) { return 1.01 * turn(g); }), 1e-3);
    double most = 0;
    for (const Geodesic& g : f.geodesics)
        for (std::size_t k = 0; k < 2; ++k) { // arcs of circles; z is the area
            const double c = -g.p0[2], a = std::atan2(-g.p0[1], -g.p0[0]), t = f.times[k], s = c * t;
            const auto near = [&](double x, double y, double z) {
                return std::max({std::abs(g.q[k][0] - x), std::abs(g.q[k][1] - y), std::abs(g.q[k][2] - z)});
            };
            most = std::max(most, c == 0 ? near(t * std::cos(a), t * std::sin(a), 0)
                                         : near((std::sin(a + s) - std::sin(a)) / c,
                                                (std::cos(a) - std::cos(a + s)) / c, (s - std::sin(s)) / (2 * c * c)));
        }
    EXPECT_LE(most, 1.2e-11); // 6.0e-12
    const auto both = [&](std::size_t k) {
        return std::count_if(f.geodesics.begin(), f.geodesics.end(),
                             [&](const Geodesic& g) { return g.is_shortest(f.times[k]); });
    };
    EXPECT_EQ(both(0), 1200);
    EXPECT_EQ(both(1), 48 * 19); // |p_z| < 2 pi of -8, -22/3, ... 8
}

TEST(Wavefront, GrushinsPlane) {
    const Wavefront f = front(grushin, {.fan = {{"p_y", -12, 12, 41}}});
    EXPECT_EQ(f.rank, 1);
    EXPECT_EQ(f.geodesics.size(), 82u);
    const Expected meets = [](const Geodesic& g) { return pi / std::abs(g.p0[1]); };
    const Expected conjugate = [](const Geodesic& g) { return 4.493409457909064 / std::abs(g.p0[1]); }; // tan s = s
    EXPECT_LE(worst(f, &Geodesic::cut, meets), 9e-11);                                                  // 4.3e-11
    EXPECT_LE(worst(f, &Geodesic::conjugate, conjugate), 2.6e-10);                                      // 1.3e-10
    EXPECT_GT(worst(f, &Geodesic::cut, conjugate), 1e-3);                                               // a mutant
    for (const Geodesic& g : f.geodesics)
        if (g.cut) { EXPECT_LE(apart(g.p0_other, {-g.p0[0], g.p0[1]}), 1e-7); } // the mirror image
}

// The cut is where the line y = 0 is met again, K of modulus k^2 = (1 - p_x sign p_z)/2 (Agrachev, Bonnard, Chyba,
// Kupka).
TEST(Wavefront, MartinetsCutIsTheFirstReturn) {
    const Wavefront f = front(martinet, {.directions = 24, .fan = {{"p_z", -30, 30, 12}}});
    const Expected back = [](const Geodesic& g) {
        const double z = g.p0[2], k = std::sqrt((1 - std::copysign(g.p0[0], g.p0[0] * z)) / 2);
        return 2 * std::comp_ellint_1(k) / std::sqrt(std::abs(z));
    };
    EXPECT_LE(worst(f, &Geodesic::cut, back), 1.5e-10); // 7.5e-11
    EXPECT_GT(worst(f, &Geodesic::cut, [&](const Geodesic& g) { return 1.001 * back(g); }), 1e-4);
}

TEST(Wavefront, OfTheSphereIsSingleAtPi) {
    const Wavefront f = front(sphere, {.times = {1, 3.3}, .directions = 20, .angles = {"b"}});
    EXPECT_EQ(f.rank, 2);
    const Expected far = [](const Geodesic&) { return pi; };
    EXPECT_LE(worst(f, &Geodesic::conjugate, far), 8e-9); // 3.9e-9
    EXPECT_LE(worst(f, &Geodesic::cut, far), 1e-9);       // 5e-10
}

// Of the sphere in four dimensions conjugate points are double: no determinant changes its sign there.
TEST(Wavefront, OfTheSphereInFourDimensions) {
    const Wavefront f = front(R"-(coordinates = ["a", "b", "c"]
[mechanics]
kinetic   = "(a'^2 + cos(a)^2*(b'^2 + cos(b)^2*c'^2))/2"
potential = "0"
[initial]
q = [0.3, -0.2, 0]
v = [1, 0, 0]
)-",
                              {.times = {3.2}, .directions = 9});
    EXPECT_EQ(f.rank, 3);
    EXPECT_LE(worst(f, &Geodesic::conjugate, [](const Geodesic&) { return pi; }), 3e-9); // 1.4e-9
}

TEST(Wavefront, FlatTorusHasCutsWithoutConjugatePoints) {
    const Wavefront f = front(R"-(coordinates = ["x", "y"]
[mechanics]
kinetic   = "(x'^2 + y'^2)/2"
potential = "0"
[initial]
q = [0, 0]
v = [1, 0]
)-",
                              {.times = {4}, .directions = 60, .angles = {"x", "y"}});
    const Expected half = [](const Geodesic& g) { return pi / std::max(std::abs(g.p0[0]), std::abs(g.p0[1])); };
    EXPECT_LE(worst(f, &Geodesic::cut, half), 3e-10); // 1.4e-10
    EXPECT_LE(worst(f, &Geodesic::conjugate, [](const Geodesic&) { return 10.0; }), 0);
}

TEST(Wavefront, MomentaHaveLengthOneAnywhere) {
    const Model m = read_model(heisenberg, "front.toml");
    const Dense A = boundary::cometric_at(m, {0.7, -2, 3});
    const boundary::UnitCostates unit(A);
    ASSERT_EQ(unit.rank(), 2u);
    ASSERT_EQ(unit.others(), (std::vector<std::size_t>{2}));
    const std::vector<double> p = unit.at({0.6, 0.8}, {-5});
    EXPECT_EQ(p[2], -5);
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) square += p[i] * A(i, j) * p[j];
    EXPECT_NEAR(square, 1, 1e-14);
    const double b[3][2] = {{1, 0}, {0, 1}, {1, 0.35}}; // directions (1, 0, -y/2), (0, 1, x/2)
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(A(i, j), b[i][0] * b[j][0] + b[i][1] * b[j][1], 1e-14);
}

std::string refusal(const std::string& text, const WavefrontOptions& options = {}) {
    try {
        front(text, options);
    } catch (const Error& e) { return e.what(); }
    return "";
}

TEST(Wavefront, RefusesWhatHasNoGeodesics) {
    const std::string no = "a wavefront is made of geodesics, which this model does not have: ";
    EXPECT_EQ(refusal(double_integrator), no + "H has terms that are linear in p: the dynamics have a drift");
    const std::string pendulum =
        "coordinates = [\"a\"]\n[mechanics]\nlagrangian = \"a'^2/2 + cos(a)\"\n[initial]\nq = [0]\nv = [1]\n";
    EXPECT_EQ(refusal(pendulum), no + "the Lagrangian has a potential");
    const std::string timed =
        "coordinates = [\"a\"]\n[mechanics]\nlagrangian = \"(1 + t)*a'^2/2\"\n[initial]\nq = [0]\nv = [1]\n";
    EXPECT_EQ(refusal(timed), no + "the Lagrangian depends on t");
    const std::string sleigh =
        "coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2\"\n[constraints]\nvelocity = [\"y' "
        "- x*x'\"]\n[initial]\nq = [0, 0]\nv = [1, 0]\n";
    EXPECT_EQ(refusal(sleigh), no + "nonholonomic motions are not shortest paths; principle = \"variational\" in "
                                    "[constraints] makes them so");
    EXPECT_EQ(refusal(heisenberg, {.fan = {{"p_x", -1, 1, 3}}}),
              "--fan p_x: of the momenta, unit length leaves these free: p_z");
    EXPECT_EQ(refusal(sphere, {.fan = {{"p_a", -1, 1, 3}}}),
              "--fan p_a: this metric is Riemannian where geodesics begin: unit length bounds all momenta");
    EXPECT_EQ(refusal(sphere, {.angles = {"c"}}), "--angles c: there is no such coordinate");
    EXPECT_EQ(refusal(sphere, {.times = {2, 1}}), "the times of a wavefront must be positive and ascending");
}

} // namespace
} // namespace rattleback::boundary_test
