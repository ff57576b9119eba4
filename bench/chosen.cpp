// What iteration=auto takes, beside Newton's method: every model of the gallery with methods of several stages. Where
// auto takes Newton's method the two are the same, and are left out.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/batch.hpp>
#include <rattleback/run.hpp>

#include "code/backend.hpp"
#include "measure.hpp"
#include "run/step_code.hpp"
#include "run/stepper.hpp"
#include "solve/kronecker.hpp"

namespace {

using namespace rattleback;
using bench::cpu_seconds_of;

struct Timed {
    std::string stopped;
    double step = INFINITY, member = INFINITY; // CPU seconds: of one trajectory, of a member of a batch of eight
};

// So many steps that they take about 2 ms, and the least of several runs; both ways in turn.
class Pair {
  public:
    Pair(const CompiledMethod& a, const CompiledMethod& b, double h) : h_(h) {
        for (const CompiledMethod* m : {&a, &b})
            for (std::size_t members : {1, 8}) batches_.push_back(std::make_unique<Batch>(*m, members));
    }
    std::vector<Timed> run() {
        std::vector<Timed> timed(2);
        steps_.assign(batches_.size(), 4);
        for (int repeat = 0; repeat < 12; ++repeat)
            for (std::size_t i = 0; i < batches_.size(); ++i) {
                Timed& t = timed[i / 2];
                if (!t.stopped.empty()) continue;
                const auto members = static_cast<double>(i % 2 ? 8 : 1);
                const double seconds = once(*batches_[i], i % 2 ? 8 : 1, steps_[i], t.stopped);
                double& least = i % 2 ? t.member : t.step;
                least = std::min(least, seconds / static_cast<double>(steps_[i]) / members);
                if (repeat == 0)
                    steps_[i] = std::clamp<long long>(static_cast<long long>(2e-3 / (least * members)), 4, 100);
            }
        return timed;
    }

  private:
    double once(Batch& batch, std::size_t members, long long steps, std::string& stopped) const {
        for (std::size_t i = 0; i < members; ++i) batch.start(i);
        const double seconds = cpu_seconds_of([&] { batch.advance(0, steps, h_); });
        if (!batch.report(0).ok()) stopped = batch.report(0).text().substr(0, 60);
        return seconds;
    }
    double h_;
    std::vector<std::unique_ptr<Batch>> batches_;
    std::vector<long long> steps_;
};

struct Sums {
    int pairs = 0, slower = 0, late = 0;
    double logarithms = 0, worst = 0, worst_member = 0, most_ready = 0;
};

void compare(const std::string& name, const Model& model, const std::string& method, Sums& sums) {
    constexpr double code_target = 250e-3;
    std::optional<CompiledMethod> chosen, newton;
    double compile_chosen = 0, compile_newton = 0;
    try {
        compile_chosen = cpu_seconds_of([&] { chosen.emplace(compile(model, method + ":iteration=auto")); });
        if (!chosen->parts().stages) return;
        compile_newton = cpu_seconds_of([&] { newton.emplace(compile(model, method + ":iteration=newton")); });
    } catch (const std::exception&) { return; } // the method does not fit
    const double ready = cpu_seconds_of([&] { (void)make_step_code(*chosen, {}); });
    Report report;
    Stepper<double> probe(*chosen);
    try {
        if (!probe.start(report, model.run.step.value_or(0.01))) return;
    } catch (const std::exception&) { return; }
    const double h = static_cast<double>(model.run.step.value_or(0.01));
    const std::vector<Timed> t = Pair(*chosen, *newton, h).run();
    std::printf("%-30s %-20s %-9s", name.c_str(), method.c_str(),
                chosen->parts().stages->kronecker ? "kronecker" : "fixed");
    if (!t[0].stopped.empty() || !t[1].stopped.empty()) {
        std::printf(" stopped: %s | %s\n", t[0].stopped.c_str(), t[1].stopped.c_str());
        return;
    }
    const double ratio = t[0].step / t[1].step, member = t[0].member / t[1].member;
    std::printf(" %9.2f %9.2f %6.2f  %9.2f %9.2f %6.2f  %6.1f %6.1f %6.1f%s%s\n", 1e6 * t[0].step, 1e6 * t[1].step,
                ratio, 1e6 * t[0].member, 1e6 * t[1].member, member, 1e3 * compile_chosen, 1e3 * compile_newton,
                1e3 * ready,
                ratio > 1.05    ? "  SLOWER"
                : member > 1.05 ? "  slower in a batch"
                                : "",
                ready > code_target ? "  LATE" : "");
    std::fflush(stdout);
    ++sums.pairs, sums.slower += ratio > 1.05, sums.late += ready > code_target;
    sums.logarithms += std::log(ratio), sums.worst = std::max(sums.worst, ratio);
    sums.worst_member = std::max(sums.worst_member, member), sums.most_ready = std::max(sums.most_ready, ready);
}

} // namespace

int main(int count, char** words) {
    if (!code::backend()) {
        std::printf("no machine code here: %s\n", code::backend_missing().c_str());
        return 0;
    }
    setenv("RATTLEBACK_CACHE", "", 1);
    std::printf("us a step, ratio; us a step of a member of eight, ratio; ms to compile the method and for its code\n");
    std::printf("%-30s %-20s %-9s %9s %9s %6s  %9s %9s %6s  %6s %6s %6s\n", "model", "method", "takes", "auto",
                "newton", "", "auto", "newton", "", "auto", "newton", "code");
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(RATTLEBACK_SOURCE_DIR "/models"))
        if (entry.path().extension() == ".toml") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    Sums sums;
    for (const auto& file : files) {
        const std::string name = file.stem().string();
        if (count > 1 && name.find(words[1]) == std::string::npos && std::string(words[1]) != "--long") continue;
        Model model = load(file.string());
        if (std::optional<Model> independent = with_independent_constraints(model)) model = std::move(*independent);
        for (const char* method :
             {"gauss:stages=2", "gauss:stages=3", "gauss:stages=4", "gauss:stages=6", "nh_gauss:stages=2",
              "nh_gauss:stages=3", "nh_gauss:stages=4", "dirac_weak:stages=1", "dirac_weak:stages=2",
              "dirac_weak:stages=3", "dirac_weak:stages=4", "underlying:stages=2", "underlying:stages=4"})
            compare(name, model, method, sums);
    }
    std::printf(
        "%d pairs, ratio %.2f on average, at most %.2f, in a batch %.2f; %d slower by 5 %%; code at most %.0f ms, "
        "%d late\n",
        sums.pairs, std::exp(sums.logarithms / std::max(1, sums.pairs)), sums.worst, sums.worst_member, sums.slower,
        1e3 * sums.most_ready, sums.late);
}
