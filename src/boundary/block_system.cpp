#include "boundary/block_system.hpp"

#include <algorithm>
#include <cmath>

#include "boundary/small_lu.hpp"

namespace rattleback::boundary {

void BlockSystem::begin(const Matrix<double>& rows, const std::vector<double>& rhs) {
    known_ = rows, rhs_ = rhs, next_ = 0;
    const std::size_t r = rows.rows, all = r + n_;
    rows_.resize(steps_ * n_ * 2 * n_), sides_.resize(steps_ * n_);
    factors_.resize(steps_ * all * n_), order_.resize(steps_ * all);
    work_.resize(all * (2 * n_ + 1));
}

bool BlockSystem::add(const double* A, const double* b) {
    return with_fixed_size(n_, [&](auto size) { return eliminate<size>(A, b); });
}

// [known 0; A -1] (dx_k, dx_{k+1}) = [rhs; -b]: the columns of dx_k are eliminated, r rows of dx_{k+1} remain.
template <std::size_t fixed> bool BlockSystem::eliminate(const double* A, const double* b) {
    const std::size_t n = fixed ? fixed : n_, r = known_.rows, all = r + n, width = 2 * n + 1, k = next_++;
    double* const w = work_.data();
    for (std::size_t i = 0; i < r; ++i) {
        double* const row = w + i * width;
        std::copy_n(&known_.entries[i * n], n, row);
        std::fill_n(row + n, n, 0.0);
        row[2 * n] = rhs_[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
        double* const row = w + (r + i) * width;
        std::copy_n(A + i * n, n, row);
        std::fill_n(row + n, n, 0.0);
        row[n + i] = -1, row[2 * n] = -b[i];
    }
    std::uint32_t* const order = &order_[k * all];
    double* const factors = &factors_[k * all * n];
    for (std::size_t i = 0; i < all; ++i) order[i] = static_cast<std::uint32_t>(i);
    for (std::size_t c = 0; c < n; ++c) {
        std::size_t best = c;
        double largest = -1;
        for (std::size_t i = c; i < all; ++i)
            if (const double size = std::abs(w[order[i] * width + c]); size > largest) best = i, largest = size;
        if (!(largest > 0) || !std::isfinite(largest)) return false;
        std::swap(order[c], order[best]);
        double* const pivot = w + order[c] * width;
        const double inverse = pivot[c] = 1 / pivot[c];
        for (std::size_t i = c + 1; i < all; ++i) {
            double* const row = w + order[i] * width;
            const double factor = row[c] * inverse;
            factors[order[i] * n + c] = factor;
            if (factor == 0) continue;
            for (std::size_t j = c + 1; j < width; ++j) row[j] -= factor * pivot[j];
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double* const row = w + order[i] * width;
        std::copy_n(row, 2 * n, &rows_[(k * n + i) * 2 * n]);
        sides_[k * n + i] = row[2 * n];
    }
    for (std::size_t i = 0; i < r; ++i) {
        const double* const row = w + order[n + i] * width;
        std::copy_n(row + n, n, &known_.entries[i * n]);
        rhs_[i] = row[2 * n];
    }
    return true;
}

void BlockSystem::add_again(const double* b) {
    const std::size_t n = n_, r = known_.rows, all = r + n, k = next_++;
    double* const side = work_.data();
    std::copy_n(rhs_.data(), r, side);
    for (std::size_t i = 0; i < n; ++i) side[r + i] = -b[i];
    const std::uint32_t* const order = &order_[k * all];
    const double* const factors = &factors_[k * all * n];
    for (std::size_t c = 0; c < n; ++c)
        for (std::size_t i = c + 1; i < all; ++i) side[order[i]] -= factors[order[i] * n + c] * side[order[c]];
    for (std::size_t i = 0; i < n; ++i) sides_[k * n + i] = side[order[i]];
    for (std::size_t i = 0; i < r; ++i) rhs_[i] = side[order[n + i]];
}

void BlockSystem::back(const std::vector<double>& last, double* dx) const {
    std::copy(last.begin(), last.end(), dx + steps_ * n_);
    with_fixed_size(n_, [&](auto size) { back_substitute<size>(dx); });
}

template <std::size_t fixed> void BlockSystem::back_substitute(double* dx) const {
    const std::size_t n = fixed ? fixed : n_;
    for (std::size_t k = steps_; k-- > 0;) {
        const double* const next = dx + (k + 1) * n;
        double* const here = dx + k * n;
        for (std::size_t i = n; i-- > 0;) {
            const double* const row = &rows_[(k * n + i) * 2 * n];
            double sum = sides_[k * n + i];
            for (std::size_t j = 0; j < n; ++j) sum -= row[n + j] * next[j];
            for (std::size_t j = i + 1; j < n; ++j) sum -= row[j] * here[j];
            here[i] = sum * row[i];
        }
    }
}

} // namespace rattleback::boundary
