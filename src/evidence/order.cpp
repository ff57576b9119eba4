// Observed order: errors at one time for halved steps, in quad, against a reference with an error far below them all.
#include <rattleback/evidence.hpp>

#include <algorithm>
#include <cmath>

#include "evidence/defects.hpp"
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

} // namespace

std::vector<quad> exact_end(const Model& model, double until) {
    Report report;
    Method reference = build_method(model, parse_methods("dop853")[0]);
    // First in double: what ends in a collision ends there within a moment, and not after 25 s of quad.
    const bool reached = end_values<double>(compile(model, reference), until, 1, report).has_value();
    reference.tolerance = real::in_round_off(1e-30);
    const auto exact =
        reached ? end_values(compile(model, reference), static_cast<quad>(until), 1, report) : std::nullopt;
    if (!exact) throw BadRun("the reference solution failed: " + report.text());
    return *exact;
}

OrderStudy observed_order(const CompiledMethod& method, const OrderOptions& options) {
    OrderStudy study;
    study.until = options.until;
    const quad until = static_cast<quad>(options.until);
    Report report;
    const std::vector<quad> exact = options.exact.empty() ? exact_end(method.model(), options.until) : options.exact;
    quad size = 0;
    for (quad x : exact) size = std::max(size, real::abs(x));
    const double scale = std::max(1e-30, static_cast<double>(size));
    long long n = options.coarsest;
    for (int k = 0; k <= options.most_halvings; ++k, n *= 2) {
        report = Report{};
        const auto values = end_values(method, until, n, report);
        if (!values) continue; // too coarse for Newton
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
    if (study.orders.empty()) study.note = "no two steps could be compared";
    return study;
}

} // namespace rattleback
