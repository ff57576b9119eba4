#include "boundary/pontryagin.hpp"

#include <algorithm>
#include <cmath>

#include "boundary/reduced_variations.hpp"
#include "expr/graph.hpp"
#include "run/input_watch.hpp"

namespace rattleback::boundary {
namespace {

constexpr double noise = 1e-9; // of the largest entry of H_uu, and of the terms of H

} // namespace

MinimumPrinciple::MinimumPrinciple(const Problem& problem)
    : problem_(problem), n_(static_cast<std::size_t>(problem.model.q.count())),
      m_(problem.model.implicit_inputs().size()) {
    const Model& model = problem.model;
    for (const Parameter& p : model.parameters) parameters_.push_back(static_cast<double>(p.value));
    Vec all;
    for (const Expr& e : hessian_by_inputs(model)) all.push_back({"", e});
    const Vec path = concat({model.q, model.p, model.time_vec(), model.implicit_inputs()});
    rows_ = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(all.size()))));
    is_constant_ = jacobian(all, path).empty();
    curvature_.emplace(compile(System{model.graph, concat({path, model.parameter_vec()}), {}, {}, all}));
    if (m_ > 0) least_.emplace(model);
}

void MinimumPrinciple::look_at(const Place& at, InputOptimality& to) {
    double* given = std::copy_n(at.q, n_, curvature_->given());
    given = std::copy_n(at.p, n_, given);
    *given++ = at.t;
    given = std::copy_n(at.u, m_, given);
    std::copy(parameters_.begin(), parameters_.end(), given);
    Report report;
    if (rows_ > 0 && curvature_->solve(report)) {
        Matrix<double> H_uu(rows_, rows_);
        double size = 0;
        for (std::size_t i = 0; i < rows_ * rows_; ++i)
            H_uu.entries[i] = curvature_->result(i), size = std::max(size, std::abs(H_uu.entries[i]));
        // A free time multiplies H, and not what the inputs are compared by.
        const double eigenvalue = smallest_eigenvalue(H_uu) / (problem_.free_time ? at.q[n_ - 1] : 1);
        if (!to.lost && !(eigenvalue > noise * size)) {
            to.lost = at.t;
            if (last_ && last_->second > 0)
                to.lost = last_->first + (at.t - last_->first) * last_->second / (last_->second - eigenvalue);
        }
        if (!last_ || eigenvalue < to.smallest) to.smallest = eigenvalue, to.time = at.t;
        last_ = {at.t, eigenvalue};
    }
    if (!least_ || to.lower) return;
    std::vector<double> both(at.q, at.q + n_);
    both.insert(both.end(), at.p, at.p + n_);
    least_->at(both.data(), at.t);
    const std::vector<double> own(at.u, at.u + m_);
    const double H = least_->value(own);
    const auto best = least_->find(own);
    if (best && best->H < H - noise * std::max({least_->size(own), least_->size(best->u), 1e-300}))
        to.lower = at.t, to.lower_by = H - best->H, to.inputs = best->u;
    else if (best && !best->is_least)
        to.lower = at.t, to.lower_by = INFINITY;
}

InputOptimality MinimumPrinciple::look(PathSolver& solver, const Path& path, std::size_t most_steps) {
    InputOptimality found;
    last_.reset();
    found.has_squares = rows_ > 0;
    if (problem_.last_set) found.kelley = kelley_condition(problem_, path, most_steps);
    const std::size_t N = path.steps(), steps = is_constant_ && !least_ ? 1 : std::min(N, most_steps);
    for (std::size_t i = 0; i < steps; ++i) {
        const std::size_t k = i * N / steps;
        if (path.charts) path.charts->put(path.centre(k), parameters_);
        if (m_ == 0) { // H_uu does not depend on the inputs
            look_at({path.node(k), path.node(k) + n_, nullptr, path.t[k]}, found);
            continue;
        }
        const std::vector<double>& stages = solver.stages(path, k);
        const std::size_t width = 2 * n_ + 1 + m_;
        for (std::size_t at = 0; at + width <= stages.size(); at += width) {
            const double* const s = stages.data() + at;
            look_at({s, s + n_, s + 2 * n_ + 1, s[2 * n_]}, found);
        }
    }
    if (path.charts) path.charts->put(path.centre(N), parameters_);
    if (m_ == 0 && steps > 1) look_at({path.node(N), path.node(N) + n_, nullptr, problem_.t0 + problem_.time}, found);
    return found;
}

std::vector<double> MinimumPrinciple::least_inputs(const Path& path, const std::vector<double>& given) {
    std::vector<double> u = given;
    const std::size_t N = given.size() / m_, n = n_, steps = path.steps();
    std::vector<double> near(m_, 0.0);
    for (std::size_t k = 0; k < N; ++k) {
        const std::size_t at = std::min(steps - 1, (2 * k + 1) * steps / (2 * N));
        std::vector<double> both(2 * n);
        for (std::size_t i = 0; i < 2 * n; ++i) both[i] = (path.node(at)[i] + path.node(at + 1)[i]) / 2;
        least_->at(both.data(), path.t[at] + path.h[at] / 2);
        const auto best = least_->find(near);
        if (best) std::copy(best->u.begin(), best->u.end(), &u[k * m_]), near = best->u;
    }
    return u;
}

} // namespace rattleback::boundary
