#include "code/step.hpp"

#include <algorithm>

#include "code/block_writer.hpp"
#include "solve/system.hpp"

namespace rattleback::code {
namespace {

class StepWriter {
  public:
    StepWriter(const CompiledSystem& system, const Shape& shape, bool all_or_nothing = false)
        : system_(system), ends_(system_.ends), whole_call_(all_or_nothing && system_.blocks.empty()),
          lanes_(shape.lanes()), trouble_(listing_, nowhere(listing_)), blocks_(listing_, system_, trouble_, lanes_),
          formulas_(blocks_.formulas()) {}

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
        if (lanes_ == 1 && !whole_call_) blocks_.stop_alone(left_);
        blocks_.declare();
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
        const Moved next = moved(results, layout.step->results[layout.next_hint].offset);
        if (layout.node) carry(next, given, *layout.node);
        const auto set = [](const std::vector<Variable<Number>>& variables, const std::vector<Number>& values) {
            for (std::size_t i = 0; i < values.size(); ++i) variables[i].set(values[i]);
        };
        set(state_, next.state), set(low_, next.low), set(hint_, next.hint);
    }

    // The state, its low parts and the hint at the end of the step.
    struct Moved {
        std::vector<Number> state, low, hint;
    };
    // Compensated summation, state + increment by Knuth's two-sum, as in Stepper.
    Moved moved(const std::vector<Number>& results, std::size_t next_hint) {
        Moved next;
        for (std::size_t i = 0; i < sums_; ++i) {
            const Number state = state_[i].get(), low = low_[i].get();
            const Number increment = results[i] + low, sum = state + increment, part = sum - state;
            next.state.push_back(sum), next.low.push_back((state - (sum - part)) + (increment - part));
        }
        for (std::size_t i = sums_; i < state_.size(); ++i)
            next.state.push_back(results[i]), next.low.push_back(constant(0));
        for (std::size_t i = 0; i < hint_.size(); ++i) next.hint.push_back(results[next_hint + i]);
        return next;
    }

    // What the node that the step leads to is computed from, and the iterations of Newton's method until there.
    void carry(const Moved& next, const Fields& given, const NodeLayout& node) {
        std::uint32_t column = 0;
        listing_.put(Do::store_step, Array::rows, 0, count_.get().line());
        const Fields::Field &state = given["state"], &hint = given["hint"];
        for (std::size_t input : node.carried()) {
            const bool in_state = input >= state.offset && input < state.end();
            const Number& x = in_state ? next.state[input - state.offset] : next.hint[input - hint.offset];
            listing_.put(Do::store_step, Array::carried, column++, x.line());
        }
    }

    // The system's results for the given values. Sets left_ in the lanes in trouble; lanes that are not active compute
    // results that are ignored.
    std::vector<Number> solve(const Mask& active) {
        trouble_.set(ends_.values.empty() ? nowhere(listing_) : at_start_trouble_.get());
        const Variable<Number> iterations(listing_, constant(0));
        blocks_.write(active, iterations);
        if (!ends_.values.empty()) meet_ends();
        formulas_.write(system_.after);
        std::vector<Number> results, made;
        const std::size_t first = whole_call_ ? sums_ : 0; // increments: see whole_call_
        for (Slot s : system_.results) {
            results.push_back(formulas_.at(s));
            if (s >= system_.given && results.size() > first) made.push_back(results.back());
        }
        blocks_.demand_finite(made);
        if (whole_call_) {
            left_.set(left_.get() | blocks_.within(active, trouble_.get()));
            return results;
        }
        blocks_.stop_if_alone();
        left_.set(blocks_.within(active, trouble_.get()));
        count_.set(count_.get() + iterations.get());
        return results;
    }

    void take_back_if_in_trouble(const Mask& active) {
        std::vector<Number> values;
        for (const auto* variables : {&state_, &low_})
            for (const auto& v : *variables) values.push_back(v.get());
        left_.set(left_.get() | blocks_.within(active, ~blocks_.finite(values)));
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

    // If any lane is in trouble, all lanes stop before this step is added; `count` is the count of iterations before
    // it.
    void stop_before(const Number& count) {
        const Number with_this_step = count_.get();
        count_.set(count);
        listing_.put(Do::stop_if, left_.get().line());
        count_.set(with_this_step);
    }
    const CompiledSystem& system_;
    const CompiledSystem::Ends& ends_;
    bool whole_call_; // StepLayout::all_or_nothing. A NaN or infinity stays in the state: one check at the end suffices
    int lanes_;
    Listing listing_;
    Variable<Mask> trouble_;
    BlockWriter blocks_;
    Formulas& formulas_; // those of the blocks
    Variable<Mask> left_;
    Variable<Number> count_;
    std::vector<Variable<Number>> state_, low_, hint_;
    std::size_t sums_ = 0;                   // the first components of the state, whose results are increments
    std::vector<Variable<Number>> at_start_; // values of system.ends at the start of the step
    Variable<Mask> at_start_trouble_;
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
