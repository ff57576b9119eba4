#include "code/stages.hpp"

#include <algorithm>

#include "code/block_writer.hpp"
#include "code/kronecker.hpp"
#include "code/native.hpp"
#include "code/pairs.hpp"
#include "code/step.hpp"
#include "solve/kronecker_rules.hpp"
#include "solve/slope_factor.hpp"

namespace rattleback::code {
namespace {

using Limits = solve::FixedLimits<double>;
using KroneckerLimits = solve::KroneckerLimits<double>;

// Rows of the table.
struct Rows {
    explicit Rows(const CompiledStages& stages)
        : s(stages.weights.stages()), kronecker(stages, 3 * stages.weights.stages() + 3) {}
    std::size_t s;
    KroneckerRows kronecker;
    std::size_t mu(std::size_t j) const { return j; } // of lane i: mu_ij
    std::size_t b() const { return s; }
    std::size_t c() const { return s + 1; }
    std::size_t ahead(std::size_t j) const { return s + 2 + j; }
    std::size_t values_ahead(std::size_t j) const { return 2 * s + 2 + j; }
    std::size_t left_over() const { return 3 * s + 2; } // in all lanes
    std::size_t count() const { return kronecker.first + kronecker.count(); }
};

class StageWriter : public StageRows {
  public:
    StageWriter(const CompiledStages& stages, bool steady)
        : StageRows(listing_, stages.weights.stages(), stages.lanes()), stages_(stages), rows_(stages), steady_(steady),
          s_(rows_.s), lanes_(stages.lanes()), n_(stages.n), y_(stages.carried_y()),
          trouble_(listing_, nowhere(listing_)), rate_(listing_, *stages.rate, trouble_, static_cast<int>(lanes_)) {
        const auto writer = [&](std::optional<BlockWriter>& to, const std::shared_ptr<const CompiledSystem>& system) {
            if (system) to.emplace(listing_, *system, trouble_, static_cast<int>(lanes_));
        };
        writer(ends_, stages.ends), writer(arrival_, stages.arrival), writer(recentred_, stages.recentred);
        const std::size_t rest = looked_at(stages.looked_at.size());
        if (stages.kronecker) kronecker_.emplace(listing_, stages, *this, rows_.kronecker, rest, trouble_);
    }

    Listing write() {
        count_ = Variable<Number>(listing_, one(Array::iterations, 0));
        left_ = Variable<Mask>(listing_, nowhere(listing_));
        rate_.declare();
        for (auto* writer : {&ends_, &arrival_, &recentred_})
            if (*writer) (*writer)->declare();
        if (kronecker_) kronecker_->declare();
        const auto variables = [&](std::vector<Variable<Number>>& to, Array from, std::size_t first,
                                   std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) to.emplace_back(listing_, one(from, first + i));
        };
        variables(state_, Array::state, 0, stages_.states()), variables(low_, Array::low, 0, stages_.states());
        variables(hint_, Array::hint, 0, stages_.hints);
        variables(shift_, Array::hint, stages_.size_place() + 1, stages_.moves ? n_ : 0);
        size_ = Variable<Number>(listing_, one(Array::hint, stages_.size_place()));
        for (std::size_t k = 0; k < n_ + y_; ++k)
            store(Array::slots, kept(k), load(Array::hint, stages_.first_row() + k));
        for (std::size_t i = 0; i < stages_.parameters; ++i) parameters_.push_back(one(Array::parameters, i));
        listing_.put(Do::begin_steps);
        step();
        listing_.put(Do::end_steps);
        end();
        return std::move(listing_);
    }

  private:
    // Rows of Array::slots: the advances L of this step; what is carried to the next, L and y; y; one for maxima; x at
    // the stages, where the end of the step looks at it; those of the simplified Newton method.
    std::size_t L(std::size_t k) const { return k; }
    std::size_t kept(std::size_t k) const { return n_ + k; }
    std::size_t y(std::size_t k) const { return 2 * n_ + y_ + k; }
    std::size_t across() const { return 2 * n_ + 2 * y_; }
    std::size_t looked_at(std::size_t k) const { return across() + 1 + k; }
    std::size_t results() const { return looked_at(stages_.looked_at.size()) + KroneckerRows::slots(stages_); }
    Number x(std::size_t k) const { return state_[stages_.constants + k].get(); }

    Number left_over() { return load(table, rows_.left_over()); }
    static Number larger(const Number& x, const Number& y) { return select(x < y, y, x); }

    double near() const { return stages_.kronecker ? KroneckerLimits::near : Limits::near; }

    // The largest of all lanes, in all lanes.
    Number largest_across(const Number& x) { return StageRows::largest_across(x, across()); }

    void step() {
        trouble_.set(nowhere(listing_));
        const auto shared = [&](Array array) { return Number{listing_, listing_.put(Do::load_shared, array)}; };
        t_ = (one(Array::t0, 0) + shared(Array::times)) + shared(Array::offsets), h_ = shared(Array::sizes);
        weight_ = h_ * load(table, rows_.b());
        const Number stage_time = t_ + load(table, rows_.c()) * h_;
        const Number longer = h_ / size_.get();
        for (std::size_t k = 0; k < n_; ++k) store(Array::slots, L(k), load(Array::slots, kept(k)) * longer);
        for (std::size_t k = 0; k < y_; ++k) store(Array::slots, y(k), load(Array::slots, kept(n_ + k)));
        begin_.clear();
        for (std::size_t k = 0; k < n_; ++k) {
            begin_.emplace_back(listing_, stages_.moves ? x(k) + shift_[k].get() : x(k));
        }
        if (kronecker_) prepare();
        const Variable<Number> round(listing_, constant(0));
        iterate(stage_time, round);
        const std::vector<Number> moved = stages_.moves ? found_increments() : ends(), increments = arrive(moved);
        rate_.demand_finite(increments);
        left_.set(trouble_.get());
        listing_.put(Do::stop_if, left_.get().line());
        count_.set(count_.get() + round.get());
        carry(moved);
        add(increments);
    }

    // The matrix of the simplified Newton method, where the step begins.
    void prepare() {
        std::vector<Number> given;
        for (const auto& x : begin_) given.push_back(x.get());
        for (std::size_t k = 0; k < stages_.constants; ++k) given.push_back(state_[k].get());
        for (std::size_t k = 0; k < stages_.y; ++k) given.push_back(y_ > 0 ? of_stage(y(k), 0) : constant(0));
        given.push_back(t_), given.push_back(h_);
        given.insert(given.end(), parameters_.begin(), parameters_.end());
        kronecker_->prepare(given, h_);
        kronecker_->begin_step(h_, load(table, rows_.b()), weight_);
    }

    // With all stages at the state, where the first change says that they began astray.
    void begin_again(const Number& d, const Number& round) {
        const Mask astray = without(round == 0.0, d <= KroneckerLimits::astray);
        listing_.put(Do::begin_if, astray.line());
        for (std::size_t k = 0; k < n_; ++k) store(Array::slots, L(k), constant(0));
        listing_.put(Do::end_if);
    }
    solve::FixedJudged<Mask> judge_simplified(const Number& d, const Number& last, const Variable<Number>& best,
                                              const Variable<Mask>& hidden) {
        const auto judged = solve::judge_simplified<double>(d, last, best.get(), round_off(), hidden.get());
        const Number contraction = d / last;
        hidden.set(judged.hidden), best.set(select(contraction < best.get(), contraction, best.get()));
        return {judged.converged, judged.slow};
    }
    Number round_off() {
        Number most = constant(0);
        for (std::size_t k = 0; k < n_; ++k)
            most = larger(most, kronecker_->rounding()[k] * factor_[stages_.kind[k]].get());
        return KroneckerLimits::rounding * most;
    }

    void iterate(const Number& stage_time, const Variable<Number>& round) {
        const Variable<Number> last(listing_, constant(Real<double>::nan)), slow(listing_, constant(0)),
            best(listing_, constant(1));
        const Variable<Mask> hidden(listing_, nowhere(listing_));
        factor_.clear(), increment_.clear(), tilt_.clear();
        for (std::uint32_t k = 0; k < stages_.kinds; ++k) factor_.emplace_back(listing_, constant(0));
        for (auto* found : {&increment_, &tilt_})
            for (std::size_t k = 0; stages_.moves && k < n_; ++k) found->emplace_back(listing_, constant(0));
        listing_.put(Do::begin_loop);
        const Mask scales = round.get() <= (kronecker_ ? static_cast<double>(KroneckerLimits::scaling) : 0.0);
        if (kronecker_) {
            listing_.put(Do::begin_if, scales.line());
            kronecker_->find_low(L(0));
            listing_.put(Do::end_if);
        }
        const std::vector<Number> next = slopes(stage_time);
        listing_.put(Do::begin_if, scales.line());
        set_factors(next);
        listing_.put(Do::end_if);
        std::vector<Number> size(stages_.kinds, constant(0));
        for (std::size_t k = 0; k < n_; ++k) {
            Number& largest = size[stages_.kind[k]];
            largest = larger(largest, magnitude(next[k] - load(Array::slots, L(k))));
        }
        for (std::size_t k = 0; k < n_; ++k) store(Array::slots, L(k), next[k]);
        const Variable<Number> d(listing_, largest_across(relative(size)));
        if (stages_.moves) meet_ends(d, last);
        if (kronecker_) begin_again(d.get(), round.get());
        const auto judged = kronecker_ ? judge_simplified(d.get(), last.get(), best, hidden)
                                       : solve::judge_fixed<double>(d.get(), last.get(), left_over());
        const Mask converged = stages_.moves && kronecker_ ? judged.converged & (d.get() <= near()) : judged.converged;
        last.set(d.get());
        round.set(round.get() + 1.0);
        slow.set(slow.get() + as_number(judged.slow));
        const Mask given_up = (round.get() >= static_cast<double>(Limits::most_iterations)) |
                              (slow.get() >= static_cast<double>(Limits::most_slow));
        trouble_.set(trouble_.get() | without(given_up, converged));
        // NOTE: all lanes decide alike, but for trouble, which ends the loop for all of them.
        running_.set(~converged);
        listing_.put(Do::begin_if, trouble_.get().line());
        running_.set(nowhere(listing_));
        listing_.put(Do::end_if);
        listing_.put(Do::leave_unless, running_.get().line());
        listing_.put(Do::end_loop);
    }

    std::vector<Number> mu() {
        return weights([&](std::size_t j) { return rows_.mu(j); });
    }
    // The right-hand side at all stages: the advances that it leads to, or that the simplified Newton method finds.
    std::vector<Number> slopes(const Number& stage_time) {
        const std::vector<Number> mu = this->mu();
        std::size_t slot = 0;
        Formulas& formulas = rate_.formulas();
        const auto give = [&](const Number& x) { formulas.give(static_cast<Slot>(slot++), x); };
        for (std::size_t k = 0; k < n_; ++k) {
            const Number low = kronecker_ ? kronecker_->low(k) : constant(0);
            give(begin_[k].get() + weighted_sum(mu, L(k), kronecker_ ? &low : nullptr));
        }
        for (std::size_t k = 0; k < stages_.constants; ++k) give(state_[k].get());
        for (std::size_t k = 0; k < stages_.y; ++k) give(y_ > 0 ? load(Array::slots, y(k)) : constant(0));
        give(stage_time), give(h_);
        for (const Number& p : parameters_) give(p);
        const Variable<Number> inner(listing_, constant(0));
        rate_.write(~nowhere(listing_), inner);
        formulas.write(stages_.rate->after);
        std::vector<Number> next, now;
        const double factor = slope_factor(stages_.weights);
        for (std::size_t k = 0; k < n_; ++k) {
            const Number at = formulas.at(stages_.rate->results[k]), slope = factor == 1 ? at : constant(factor) * at;
            if (kronecker_) now.push_back(load(Array::slots, L(k)));
            next.push_back(kronecker_ ? kronecker_->residual(weight_, slope, now[k]) : weight_ * slope);
        }
        for (std::size_t k = 0; k < y_; ++k) store(Array::slots, y(k), formulas.at(stages_.rate->results[n_ + k]));
        return kronecker_ ? kronecker_->correct(now, next) : next;
    }

    // One over what changes are compared with, kind by kind.
    void set_factors(const std::vector<Number>& next) {
        std::vector<Number> scale(stages_.kinds, constant(0));
        for (std::size_t k = 0; k < n_; ++k) {
            Number& largest = scale[stages_.kind[k]];
            largest = larger(larger(largest, Limits::beside * magnitude(begin_[k].get())), magnitude(next[k]));
        }
        for (std::size_t k = 0; k < scale.size(); ++k) factor_[k].set(1.0 / largest_across(scale[k]));
    }
    Number relative(const std::vector<Number>& size) {
        Number most = constant(0);
        for (std::size_t k = 0; k < size.size(); ++k)
            most = larger(most, select(size[k] == 0.0, constant(0), size[k] * factor_[k].get()));
        return most;
    }

    // What is solved beside the stages, from the advance: the results in the order of CompiledStages::ends.
    std::vector<Number> solve_ends() {
        std::vector<Number> advance;
        for (std::size_t k = 0; k < n_; ++k) {
            Number sum = of_stage(L(k), 0);
            for (std::size_t j = 1; j < s_; ++j) sum = sum + of_stage(L(k), j);
            advance.push_back(sum);
        }
        if (!ends_) return advance;
        std::vector<Number> given = advance;
        for (const auto& x : tilt_) given.push_back(x.get());
        for (const auto& x : hint_) given.push_back(x.get());
        return solve(*ends_, *stages_.ends, given);
    }
    // Of a system that is given the state, these, t, h and parameters.
    std::vector<Number> solve(BlockWriter& writer, const CompiledSystem& system, const std::vector<Number>& given) {
        std::size_t slot = 0;
        Formulas& formulas = writer.formulas();
        const auto give = [&](const Number& x) { formulas.give(static_cast<Slot>(slot++), x); };
        for (const auto& x : state_) give(x.get());
        for (const Number& x : given) give(x);
        give(t_), give(h_);
        for (const Number& p : parameters_) give(p);
        const Variable<Number> inner(listing_, constant(0));
        writer.write(~nowhere(listing_), inner);
        formulas.write(system.after);
        std::vector<Number> results;
        for (Slot r : system.results) results.push_back(formulas.at(r));
        return results;
    }
    std::vector<Number> ends() {
        std::vector<Number> results = solve_ends();
        if (ends_) results.erase(results.begin(), results.begin() + static_cast<std::ptrdiff_t>(n_));
        return results;
    }
    // Where the stages begin, once the advance is known well enough; d then has what that changes, too.
    void meet_ends(const Variable<Number>& d, const Variable<Number>& last) {
        const Mask is_near = d.get() <= near();
        const Mask met = kronecker_ ? is_near : is_near | solve::is_left<Number>(d.get(), last.get(), left_over());
        listing_.put(Do::begin_if, met.line());
        const std::vector<Number> results = solve_ends();
        std::vector<Number> size(stages_.kinds, constant(0));
        for (std::size_t k = 0; k < n_; ++k) {
            Number& largest = size[stages_.kind[k]];
            largest = larger(largest, magnitude(results[k] - begin_[k].get()));
            begin_[k].set(results[k]), increment_[k].set(results[n_ + k]), tilt_[k].set(results[2 * n_ + k]);
        }
        d.set(larger(d.get(), relative(size)));
        listing_.put(Do::end_if);
    }
    std::vector<Number> found_increments() {
        std::vector<Number> all;
        for (const auto& x : increment_) all.push_back(x.get());
        return all;
    }

    // The increment of the state, from that of x in the step's own charts.
    std::vector<Number> arrive(const std::vector<Number>& moved) {
        if (!arrival_) {
            std::vector<Number> all(stages_.constants, constant(0));
            all.insert(all.end(), moved.begin(), moved.end());
            return all;
        }
        const std::vector<Number> mu = this->mu();
        for (std::size_t i = 0; i < stages_.looked_at.size(); ++i) {
            const std::size_t k = stages_.looked_at[i];
            store(Array::slots, looked_at(i), begin_[k].get() + weighted_sum(mu, L(k)));
        }
        std::vector<Number> given = moved;
        for (std::size_t j = 0; j < s_; ++j)
            for (std::size_t i = 0; i < stages_.looked_at.size(); ++i) given.push_back(of_stage(looked_at(i), j));
        std::vector<Number> results = solve(*arrival_, *stages_.arrival, given);
        if (recentred_) charts_change_ = results.back() != 0.0, results.pop_back();
        return results;
    }

    // The advances that the next step starts from, led on to the stages there, are seen in its charts.
    void recentre(const std::vector<Number>& moved) {
        listing_.put(Do::begin_if, charts_change_.line());
        const std::vector<Number> mu = this->mu();
        std::vector<Number> given = moved;
        for (std::size_t k = 0; k < n_; ++k) given.push_back((x(k) + moved[k]) + weighted_sum(mu, kept(k)));
        for (std::size_t k = 0; k < n_; ++k) given.push_back(load(Array::slots, kept(k)));
        const std::vector<Number> seen = solve(*recentred_, *stages_.recentred, given);
        const Mask fails = trouble_.get() | ~recentred_->finite(seen);
        for (std::size_t k = 0; k < n_; ++k)
            store(Array::slots, kept(k), select(fails, constant(Real<double>::nan), seen[k]));
        for (const auto& shift : shift_) shift.set(constant(0)); // it is found anew
        listing_.put(Do::end_if);
    }

    // Advances and y that the next step starts from.
    void carry(const std::vector<Number>& moved) {
        const std::vector<Number> ahead = weights([&](std::size_t j) { return rows_.ahead(j); });
        for (std::size_t k = 0; k < n_; ++k)
            store(Array::slots, kept(k), steady_ ? load(Array::slots, L(k)) : weighted_sum(ahead, L(k)));
        if (y_ > 0) {
            const std::vector<Number> values = weights([&](std::size_t j) { return rows_.values_ahead(j); });
            for (std::size_t k = 0; k < y_; ++k) {
                store(Array::slots, kept(n_ + k), steady_ ? load(Array::slots, y(k)) : weighted_sum(values, y(k)));
                hint_[(s_ - 1) * y_ + k].set(of_stage(y(k), s_ - 1)); // where nodes begin to search
            }
        }
        size_.set(h_);
        for (std::size_t k = 0; k < shift_.size(); ++k) shift_[k].set(begin_[k].get() - x(k));
        if (recentred_) recentre(moved);
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
        std::size_t row = results();
        const auto give_back = [&](const Number& x) { store(Array::slots, row++, x); };
        for (const auto& x : state_) give_back(x.get());
        for (const auto& x : low_) give_back(x.get());
        give_back(count_.get()), give_back(size_.get());
        for (const auto& x : shift_) give_back(x.get());
        for (std::size_t k = 0; k < y_; ++k) give_back(hint_[(s_ - 1) * y_ + k].get());
        for (std::size_t k = 0; k < n_ + y_; ++k)
            store(Array::hint, stages_.first_row() + k, load(Array::slots, kept(k)));
    }

    const CompiledStages& stages_;
    Rows rows_;
    bool steady_;
    std::size_t s_, lanes_, n_, y_; // stages, lanes, components of x and of carried y
    Listing listing_;
    Variable<Mask> trouble_;
    BlockWriter rate_;
    std::optional<BlockWriter> ends_, arrival_, recentred_;
    std::optional<KroneckerWriter> kronecker_;
    Variable<Mask> running_ = Variable<Mask>(listing_);
    Variable<Mask> left_;
    Mask charts_change_;
    Variable<Number> count_, size_; // size_: of the step that the carried advances belong to
    std::vector<Variable<Number>> state_, low_, hint_, shift_, begin_, increment_, tilt_, factor_;
    std::vector<Number> parameters_;
    Number t_, h_, weight_; // of the step at hand; weight_: h b of each stage, over slope_factor
};

} // namespace

StageTables stage_tables(const std::shared_ptr<const CompiledStages>& all) {
    const CompiledStages& stages = *all;
    if (stages.pairs) return pair_tables(all);
    const StageWeights& w = stages.weights;
    const Rows rows(stages);
    const std::size_t s = rows.s, lanes = stages.lanes();
    const auto mu = rounded_mu<double>(w), ahead = advances_ahead<double>(w);
    const std::size_t results =
        2 * (stages.n + stages.carried_y()) + 1 + stages.looked_at.size() + KroneckerRows::slots(stages);
    StageTables tables{all, std::vector<double>(rows.count() * lanes),
                       results + 2 * stages.states() + 2 + (stages.moves ? stages.n : 0) + stages.carried_y(), results};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t i = std::min(lane, s - 1); // lanes that are left over repeat the last stage
        const auto set = [&](std::size_t row, double x) { tables.weights[row * lanes + lane] = x; };
        set(rows.b(), static_cast<double>(w.b[i] / slope_factor(w))), set(rows.c(), static_cast<double>(w.c[i]));
        for (std::size_t j = 0; j < s; ++j) {
            set(rows.mu(j), mu[i][j]), set(rows.ahead(j), ahead[i][j]);
            set(rows.values_ahead(j), static_cast<double>(w.ahead[i][j]));
        }
    }
    fill_table(stages, rows.kronecker,
               [&](std::size_t row, std::size_t lane, double x) { tables.weights[row * lanes + lane] = x; });
    tables.end_iterations_at(stages.tolerance);
    return tables;
}

void StageTables::end_iterations_at(double tolerance) {
    if (stages->pairs) return;
    const Rows rows_of(*stages);
    const std::size_t lanes = stages->lanes();
    std::fill_n(weights.begin() + static_cast<std::ptrdiff_t>(rows_of.left_over() * lanes), lanes,
                left_over_by<double>(tolerance));
}

long long StageTables::run(Entry entry, std::array<double*, array_count> arrays, long long steps) const {
    constexpr std::size_t most = 8192; // on the stack
    alignas(64) double on_stack[most];
    const std::size_t lanes = stages->lanes();
    std::vector<double> on_heap(rows * lanes > most ? rows * lanes : 0);
    double* const slots = on_heap.empty() ? on_stack : on_heap.data();
    arrays[Array::slots] = slots;
    arrays[StageRows::table] = const_cast<double*>(weights.data()); // only read
    *arrays[Array::left] = 0;
    const long long taken = entry(arrays.data(), steps, function_table());
    const double* from = slots + results * lanes;
    if (stages->pairs) {
        take_pair_results(*stages, from, arrays);
        return taken;
    }
    const auto take = [&](double* to, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i, from += lanes) to[i] = *from;
    };
    double* const hint = arrays[Array::hint];
    take(arrays[Array::state], stages->states()), take(arrays[Array::low], stages->states());
    take(arrays[Array::iterations], 1);
    take(hint + stages->size_place(), stages->moves ? stages->n + 1 : 1);
    take(hint + (stages->weights.stages() - 1) * stages->y, stages->carried_y());
    return taken;
}

Shape stage_shape(const CompiledStages& stages) {
    const int lanes = static_cast<int>(stages.lanes());
    return {std::min(lanes, 8), (lanes + 7) / 8};
}

bool can_write(const CompiledStages& stages, std::size_t budget) {
    if (stages.pairs) {
        const auto systems = stages.pairs->systems();
        return std::all_of(systems.begin(), systems.end(),
                           [&](const auto& system) { return can_write(*system, budget); });
    }
    for (const auto& system : {stages.rate, stages.ends, stages.arrival, stages.recentred})
        if (system && !can_write(*system, budget)) return false;
    const auto& k = stages.kronecker;
    return !k || (can_write(*k->slopes, budget) && k->operations() <= budget);
}

Listing write_stages(const CompiledStages& stages, bool steady) {
    return stages.pairs ? write_pairs(stages) : StageWriter(stages, steady).write();
}

} // namespace rattleback::code
