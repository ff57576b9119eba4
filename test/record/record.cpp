// record ENGINE: a few runs as CSV, with every bit. What other compilers and processors make of them is compared with
// what this one does, so no run needs a function of the C library that differs from machine to machine. On the error
// stream: what is noted of each, as that it stayed on the tape, and why.
#include <rattleback/output.hpp>
#include <rattleback/rattleback.hpp>

#include <cstdio>
#include <string_view>

int main(int argc, char** argv) {
    using rattleback::RunOptions;
    const bool compiled = argc > 1 && std::string_view(argv[1]) == "compiled";
    const struct {
        const char *model, *method;
    } cases[] = {{"pendulum", "midpoint"},
                 {"double_pendulum", "gauss:stages=2"},
                 {"cartesian_spherical_pendulum", "rattle"},
                 {"henon_heiles", "lobatto:stages=3"},
                 {"chaplygin_sleigh", "nh_rattle"},
                 {"fput", "rk4"}};
    for (const auto& c : cases) {
        RunOptions options{.method = c.method, .step = 0.01, .steps = 300};
        options.engine = compiled ? RunOptions::Engine::compiled : RunOptions::Engine::interpreted;
        const auto model = rattleback::load(std::string(RATTLEBACK_SOURCE_DIR "/models/") + c.model + ".toml");
        const rattleback::Run run = rattleback::integrate(model, options);
        std::printf("%s %s\n", c.model, c.method);
        rattleback::write_csv(run, stdout);
        std::fprintf(stderr, "%s %s %s\n", c.model, c.method, run.summary().note.c_str());
    }
}
