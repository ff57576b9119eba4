#include "formulation/chain.hpp"

#include <algorithm>
#include <cmath>

#include "formulation/dirac.hpp"
#include "solve/rank.hpp"
#include "solve/surface.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

constexpr int most_levels = 8, places = 4;
constexpr double negligible = 1e-8; // beside the terms it is made of

Vec one() { return Vec({{"t", Expr(1)}}); }

double largest(const std::vector<double>& x) {
    double result = 0;
    for (double a : x) result = std::max(result, std::abs(a));
    return result;
}

std::vector<double> moved(std::vector<double> x, int point) {
    const double size = 0.02 * point * std::max(1.0, largest(x));
    for (std::size_t k = 0; k < x.size(); ++k)
        x[k] += size * std::sin(1.0 + 2.0 * static_cast<double>(k) + 5.0 * point);
    return x;
}

} // namespace

std::vector<double> time_and_parameters(const Model& model) {
    std::vector<double> values{static_cast<double>(model.t0)};
    for (const Parameter& p : model.parameters) values.push_back(static_cast<double>(p.value));
    return values;
}

DiracChain::DiracChain(const Model& m) : Mechanics(m) {
    if (m.kind == Model::general || (m.holonomic.empty() && m.phase.empty()))
        throw Unsuitable("Dirac's algorithm needs holonomic or phase constraints");
    if (!m.velocity.empty()) throw Unsuitable("Dirac's algorithm takes no constraints on velocities");
    if (!m.force.empty()) throw Unsuitable("Dirac's algorithm takes no forces: the equations are Hamilton's");
    H = hamiltonian_of(*this);
    for (quad x : m.q0) start_.push_back(static_cast<double>(x));
    for (quad x : m.p0) start_.push_back(static_cast<double>(x));
    if (m.p0.empty()) { // p = L_v
        SystemSolver<double> solver(compile(System{
            m.graph, concat({q, v, m.time_vec(), m.parameter_vec()}), {}, {}, has_lagrangian() ? momentum() : p}));
        if (!has_lagrangian()) throw Unsuitable("Dirac's algorithm starts from momenta; give p in [initial]");
        double* to = std::copy(start_.begin(), start_.end(), solver.given());
        for (quad x : m.v0) *to++ = static_cast<double>(x);
        for (double x : time_and_parameters(m)) *to++ = x;
        Report report;
        if (!solver.solve(report)) throw Unsuitable("the model cannot start: " + report.text());
        for (std::size_t i = 0; i < solver.result_count(); ++i) start_.push_back(solver.result(i));
    }
    given_constraints();
    for (int level = 1; find_hidden(level); ++level)
        if (level == most_levels || phi.count() > q.count() + p.count())
            throw Unsuitable("Dirac's algorithm does not end within " + std::to_string(level) +
                             " levels: are the constraints of one size?");
}

void DiracChain::given_constraints() {
    int number = 0;
    for (const Component& c : scalars(model.holonomic))
        links.push_back({"g" + std::to_string(++number), "given", 0}), phi.push_back({links.back().name, c.value});
    number = 0;
    for (const Component& c : scalars(model.phase))
        links.push_back({"phi" + std::to_string(++number), "given", 0}), phi.push_back({links.back().name, c.value});
}

std::vector<std::vector<double>> DiracChain::points() const {
    solve::Surface surface(model.graph, phi, concat({q, p}), concat({model.time_vec(), model.parameter_vec()}));
    std::vector<int> all;
    for (int i = 0; i < surface.count(); ++i) all.push_back(i);
    std::vector<std::vector<double>> found;
    for (int point = 0; point <= places; ++point) {
        std::vector<double> x = moved(start_, point);
        if (surface.reach(x, time_and_parameters(model), all)) found.push_back(x);
    }
    return found;
}

std::vector<std::vector<double>> DiracChain::around() const {
    std::vector<std::vector<double>> found;
    for (int point = 1; point <= places; ++point) found.push_back(moved(start_, point));
    return found;
}

std::vector<std::vector<double>> DiracChain::values(const Vec& f, const std::vector<std::vector<double>>& at) const {
    SystemSolver<double> solver(
        compile(System{model.graph, concat({q, p, model.time_vec(), model.parameter_vec()}), {}, {}, f}));
    std::vector<std::vector<double>> all;
    for (const std::vector<double>& x : at) {
        const std::vector<double> rest = time_and_parameters(model);
        std::copy(rest.begin(), rest.end(), std::copy(x.begin(), x.end(), solver.given()));
        Report ignored;
        if (!solver.solve(ignored)) continue;
        all.emplace_back();
        for (std::size_t i = 0; i < solver.result_count(); ++i) all.back().push_back(solver.result(i));
    }
    return all;
}

std::vector<Expr> DiracChain::matrix(const Vec& a, const Vec& b) const {
    std::vector<Expr> m;
    for (const Component& x : a)
        for (const Component& y : b)
            m.push_back(
                derivative_along(x.value, concat({q, p}), concat({gradient(y.value, p), -gradient(y.value, q)})));
    return m;
}

Vec DiracChain::rate(const Vec& a) const {
    return derivative_along(a, concat({q, p, model.time_vec()}), concat({gradient(H, p), -gradient(H, q), one()}));
}

Vec DiracChain::second_class() const {
    Vec chosen;
    for (std::size_t i = 0; i < links.size(); ++i)
        if (links[i].second_class) chosen.push_back(phi[i]);
    return chosen;
}

Vec DiracChain::mu() const {
    Vec result = second_class();
    const std::vector<Expr> x = graph.solve(matrix(result, result), expand(-rate(result)));
    for (std::size_t i = 0; i < x.size(); ++i) result[i] = {"mu of " + result[i].name, x[i]};
    return result;
}

Vec DiracChain::written_mu() const {
    Vec result = second_class();
    const std::size_t n = result.size();
    std::vector<Expr> a = matrix(result, result), b = expand(-rate(result));
    for (std::size_t k = 0; k < n; ++k) {
        Vec column;
        for (std::size_t i = k; i < n; ++i) column.push_back({"", a[i * n + k]});
        const std::vector<std::vector<double>> at_start = values(column, {start_});
        if (at_start.empty()) throw Unsuitable("the brackets of the constraints have no value at the start");
        const std::vector<double>& sizes = at_start[0];
        std::size_t best = 0;
        for (std::size_t i = 1; i < sizes.size(); ++i)
            if (std::abs(sizes[i]) > std::abs(sizes[best])) best = i;
        for (std::size_t j = 0; j < n && best > 0; ++j) std::swap(a[k * n + j], a[(k + best) * n + j]);
        if (best > 0) std::swap(b[k], b[k + best]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k || a[i * n + k].is(0)) continue;
            const Expr factor = a[i * n + k] / a[k * n + k];
            for (std::size_t j = k; j < n; ++j) a[i * n + j] = a[i * n + j] - factor * a[k * n + j];
            b[i] = b[i] - factor * b[k];
        }
    }
    for (std::size_t i = 0; i < n; ++i) result[i] = {"mu of " + result[i].name, b[i] / a[i * n + i]};
    return result;
}

// What is left of the condition on a constraint when the determined multipliers are put in.
Expr DiracChain::condition(std::size_t constraint, const Vec& determined) const {
    const Vec own({phi[constraint]});
    Expr result = rate(own)[0].value;
    const std::vector<Expr> row = matrix(own, determined);
    if (std::all_of(row.begin(), row.end(), [](const Expr& e) { return e.is(0); })) return result;
    const Vec multipliers = mu();
    for (std::size_t j = 0; j < row.size(); ++j) result = result + row[j] * multipliers[j].value;
    return result;
}

std::string DiracChain::own_name(int level) const {
    int number = 1;
    for (const Link& l : links) number += l.level == level;
    return (level == 1 ? "psi" : "psi_" + std::to_string(level) + "_") + std::to_string(number);
}

// One more level; false: there is none.
bool DiracChain::find_hidden(int level) {
    const std::vector<std::vector<double>> at = points();
    const int count = phi.count();
    if (at.empty()) throw Unsuitable("contradictory constraints: no place was found near the start where all hold");
    Vec brackets;
    for (const Expr& e : matrix(phi, phi)) brackets.push_back({"", e});
    const std::vector<std::vector<double>> numbers = values(brackets, at);
    if (numbers.empty()) throw Unsuitable("the brackets of the constraints have no value at the start");
    // NOTE: rows are brought to length one before their rank is decided; what is nothing but round-off is not a row.
    std::vector<double> first = numbers.front();
    for (double& x : first)
        if (std::abs(x) <= 1e-12 * largest(first)) x = 0;
    const solve::Rank rank = solve::row_rank(first, count, count, negligible);
    for (Link& l : links) l.second_class = false;
    for (int i : rank.independent_rows) links[static_cast<std::size_t>(i)].second_class = true;
    const Vec determined = second_class();
    bool found = false;
    for (int i : rank.dependent_rows) {
        const auto place = static_cast<std::size_t>(i);
        const Expr left = condition(place, determined);
        const Vec parts({{"", left},
                         {"", rate(Vec({phi[place]}))[0].value},
                         {"", dot(gradient(left, p), gradient(left, p))},
                         {"", dot(gradient(left, q), gradient(left, q))}});
        double size = 0, slope = 0, beside = 0;
        for (const std::vector<double>& x : values(parts, at)) size = std::max(size, std::abs(x[0]));
        for (const std::vector<double>& x : values(parts, around()))
            beside = std::max({beside, std::abs(x[0]), std::abs(x[1])}), slope = std::max({slope, x[2], x[3]});
        if (size <= negligible * std::max(beside, 1e-300) || size == 0) continue; // it holds where the others do
        const std::string origin =
            determined.empty() ? "{" + links[place].name + ", H}" : "{" + links[place].name + ", H + mu . phi}";
        if (slope <= 1e-20 * size * size)
            throw Unsuitable("contradictory constraints: " + origin + " = " + real::to_text(size, 3) +
                             " must vanish, and does nowhere");
        links.push_back({own_name(level), origin, level}), phi.push_back({links.back().name, left});
        found = true;
        const double residual = values(Vec({phi[phi.size() - 1]}), {start_})[0][0];
        if (off_start.empty() && !(std::abs(residual) <= solve::on_surface))
            off_start = "the initial data are off the hidden constraint " + links.back().name + " = " + origin +
                        " = 0: the residual is " + real::to_text(static_cast<quad>(residual), 3) +
                        "\n  correct them; check --brackets prints it";
    }
    return found;
}

FirstOrder DiracChain::hamiltonian() const {
    const Vec chosen = second_class();
    const Expr total = chosen.empty() ? H : H + dot(mu(), chosen);
    return {model.graph, concat({q, p}), {}, concat({gradient(total, p), -gradient(total, q)}), {}, {}};
}

FirstOrder DiracChain::weak() const {
    const Vec chosen = second_class(), m = symbols_like(graph, "mu of ", chosen);
    const Expr total = chosen.empty() ? H : H + dot(m, chosen);
    const Vec flow = concat({gradient(total, p), -gradient(total, q)});
    FirstOrder result{model.graph, concat({q, p}), m, flow, {}, zeros_like(m)};
    if (!chosen.empty())
        result.algebraic.push_back(derivative_along(chosen, concat({q, p, model.time_vec()}), concat({flow, one()})) ==
                                   zeros_like(chosen));
    return result;
}

} // namespace rattleback
