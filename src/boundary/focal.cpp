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

void orthonormalize(Dense& X, Dense& P) {
    const std::size_t n = X.rows;
    for (int again = 0; again < 2; ++again)
        for (std::size_t c = 0; c < n; ++c) {
            for (std::size_t other = 0; other < c; ++other) {
                double dot = 0;
                for (std::size_t i = 0; i < n; ++i) dot += X(i, c) * X(i, other) + P(i, c) * P(i, other);
                for (std::size_t i = 0; i < n; ++i) X(i, c) -= dot * X(i, other), P(i, c) -= dot * P(i, other);
            }
            double square = 0;
            for (std::size_t i = 0; i < n; ++i) square += X(i, c) * X(i, c) + P(i, c) * P(i, c);
            const double inverse = 1 / std::sqrt(square);
            for (std::size_t i = 0; i < n; ++i) X(i, c) *= inverse, P(i, c) *= inverse;
        }
}

// Variations allowed at the start move freely; the others hardly: a stiff spring in place of a condition.
ConjoinedBasis at_start(const Variations& v) {
    const Dense tangent = null_space(v.from_rows), normal = null_space(transposed(tangent));
    const std::size_t n = v.coordinates, free = tangent.columns;
    Dense X(n, n), P(n, n);
    const Dense bent =
        free > 0 ? product(tangent, product(transposed(tangent), product(v.from_hessian, tangent))) : Dense(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t c = 0; c < free; ++c) X(i, c) = tangent(i, c), P(i, c) = v.sign * bent(i, c);
        for (std::size_t c = free; c < n; ++c) X(i, c) = 1e-12 * normal(i, c - free), P(i, c) = normal(i, c - free);
    }
    return {X, P};
}

// c = a b and c += a b of square matrices.
void multiply(const double* a, const double* b, double* c, std::size_t n, bool add = false) {
    if (!add) std::fill_n(c, n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = 0; k < n; ++k)
            for (std::size_t j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

class Block { // several steps as one
  public:
    explicit Block(std::size_t n) : all_(4 * n * n), product_(4 * n * n) {}

    const double* join(const Variations& v, std::size_t first, std::size_t end) {
        const std::size_t w = 2 * v.coordinates;
        std::copy_n(v.tangent(first), w * w, all_.data());
        for (std::size_t k = first + 1; k < end; ++k) {
            multiply(v.tangent(k), all_.data(), product_.data(), w);
            std::swap(all_, product_);
        }
        return all_.data();
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

} // namespace

ConjoinedBasis::ConjoinedBasis(Dense first, Dense second) : X(std::move(first)), P(std::move(second)), order_(X.rows) {
    orthonormalize(X, P);
    for (Dense* m : {&before_, &after_, &a_, &b_, &c_, &d_, &momenta_, &lu_, &ratio_, &focal_})
        *m = Dense(X.rows, X.rows);
}

ConjoinedBasis from_one_point(std::size_t n) {
    Dense X(n, n), P(n, n);
    for (std::size_t i = 0; i < n; ++i) X(i, i) = 1e-12, P(i, i) = 1;
    return {X, P};
}

int ConjoinedBasis::advance(const double* tangent, double sign) {
    const std::size_t n = X.rows, w = 2 * n;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            a_(i, j) = tangent[i * w + j], b_(i, j) = sign * tangent[i * w + n + j];
            c_(i, j) = sign * tangent[(n + i) * w + j], d_(i, j) = tangent[(n + i) * w + n + j];
        }
    for (auto [x, p, to] : {std::tuple{&a_, &b_, &after_}, std::tuple{&c_, &d_, &momenta_}}) {
        multiply(x->entries.data(), X.entries.data(), to->entries.data(), n);
        multiply(p->entries.data(), P.entries.data(), to->entries.data(), n, true);
    }
    lu_ = after_, ratio_ = b_; // X_{k+1}^-1 b
    int count = 0;
    if (lu_factor(lu_.entries.data(), order_.data(), n)) {
        lu_solve(lu_.entries.data(), order_.data(), n, ratio_.entries.data(), n);
        multiply(X.entries.data(), ratio_.entries.data(), focal_.entries.data(), n);
        const double beside = largest(b_);
        if (!is_positive(focal_, beside)) count = negative(focal_, beside);
    }
    std::swap(before_, X), X = after_;
    std::swap(P, momenta_);
    orthonormalize(X, P);
    return count;
}

// Where X + s (X_next - X) is singular: its eigenvalue mu = -s / (1 - s) of X^-1 X_next.
double ConjoinedBasis::crossing() const {
    const Dense ratio = solved(before_, after_);
    double place = 0.5;
    if (ratio.rows == 0) return place;
    double most = 0;
    const auto all = eigenvalues(ratio);
    for (const auto& mu : all)
        if (mu.real() < most && std::abs(mu.imag()) < 1e-6 * std::abs(mu.real()))
            most = mu.real(), place = 1 / (1 - mu.real());
    if (most < 0) return place;
    for (const auto& mu : all) // twofold, seen from a body that turns: the pair turns with it
        if (mu.real() < most) most = mu.real(), place = 1 / (1 + std::abs(mu));
    return place;
}

FocalPoints focal_points(const Variations& v, bool first_only) {
    FocalPoints found;
    const std::size_t n = v.coordinates, N = v.steps / v.parts, blocks = std::min(N, most_blocks);
    ConjoinedBasis basis = at_start(v);
    Block steps(n);
    for (std::size_t k = 0; k < blocks; ++k) {
        const std::size_t first = k * N / blocks * v.parts, end = (k + 1) * N / blocks * v.parts;
        const int count = basis.advance(steps.join(v, first, end), v.sign);
        for (int i = 0; i < count; ++i)
            found.places.push_back(static_cast<double>(first) + static_cast<double>(end - first) * basis.crossing());
        if (count > 0 && first_only) return found;
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
