// Machine code before it is machine code: a list of lines, each one operation on all lanes at once.
//
// A listing is data. It is written by src/code/step.cpp, read by the LLVM back end (backend/llvm.cpp) and by the C99
// writer (src/code/c99.cpp), and compared with what a cache holds. A line's result is named by its place in the list.
// Only what stands here can reach a processor: there are no names, no pointers but to the arrays of a call and no calls
// but through the table of functions.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace rattleback::code {

enum class Do : std::uint8_t {
    // constants: a is the place in `constants`
    number,
    bits,
    nothing, // a mask without lanes
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
    call,   // function a of (b) or (b, c), lane by lane; c == none: one argument
    // numbers to masks; a comparison with NaN is false, except `differs`
    less,
    less_equal,
    equal,
    differs,
    // masks
    both,
    either,
    invert,
    // bits: unsigned, 64 of them; b of a shift is the distance itself
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
    // variables: get and set name the line that declares
    number_variable,
    mask_variable,
    get,
    set,
    // memory: array a; load and store name a value of all lanes, load_shared one number for all, that of the step
    load,
    store, // of c at place b
    load_shared,
    // control
    begin_steps, // once a step, at most as many as the caller asked for
    stop_if,     // ends the steps where mask a has a lane, this one not counted
    end_steps,   // what follows comes after the loop
    begin_loop,
    leave_unless, // ends the loop unless mask a has a lane
    end_loop,
    begin_if, // where mask a has a lane
    end_if,
    // a function of its own, called here: it shares nothing with what is around it but memory. Long listings are cut
    // into these, since compilers take more than linear time for one long function
    begin_part,
    end_part,
    // in a part of its own, on one lane: a loop over the indices 0 .. a - 1, at least `shortest_run`, several at a
    // time. Between them places of memory move along with the index, except those of load_one; what is stored must
    // not be loaded
    begin_run,
    end_run,
    load_run,
    load_one,
    store_run,
    flag, // 1 at place b of array a where mask c has a lane
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

// How many members of a batch one run of the code advances: lanes of a vector, times vectors side by side.
struct Shape {
    int width = 1, groups = 1;
    int lanes() const { return width * groups; }
};

// The arrays of a call; all of doubles, [place][lane] unless said otherwise.
enum Array : std::uint32_t {
    state,
    low,
    hint,
    parameters,
    times,      // [step]: since t0
    sizes,      // [step]
    active,     // 1: the lane takes part, 0: it does not
    left,       // out: 1 where the step at which the code stopped is left to the caller
    iterations, // Newton's, added to
    t0,         // of each member
    offsets,    // [step]: from the step's beginning to that of a part of it, in compositions
    slots,      // of large programs: values between parts
    array_count
};

// Runs at most `steps` steps; returns how many were done by all lanes. If that is fewer, `left` names the lanes that
// have not done the next one; the others have.
using Entry = long long (*)(double* const* arrays, long long steps, void* const* functions);

// Lines as an arithmetic for src/expr/elementary.hpp and for whoever writes listings.
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

// A place that keeps its value around loops and branches.
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
