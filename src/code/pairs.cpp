#include "code/pairs.hpp"

#include <algorithm>

#include "code/block_writer.hpp"
#include "code/stage_rows.hpp"
#include "solve/pair_rules.hpp"

namespace rattleback::code {
namespace {

using Limits = solve::FixedLimits<double>;

// Rows of the table: of lane i.
struct Rows {
    std::size_t s;
    std::size_t of_q(std::size_t j) const { return j; }
    std::size_t of_p(std::size_t j) const { return s + j; }
    std::size_t inverse(std::size_t j) const { return 2 * s + j; }
    std::size_t ahead(std::size_t j) const { return 3 * s + j; }
    std::size_t b() const { return 4 * s; }
    std::size_t c() const { return 4 * s + 1; }
    std::size_t count() const { return 4 * s + 2; }
};

// Rows of Array::slots: those of PairSolver, what is carried (v, p', multipliers), one for maxima, then the results.
struct Slots {
    explicit Slots(const CompiledPairs& pairs) : n(pairs.n), m(pairs.m) {}
    std::size_t n, m;
    std::size_t q_advance(std::size_t k) const { return k; }
    std::size_t change(std::size_t k) const { return n + k; }
    std::size_t p_advance(std::size_t k) const { return 2 * n + k; }
    std::size_t p(std::size_t k) const { return 3 * n + k; }
    std::size_t v(std::size_t k) const { return 4 * n + k; }
    std::size_t rate(std::size_t k) const { return 5 * n + k; }
    std::size_t lambda(std::size_t k) const { return 6 * n + k; }
    std::size_t residual(std::size_t k) const { return 6 * n + m + k; }
    std::size_t kept(std::size_t k) const { return 6 * n + 2 * m + k; } // in the order of v, rate, lambda
    std::size_t across() const { return kept(2 * n + m); }
    std::size_t results() const { return across() + 1; }
};

class PairWriter : public StageRows {
  public:
    explicit PairWriter(const CompiledStages& stages)
        : StageRows(listing_, stages.weights.stages(), stages.lanes()), stages_(stages), pairs_(*stages.pairs),
          s_(stages.weights.stages()), n_(pairs_.n), m_(pairs_.m), rows_{s_}, at_(pairs_),
          trouble_(listing_, nowhere(listing_)), forces_(listing_, *pairs_.forces, trouble_, lanes()),
          velocities_(listing_, *pairs_.velocities, trouble_, lanes()) {
        if (m_ == 0) return;
        constraints_.emplace(listing_, *pairs_.constraints, trouble_, lanes());
        end_.emplace(listing_, *pairs_.end, trouble_, lanes());
    }

    Listing write() {
        count_ = Variable<Number>(listing_, one(Array::iterations, 0));
        left_ = Variable<Mask>(listing_, nowhere(listing_));
        forces_.declare(), velocities_.declare();
        for (auto* writer : {&constraints_, &end_})
            if (*writer) (*writer)->declare();
        for (std::size_t i = 0; i < pairs_.states(); ++i) {
            state_.emplace_back(listing_, one(Array::state, i));
            low_.emplace_back(listing_, one(Array::low, i));
        }
        for (std::size_t k = 0; k < pairs_.rows(); ++k)
            store(Array::slots, at_.kept(k), load(Array::hint, stages_.first_row() + k));
        for (std::size_t i = 0; i < pairs_.parameters; ++i) parameters_.push_back(one(Array::parameters, i));
        listing_.put(Do::begin_steps);
        step();
        listing_.put(Do::end_steps);
        end();
        return std::move(listing_);
    }

  private:
    int lanes() const { return static_cast<int>(stages_.lanes()); }
    Number slot(std::size_t row) { return load(Array::slots, row); }
    Number q(std::size_t k) const { return state_[pairs_.constants + k].get(); }
    Number p(std::size_t k) const { return state_[pairs_.constants + n_ + k].get(); }
    static Number larger(const Number& x, const Number& y) { return select(x < y, y, x); }
    std::vector<Number> row_weights(std::size_t first) {
        return weights([&](std::size_t j) { return first + j; });
    }

    void step() {
        trouble_.set(nowhere(listing_));
        const auto shared = [&](Array array) { return Number{listing_, listing_.put(Do::load_shared, array)}; };
        t_ = (one(Array::t0, 0) + shared(Array::times)) + shared(Array::offsets), h_ = shared(Array::sizes);
        weight_ = h_ * load(table, rows_.b());
        stage_time_ = t_ + load(table, rows_.c()) * h_;
        factor_of_u_ = constant(-1) / (h_ * h_);
        begin();
        const Variable<Number> round(listing_, constant(0));
        iterate(round);
        const std::vector<Number> increments = meet_end();
        forces_.demand_finite(increments);
        left_.set(trouble_.get());
        listing_.put(Do::stop_if, left_.get().line());
        count_.set(count_.get() + round.get());
        carry();
        add(increments);
    }

    Number advance(const Number& slope) { return weight_ * (pair_slope_factor * slope); }

    void begin() {
        for (std::size_t k = 0; k < n_; ++k) {
            const Number v = slot(at_.kept(k)), rate = slot(at_.kept(n_ + k));
            store(Array::slots, at_.v(k), v), store(Array::slots, at_.rate(k), rate);
            store(Array::slots, at_.q_advance(k), advance(v)), store(Array::slots, at_.p_advance(k), advance(rate));
            store(Array::slots, at_.change(k), constant(0));
        }
        for (std::size_t k = 0; k < m_; ++k) store(Array::slots, at_.lambda(k), slot(at_.kept(2 * n_ + k)));
        for (std::size_t k = 0; k < m_; ++k) store(Array::slots, at_.residual(k), constant(0));
        advance_momenta();
    }

    void iterate(const Variable<Number>& round) {
        const Number nan = constant(Real<double>::nan);
        const Variable<Number> last(listing_, nan), larger_of_two(listing_, nan), larger_before(listing_, nan),
            slow(listing_, constant(0));
        for (auto& factor : factor_) factor = Variable<Number>(listing_, constant(0));
        const Variable<Mask> running(listing_, nowhere(listing_));
        listing_.put(Do::begin_loop);
        const std::vector<Number> positions = meet_constraints(last.get() <= solve::most_followed<double>());
        const Number p_size = find_forces(positions);
        advance_momenta();
        const Number q_size = find_velocities(positions);
        const Mask is_first = round.get() == 0.0;
        listing_.put(Do::begin_if, is_first.line());
        set_factors();
        listing_.put(Do::end_if);
        const auto relative = [&](const Number& size, const Variable<Number>& factor) {
            return select(size == 0.0, constant(0), size * factor.get());
        };
        const Number own = larger(larger(constant(0), relative(q_size, factor_[0])), relative(p_size, factor_[1]));
        const Number d = largest_across(own, at_.across());
        const auto [judged, now_larger] =
            solve::judge_pairs<double, Number>(d, {last.get(), larger_of_two.get(), larger_before.get()});
        const Number before = larger_of_two.get(); // NOTE: the first change is left out: see PairSolver
        larger_before.set(before);
        last.set(select(is_first, nan, d)), larger_of_two.set(select(is_first, nan, now_larger));
        round.set(round.get() + 1.0);
        slow.set(slow.get() + as_number(judged.slow));
        const Mask given_up = (round.get() >= static_cast<double>(Limits::most_iterations)) |
                              (slow.get() >= static_cast<double>(Limits::most_slow));
        trouble_.set(trouble_.get() | without(given_up, judged.converged));
        running.set(~judged.converged);
        listing_.put(Do::begin_if, trouble_.get().line());
        running.set(nowhere(listing_));
        listing_.put(Do::end_if);
        listing_.put(Do::leave_unless, running.get().line());
        listing_.put(Do::end_loop);
    }

    // A system at all stages at once; given: what comes between the constants and t.
    std::vector<Number> solve(BlockWriter& writer, const CompiledSystem& system, const std::vector<Number>& given) {
        std::size_t place = 0;
        Formulas& formulas = writer.formulas();
        const auto give = [&](const Number& x) { formulas.give(static_cast<Slot>(place++), x); };
        for (std::size_t k = 0; k < pairs_.constants; ++k) give(state_[k].get());
        for (const Number& x : given) give(x);
        give(stage_time_), give(h_);
        for (const Number& x : parameters_) give(x);
        const Variable<Number> inner(listing_, constant(0));
        writer.write(~nowhere(listing_), inner);
        formulas.write(system.after);
        std::vector<Number> results;
        for (Slot r : system.results) results.push_back(formulas.at(r));
        return results;
    }

    // Where the stages are; see PairSolver.
    std::vector<Number> meet_constraints(const Mask& follows) {
        const std::vector<Number> mu = row_weights(rows_.of_q(0));
        std::vector<Number> given, positions, moves, changes;
        for (std::size_t k = 0; k < n_; ++k) {
            given.push_back(q(k));
            moves.push_back(weighted_sum(mu, at_.q_advance(k)));
            positions.push_back(given[k] + moves[k]);
        }
        if (m_ == 0) return positions;
        for (std::size_t k = 0; k < n_; ++k) changes.push_back(weighted_sum(mu, at_.change(k)));
        given.insert(given.end(), moves.begin(), moves.end());
        given.insert(given.end(), changes.begin(), changes.end());
        const std::vector<Number> found = solve(*constraints_, *pairs_.constraints, given);
        for (std::size_t k = 0; k < m_; ++k)
            store(Array::slots, at_.residual(k), select(follows, slot(at_.residual(k)) + found[m_ + k], found[k]));
        return positions;
    }

    Number find_forces(const std::vector<Number>& positions) {
        const std::vector<Number> inverse = row_weights(rows_.inverse(0));
        std::vector<Number> given = positions;
        for (std::size_t k = 0; k < n_; ++k) given.push_back(slot(at_.p(k)));
        for (std::size_t k = 0; k < n_; ++k) given.push_back(slot(at_.v(k)));
        for (std::size_t k = 0; k < m_; ++k) given.push_back(slot(at_.lambda(k)));
        for (std::size_t k = 0; m_ > 0 && k < n_; ++k) given.push_back(slot(at_.rate(k)));
        for (std::size_t k = 0; k < m_; ++k) given.push_back(factor_of_u_ * weighted_sum(inverse, at_.residual(k)));
        const std::vector<Number> found = solve(forces_, *pairs_.forces, given);
        for (std::size_t k = 0; k < m_; ++k) store(Array::slots, at_.lambda(k), found[k]);
        Number size = constant(0);
        for (std::size_t k = 0; k < n_; ++k) {
            const Number next = advance(found[m_ + k]);
            size = larger(size, magnitude(next - slot(at_.p_advance(k))));
            store(Array::slots, at_.rate(k), found[m_ + k]), store(Array::slots, at_.p_advance(k), next);
        }
        return size;
    }

    void advance_momenta() {
        const std::vector<Number> mu = row_weights(rows_.of_p(0));
        for (std::size_t k = 0; k < n_; ++k) store(Array::slots, at_.p(k), p(k) + weighted_sum(mu, at_.p_advance(k)));
    }

    Number find_velocities(const std::vector<Number>& positions) {
        std::vector<Number> given = positions;
        for (std::size_t k = 0; k < n_; ++k) given.push_back(slot(at_.p(k)));
        for (std::size_t k = 0; k < n_; ++k) given.push_back(slot(at_.v(k)));
        const std::vector<Number> found = solve(velocities_, *pairs_.velocities, given);
        Number size = constant(0);
        for (std::size_t k = 0; k < n_; ++k) {
            const Number next = advance(found[k]), change = next - slot(at_.q_advance(k));
            size = larger(size, magnitude(change));
            store(Array::slots, at_.v(k), found[k]), store(Array::slots, at_.q_advance(k), next);
            store(Array::slots, at_.change(k), change);
        }
        return size;
    }

    void set_factors() {
        for (std::size_t kind = 0; kind < 2; ++kind) {
            Number scale = constant(0);
            for (std::size_t k = 0; k < n_; ++k) {
                scale = larger(scale, Limits::beside * magnitude(kind == 0 ? q(k) : p(k)));
                scale = larger(scale, magnitude(slot(kind == 0 ? at_.q_advance(k) : at_.p_advance(k))));
            }
            factor_[kind].set(1.0 / largest_across(scale, at_.across()));
        }
    }

    // In all lanes: the sum over the first stages, from the first on.
    Number sum(std::size_t row, std::size_t stages) {
        Number sum = of_stage(row, 0);
        for (std::size_t j = 1; j < stages; ++j) sum = sum + of_stage(row, j);
        return sum;
    }
    std::vector<Number> meet_end() {
        std::vector<Number> increments(pairs_.constants, constant(0)), dq, dp;
        for (std::size_t k = 0; k < n_; ++k) dq.push_back(sum(at_.q_advance(k), s_));
        for (std::size_t k = 0; k < n_; ++k) dp.push_back(sum(at_.p_advance(k), m_ > 0 ? s_ - 1 : s_));
        if (m_ > 0) dp = momenta_at_end(dq, dp);
        increments.insert(increments.end(), dq.begin(), dq.end());
        increments.insert(increments.end(), dp.begin(), dp.end());
        return increments;
    }
    // Solved in all lanes for the last stage, whose multipliers and p' all lanes then have.
    std::vector<Number> momenta_at_end(const std::vector<Number>& dq, const std::vector<Number>& dp) {
        std::vector<Number> given;
        for (std::size_t k = 0; k < 2 * n_; ++k) given.push_back(state_[pairs_.constants + k].get());
        given.insert(given.end(), dq.begin(), dq.end()), given.insert(given.end(), dp.begin(), dp.end());
        for (std::size_t k = 0; k < n_; ++k) given.push_back(of_stage(at_.p(k), s_ - 1));
        for (std::size_t k = 0; k < n_; ++k) given.push_back(of_stage(at_.v(k), s_ - 1));
        for (std::size_t k = 0; k < m_; ++k) given.push_back(of_stage(at_.lambda(k), s_ - 1));
        const Number time_of_stages = stage_time_;
        given.push_back(h_ * one(table, rows_.b() * stages_.lanes() + s_ - 1));
        stage_time_ = t_ + one(table, rows_.c() * stages_.lanes() + s_ - 1) * h_;
        const std::vector<Number> found = solve(*end_, *pairs_.end, given);
        stage_time_ = time_of_stages;
        last_ = {found.begin() + static_cast<std::ptrdiff_t>(n_), found.end()};
        return {found.begin(), found.begin() + static_cast<std::ptrdiff_t>(n_)};
    }

    // What the next step starts from, with what the last stage has in the end.
    void carry() {
        const std::vector<Number> ahead = row_weights(rows_.ahead(0));
        for (std::size_t k = 0; k < pairs_.rows(); ++k) {
            const bool changed = k >= n_ && m_ > 0;
            const Number* const end = changed ? &last_[k < 2 * n_ ? m_ + (k - n_) : k - 2 * n_] : nullptr;
            store(Array::slots, at_.kept(k), led_on(ahead, at_.v(0) + k, end)); // v, rate and lambda lie side by side
        }
    }
    Number led_on(const std::vector<Number>& weights, std::size_t from, const Number* end) {
        const auto value = [&](std::size_t j) { return end && j + 1 == s_ ? *end : of_stage(from, j); };
        Number sum = weights[0] * value(0);
        for (std::size_t j = 1; j < s_; ++j) sum = fused(weights[j], value(j), sum);
        return sum;
    }

    // Compensated summation, as in Stepper.
    void add(const std::vector<Number>& increments) {
        for (std::size_t i = 0; i < increments.size(); ++i) {
            const Number state = state_[i].get(), low = low_[i].get();
            const Number increment = increments[i] + low, sum = state + increment, part = sum - state;
            low_[i].set((state - (sum - part)) + (increment - part));
            state_[i].set(sum);
        }
    }

    void end() {
        listing_.put(Do::flag, Array::left, 0, left_.get().line());
        std::size_t row = at_.results();
        for (const auto* values : {&state_, &low_})
            for (const auto& x : *values) store(Array::slots, row++, x.get());
        store(Array::slots, row, count_.get());
        for (std::size_t k = 0; k < pairs_.rows(); ++k) store(Array::hint, stages_.first_row() + k, slot(at_.kept(k)));
    }

    const CompiledStages& stages_;
    const CompiledPairs& pairs_;
    std::size_t s_, n_, m_;
    Rows rows_;
    Slots at_;
    Listing listing_;
    Variable<Mask> trouble_;
    BlockWriter forces_, velocities_;
    std::optional<BlockWriter> constraints_, end_;
    Variable<Mask> left_;
    Variable<Number> count_;
    Variable<Number> factor_[2]; // of q and p: see PairSolver
    std::vector<Variable<Number>> state_, low_;
    std::vector<Number> parameters_, last_; // last_: multipliers and p' of the last stage in the end
    Number t_, h_, weight_, stage_time_, factor_of_u_;
};

} // namespace

StageTables pair_tables(const std::shared_ptr<const CompiledStages>& all) {
    const CompiledPairs& pairs = *all->pairs;
    const std::size_t s = pairs.weights.stages(), lanes = all->lanes(), results = Slots(pairs).results();
    const Rows rows{s};
    const auto mu = rounded_pair<double>(pairs.weights);
    StageTables tables{all, std::vector<double>(rows.count() * lanes), results + 2 * pairs.states() + 1, results};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t i = std::min(lane, s - 1); // lanes that are left over repeat the last stage
        const auto set = [&](std::size_t row, double x) { tables.weights[row * lanes + lane] = x; };
        set(rows.b(), static_cast<double>(pairs.weights.b[i] / pair_slope_factor)),
            set(rows.c(), static_cast<double>(pairs.weights.c[i]));
        for (std::size_t j = 0; j < s; ++j) {
            set(rows.of_q(j), mu.of_q[i][j]), set(rows.of_p(j), mu.of_p[i][j]);
            set(rows.inverse(j), static_cast<double>(pairs.weights.inverse[i][j]));
            set(rows.ahead(j), static_cast<double>(pairs.weights.ahead[i][j]));
        }
    }
    return tables;
}

void take_pair_results(const CompiledStages& stages, const double* from,
                       const std::array<double*, array_count>& arrays) {
    const std::size_t lanes = stages.lanes(), states = stages.pairs->states();
    const auto take = [&](double* to, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i, from += lanes) to[i] = *from;
    };
    take(arrays[Array::state], states), take(arrays[Array::low], states), take(arrays[Array::iterations], 1);
    stages.pairs->give_newton(arrays[Array::hint], lanes);
}

Listing write_pairs(const CompiledStages& stages) { return PairWriter(stages).write(); }

} // namespace rattleback::code
