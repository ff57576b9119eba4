// What a run keeps, measured node by node: energy, momenta, constraints.
#include <rattleback/evidence.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "evidence/defects.hpp"
#include "expr/terms.hpp"
#include "run/compiled.hpp"

namespace rattleback {
namespace {

// A line through the means of 20 parts of a run. The parts scatter about it: that is what is known of its slope, since
// errors at neighbouring nodes are no independent witnesses.
class Trend {
  public:
    explicit Trend(long long steps) : steps_(steps) {}
    void add(long long k, double error) {
        const auto part = static_cast<std::size_t>(std::min<long long>((k - 1) * parts / steps_, parts - 1));
        sum_[part] += error, ++count_[part];
        const double t = static_cast<double>(k) / static_cast<double>(steps_) - 0.5;
        te_ += t * error, tt_ += t * t;
    }
    double slope() const { return te_ / tt_; }
    double confidence() const {
        double mean = 0, tt = 0, te = 0, scatter = 0;
        for (int i = 0; i < parts; ++i) mean += value(i) / parts;
        for (int i = 0; i < parts; ++i) tt += time(i) * time(i), te += time(i) * (value(i) - mean);
        for (int i = 0; i < parts; ++i) scatter += std::pow(value(i) - mean - te / tt * time(i), 2);
        constexpr double t_quantile = 2.101; // 95 %, 18 degrees of freedom
        return t_quantile * std::sqrt(scatter / (parts - 2) / tt);
    }

  private:
    static constexpr int parts = 20;
    static double time(int part) { return (part + 0.5) / parts - 0.5; }
    double value(int part) const {
        const auto i = static_cast<std::size_t>(part);
        return count_[i] ? sum_[i] / static_cast<double>(count_[i]) : 0;
    }
    long long steps_;
    std::array<double, parts> sum_{};
    std::array<long long, parts> count_{};
    double te_ = 0, tt_ = 0;
};

} // namespace

bool Drift::bounded() const {
    if (second < 1e-12) return true;
    return second <= 2 * first && std::abs(slope) <= 0.15 * std::max(first, second);
}

std::optional<Drift> energy_drift(const CompiledMethod& method, double h, long long steps) {
    Stepper<double> stepper(method);
    NodeReader<double> reader(method);
    Report report;
    if (!stepper.start(report, h) || !reader.read(stepper, stepper.t0(), report)) return {};
    const double initial = reader.node().energy, size = std::max(1.0, std::abs(initial));
    const auto place = [&] { return reader.node().q.empty() ? reader.node().z : reader.node().q; };
    const std::vector<double> start = place();
    Drift drift;
    Trend trend(steps);
    for (long long k = 1; k <= steps; ++k) {
        if (!stepper.advance(k - 1, h, report) ||
            !reader.read(stepper, stepper.t0() + static_cast<double>(k) * h, report))
            return {};
        const double error = (reader.node().energy - initial) / size;
        double& half = 2 * k <= steps ? drift.first : drift.second;
        half = std::max(half, std::abs(error));
        trend.add(k, error);
        double& spread = drift.spread[2 * k <= steps ? 0 : 1];
        for (std::size_t i = 0; i < start.size(); ++i) spread = std::max(spread, std::abs(place()[i] - start[i]));
    }
    drift.slope = trend.slope(), drift.confidence = trend.confidence();
    return drift;
}

template <class T>
std::optional<Departures<T>> departures(const CompiledMethod& method, T h, int steps, Report& report) {
    const Formulas formulas = method.parts().copy_of_formulas();
    const Model& model = formulas.model;
    Stepper<T> stepper(method);
    const Residuals residuals = constraint_residuals(model);
    const Vec of_velocities = concat({residuals.velocity, residuals.phase});
    const Vec all = concat({of_velocities, residuals.holonomic, rates_of(model.holonomic, model)});
    const auto velocity = static_cast<std::size_t>(of_velocities.count());
    NodeReader<T> reader(node_system(formulas, expand(concat({all, largest_terms(all)}))));
    Departures<T> worst;
    T energy = 0;
    std::vector<T> momenta;
    const auto departure = [](T now, T first) { return real::abs(now - first) / std::max(T(1), real::abs(first)); };
    if (!stepper.start(report, h)) return {};
    for (int k = 0; k <= steps; ++k) {
        if (k > 0 && !stepper.advance(k - 1, h, report)) return k > 10 ? std::optional(worst) : std::nullopt;
        if (!reader.read(stepper, stepper.t0() + static_cast<T>(k) * h, report)) return {};
        const NodeValues<T>& n = reader.node();
        if (k == 0) energy = n.energy, momenta = n.momenta, worst.momenta.resize(momenta.size());
        worst.energy = std::max(worst.energy, departure(n.energy, energy));
        for (std::size_t i = 0; i < momenta.size(); ++i)
            worst.momenta[i] = std::max(worst.momenta[i], departure(n.momenta[i], momenta[i]));
        for (std::size_t i = 0, count = n.extra.size() / 2; i < count; ++i) {
            T& largest = i < velocity ? worst.velocity : worst.holonomic;
            largest = std::max(largest, real::abs(n.extra[i]) / std::max(T(1), n.extra[count + i]));
        }
    }
    return worst;
}

template std::optional<Departures<double>> departures(const CompiledMethod&, double, int, Report&);
template std::optional<Departures<quad>> departures(const CompiledMethod&, quad, int, Report&);

} // namespace rattleback
