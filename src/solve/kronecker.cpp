#include "solve/kronecker.hpp"

#include "solve/collocation.hpp"
#include "solve/fused.hpp"
#include "solve/slope_factor.hpp"

namespace rattleback {
namespace {

template <class T> std::vector<solve::Complex<T>> rounded(const std::vector<StageSpectrum::Number>& numbers) {
    std::vector<solve::Complex<T>> all;
    for (const auto& x : numbers) all.push_back({static_cast<T>(x.re), static_cast<T>(x.im)});
    return all;
}
template <class T> std::vector<solve::Complex<T>> rounded(const std::vector<std::vector<StageSpectrum::Number>>& rows) {
    std::vector<solve::Complex<T>> all;
    for (const auto& row : rows)
        for (const auto& x : rounded<T>(row)) all.push_back(x);
    return all;
}

} // namespace

template <class T> LowWeights<T>::LowWeights(const CompiledStages& stages) {
    const StageWeights& w = stages.weights;
    const auto rounded_weights = rounded_mu<T>(w);
    for (std::size_t i = 0; i < w.stages(); ++i) {
        const quad weight = w.b[i] / slope_factor(w);
        b.push_back(static_cast<T>(weight - static_cast<quad>(static_cast<T>(weight)))), mu.emplace_back();
        for (std::size_t j = 0; j < w.stages(); ++j)
            mu[i].push_back(static_cast<T>(w.mu[i][j] - static_cast<quad>(rounded_weights[i][j])));
    }
}

template <class T>
KroneckerSolver<T>::KroneckerSolver(const CompiledStages& stages)
    : compiled_(stages.kronecker), s_(stages.weights.stages()), n_(stages.n), pairs_(compiled_->spectrum.pairs()),
      moves_(stages.moves), low_weights_(stages), shift_(rounded<T>(compiled_->spectrum.shift)),
      into_(rounded<T>(compiled_->spectrum.into)), from_(rounded<T>(compiled_->spectrum.from)),
      slopes_(compiled_->slopes), entries_(slopes_.result_count()), rounding_(n_), low_(n_ * s_),
      factors_(pairs_ * compiled_->elimination.places()), inverse_(pairs_ * n_), z_(inverse_) {}

template <class T> bool KroneckerSolver<T>::prepare(T h) {
    Report own;
    if (!slopes_.solve(own)) return false;
    for (std::size_t k = 0; k < entries_.size(); ++k) entries_[k] = h * slopes_.result(k);
    for (std::size_t k = 0; k < n_; ++k) rounding_[k] = moves_ ? real::abs(slopes_.given()[k]) : T(0);
    add_rounding(compiled_->entries, entries_, slopes_.given(), rounding_);
    const solve::ShiftedElimination& list = compiled_->elimination;
    bool bad = false;
    for (std::size_t r = 0; r < pairs_ && !bad; ++r)
        bad = solve::fast<T>([&]() __attribute__((always_inline)) {
            return list.factor(shift_[r], entries_.data(), factors_.data() + r * list.places(),
                               inverse_.data() + r * n_);
        });
    return !bad;
}

template <class T> void KroneckerSolver<T>::find_low(const T* L) {
    solve::fast<T>([&]() __attribute__((always_inline)) {
        for (std::size_t k = 0; k < n_; ++k)
            for (std::size_t i = 0; i < s_; ++i) {
                const T *const weights = low_weights_.mu[i].data(), *const row = L + k * s_;
                T sum = weights[0] * row[0];
                for (std::size_t j = 1; j < s_; ++j) sum = solve::product_and_sum(weights[j], row[j], sum);
                low_[k * s_ + i] = sum;
            }
        return true;
    });
}

template <class T> T KroneckerSolver<T>::residual(std::size_t stage, T h, T b, T weight, T slope, T L) const {
    using solve::product_and_sum;
    const T low = product_and_sum(h, low_weights_.b[stage], product_and_sum(h, b, -weight));
    return product_and_sum(low, slope, product_and_sum(weight, slope, -L));
}

template <class T> void KroneckerSolver<T>::correct(const T* L, T* rows) {
    using solve::product_and_sum;
    const solve::ShiftedElimination& list = compiled_->elimination;
    solve::fast<T>([&]() __attribute__((always_inline)) {
        for (std::size_t r = 0; r < pairs_; ++r) {
            Number* const z = z_.data() + r * n_;
            const Number* const into = into_.data() + r * s_;
            for (std::size_t k = 0; k < n_; ++k) {
                const T* const x = rows + k * s_;
                z[k] = {into[0].re * x[0], into[0].im * x[0]};
                for (std::size_t j = 1; j < s_; ++j) z[k] = product_and_sum(into[j], x[j], z[k]);
            }
            list.solve(factors_.data() + r * list.places(), inverse_.data() + r * n_, z);
        }
        for (std::size_t k = 0; k < n_; ++k)
            for (std::size_t i = 0; i < s_; ++i) {
                const Number* const from = from_.data() + i * pairs_;
                T sum = from[0].re * z_[k].re;
                sum = product_and_sum(from[0].im, z_[k].im, sum);
                for (std::size_t r = 1; r < pairs_; ++r) {
                    const Number& z = z_[r * n_ + k];
                    sum = product_and_sum(from[r].im, z.im, product_and_sum(from[r].re, z.re, sum));
                }
                rows[k * s_ + i] = L[k * s_ + i] + sum;
            }
        return true;
    });
}

#define RATTLEBACK_INSTANTIATE(T)                                                                                      \
    template struct LowWeights<T>;                                                                                     \
    template class KroneckerSolver<T>;
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
