// A control loop: the inputs of the controller are parameters of the model, set between steps. A cart balances a pole.
#include <rattleback/rattleback.hpp>

#include <cmath>
#include <cstdio>

int main() {
    using namespace rattleback;
    const Model cart = read_model(R"toml(
coordinates = ["x", "theta"]
[parameters]
push = 0
[mechanics]
lagrangian = "x'^2/2 + 0.1/2*(x'^2 + theta'^2 + 2*x'*theta'*cos(theta)) - 0.1*9.81*cos(theta)"
force = { x = "push" }
[initial]
q = [0, 0.2]
v = [0, 0]
)toml",
                                  "cart.toml");
    const CompiledMethod method = compile(cart, "midpoint");
    Stepper<double> stepper(method);
    NodeReader<double> reader(method);
    Report report;
    const double h = 0.01;
    if (!stepper.start(report, h) || !reader.read(stepper, 0, report)) return 1;
    for (int k = 0; k < 1000; ++k) { // state feedback, held during a step
        const auto& [q, v] = std::pair(reader.node().q, reader.node().v);
        stepper.set_parameters({1.0 * q[0] + 2.0 * v[0] + 25.0 * q[1] + 6.0 * v[1]});
        if (!stepper.advance(k, h, report) || !reader.read(stepper, (k + 1) * h, report)) {
            std::puts(report.text().c_str());
            return 1;
        }
    }
    const double angle = reader.node().q[1];
    std::printf("after 10 s the pole leans by %.1e, the cart is at %.1e\n", angle, reader.node().q[0]);
    return std::abs(angle) < 1e-3 ? 0 : 1;
}
