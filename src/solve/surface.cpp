#include "solve/surface.hpp"

#include <algorithm>
#include <cmath>

#include "expr/terms.hpp"
#include "solve/dense.hpp"
#include "solve/system.hpp"

namespace rattleback::solve {
namespace {

Vec with_gradients(const Vec& f, const std::vector<ScalarEntry>& entries) {
    Vec all = concat({f, largest_terms(f)});
    for (const ScalarEntry& e : entries) all.push_back({"", e.value});
    return all;
}

} // namespace

Surface::Surface(std::shared_ptr<Graph> graph, const Vec& functions, const Vec& x, const Vec& others)
    : dimension_(x.count()), names_(expanded_names(functions)), entries_(expand(jacobian(functions, x), functions, x)),
      solver_(compile(System{std::move(graph), concat({x, others}), {}, {}, with_gradients(functions, entries_)})) {}

bool Surface::evaluate(const std::vector<double>& x, const std::vector<double>& others) {
    std::copy(others.begin(), others.end(), std::copy(x.begin(), x.end(), solver_.given()));
    Report ignored;
    if (!solver_.solve(ignored)) return false;
    const std::size_t m = names_.size(), n = static_cast<std::size_t>(dimension_);
    f.resize(m), terms.resize(m), gradients.assign(m * n, 0.0);
    for (std::size_t i = 0; i < m; ++i) f[i] = solver_.result(i), terms[i] = solver_.result(m + i);
    for (std::size_t i = 0; i < entries_.size(); ++i)
        gradients[entries_[i].row * n + entries_[i].column] = solver_.result(2 * m + i);
    largest_x_ = 0;
    for (double a : x) largest_x_ = std::max(largest_x_, std::abs(a));
    return true;
}

double Surface::residual(const std::vector<int>& rows) const {
    double worst = 0;
    for (int i : rows) worst = std::max(worst, std::abs(f[static_cast<std::size_t>(i)]));
    return worst;
}

std::string Surface::unusual_size() const {
    for (int i = 0; i < count(); ++i) {
        double size = 0;
        for (int k = 0; k < dimension_; ++k) size = std::max(size, std::abs(row(i)[k]));
        if (size == 0 || (size >= 1e-60 && size <= 1e60)) continue;
        const auto power = std::lround(std::log10(size));
        return "a constraint of unusual size: the gradient of " + name(i) + " is " +
               real::to_text(static_cast<quad>(size), 3) + " at the start\n  multiply it by 1e" +
               std::to_string(-power) + ": it says the same, and its products can be computed";
    }
    return "";
}

double Surface::slope(int i) const {
    double sum = 0;
    for (int k = 0; k < dimension_; ++k) sum += std::abs(row(i)[k]);
    return sum * largest_x_;
}

double Surface::scale(int i) const { return std::max(terms[static_cast<std::size_t>(i)], slope(i)); }

bool Surface::holds(const std::vector<int>& rows) const {
    return std::all_of(rows.begin(), rows.end(), [&](int i) {
        const auto j = static_cast<std::size_t>(i);
        return std::abs(f[j]) <= on_surface * terms[j] + in_data * slope(i);
    });
}

double Surface::of_terms(int i) const {
    const auto j = static_cast<std::size_t>(i);
    return f[j] == 0 ? 0 : std::abs(f[j]) / terms[j];
}

bool Surface::is_close(const std::vector<int>& rows, double tolerance) const {
    return std::all_of(rows.begin(), rows.end(),
                       [&](int i) { return std::abs(f[static_cast<std::size_t>(i)]) <= tolerance * scale(i); });
}

double Surface::product(int i, int j) const {
    double sum = 0;
    for (int k = 0; k < dimension_; ++k) sum += row(i)[k] * row(j)[k];
    return sum;
}

bool Surface::reach(std::vector<double>& x, const std::vector<double>& others, const std::vector<int>& rows) {
    constexpr double close = 1e-3 * on_surface;
    const int m = static_cast<int>(rows.size());
    Dense<double> normal(m);
    const auto at = [&](int i) { return rows[static_cast<std::size_t>(i)]; };
    for (int iteration = 0; iteration < 100 && evaluate(x, others); ++iteration) {
        if (is_close(rows, close) && iteration > 0) return true;
        double square = 0, trace = 0;
        std::vector<double> y;
        for (int i : rows) {
            y.push_back(f[static_cast<std::size_t>(i)]);
            square += y.back() * y.back(), trace += product(i, i);
        }
        const double damping = 1e-13 * trace + std::min(square, 1e-2 * trace);
        for (int i = 0; i < m; ++i)
            for (int j = 0; j < m; ++j) normal.at(i, j) = product(at(i), at(j)) + (i == j ? damping : 0);
        if (m == 0) return true;
        if (!(damping > 0) || !normal.factor().ok) return is_close(rows, close); // no way to go
        normal.solve(y.data());
        for (int i = 0; i < m; ++i)
            for (int k = 0; k < dimension_; ++k)
                x[static_cast<std::size_t>(k)] -= y[static_cast<std::size_t>(i)] * row(at(i))[k];
    }
    return evaluate(x, others) && is_close(rows, on_surface);
}

} // namespace rattleback::solve
