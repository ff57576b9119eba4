// Whether invariants that a method keeps march: a line fitted to the error of each, over many steps of several members
// of a batch that start apart. The slope is the mean over the members, and its error what their spread makes of it. A
// random walk has slopes of both signs: |slope| is then at most about three times the error. 2e5 steps of each of 16
// members; with --long 6e6, so 1e8 in all.
//
//   bench_drift [--long] [WORD]            WORD: only rows whose model or method begins so
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>

#include "sides.hpp"

namespace {

using namespace bench;

constexpr int members = 16, readings = 200;

// A rotation that the constraint force does not hinder: horizontal, and its momentum is quadratic.
const char* const winding = R"toml(
name = "nonholonomic particle with a horizontal rotation"
coordinates = ["x", "y", "z"]
[mechanics]
kinetic   = "(x'^2 + y'^2 + z'^2)/2"
potential = "(x^2 + y^2)/2 + z^2/3"
[constraints]
velocity = ["z' - x*(x*x' + y*y')"]
[symmetries]
rotation = { x = "-y", y = "x" }
[initial]
q = { x = 1, y = 0.2, z = 0 }
v = { x = 0.1, y = 0.9, z = "0.1 + 0.2*0.9" }
)toml";

// A point on a spring of 1e4 that turns: fixed-point iteration does not contract.
const char* const stiff = R"toml(
name = "mass on a stiff spring"
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - 1e4*(sqrt(x^2 + y^2) - 1)^2/2"
[symmetries]
rotation = { x = "-y", y = "x" }
[initial]
q = [1, 0]
v = [0.1, 0.9]
)toml";

struct Case {
    const char *model, *method;
    std::vector<double> steps;
};

const std::vector<double> plain = {0.05, 0.1, 0.2, 0.3, 0.0723456789}, decimal = {0.01, 0.05, 0.1, 0.2, 0.3};
const std::vector<Case> cases = {
    {"kepler", "gauss:stages=1", {0.01, 0.05, 0.1, 0.2, 0.3, 0.0123456789}},
    {"kepler", "gauss:stages=2", {0.01, 0.05, 0.1, 0.2, 0.3, 0.0123456789}},
    {"kepler", "gauss:stages=3", {0.01, 0.05, 0.1, 0.2, 0.3, 0.0123456789}},
    {"kepler", "gauss:stages=4", decimal},
    {"kepler", "gauss:stages=5", decimal},
    {"kepler", "gauss:stages=6", decimal},
    {"kepler", "gauss:stages=7", decimal},
    {"kepler", "gauss:stages=8", decimal},
    {"kepler", "midpoint", {0.01, 0.0123456789}},
    {"kepler", "del:ld=verlet", {0.01, 0.0123456789}},
    {"kepler", "del:ld=midpoint", {0.01}},
    {"kepler", "compose:base=del", {0.05}},
    {"cartesian_spherical_pendulum", "rattle", plain},
    {"cartesian_spherical_pendulum", "lobatto:stages=2", plain},
    {"cartesian_spherical_pendulum", "lobatto:stages=3", plain},
    {"rigid_body_quaternion", "rattle", {0.01, 0.0123456789}},
    {"rigid_body_quaternion", "lobatto:stages=3", {0.05}},
    {"winding", "nh_rattle", {0.05, 0.0523456789}},
    {"winding", "gni", {0.05, 0.0523456789}},
    {"winding", "nh_gauss", {0.01, 0.05, 0.1, 0.2, 0.3, 0.0523456789}},
    {"winding", "nh_gauss:stages=2", decimal},
    {"winding", "nh_gauss:stages=3", decimal},
    {"kepler", "gauss:stages=2:iteration=fixed", {0.01, 0.05, 0.0123456789}},
    {"kepler", "gauss:stages=3:iteration=fixed", {0.01, 0.05, 0.0123456789}},
    {"kepler", "gauss:stages=8:iteration=fixed", {0.05, 0.1, 0.0723456789}},
    {"cartesian_spherical_pendulum", "dirac_weak:stages=8:iteration=fixed", {0.05, 0.2}},
    {"cartesian_spherical_pendulum", "lobatto:stages=3:iteration=fixed", plain},
    {"cartesian_spherical_pendulum", "lobatto:stages=4:iteration=fixed", {0.1, 0.2, 0.3}},
    {"cartesian_spherical_pendulum", "lobatto:stages=5:iteration=fixed", {0.1, 0.2, 0.3}},
    {"cartesian_spherical_pendulum", "lobatto:stages=8:iteration=fixed", {0.05, 0.2}},
    {"rigid_body_quaternion", "lobatto:stages=3:iteration=fixed", {0.05}},
    {"winding", "nh_gauss:stages=8:iteration=fixed", {0.05, 0.2}},
    {"kepler", "gauss:stages=2:iteration=kronecker", {0.01, 0.05, 0.0123456789}},
    {"kepler", "gauss:stages=3:iteration=kronecker", {0.01, 0.05, 0.0123456789}},
    {"kepler", "gauss:stages=8:iteration=kronecker", {0.05, 0.1, 0.0723456789}},
    {"stiff", "gauss:stages=3:iteration=kronecker", {0.005, 0.01, 0.0123456789}},
    {"stiff", "gauss:stages=3:iteration=newton", {0.005, 0.01, 0.0123456789}},
    {"stiff", "gauss:stages=8:iteration=kronecker", {0.01, 0.02, 0.0223456789}},
    {"winding", "nh_gauss:stages=8:iteration=kronecker", {0.05, 0.2}},
};

Model model_of(const std::string& name) {
    if (name == "winding") return read_model(winding, name);
    if (name == "stiff") return read_model(stiff, name);
    return load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/" + name + ".toml");
}

void run(const Case& c, double h, long long steps) {
    const Model model = model_of(c.model);
    const Method method = build_method(model, parse_methods(c.method)[0]);
    Batch batch(model, method, members);
    Stepper<double> at(model, method);
    NodeReader<double> reader(model, method);
    Report report;
    const std::vector<double> v0 = numbers(model.v0);
    for (int i = 0; i < members; ++i) { // faster by up to 3 %, still on the constraints of velocities
        InitialData<double> data{.q = numbers(model.q0), .v = v0};
        for (double& v : data.v) v *= 1 + 0.002 * i;
        if (!batch.start(static_cast<std::size_t>(i), data, 0)) return;
    }
    if (!at.start(report, h)) return;
    std::vector<double> first(members), moment(members);
    double weight = 0;
    const double seconds = cpu_seconds_of([&] {
        for (int k = 0; k <= readings; ++k) {
            const long long before = steps * k / readings;
            const double along = static_cast<double>(k) / readings - 0.5;
            weight += along * along;
            for (int i = 0; i < members; ++i) {
                at.set_state(batch.state(static_cast<std::size_t>(i)));
                reader.read(at, 0, report);
                const double J = reader.node().momenta[0];
                if (k == 0) first[static_cast<std::size_t>(i)] = J;
                moment[static_cast<std::size_t>(i)] += along * (J - first[static_cast<std::size_t>(i)]);
            }
            if (k < readings) batch.advance(before, steps * (k + 1) / readings - before, h);
        }
    });
    double mean = 0, square = 0, iterations = 0;
    for (int i = 0; i < members; ++i) {
        const double slope = moment[static_cast<std::size_t>(i)] / weight / static_cast<double>(steps);
        mean += slope / members, square += slope * slope / members;
        const Report& r = batch.report(static_cast<std::size_t>(i));
        if (!r.ok()) std::printf("%s\n", r.text().c_str());
        iterations += static_cast<double>(r.newton_iterations) / static_cast<double>(steps) / members;
    }
    const double error = std::sqrt(std::max(square - mean * mean, 0.0) / (members - 1));
    const bool walks = std::abs(mean) <= std::max(3 * error, 3e-22);
    std::printf("%-29s %-37s %12.10g %8.0e %10.1e %8.0e %8s %7.3f %7.1f\n", c.model, c.method, h,
                static_cast<double>(steps) * members, mean, error, walks ? "walks" : "MARCHES", iterations, seconds);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char** argv) {
    long long steps = 200000;
    std::string word;
    for (int i = 1; i < argc; ++i)
        if (std::strcmp(argv[i], "--long") == 0)
            steps = 6000000;
        else
            word = argv[i];
    std::printf("%-29s %-37s %12s %8s %10s %8s %8s %7s %7s\n", "model", "method", "step", "steps", "slope", "error", "",
                "iterate", "seconds");
    for (const Case& c : cases)
        if (std::string(c.model).starts_with(word) || std::string(c.method).starts_with(word))
            for (double h : c.steps) run(c, h, steps);
    return 0;
}
