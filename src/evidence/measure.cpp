// What a run keeps, measured node by node: energy, momenta, constraints.
#include <rattleback/evidence.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "evidence/defects.hpp"
#include "expr/graph.hpp"
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

namespace {

// The largest terms of the energy and of the momenta: what their errors are compared with, in any units.
std::vector<Expr> sizes_of_invariants(const Model& model) {
    std::vector<Expr> sizes;
    if (model.kind == Model::general) return {largest_term(model.function)};
    const bool inside_the_action = model.variational && !model.velocity.empty();
    sizes.push_back(largest_term(inside_the_action ? Variational(model).energy() : Mechanics(model).energy()));
    for (const NamedFormula& m : momentum_maps(model)) sizes.push_back(largest_term(m.formula));
    return sizes;
}

} // namespace

std::optional<Drift> energy_drift(const CompiledMethod& method, double h, long long steps,
                                  const std::function<void(long long)>& told) {
    Stepper<double> stepper(method);
    const Formulas formulas = method.parts().copy_of_formulas();
    NodeReader<double> reader(node_system(formulas, {sizes_of_invariants(formulas.model)[0]}));
    Report report;
    if (!stepper.start(report, h) || !reader.read(stepper, stepper.t0(), report)) return {};
    const double initial = reader.node().energy;
    double size = std::abs(reader.node().extra[0]); // in the end the largest on the way
    const auto place = [&] { return reader.node().q.empty() ? reader.node().z : reader.node().q; };
    const std::vector<double> start = place();
    Drift drift;
    Trend trend(steps);
    for (long long k = 1; k <= steps; ++k) {
        if (!stepper.advance(k - 1, h, report) ||
            !reader.read(stepper, stepper.t0() + static_cast<double>(k) * h, report))
            return {};
        if (told && k % 256 == 0) told(k);
        const double error = reader.node().energy - initial;
        size = std::max(size, std::abs(reader.node().extra[0]));
        double& half = 2 * k <= steps ? drift.first : drift.second;
        half = std::max(half, std::abs(error));
        trend.add(k, error);
        double& spread = drift.spread[2 * k <= steps ? 0 : 1];
        for (std::size_t i = 0; i < start.size(); ++i) spread = std::max(spread, std::abs(place()[i] - start[i]));
    }
    if (size == 0) size = 1;
    drift.slope = trend.slope() / size, drift.confidence = trend.confidence() / size;
    drift.first /= size, drift.second /= size;
    return drift;
}

// A plane z = 0 has no terms where z is 0, but positions beside it have a size.
Vec sizes_of_constraints(const Model& model, const Vec& constraints) {
    const std::vector<Expr> all = expand(constraints);
    std::vector<Expr> sizes = expand(largest_terms(constraints));
    for (const Vec& leaves : {model.q, model.v, model.p, model.z}) {
        Expr largest = 0.0;
        for (const Expr& x : expand(leaves)) largest = fn::max(largest, fn::abs(x));
        std::vector<Expr> slopes(all.size(), Expr(0));
        for (const ScalarEntry& e : expand(jacobian(constraints, leaves), constraints, leaves))
            slopes[e.row] = slopes[e.row] + fn::abs(e.value);
        for (std::size_t i = 0; i < all.size(); ++i)
            if (!slopes[i].is(0)) sizes[i] = fn::max(sizes[i], slopes[i] * largest);
    }
    Vec result;
    for (const Expr& e : sizes) result.push_back({"", e});
    return result;
}

template <class T>
std::optional<Departures<T>> departures(const CompiledMethod& method, T h, int steps, Report& report) {
    const Formulas formulas = method.parts().copy_of_formulas();
    const Model& model = formulas.model;
    Stepper<T> stepper(method);
    const Residuals residuals = constraint_residuals(model);
    const Vec of_velocities = concat({residuals.velocity, residuals.phase});
    const Vec all = concat({of_velocities, residuals.holonomic, rates_of(model.holonomic, model)});
    const auto velocity = static_cast<std::size_t>(of_velocities.count()),
               count = static_cast<std::size_t>(all.count());
    std::vector<Expr> shown = expand(concat({all, sizes_of_constraints(model, all)}));
    const std::vector<Expr> sizes = sizes_of_invariants(model);
    shown.insert(shown.end(), sizes.begin(), sizes.end());
    NodeReader<T> reader(node_system(formulas, shown));
    Extremes<T> energy;
    std::vector<Extremes<T>> momenta, kept(count);
    NodeValues<T> first;
    const auto result = [&] {
        Departures<T> worst{energy.relative(), 0, 0, {}};
        for (const Extremes<T>& m : momenta) worst.momenta.push_back(m.relative());
        for (std::size_t i = 0; i < kept.size(); ++i) {
            T& largest = i < velocity ? worst.velocity : worst.holonomic;
            largest = std::max(largest, kept[i].relative());
        }
        return worst;
    };
    if (!stepper.start(report, h)) return {};
    for (int k = 0; k <= steps; ++k) {
        if (k > 0 && !stepper.advance(k - 1, h, report)) return k > 10 ? std::optional(result()) : std::nullopt;
        if (!reader.read(stepper, stepper.t0() + static_cast<T>(k) * h, report)) return {};
        const NodeValues<T>& n = reader.node();
        if (k == 0) first = n, momenta.resize(n.momenta.size());
        const T* size = n.extra.data() + 2 * count;
        energy.add(n.energy - first.energy, size[0]);
        for (std::size_t i = 0; i < momenta.size(); ++i) momenta[i].add(n.momenta[i] - first.momenta[i], size[1 + i]);
        for (std::size_t i = 0; i < count; ++i) kept[i].add(n.extra[i], n.extra[count + i]);
    }
    return result();
}

template std::optional<Departures<double>> departures(const CompiledMethod&, double, int, Report&);
template std::optional<Departures<quad>> departures(const CompiledMethod&, quad, int, Report&);

} // namespace rattleback
