#include "run/input_watch.hpp"

#include <algorithm>
#include <cmath>

#include "expr/graph.hpp"

namespace rattleback {
namespace {

constexpr std::size_t most_inputs = 12;
constexpr double noise = 1e-13; // of the largest entry of H_uu

double largest(const Matrix<double>& m) {
    double most = 0;
    for (const double e : m.entries) most = std::max(most, std::abs(e));
    return most;
}

} // namespace

double smallest_eigenvalue(Matrix<double> m) {
    const std::size_t n = m.rows;
    double least = INFINITY;
    for (int sweep = 0; sweep < 40; ++sweep) {
        double off = 0;
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < i; ++j) off = std::max(off, std::abs(m(i, j)));
        if (!(off > 1e-17 * largest(m))) break;
        for (std::size_t p = 0; p < n; ++p)
            for (std::size_t q = p + 1; q < n; ++q) {
                if (m(p, q) == 0) continue;
                const double theta = (m(q, q) - m(p, p)) / (2 * m(p, q));
                const double t = (theta < 0 ? -1 : 1) / (std::abs(theta) + std::hypot(theta, 1.0));
                const double c = 1 / std::hypot(t, 1.0), s = t * c;
                for (std::size_t k = 0; k < n; ++k) {
                    const double a = m(k, p), b = m(k, q);
                    m(k, p) = c * a - s * b, m(k, q) = s * a + c * b;
                }
                for (std::size_t k = 0; k < n; ++k) {
                    const double a = m(p, k), b = m(q, k);
                    m(p, k) = c * a - s * b, m(q, k) = s * a + c * b;
                }
            }
    }
    for (std::size_t i = 0; i < n; ++i) least = std::min(least, m(i, i));
    return least;
}

std::vector<Expr> hessian_by_inputs(const Model& model) {
    if (!model.control || !model.control->bounds.empty()) return {};
    const Control& c = *model.control;
    const Vec slopes = gradient(c.cost + dot(model.p, c.dynamics), c.inputs);
    Vec u, of_u; // inputs that have a square, or a product with another one
    for (std::size_t i = 0; i < slopes.size(); ++i) {
        const Vec row = gradient(slopes[i].value, c.inputs);
        if (std::all_of(row.begin(), row.end(), [](const Component& e) { return e.value.is(0); })) continue;
        u.push_back(c.inputs[i]), of_u.push_back(slopes[i]);
    }
    if (u.size() > most_inputs) return {};
    std::vector<Expr> all;
    for (const Component& slope : of_u)
        for (const Component& entry : gradient(slope.value, u)) all.push_back(entry.value);
    return all;
}

LegendreWatch::LegendreWatch(const Model& model) {
    const std::vector<Expr> entries = hessian_by_inputs(model);
    if (entries.empty()) return;
    const auto n = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(entries.size()))));
    matrix_ = Matrix<double>(n, n);
    Vec all;
    for (const Expr& e : entries) all.push_back({"", e});
    const Vec path = concat({model.q, model.p, model.implicit_inputs(), model.time_vec()});
    const std::vector<ScalarEntry> slopes = expand(jacobian(all, path), all, path);
    for (std::size_t i = 0; i < entries.size(); ++i)
        if (std::any_of(slopes.begin(), slopes.end(), [&](const ScalarEntry& s) { return s.row == i; }))
            wanted_.push_back(entries[i]), places_.push_back(i);
    // What stays: numbers and parameters.
    SystemSolver<double> at(compile(System{model.graph, concat({path, model.parameter_vec()}), {}, {}, all}));
    double* to = std::fill_n(at.given(), path.count(), 0.0);
    for (const Parameter& p : model.parameters) *to++ = static_cast<double>(p.value);
    Report report;
    if (!at.solve(report) && wanted_.size() < entries.size()) return;
    for (std::size_t i = 0; i < entries.size(); ++i) matrix_.entries[i] = at.result(i);
    idle_ = false;
}

void LegendreWatch::at_node(std::span<const double> values, double t) {
    if (idle_ || (wanted_.empty() && first_)) return;
    for (std::size_t i = 0; i < places_.size(); ++i) matrix_.entries[places_[i]] = values[i];
    const double size = largest(matrix_);
    if (!std::isfinite(size)) return;
    const Seen now{smallest_eigenvalue(matrix_), t};
    const bool positive = now.eigenvalue > noise * size;
    if (!positive && !bad_) {
        bad_ = now;
        if (last_) // where a straight line between both nodes passes through 0
            lost_ = last_->t + (t - last_->t) * last_->eigenvalue / (last_->eigenvalue - now.eigenvalue);
    }
    if (!first_) first_ = now;
    if (!lowest_ || now.eigenvalue < lowest_->eigenvalue) lowest_ = now;
    last_ = now;
}

std::string LegendreWatch::warning() const {
    if (!bad_) return "";
    const auto number = [](double x) { return real::to_text(x, 4); };
    const std::string name = matrix_.rows == 1 ? "H_uu" : "the smallest eigenvalue of H_uu";
    std::string text = lost_ ? name + " passes through 0 at t = " + number(*lost_) : "";
    if (!lost_)
        text = bad_->eigenvalue < 0 ? name + " is " + number(bad_->eigenvalue) + " at t = " + number(bad_->t)
                                    : name + " is 0 at t = " + number(bad_->t);
    if (lowest_->t != bad_->t || lost_)
        text += ", and is " + number(lowest_->eigenvalue) + " at t = " + number(lowest_->t);
    return "stationary, not a minimum: " + text + ", where a minimum needs H_uu > 0 (Legendre and Clebsch)";
}

} // namespace rattleback
