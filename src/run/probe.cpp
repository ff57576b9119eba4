#include "run/probe.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace rattleback {
namespace {

using Values = std::vector<std::vector<double>>; // at the nodes

constexpr double worth_compiling = 3e7; // operations: 0.2 s on the tape
// Components are measured by their largest value on the way, and those that stay below this part of the largest of
// their kind by that.
constexpr double least_part = 1e-3;
// By so much data are disturbed, relative, to be told from rounding in each step; rounding has changed them by this
// part of it at most.
constexpr double last_digits = 2 * std::numeric_limits<double>::epsilon(), rounded_part = 0.25;

std::vector<double> sizes_of(const Values& path) {
    if (path.empty()) return {};
    std::vector<double> sizes(path[0].size());
    for (const auto& row : path)
        for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::max(sizes[i], std::abs(row[i]));
    const double largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    for (double& s : sizes) s = std::max(s, least_part * largest);
    return sizes;
}

// Adds to `apart`, node by node.
void compare(const Values& a, const Values& b, std::vector<double>& apart) {
    const std::vector<double> sizes = sizes_of(b);
    for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k)
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            if (a[k][i] == b[k][i]) continue;
            const double d = std::abs(a[k][i] - b[k][i]) / sizes[i];
            if (!(d <= apart[k])) apart[k] = std::isfinite(d) ? d : INFINITY;
        }
}

} // namespace

Probe::Probe(const Model& model, const std::string& method, const RunOptions& options)
    : compiled_(compile(model, method)), effort_(compiled_), stepper_(compiled_), reader_(compiled_),
      interrupt_(options.interrupt), project_(options.project) {}

long long Probe::rounded(double n) {
    const auto whole = static_cast<long long>(std::ceil(std::clamp(n, 1.0, 1e15)));
    const long long every = stride(whole);
    return (whole + every - 1) / every * every;
}

double Probe::operations() const {
    return static_cast<double>(code::operation_count(compiled_.parts().step.compiled->program));
}

bool Probe::runs_on_tape() const {
    const auto& stages = compiled_.parts().stages;
    return stages && !code::can_write(*stages, StepCode::whole_stages);
}

bool Probe::runs_on_lanes() const { return compiled_.parts().stages && !runs_on_tape(); }

void Probe::use_machine_code() {
    if (coded_) return;
    coded_ = true;
    const StepCodeResult made = make_step_code(compiled_, {});
    if (made.code) stepper_.parts().use(made.code);
    if (made.sections) stepper_.parts().use(made.sections);
}

// Up or down without a pattern that a symmetry could share, and the same in every run.
void Probe::change_last_digits() {
    auto& parts = stepper_.parts();
    std::minstd_rand signs(1);
    const auto changed = [&](double x) { return x * (1 + (signs() & 64 ? last_digits : -last_digits)); };
    for (double& x : parts.state) x = changed(x);
    const std::vector<Parameter>& all = compiled_.model().parameters;
    std::vector<double> values = parts.parameters;
    for (std::size_t i = 0; i < values.size(); ++i) // those that are exact have no rounding
        if (static_cast<quad>(values[i]) != all[i].value) values[i] = changed(values[i]);
    stepper_.set_parameters(values);
}

Probe::Path Probe::run(double h, long long steps, long long every, double tolerance, bool disturbed) {
    Path path;
    Report report;
    const auto fail = [&] {
        path.failure = report.text();
        return path;
    };
    stepper_.parts().end_iterations_at(tolerance);
    if (!stepper_.start(report, h, project_)) return fail();
    if (disturbed) change_last_digits();
    const long long before = report.newton_iterations;
    for (long long k = 0;; ++k) {
        if (k % every == 0) {
            if (!reader_.read(stepper_, stepper_.t0() + static_cast<double>(k) * h, report)) return fail();
            const NodeValues<double>& n = reader_.node();
            path.q.push_back(n.q), path.v.push_back(n.v), path.z.push_back(n.z);
        }
        if (k == steps) break;
        if (interrupt_ && *interrupt_) report.status = Report::interrupted, report.what = "interrupted";
        if (!report.ok() || !stepper_.advance(k, h, report)) return fail();
        path.iterations = static_cast<double>(report.newton_iterations - before) / static_cast<double>(k + 1);
        done_ += effort_.of_step(0);
    }
    done_ += static_cast<double>(steps) * (effort_.of_step(path.iterations) - effort_.of_step(0));
    return path;
}

Halving Probe::halve(double span, long long n) {
    const long long every = stride(n);
    const double h = span / static_cast<double>(n);
    if (3 * static_cast<double>(n) * effort_.of_step(5) > worth_compiling) use_machine_code();
    const Path& coarse = coarse_ = run(h, n, every, tolerance_);
    Halving result;
    result.iterations = coarse.iterations, result.failure = coarse.failure;
    if (!coarse.failure.empty() && (coarse.q.size() <= 1 || (interrupt_ && *interrupt_))) return result;
    const Path fine = run(h / 2, 2 * n, 2 * every, 0);
    if (result.failure.empty()) result.failure = fine.failure;
    const std::size_t common = std::min(coarse.q.size(), fine.q.size());
    result.apart.assign(common, 0.0);
    for (std::size_t k = 0; k < common; ++k)
        result.t.push_back(stepper_.t0() + static_cast<double>(every * static_cast<long long>(k)) * h);
    compare(coarse.q, fine.q, result.apart), compare(coarse.v, fine.v, result.apart);
    compare(coarse.z, fine.z, result.apart);
    for (std::size_t k = 1; k < common; ++k) result.apart[k] = std::max(result.apart[k], result.apart[k - 1]);
    return result;
}

void Probe::disturb(double span, long long n, Halving& h) {
    const std::vector<double> exact = stepper_.parts().parameters;
    const double step = span / static_cast<double>(n) * (1 + last_digits);
    const Path path = run(step, n, stride(n), tolerance_, true);
    stepper_.set_parameters(exact);
    if (!path.failure.empty()) h.failure = path.failure;
    std::vector<double> moved(std::min(h.apart.size(), path.q.size()));
    compare(path.q, coarse_.q, moved), compare(path.v, coarse_.v, moved), compare(path.z, coarse_.z, moved);
    for (std::size_t k = 0; k < moved.size(); ++k) {
        h.rounding = std::max(h.rounding, rounded_part * moved[k]);
        h.apart[k] += h.rounding;
    }
}

} // namespace rattleback
