#include <rattleback/rattleback.hpp>

#include <cstdio>

int main(int argc, char** argv) {
    const auto model = rattleback::load(argc > 1 ? argv[1] : "pendulum.toml");
    const auto run = rattleback::integrate(model, {.method = "midpoint", .step = 0.01, .until = 1});
    std::printf("largest energy error: %.3e\n", run.energy_error_max());
}
