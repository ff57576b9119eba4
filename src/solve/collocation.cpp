#include "solve/collocation.hpp"

#include <algorithm>

#include "solve/kronecker.hpp"
#include "solve/kronecker_rules.hpp"
#include "solve/pairs.hpp"
#include "solve/slope_factor.hpp"
#include "solve/stage_sums.hpp"

namespace rattleback {
namespace {

using solve::rounded, solve::weighted_sum;

// What changes of the simplified Newton method cannot be told from round-off, relative as these; factor: of each kind.
template <class T>
T round_off(const std::vector<T>& rounding, const std::vector<std::uint32_t>& kind, const std::vector<T>& factor) {
    T most = 0;
    for (std::size_t k = 0; k < rounding.size(); ++k) most = std::max(most, rounding[k] * factor[kind[k]]);
    return solve::KroneckerLimits<T>::rounding * most;
}

} // namespace

template <class T> std::vector<std::vector<T>> rounded_mu(const StageWeights& weights) {
    const std::size_t s = weights.stages();
    std::vector<std::vector<T>> mu;
    for (const auto& row : weights.mu) mu.push_back(rounded<T>(row));
    for (std::size_t i = 0; i < s; ++i)
        for (std::size_t j = i; j < s; ++j) {
            const quad v = weights.mu[i][j], w = weights.mu[j][i];
            if (real::abs(v + w - 1) > 256 * Real<quad>::epsilon * (real::abs(v) + real::abs(w) + 1)) continue;
            T power =
                1; // at least as large as both: multiples of its last place have a difference from 1 that is exact
            while (power < static_cast<T>(std::max(real::abs(v), real::abs(w)))) power = 2 * power;
            const T raised = static_cast<T>(v) + 3 * power;
            mu[i][j] = raised - 3 * power;
            mu[j][i] = 1 - mu[i][j];
        }
    return mu;
}

template <class T> std::vector<std::vector<T>> advances_ahead(const StageWeights& weights) {
    std::vector<std::vector<T>> ahead(weights.stages());
    for (std::size_t i = 0; i < ahead.size(); ++i)
        for (std::size_t j = 0; j < ahead.size(); ++j)
            ahead[i].push_back(static_cast<T>(weights.ahead[i][j] * weights.b[i] / weights.b[j]));
    return ahead;
}

template <class T> T left_over_by(double tolerance) {
    return tolerance > 0 ? static_cast<T>(tolerance) : solve::FixedLimits<T>::left_over;
}

std::size_t CompiledStages::lanes() const {
    const std::size_t s = weights.stages();
    return s <= 2 ? 2 : s <= 4 ? 4 : (s + 7) / 8 * 8;
}

std::size_t CompiledStages::all_hints() const {
    if (pairs) return (first_row() + pairs->rows()) * lanes();
    return size_place() + 1 + (moves ? n : 0);
}

std::set<NodeId> CompiledStages::divides_by() const {
    if (pairs) return pairs->divides_by();
    std::set<NodeId> all = rate->divides_by;
    for (const auto& system : {ends, arrival, recentred})
        if (system) all.insert(system->divides_by.begin(), system->divides_by.end());
    if (kronecker) all.insert(kronecker->slopes->divides_by.begin(), kronecker->slopes->divides_by.end());
    return all;
}

template <class T>
std::unique_ptr<StageIteration<T>> make_stage_solver(std::shared_ptr<const CompiledStages> compiled) {
    if (compiled->pairs) return std::make_unique<PairSolver<T>>(std::move(compiled));
    return std::make_unique<StageSolver<T>>(std::move(compiled));
}

template <class T>
StageSolver<T>::StageSolver(std::shared_ptr<const CompiledStages> compiled)
    : compiled_(std::move(compiled)), s_(compiled_->weights.stages()), n_(compiled_->n),
      mu_(rounded_mu<T>(compiled_->weights)), ahead_(advances_ahead<T>(compiled_->weights)),
      b_(rounded<T>(compiled_->weights.b, slope_factor(compiled_->weights))), c_(rounded<T>(compiled_->weights.c)),
      L_(n_ * s_, T(0)), next_(L_), y_(compiled_->y * s_, T(0)), begin_(n_), begin_next_(n_), moved_(n_),
      tilt_(compiled_->moves ? n_ : 0), increment_(compiled_->states(), T(0)), size_(compiled_->kinds),
      factor_(compiled_->kinds), rate_(compiled_->rate), left_over_(left_over_by<T>(compiled_->tolerance)) {
    for (const auto& row : compiled_->weights.ahead) values_ahead_.push_back(rounded<T>(row));
    if (compiled_->ends) ends_.emplace(compiled_->ends);
    if (compiled_->arrival) arrival_.emplace(compiled_->arrival);
    if (compiled_->recentred) recentred_.emplace(compiled_->recentred);
    if (compiled_->kronecker) kronecker_ = std::make_shared<KroneckerSolver<T>>(*compiled_);
}

template <class T> void StageSolver<T>::reset(T* hint) const {
    const std::size_t lanes = compiled_->lanes(), first = compiled_->first_row() * lanes;
    std::fill(hint + compiled_->hints, hint + compiled_->all_hints(), T(0));
    for (std::size_t k = 0; k < compiled_->carried_y(); ++k)
        for (std::size_t i = 0; i < lanes; ++i)
            hint[first + (n_ + k) * lanes + i] = hint[std::min(i, s_ - 1) * compiled_->y + k];
    hint[compiled_->size_place()] = 1;
}

// Slopes for a step of this size, and where the stages begin.
template <class T> void StageSolver<T>::begin(const T* state, T h, const T* hint) {
    const std::size_t lanes = compiled_->lanes();
    const T* const rows = hint + compiled_->first_row() * lanes;
    const T longer = h / hint[compiled_->size_place()];
    for (std::size_t k = 0; k < n_; ++k)
        for (std::size_t i = 0; i < s_; ++i) L_[k * s_ + i] = rows[k * lanes + i] * longer;
    for (std::size_t k = 0; k < compiled_->carried_y(); ++k)
        for (std::size_t i = 0; i < s_; ++i) y_[k * s_ + i] = rows[(n_ + k) * lanes + i];
    const T *const shift = hint + compiled_->size_place() + 1, *const x = state + compiled_->constants;
    for (std::size_t k = 0; k < n_; ++k) begin_[k] = compiled_->moves ? x[k] + shift[k] : x[k];
    std::fill(tilt_.begin(), tilt_.end(), T(0));
}

// Component k of x at stage i, for advances L.
template <class T> T StageSolver<T>::stage_value(std::size_t k, std::size_t i, const T* L) const {
    return begin_[k] + weighted_sum(s_, mu_[i].data(), L);
}

// The matrix of the simplified Newton method, where the step begins.
template <class T> bool StageSolver<T>::prepare(const T* constants, T t, T h, const T* parameters) {
    T* to = std::copy(begin_.begin(), begin_.end(), kronecker_->given());
    to = std::copy_n(constants, compiled_->constants, to);
    for (std::size_t k = 0; k < compiled_->y; ++k) *to++ = compiled_->carries_y ? y_[k * s_] : T(0);
    *to++ = t, *to++ = h;
    std::copy_n(parameters, compiled_->parameters, to);
    return kronecker_->prepare(h);
}

// The right-hand side at all stages, and what follows from it.
template <class T> bool StageSolver<T>::evaluate(const T* constants, T t, T h, const T* parameters) {
    const std::size_t y = compiled_->y;
    const T factor = static_cast<T>(slope_factor(compiled_->weights));
    Report own;
    for (std::size_t i = 0; i < s_; ++i) {
        T* to = rate_.given();
        for (std::size_t k = 0; k < n_; ++k) {
            const T low = kronecker_ ? kronecker_->low()[k * s_ + i] : T(0);
            *to++ = begin_[k] + weighted_sum(s_, mu_[i].data(), at(L_, k), kronecker_ ? &low : nullptr);
        }
        to = std::copy_n(constants, compiled_->constants, to);
        for (std::size_t k = 0; k < y; ++k) *to++ = y_[k * s_ + i];
        *to++ = t + c_[i] * h, *to++ = h;
        std::copy_n(parameters, compiled_->parameters, to);
        if (!rate_.solve(own)) return false;
        const T weight = h * b_[i];
        for (std::size_t k = 0; k < n_; ++k) {
            const T slope = factor * rate_.result(k);
            T& next = next_[k * s_ + i];
            next = kronecker_ ? kronecker_->residual(i, h, b_[i], weight, slope, L_[k * s_ + i]) : weight * slope;
        }
        for (std::size_t k = 0; k < compiled_->carried_y(); ++k) y_[k * s_ + i] = rate_.result(n_ + k);
    }
    if (kronecker_) kronecker_->correct(L_.data(), next_.data());
    return true;
}

// The largest change of a kind, relative to the largest advance of that kind in the first iteration; in the first
// ones of the simplified Newton method, which may begin far away.
template <class T> T StageSolver<T>::relative_change() const {
    T most = 0;
    for (std::size_t k = 0; k < size_.size(); ++k)
        if (size_[k] != T(0)) most = std::max(most, size_[k] * factor_[k]);
    return most;
}

template <class T> T StageSolver<T>::change(bool scales) {
    if (scales) {
        std::vector<T> scale(size_.size(), T(0));
        for (std::size_t k = 0; k < n_; ++k) {
            T& largest = scale[compiled_->kind[k]];
            largest = std::max(largest, solve::FixedLimits<T>::beside * real::abs(begin_[k]));
            for (std::size_t i = 0; i < s_; ++i) largest = std::max(largest, real::abs(next_[k * s_ + i]));
        }
        for (std::size_t k = 0; k < scale.size(); ++k) factor_[k] = 1 / scale[k];
    }
    std::fill(size_.begin(), size_.end(), T(0));
    for (std::size_t k = 0; k < n_; ++k)
        for (std::size_t i = k * s_; i < (k + 1) * s_; ++i)
            size_[compiled_->kind[k]] = std::max(size_[compiled_->kind[k]], real::abs(next_[i] - L_[i]));
    L_.swap(next_);
    return relative_change();
}

// From the advance to the increment and, where the stages begin elsewhere than at the state, to where.
template <class T> bool StageSolver<T>::meet_ends(const T* state, const T* hint, T t, T h, const T* parameters) {
    std::vector<T>& advance = begin_next_; // for as long as it takes to give it
    for (std::size_t k = 0; k < n_; ++k) {
        advance[k] = L_[k * s_];
        for (std::size_t i = 1; i < s_; ++i) advance[k] = advance[k] + L_[k * s_ + i];
    }
    if (!ends_) {
        moved_ = advance;
        return true;
    }
    T* to = ends_->given();
    to = std::copy_n(state, compiled_->states(), to);
    to = std::copy(advance.begin(), advance.end(), to);
    to = std::copy(tilt_.begin(), tilt_.end(), to);
    to = std::copy_n(hint, compiled_->hints, to);
    *to++ = t, *to++ = h;
    std::copy_n(parameters, compiled_->parameters, to);
    Report own;
    if (!ends_->solve(own)) return false;
    ends_->results(0, n_, begin_next_.data());
    ends_->results(n_, n_, moved_.data());
    ends_->results(2 * n_, tilt_.size(), tilt_.data());
    return true;
}

// From the increment in the step's own charts to that of the state.
template <class T> bool StageSolver<T>::arrive(const T* state, T t, T h, const T* parameters) {
    if (!arrival_) {
        std::copy(moved_.begin(), moved_.end(), increment_.begin() + static_cast<std::ptrdiff_t>(compiled_->constants));
    } else {
        T* to = std::copy_n(state, compiled_->states(), arrival_->given());
        to = std::copy(moved_.begin(), moved_.end(), to);
        for (std::size_t i = 0; i < s_; ++i)
            for (std::size_t k : compiled_->looked_at) *to++ = stage_value(k, i, at(L_, k));
        *to++ = t, *to++ = h;
        std::copy_n(parameters, compiled_->parameters, to);
        Report own;
        if (!arrival_->solve(own)) return false;
        arrival_->results(0, compiled_->states(), increment_.data());
    }
    return std::all_of(increment_.begin(), increment_.end(), [](const T& x) { return real::is_finite(x); });
}

// The advances that the next step starts from, led on to the stages there, are seen in its charts.
template <class T> void StageSolver<T>::recentre(const T* state, T t, T h, const T* parameters, T* rows) {
    const std::size_t lanes = compiled_->lanes();
    const T* const x = state + compiled_->constants;
    for (std::size_t k = 0; k < n_; ++k) begin_[k] = x[k] + moved_[k];
    for (std::size_t lane = 0; lane < s_; ++lane) {
        T* to = std::copy_n(state, compiled_->states(), recentred_->given());
        to = std::copy(moved_.begin(), moved_.end(), to);
        for (std::size_t k = 0; k < n_; ++k) *to++ = stage_value(k, lane, rows + k * lanes);
        for (std::size_t k = 0; k < n_; ++k) *to++ = rows[k * lanes + lane];
        *to++ = t, *to++ = h;
        std::copy_n(parameters, compiled_->parameters, to);
        Report own;
        const bool found = recentred_->solve(own);
        for (std::size_t k = 0; k < n_; ++k) next_[k * s_ + lane] = found ? recentred_->result(k) : Real<T>::nan;
    }
    for (std::size_t k = 0; k < n_; ++k)
        for (std::size_t lane = 0; lane < lanes; ++lane)
            rows[k * lanes + lane] = next_[k * s_ + std::min(lane, s_ - 1)];
}

template <class T>
bool StageSolver<T>::solve(const T* state, T t, T h, const T* parameters, bool steady, T* hint, Report& report) {
    using Limits = solve::FixedLimits<T>;
    begin(state, h, hint);
    if (kronecker_ && !prepare(state, t, h, parameters)) return false;
    const T near = kronecker_ ? solve::KroneckerLimits<T>::near : Limits::near;
    T last = Real<T>::nan, best = 1;
    bool hidden = false;
    int slow = 0;
    for (int iteration = 0; iteration < Limits::most_iterations && slow < Limits::most_slow; ++iteration) {
        if (kronecker_ && iteration <= solve::KroneckerLimits<T>::scaling) kronecker_->find_low(L_.data());
        if (!evaluate(state, t, h, parameters)) return false;
        T d = change(iteration <= (kronecker_ ? solve::KroneckerLimits<T>::scaling : 0));
        if (compiled_->moves && (d <= near || (!kronecker_ && solve::is_left<T>(d, last, left_over_)))) {
            if (!meet_ends(state, hint, t, h, parameters)) return false;
            for (std::size_t k = 0; k < n_; ++k) {
                T& size = size_[compiled_->kind[k]];
                size = std::max(size, real::abs(begin_next_[k] - begin_[k]));
            }
            begin_.swap(begin_next_);
            d = relative_change();
        }
        if (kronecker_ && iteration == 0 && !(d <= solve::KroneckerLimits<T>::astray))
            std::fill(L_.begin(), L_.end(), T(0));
        auto judged = solve::judge_fixed<T>(d, last, left_over_);
        if (kronecker_) {
            const T most = round_off(kronecker_->rounding(), compiled_->kind, factor_);
            const auto simplified = solve::judge_simplified<T>(d, last, best, most, hidden);
            judged = {simplified.converged, simplified.slow}, hidden = simplified.hidden;
            if (d / last < best) best = d / last;
        }
        if (judged.converged && (!compiled_->moves || !kronecker_ || d <= near)) {
            if (!compiled_->moves && !meet_ends(state, hint, t, h, parameters)) return false;
            if (!arrive(state, t, h, parameters)) return false;
            report.newton_iterations += iteration + 1, ++report.newton_solves;
            carry(state, t, h, parameters, steady, hint);
            return true;
        }
        slow += judged.slow;
        last = d;
    }
    return false;
}

template <class T> void StageSolver<T>::carry(const T* state, T t, T h, const T* parameters, bool steady, T* hint) {
    const std::size_t lanes = compiled_->lanes(), y = compiled_->carried_y();
    T* const rows = hint + compiled_->first_row() * lanes;
    for (std::size_t k = 0; k < n_ + y; ++k) {
        const T* const from = k < n_ ? at(L_, k) : at(y_, k - n_);
        const auto& weights = k < n_ ? ahead_ : values_ahead_;
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const std::size_t i = std::min(lane, s_ - 1);
            rows[k * lanes + lane] = steady ? from[i] : weighted_sum(s_, weights[i].data(), from);
        }
    }
    for (std::size_t k = 0; k < y; ++k) hint[(s_ - 1) * y + k] = y_[k * s_ + s_ - 1]; // where nodes begin to search
    hint[compiled_->size_place()] = h;
    const bool elsewhere = changes_charts(); // how far the stages begin from the state is then found anew
    for (std::size_t k = 0; compiled_->moves && k < n_; ++k)
        hint[compiled_->size_place() + 1 + k] = elsewhere ? T(0) : begin_[k] - state[compiled_->constants + k];
    if (elsewhere) recentre(state, t, h, parameters, rows);
}

template <class T> void StageSolver<T>::help_newton(const T* state, T t, T h, const T* parameters, T* hint) {
    const std::size_t y = compiled_->y;
    if (y == 0) return;
    T* to = std::copy_n(state + compiled_->constants, n_, rate_.given());
    to = std::copy_n(state, compiled_->constants, to);
    to = std::copy_n(hint + (s_ - 1) * y, y, to);
    *to++ = t, *to++ = h;
    std::copy_n(parameters, compiled_->parameters, to);
    Report own;
    if (!rate_.solve(own)) return;
    for (std::size_t i = 0; i < s_; ++i)
        for (std::size_t k = 0; k < y; ++k) hint[i * y + k] = rate_.result(n_ + k);
}

#define RATTLEBACK_INSTANTIATE(T)                                                                                      \
    template T left_over_by(double);                                                                                   \
    template std::unique_ptr<StageIteration<T>> make_stage_solver(std::shared_ptr<const CompiledStages>);              \
    template class StageSolver<T>;                                                                                     \
    template std::vector<std::vector<T>> rounded_mu(const StageWeights&);                                              \
    template std::vector<std::vector<T>> advances_ahead(const StageWeights&);
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
