// Whether a path of a control problem is abnormal: its inputs cannot move the end in all directions.
#include <cmath>

#include "boundary/descent.hpp"
#include "boundary/small_lu.hpp"
#include "evidence/linear.hpp"

namespace rattleback::boundary {

// By the matrix of reachability W = sum of (A ... B)(A ... B)^T of the linearised dynamics, on the coordinates that the
// end fixes, each in units of its own. Where motions grow along the path, W is nearly of rank one for that reason
// alone: a costate that makes the whole path abnormal makes every part of it so, and one part without such a costate
// decides.
bool Descent::is_abnormal(const Nodes& nodes) {
    const std::size_t n = functions_.n, N = nodes.x.size() / (2 * n) - 1;
    if (problem_.charts) ends_.from().set_centre(nodes.centres.data());
    const double h = problem_.time / static_cast<double>(N);
    const std::vector<double> none(ends_.from().multipliers(), 0.0);
    const Dense free = null_space(ends_.from().tangent_rows(nodes.x.data(), none, problem_.t0, h));
    std::vector<std::size_t> fixed, all(n);
    for (std::size_t i = 0; i < n; ++i) {
        all[i] = i;
        if (problem_.to.value[i]) fixed.push_back(i);
    }
    const auto reached = reach(nodes, 0, N, free.columns > 0 ? product(free, transposed(free)) : Dense(n, n));
    if (fixed.empty() || !reached || spans(*reached, fixed)) return false;
    for (std::size_t length = N / 2; length >= n && length > 0; length /= 2)
        for (std::size_t first = 0; first + length <= N; first += length) {
            const auto part = reach(nodes, first, first + length, Dense(n, n));
            if (part && spans(*part, all)) return false;
        }
    return true;
}

bool Descent::spans(const Dense& W, const std::vector<std::size_t>& coordinates) {
    Dense part(coordinates.size(), coordinates.size());
    for (std::size_t i = 0; i < part.rows; ++i)
        for (std::size_t j = 0; j < part.columns; ++j) {
            const std::size_t a = coordinates[i], b = coordinates[j];
            const double size = std::sqrt(W(a, a) * W(b, b));
            part(i, j) = size > 0 ? W(a, b) / size : 0;
        }
    return !(symmetric_eigenvalues(part).front() < 1e-14);
}

// W after steps first to last - 1, from W before them; none: the dynamics have no values there.
std::optional<Dense> Descent::reach(const Nodes& nodes, std::size_t first, std::size_t last, Dense W) {
    const std::vector<double>& x = nodes.x;
    const std::size_t n = functions_.n, m = functions_.m, w = n + m, N = x.size() / (2 * n) - 1;
    const double h = problem_.time / static_cast<double>(N);
    const std::vector<double> u = inputs_along(nodes);
    std::vector<double> slope(problem_.charts ? 4 * n * n : 0);
    std::vector<double> q(n), p(n);
    ControlFunctions::At at;
    for (std::size_t k = first; k < last; ++k) {
        const double* const here = &x[k * 2 * n];
        const std::vector<double> next = next_of(nodes, k, problem_.charts ? slope.data() : nullptr);
        for (std::size_t i = 0; i < n; ++i) q[i] = (here[i] + next[i]) / 2;
        const double t = problem_.t0 + (static_cast<double>(k) + 0.5) * h;
        if (!functions_.evaluate(q.data(), &u[k * m], p.data(), t, at)) return {};
        Dense minus(n, n), plus(n, n + m);
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                minus(i, j) = (i == j) - h / 2 * at.Gamma_z[i * w + j];
                plus(i, j) = (i == j) + h / 2 * at.Gamma_z[i * w + j];
            }
            for (std::size_t j = 0; j < m; ++j) plus(i, n + j) = std::sqrt(h) * at.Gamma_z[i * w + n + j];
        }
        Dense AB = solved(minus, plus);
        if (AB.rows == 0) return {};
        if (problem_.charts) {
            Dense to_next(n, n);
            for (std::size_t i = 0; i < n; ++i) std::copy_n(&slope[i * 2 * n], n, &to_next.entries[i * n]);
            AB = product(to_next, AB);
        }
        Dense next_W(n, n);
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                for (std::size_t a = 0; a < n; ++a)
                    for (std::size_t b = 0; b < n; ++b) next_W(i, j) += AB(i, a) * W(a, b) * AB(j, b);
                for (std::size_t a = 0; a < m; ++a) next_W(i, j) += AB(i, n + a) * AB(j, n + a);
            }
        W = next_W;
    }
    return W;
}

} // namespace rattleback::boundary
