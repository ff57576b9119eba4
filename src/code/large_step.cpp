#include "code/large_step.hpp"

#include <algorithm>

#include "code/formulas.hpp"

namespace rattleback::code {
namespace {

// Operations of a part. Measured on a chain: with 250 the time to compile grows linearly, 70 us an operation; 1,000
// take half as long again, and the code is no faster.
constexpr std::size_t part_size = 250;

class LargeStep {
  public:
    explicit LargeStep(const StepLayout& layout)
        : layout_(layout), program_(layout.system->program), results_(layout.system->results),
          trouble_(listing_, nowhere(listing_)), formulas_(program_, results_, listing_, trouble_) {
        for (const auto& [slot, value] : program_.constants) constant_.push_back(slot);
        std::sort(constant_.begin(), constant_.end());
    }

    Listing write() {
        const auto time = static_cast<Slot>(layout_.state + layout_.hint);
        listing_.put(Do::begin_steps);
        for (const Array shared : {Array::times, Array::sizes})
            store(Array::slots, time + (shared == Array::sizes), {listing_, listing_.put(Do::load_shared, shared)});
        store(Array::left, 0, number(listing_, 0));
        formulas();
        listing_.put(Do::stop_if, (load(Array::left, 0) != 0.0).line());
        advance();
        listing_.put(Do::end_steps);
        return std::move(listing_);
    }

  private:
    Number load(Array array, std::size_t place) {
        return {listing_, listing_.put(Do::load, array, static_cast<std::uint32_t>(place))};
    }
    void store(Array array, std::size_t place, const Number& x) {
        listing_.put(Do::store, array, static_cast<std::uint32_t>(place), x.line());
    }
    bool is_constant(Slot slot) const { return std::binary_search(constant_.begin(), constant_.end(), slot); }

    Number fetch(Slot slot) {
        const std::size_t n = layout_.state, m = layout_.hint;
        if (slot < n) return load(Array::state, slot);
        if (slot < n + m) return load(Array::hint, slot - n);
        if (slot >= n + m + 2 && slot < n + m + 2 + layout_.parameters)
            return load(Array::parameters, slot - n - m - 2);
        return load(Array::slots, slot);
    }

    void formulas() {
        const std::vector<Slot> order = formulas_.depth_first(layout_.system->after);
        // Where a value is used last decides whether it leaves its part.
        std::vector<std::uint32_t> last(program_.slots, 0);
        const auto part_of = [](std::size_t i) { return static_cast<std::uint32_t>(i / part_size); };
        for (std::size_t i = 0; i < order.size(); ++i)
            formulas_.for_operands(order[i], [&](Slot o) { last[o] = std::max(last[o], part_of(i)); });
        std::vector<bool> is_result(program_.slots, false);
        for (Slot s : results_) is_result[s] = true, last[s] = none;
        for (std::size_t i = 0; i < order.size(); i += part_size) {
            const std::span<const Slot> here(order.data() + i, std::min(part_size, order.size() - i));
            write_part(here, part_of(i), last, is_result);
        }
    }

    void write_part(std::span<const Slot> here, std::uint32_t part, const std::vector<std::uint32_t>& last,
                    const std::vector<bool>& is_result) {
        listing_.put(Do::begin_part);
        const Variable<Mask> trouble(listing_, nowhere(listing_));
        formulas_.begin_part(trouble);
        std::vector<Slot> seen;
        Number sum = number(listing_, 0); // 0 * x summed is 0 for finite numbers only
        for (Slot slot : here) {
            formulas_.for_operands(slot, [&](Slot o) {
                if (formulas_.has(o)) return;
                formulas_.give(o, fetch(o));
                seen.push_back(o);
            });
            formulas_.write_alone(slot);
            seen.push_back(slot);
            if (last[slot] > part) store(Array::slots, slot, formulas_.at(slot));
            if (is_result[slot]) sum = sum + 0.0 * formulas_.at(slot);
        }
        const Mask bad = trouble.get() | ~(sum == 0.0);
        store(Array::left, 0, select(bad, number(listing_, 1), load(Array::left, 0)));
        for (Slot slot : seen) formulas_.forget_slot(slot);
        listing_.put(Do::end_part);
    }

    // state + increment with Knuth's two-sum, as in Stepper, and the hints.
    void advance() {
        const auto result = [&](std::size_t i) {
            const Slot slot = results_[i];
            return is_constant(slot) ? formulas_.at(slot) : fetch(slot);
        };
        constexpr std::size_t at_once = part_size / 8;
        // NOTE: hints first: a result may be a number of the state as it was.
        if (layout_.hint > 0) copy_hints();
        for (std::size_t from = 0; from < layout_.state; from += at_once) {
            listing_.put(Do::begin_part);
            for (std::size_t i = from; i < std::min(from + at_once, layout_.state); ++i) {
                const Number state = load(Array::state, i), low = load(Array::low, i);
                const Number increment = result(i) + low, sum = state + increment, part = sum - state;
                store(Array::low, i, (state - (sum - part)) + (increment - part));
                store(Array::state, i, sum);
            }
            listing_.put(Do::end_part);
        }
    }
    void copy_hints() {
        std::vector<Number> next;
        for (std::size_t i = 0; i < layout_.hint; ++i) {
            const Slot slot = results_[layout_.hint_results + i];
            next.push_back(is_constant(slot) ? formulas_.at(slot) : fetch(slot));
        }
        for (std::size_t i = 0; i < layout_.hint; ++i) store(Array::hint, i, next[i]);
    }

    StepLayout layout_;
    const Program& program_;
    std::vector<Slot> results_;
    Listing listing_;
    Variable<Mask> trouble_;
    Formulas formulas_;
    std::vector<Slot> constant_;
};

} // namespace

Listing write_large_step(const StepLayout& layout) { return LargeStep(layout).write(); }

} // namespace rattleback::code
