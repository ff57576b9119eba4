// Complex numbers over any arithmetic: scalars of the tape, and lines of a listing. Products are fused with sums in
// double and in listings, in one order, so that both have the same bits.
#pragma once

#include "expr/real_functions.hpp"

#include <cmath>
#include <type_traits>

namespace rattleback::solve {

// a*b + c, rounded once where machine code does.
template <class N> [[gnu::always_inline]] inline N product_and_sum(const N& a, const N& b, const N& c) {
    if constexpr (std::is_same_v<N, double>)
        return std::fma(a, b, c);
    else if constexpr (requires { a.listing(); })
        return fused(a, b, c);
    else
        return a * b + c;
}

template <class N> struct Complex {
    N re, im;

    [[gnu::always_inline]] friend inline Complex operator*(const Complex& x, const Complex& y) {
        return {product_and_sum(-x.im, y.im, x.re * y.re), product_and_sum(x.re, y.im, x.im * y.re)};
    }
    // x*y + z
    [[gnu::always_inline]] friend inline Complex product_and_sum(const Complex& x, const Complex& y, const Complex& z) {
        return {product_and_sum(-x.im, y.im, product_and_sum(x.re, y.re, z.re)),
                product_and_sum(x.im, y.re, product_and_sum(x.re, y.im, z.im))};
    }
    [[gnu::always_inline]] friend inline Complex product_and_sum(const Complex& x, const N& y, const Complex& z) {
        return {product_and_sum(x.re, y, z.re), product_and_sum(x.im, y, z.im)};
    }
    [[gnu::always_inline]] inline Complex inverse() const {
        const N factor = 1.0 / product_and_sum(im, im, re * re);
        return {re * factor, -(im * factor)};
    }
    friend Complex operator+(const Complex& x, const Complex& y) { return {x.re + y.re, x.im + y.im}; }
    friend Complex operator-(const Complex& x, const Complex& y) { return {x.re - y.re, x.im - y.im}; }
    Complex operator-() const { return {-re, -im}; }
};

} // namespace rattleback::solve
