// Several methods on one model: what they cost, and what error that buys, against a converged reference.
#include <rattleback/evidence.hpp>

#include <algorithm>
#include <cmath>

#include "evidence/preserved.hpp"
#include "evidence/studies.hpp"
#include "model/copy.hpp"
#include "run/grid.hpp"
#include "scheme/build.hpp"

namespace rattleback {
namespace {

constexpr double longest = 4; // seconds that the finer and coarser runs of one method may take

// Largest difference in (q, v) or z at the end.
double difference(const Summary& x, const Summary& y) {
    double d = 0;
    const auto add = [&](const std::vector<double>& a, const std::vector<double>& b) {
        for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) d = std::max(d, std::abs(a[i] - b[i]));
    };
    for (const char* group : {"q", "v", "z"}) add(x.end[group], y.end[group]);
    return d;
}

RunOptions with(RunOptions options, const std::string& method, double finer, const Grid& grid) {
    options.method = method, options.until = {}, options.step = grid.h / finer;
    options.steps = std::max(1LL, std::llround(static_cast<double>(grid.steps) * finer));
    options.every = *options.steps; // only the end is needed
    options.progress = {}, options.prepared = {};
    return options;
}

// The first of these that fits, and how much a coarser one differs from it.
void find_reference(const Model& model, const RunOptions& options, const Grid& grid, Comparison& result) {
    for (const auto& [fine, coarse, finer] :
         {std::tuple("dop853:tol=1e-14", "dop853:tol=1e-11", 1.0),
          std::tuple("nh_gauss:stages=4", "nh_gauss:stages=3", 4.0),
          std::tuple("lobatto:stages=5", "lobatto:stages=4", 4.0), std::tuple("gauss:stages=6", "gauss:stages=4", 4.0),
          std::tuple("dirac_weak:stages=6", "dirac_weak:stages=4", 4.0)}) {
        try {
            const Run best = integrate(model, with(options, fine, finer, grid));
            const Run other = integrate(model, with(options, coarse, 2 * finer, grid));
            if (!best.report().ok() || !other.report().ok()) continue;
            result.reference_method = fine;
            result.reference = best.summary();
            result.reference_error = difference(best.summary(), other.summary());
            return;
        } catch (const Unsuitable&) { // try the next
        } catch (const BadMethod&) {}
    }
}

void measure_work(const Model& model, const RunOptions& options, const Grid& grid, const Comparison& all,
                  ComparedMethod& m) {
    const std::string& text = m.run.summary().method;
    const double length = std::abs(grid.h * static_cast<double>(grid.steps));
    const bool controlled = build_method(model, parse_methods(text)[0]).controls_step;
    double spent = 0;
    for (double finer : {0.25, 0.5, 1.0, 2.0, 4.0}) {
        if (spent + 2 * m.run.summary().seconds_run * finer > longest) break;
        RunOptions o = with(options, text, controlled ? 1 : finer, grid);
        if (controlled) o.tolerance = 1e-8 * std::pow(1e-2, std::log2(finer));
        const Run run = integrate(model, o);
        spent += run.summary().seconds_run;
        if (!run.report().ok()) continue;
        m.work_steps.push_back(o.step.value_or(0));
        m.work_cost.push_back(std::max(1e-9, run.summary().seconds_run / length));
        m.work_error.push_back(difference(run.summary(), *all.reference));
    }
}

// The error a method has for a cost, along lines between what was measured, and on their continuation.
std::optional<double> error_at(const ComparedMethod& m, double cost) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t i = 0; i < m.work_cost.size(); ++i)
        if (m.work_error[i] > 0) points.emplace_back(std::log(m.work_cost[i]), std::log(m.work_error[i]));
    std::sort(points.begin(), points.end());
    if (points.size() < 2) return {};
    std::size_t k = 1;
    while (k + 1 < points.size() && points[k].first < std::log(cost)) ++k;
    const auto [x0, y0] = points[k - 1];
    const auto [x1, y1] = points[k];
    if (!(x1 > x0)) return std::exp(std::min(y0, y1));
    return std::exp(y0 + (y1 - y0) * (std::log(cost) - x0) / (x1 - x0));
}

std::string recommend(const Model& model, const Comparison& all) {
    std::vector<double> costs;
    for (const ComparedMethod& m : all.methods) costs.insert(costs.end(), m.work_cost.begin(), m.work_cost.end());
    if (costs.empty()) return "No recommendation: no method could be compared with a reference.";
    std::sort(costs.begin(), costs.end());
    const double cost = costs[costs.size() / 2];
    std::vector<std::pair<double, const ComparedMethod*>> ranks;
    for (const ComparedMethod& m : all.methods)
        if (const auto e = error_at(m, cost)) ranks.emplace_back(*e, &m);
    std::sort(ranks.begin(), ranks.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    if (ranks.empty()) return "No recommendation: too few runs finished.";
    const Model copy = deep_copy(model);
    const Preserved preserved((Sample(copy)));
    const auto kept = [&](const ComparedMethod& m) {
        const MethodName name = parse_methods(m.run.summary().method)[0];
        return preserved.words(find_scheme(name.id).claims(name.options), build_in_graph(copy, name));
    };
    const ComparedMethod& best = *ranks[0].second;
    std::string words = "Use " + best.run.summary().method + ": ";
    if (ranks.size() > 1) {
        const double ratio = std::max(1.0, ranks[1].first / ranks[0].first);
        char factor[32];
        std::snprintf(factor, sizeof factor, ratio < 10 ? "%.1f" : ratio < 1e6 ? "%.0f" : "%.1e", ratio);
        words += "for the same computing time its error is " + std::string(factor) + " times smaller than that of " +
                 ranks[1].second->run.summary().method + "; ";
    }
    words += kept(best);
    if (kept(best).find("keeps nothing") == std::string::npos) return words + ".";
    for (const auto& [error, m] : ranks)
        if (kept(*m).find("keeps nothing") == std::string::npos)
            return words + "; for long runs take " + m->run.summary().method + " (" + kept(*m) + ").";
    return words + ".";
}

} // namespace

Comparison compare(const Model& model, const std::vector<MethodName>& names, const RunOptions& options) {
    Comparison result;
    const Grid grid = make_grid(model, options);
    for (const MethodName& name : names) {
        RunOptions o = options;
        o.method = name.text;
        result.methods.push_back({integrate(model, o), {}, 0, {}, {}, {}});
        if (result.methods.back().run.report().status == Report::interrupted) return result;
    }
    find_reference(model, options, grid, result);
    if (result.reference)
        for (ComparedMethod& m : result.methods) {
            if (!m.run.report().ok()) continue;
            m.error = difference(m.run.summary(), *result.reference);
            measure_work(model, options, grid, result, m);
        }
    for (ComparedMethod& m : result.methods)
        m.seconds_per_time = m.run.summary().seconds_run /
                             std::max(1e-300, std::abs(m.run.summary().t_end - static_cast<double>(model.t0)));
    result.recommendation = recommend(model, result);
    return result;
}

} // namespace rattleback
