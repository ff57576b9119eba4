// Observed order: errors at one time for halved steps, in quad, against a reference with an error far below them all.
#include <rattleback/evidence.hpp>

#include <algorithm>
#include <cmath>

#include "evidence/defects.hpp"
#include "evidence/time_left.hpp"
#include "expr/real_functions.hpp"

namespace rattleback {
namespace {

constexpr double plateau = real::in_round_off(1e-25); // errors below are round-off

// What is compared at the end: q and v, or z.
template <class T>
std::optional<std::vector<T>> end_values(const CompiledMethod& method, T until, long long steps, Report& report) {
    Stepper<T> stepper(method);
    NodeReader<T> reader(method);
    const T h = until / static_cast<T>(steps);
    if (!stepper.start(report, h)) return {};
    for (long long k = 0; k < steps; ++k)
        if (!stepper.advance(k, h, report)) return {};
    if (!reader.read(stepper, static_cast<T>(method.model().t0) + until, report)) return {};
    std::vector<T> values = reader.node().q;
    values.insert(values.end(), reader.node().v.begin(), reader.node().v.end());
    values.insert(values.end(), reader.node().z.begin(), reader.node().z.end());
    return values;
}

std::optional<std::vector<quad>> start_values(const CompiledMethod& method, Report& report) {
    Stepper<quad> stepper(method);
    NodeReader<quad> reader(method);
    if (!stepper.start(report, 1) || !reader.read(stepper, stepper.t0(), report)) return {};
    std::vector<quad> values = reader.node().q;
    values.insert(values.end(), reader.node().v.begin(), reader.node().v.end());
    values.insert(values.end(), reader.node().z.begin(), reader.node().z.end());
    return values;
}

// By dop853 with step control. Throws what it throws on models that it does not take.
std::optional<std::vector<quad>> end_by_step_control(const Model& model, double until, Report& report) {
    Method reference = build_method(model, parse_methods("dop853")[0]);
    // First in double: what ends in a collision ends there within a moment, and not after 25 s of quad.
    if (!end_values<double>(compile(model, reference), until, 1, report)) return {};
    reference.tolerance = real::in_round_off(1e-30);
    return end_values(compile(model, reference), static_cast<quad>(until), 1, report);
}

// By Gauss collocation of order 20 on Dirac's equations, for phase constraints and J z' = grad H of any index: the
// steps are halved until they no longer matter.
std::optional<std::vector<quad>> end_by_halving(const Model& model, double until, Report& report) {
    const CompiledMethod reference = compile(model, "dirac_weak:stages=10");
    std::optional<std::vector<quad>> last;
    for (long long steps = 4; steps <= 256; steps *= 2) {
        report = Report{};
        auto next = end_values(reference, static_cast<quad>(until), steps, report);
        if (!next) continue;
        quad change = last ? 0 : 1, size = 1;
        for (std::size_t i = 0; last && i < next->size(); ++i)
            change = std::max(change, real::abs((*next)[i] - (*last)[i])), size = std::max(size, real::abs((*next)[i]));
        last = std::move(next);
        if (static_cast<double>(change / size) <= plateau / 100) return last;
    }
    if (report.ok()) report.status = Report::stopped, report.what = "its steps did not converge in 256 of them";
    return {};
}

} // namespace

std::vector<quad> exact_end(const Model& model, double until) {
    Report report;
    std::optional<std::vector<quad>> exact;
    const auto by_dirac = [&](const Error& why) {
        try {
            exact = end_by_halving(model, until, report);
        } catch (const Unsuitable&) { throw BadRun(why.what()); }
    };
    try {
        exact = end_by_step_control(model, until, report);
    } catch (const Unsuitable& e) { by_dirac(e); } catch (const BadRun& e) {
        by_dirac(e);
    }
    if (!exact) throw BadRun("the reference solution failed: " + report.text());
    return *exact;
}

OrderStudy observed_order(const CompiledMethod& method, const OrderOptions& options) {
    OrderStudy study;
    study.until = options.until;
    const quad until = static_cast<quad>(options.until);
    Report report;
    TimeLeft time(options.progress);
    const std::vector<quad> exact = options.exact.empty() ? exact_end(method.model(), options.until) : options.exact;
    if (const auto start = start_values(method, report)) study.moved = *start != exact;
    quad size = 0;
    for (quad x : exact) size = std::max(size, real::abs(x));
    const double scale = std::max(1e-30, static_cast<double>(size));
    long long n = options.coarsest;
    for (int k = 0; k <= options.most_halvings; ++k, n *= 2) {
        report = Report{};
        time.begin();
        const auto values = end_values(method, until, n, report);
        time.left(time.seconds() * (std::exp2(options.most_halvings + 1 - k) - 2)); // twice as long each
        if (!values) continue;                                                      // too coarse for Newton
        quad error = 0;
        for (std::size_t i = 0; i < values->size(); ++i) error = std::max(error, real::abs((*values)[i] - exact[i]));
        study.steps.push_back(options.until / static_cast<double>(n));
        study.errors.push_back(static_cast<double>(error));
        if (static_cast<double>(error) < plateau * scale * 1e3) break;
    }
    for (std::size_t i = 0; i + 1 < study.errors.size(); ++i)
        study.orders.push_back(std::log2(study.errors[i] / study.errors[i + 1]) /
                               std::log2(study.steps[i] / study.steps[i + 1]));
    for (std::size_t i = 0; i < study.orders.size(); ++i)
        if (study.errors[i + 1] > plateau * scale) study.order = study.orders[i];
    if (!study.moved)
        study.note = "nothing moves until t = " + real::to_text(method.model().t0 + until, 6) +
                     ": an order cannot be seen; take another start, or a longer time";
    else if (study.orders.empty())
        study.note = "no two steps could be compared";
    return study;
}

} // namespace rattleback
