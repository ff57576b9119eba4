// How long machine code takes to be ready: every model of the gallery, compiled and found in a cache, and long chains.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include <rattleback/run.hpp>

#include "code/backend.hpp"
#include "code/step.hpp"
#include "measure.hpp"
#include "run/step_code.hpp"
#include "run/stepper.hpp"

namespace {

using namespace rattleback;

constexpr double code_target = 250e-3, cached_target = 5e-3; // seconds of CPU, from the issue

StepCodeResult code_of(Stepper<double>& stepper, bool quick = false) {
    return make_step_code(stepper.compiled(), {}, quick);
}

void gallery_table() {
    std::printf("CPU milliseconds for the code of a step, 1 lane; targets: compiled %.0f, from the cache %.0f\n\n",
                1e3 * code_target, 1e3 * cached_target);
    std::printf("%-28s %-16s %10s %10s %10s %10s\n", "model", "method", "operations", "compiled", "cached", "");
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(RATTLEBACK_SOURCE_DIR "/models"))
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
        Model model = load(file.string());
        if (std::optional<Model> independent = with_independent_constraints(model)) model = std::move(*independent);
        const std::string text = model.run.method.empty() ? "midpoint" : model.run.method;
        std::printf("%-28s %-16s ", file.stem().c_str(), text.c_str());
        std::optional<Stepper<double>> stepper;
        try {
            stepper.emplace(model, build_method(model, parse_methods(text).at(0)));
        } catch (const std::exception& e) {
            std::printf("%s\n", e.what());
            continue;
        }
        const std::size_t operations = code::operation_count(stepper->parts().solver().compiled().program);
        double seconds[2];
        StepCodeResult made;
        for (double& s : seconds) s = bench::cpu_seconds_of([&] { made = code_of(*stepper); });
        if (!made.code && !made.sections) {
            std::printf("%10zu on the tape: %s\n", operations, made.why_not.c_str());
            continue;
        }
        const bool met = seconds[0] <= code_target && seconds[1] <= cached_target;
        std::printf("%10zu %10.1f %10.2f %s\n", operations, 1e3 * seconds[0], 1e3 * seconds[1], met ? "" : "MISSED");
    }
}

// A chain whose sites are written one by one, each with a spring of its own: nothing in it repeats.
std::string written_out(int sites) {
    std::ostringstream names, kinetic, potential, values;
    for (int i = 1; i <= sites; ++i) {
        const char *const comma = i > 1 ? ", " : "", *const plus = i > 1 ? " + " : "";
        names << comma << "\"x" << i << '"';
        values << comma << "0.1";
        kinetic << plus << 'x' << i << "'^2/2";
        std::ostringstream d;
        d << "(x" << i;
        if (i > 1) d << " - x" << i - 1;
        d << ')';
        potential << plus << d.str() << "^2/" << i + 1 << " + " << d.str() << "^3/" << i + 3 << " + " << d.str()
                  << "^4/" << i + 5;
    }
    std::ostringstream text;
    text << "name = \"chain\"\ncoordinates = [" << names.str() << "]\n[mechanics]\nkinetic = \"" << kinetic.str()
         << "\"\npotential = \"" << potential.str() << "\"\n[initial]\nq = [" << values.str() << "]\nv = ["
         << values.str() << "]\n";
    return text.str();
}

void chain_table() {
    std::printf("\nVerlet's step of a chain, CPU seconds; targets: 28,000 operations 1 s, 200,000 10 s\n\n");
    std::printf("%-12s %10s %10s %10s %10s\n", "sites", "number", "operations", "optimised", "quick");
    setenv("RATTLEBACK_CACHE", "", 1);
    for (const bool family : {false, true})
        for (int sites : {40, 400, 1500, 10700}) {
            if (family && sites > 5000) continue; // more than its view draws
            const std::string n = std::to_string(sites);
            const Model model = family ? load(RATTLEBACK_SOURCE_DIR "/models/fput.toml", {.set = {{"n", n}}})
                                       : read_model(written_out(sites), "chain");
            Stepper<double> stepper(model, build_method(model, parse_methods("del:ld=verlet").at(0)));
            std::printf("%-12s %10d %10zu ", family ? "a family" : "written out", sites,
                        code::operation_count(stepper.parts().solver().compiled().program));
            for (bool quick : {false, true})
                std::printf("%10.3f ", bench::cpu_seconds_of([&] {
                                StepCodeResult made = code_of(stepper, quick);
                                if (!made.code && !made.sections) std::printf("%s ", made.why_not.c_str());
                            }));
            std::printf("\n");
        }
}

} // namespace

int main() {
    if (!code::backend()) {
        std::printf("no machine code here: %s\n", code::backend_missing().c_str());
        return 0;
    }
    std::string folder = std::filesystem::temp_directory_path() / "rattleback_bench_XXXXXX";
    if (!mkdtemp(folder.data())) return 1;
    setenv("RATTLEBACK_CACHE", (folder + "/objects").c_str(), 1);
    gallery_table();
    chain_table();
    std::filesystem::remove_all(folder);
}
