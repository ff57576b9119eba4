#include "code/step.hpp"

#include "code/block_solver.hpp"
#include "code/formulas.hpp"
#include "solve/newton_rules.hpp"
#include "solve/system.hpp"

namespace rattleback::code {
namespace {

// Longer iterations are left to the tape. Fewer than the stalled iterations after which SystemSolver gives up, so that
// these need not be counted here.
constexpr double most_iterations = 9;

class StepWriter {
  public:
    StepWriter(const CompiledSystem& system, const Shape& shape, bool all_or_nothing = false)
        : system_(system), ends_(system_.ends), whole_call_(all_or_nothing && system_.blocks.empty()),
          lanes_(shape.lanes()), trouble_(listing_, nowhere(listing_)), formulas_(system_, listing_, trouble_) {}

    Listing write(const StepLayout& layout) {
        const Fields &given = layout.step->given, &results = layout.step->results;
        const Mask active = begin();
        const auto variables = [&](std::vector<Variable<Number>>& to, Array from, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i) to.emplace_back(listing_, load(from, i));
        };
        variables(state_, Array::state, given["state"].size), variables(low_, Array::low, given["state"].size);
        variables(hint_, Array::hint, given["hint"].size);
        for (std::size_t i = 0; i < given["parameters"].size; ++i)
            give(given["parameters"], i, load(Array::parameters, i));
        sums_ = results["increment"].size;
        if (!ends_.values.empty()) evaluate_at_start();
        listing_.put(Do::begin_steps);
        step(active, layout);
        listing_.put(Do::end_steps);
        if (whole_call_) take_back_if_in_trouble(active);
        end();
        store_all(state_, Array::state), store_all(low_, Array::low), store_all(hint_, Array::hint);
        return std::move(listing_);
    }

    Listing write_solve() {
        const Mask active = begin();
        for (std::size_t i = 0; i < system_.given; ++i) formulas_.give(static_cast<Slot>(i), load(Array::state, i));
        for (std::size_t i = 0; i < system_.results.size(); ++i) low_.emplace_back(listing_, constant(0));
        listing_.put(Do::begin_steps);
        const std::vector<Number> results = solve(active);
        for (std::size_t i = 0; i < results.size(); ++i) low_[i].set(results[i]);
        listing_.put(Do::end_steps);
        end();
        store_all(low_, Array::low);
        return std::move(listing_);
    }

  private:
    // Code before the loop over steps and, in end(), after it.
    Mask begin() {
        const Mask active = load(Array::active, 0) != 0.0;
        count_ = Variable<Number>(listing_, load(Array::iterations, 0));
        left_ = Variable<Mask>(listing_, nowhere(listing_));
        for (const Block& block : system_.blocks) matrices_.emplace_back(listing_, block);
        return active;
    }
    void end() {
        store(Array::left, 0, as_number(left_.get()));
        store(Array::iterations, 0, count_.get());
    }

    Number constant(double x) { return number(listing_, x); }
    Number load(Array array, std::size_t place) {
        return {listing_, listing_.put(Do::load, array, static_cast<std::uint32_t>(place))};
    }
    void store(Array array, std::size_t place, const Number& x) {
        listing_.put(Do::store, array, static_cast<std::uint32_t>(place), x.line());
    }

    void store_all(const std::vector<Variable<Number>>& from, Array to) {
        for (std::size_t i = 0; i < from.size(); ++i) store(to, i, from[i].get());
    }

    void give(const Fields::Field& field, std::size_t i, const Number& value) {
        formulas_.give(static_cast<Slot>(field.offset + i), value);
    }

    void step(const Mask& active, const StepLayout& layout) {
        const Fields& given = layout.step->given;
        for (std::size_t i = 0; i < state_.size(); ++i) give(given["state"], i, state_[i].get());
        for (std::size_t i = 0; i < hint_.size(); ++i) give(given["hint"], i, hint_[i].get());
        const auto shared = [&](Array array) { return Number{listing_, listing_.put(Do::load_shared, array)}; };
        // As Stepper has it: t0 + step h, then the part of a composition.
        give(given["t"], 0, (load(Array::t0, 0) + shared(Array::times)) + shared(Array::offsets));
        give(given["h"], 0, shared(Array::sizes));
        const Number count = count_.get();
        const std::vector<Number> results = solve(active);
        if (lanes_ > 1 && !whole_call_) stop_before(count);
        add(results);
        const std::size_t next_hint = layout.step->results[layout.next_hint].offset;
        for (std::size_t i = 0; i < hint_.size(); ++i) hint_[i].set(results[next_hint + i]);
    }

    // The system's results for the given values. Sets left_ in the lanes in trouble; lanes that are not active compute
    // results that are ignored.
    std::vector<Number> solve(const Mask& active) {
        trouble_.set(ends_.values.empty() ? nowhere(listing_) : at_start_trouble_.get());
        const Variable<Number> iterations(listing_, constant(0));
        for (std::size_t b = 0; b < system_.blocks.size(); ++b) {
            const Block& block = system_.blocks[b];
            formulas_.write(block.before);
            block.linear ? linear(block, matrices_[b]) : newton(block, matrices_[b], active, iterations);
        }
        if (!ends_.values.empty()) meet_ends();
        formulas_.write(system_.after);
        std::vector<Number> results, made;
        const std::size_t first = whole_call_ ? sums_ : 0; // increments: see whole_call_
        for (Slot s : system_.results) {
            results.push_back(formulas_.at(s));
            if (s >= system_.given && results.size() > first) made.push_back(results.back());
        }
        demand_finite(made);
        if (whole_call_) {
            left_.set(left_.get() | within(active, trouble_.get()));
            return results;
        }
        stop_if_alone();
        left_.set(within(active, trouble_.get()));
        count_.set(count_.get() + iterations.get());
        return results;
    }

    void take_back_if_in_trouble(const Mask& active) {
        std::vector<Number> values;
        for (const auto* variables : {&state_, &low_})
            for (const auto& v : *variables) values.push_back(v.get());
        left_.set(left_.get() | within(active, ~finite(values)));
        listing_.put(Do::begin_if, left_.get().line());
        const auto reload = [&](const std::vector<Variable<Number>>& variables, Array from) {
            for (std::size_t i = 0; i < variables.size(); ++i) variables[i].set(load(from, i));
        };
        reload(state_, Array::state), reload(low_, Array::low), reload(hint_, Array::hint);
        listing_.put(Do::end_if);
    }

    // Formulas that occur at both ends of a step (system.ends), before the first step. Later steps reuse their values
    // at the end of the step before.
    void evaluate_at_start() {
        for (const auto& m : ends_.moved) formulas_.give(m.state, state_[m.state].get());
        trouble_.set(nowhere(listing_));
        formulas_.write(ends_.formulas);
        at_start_trouble_ = Variable<Mask>(listing_, trouble_.get());
        for (Slot s : ends_.values) at_start_.emplace_back(listing_, formulas_.at(s));
        formulas_.forget(ends_.formulas);
    }
    void meet_ends() {
        at_start_trouble_.set(nowhere(listing_));
        for (std::size_t i = 0; i < at_start_.size(); ++i) formulas_.give(ends_.at_start[i], at_start_[i].get());
        for (const auto& m : ends_.moved) formulas_.give(m.low, low_[m.state].get());
        formulas_.write(ends_.until);
        for (const auto& m : ends_.moved) formulas_.give(m.state, formulas_.at(m.next));
        formulas_.write(ends_.formulas);
        for (const auto& m : ends_.moved) formulas_.give(m.state, state_[m.state].get());
        for (std::size_t i = 0; i < at_start_.size(); ++i) {
            const Number value = formulas_.at(ends_.values[i]);
            formulas_.give(ends_.at_end[i], value), at_start_[i].set(value);
        }
    }

    // With one lane, leaves the steps as soon as there is trouble. Several lanes go on together until all are done.
    void stop_if_alone() {
        if (lanes_ > 1 || whole_call_) return;
        left_.set(trouble_.get());
        listing_.put(Do::stop_if, left_.get().line());
    }
    // If any lane is in trouble, all lanes stop before this step is added; `count` is the count of iterations before
    // it.
    void stop_before(const Number& count) {
        const Number with_this_step = count_.get();
        count_.set(count);
        listing_.put(Do::stop_if, left_.get().line());
        count_.set(with_this_step);
    }
    // Assigns new values in the lanes of a mask. First to all lanes; the old values are put back in a branch that is
    // rarely taken, so that the common case needs no selects.
    void renew(const std::vector<Variable<Number>>& variables, const std::vector<Number>& values, const Mask& lanes) {
        std::vector<Number> before;
        if (lanes_ > 1)
            for (const auto& v : variables) before.push_back(v.get());
        for (std::size_t i = 0; i < values.size(); ++i) variables[i].set(values[i]);
        if (lanes_ == 1) return;
        listing_.put(Do::begin_if, (~lanes).line());
        for (std::size_t i = 0; i < values.size(); ++i) variables[i].set(select(lanes, values[i], before[i]));
        listing_.put(Do::end_if);
    }
    Mask within(const Mask& lanes, const Mask& condition) { return lanes_ > 1 ? lanes & condition : condition; }

    // Compensated summation, state + increment by Knuth's two-sum, as in Stepper.
    void add(const std::vector<Number>& results) {
        for (std::size_t i = sums_; i < state_.size(); ++i) state_[i].set(results[i]), low_[i].set(constant(0));
        for (std::size_t i = 0; i < sums_; ++i) {
            const Number state = state_[i].get(), low = low_[i].get();
            const Number increment = results[i] + low, sum = state + increment, part = sum - state;
            low_[i].set((state - (sum - part)) + (increment - part));
            state_[i].set(sum);
        }
    }

    // Are all values finite? 0 * sum is NaN if one is NaN or infinite, and for a sum that overflows: then the tape
    // decides. The sum is a tree: a chain of additions would be bound by their latency.
    Mask finite(std::vector<Number> values) {
        if (values.empty()) return ~nowhere(listing_);
        for (std::size_t n = values.size(); n > 1; n = (n + 1) / 2)
            for (std::size_t i = 0; i < n / 2; ++i) values[i] = values[i] + values[n - 1 - i];
        const Number zero = 0.0 * values[0];
        return zero == zero;
    }
    void demand_finite(const std::vector<Number>& values) { trouble_.set(trouble_.get() | ~finite(values)); }

    std::vector<Number> residuals(const Block& block) {
        std::vector<Number> r;
        for (Slot s : block.residuals) r.push_back(formulas_.at(s));
        return r;
    }
    std::vector<Number> entries(const Block& block) {
        std::vector<Number> values;
        for (const BlockEntry& e : block.entries) values.push_back(formulas_.at(e.slot));
        return values;
    }
    static std::vector<Number> negative(std::vector<Number> x) {
        for (Number& v : x) v = -v;
        return x;
    }

    void linear(const Block& block, BlockSolver& solver) {
        for (Slot u : block.unknowns) formulas_.give(u, constant(0));
        formulas_.write(block.residual);
        const std::vector<Number> r = residuals(block);
        demand_finite(r);
        formulas_.write(block.jacobian);
        renew(solver.variables(), solver.prepare(entries(block), ~nowhere(listing_), trouble_), ~nowhere(listing_));
        const std::vector<Number> x = solver.solve(negative(r), trouble_);
        demand_finite(x);
        for (std::size_t i = 0; i < x.size(); ++i) formulas_.give(block.unknowns[i], x[i]);
        formulas_.forget(block.residual), formulas_.forget(block.jacobian);
    }

    void newton(const Block& block, BlockSolver& solver, const Mask& active, const Variable<Number>& iterations) {
        std::vector<Variable<Number>> unknowns;
        for (Slot s : block.guess) unknowns.emplace_back(listing_, formulas_.at(s));
        const Variable<Mask> running(listing_, active & ~trouble_.get()), refresh(listing_, ~nowhere(listing_));
        const Variable<Number> last(listing_, constant(Real<double>::nan)), round(listing_, constant(0));
        const std::vector<Slot> kept = formulas_.used_after(block.residual, block.follow);
        std::vector<Variable<Number>> followed; // as the last round of each lane left it
        for (std::size_t i = 0; i < kept.size(); ++i) followed.emplace_back(listing_, constant(0));
        listing_.put(Do::begin_loop);
        for (std::size_t i = 0; i < unknowns.size(); ++i) formulas_.give(block.unknowns[i], unknowns[i].get());
        formulas_.write(block.residual);
        const std::vector<Number> r = residuals(block);
        demand_finite(r);
        stop_if_alone();
        running.set(running.get() & ~trouble_.get());
        const Mask here = within(running.get(), refresh.get());
        listing_.put(Do::begin_if, here.line());
        formulas_.write(block.jacobian);
        const std::vector<Number> prepared = solver.prepare(entries(block), here, trouble_);
        renew(solver.variables(), prepared, here | ~running.get()); // lanes that are done need theirs no more
        stop_if_alone();
        listing_.put(Do::end_if);
        running.set(running.get() & ~trouble_.get());
        const Mask now = running.get();
        std::vector<Number> seen, next;
        for (Slot s : kept) seen.push_back(formulas_.at(s));
        const std::vector<Number> du = solver.solve(negative(r), trouble_);
        for (std::size_t i = 0; i < du.size(); ++i) next.push_back(unknowns[i].get() + du[i]);
        renew(followed, seen, now), renew(unknowns, next, now);
        iterations.set(iterations.get() + (lanes_ > 1 ? as_number(now) : constant(1)));
        round.set(round.get() + 1.0);
        const Sizes sizes = sizes_of(block, next, du);
        const Number d = sizes.norm; // NaN if an increment is not finite
        const auto judged = solve::judge<double>(block.patience, d, last.get());
        const Mask stagnates = within(now, judged.stagnates);
        const Variable<Mask> converged(listing_, judged.converged);
        trouble_.set(trouble_.get() |
                     within(now, (d != d) | without(round.get() >= most_iterations, judged.converged)));
        listing_.put(Do::begin_if, stagnates.line()); // rarely
        look_for_noise(block, sizes, r, stagnates, converged);
        listing_.put(Do::end_if);
        refresh.set(~judged.keeps_matrix);
        last.set(d);
        stop_if_alone();
        running.set(within(now, ~converged.get()) & ~trouble_.get());
        listing_.put(Do::leave_unless, running.get().line());
        listing_.put(Do::end_loop);
        formulas_.forget(block.residual), formulas_.forget(block.jacobian);
        for (std::size_t i = 0; i < unknowns.size(); ++i) formulas_.give(block.unknowns[i], unknowns[i].get());
        for (std::size_t i = 0; i < kept.size(); ++i) formulas_.give(kept[i], followed[i].get());
        formulas_.write(block.follow);
        for (Slot s : block.changes)
            trouble_.set(trouble_.get() | ~(magnitude(formulas_.at(s)) <= solve::most_followed<double>()));
    }

    static Number larger(const Number& x, const Number& y) { return select(x < y, y, x); }
    Number largest_of(const std::vector<Number>& values) {
        Number most = constant(0);
        for (const Number& x : values) most = select(~(x <= most), x, most); // also takes NaN
        return most;
    }

    // For each kind of unknowns the largest value and the largest increment, and the largest ratio of the two: Newton's
    // norm, as in SystemSolver.
    struct Sizes {
        std::vector<Number> scale, largest;
        Number norm;
    };
    Sizes sizes_of(const Block& block, const std::vector<Number>& unknowns, const std::vector<Number>& du) {
        Sizes s;
        s.norm = solve::relative_increment(
            block, constant(0), s.scale, s.largest, [&](std::size_t i) { return unknowns[i]; },
            [&](std::size_t i) { return du[i]; }, [&](Slot slot) { return formulas_.at(slot); });
        return s;
    }

    // SystemSolver::residual_is_noise, for the lanes of `where`: if it is, they have converged. The direct operands of
    // the residuals may be too small to decide; the tape then looks at more values.
    void look_for_noise(const Block& block, const Sizes& sizes, const std::vector<Number>& residuals, const Mask& where,
                        const Variable<Mask>& converged) {
        Number left = constant(0), whole = left;
        for (const Number& r : residuals) left = larger(left, magnitude(r));
        for (const Slot s : formulas_.operands(block.residuals, {block.before, block.residual}))
            whole = larger(whole, magnitude(formulas_.at(s)));
        const Mask small = solve::is_small_beside<double>(largest_of(sizes.largest), largest_of(sizes.scale)) & where,
                   enough = solve::is_round_off<double>(left, whole);
        converged.set(converged.get() | (small & enough));
        trouble_.set(trouble_.get() | without(small, enough));
    }

    const CompiledSystem& system_;
    const CompiledSystem::Ends& ends_;
    bool whole_call_; // StepLayout::all_or_nothing. A NaN or infinity stays in the state: one check at the end suffices
    int lanes_;
    Listing listing_;
    Variable<Mask> trouble_;
    Formulas formulas_;
    Variable<Mask> left_;
    Variable<Number> count_;
    std::vector<Variable<Number>> state_, low_, hint_;
    std::size_t sums_ = 0;                   // the first components of the state, whose results are increments
    std::vector<Variable<Number>> at_start_; // values of system.ends at the start of the step
    Variable<Mask> at_start_trouble_;
    std::vector<BlockSolver> matrices_;
};

} // namespace

std::size_t operation_count(const Program& program) {
    std::size_t count = 0;
    for (const Section& s : program.sections) count += s.nodes.size();
    return count;
}

std::optional<std::size_t> listed_operations(const CompiledSystem& system) {
    std::size_t operations = operation_count(system.program);
    for (const Block& b : system.blocks) {
        if (b.functional || (b.unknowns.size() > solve::most_inverted && !b.ordered)) return {};
        if (b.ordered) operations += BlockSolver::elimination(b).operations();
    }
    return operations;
}

Listing write_step(const StepLayout& layout, const Shape& shape) {
    return StepWriter(*layout.step->compiled, shape, layout.all_or_nothing).write(layout);
}
Listing write_solve(const CompiledSystem& system, const Shape& shape) {
    return StepWriter(system, shape).write_solve();
}

} // namespace rattleback::code
