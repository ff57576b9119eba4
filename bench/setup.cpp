// How long a user waits before the first step: from the text of each model of the gallery to its first step done, and
// from the shell to the program's first word.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <rattleback/run.hpp>

#include "measure.hpp"

namespace {

using namespace rattleback;

constexpr double first_step_target = 20e-3, start_target = 15e-3; // seconds, from the issue
constexpr std::array phases = {"read", "method", "compile", "start", "step"};
using Times = std::array<double, phases.size()>;

std::string contents(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// CPU seconds of each phase; throws what the library throws.
Times first_step(const std::string& text, const std::string& name, std::string& method_text) {
    Times times{};
    std::size_t phase = 0;
    double last = bench::cpu_seconds();
    const auto lap = [&] {
        const double now = bench::cpu_seconds();
        times[phase++] = now - last;
        last = now;
    };
    Model model = read_model(text, name);
    if (std::optional<Model> independent = with_independent_constraints(model)) model = std::move(*independent);
    lap();
    method_text = model.run.method.empty() ? "midpoint" : model.run.method;
    const Method method = build_method(model, parse_methods(method_text).at(0));
    lap();
    Stepper<double> stepper(model, method);
    lap();
    Report report;
    bool done = stepper.start(report);
    lap();
    done = done && stepper.advance(0, model.run.step.value_or(0.01), report);
    lap();
    if (!done) throw std::runtime_error(report.text());
    return times;
}

double total(const Times& times) {
    double sum = 0;
    for (double t : times) sum += t;
    return sum;
}

bool gallery_table() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(RATTLEBACK_SOURCE_DIR "/models"))
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::printf("CPU milliseconds from the model's text to the first step done, least of 5; target %.0f\n\n%-24s %-18s",
                1e3 * first_step_target, "model", "method");
    for (const char* phase : phases) std::printf(" %8s", phase);
    std::printf(" %8s\n", "all");
    bool good = true;
    for (const auto& file : files) {
        const std::string text = contents(file), name = file.stem().string();
        std::string method;
        try {
            Times best = first_step(text, name, method);
            for (int i = 1; i < 5; ++i) {
                const Times now = first_step(text, name, method);
                if (total(now) < total(best)) best = now;
            }
            std::printf("%-24s %-18s", name.c_str(), method.c_str());
            for (double t : best) std::printf(" %8.2f", 1e3 * t);
            std::printf(" %8.2f%s\n", 1e3 * total(best), total(best) <= first_step_target ? "" : "  MISSED");
        } catch (const std::exception& e) {
            good = false;
            std::printf("%-24s %-18s failed: %s\n", name.c_str(), method.c_str(), e.what());
        }
    }
    return good;
}

// Wall-clock seconds of one run of the program, with its output thrown away; nothing if it cannot be run.
std::optional<double> run_program(const char* program, const char* argument) {
    timespec from{}, to{};
    clock_gettime(CLOCK_MONOTONIC, &from);
    const pid_t child = fork();
    if (child < 0) return {};
    if (child == 0) {
        const int sink = open("/dev/null", O_WRONLY);
        dup2(sink, STDOUT_FILENO), dup2(sink, STDERR_FILENO);
        execl(program, program, argument, static_cast<char*>(nullptr));
        _exit(127);
    }
    int status = 0;
    waitpid(child, &status, 0);
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) return {};
    return static_cast<double>(to.tv_sec - from.tv_sec) + 1e-9 * static_cast<double>(to.tv_nsec - from.tv_nsec);
}

bool process_start() {
    if (!std::filesystem::exists(RATTLEBACK_PROGRAM)) {
        std::printf("\nrattleback --help: there is no program %s yet\n", RATTLEBACK_PROGRAM);
        return true;
    }
    double best = 1e9;
    for (int i = 0; i < 20; ++i) {
        const auto seconds = run_program(RATTLEBACK_PROGRAM, "--help");
        if (!seconds) {
            std::printf("\nrattleback --help failed\n");
            return false;
        }
        best = std::min(best, *seconds);
    }
    std::printf("\nrattleback --help: %.2f ms on the clock, least of 20; target %.0f%s\n", 1e3 * best,
                1e3 * start_target, best <= start_target ? "" : "  MISSED");
    return true;
}

} // namespace

int main() {
    const bool models = gallery_table(), program = process_start();
    return models && program ? 0 : 1;
}
