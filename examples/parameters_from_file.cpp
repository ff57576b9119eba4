// Parameters from a file of lines "name value", given to a model as --set gives them; the results say what was used.
#include <rattleback/rattleback.hpp>

#include <cstdio>
#include <fstream>

int main(int argc, char** argv) {
    using namespace rattleback;
    const std::string file = argc > 1 ? argv[1] : "parameters.txt";
    if (argc <= 1) std::ofstream(file) << "k 4\nm 1\n"; // something to read
    LoadOptions options;
    std::ifstream lines(file);
    for (std::string name, value; lines >> name >> value;) options.set.emplace_back(name, value);
    const std::string text = R"toml(
coordinates = ["x"]
[parameters]
k = 1
m = 1
[mechanics]
kinetic = "m*x'^2/2"
potential = "k*x^2/2"
[initial]
q = [1]
v = [0]
)toml";
    try {
        const Model model = read_model(text, "oscillator.toml", options);
        for (const Parameter& p : model.parameters)
            std::printf("%s = %g\n", p.name.c_str(), static_cast<double>(p.value));
        const Run run = integrate(model, {.method = "gauss:stages=4", .step = 0.01, .until = 1.5707963267948966});
        std::printf("after half a turn x = %.12f\n", run.q(run.t.size() - 1, 0));
        return run.q(run.t.size() - 1, 0) < -0.999999 || argc > 1 ? 0 : 1;
    } catch (const std::exception& e) { // an unknown name, a number that is none: said with what to do
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
