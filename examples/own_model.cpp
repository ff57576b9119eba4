// A model built from expressions: a spherical pendulum, three coordinates and a rod as a constraint.
#include <rattleback/rattleback.hpp>

#include <cstdio>

int main() {
    using namespace rattleback;
    Model model;
    model.name = "spherical pendulum";
    const Expr x = add_coordinate(model, "x"), y = add_coordinate(model, "y"), z = add_coordinate(model, "z");
    const Expr vx = velocity(model, "x"), vy = velocity(model, "y"), vz = velocity(model, "z");
    const Expr g = add_parameter(model, "g", 9.81);
    model.function = (vx * vx + vy * vy + vz * vz) / 2 - g * z;
    model.holonomic.push_back({"x^2 + y^2 + z^2 - 1", x * x + y * y + z * z - 1});
    Vec rotation; // about the vertical; its momentum is reported
    for (const Expr& e : {-y, x, Expr(0)}) rotation.push_back({"rotation", e});
    model.symmetries.push_back({"rotation", rotation});
    model.q0 = {1, 0, 0}, model.v0 = {0, 1.5, 0};

    const Run run = integrate(model, {.method = "rattle", .step = 0.01, .steps = 10000});
    const Summary& s = run.summary();
    std::printf("off the sphere by at most %.1e, angular momentum by %.1e, energy by %.1e\n",
                s.holonomic_max.value_or(0), s.momentum_error_max[0].second, s.energy_error_max);
    return run.report().ok() && *s.holonomic_max < 1e-14 && s.momentum_error_max[0].second < 1e-12 ? 0 : 1;
}
