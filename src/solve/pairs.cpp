#include "solve/pairs.hpp"

#include <algorithm>

#include "solve/pair_rules.hpp"
#include "solve/stage_sums.hpp"

namespace rattleback {
namespace {

using solve::rounded, solve::weighted_sum;
using Square = std::vector<std::vector<quad>>;

// By Gauss and Jordan's elimination.
Square inverse(Square a) {
    const std::size_t n = a.size();
    for (std::size_t i = 0; i < n; ++i) a[i].resize(2 * n, 0), a[i][n + i] = 1;
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t best = k;
        for (std::size_t i = k; i < n; ++i)
            if (real::abs(a[i][k]) > real::abs(a[best][k])) best = i;
        std::swap(a[k], a[best]);
        const quad by = 1 / a[k][k];
        for (quad& x : a[k]) x *= by;
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k) continue;
            const quad factor = a[i][k];
            for (std::size_t j = 0; j < 2 * n; ++j) a[i][j] -= factor * a[k][j];
        }
    }
    for (auto& row : a) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
    return a;
}

} // namespace

PairWeights pair_weights(const Square& a, const StageWeights& rule) {
    const std::vector<quad>& b = rule.b;
    const std::size_t s = b.size();
    PairWeights w{Square(s, std::vector<quad>(s)), Square(s, std::vector<quad>(s)), rule.ahead, b, rule.c};
    for (std::size_t i = 0; i < s; ++i)
        for (std::size_t j = 0; j < s; ++j) w.mu[i][j] = a[i][j] / b[j];
    Square product(s - 1, std::vector<quad>(s - 1));
    for (std::size_t i = 1; i < s; ++i)
        for (std::size_t k = 0; k + 1 < s; ++k)
            for (std::size_t j = 0; j < s; ++j) product[i - 1][k] += a[i][j] * b[k] * (1 - w.mu[k][j]);
    product = inverse(product);
    for (std::size_t k = 0; k + 1 < s; ++k)
        for (std::size_t i = 1; i < s; ++i) w.inverse[k][i] = product[k][i - 1];
    return w;
}

template <class T> RoundedPair<T> rounded_pair(const PairWeights& weights) {
    const std::size_t s = weights.stages();
    RoundedPair<T> mu{std::vector<std::vector<T>>(s, std::vector<T>(s)), {}};
    mu.of_p = mu.of_q;
    for (std::size_t i = 0; i < s; ++i)
        for (std::size_t j = 0; j < s; ++j) {
            const quad v = weights.mu[i][j];
            T power = 1; // at least as large as both: see rounded_mu
            while (power < static_cast<T>(std::max(real::abs(v), real::abs(1 - v)))) power = 2 * power;
            const T raised = static_cast<T>(v) + 3 * power;
            mu.of_q[i][j] = raised - 3 * power;
            mu.of_p[j][i] = 1 - mu.of_q[i][j];
        }
    return mu;
}

std::vector<std::shared_ptr<const CompiledSystem>> CompiledPairs::systems() const {
    std::vector<std::shared_ptr<const CompiledSystem>> all;
    for (const auto& system : {constraints, forces, velocities, end})
        if (system) all.push_back(system);
    return all;
}

std::set<NodeId> CompiledPairs::divides_by() const {
    std::set<NodeId> all;
    for (const auto& system : systems()) all.insert(system->divides_by.begin(), system->divides_by.end());
    return all;
}

template <class T> void CompiledPairs::give_newton(T* hint, std::size_t lanes) const {
    const T* const rows = hint + (hints + lanes - 1) / lanes * lanes;
    T* to = hint;
    for (std::size_t i = 0; i < weights.stages(); ++i) {
        for (std::size_t k = 0; k < n; ++k) *to++ = rows[k * lanes + i];
        for (std::size_t k = 0; k < m; ++k) *to++ = rows[(2 * n + k) * lanes + i];
    }
}

template <class T>
PairSolver<T>::PairSolver(std::shared_ptr<const CompiledStages> compiled)
    : stages_(std::move(compiled)), compiled_(*stages_->pairs), s_(compiled_.weights.stages()), n_(compiled_.n),
      m_(compiled_.m), lanes_(stages_->lanes()), mu_(rounded_pair<T>(compiled_.weights)),
      b_(rounded<T>(compiled_.weights.b, pair_slope_factor)), c_(rounded<T>(compiled_.weights.c)),
      q_advance_(n_ * s_, T(0)), change_(q_advance_), p_advance_(q_advance_), move_(q_advance_), v_(q_advance_),
      p_(q_advance_), rate_(q_advance_), lambda_(m_ * s_, T(0)), residual_(lambda_), size_{}, factor_{},
      increment_(compiled_.states(), T(0)), forces_(compiled_.forces), velocities_(compiled_.velocities) {
    for (const auto& row : compiled_.weights.inverse) inverse_.push_back(rounded<T>(row));
    for (const auto& row : compiled_.weights.ahead) ahead_.push_back(rounded<T>(row));
    if (m_ > 0) constraints_.emplace(compiled_.constraints), end_.emplace(compiled_.end);
}

template <class T> void PairSolver<T>::reset(T* hint) const {
    T* const rows = hint + stages_->first_row() * lanes_;
    std::fill(hint + compiled_.hints, hint + stages_->all_hints(), T(0));
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
        const T* const from = hint + std::min(lane, s_ - 1) * (n_ + m_);
        for (std::size_t k = 0; k < n_; ++k) rows[k * lanes_ + lane] = from[k];
        for (std::size_t k = 0; k < m_; ++k) rows[(2 * n_ + k) * lanes_ + lane] = from[n_ + k];
    }
}

template <class T> void PairSolver<T>::begin(const Place& at, const T* hint) {
    const T* const rows = hint + stages_->first_row() * lanes_;
    const T factor = pair_slope_factor;
    for (std::size_t i = 0; i < s_; ++i) {
        const T weight = at.h * b_[i];
        for (std::size_t k = 0; k < n_; ++k) {
            v_[k * s_ + i] = rows[k * lanes_ + i], rate_[k * s_ + i] = rows[(n_ + k) * lanes_ + i];
            q_advance_[k * s_ + i] = weight * (factor * v_[k * s_ + i]);
            p_advance_[k * s_ + i] = weight * (factor * rate_[k * s_ + i]);
        }
        for (std::size_t k = 0; k < m_; ++k) lambda_[k * s_ + i] = rows[(2 * n_ + k) * lanes_ + i];
    }
    std::fill(change_.begin(), change_.end(), T(0));
    advance_momenta(at);
}

template <class T> T* PairSolver<T>::begin_given(SystemSolver<T>& system, const Place& at) const {
    return std::copy_n(at.state, compiled_.constants, system.given());
}
template <class T> bool PairSolver<T>::solve_at(SystemSolver<T>& system, T* to, T t, const Place& at) const {
    *to++ = t, *to++ = at.h;
    std::copy_n(at.parameters, compiled_.parameters, to);
    Report own;
    return system.solve(own);
}

// The residuals of the constraints. Near the solution the rounding of a new evaluation would keep multipliers, which
// divide it by h^2, from settling: from there on the last residuals follow the change of the stages.
template <class T> bool PairSolver<T>::meet_constraints(const Place& at, bool follows) {
    for (std::size_t i = 0; i < s_; ++i) {
        for (std::size_t k = 0; k < n_; ++k)
            move_[k * s_ + i] = weighted_sum(s_, mu_.of_q[i].data(), q_advance_.data() + k * s_);
        if (m_ == 0) continue;
        T* to = begin_given(*constraints_, at);
        to = std::copy_n(at.state + compiled_.constants, n_, to);
        for (std::size_t k = 0; k < n_; ++k) *to++ = move_[k * s_ + i];
        for (std::size_t k = 0; k < n_; ++k) *to++ = weighted_sum(s_, mu_.of_q[i].data(), change_.data() + k * s_);
        if (!solve_at(*constraints_, to, at.t + c_[i] * at.h, at)) return false;
        for (std::size_t k = 0; k < m_; ++k) {
            T& residual = residual_[k * s_ + i];
            residual = follows ? residual + constraints_->result(m_ + k) : constraints_->result(k);
        }
    }
    return true;
}

template <class T> bool PairSolver<T>::find_forces(const Place& at) {
    const T factor = -1 / (at.h * at.h);
    size_[1] = 0;
    for (std::size_t i = 0; i < s_; ++i) {
        T* to = begin_given(forces_, at);
        for (std::size_t k = 0; k < n_; ++k) *to++ = position(at, k, i);
        for (std::size_t k = 0; k < n_; ++k) *to++ = p_[k * s_ + i];
        for (std::size_t k = 0; k < n_; ++k) *to++ = v_[k * s_ + i];
        for (std::size_t k = 0; k < m_; ++k) *to++ = lambda_[k * s_ + i];
        if (m_ > 0)
            for (std::size_t k = 0; k < n_; ++k) *to++ = rate_[k * s_ + i];
        for (std::size_t k = 0; k < m_; ++k)
            *to++ = factor * weighted_sum(s_, inverse_[i].data(), residual_.data() + k * s_);
        if (!solve_at(forces_, to, at.t + c_[i] * at.h, at)) return false;
        const T weight = at.h * b_[i];
        for (std::size_t k = 0; k < m_; ++k) lambda_[k * s_ + i] = forces_.result(k);
        for (std::size_t k = 0; k < n_; ++k) {
            rate_[k * s_ + i] = forces_.result(m_ + k);
            const T next = weight * (T(pair_slope_factor) * rate_[k * s_ + i]);
            T& advance = p_advance_[k * s_ + i];
            size_[1] = std::max(size_[1], real::abs(next - advance));
            advance = next;
        }
    }
    return true;
}

template <class T> void PairSolver<T>::advance_momenta(const Place& at) {
    const T* const p = at.state + compiled_.constants + n_;
    for (std::size_t k = 0; k < n_; ++k)
        for (std::size_t i = 0; i < s_; ++i)
            p_[k * s_ + i] = p[k] + weighted_sum(s_, mu_.of_p[i].data(), p_advance_.data() + k * s_);
}

template <class T> bool PairSolver<T>::find_velocities(const Place& at) {
    size_[0] = 0;
    for (std::size_t i = 0; i < s_; ++i) {
        T* to = begin_given(velocities_, at);
        for (std::size_t k = 0; k < n_; ++k) *to++ = position(at, k, i);
        for (std::size_t k = 0; k < n_; ++k) *to++ = p_[k * s_ + i];
        for (std::size_t k = 0; k < n_; ++k) *to++ = v_[k * s_ + i];
        if (!solve_at(velocities_, to, at.t + c_[i] * at.h, at)) return false;
        const T weight = at.h * b_[i];
        for (std::size_t k = 0; k < n_; ++k) {
            v_[k * s_ + i] = velocities_.result(k);
            const T next = weight * (T(pair_slope_factor) * v_[k * s_ + i]);
            T &advance = q_advance_[k * s_ + i], &change = change_[k * s_ + i];
            change = next - advance;
            size_[0] = std::max(size_[0], real::abs(change));
            advance = next;
        }
    }
    return true;
}

// Of q and p: the largest advance of a stage in the first iteration.
template <class T> void PairSolver<T>::set_factors(const Place& at) {
    const T* const x = at.state + compiled_.constants;
    for (std::size_t kind = 0; kind < 2; ++kind) {
        const Rows& advance = kind == 0 ? q_advance_ : p_advance_;
        T scale = 0;
        for (std::size_t k = 0; k < n_; ++k) {
            scale = std::max(scale, solve::FixedLimits<T>::beside * real::abs(x[kind * n_ + k]));
            for (std::size_t i = 0; i < s_; ++i) scale = std::max(scale, real::abs(advance[k * s_ + i]));
        }
        factor_[kind] = 1 / scale;
    }
}

template <class T> bool PairSolver<T>::iterate(const Place& at, bool follows, bool scales) {
    if (!meet_constraints(at, follows) || !find_forces(at)) return false;
    advance_momenta(at);
    if (!find_velocities(at)) return false;
    if (scales) set_factors(at);
    return true;
}

// The increments of q and p, with the multipliers of the last stage.
template <class T> bool PairSolver<T>::meet_end(const Place& at) {
    T* const dq = increment_.data() + compiled_.constants;
    T* const dp = dq + n_;
    const std::size_t last = s_ - 1, stages = m_ > 0 ? last : s_;
    for (std::size_t k = 0; k < n_; ++k) {
        dq[k] = q_advance_[k * s_], dp[k] = p_advance_[k * s_];
        for (std::size_t i = 1; i < s_; ++i) dq[k] = dq[k] + q_advance_[k * s_ + i];
        for (std::size_t i = 1; i < stages; ++i) dp[k] = dp[k] + p_advance_[k * s_ + i];
    }
    if (m_ > 0) {
        T* to = std::copy_n(at.state, compiled_.states(), end_->given());
        to = std::copy_n(dq, 2 * n_, to);
        for (const Rows* rows : {&p_, &v_})
            for (std::size_t k = 0; k < n_; ++k) *to++ = (*rows)[k * s_ + last];
        for (std::size_t k = 0; k < m_; ++k) *to++ = lambda_[k * s_ + last];
        *to++ = at.h * b_[last];
        if (!solve_at(*end_, to, at.t + c_[last] * at.h, at)) return false;
        end_->results(0, n_, dp);
        for (std::size_t k = 0; k < m_; ++k) lambda_[k * s_ + last] = end_->result(n_ + k);
        for (std::size_t k = 0; k < n_; ++k) rate_[k * s_ + last] = end_->result(n_ + m_ + k);
    }
    return std::all_of(increment_.begin(), increment_.end(), [](const T& x) { return real::is_finite(x); });
}

template <class T> void PairSolver<T>::carry(T* hint) const {
    T* to = hint + stages_->first_row() * lanes_;
    for (const Rows* rows : {&v_, &rate_, &lambda_})
        for (std::size_t k = 0; k < rows->size() / s_; ++k)
            for (std::size_t lane = 0; lane < lanes_; ++lane) {
                const std::size_t i = std::min(lane, s_ - 1);
                *to++ = weighted_sum(s_, ahead_[i].data(), rows->data() + k * s_);
            }
    compiled_.give_newton(hint, lanes_);
}

template <class T>
bool PairSolver<T>::solve(const T* state, T t, T h, const T* parameters, bool, T* hint, Report& report) {
    using Limits = solve::FixedLimits<T>;
    const Place at{state, t, h, parameters};
    begin(at, hint);
    const T none = Real<T>::nan;
    solve::PairChanges<T> changes{none, none, none};
    int slow = 0;
    for (int iteration = 0; iteration < Limits::most_iterations && slow < Limits::most_slow; ++iteration) {
        if (!iterate(at, changes.last <= solve::most_followed<T>(), iteration == 0)) return false;
        T d = 0;
        for (std::size_t kind = 0; kind < 2; ++kind)
            if (size_[kind] != T(0)) d = std::max(d, size_[kind] * factor_[kind]);
        const auto [judged, larger] = solve::judge_pairs<T>(d, changes);
        if (judged.converged) {
            if (!meet_end(at)) return false;
            report.newton_iterations += iteration + 1, ++report.newton_solves;
            carry(hint);
            return true;
        }
        slow += judged.slow;
        // NOTE: the first change says nothing where p' of the last step is not known.
        if (iteration > 0) changes = {d, larger, changes.larger};
    }
    return false;
}

#define RATTLEBACK_INSTANTIATE(T)                                                                                      \
    template RoundedPair<T> rounded_pair(const PairWeights&);                                                          \
    template void CompiledPairs::give_newton(T*, std::size_t) const;                                                   \
    template class PairSolver<T>;
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
