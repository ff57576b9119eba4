// The intermediate representation from which machine code and exported C are made: a list of lines, each one operation
// on all SIMD lanes at once. A line refers to the results of other lines by their index in the list.
//
// A listing is plain data. src/code/step.cpp and section.cpp write it, the LLVM back end (backend/llvm.cpp) and the C99
// writer (src/code/c99.cpp) translate it, and the cache of object files uses it as a key. It can express no more than
// the operations below: it has no names, no pointers but the arrays of a call, and no calls but through the function
// table.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace rattleback::code {

enum class Do : std::uint8_t {
    // constants: a is an index into `constants`
    number,
    bits,
    nothing, // the empty mask
    // numbers
    add,
    subtract,
    multiply,
    divide,
    fused, // a*b + c, rounded once
    negate,
    magnitude,
    root,
    select, // a is a mask
    call,   // function a of (b) or, unless c == none, of (b, c), called for each lane
    // numbers to masks; a comparison with NaN is false, except `differs`
    less,
    less_equal,
    equal,
    differs,
    // masks
    both,
    either,
    invert,
    // bits: unsigned integers of 64 bits; b of a shift is the distance, not a line
    bits_of,
    number_of,
    bits_add,
    bits_subtract,
    bits_and,
    bits_or,
    bits_xor,
    shift_left,
    shift_right,
    bits_equal, // gives a mask
    // variables: a of get and set is the line that declares the variable
    number_variable,
    mask_variable,
    get,
    set,
    // memory: place b of array a. load and store move one value per lane; load_shared loads one value for all lanes,
    // that of the current step. In the loop over steps, load_step and store_step (line c) move the number that column b
    // of array a has for the current step; with several lanes each pass of that loop is as many steps, one a lane
    load,
    store, // stores line c
    load_shared,
    // control
    begin_steps, // the loop over steps: at most as many as the caller asked for
    stop_if,     // leaves that loop, without counting this step, if mask a is not empty
    end_steps,
    begin_loop,
    leave_unless, // leaves the loop if mask a is empty
    end_loop,
    begin_if, // executed if mask a is not empty
    end_if,
    // a function of its own that is called here; values pass in and out through memory only. Long listings are cut into
    // parts because compilers take more than linear time for one long function
    begin_part,
    end_part,
    // inside a part, of a listing on one lane: a vectorised loop over the indices i = 0 .. a - 1, a >= shortest_run.
    // load_run and store_run access place b + i, load_one place b, load_pairs place b + 2*i. No place may be both
    // stored and loaded in the loop
    begin_run,
    end_run,
    load_run,
    load_one,
    store_run,
    flag,       // stores 1 at place b of array a if mask c is not empty
    store_step, // see load
    load_pairs, // see begin_run
    load_step,  // see load
};
constexpr std::uint32_t shortest_run = 4;

struct Line {
    Do what;
    std::uint32_t a = 0, b = 0, c = 0;
};
constexpr std::uint32_t none = ~0u;

struct Listing {
    std::vector<Line> lines;
    std::vector<std::uint64_t> constants;

    std::uint32_t put(Do what, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0) {
        lines.push_back({what, a, b, c});
        return static_cast<std::uint32_t>(lines.size() - 1);
    }
    std::uint32_t constant(Do what, std::uint64_t bits) {
        constants.push_back(bits);
        return put(what, static_cast<std::uint32_t>(constants.size() - 1));
    }
};

// How many members of a batch one call advances: `width` SIMD lanes in a vector, times `groups` vectors side by side,
// whose independent operations hide each other's latency.
struct Shape {
    int width = 1, groups = 1;
    int lanes() const { return width * groups; }
};

// The arrays of a call, all of doubles; element [place][lane] unless stated otherwise.
enum Array : std::uint32_t {
    state,
    low,  // what rounding has taken from the state (compensated summation)
    hint, // starting values of Newton's method
    parameters,
    times,      // [step]: from t0 to the start of the step
    sizes,      // [step]: the step size
    active,     // 1: the lane takes part, 0: it does not
    left,       // output: 1 if the caller must take the next step of this lane, on the tape
    iterations, // Newton iterations; the code adds its own
    t0,         // the starting time of each member
    offsets,    // [step]: from the start of the step to that of its part, in compositions
    slots,      // [slot]: the slots of a program, for code that runs one of its sections
    // of the nodes that steps lead to, see NodeLayout; columns have `row_stride` numbers:
    ends,    // [step]: the time at the end of the step
    carried, // [column][step]: what nodes are computed from
    rows,    // [column][step]: what they show
    array_count
};

// Steps whose nodes are shown in one call, at most. Columns are a little longer, by as many as a vector has lanes: with
// a power of two they would all lie in the same sets of the cache.
constexpr long long steps_shown = 256;
constexpr std::uint32_t row_stride = steps_shown + 8;

// The entry point of machine code. Takes up to `steps` steps and returns the number taken in all lanes. If that is
// fewer than `steps`, the lanes with left == 1 could not take the next one.
using Entry = long long (*)(double* const* arrays, long long steps, void* const* functions);

// Handles to lines, with operators that append lines: they let templates such as src/expr/elementary.hpp write
// listings.
class Number;
class Mask;
class Pattern;

class Operand {
  public:
    Operand() = default;
    Operand(Listing& listing, std::uint32_t line) : listing_(&listing), line_(line) {}
    Listing& listing() const { return *listing_; }
    std::uint32_t line() const { return line_; }

  private:
    Listing* listing_ = nullptr;
    std::uint32_t line_ = none;
};

class Mask : public Operand {
    using Operand::Operand;
};
class Number : public Operand {
    using Operand::Operand;
};
class Pattern : public Operand {
    using Operand::Operand;
};

inline Number number(Listing& l, double x) { return {l, l.constant(Do::number, std::bit_cast<std::uint64_t>(x))}; }
inline Number like(const Operand& x, double y) { return number(x.listing(), y); }
inline Number like(const Operand&, const Number& y) { return y; }
inline Pattern pattern_like(const Operand& x, std::uint64_t y) {
    return {x.listing(), x.listing().constant(Do::bits, y)};
}
inline Mask nowhere(Listing& l) { return {l, l.put(Do::nothing)}; }

inline Number put(Do what, const Number& x, const Number& y) {
    return {x.listing(), x.listing().put(what, x.line(), y.line())};
}
#define RATTLEBACK_BETWEEN(symbol, what)                                                                               \
    inline Number operator symbol(const Number& x, const Number& y) { return put(Do::what, x, y); }                    \
    inline Number operator symbol(const Number& x, double y) { return put(Do::what, x, like(x, y)); }                  \
    inline Number operator symbol(double x, const Number& y) { return put(Do::what, like(y, x), y); }
RATTLEBACK_BETWEEN(+, add)
RATTLEBACK_BETWEEN(-, subtract)
RATTLEBACK_BETWEEN(*, multiply)
RATTLEBACK_BETWEEN(/, divide)
#undef RATTLEBACK_BETWEEN
inline Number operator-(const Number& x) { return {x.listing(), x.listing().put(Do::negate, x.line())}; }
inline Number magnitude(const Number& x) { return {x.listing(), x.listing().put(Do::magnitude, x.line())}; }
inline Number root(const Number& x) { return {x.listing(), x.listing().put(Do::root, x.line())}; }
template <class Y, class Z> Number fused(const Number& x, const Y& y, const Z& z) {
    const Number second = like(x, y), third = like(x, z);
    return {x.listing(), x.listing().put(Do::fused, x.line(), second.line(), third.line())};
}
inline Number select(const Mask& m, const Number& x, const Number& y) {
    return {x.listing(), x.listing().put(Do::select, m.line(), x.line(), y.line())};
}

inline Mask compare(Do what, const Number& x, const Number& y) {
    return {x.listing(), x.listing().put(what, x.line(), y.line())};
}
template <class Y> Mask operator<(const Number& x, const Y& y) { return compare(Do::less, x, like(x, y)); }
template <class Y> Mask operator<=(const Number& x, const Y& y) { return compare(Do::less_equal, x, like(x, y)); }
template <class Y> Mask operator>(const Number& x, const Y& y) { return compare(Do::less, like(x, y), x); }
template <class Y> Mask operator>=(const Number& x, const Y& y) { return compare(Do::less_equal, like(x, y), x); }
template <class Y> Mask operator==(const Number& x, const Y& y) { return compare(Do::equal, x, like(x, y)); }
template <class Y> Mask operator!=(const Number& x, const Y& y) { return compare(Do::differs, x, like(x, y)); }
inline Mask operator&(const Mask& x, const Mask& y) {
    return {x.listing(), x.listing().put(Do::both, x.line(), y.line())};
}
inline Mask operator|(const Mask& x, const Mask& y) {
    return {x.listing(), x.listing().put(Do::either, x.line(), y.line())};
}
inline Mask without(const Mask& x, const Mask& y) {
    return {x.listing(), x.listing().put(Do::both, x.line(), x.listing().put(Do::invert, y.line()))};
}
inline Mask operator~(const Mask& x) { return {x.listing(), x.listing().put(Do::invert, x.line())}; }
inline Number as_number(const Mask& m) { return select(m, number(m.listing(), 1), number(m.listing(), 0)); }

inline Pattern bits_of(const Number& x) { return {x.listing(), x.listing().put(Do::bits_of, x.line())}; }
inline Number number_of(const Pattern& x) { return {x.listing(), x.listing().put(Do::number_of, x.line())}; }
inline Pattern put(Do what, const Pattern& x, const Pattern& y) {
    return {x.listing(), x.listing().put(what, x.line(), y.line())};
}
#define RATTLEBACK_BETWEEN(symbol, what)                                                                               \
    inline Pattern operator symbol(const Pattern& x, const Pattern& y) { return put(Do::what, x, y); }                 \
    inline Pattern operator symbol(const Pattern& x, std::uint64_t y) { return put(Do::what, x, pattern_like(x, y)); }
RATTLEBACK_BETWEEN(+, bits_add)
RATTLEBACK_BETWEEN(-, bits_subtract)
RATTLEBACK_BETWEEN(&, bits_and)
RATTLEBACK_BETWEEN(|, bits_or)
RATTLEBACK_BETWEEN(^, bits_xor)
#undef RATTLEBACK_BETWEEN
inline Pattern operator<<(const Pattern& x, unsigned n) {
    return {x.listing(), x.listing().put(Do::shift_left, x.line(), n)};
}
inline Pattern operator>>(const Pattern& x, unsigned n) {
    return {x.listing(), x.listing().put(Do::shift_right, x.line(), n)};
}
inline Mask operator==(const Pattern& x, std::uint64_t y) {
    return {x.listing(), x.listing().put(Do::bits_equal, x.line(), pattern_like(x, y).line())};
}

// A mutable variable: what loops and branches assign to, since a line has one value.
template <class Value> class Variable {
  public:
    Variable() = default;
    explicit Variable(Listing& l)
        : listing_(&l), line_(l.put(std::is_same_v<Value, Mask> ? Do::mask_variable : Do::number_variable)) {}
    Variable(Listing& l, const Value& first) : Variable(l) { set(first); }
    Value get() const { return {*listing_, listing_->put(Do::get, line_)}; }
    void set(const Value& v) const { listing_->put(Do::set, line_, v.line()); }

  private:
    Listing* listing_ = nullptr;
    std::uint32_t line_ = none;
};

} // namespace rattleback::code
