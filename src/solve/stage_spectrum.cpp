#include "solve/stage_spectrum.hpp"

#include "solve/collocation.hpp"

#include <algorithm>

namespace rattleback {
namespace {

using Number = StageSpectrum::Number;
using Row = std::vector<Number>;
using Rows = std::vector<Row>;

constexpr quad zero = 0, one = 1;

quad size(const Number& x) { return real::abs(x.re) + real::abs(x.im); }

// (A, B) becomes (1, A^-1 B), by Gauss and Jordan's elimination. A pivot that vanishes, as of a matrix less its
// eigenvalue, is taken for round-off.
void eliminate(Rows& a) {
    const std::size_t n = a.size();
    for (std::size_t k = 0; k < n; ++k) {
        const auto below = a.begin() + static_cast<std::ptrdiff_t>(k);
        std::swap(*below, *std::max_element(below, a.end(),
                                            [&](const Row& x, const Row& y) { return size(x[k]) < size(y[k]); }));
        if (size(a[k][k]) < Real<quad>::epsilon) a[k][k] = {Real<quad>::epsilon, zero};
        const Number by = a[k][k].inverse();
        for (std::size_t j = k; j < a[k].size(); ++j) a[k][j] = a[k][j] * by;
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k) continue;
            const Number factor = -a[i][k];
            for (std::size_t j = k; j < a[k].size(); ++j) a[i][j] = product_and_sum(factor, a[k][j], a[i][j]);
        }
    }
}

Rows inverse(Rows a) {
    const std::size_t n = a.size();
    for (std::size_t i = 0; i < n; ++i) {
        a[i].resize(2 * n, {zero, zero});
        a[i][n + i].re = one;
    }
    eliminate(a);
    for (Row& row : a) row.erase(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(n));
    return a;
}

Number trace(const Rows& a) {
    Number sum{zero, zero};
    for (std::size_t i = 0; i < a.size(); ++i) sum = sum + a[i][i];
    return sum;
}
Rows product(const Rows& a, const Rows& b) {
    Rows c(a.size(), Row(a.size(), {zero, zero}));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < a.size(); ++k)
            for (std::size_t j = 0; j < a.size(); ++j) c[i][j] = product_and_sum(a[i][k], b[k][j], c[i][j]);
    return c;
}

// Coefficients of det(x - A) below the first, which is 1, from that of x^(n-1) on; Faddeev and LeVerrier.
Row characteristic(const Rows& a) {
    Row coefficients;
    Rows m(a.size(), Row(a.size(), {zero, zero}));
    for (std::size_t k = 0; k < a.size(); ++k) {
        for (std::size_t i = 0; i < a.size(); ++i)
            m[i][i] = m[i][i] + (k == 0 ? Number{one, zero} : coefficients.back());
        m = product(a, m);
        coefficients.push_back(trace(m) * Number{-one / static_cast<quad>(k + 1), zero});
    }
    return coefficients;
}

// All roots at once, by Weierstrass, Durand and Kerner. Good to a few digits is enough.
Row roots_of(const Row& coefficients) {
    constexpr int most = 500; // rounds; about 50 are taken
    const std::size_t n = coefficients.size();
    const quad radius = size(coefficients[0]) / static_cast<quad>(n) + one; // of their mean
    Row x{{radius, zero}};
    const Number turn{real::cos(static_cast<quad>(1.1)), real::sin(static_cast<quad>(1.1))};
    for (std::size_t i = 1; i < n; ++i) x.push_back(x.back() * turn);
    quad change = radius;
    for (int round = 0; round < most && change > static_cast<quad>(1e-6); ++round) {
        change = 0;
        for (std::size_t i = 0; i < n; ++i) {
            Number value{one, zero}, others{one, zero};
            for (const Number& c : coefficients) value = product_and_sum(value, x[i], c);
            for (std::size_t j = 0; j < n; ++j)
                if (j != i) others = others * (x[i] - x[j]);
            const Number step = value * others.inverse();
            x[i] = x[i] - step, change = std::max(change, size(step));
        }
    }
    return x;
}

// The eigenvector to an eigenvalue that is nearly known, which becomes exact: inverse iteration with new shifts.
Row eigenvector(const Rows& m, Number& lambda) {
    constexpr int rounds = 4;
    Row v(m.size(), {one, zero});
    for (int round = 0; round < rounds; ++round) {
        Rows shifted = m;
        for (std::size_t i = 0; i < m.size(); ++i) shifted[i][i] = m[i][i] - lambda, shifted[i].push_back(v[i]);
        eliminate(shifted);
        std::size_t largest = 0;
        for (std::size_t i = 1; i < m.size(); ++i)
            if (size(shifted[i].back()) > size(shifted[largest].back())) largest = i;
        const Number by = shifted[largest].back().inverse();
        if (round + 1 < rounds) lambda = lambda + v[largest] * by;
        for (std::size_t i = 0; i < m.size(); ++i) v[i] = shifted[i].back() * by;
    }
    return v;
}

} // namespace

StageSpectrum spectrum_of(const StageWeights& w) {
    const std::size_t s = w.stages();
    Rows m(s, Row(s));
    for (std::size_t i = 0; i < s; ++i)
        for (std::size_t j = 0; j < s; ++j) m[i][j] = {w.b[i] * w.mu[i][j], zero};
    Row roots = roots_of(characteristic(inverse(m))); // 1/lambda: all of one size
    std::sort(roots.begin(), roots.end(), [](const Number& x, const Number& y) { return x.im > y.im; });
    roots.resize((s + 1) / 2);
    if (s % 2 == 1) roots.back().im = zero;
    StageSpectrum found;
    Rows t(s, Row(s));
    for (std::size_t r = 0; r < roots.size(); ++r) {
        Number lambda = roots[r].inverse();
        const Row v = eigenvector(m, lambda);
        found.shift.push_back(lambda.inverse());
        for (std::size_t i = 0; i < s; ++i) {
            t[i][r] = v[i];
            if (s - 1 - r != r) t[i][s - 1 - r] = {v[i].re, -v[i].im};
        }
    }
    const Rows back = inverse(t);
    found.from.resize(s);
    for (std::size_t r = 0; r < roots.size(); ++r) {
        found.into.emplace_back();
        const quad both = s - 1 - r != r ? 2 : 1; // of a pair the other one adds the conjugate
        for (std::size_t i = 0; i < s; ++i) {
            found.into[r].push_back(found.shift[r] * back[r][i]);
            found.from[i].push_back({both * t[i][r].re, -both * t[i][r].im});
        }
    }
    return found;
}

} // namespace rattleback
