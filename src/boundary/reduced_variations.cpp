#include "boundary/reduced_variations.hpp"

#include <algorithm>
#include <cmath>

#include "evidence/linear.hpp"

namespace rattleback::boundary {
namespace {

constexpr double noise = 1e-8; // of the largest entry

double form(const Dense& a, std::size_t i, const Dense& b, std::size_t j) { // dq ^ dp of two columns
    const std::size_t n = a.rows / 2;
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += a(k, i) * b(n + k, j) - a(n + k, i) * b(k, j);
    return sum;
}

Dense form(const Dense& a, const Dense& b) {
    Dense m(a.columns, b.columns);
    for (std::size_t i = 0; i < m.rows; ++i)
        for (std::size_t j = 0; j < m.columns; ++j) m(i, j) = form(a, i, b, j);
    return m;
}

Dense beside(const Dense& a, const Dense& b) {
    Dense m(std::max(a.rows, b.rows), a.columns + b.columns);
    for (std::size_t i = 0; i < m.rows; ++i) {
        for (std::size_t j = 0; j < a.columns; ++j) m(i, j) = a(i, j);
        for (std::size_t j = 0; j < b.columns; ++j) m(i, a.columns + j) = b(i, j);
    }
    return m;
}

// An orthonormal basis of what the columns span.
Dense span_of(const Dense& m) {
    if (m.columns == 0) return m;
    return null_space(transposed(null_space(transposed(m))));
}

Dense plus(const Dense& a, const Dense& b, double factor) {
    Dense sum = a;
    for (std::size_t i = 0; i < sum.entries.size(); ++i) sum.entries[i] += factor * b.entries[i];
    return sum;
}

// The directions (phi_p, -phi_q) of the constraints that move a path, as columns.
Dense impulses(const LastSetPlaces::At& at) {
    const std::size_t n = at.gradients.columns / 2;
    Dense X(2 * n, at.moving.size());
    for (std::size_t j = 0; j < X.columns; ++j)
        for (std::size_t k = 0; k < n; ++k) {
            X(k, j) = at.gradients(at.moving[j], n + k);
            X(n + k, j) = -at.gradients(at.moving[j], k);
        }
    return X;
}

// What the slopes of some constraints are along directions; of those that vanish there, rounding is left out, which
// null_space would bring to length 1.
Dense slopes_along(const LastSetPlaces::At& at, const std::vector<std::size_t>& constraints, const Dense& directions) {
    Dense rows(constraints.size(), at.gradients.columns);
    std::vector<double> size(rows.rows, 0.0);
    for (std::size_t i = 0; i < rows.rows; ++i)
        for (std::size_t j = 0; j < rows.columns; ++j) {
            rows(i, j) = at.gradients(constraints[i], j);
            size[i] += rows(i, j) * rows(i, j);
        }
    double longest = 0;
    for (double e : directions.entries) longest = std::max(longest, std::abs(e));
    Dense slopes = product(rows, directions);
    for (std::size_t i = 0; i < slopes.rows; ++i)
        for (std::size_t j = 0; j < slopes.columns; ++j)
            if (std::abs(slopes(i, j)) <= noise * std::sqrt(size[i]) * longest) slopes(i, j) = 0;
    return slopes;
}

// (L intersected with what the moving constraints allow) + impulses, within the tangent space of the last set.
Dense reduced(const Dense& L, const LastSetPlaces::At& at) {
    std::vector<std::size_t> others; // the moving ones vanish along impulses
    for (std::size_t i = 0; i < at.gradients.rows; ++i)
        if (std::find(at.moving.begin(), at.moving.end(), i) == at.moving.end()) others.push_back(i);
    const Dense kept = product(L, null_space(slopes_along(at, at.moving, L))),
                all = span_of(beside(kept, impulses(at)));
    return product(all, null_space(slopes_along(at, others, all)));
}

struct Basis { // of the tangent space of the last set: xi, then eta, as columns
    Dense xi, eta;
};

// eta: variations that do not matter, near those of the node before, so that a crossing between two nodes is found.
std::optional<Basis> basis_at(const LastSetPlaces::At& at, const Dense& before) {
    const std::size_t n = at.gradients.columns / 2, d = n - at.gradients.rows / 2;
    Dense vertical(2 * n, n);
    for (std::size_t i = 0; i < n; ++i) vertical(n + i, i) = 1;
    Dense eta = reduced(vertical, at);
    if (eta.columns != d) return {};
    if (before.columns == d && before.rows == eta.rows) eta = product(eta, product(transposed(eta), before));
    const Dense T = null_space(at.gradients), omega = form(T, T), pairing = form(T, eta);
    const Dense scaled = solved(product(transposed(pairing), pairing), transposed(pairing));
    if (scaled.rows != d) return {};
    const Dense x0 = transposed(scaled), W = product(transposed(x0), product(omega, x0));
    return Basis{plus(product(T, x0), product(eta, W), -0.5), eta};
}

Dense coordinates(const Basis& b, const Dense& v) { // (xi, eta) of tangent vectors
    const Dense xi = form(v, b.eta), eta = form(b.xi, v);
    const std::size_t d = b.xi.columns;
    Dense to(2 * d, v.columns);
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < v.columns; ++j) to(i, j) = xi(j, i), to(d + i, j) = eta(i, j);
    return to;
}

// The variations that an end allows: rows for dq, and dp = hessian dq + what the rows do not see.
Dense allowed_by(const Dense& rows, const Dense& hessian) {
    const std::size_t n = hessian.rows;
    const Dense free = null_space(rows), bent = product(hessian, free), normal = null_space(transposed(free));
    Dense L(2 * n, n);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < free.columns; ++j) L(i, j) = free(i, j), L(n + i, j) = bent(i, j);
        for (std::size_t j = 0; j < normal.columns; ++j) L(n + i, free.columns + j) = normal(i, j);
    }
    return L;
}

// Likewise of (xi, eta): rows for xi, and eta = hessian xi.
bool split(const Dense& L, Dense& rows, Dense& hessian) {
    const std::size_t d = L.rows / 2;
    if (L.columns != d) return false;
    Dense X(d, d), P(d, d);
    double largest = 0;
    for (double e : L.entries) largest = std::max(largest, std::abs(e));
    for (std::size_t i = 0; i < d; ++i)
        for (std::size_t j = 0; j < d; ++j) {
            X(i, j) = std::abs(L(i, j)) > noise * largest ? L(i, j) : 0;
            P(i, j) = L(d + i, j);
        }
    rows = transposed(null_space(transposed(span_of(X))));
    Dense inverse(d, d);
    for (std::size_t j = 0; j < d; ++j) {
        std::vector<double> unit(d, 0.0);
        unit[j] = 1;
        const std::vector<double> column = least_squares(X, unit, 1e-9).x;
        for (std::size_t i = 0; i < d; ++i) inverse(i, j) = column[i];
    }
    hessian = product(P, inverse);
    return true;
}

} // namespace

std::optional<ReducedVariations> reduced_variations(PathSolver& solver, const Problem& problem, const Path& path) {
    LastSetPlaces places(problem);
    const std::size_t N = path.steps(), w = path.states();
    const double end = problem.t0 + problem.time;
    ReducedVariations to;
    std::optional<Basis> basis, next;
    for (std::size_t k = 0; k <= N; ++k) {
        const auto at = places.at(path.node(k), k < N ? path.t[k] : end);
        if (!at || !at->commute(problem.last_set->inputs)) return {};
        next = basis_at(*at, basis ? basis->eta : Dense());
        if (!next) return {};
        if (k == 0 || k == N) {
            EndEquations& ends = k == 0 ? solver.from() : solver.to();
            const std::vector<double>& nu = k == 0 ? path.nu_from : path.nu_to;
            const double t = k == 0 ? path.t[0] : end, h = path.h[k == 0 ? 0 : N - 1];
            const Dense L = reduced(
                allowed_by(ends.tangent_rows(path.node(k), nu, t, h), ends.hessian(path.node(k), nu, t, h)), *at);
            if (!split(coordinates(*next, L), k == 0 ? to.v.from_rows : to.v.to_rows,
                       k == 0 ? to.v.from_hessian : to.v.to_hessian))
                return {};
        }
        if (k > 0) {
            Dense step(w, w);
            std::copy_n(solver.tangent(k - 1), w * w, step.entries.data());
            to.tangents.push_back(coordinates(*next, product(step, beside(basis->xi, basis->eta))).entries);
        }
        basis = next;
    }
    to.v.coordinates = basis->xi.columns, to.v.steps = N, to.v.sign = -1;
    to.v.parts = static_cast<std::size_t>(solver.parts());
    return to;
}

KelleyCondition kelley_condition(const Problem& problem, const Path& path, std::size_t most_places) {
    LastSetPlaces places(problem);
    const std::size_t N = path.steps(), count = std::min(N, most_places);
    KelleyCondition found;
    bool first = true;
    for (std::size_t i = 0; i <= count; ++i) {
        const std::size_t k = i * N / count;
        const double t = k < N ? path.t[k] : problem.t0 + problem.time;
        const auto at = places.at(path.node(k), t);
        if (!at) continue;
        const std::size_t m = at->moving.size();
        found.commute &= at->commute(problem.last_set->inputs);
        if (!found.commute) {
            found.time = t, found.lost = t;
            return found;
        }
        Dense K(m, m);
        double size = 0;
        for (std::size_t a = 0; a < m; ++a)
            for (std::size_t b = 0; b < m; ++b) {
                K(a, b) = (at->slopes(at->moving[a], at->moving[b]) + at->slopes(at->moving[b], at->moving[a])) / 2;
                size = std::max(size, std::abs(K(a, b)));
            }
        // One eigenvalue an input is positive; those of a longer chain are 0 beside them.
        const std::vector<double> all = symmetric_eigenvalues(K);
        const double least = all[0] < -noise * size ? all[0] : all[m - problem.last_set->inputs];
        if (first || least < found.smallest) found.smallest = least, found.time = t;
        if (!(least > noise * size) && !found.lost) found.lost = t;
        first = false;
    }
    return found;
}

} // namespace rattleback::boundary
