#include "boundary/returns.hpp"

#include <algorithm>
#include <cmath>

#include "model/copy.hpp"
#include "solve/system.hpp"

namespace rattleback::boundary {
namespace {

constexpr double further = 1.25; // than until, which often is the very period
constexpr double near = 0.5;     // of the size of the motion
constexpr double as_near = 3;    // as the nearest return: those are tried
constexpr long long usual_nodes = 2000, most_nodes = 1'000'000;
constexpr std::size_t most_returns = 8;

// Nodes of a motion as points of phase space, with coordinates and momenta in units of their sizes.
class Points {
  public:
    explicit Points(const Run& run) : run_(run), n_(run.q.columns()) {
        for (const Table* table : {&run.q, &run.p}) {
            double most = 0;
            for (std::size_t k = 0; k < run.t.rows(); ++k)
                for (std::size_t i = 0; i < n_; ++i) most = std::max(most, std::abs((*table)(k, i) - (*table)(0, i)));
            units_.push_back(most > 0 ? most : 1);
        }
    }
    // From the first node to a place between nodes.
    std::vector<double> away(double place) const {
        const auto k = std::min(static_cast<std::size_t>(place), run_.t.rows() - 2);
        const double part = place - static_cast<double>(k);
        std::vector<double> x;
        for (std::size_t half = 0; half < 2; ++half) {
            const Table& of = half == 0 ? run_.q : run_.p;
            for (std::size_t i = 0; i < n_; ++i)
                x.push_back((of(k, i) + part * (of(k + 1, i) - of(k, i)) - of(0, i)) / units_[half]);
        }
        return x;
    }

  private:
    const Run& run_;
    std::size_t n_;
    std::vector<double> units_;
};

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

Run followed(const Model& model, const std::string& method, std::optional<double> most) {
    const RunDefaults& run = model.run;
    if (most) return integrate(model, {.method = method, .step = *most / usual_nodes, .steps = usual_nodes});
    double time = 0;
    if (run.until) time = *run.until - static_cast<double>(model.t0);
    if (!run.until && run.step && run.steps) time = *run.step * static_cast<double>(*run.steps);
    if (!(time > 0))
        throw Unsuitable("a free period is looked for as long as [run] says: write until there, or time in [boundary]");
    long long count = run.step && *run.step > 0 ? std::llround(std::ceil(time / *run.step)) : usual_nodes;
    count = static_cast<long long>(further * static_cast<double>(std::clamp(count, usual_nodes, most_nodes)));
    return integrate(model, {.method = method, .step = further * time / static_cast<double>(count), .steps = count});
}

} // namespace

// Where the motion passes the plane through its start that is normal to it, in the same direction.
std::vector<double> times_of_return(const Model& model, const std::string& method, std::optional<double> most) {
    const Run run = followed(model, method, most);
    const std::size_t nodes = run.t.rows();
    if (nodes < 3) return {};
    const Points points(run);
    const std::vector<double> direction = points.away(1);
    struct Return {
        double time, distance;
    };
    std::vector<Return> all;
    double before = 0, largest = 0, nearest = near;
    for (std::size_t k = 1; k < nodes; ++k) {
        const std::vector<double> x = points.away(static_cast<double>(k));
        const double height = dot(x, direction);
        largest = std::max(largest, std::sqrt(dot(x, x)));
        if (before < 0 && height >= 0) {
            const double place = static_cast<double>(k - 1) + before / (before - height);
            const std::vector<double> there = points.away(place);
            const double distance = std::sqrt(dot(there, there));
            nearest = std::min(nearest, distance);
            all.push_back({(run.t[1] - run.t[0]) * place, distance});
        }
        before = height;
    }
    std::vector<double> times;
    for (const Return& r : all)
        if (r.distance < near * largest && r.distance <= as_near * nearest + 1e-6 && times.size() < most_returns)
            times.push_back(r.time);
    return times;
}

bool is_driven_with(const Model& model, const Run& run, double period) {
    const Vec driven = concat({Vec({{"function", model.function}}), model.force, model.holonomic, model.velocity});
    const Vec later = substitute(driven, {{model.time_vec(), Vec({{"t", model.t + Expr(static_cast<quad>(period))}})}});
    const Vec given = concat({model.time_vec(), model.q, model.v, model.p, model.parameter_vec()});
    SystemSolver<double> at(compile(System{model.graph, given, {}, {}, concat({driven, later})}));
    const std::size_t count = static_cast<std::size_t>(driven.count());
    double apart = 0, size = 0;
    for (std::size_t k = 0; k < run.t.rows(); ++k) {
        double* to = at.given();
        *to++ = run.t[k];
        for (const Table* table : {&run.q, &run.v, &run.p})
            for (std::size_t i = 0; i < table->columns(); ++i) *to++ = (*table)(k, i);
        for (const Parameter& p : model.parameters) *to++ = static_cast<double>(p.value);
        Report report;
        if (!at.solve(report)) continue;
        for (std::size_t i = 0; i < count; ++i) {
            apart = std::max(apart, std::abs(at.result(count + i) - at.result(i)));
            size = std::max(size, std::abs(at.result(i)));
        }
    }
    return apart <= 1e-9 * size;
}

} // namespace rattleback::boundary
