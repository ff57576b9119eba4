// Many trajectories at once: 64 starts of the Henon-Heiles system on the lanes of machine code. A member has the bits
// of a run of its own, whatever the lanes and whatever the others do.
#include <rattleback/rattleback.hpp>

#include <cstdio>

int main() {
    using namespace rattleback;
    const Model model = read_model(R"toml(
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3"
[initial]
q = [0, 0.1]
v = [0.4, 0]
)toml",
                                   "henon_heiles.toml");
    const CompiledMethod verlet = compile(model, "del:ld=verlet");
    Batch batch(verlet, 64);
    for (std::size_t i = 0; i < batch.members(); ++i)
        if (!batch.start(i, {.q = {0, 0.002 * static_cast<double>(i)}, .v = {0.4, 0}}, 0)) return 1;
    batch.advance(0, 100000, 0.01); // 100,000 steps of each

    Stepper<double> alone(verlet);
    Report report;
    if (!alone.start({.q = {0, 0.002 * 63}, .v = {0.4, 0}}, 0, report)) return 1;
    for (long long k = 0; k < 100000; ++k)
        if (!alone.advance(k, 0.01, report)) return 1;
    std::printf("%d lanes; the last member ends at x = %.15f, and so does its own run: %s\n", batch.lanes(),
                batch.state(63)[0], batch.state(63) == alone.state() ? "yes" : "no");
    return batch.state(63) == alone.state() ? 0 : 1;
}
