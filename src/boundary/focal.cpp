#include "boundary/focal.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "boundary/small_lu.hpp"
#include "evidence/linear.hpp"

namespace rattleback::boundary {
namespace {

constexpr std::size_t most_blocks = 200; // steps are taken together: X grows like a power of the time, which is noise
                                         // for very short ones
constexpr double noise = 1e-7;           // of the largest eigenvalue; 1e-11 of the largest entry of b

// Columns (X; P), orthonormal from time to time: what they span matters, not they.
struct Basis {
    Dense X, P;
};

void orthonormalize(Basis& b) {
    const std::size_t n = b.X.rows;
    for (int again = 0; again < 2; ++again)
        for (std::size_t c = 0; c < n; ++c) {
            for (std::size_t other = 0; other < c; ++other) {
                double dot = 0;
                for (std::size_t i = 0; i < n; ++i) dot += b.X(i, c) * b.X(i, other) + b.P(i, c) * b.P(i, other);
                for (std::size_t i = 0; i < n; ++i) b.X(i, c) -= dot * b.X(i, other), b.P(i, c) -= dot * b.P(i, other);
            }
            double square = 0;
            for (std::size_t i = 0; i < n; ++i) square += b.X(i, c) * b.X(i, c) + b.P(i, c) * b.P(i, c);
            const double inverse = 1 / std::sqrt(square);
            for (std::size_t i = 0; i < n; ++i) b.X(i, c) *= inverse, b.P(i, c) *= inverse;
        }
}

// Variations allowed at the start move freely; the others hardly: a stiff spring in place of a condition.
Basis at_start(const Variations& v) {
    const Dense tangent = null_space(v.from_rows), normal = null_space(transposed(tangent));
    const std::size_t n = v.coordinates, free = tangent.columns;
    Basis b{Dense(n, n), Dense(n, n)};
    const Dense bent =
        free > 0 ? product(tangent, product(transposed(tangent), product(v.from_hessian, tangent))) : Dense(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t c = 0; c < free; ++c) b.X(i, c) = tangent(i, c), b.P(i, c) = v.sign * bent(i, c);
        for (std::size_t c = free; c < n; ++c) b.X(i, c) = 1e-12 * normal(i, c - free), b.P(i, c) = normal(i, c - free);
    }
    return b;
}

// c = a b and c += a b of square matrices.
void multiply(const double* a, const double* b, double* c, std::size_t n, bool add = false) {
    if (!add) std::fill_n(c, n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

struct Block { // several steps as one: (a, b; c, d)
    explicit Block(std::size_t n) : a(n, n), b(n, n), c(n, n), d(n, n), all_(4 * n * n), product_(4 * n * n) {}
    Dense a, b, c, d;

    void join(const Variations& v, std::size_t first, std::size_t end) {
        const std::size_t n = v.coordinates, w = 2 * n;
        std::copy_n(v.tangent(first), w * w, all_.data());
        for (std::size_t k = first + 1; k < end; ++k) {
            multiply(v.tangent(k), all_.data(), product_.data(), w);
            std::swap(all_, product_);
        }
        for (std::size_t i = 0; i < n; ++i)
            for (std::size_t j = 0; j < n; ++j) {
                a(i, j) = all_[i * w + j], b(i, j) = v.sign * all_[i * w + n + j];
                c(i, j) = v.sign * all_[(n + i) * w + j], d(i, j) = all_[(n + i) * w + n + j];
            }
    }

  private:
    std::vector<double> all_, product_;
};

Dense sum(const Dense& a, const Dense& b) {
    Dense to = a;
    for (std::size_t i = 0; i < to.entries.size(); ++i) to.entries[i] += b.entries[i];
    return to;
}

Dense symmetric(const Dense& m) {
    Dense to = m;
    for (std::size_t i = 0; i < m.rows; ++i)
        for (std::size_t j = 0; j < m.rows; ++j) to(i, j) = (m(i, j) + m(j, i)) / 2;
    return to;
}

double largest(const Dense& m) {
    double most = 0;
    for (double e : m.entries) most = std::max(most, std::abs(e));
    return most;
}

int negative(const Dense& m, double beside = 0) {
    if (m.rows == 0) return 0;
    const std::vector<double> all = symmetric_eigenvalues(symmetric(m));
    const double size = std::max({std::abs(all.front()), std::abs(all.back()), 1e-4 * beside});
    return static_cast<int>(std::count_if(all.begin(), all.end(), [&](double e) { return e < -noise * size; }));
}

// Whether Cholesky's factorization of the symmetric part, moved by what counts as noise, exists: the usual case, and
// much cheaper than eigenvalues.
bool is_positive(const Dense& m, double beside) {
    const std::size_t n = m.rows;
    Dense f = symmetric(m);
    double size = 1e-4 * beside;
    for (std::size_t i = 0; i < n; ++i) size = std::max(size, std::abs(f(i, i)));
    for (std::size_t j = 0; j < n; ++j) {
        f(j, j) += noise * size;
        for (std::size_t k = 0; k < j; ++k) f(j, j) -= f(j, k) * f(j, k);
        if (!(f(j, j) > 0)) return false;
        f(j, j) = std::sqrt(f(j, j));
        for (std::size_t i = j + 1; i < n; ++i) {
            for (std::size_t k = 0; k < j; ++k) f(i, j) -= f(i, k) * f(j, k);
            f(i, j) /= f(j, j);
        }
    }
    return true;
}

// Where X + s (X_next - X) is singular: its eigenvalue mu = -s / (1 - s) of X^-1 X_next.
double crossing(const Dense& X, const Dense& next) {
    const Dense ratio = solved(X, next);
    double place = 0.5;
    if (ratio.rows == 0) return place;
    double most = 0;
    for (const auto& mu : eigenvalues(ratio))
        if (mu.real() < most && std::abs(mu.imag()) < 1e-6 * std::abs(mu.real()))
            most = mu.real(), place = 1 / (1 - mu.real());
    return place;
}

} // namespace

FocalPoints focal_points(const Variations& v, bool first_only) {
    FocalPoints found;
    const std::size_t n = v.coordinates, N = v.steps / v.parts, blocks = std::min(N, most_blocks);
    Basis basis = at_start(v), next{Dense(n, n), Dense(n, n)};
    orthonormalize(basis);
    Block step(n);
    Dense lu(n, n), ratio(n, n), focal(n, n);
    std::vector<int> order(n);
    for (std::size_t k = 0; k < blocks; ++k) {
        const std::size_t first = k * N / blocks * v.parts, end = (k + 1) * N / blocks * v.parts;
        step.join(v, first, end);
        for (auto [x, p, to] : {std::tuple{&step.a, &step.b, &next.X}, std::tuple{&step.c, &step.d, &next.P}}) {
            multiply(x->entries.data(), basis.X.entries.data(), to->entries.data(), n);
            multiply(p->entries.data(), basis.P.entries.data(), to->entries.data(), n, true);
        }
        lu = next.X, ratio = step.b; // X_{k+1}^-1 b
        int count = 0;
        if (lu_factor(lu.entries.data(), order.data(), n)) {
            lu_solve(lu.entries.data(), order.data(), n, ratio.entries.data(), n);
            multiply(basis.X.entries.data(), ratio.entries.data(), focal.entries.data(), n);
            const double beside = largest(step.b);
            if (!is_positive(focal, beside)) count = negative(focal, beside);
        }
        for (int i = 0; i < count; ++i)
            found.places.push_back(static_cast<double>(first) +
                                   static_cast<double>(end - first) * crossing(basis.X, next.X));
        if (count > 0 && first_only) return found;
        std::swap(basis, next);
        orthonormalize(basis);
    }
    const Dense tangent = null_space(v.to_rows);
    if (tangent.columns == 0) return found;
    const Dense inverse = solved(transposed(basis.X), transposed(basis.P)); // (P X^-1)^T
    if (inverse.rows == 0) return found;
    const Dense both = product(transposed(tangent), product(sum(transposed(inverse), v.to_hessian), tangent));
    found.at_end = negative(both, largest(inverse) + largest(v.to_hessian)); // 0 along families of equal cost
    return found;
}

} // namespace rattleback::boundary
