#include "scheme/charts.hpp"

#include <algorithm>
#include <cmath>

#include "solve/surface.hpp"

namespace rattleback {
namespace {

// Rows that pick the dependent coordinates: a QR decomposition of G, column pivoting by the largest remainder, as
// formulas of q; row r is 1 where the r-th pivot is, else 0.
std::vector<Vec> pivots(const Nonholonomic& sys) {
    std::vector<Vec> columns; // of G, one a coordinate
    const std::size_t n = sys.q.size(), m = sys.g.size();
    for (std::size_t j = 0; j < n; ++j) {
        Vec unit = zeros_like(sys.q);
        unit[j].value = Expr(1);
        columns.push_back(derivative_along(sys.g, sys.q, unit));
    }
    std::vector<Vec> rows;
    for (std::size_t r = 0; r < m; ++r) {
        Vec pick = zeros_like(sys.q);
        Expr largest = dot(columns[0], columns[0]);
        pick[0].value = Expr(1);
        Vec column = columns[0];
        for (std::size_t j = 1; j < n; ++j) {
            const Expr size = dot(columns[j], columns[j]), better = fn::gt(size, largest);
            for (std::size_t k = 0; k < j; ++k) pick[k].value = fn::choose(better, Expr(0), pick[k].value);
            pick[j].value = fn::choose(better, Expr(1), Expr(0));
            for (std::size_t i = 0; i < m; ++i)
                column[i].value = fn::choose(better, columns[j][i].value, column[i].value);
            largest = fn::choose(better, size, largest);
        }
        for (Vec& c : columns) c = c - (dot(c, column) / largest) * column;
        rows.push_back(pick);
    }
    return rows;
}

// 1 for coordinates that follow from the others, 0 for those of the chart.
Vec depends(const Nonholonomic& sys, const std::vector<Vec>& rows) {
    Vec sum = zeros_like(sys.q);
    for (const Vec& r : rows) sum = sum + r;
    return sum;
}

std::vector<double> numbers(const std::vector<quad>& values) { return {values.begin(), values.end()}; }

std::vector<double> others_of(const Model& model) {
    std::vector<double> values{static_cast<double>(model.t0)};
    for (const Parameter& p : model.parameters) values.push_back(static_cast<double>(p.value));
    return values;
}

class Chart {
  public:
    Chart(const Nonholonomic& system, const std::vector<Vec>& picks)
        : sys(system), h(step_size(system.model)), rows(picks) {}

    Step step(const Tableau& gauss) {
        const std::size_t s = gauss.b.size();
        Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = h, .t = sys.t};
        // theta at the beginning: p less its part along G^T, so that dependent components vanish.
        const Vec kappa0 = symbols_like(sys.graph, "kappa of ", sys.lambda);
        const Vec theta0 = sys.p - sys.at(reaction(kappa0), {sys.q, sys.v, sys.t});
        step.find.push_back({kappa0, {}});
        step.equations.push_back(dependent(theta0) == zeros_like(sys.g));
        std::vector<Vec> slope, force;
        for (std::size_t i = 0; i < s; ++i) {
            const std::string label = "stage " + std::to_string(i + 1) + " of ";
            slope.push_back(symbols_like(sys.graph, label, zero_border(sys.v)));
            force.push_back(symbols_like(sys.graph, label, sys.p));
        }
        const auto sum = [&](const std::vector<quad>& weights, const std::vector<Vec>& terms) {
            Vec x = zeros_like(sys.q);
            for (std::size_t j = 0; j < s; ++j) x = x + (h * Expr(weights[j])) * terms[j];
            return x;
        };
        for (std::size_t i = 0; i < s; ++i) {
            const std::string label = "stage " + std::to_string(i + 1) + ", ";
            find_from_last(step, slope[i], sys.v);
            step.find.push_back({force[i], {}});
            const Point at = point(step, label, sum(gauss.a[i], slope), theta0 + sum(gauss.a[i], force), slope[i],
                                   sys.t + Expr(gauss.c[i]) * h);
            const Vec rho = symbols_like(sys.graph, label + "rho of ", sys.lambda);
            const Vec pulled =
                substitute(sys.applied() - gradient(dot(kappa_leaf, sys.phi), sys.q), {{kappa_leaf, kappa}});
            const Vec right = sys.at(pulled, at) - sys.at(reaction(rho), at);
            step.find.push_back({rho, {}});
            step.equations.push_back(force[i] == right);
            step.equations.push_back(dependent(right) == zeros_like(sys.g));
        }
        const Vec v1 = symbols_like(sys.graph, "next ", sys.v);
        step.find.push_back({v1, last_components(step.hint, sys.q.size())});
        const Vec theta1 = theta0 + sum(gauss.b, force);
        const Point end = point(step, "end, ", sum(gauss.b, slope), theta1, v1, sys.t + h);
        step.increment = concat({end.q - sys.q, theta1 + sys.at(reaction(kappa), end) - sys.p});
        const Vec guess = last_components(step.hint, sys.q.size());
        carry_positions_and_momenta(step, sys, guess);
        step.manifold = concat({sys.g, sys.phi});
        step.chart = depends(sys, rows);
        return step;
    }

  private:
    Vec reaction(const Vec& multiplier) const { // G^T multiplier
        return substitute(sys.reaction(sys.lambda), {{sys.lambda, multiplier}});
    }
    Vec dependent(const Vec& x) const {
        Vec part = sys.g;
        for (std::size_t r = 0; r < rows.size(); ++r) part[r].value = dot(rows[r], x);
        return part;
    }
    // q on g = 0 with the independent coordinates moved by `move`, v and kappa there; adds unknowns and equations.
    Point point(Step& step, const std::string& label, const Vec& move, const Vec& theta, const Vec& v, const Expr& t) {
        const Vec zeta = symbols_like(sys.graph, label + "shift along ", sys.g);
        kappa = symbols_like(sys.graph, label + "kappa of ", sys.lambda);
        Vec q = sys.q + move;
        for (std::size_t r = 0; r < rows.size(); ++r) q = q + (zeta[r].value - dot(rows[r], move)) * rows[r];
        const Point at{q, v, t};
        const Vec g = sys.at(sys.g, at), phi = sys.at(sys.phi, at);
        step.find.push_back({zeta, {}}), step.find.push_back({kappa, {}});
        step.equations.push_back(g == zeros_like(g));
        step.equations.push_back(sys.at(sys.momentum(), at) == theta + sys.at(reaction(kappa), at));
        step.equations.push_back(phi == zeros_like(phi));
        return at;
    }

    const Nonholonomic& sys;
    Expr h;
    std::vector<Vec> rows;
    Vec kappa; // of the point made last
    Vec kappa_leaf = symbols_like(sys.graph, "any multiplier of ", sys.lambda);
};

// (d, d') of the same chart: d' = A v, d'' = A a with a from the multiplier equations, q and v from g = 0 and its rate.
class PlainChart {
  public:
    PlainChart(const Nonholonomic& system, const std::vector<Vec>& picks)
        : sys(system), h(step_size(system.model)), rows(picks) {}

    Step step(const Tableau& gauss) {
        const std::size_t s = gauss.b.size();
        Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.v}), .h = h, .t = sys.t};
        std::vector<Vec> slope, acceleration;
        for (std::size_t i = 0; i < s; ++i) {
            const std::string label = "stage " + std::to_string(i + 1) + " of ";
            slope.push_back(symbols_like(sys.graph, label, zero_border(sys.v)));
            acceleration.push_back(symbols_like(sys.graph, label, sys.acceleration()));
        }
        const auto sum = [&](const std::vector<quad>& weights, const std::vector<Vec>& terms) {
            Vec x = zeros_like(sys.q);
            for (std::size_t j = 0; j < s; ++j) x = x + (h * Expr(weights[j])) * terms[j];
            return x;
        };
        for (std::size_t i = 0; i < s; ++i) {
            const std::string label = "stage " + std::to_string(i + 1) + ", ";
            find_from_last(step, slope[i], sys.v);
            const Point at = point(step, label, sum(gauss.a[i], slope), sum(gauss.a[i], acceleration), slope[i],
                                   sys.t + Expr(gauss.c[i]) * h);
            const Nonholonomic::Multiplier m = sys.multiplier(at, label);
            step.find.push_back({acceleration[i], {}}), step.find.push_back({m.a, {}}),
                step.find.push_back({m.lambda, {}});
            step.equations.insert(step.equations.end(), m.equations.begin(), m.equations.end());
            step.equations.push_back(acceleration[i] == m.a);
        }
        const Vec v1 = symbols_like(sys.graph, "next ", sys.v);
        step.find.push_back({v1, last_components(step.hint, sys.q.size())});
        const Point end = point(step, "end, ", sum(gauss.b, slope), sum(gauss.b, acceleration), v1, sys.t + h);
        step.increment = concat({end.q - sys.q, v1 - sys.v});
        carry_positions_and_velocities(step, sys);
        step.form = {};
        step.chart = depends(sys, rows);
        return step;
    }

  private:
    Vec along(const Vec& shift, const Vec& move) const { // moved, with other dependent coordinates
        Vec x = move;
        for (std::size_t r = 0; r < rows.size(); ++r) x = x + (shift[r].value - dot(rows[r], move)) * rows[r];
        return x;
    }
    Point point(Step& step, const std::string& label, const Vec& move, const Vec& gain, const Vec& v, const Expr& t) {
        const Vec zeta = symbols_like(sys.graph, label + "shift along ", sys.g),
                  nu = symbols_like(sys.graph, label + "speed along ", sys.g);
        const Point at{sys.q + along(zeta, move), v, t};
        const Vec g = sys.at(sys.g, at), phi = sys.at(sys.phi, at);
        step.find.push_back({zeta, {}}), step.find.push_back({nu, {}});
        step.equations.push_back(g == zeros_like(g));
        step.equations.push_back(v == sys.v + along(nu, gain));
        step.equations.push_back(phi == zeros_like(phi));
        return at;
    }

    const Nonholonomic& sys;
    Expr h;
    std::vector<Vec> rows;
};

// Chart coordinates at the start: phi(a) = q0.
std::vector<double> chart_start(const Model& model) {
    Vec f = model.chart_map;
    for (std::size_t i = 0; i < f.size(); ++i) f[i].value = f[i].value - Expr(model.q0[i]);
    solve::Surface surface(model.graph, f, model.chart, concat({model.time_vec(), model.parameter_vec()}));
    std::vector<int> all;
    for (int i = 0; i < surface.count(); ++i) all.push_back(i);
    const std::size_t k = model.chart.size();
    std::vector<std::vector<double>> guesses{numbers(model.chart_guess)};
    if (guesses[0].empty()) guesses = {std::vector<double>(k, 0.1)};
    for (int point = 1; point < 40 && model.chart_guess.empty(); ++point) {
        guesses.emplace_back();
        for (std::size_t i = 0; i < k; ++i)
            guesses.back().push_back(0.1 * point * std::sin(1.0 + 2.0 * static_cast<double>(i) + 5.0 * point));
    }
    for (std::vector<double>& a : guesses)
        if (surface.reach(a, others_of(model), all)) return a;
    throw Unsuitable("the start is not on the given parametrization: no values of its coordinates were found that "
                     "belong to q in [initial]\n  give some near them: start = { " +
                     model.chart[0].name + " = ... } in [parametrization]");
}

// g(phi(a)) = 0, also beside the start.
void require_on_constraints(const Model& model, const std::vector<double>& start) {
    const Vec along = substitute(model.holonomic, {{model.q, model.chart_map}});
    SystemSolver<double> solver(
        compile(System{model.graph, concat({model.chart, model.time_vec(), model.parameter_vec()}), {}, {}, along}));
    for (int point = 0; point < 4; ++point) {
        double* to = solver.given();
        for (std::size_t i = 0; i < start.size(); ++i)
            *to++ = start[i] + 0.01 * point * std::sin(1.0 + 2.0 * static_cast<double>(i) + point);
        for (double x : others_of(model)) *to++ = x;
        Report ignored;
        if (!solver.solve(ignored)) continue;
        for (std::size_t i = 0; i < solver.result_count(); ++i)
            if (!(std::abs(solver.result(i)) <= solve::on_surface))
                throw Unsuitable("the given parametrization leaves the constraint " + expanded_names(along)[i] +
                                 " = 0: the residual is " + real::to_text(static_cast<quad>(solver.result(i)), 3));
    }
}

} // namespace

std::vector<Vec> automatic_chart(const Nonholonomic& sys) { return pivots(sys); }

std::vector<Vec> chart_of_the_start(const Nonholonomic& sys) {
    std::vector<Vec> rows = pivots(sys);
    Vec all;
    for (const Vec& r : rows) all = concat({all, r});
    SystemSolver<double> solver(compile(
        System{sys.model.graph, concat({sys.q, sys.model.time_vec(), sys.model.parameter_vec()}), {}, {}, all}));
    const std::vector<double> q0 = numbers(sys.model.q0), rest = others_of(sys.model);
    std::copy(rest.begin(), rest.end(), std::copy(q0.begin(), q0.end(), solver.given()));
    Report report;
    if (!solver.solve(report)) throw Unsuitable("no chart at the start: " + report.text());
    std::size_t at = 0;
    for (Vec& r : rows)
        for (std::size_t j = 0; j < r.size(); ++j) r[j].value = Expr(solver.result(at++));
    return rows;
}

std::vector<Vec> chart_by_names(const Nonholonomic& sys, const std::string& names) {
    std::vector<std::string> wanted;
    for (std::size_t from = 0; from <= names.size();) {
        const std::size_t end = std::min(names.find('+', from), names.size());
        wanted.push_back(names.substr(from, end - from));
        from = end + 1;
    }
    std::vector<Vec> rows;
    for (std::size_t j = 0; j < sys.q.size(); ++j) {
        const auto found = std::find(wanted.begin(), wanted.end(), sys.q[j].name);
        if (found != wanted.end()) {
            wanted.erase(found);
            continue;
        }
        rows.push_back(zeros_like(sys.q));
        rows.back()[j].value = Expr(1);
    }
    if (!wanted.empty())
        throw BadMethod("option A=" + names + ": '" + wanted[0] +
                        "' is no coordinate; A is auto, pivots, fixed, given, or coordinates like x+y");
    if (rows.size() != sys.g.size())
        throw BadMethod("option A=" + names + ": " + std::to_string(sys.q.size() - sys.g.size()) +
                        " coordinates are needed, as many as the constraints leave free");
    return rows;
}

Step canonical_chart_step(const Nonholonomic& sys, const std::vector<Vec>& rows, const Tableau& gauss) {
    return Chart(sys, rows).step(gauss);
}

Step plain_chart_step(const Nonholonomic& sys, const std::vector<Vec>& rows, const Tableau& gauss) {
    return PlainChart(sys, rows).step(gauss);
}

Step parametrized_step(const Nonholonomic& sys, const Tableau& gauss) {
    const Model& model = sys.model;
    const std::vector<double> start = chart_start(model);
    require_on_constraints(model, start);
    Model reduced = model; // L(t, phi(a), phi_a a' + phi_t) of (a, a')
    const Vec a = model.chart, rate = symbols_like(sys.graph, "rate of ", a), one({{"t", Expr(1)}});
    const Vec velocity = derivative_along(model.chart_map, concat({a, model.time_vec()}), concat({rate, one}));
    const auto there = [&](const Vec& f) { return substitute(f, {{sys.q, model.chart_map}, {sys.v, velocity}}); };
    reduced.q = a, reduced.v = rate, reduced.p = symbols_like(sys.graph, "momentum of ", a);
    reduced.holonomic = {}, reduced.function = there(Vec({{"", model.function}}))[0].value;
    const Mechanics chart(reduced);
    Step step = runge_kutta(reduced, chart.canonical(), gauss).step;
    carry_positions_and_momenta(step, chart, last_components(step.hint, a.size()));
    // What was given in (q, v): the nearest a, and the nearest rate.
    Vec guess = a;
    for (std::size_t i = 0; i < a.size(); ++i) guess[i].value = Expr(start[i]);
    const Vec off = model.chart_map - sys.q, slip = velocity - sys.v;
    step.start_find = {{a, guess}, {rate, {}}};
    step.start_equations = {gradient(dot(off, off), a) == zeros_like(a),
                            gradient(dot(slip, slip), rate) == zeros_like(a)};
    step.start = concat({a, chart.momentum()});
    const Nonholonomic::Multiplier m = sys.multiplier();
    step.node_find.push_back({m.a, {}}), step.node_find.push_back({m.lambda, {}});
    for (const Equation& e : m.equations) step.node_equations.push_back(there(e.lhs) == there(e.rhs));
    step.q = model.chart_map, step.v = velocity, step.p = there(sys.momentum()), step.lambda = m.lambda;
    return step;
}

} // namespace rattleback
