#include "boundary/metric.hpp"

#include <algorithm>
#include <cmath>

#include <rattleback/formulation.hpp>

#include "formulation/chain.hpp"
#include "model/copy.hpp"
#include "solve/implicit.hpp"

namespace rattleback::boundary {
namespace {

constexpr double exact = 1e-9;       // relative: what counts as equal where a formula is evaluated twice
constexpr double same_rank = 1e-10;  // of the largest diagonal entry of A: less is a direction without length
constexpr double good_enough = 0.01; // of the largest pivot: an earlier coordinate is taken before a better one

void refuse(const std::string& why) {
    throw Unsuitable("a wavefront is made of geodesics, which this model does not have: " + why);
}

void check_kind(const Model& m) {
    if (m.kind == Model::general) refuse("it is not one of q and p");
    if (!m.groups.empty()) refuse("coordinates on groups are not supported here; write angles instead");
    if (!m.holonomic.empty()) refuse("holonomic constraints are not supported here; write coordinates of the surface");
    if (!m.phase.empty()) refuse("it has phase constraints");
    if (!m.force.empty() && !m.control) refuse("it has forces");
    if (!m.velocity.empty() && !m.variational)
        refuse(
            "nonholonomic motions are not shortest paths; principle = \"variational\" in [constraints] makes them so");
    if (!m.control) return;
    if (!singular_inputs(m).empty() || m.control->implicit) refuse("the cost is not a quadratic form of the inputs");
    if (!m.control->bounds.empty()) refuse("its inputs or states have bounds");
    if (!m.control->chosen.empty()) refuse("[control] parameters are chosen by a search between two ends");
}

// L and the velocity constraints as functions of velocities, or H as one of momenta.
class Forms {
  public:
    explicit Forms(const Model& of) : model_(deep_copy(of)), of_velocities_(of.kind == Model::lagrangian) {
        Vec all({{"function", model_.function}});
        if (of_velocities_) all = concat({all, model_.velocity});
        solver_.emplace(compile(System{model_.graph, given(), {}, {}, all}));
        const Vec& w = variables();
        second_.add(gradient(model_.function, w), w);
        if (of_velocities_) second_.add(model_.velocity, w);
        derivatives_.emplace(compile(System{model_.graph, given(), {}, {}, second_.formulas}));
    }

    bool of_velocities() const { return of_velocities_; }
    std::size_t constraints() const { return solver_->result_count() - 1; }

    // The function, then the constraints; empty: not finite.
    std::vector<double> operator()(const std::vector<double>& q, const std::vector<double>& w, double t) {
        std::vector<double> values(solver_->result_count());
        if (!evaluate(*solver_, q, w, t)) return {};
        solver_->results(0, values.size(), values.data());
        for (double v : values)
            if (!std::isfinite(v)) return {};
        return values;
    }
    // Second derivatives of the function, first ones of the constraints.
    std::vector<Dense> derivatives(const std::vector<double>& q) {
        const std::vector<double> none(q.size(), 0.0);
        if (!evaluate(*derivatives_, q, none, static_cast<double>(model_.t0))) return {};
        return second_.read(*derivatives_);
    }

  private:
    const Vec& variables() const { return of_velocities_ ? model_.v : model_.p; }
    Vec given() const { return concat({model_.q, variables(), model_.time_vec(), model_.parameter_vec()}); }
    bool evaluate(SystemSolver<double>& with, const std::vector<double>& q, const std::vector<double>& w, double t) {
        double* to = std::copy(q.begin(), q.end(), with.given());
        to = std::copy(w.begin(), w.end(), to);
        *to++ = t;
        for (const Parameter& p : model_.parameters) *to++ = static_cast<double>(p.value);
        Report report;
        return with.solve(report);
    }

    Model model_;
    bool of_velocities_;
    std::optional<SystemSolver<double>> solver_, derivatives_;
    solve::Jacobians second_;
};

// Numbers between -1 and 1, the same every time.
class Scatter {
  public:
    std::vector<double> operator()(std::size_t count) {
        std::vector<double> all(count);
        for (double& x : all) x = 2 * std::fmod(0.5 + 0.6180339887498949 * ++number_, 1.0) - 1;
        return all;
    }

  private:
    double number_ = 0;
};

bool differ(double a, double b, double size) { return std::abs(a - b) > exact * size; }

// Quadratic forms satisfy the law of the parallelogram, linear ones that of sums; both are tried where formulas cannot
// tell, since the inputs of [control] were eliminated by division.
void check_forms(Forms& f, const std::vector<double>& q, Scatter& scatter, double t) {
    const std::size_t n = q.size();
    const std::vector<double> a = scatter(n), b = scatter(n);
    const auto sum = [&](double x, double y) {
        std::vector<double> all(n);
        for (std::size_t i = 0; i < n; ++i) all[i] = x * a[i] + y * b[i];
        return f(q, all, t);
    };
    const auto at_a = sum(1, 0), back = sum(-1, 0), at_b = sum(0, 1), plus = sum(1, 1), minus = sum(1, -1),
               none = sum(0, 0), later = f(q, a, t + 0.7);
    for (const auto* all : {&at_a, &back, &at_b, &plus, &minus, &none, &later})
        if (all->empty()) return; // not finite: another place tells
    const std::string is = f.of_velocities() ? "the Lagrangian" : "H";
    const double size = std::abs(at_a[0]) + std::abs(at_b[0]) + std::abs(plus[0]) + std::abs(none[0]);
    if (differ(none[0], 0, size))
        refuse(f.of_velocities() ? "the Lagrangian has a potential" : "H does not vanish without momenta");
    if (differ(at_a[0], back[0], size))
        refuse(is + (f.of_velocities() ? " has terms that are linear in velocities"
                                       : " has terms that are linear in p: the dynamics have a drift"));
    if (differ(plus[0] + minus[0], 2 * at_a[0] + 2 * at_b[0], 4 * size)) refuse(is + " is not a quadratic form");
    if (differ(at_a[0], later[0], size)) refuse(is + " depends on t");
    for (std::size_t i = 1; i < at_a.size(); ++i) {
        const double all = std::abs(at_a[i]) + std::abs(at_b[i]) + std::abs(none[i]);
        if (differ(none[i], 0, all) || differ(plus[i], at_a[i] + at_b[i], all) || differ(at_a[i], later[i], all))
            refuse("a velocity constraint is not linear in velocities, or depends on t");
    }
}

Dense inverse_metric(Forms& f, const std::vector<double>& q, bool is_control) {
    const std::size_t n = q.size();
    const std::vector<Dense> second = f.derivatives(q);
    Dense A = second.empty() ? Dense() : second[0];
    if (f.of_velocities() && A.rows == n) { // v from M v + G^T lambda = p, G v = 0
        const std::size_t all = n + f.constraints();
        Dense unit(all, n);
        for (std::size_t i = 0; i < n; ++i) unit(i, i) = 1;
        A = solved(f.constraints() ? bordered(A, second[1]) : A, unit);
    }
    for (double a : A.entries)
        if (!std::isfinite(a)) A = Dense();
    if (A.rows < n) refuse("its metric is singular or not finite at the start; choose another start with --q");
    Dense square(n, n);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) square(i, j) = (is_control ? -1.0 : 1.0) * (A(i, j) + A(j, i)) / 2;
    return square;
}

} // namespace

Dense cometric_at(const Model& model, const std::vector<double>& q) {
    check_kind(model);
    Forms forms(model);
    Scatter scatter;
    const double t = static_cast<double>(model.t0);
    for (int i = 0; i < 4; ++i) {
        std::vector<double> near = q;
        const std::vector<double> by = scatter(q.size());
        for (std::size_t k = 0; k < q.size(); ++k) near[k] += i * 0.1 * by[k];
        check_forms(forms, near, scatter, t);
    }
    return inverse_metric(forms, q, model.control.has_value());
}

// Cholesky's factorization with pivots: A = B B^T. A coordinate is independent where enough is left of its diagonal
// entry; the first one that is good enough, so that the others are those which the model names last.
UnitCostates::UnitCostates(const Dense& A) : n_(A.rows) {
    Dense left = A;
    double largest = 0;
    for (std::size_t i = 0; i < n_; ++i) largest = std::max(largest, A(i, i));
    std::vector<bool> taken(n_, false);
    Dense B(n_, n_);
    while (independent_.size() < n_) {
        double most = 0;
        for (std::size_t i = 0; i < n_; ++i)
            if (!taken[i]) most = std::max(most, left(i, i));
        if (!(most > same_rank * largest)) break;
        std::size_t pivot = 0;
        while (taken[pivot] || left(pivot, pivot) < good_enough * most) ++pivot;
        const std::size_t column = independent_.size();
        const double root = std::sqrt(left(pivot, pivot));
        for (std::size_t i = 0; i < n_; ++i) B(i, column) = left(i, pivot) / root;
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j) left(i, j) -= B(i, column) * B(j, column);
        taken[pivot] = true, independent_.push_back(pivot);
    }
    if (independent_.empty())
        throw Unsuitable("at the start the metric allows no direction at all; choose another start with --q");
    for (std::size_t i = 0; i < n_; ++i)
        if (!taken[i]) others_.push_back(i);
    // w = B^T p = C p_independent + D h, with C of m rows, which is triangular.
    const std::size_t m = rank(), k = others_.size();
    Dense C(m, m), right(m, m + k);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < m; ++j) C(i, j) = B(independent_[j], i);
        right(i, i) = 1;
        for (std::size_t j = 0; j < k; ++j) right(i, m + j) = -B(others_[j], i);
    }
    const Dense found = solved(C, right);
    by_w_ = Dense(n_, m), by_h_ = Dense(n_, k);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < m; ++j) by_w_(independent_[i], j) = found(i, j);
        for (std::size_t j = 0; j < k; ++j) by_h_(independent_[i], j) = found(i, m + j);
    }
    for (std::size_t j = 0; j < k; ++j) by_h_(others_[j], j) = 1;
}

std::vector<double> UnitCostates::at(const std::vector<double>& w, const std::vector<double>& h) const {
    std::vector<double> p(n_, 0.0);
    for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j < w.size(); ++j) p[i] += by_w_(i, j) * w[j];
        for (std::size_t j = 0; j < h.size(); ++j) p[i] += by_h_(i, j) * h[j];
    }
    return p;
}

Dense UnitCostates::slopes(const Dense& along) const {
    const Dense turned = product(by_w_, along);
    Dense all(n_, along.columns + others_.size());
    for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j < along.columns; ++j) all(i, j) = turned(i, j);
        for (std::size_t j = 0; j < others_.size(); ++j) all(i, along.columns + j) = by_h_(i, j);
    }
    return all;
}

} // namespace rattleback::boundary
