#include "boundary/linear_path.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "boundary/small_lu.hpp"

namespace rattleback::boundary {

double Path::time() const { return std::accumulate(h.begin(), h.end(), 0.0); }

void LinearPath::Sum::add(double term) {
    const double part = term + low, sum = high + part;
    low = part - (sum - high), high = sum;
}

StepEquations::Steps LinearPath::steps_of(const Path& p, std::size_t first) const {
    return {&p.x[first * step_.states()],
            p.y.data() + first * step_.unknowns(),
            &p.t[first],
            &p.h[first],
            std::min(StepEquations::lanes, p.steps() - first),
            p.centre(first)};
}

void LinearPath::see(const Path& p, std::size_t k, const double* v, Sum& cost) {
    const std::size_t n = step_.states(), m = step_.unknowns();
    const double *const x = &p.x[k * n], *const D = v + step_.places().D;
    for (std::size_t i = 0; i < n; ++i) {
        b_[i] = (x[i] - x[n + i]) + D[i];
        double& most = 2 * i < n ? residual_ : residual_of_momenta_;
        most = std::max(most, std::abs(b_[i]));
    }
    residual_ = std::max(residual_, residual_of_momenta_);
    for (std::size_t i = 0; i < m; ++i) residual_ = std::max(residual_, std::abs(p.h[k] * v[i]));
    cost.add(v[step_.places().C]);
}

void LinearPath::see_ends(const PathEnds& ends) {
    for (const auto* all : {&ends.from, &ends.to})
        for (double r : *all) residual_ = std::max(residual_, std::abs(r));
}

// b = x_k - x_{k+1} + D and F are eliminated together with the matrices.
template <std::size_t fixed> bool LinearPath::eliminate(std::size_t k, const double* v) {
    const std::size_t n = fixed ? fixed : step_.states(), m = step_.unknowns(), w = n + 1;
    const auto& at = step_.places();
    double *const lu = lu_.data() + k * m * m, *const S = inside_.data() + k * m * w,
                  *const D_y = by_inside_.data() + k * n * m, *const A = &tangents_[k * n * n];
    std::copy_n(v + at.F_y, m * m, lu), std::copy_n(v + at.D_y, n * m, D_y);
    for (std::size_t i = 0; i < m; ++i) {
        std::copy_n(v + at.F_x + i * n, n, S + i * w);
        S[i * w + n] = v[at.F + i];
    }
    if (!lu_factor(lu, order_.data() + k * m, m)) return false;
    lu_solve<fixed ? fixed + 1 : 0>(lu, order_.data() + k * m, m, S, w);
    for (std::size_t i = 0; i < n; ++i) {
        double* const to = A + i * n;
        std::copy_n(v + at.D_x + i * n, n, to);
        to[i] += 1;
        double right = b_[i];
        for (std::size_t c = 0; c < m; ++c) {
            const double d = D_y[i * m + c], *const from = S + c * w;
            if (d == 0) continue;
            for (std::size_t j = 0; j < n; ++j) to[j] -= d * from[j];
            right -= d * from[n];
        }
        b_[i] = right;
    }
    return blocks_->add(periodic_ ? widened(k, v) : A, right_side());
}

// The tangent map of step k for (dx_0, dT, dx_k): every step has its share of the period.
const double* LinearPath::widened(std::size_t k, const double* v) {
    const std::size_t n = step_.states(), m = step_.unknowns(), w = width();
    const auto& at = step_.places();
    wide_.assign(w * w, 0.0);
    for (std::size_t i = 0; i <= n; ++i) wide_[i * w + i] = 1;
    double* const s = inside_time_.data() + k * m;
    for (std::size_t c = 0; c < m; ++c) s[c] = shares_[k] * v[at.F_h + c];
    lu_solve<1>(lu_.data() + k * m * m, order_.data() + k * m, m, s, 1);
    for (std::size_t i = 0; i < n; ++i) {
        double* const row = &wide_[(n + 1 + i) * w];
        std::copy_n(&tangents_[(k * n + i) * n], n, row + n + 1);
        row[n] = shares_[k] * v[at.D_h + i];
        for (std::size_t c = 0; c < m; ++c) row[n] -= by_inside_[(k * n + i) * m + c] * s[c];
    }
    return wide_.data();
}

const double* LinearPath::right_side() {
    if (!periodic_) return b_.data();
    const std::size_t n = step_.states();
    wide_b_.assign(width(), 0.0);
    std::copy_n(b_.data(), n, &wide_b_[n + 1]);
    return wide_b_.data();
}

template <std::size_t fixed> void LinearPath::substitute(std::size_t k, const double* v) {
    const std::size_t n = fixed ? fixed : step_.states(), m = step_.unknowns(), w = n + 1;
    double* const S = inside_.data() + k * m * w;
    double* const s = b_.data() + n;
    std::copy_n(v + step_.places().F, m, s);
    lu_solve<1>(lu_.data() + k * m * m, order_.data() + k * m, m, s, 1);
    const double* const D_y = by_inside_.data() + k * n * m;
    for (std::size_t c = 0; c < m; ++c) S[c * w + n] = s[c];
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t c = 0; c < m; ++c) b_[i] -= D_y[i * m + c] * s[c];
    blocks_->add_again(right_side());
}

template <std::size_t fixed> bool LinearPath::linearize_steps(const Path& p) {
    Sum cost;
    for (std::size_t first = 0; first < p.steps(); first += StepEquations::lanes) {
        const StepEquations::Steps steps = steps_of(p, first);
        const double* values = step_.derivatives(steps);
        if (!values) return false;
        for (std::size_t i = 0; i < steps.count; ++i, values += step_.places().end) {
            see(p, first + i, values, cost);
            if (!eliminate<fixed>(first + i, values)) return false;
        }
    }
    cost_ = cost.high;
    return true;
}

template <std::size_t fixed> bool LinearPath::follow_steps(const Path& p) {
    Sum cost;
    for (std::size_t first = 0; first < p.steps(); first += StepEquations::lanes) {
        const StepEquations::Steps steps = steps_of(p, first);
        const double* values = step_.residuals(steps);
        if (!values) return false;
        for (std::size_t i = 0; i < steps.count; ++i, values += step_.places().C + 1) {
            see(p, first + i, values, cost);
            substitute<fixed>(first + i, values);
        }
    }
    cost_ = cost.high;
    return true;
}

bool LinearPath::linearize(const Path& p, const PathEnds& ends) {
    const std::size_t n = step_.states(), m = step_.unknowns(), N = p.steps();
    lu_.resize(N * m * m), order_.resize(N * m), inside_.resize(N * m * (n + 1)), by_inside_.resize(N * n * m);
    tangents_.resize(N * n * n), b_.resize(n + m);
    linearized_ = now_ = ends, residual_ = residual_of_momenta_ = 0;
    start_ = StartRows(ends);
    if (!blocks_ || blocks_->steps() != N) blocks_.emplace(width(), N);
    if (periodic_) {
        shares_ = p.h, inside_time_.resize(N * m);
        for (double& share : shares_) share /= p.time();
    }
    blocks_->begin(start_.rows, start_.rhs(ends));
    see_ends(ends);
    return with_fixed_size(n, [&](auto size) { return linearize_steps<size>(p); });
}

bool LinearPath::follow(const Path& p, const PathEnds& ends) {
    now_ = ends, residual_ = residual_of_momenta_ = 0;
    blocks_->begin_again(start_.rhs(ends));
    see_ends(ends);
    return with_fixed_size(step_.states(), [&](auto size) { return follow_steps<size>(p); });
}

bool LinearPath::solve(const std::vector<double>& weights, double cutoff, PathIncrement& to) {
    const std::size_t n = step_.states(), m = step_.unknowns(), N = blocks_->steps(), w = n + 1;
    const EndIncrement last = end_increment(*blocks_, now_, linearized_, weights, cutoff);
    deficient_ = last.deficient;
    to.x.resize((N + 1) * width()), to.y.resize(N * m);
    blocks_->back(last.x, to.x.data());
    to.nu_to = last.nu, to.nu_from = start_.multipliers(now_, linearized_, to.x.data());
    if (periodic_) read_nodes(to);
    double check = 0; // times 0 it is 0, unless something is not finite
    for (std::size_t k = 0; k < N; ++k)
        for (std::size_t i = 0; i < m; ++i) {
            const double *const S = &inside_[(k * m + i) * w], *const dx = &to.x[k * n];
            double sum = periodic_ ? -S[n] - inside_time_[k * m + i] * to.time : -S[n];
            for (std::size_t j = 0; j < n; ++j) sum -= S[j] * dx[j];
            check += 0 * (to.y[k * m + i] = sum);
        }
    for (const auto* all : {&to.x, &to.nu_to, &to.nu_from})
        for (double d : *all) check += 0 * d;
    return check == 0;
}

// From (dx_0, dT, dx_k) to dx_k and dT.
void LinearPath::read_nodes(PathIncrement& to) const {
    const std::size_t n = step_.states(), w = width(), count = to.x.size() / w;
    to.time = to.x[n];
    for (std::size_t k = 0; k < count; ++k) std::copy_n(&to.x[k * w + n + 1], n, &to.x[k * n]);
    to.x.resize(count * n);
}

bool LinearPath::find_unknowns(Path& p) {
    constexpr int most_iterations = 4;
    const std::size_t m = step_.unknowns(), n = step_.states();
    if (m == 0) return true;
    std::vector<double> lu(m * m), dy(m);
    std::vector<int> order(m);
    for (std::size_t first = 0; first < p.steps(); first += StepEquations::lanes) {
        const StepEquations::Steps steps = steps_of(p, first);
        for (std::size_t i = 0; i < steps.count; ++i)
            if (!step_.guess_unknowns(&p.x[(first + i) * n], p.t[first + i], p.h[first + i], &p.y[(first + i) * m],
                                      p.centre(first + i)))
                return false;
        double length = 1, size = 1; // of the last increments, and of the unknowns
        for (int iteration = 0; length > 1e-6 * size; ++iteration) {
            const double* values = iteration < most_iterations ? step_.derivatives(steps) : nullptr;
            if (!values) return false;
            length = 0, size = 1;
            for (std::size_t i = 0; i < steps.count; ++i, values += step_.places().end) {
                std::copy_n(values + step_.places().F_y, m * m, lu.data());
                std::copy_n(values + step_.places().F, m, dy.data());
                if (!lu_factor(lu.data(), order.data(), m)) return false;
                lu_solve<1>(lu.data(), order.data(), m, dy.data(), 1);
                double* const y = &p.y[(first + i) * m];
                for (std::size_t c = 0; c < m; ++c) {
                    y[c] -= dy[c];
                    length = std::max(length, std::abs(dy[c])), size = std::max(size, std::abs(y[c]));
                }
            }
        }
    }
    return true;
}

bool LinearPath::take_steps(Path& p, std::size_t first, std::size_t last) {
    const std::size_t m = step_.unknowns(), n = step_.states();
    std::vector<double> lu(m * m), dy(m);
    std::vector<int> order(m);
    for (std::size_t k = first; k < last; ++k) {
        StepEquations::Steps one = steps_of(p, k);
        one.count = 1;
        double* const y = p.y.data() + k * m;
        double length = 1, size = 1;
        for (int i = 0; i < 12 && length > 1e-12 * size && m > 0; ++i) {
            const double* const v = step_.derivatives(one);
            if (!v) return false;
            std::copy_n(v + step_.places().F_y, m * m, lu.data()), std::copy_n(v + step_.places().F, m, dy.data());
            if (!lu_factor(lu.data(), order.data(), m)) return false;
            lu_solve<1>(lu.data(), order.data(), m, dy.data(), 1);
            length = 0, size = 1;
            for (std::size_t c = 0; c < m; ++c) {
                y[c] -= dy[c];
                length = std::max(length, std::abs(dy[c])), size = std::max(size, std::abs(y[c]));
            }
        }
        if (m > 0 && !(length <= 1e-9 * size)) step_.find_unknowns(&p.x[k * n], p.t[k], p.h[k], {}, y, p.centre(k));
        const double* const v = step_.residuals(one);
        if (!v) return false;
        if (k + 1 == last && last < p.steps()) continue;
        for (std::size_t i = 0; i < n; ++i) p.x[(k + 1) * n + i] = p.x[k * n + i] + v[step_.places().D + i];
    }
    return true;
}

} // namespace rattleback::boundary
