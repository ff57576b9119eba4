// What makes nonholonomic integrators work: energies over long times on contact oscillators that can be reversed and
// that cannot (Modin and Verdier 2020), and the Chaplygin sleigh, on which the (-1)^k mode of leapfrogs grows. The
// tables of docs/nonholonomic.md are its output. 1e5 steps; with --long, 1e6, and 1e7 for the symmetric methods.
//
//   bench_nonholonomic [--long]
#include <cmath>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>

#include <rattleback/run.hpp>

#include "measure.hpp"

namespace {

using namespace rattleback;

struct Problem {
    const char *title, *model;
    LoadOptions options;
};
const Problem problems[] = {
    {"reversible: contact oscillator, eps = 0", "contact_oscillator", {.set = {{"eps", "0"}}}},
    {"reversible: contact oscillator, eps = 0.3", "contact_oscillator", {}},
    {"not reversible: the first one with shifted momenta", "contact_oscillator_shifted", {}},
    {"reversible: pendulum-driven CVT", "pendulum_driven_cvt", {}},
};
const char* const methods[] = {"gni",
                               "nh_rattle",
                               "nh_shake",
                               "dla",
                               "dla:ld=verlet",
                               "gf",
                               "gf_sym",
                               "gf_proj",
                               "gf_sym_proj",
                               "gf:alpha=1/4",
                               "nh_gauss",
                               "nh_gauss:stages=2",
                               "compose:base=nh_rattle",
                               "compose:base=gni",
                               "rk4",
                               "projected",
                               "baumgarte"};
const char* const symmetric[] = {"gni", "nh_rattle", "gf", "gf_sym", "nh_gauss"};

Model model_of(const char* name, const LoadOptions& options = {}) {
    return load(std::string(RATTLEBACK_SOURCE_DIR) + "/models/" + name + ".toml", options);
}

// A quantity along a run: largest errors in the two halves, slope of the line fitted to the error.
class Course {
  public:
    Course(const std::vector<double>& t, const std::vector<double>& values) : length_(t.back() - t.front()) {
        double te = 0, tt = 0;
        for (std::size_t k = 0; k < t.size(); ++k) {
            const double error = values[k] - values[0], along = t[k] - (t.front() + t.back()) / 2;
            double& half = along < 0 ? first : second;
            half = std::max(half, std::abs(error));
            te += along * error, tt += along * along;
        }
        slope = te / tt;
    }
    // As in the laws: what was reached once is not left behind, and no line is seen in it.
    bool bounded() const {
        const double largest = std::max(first, second);
        return largest < 1e-11 || (second <= 2 * first && std::abs(slope) * length_ <= 0.15 * largest);
    }
    double first = 0, second = 0, slope = 0;

  private:
    double length_;
};

void row(const Model& model, const char* method, long long steps) {
    const double step = *model.run.step;
    long long every = steps / 20000 + 1;
    while (std::gcd(every, 40) > 1) ++every; // the motion of y has a period of 40 steps: no beat with it
    const auto run = integrate(model, {.method = method, .step = step, .steps = steps, .every = every});
    std::printf("| `%s` | ", method);
    if (!run.report().ok()) {
        std::printf("stops at t = %.3g | | | | |\n", run.summary().t_end);
        return;
    }
    std::vector<double> kept;
    for (std::size_t k = 0; k < run.t.size(); ++k) kept.push_back(run["observables"](k, 0));
    const Course energy(run.t, run.energy()), other(run.t, kept);
    std::printf("%.2e | %.2e | %+.1e | %+.1e | %s |\n", energy.first, energy.second, energy.slope, other.slope,
                std::max(energy.first, energy.second) > std::abs(run.energy()[0]) ? "lost"
                : energy.bounded() && other.bounded()                             ? "bounded"
                                                                                  : "drifts");
    std::fflush(stdout);
}

void oscillators(long long steps) {
    for (const Problem& p : problems) {
        const Model model = model_of(p.model, p.options);
        std::printf("\n%s, step %.4g, %.0e steps\n\n", p.title, *model.run.step, static_cast<double>(steps));
        std::printf("| method | energy error, first half | second half | slope of energy | slope of %s | |\n"
                    "|---|---|---|---|---|---|\n",
                    model.observables[0].name.c_str());
        for (const char* method : methods) row(model, method, steps);
    }
}

void long_runs(long long steps) {
    const Model model = model_of("contact_oscillator");
    std::printf(
        "\ncontact oscillator, eps = 0.3, %.0e steps\n\n| method | energy error, first half | second half | slope "
        "of energy | slope of y_energy | |\n|---|---|---|---|---|---|\n",
        static_cast<double>(steps));
    for (const char* method : symmetric) row(model, method, steps);
}

// Speed and rate of turning have a closed form, u = sqrt(2E/m) tanh s and w = sqrt(2E/J) sech s (BENCHMARKS of the
// literature): the sleigh comes to run straight ahead.
void sleigh() {
    const Model model = model_of("chaplygin_sleigh");
    std::printf("\nChaplygin sleigh\n\n| method | step | energy error at t = 5 | 10 | 15 | 20 | alternating part at "
                "first | in the last tenth |\n|---|---|---|---|---|---|---|---|\n");
    for (const char* method :
         {"gni", "gni:start=plain", "nh_rattle", "dla", "gf", "gf_proj", "nh_gauss", "nh_gauss:stages=2"})
        for (const double step : {0.05, 0.02}) {
            std::printf("| `%s` | %g ", method, step);
            std::optional<ParasiticMode> mode;
            for (const double until : {5.0, 10.0, 15.0, 20.0}) {
                const auto run = integrate(model, {.method = method, .step = step, .until = until});
                std::printf("| %.1e ", run.report().ok() ? run.energy_error_max() : NAN);
                mode = run.summary().parasitic;
            }
            if (mode)
                std::printf("| %.1e | %.1e |\n", mode->first, mode->last);
            else
                std::printf("| | |\n");
        }
}

} // namespace

int main(int argc, char** argv) {
    const bool is_long = argc > 1 && std::strcmp(argv[1], "--long") == 0;
    sleigh();
    oscillators(is_long ? 1000000 : 100000);
    if (is_long) long_runs(10000000);
    return 0;
}
