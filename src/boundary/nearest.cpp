#include "boundary/nearest.hpp"

#include <cmath>

#include "boundary/search.hpp"
#include "expr/graph.hpp"
#include "model/copy.hpp"

namespace rattleback::boundary {
namespace {

constexpr double first_price = 1e4, growth = 100;
constexpr int nearest_starts = 8;

struct Missed {
    std::string name;
    Expr value; // of q
    double wanted = 0;
};

std::vector<Missed> conditions_of(const Model& model) {
    std::vector<Missed> all;
    const std::vector<Expr> q = expand(model.q);
    const std::vector<std::string> names = expanded_names(model.q);
    const Boundary& b = *model.boundary;
    for (std::size_t i = 0; i < b.to.size(); ++i)
        if (b.to[i]) all.push_back({names[i], q[i], static_cast<double>(*b.to[i])});
    for (const Component& c : b.to_set) all.push_back({c.value.graph() ? to_text(c.value) : c.name, c.value, 0});
    return all;
}

// The end is free, and paid for.
Model with_price(const Model& model, double price) {
    Model priced = deep_copy(model);
    Expr sum = 0;
    for (const Missed& m : conditions_of(priced)) {
        const Expr miss = m.value - Expr(m.wanted);
        sum = sum + miss * miss;
    }
    Boundary& b = *priced.boundary;
    b.to.assign(b.to.size(), std::nullopt), b.to_set = Vec();
    priced.control->terminal = Expr(price / 2) * sum;
    return priced;
}

// The least miss of several starts; none: no path was found.
std::optional<NearestEnd> nearest_for(const Model& model, double price, const SolveOptions& options) {
    const Problem problem(with_price(model, price));
    SolveOptions few = options;
    few.starts = nearest_starts, few.progress = {};
    Search search(problem, "midpoint", 60, few);
    const std::vector<Found> found = search.run();
    if (found.empty()) return {};
    const Model copy = deep_copy(model);
    const std::vector<Missed> conditions = conditions_of(copy);
    Vec values;
    for (const Missed& m : conditions) values.push_back({m.name, m.value});
    const Vec given = concat({copy.q, copy.time_vec(), copy.parameter_vec()});
    SystemSolver<double> at(compile(System{copy.graph, given, {}, {}, values}));
    std::optional<NearestEnd> nearest;
    for (const Found& f : found) {
        double* to = std::copy_n(f.path.node(f.path.steps()), problem.coordinates, at.given());
        *to++ = problem.t0 + problem.time;
        for (const Parameter& p : copy.parameters) *to++ = static_cast<double>(p.value);
        Report report;
        if (!at.solve(report)) continue;
        double square = 0, most = -1;
        std::string where;
        for (std::size_t i = 0; i < conditions.size(); ++i) {
            const double value = at.result(i), miss = value - conditions[i].wanted;
            square += miss * miss;
            if (!(std::abs(miss) > most)) continue;
            most = std::abs(miss);
            where = conditions[i].name + " = " + real::to_text(value, 5) + " in place of " +
                    real::to_text(conditions[i].wanted, 5);
        }
        if (!nearest || std::sqrt(square) < nearest->miss) nearest = {false, std::sqrt(square), where};
    }
    return nearest;
}

} // namespace

std::optional<NearestEnd> nearest_end(const Model& model, const SolveOptions& options) {
    if (!model.boundary->time || !model.control || !model.control->chosen.empty() || !model.groups.empty()) return {};
    const std::optional<NearestEnd> first = nearest_for(model, first_price, options);
    if (!first) return {};
    std::optional<NearestEnd> second = nearest_for(model, first_price * growth, options);
    if (!second || (options.interrupt && *options.interrupt)) return {};
    second->out_of_reach = second->miss > first->miss / 2;
    return second;
}

} // namespace rattleback::boundary
