#include "boundary/verify_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "boundary/path.hpp"

namespace rattleback::boundary {
namespace {

constexpr double order_slack = 0.25, round_off = 1e-11; // of an order; of what is measured, relative to its size
constexpr int few_starts = 12;

using Halved = std::array<Solution, 3>; // with N, 2 N and 4 N steps

struct Change {
    double first = 0, second = 0, size = 1; // from N to 2 N steps, from there to 4 N
};

// Of a table with a row for each node: the largest difference at nodes that both have.
Change change_of(const Halved& s, const Table Run::*table) {
    const auto apart = [&](const Table& coarse, const Table& fine, double& size) {
        double most = 0;
        for (std::size_t k = 0; k < coarse.rows(); ++k)
            for (std::size_t i = 0; i < coarse.columns(); ++i) {
                most = std::max(most, std::abs(coarse(k, i) - fine(2 * k, i)));
                size = std::max(size, std::abs(fine(2 * k, i)));
            }
        return most;
    };
    Change c;
    c.first = apart(s[0].run.*table, s[1].run.*table, c.size);
    c.second = apart(s[1].run.*table, s[2].run.*table, c.size);
    return c;
}

Change change_of_cost(const Halved& s) {
    return {std::abs(s[0].best().cost - s[1].best().cost), std::abs(s[1].best().cost - s[2].best().cost),
            std::max(1.0, std::abs(s[2].best().cost))};
}

Change departures_of_H(const Halved& s) {
    return {s[1].run.energy_error_max(), s[2].run.energy_error_max(),
            std::max(1.0, std::abs(s[2].run.summary().energy_initial))};
}

MeasuredClaim judged(const std::string& name, const std::string& claimed, int order, const Change& c) {
    MeasuredClaim m;
    m.name = name, m.claimed = claimed;
    if (c.second <= round_off * c.size) {
        m.verdict = MeasuredClaim::pass, m.remark = "exact on this path, but for rounding";
        return m;
    }
    const double observed = std::log2(c.first / c.second);
    m.measured = observed;
    m.verdict = observed >= order - order_slack ? MeasuredClaim::pass : MeasuredClaim::fail;
    if (observed > order + order_slack) m.remark = "higher than claimed on this path";
    return m;
}

Halved halved(const Model& model, const std::string& method, long long coarsest, const volatile int* interrupt) {
    Halved s;
    for (std::size_t k = 0; k < 3; ++k) {
        SolveOptions options;
        options.method = method, options.steps = coarsest << k, options.starts = few_starts;
        options.interrupt = interrupt;
        s[k] = find_path(model, options);
        if (s[k].status != Solution::Status::solved)
            throw BadRun("no path to measure with " + std::to_string(*options.steps) + " steps: " + s[k].what);
    }
    return s;
}

std::vector<MeasuredClaim> judged(const Halved& s, int order, bool by_time) {
    std::vector<MeasuredClaim> all;
    const Change q = change_of(s, &Run::q);
    const bool same = q.first < 0.2 * q.size && q.second < 0.2 * q.size; // not another of several minima
    const std::string claimed = std::to_string(order);
    for (const auto& [name, change] : {std::pair{"cost_order", change_of_cost(s)}, std::pair{"path_order", q},
                                       std::pair{"costate_order", change_of(s, &Run::p)}}) {
        MeasuredClaim m;
        m.name = name, m.claimed = claimed, m.remark = "the paths of different steps are not the same";
        all.push_back(same || name == std::string("cost_order") ? judged(name, claimed, order, change) : m);
    }
    MeasuredClaim H;
    H.name = "hamiltonian_constant", H.claimed = "yes", H.remark = "H depends on time";
    if (!by_time) {
        H = judged(H.name, H.claimed, order, departures_of_H(s));
        if (H.measured && H.remark.empty()) H.remark = "the order with which its departures fall";
    }
    H.condition = "no time";
    all.push_back(H);
    return all;
}

bool depends_on_time(const Model& model) {
    const Model copy = deep_copy(model);
    const Expr& H = copy.function;
    if (!H.graph()) return false;
    const Vec by_time = gradient(H, copy.time_vec());
    return !by_time[0].value.is(0);
}

Model beginning_with(const Model& model, const Extremal& path) {
    Model m = model;
    m.q0.assign(path.q0.begin(), path.q0.end()), m.p0.assign(path.p0.begin(), path.p0.end());
    m.v0.clear();
    for (std::size_t i = 0; i < path.parameters.size(); ++i)
        for (Parameter& p : m.parameters)
            if (p.name == m.control->chosen[i]) p.value = path.parameters[i];
    m.has_start = true;
    return m;
}

} // namespace

bool has_paths(const Model& model) {
    return model.boundary && !model.boundary->periodic && !(model.control && !model.control->bounds.empty());
}

PathVerification verify_path(const Model& model, const std::string& method, const volatile int* interrupt,
                             std::optional<int> claimed_order) {
    const int order = claimed_order.value_or(formulas_of(model, parse_methods(method)[0]).method.order);
    const long long coarsest = order <= 2 ? 40 : order <= 4 ? 20 : 10;
    PathVerification to{model, {}};
    for (const long long finer : {1, 4, 16}) { // long steps do not show the order
        const Halved s = halved(model, method, finer * coarsest, interrupt);
        if (!model.has_start) to.model = beginning_with(model, s[2].best());
        to.claims = judged(s, order, depends_on_time(model));
        if (std::none_of(to.claims.begin(), to.claims.end(),
                         [](const MeasuredClaim& c) { return c.verdict == MeasuredClaim::fail; }))
            break;
    }
    return to;
}

} // namespace rattleback::boundary
