// The elementary functions of double, written once for every kind of arithmetic.
//
// Each is a template over its number N: double itself here, lanes of machine code in src/code, text in exported C. It
// is a fixed sequence of exactly rounded operations (+, -, *, /, fused multiply-add) and of operations on bits, so that
// all of them give the same bits. None has a branch: inside the range stated by a `near` function the result has the
// stated error; outside, the caller takes the C library's function instead.
//
// An arithmetic has: + - * / between numbers and between a number and a double; fused(x, y, z) = x*y + z rounded once;
// select(mask, x, y); without(mask, mask); magnitude(x); comparisons that give masks; bits_of(x) and number_of(bits)
// with & | ^ + - << >>.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace rattleback::elementary {

using Bits = std::uint64_t;

// NOTE: always inlined, so that a caller compiled for a CPU with fused multiply-add has them as instructions.
#define RATTLEBACK_INLINE [[gnu::always_inline]] inline

RATTLEBACK_INLINE double fused(double x, double y, double z) { return std::fma(x, y, z); }
RATTLEBACK_INLINE double select(bool mask, double x, double y) { return mask ? x : y; }
RATTLEBACK_INLINE bool without(bool x, bool y) { return x && !y; }
RATTLEBACK_INLINE double magnitude(double x) { return std::fabs(x); }
RATTLEBACK_INLINE Bits bits_of(double x) { return std::bit_cast<Bits>(x); }
RATTLEBACK_INLINE double number_of(Bits x) { return std::bit_cast<double>(x); }

constexpr double round_to_whole = 0x1.8p52; // x + this - this is the nearest whole number, which stands in the low bits

// --- sin, cos: below 0.8 units in the last place (measured 0.773) where |x| <= 2^30 ---

template <class N> RATTLEBACK_INLINE auto sin_near(const N& x) { return magnitude(x) <= 0x1p30; }
template <class N> RATTLEBACK_INLINE auto cos_near(const N& x) { return magnitude(x) <= 0x1p30; }

// x = n pi/2 + high + low, and the bits of n. x - n P1 is exact: it is a multiple of 2^-53 below 1. pi/2 = P1 + P2 + P3
// has 159 bits, of which n < 2^30 uses up 30 and the closest double to a multiple of pi/2 another 62.
template <class N> struct Quadrant {
    N high, low;
    decltype(bits_of(std::declval<N>())) count;
};
template <class N> RATTLEBACK_INLINE Quadrant<N> quadrant(const N& x) {
    constexpr double P1 = 0x1.921fb54442d18p+0, P2 = 0x1.1a62633145c07p-54, P3 = -0x1.f1976b7ed8fbcp-110;
    const N shifted = fused(x, 0x1.45f306dc9c883p-1, round_to_whole), n = shifted - round_to_whole;
    const N first = fused(n, -P1, x), high = fused(n, -P2, first);
    return {high, fused(n, -P3, fused(n, -P2, first - high)), bits_of(shifted)};
}

// fdlibm's polynomials on |x| <= pi/4. Terms are evaluated in pairs, which shortens the chain of dependent operations
// and so the latency; x = high + low.
template <class N> RATTLEBACK_INLINE N sin_core(const N& high, const N& low) {
    const N z = high * high, v = z * high, w = z * z;
    const N r23 = fused(z, -1.98412698298579493134e-04, 8.33333333332248946124e-03);
    const N r45 = fused(z, -2.50507602534068634195e-08, 2.75573137070700676789e-06);
    const N r = fused(w, fused(w, 1.58969099521155010221e-10, r45), r23);
    const N correction = fused(z, fused(v, r, low * -0.5), low);
    return high + fused(v, -1.66666666666666324348e-01, correction);
}
template <class N> RATTLEBACK_INLINE N cos_core(const N& high, const N& low) {
    const N z = high * high, w = z * z;
    const N c12 = fused(z, -1.38888888888741095749e-03, 4.16666666666666019037e-02);
    const N c34 = fused(z, -2.75573143513906633035e-07, 2.48015872894767294178e-05);
    const N c56 = fused(z, -1.13596475577881948265e-11, 2.08757232129817482790e-09);
    const N r = fused(w, fused(w, c56, c34), c12);
    const N half = z * 0.5, top = 1.0 - half;
    return top + fused(w, r, ((1.0 - top) - half) - high * low);
}

// sin(x + quarter pi/2). The sign is applied as a factor, since it is known long before the value (no latency added).
template <class N> RATTLEBACK_INLINE N sin_ahead(const N& x, Bits quarter) {
    const Quadrant<N> q = quadrant(x);
    const auto turns = q.count + quarter;
    const N sign = number_of(((turns & Bits(2)) << 62) ^ bits_of(1.0));
    return sign * select((turns & Bits(1)) == Bits(0), sin_core(q.high, q.low), cos_core(q.high, q.low));
}
template <class N> RATTLEBACK_INLINE N sin(const N& x) { return sin_ahead(x, 0); }
template <class N> RATTLEBACK_INLINE N cos(const N& x) { return sin_ahead(x, 1); }

// --- exp: below 0.9 units in the last place (measured 0.859) where |x| <= 708 ---

template <class N> RATTLEBACK_INLINE auto exp_near(const N& x) { return magnitude(x) <= 708.0; }
template <class N> RATTLEBACK_INLINE N exp(const N& x) {
    const N shifted = fused(x, 0x1.71547652b82fep+0, round_to_whole), n = shifted - round_to_whole;
    const N first = fused(n, -0x1.62e42fefa39efp-1, x); // n log 2 = n (A + B); |first| < 0.35
    const N low = n * -0x1.abc9e3b39803fp-56, r = first + low, rest = (first - r) + low;
    // Taylor's series: what is left out is below 5e-18.
    N p = fused(r, 1.0 / 6227020800, 1.0 / 479001600);
    p = fused(r, p, 1.0 / 39916800);
    p = fused(r, p, 1.0 / 3628800);
    p = fused(r, p, 1.0 / 362880);
    p = fused(r, p, 1.0 / 40320);
    p = fused(r, p, 1.0 / 5040);
    p = fused(r, p, 1.0 / 720);
    p = fused(r, p, 1.0 / 120);
    p = fused(r, p, 1.0 / 24);
    p = fused(r, p, 1.0 / 6);
    p = fused(r, p, 0.5);
    const N value = (r + fused(r * r, p, rest)) + 1.0;
    return number_of(bits_of(value) + (bits_of(shifted) << 52)); // times 2^n
}

// --- log: below 0.9 units in the last place (measured 0.832) for normal positive numbers ---

template <class N> RATTLEBACK_INLINE auto log_near(const N& x) {
    return (x >= 0x1p-1022) & (x <= 0x1.fffffffffffffp+1023);
}
template <class N> RATTLEBACK_INLINE N log(const N& x) {
    // x = 2^k m with m between sqrt(1/2) and sqrt(2): the exponent is counted from there.
    constexpr Bits half_root = 0x3fe6a09e667f3bcd;
    const auto above = (bits_of(x) - half_root) & (Bits(0xfff) << 52); // 2^52 k
    const N f = number_of(bits_of(x) - above) - 1.0;
    // k + 2048 without a sign, in the last digits of 2^52.
    const N k = number_of(((above >> 52) ^ Bits(0x800)) | bits_of(0x1p52)) - (0x1p52 + 2048);
    const N s = f / (f + 2.0), z = s * s, w = z * z;
    const N even = w * fused(w, fused(w, 1.531383769920937332e-01, 2.222219843214978396e-01), 3.999999999940941908e-01);
    const N odd =
        z * fused(w, fused(w, fused(w, 1.479819860511658591e-01, 1.818357216161805012e-01), 2.857142874366239149e-01),
                  6.666666666666735130e-01);
    const N half = f * f * 0.5, r = odd + even;
    const N low = fused(k, 1.90821492927058770002e-10, s * (half + r));
    return fused(k, 6.93147180369123816490e-01, f - (half - low)); // log 2 in two parts, the first with 20 zero bits
}

// --- stumpff: its series, for order at most 16 and |u| <= 2; below 4 units in the last place (measured 3.4, for order
// 0 at u = 2, where cos(sqrt(u)) is small) ---

constexpr int most_stumpff = 16, stumpff_terms = 12; // the first term that is left out is below 2e-18

constexpr auto stumpff_coefficients = [] { // (-1)^j / (order + 2j)!
    std::array<std::array<double, stumpff_terms>, most_stumpff + 1> c{};
    for (int order = 0; order <= most_stumpff; ++order) {
        double factorial = 1;
        for (int i = 2; i <= order; ++i) factorial *= i;
        for (int j = 0; j < stumpff_terms; ++j) {
            c[order][j] = (j % 2 ? -1 : 1) / factorial;
            factorial *= (order + 2.0 * j + 1) * (order + 2.0 * j + 2);
        }
    }
    return c;
}();

template <class N> RATTLEBACK_INLINE auto stumpff_near(const N& u) { return magnitude(u) <= 2.0; }
template <class N> RATTLEBACK_INLINE N stumpff(int order, const N& u) { // in pairs of terms, for a shorter latency
    const auto& c = stumpff_coefficients[order];
    const N v = u * u, w = v * v;
    const N p0 = fused(u, c[1], c[0]), p1 = fused(u, c[3], c[2]), p2 = fused(u, c[5], c[4]);
    const N p3 = fused(u, c[7], c[6]), p4 = fused(u, c[9], c[8]), p5 = fused(u, c[11], c[10]);
    return fused(w, fused(w, fused(v, p5, p4), fused(v, p3, p2)), fused(v, p1, p0));
}

#undef RATTLEBACK_INLINE

} // namespace rattleback::elementary
