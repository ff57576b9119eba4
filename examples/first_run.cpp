// A first run: a model as text, a method by name, a trajectory, and how well the energy was kept.
#include <rattleback/rattleback.hpp>

#include <cstdio>

int main() {
    using namespace rattleback;
    const Model pendulum = read_model(R"toml(
coordinates = ["theta"]
[mechanics]
lagrangian = "theta'^2/2 + cos(theta)"
[initial]
q = [2]
v = [0]
)toml",
                                      "pendulum.toml");
    const Run run = integrate(pendulum, {.method = "gauss:stages=2", .step = 0.1, .until = 100});
    const std::size_t last = run.t.size() - 1;
    std::printf("theta(%g) = %.12f, largest energy error %.1e\n", run.t[last], run.q(last, 0), run.energy_error_max());
    return run.report().ok() && run.energy_error_max() < 1e-5 ? 0 : 1;
}
