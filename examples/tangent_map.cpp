// The exact derivative of a step by its state, multiplied along an orbit: the determinant stays 1 for a symplectic
// method, and the growth of a tangent vector tells how chaotic the motion is.
#include <rattleback/rattleback.hpp>

#include <cmath>
#include <cstdio>

int main() {
    using namespace rattleback;
    const Model model = read_model(R"toml(
coordinates = ["a", "b"]
[mechanics]
lagrangian = "a'^2 + b'^2/2 + a'*b'*cos(a - b) + 2*cos(a) + cos(b)"
[initial]
q = [2, 2.5]
v = [0, 0]
)toml",
                                   "double_pendulum.toml");
    const CompiledMethod method = compile(model, "midpoint");
    Stepper<double> stepper(method);
    Tangent<double> tangent(method);
    Report report;
    const double h = 0.01;
    if (!stepper.start(report, h)) return 1;
    std::vector<double> w{1, 0, 0, 0};
    double growth = 0;
    const int steps = 20000;
    for (int k = 0; k < steps; ++k) {
        if (!tangent.advance(stepper, k, h, report)) return std::puts(report.text().c_str()), 1;
        std::vector<double> next(4, 0.0);
        double size = 0;
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = 0; j < 4; ++j) next[i] += tangent.state()(i, j) * w[j];
        for (double x : next) size += x * x;
        growth += std::log(size) / 2;
        for (std::size_t i = 0; i < 4; ++i) w[i] = next[i] / std::sqrt(size);
    }
    const double exponent = growth / (steps * h);
    std::printf("largest Lyapunov exponent about %.2f: %s\n", exponent, exponent > 0.05 ? "chaotic" : "regular");
    return exponent > 0.05 ? 0 : 1;
}
