#include "boundary/descent.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "boundary/focal.hpp"
#include "boundary/small_lu.hpp"
#include "evidence/linear.hpp"

namespace rattleback::boundary {
namespace {

Vec written_as_scalars(const Vec& of) {
    Vec all;
    for (const Expr& e : expand(of)) all.push_back({"", e});
    return all;
}

} // namespace

// Results: L, Gamma, then the nonzeros of L_z, Gamma_z, L_zz, (p . Gamma)_zz.
ControlFunctions::ControlFunctions(const Problem& problem)
    : n(static_cast<std::size_t>(problem.model.q.count())),
      m(static_cast<std::size_t>(problem.model.control->inputs.count())) {
    const Model& model = problem.model;
    const Vec z = concat({written_as_scalars(model.q), model.control->inputs}), p = written_as_scalars(model.p);
    const Vec Gamma = written_as_scalars(model.control->dynamics);
    const Expr L = model.control->cost.graph() ? expand(model.control->cost) : model.control->cost;
    const Vec L_z = gradient(L, z), H_z = gradient(dot(p, Gamma), z);
    for (const Parameter& each : model.parameters) parameters_.push_back(static_cast<double>(each.value));
    jacobians_.add(Vec({{"L", L}}), z), jacobians_.add(Gamma, z), jacobians_.add(L_z, z), jacobians_.add(H_z, z);
    const Vec given = concat({z, p, model.time_vec(), model.parameter_vec()});
    solver_.emplace(compile(System{model.graph, given, {}, {}, concat({jacobians_.formulas, Vec({{"L", L}}), Gamma})}));
}

bool ControlFunctions::evaluate(const double* q, const double* u, const double* p, double t, At& to) {
    double* at = std::copy_n(q, n, solver_->given());
    at = std::copy_n(u, m, at);
    at = std::copy_n(p, n, at);
    *at++ = t;
    std::copy(parameters_.begin(), parameters_.end(), at);
    Report report;
    if (!solver_->solve(report)) return false;
    const std::size_t w = n + m, sizes[] = {w, n * w, w * w, w * w};
    std::vector<double>* const all[] = {&to.L_z, &to.Gamma_z, &to.hessian, &to.curvature};
    std::size_t next = 0;
    bool finite = true;
    const auto take = [&] {
        const double value = solver_->result(next++);
        finite &= std::isfinite(value);
        return value;
    };
    for (std::size_t k = 0; k < 4; ++k) {
        all[k]->assign(sizes[k], 0.0);
        for (const solve::RowColumn& e : jacobians_.patterns[k]) (*all[k])[e.row * w + e.column] = take();
    }
    to.L = take(), to.Gamma.resize(n);
    for (double& g : to.Gamma) g = take();
    return finite;
}

constexpr double least_shift = 1e-2, most_shift = 1e5;

Descent::Descent(const Problem& problem, PathSolver& ends) : problem_(problem), ends_(ends), functions_(problem) {}

bool Descent::evaluate(Point& a) {
    const std::size_t n = functions_.n, m = functions_.m, N = a.u.size() / m;
    a.h = problem_.time / static_cast<double>(N);
    a.steps.resize(N), a.cost = a.violation = 0;
    if (problem_.free_time && !(a.x[n - 1] > 0)) return false;
    std::vector<double> q(n), p(n);
    if (problem_.charts) see_from_steps(a);
    for (std::size_t k = 0; k < N; ++k) {
        const double *x = &a.x[k * 2 * n], *next = this->next(a, k);
        for (std::size_t i = 0; i < n; ++i) q[i] = (x[i] + next[i]) / 2, p[i] = (x[n + i] + next[n + i]) / 2;
        if (problem_.charts) functions_.set_centre(*problem_.charts, &a.centres[k * problem_.charts->width()]);
        const double t = problem_.t0 + (static_cast<double>(k) + 0.5) * a.h;
        if (!functions_.evaluate(q.data(), &a.u[k * m], p.data(), t, a.steps[k])) {
            if (without_values_.empty()) without_values_ = place(q.data(), &a.u[k * m], t);
            return false;
        }
        a.cost += a.h * a.steps[k].L;
        for (std::size_t i = 0; i < n; ++i) a.violation += std::abs(next[i] - x[i] - a.h * a.steps[k].Gamma[i]);
    }
    EndEquations &from = ends_.from(), &to = ends_.to();
    const double end = problem_.t0 + problem_.time;
    if (problem_.charts) {
        from.set_centre(a.centres.data());
        to.set_centre(&a.centres[N * problem_.charts->width()]);
    }
    if (!from.evaluate(a.x.data(), a.nu_from, problem_.t0, a.h) || !to.evaluate(&a.x[N * 2 * n], a.nu_to, end, a.h))
        return false;
    a.ends = {from.values, to.values, from.by_state, from.by_nu, to.by_state, to.by_nu};
    a.cost += to.potential(&a.x[N * 2 * n], problem_.t0 + problem_.time, a.h);
    for (std::size_t i = 0; i < n; ++i) { // conditions on q alone
        if (problem_.from.value[i]) a.violation += std::abs(a.ends.from[i]);
        if (problem_.to.value[i]) a.violation += std::abs(a.ends.to[i]);
    }
    for (std::size_t i = n; i < a.ends.from.size(); ++i) a.violation += std::abs(a.ends.from[i]);
    for (std::size_t i = n; i < a.ends.to.size(); ++i) a.violation += std::abs(a.ends.to[i]);
    return std::isfinite(a.cost) && std::isfinite(a.violation);
}

std::string Descent::place(const double* q, const double* u, double t) const {
    std::string text = "at t = " + real::to_text(t, 4);
    const std::vector<std::string> names = expanded_names(problem_.model.q),
                                   inputs = expanded_names(problem_.model.control->inputs);
    for (std::size_t i = 0; i < functions_.n; ++i) text += ", " + names[i] + " = " + real::to_text(q[i], 4);
    for (std::size_t i = 0; i < functions_.m; ++i) text += ", " + inputs[i] + " = " + real::to_text(u[i], 4);
    return text;
}

// One step of the quadratic model,
//     dq1 - dq0 - h (Gamma_q dq + Gamma_u du)                   = -(q1 - q0 - h Gamma),        dq = (dq0 + dq1)/2
//     dp1 - dp0 + h (B_qq dq + B_qu du + Gamma_q^T dp)          = -(p1 - p0 + h (L_q + Gamma_q^T p))
//     B_uq dq + B_uu du + Gamma_u^T dp                          = -(L_u + Gamma_u^T p)
// solved for (dq1, dp1, du): the first two as a tangent map with an offset.
// `beyond`: only its violation of the dynamics is to be removed, with the matrices of `a`.
bool Descent::eliminate_inputs(const Point& a, const QuadraticModel& model, std::size_t k, const Point* beyond) {
    const double curvature = model.curvature, shift = model.shift;
    const std::size_t n = functions_.n, m = functions_.m, w = n + m, size = 2 * n + m, columns = 2 * n + 1;
    const ControlFunctions::At& s = a.steps[k];
    const double h = a.h, *const x = &a.x[k * 2 * n], *const next = this->next(a, k);
    std::vector<double> left(size * size, 0.0), right(size * columns, 0.0);
    const auto B = [&](std::size_t i, std::size_t j) {
        return s.hessian[i * w + j] + curvature * s.curvature[i * w + j] + (i == j ? shift : 0.0);
    };
    const auto p = [&](std::size_t i) { return (x[n + i] + next[n + i]) / 2; };
    const auto put = [&](std::size_t row, std::size_t column, double value) { // of the mean of both ends
        left[row * size + column] += value / 2, right[row * columns + column] -= value / 2;
    };
    for (std::size_t i = 0; i < n; ++i) {
        left[i * size + i] += 1, right[i * columns + i] += 1;
        left[(n + i) * size + n + i] += 1, right[(n + i) * columns + n + i] += 1;
        double slope = s.L_z[i];
        for (std::size_t j = 0; j < n; ++j) {
            put(i, j, -h * s.Gamma_z[i * w + j]), put(n + i, j, h * B(i, j));
            put(n + i, n + j, h * s.Gamma_z[j * w + i]);
            slope += s.Gamma_z[j * w + i] * p(j);
        }
        for (std::size_t j = 0; j < m; ++j) {
            left[i * size + 2 * n + j] = -h * s.Gamma_z[i * w + n + j];
            left[(n + i) * size + 2 * n + j] = h * B(i, n + j);
        }
        right[i * columns + 2 * n] = -(next[i] - x[i] - h * s.Gamma[i]);
        right[(n + i) * columns + 2 * n] = -(next[n + i] - x[n + i] + h * slope);
    }
    for (std::size_t i = 0; i < m; ++i) {
        double slope = s.L_z[n + i];
        for (std::size_t j = 0; j < n; ++j) {
            put(2 * n + i, j, B(n + i, j)), put(2 * n + i, n + j, s.Gamma_z[j * w + n + i]);
            slope += s.Gamma_z[j * w + n + i] * p(j);
        }
        for (std::size_t j = 0; j < m; ++j) left[(2 * n + i) * size + 2 * n + j] = B(n + i, n + j);
        right[(2 * n + i) * columns + 2 * n] = -slope;
    }
    if (beyond) {
        const double *const from = &beyond->x[k * 2 * n], *const to = this->next(*beyond, k);
        for (std::size_t i = 0; i < size; ++i)
            right[i * columns + 2 * n] = i < n ? -(to[i] - from[i] - h * beyond->steps[k].Gamma[i]) : 0;
    }
    std::vector<int> order(size);
    if (!lu_factor(left.data(), order.data(), size)) return false;
    lu_solve(left.data(), order.data(), size, right.data(), columns);
    for (std::size_t i = 0; i < size; ++i) {
        const double* const row = &right[i * columns];
        double* const to = i < 2 * n ? &tangents_[(k * 2 * n + i) * 2 * n] : &inside_[(k * m + i - 2 * n) * 2 * n];
        std::copy_n(row, 2 * n, to);
        (i < 2 * n ? offsets_[k * 2 * n + i] : inside_offsets_[k * m + i - 2 * n]) = row[2 * n];
    }
    if (problem_.charts) to_next_chart(a, curvature, k);
    return true;
}

std::vector<double> Descent::inputs_along(const Nodes& nodes) {
    const std::vector<double>& x = nodes.x;
    const std::size_t n = functions_.n, m = functions_.m, w = n + m, N = x.size() / (2 * n) - 1;
    const double h = problem_.time / static_cast<double>(N);
    std::vector<double> u(N * m, 0.0), q(n), none(n, 0.0);
    ControlFunctions::At at;
    for (std::size_t k = 0; k < N; ++k) {
        const double* const here = &x[k * 2 * n];
        const std::vector<double> next = next_of(nodes, k);
        for (std::size_t i = 0; i < n; ++i) q[i] = (here[i] + next[i]) / 2;
        const double t = problem_.t0 + (static_cast<double>(k) + 0.5) * h;
        if (!functions_.evaluate(q.data(), &u[k * m], none.data(), t, at)) continue;
        Dense by_inputs(n, m);
        std::vector<double> rate(n);
        for (std::size_t i = 0; i < n; ++i) {
            rate[i] = (next[i] - here[i]) / h - at.Gamma[i];
            for (std::size_t j = 0; j < m; ++j) by_inputs(i, j) = at.Gamma_z[i * w + n + j];
        }
        const std::vector<double> found = least_squares(by_inputs, rate, 1e-6).x;
        std::copy(found.begin(), found.end(), &u[k * m]);
    }
    return u;
}

// Whether the quadratic model has a minimum: B_uu positive, no focal points.
bool Descent::is_convex(const Point& a, const QuadraticModel& model) {
    const std::size_t n = functions_.n, m = functions_.m, N = a.steps.size(), w = n + m;
    tangents_.resize(N * 4 * n * n), offsets_.resize(N * 2 * n), inside_.resize(N * m * 2 * n),
        inside_offsets_.resize(N * m);
    for (std::size_t k = 0; k < N; ++k) {
        Dense B_uu(m, m);
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < m; ++j)
                B_uu(i, j) = a.steps[k].hessian[(n + i) * w + n + j] +
                             model.curvature * a.steps[k].curvature[(n + i) * w + n + j] + (i == j ? model.shift : 0.0);
        if (!(symmetric_eigenvalues(B_uu).front() > 0) || !eliminate_inputs(a, model, k, nullptr)) return false;
    }
    const double end = problem_.t0 + problem_.time;
    const double *const first = a.x.data(), *const last = &a.x[N * 2 * n];
    const Variations v{.coordinates = n,
                       .steps = N,
                       .tangent = [&](std::size_t k) { return &tangents_[k * 4 * n * n]; },
                       .sign = -1,
                       .from_rows = ends_.from().tangent_rows(first, a.nu_from, problem_.t0, a.h),
                       .from_hessian = ends_.from().hessian(first, a.nu_from, problem_.t0, a.h),
                       .to_rows = ends_.to().tangent_rows(last, a.nu_to, end, a.h),
                       .to_hessian = ends_.to().hessian(last, a.nu_to, end, a.h)};
    return focal_points(v, true).none();
}

bool Descent::step_of(const Point& a, const QuadraticModel& model, const Point* beyond, Move& to) {
    const std::size_t n = functions_.n, m = functions_.m, N = a.steps.size();
    for (std::size_t k = 0; k < N && beyond; ++k)
        if (!eliminate_inputs(a, model, k, beyond)) return false;
    PathEnds ends = a.ends, now = ends;
    if (beyond) // of the conditions, those on q alone
        for (auto [values, of, end] : {std::tuple{&now.from, &beyond->ends.from, &problem_.from},
                                       std::tuple{&now.to, &beyond->ends.to, &problem_.to}})
            for (std::size_t i = 0; i < values->size(); ++i)
                (*values)[i] = i >= end->value.size() || end->value[i] ? (*of)[i] : 0;
    BlockSystem blocks(2 * n, N);
    const StartRows start(ends);
    blocks.begin(start.rows, start.rhs(now));
    for (std::size_t k = 0; k < N; ++k)
        if (!blocks.add(&tangents_[k * 4 * n * n], &offsets_[k * 2 * n])) return false;
    const EndIncrement found = end_increment(blocks, now, ends, std::vector<double>(2 * n, 1.0));
    to.x.resize((N + 1) * 2 * n), to.u.resize(N * m);
    blocks.back(found.x, to.x.data());
    for (std::size_t k = 0; k < N; ++k)
        for (std::size_t i = 0; i < m; ++i) {
            double sum = inside_offsets_[k * m + i];
            for (std::size_t j = 0; j < 2 * n; ++j) sum += inside_[(k * m + i) * 2 * n + j] * to.x[k * 2 * n + j];
            to.u[k * m + i] = sum;
        }
    to.nu_to = found.nu, to.nu_from = start.multipliers(now, ends, to.x.data());
    return std::all_of(to.x.begin(), to.x.end(), [](double d) { return std::isfinite(d); });
}

// From `at` along a step of the model, q and u by a part of it, costates and multipliers wholly.
Descent::Point Descent::moved(const Point& at, const Move& by, double part, const Move* correction) const {
    const std::size_t n = functions_.n;
    Point to;
    to.x = at.x, to.u = at.u, to.nu_from = at.nu_from, to.nu_to = at.nu_to, to.centres = at.centres;
    for (std::size_t i = 0; i < by.x.size(); ++i) to.x[i] += (i % (2 * n) < n ? part : 1) * by.x[i];
    for (std::size_t i = 0; i < by.u.size(); ++i) to.u[i] += part * by.u[i];
    for (std::size_t i = 0; i < by.nu_from.size(); ++i) to.nu_from[i] += by.nu_from[i];
    for (std::size_t i = 0; i < by.nu_to.size(); ++i) to.nu_to[i] += by.nu_to[i];
    if (!correction) return to;
    for (std::size_t i = 0; i < by.x.size(); ++i)
        if (i % (2 * n) < n) to.x[i] += correction->x[i];
    for (std::size_t i = 0; i < by.u.size(); ++i) to.u[i] += correction->u[i];
    return to;
}

// A full step, one with the violation it makes removed (Fletcher's second-order correction), or parts of it.
bool Descent::search_along(Point& now, const QuadraticModel& model, const Move& by, double penalty, double& part) {
    const double before = now.cost + penalty * now.violation;
    const auto falls = [&](const Point& then) {
        const double after = then.cost + penalty * then.violation;
        return after <= before - 1e-4 * part * penalty * now.violation + 1e-13 * std::abs(before);
    };
    for (part = 1; part > 1e-2; part /= 2) {
        Point then = moved(now, by, part, nullptr);
        if (!evaluate(then)) continue;
        if (falls(then)) return now = std::move(then), true;
        Move correction;
        if (part < 0.4 || !step_of(now, model, &then, correction)) continue;
        then = moved(now, by, part, &correction);
        if (evaluate(then) && falls(then)) return now = std::move(then), true;
    }
    return false;
}

// With the exact Hessian, without the curvature of the dynamics, or with a multiple of the unit matrix: what is convex.
std::optional<Descent::Move> Descent::convex_step(const Point& now, double shift, QuadraticModel& model) {
    model = {1, shift};
    bool convex = is_convex(now, model);
    for (model = convex ? model : QuadraticModel{0, shift}; !convex && model.shift < most_shift;
         model.shift = convex ? model.shift : std::max(least_shift, 10 * model.shift))
        convex = is_convex(now, model);
    Move by;
    if (!convex || !step_of(now, model, nullptr, by)) return {};
    return by;
}

bool Descent::to_least_of_model(Nodes& nodes, std::vector<double>& u, std::vector<double>& nu_from,
                                std::vector<double>& nu_to) {
    Point now;
    now.x = nodes.x, now.u = u, now.nu_from = nu_from, now.nu_to = nu_to, now.centres = nodes.centres;
    if (!evaluate(now)) return false;
    QuadraticModel model{1, 0};
    const std::optional<Move> by = convex_step(now, 0, model);
    if (!by) return false;
    now = moved(now, *by, 1, nullptr);
    nodes.x = now.x, u = now.u, nu_from = now.nu_from, nu_to = now.nu_to;
    return true;
}

Descent::Outcome Descent::run(Nodes& nodes, std::vector<double>& u, std::vector<double>& nu_from,
                              std::vector<double>& nu_to, int most_iterations, const volatile int* interrupt) {
    const std::size_t n = functions_.n;
    Outcome out;
    Point now;
    now.x = nodes.x, now.u = u, now.nu_from = nu_from, now.nu_to = nu_to, now.centres = nodes.centres;
    if (!evaluate(now)) return out.has_values = false, out;
    out.violation = now.violation, out.cost = now.cost;
    double shift = 0, penalty = 10 * std::max(1.0, std::abs(now.cost));
    for (out.iterations = 1; out.iterations <= most_iterations && !(interrupt && *interrupt); ++out.iterations) {
        QuadraticModel model{1, shift};
        const std::optional<Move> found = convex_step(now, shift, model);
        if (!found) return out;
        const Move& by = *found;
        double length = 0, size = problem_.charts ? 1 : 0, costates = 0; // nodes are near the centres of charts
        for (std::size_t k = 0; k < now.x.size(); k += 2 * n)
            for (std::size_t i = 0; i < n; ++i) {
                length = std::max(length, std::abs(by.x[k + i])), size = std::max(size, std::abs(now.x[k + i]));
                costates = std::max(costates, std::abs(now.x[k + n + i] + by.x[k + n + i]));
            }
        double part = 1;
        penalty = std::clamp(2 * costates, penalty, 10 * penalty); // a nearly singular model has costates without limit
        if (!search_along(now, model, by, penalty, part)) {
            shift = std::max(least_shift, 10 * shift);
            if (shift > most_shift) return out;
            continue;
        }
        shift = part == 1    ? (shift > least_shift ? shift / 4 : 0)
                : part < 0.3 ? std::max(4 * shift, least_shift)
                             : shift;
        if (!recentre(now)) return out;
        nodes = {now.x, now.centres}, u = now.u, nu_from = now.nu_from, nu_to = now.nu_to;
        out.violation = now.violation, out.cost = now.cost;
        if (model.curvature == 1 && part == 1 && length <= 1e-3 * size) return out.near = true, out;
    }
    return out;
}

} // namespace rattleback::boundary
