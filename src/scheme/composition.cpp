// A symmetric method of order 2 is exp(h Y1 + h^3 Y3 + h^5 Y5 + ...). A composition with fractions g_i has order p when
// the product of exp(g_i Y1 + g_i^3 Y3 + ...) equals exp(Y1) up to grade p, as series in words of Y1, Y3, Y5, Y7.
// Order 4 has a closed form (Suzuki 1990); for 6 and 8 the conditions are solved by Newton's method, from the solutions
// of Kahan and Li (1997) with few digits: the digits choose the solution, the equations make it exact.
#include "scheme/composition.hpp"
#include "expr/real_functions.hpp"

#include <algorithm>
#include <map>

namespace rattleback {
namespace {

using Word = std::vector<int>; // grades of its letters: 1, 3, 5, 7
using Series = std::map<Word, quad>;

int grade(const Word& w) {
    int g = 0;
    for (int letter : w) g += letter;
    return g;
}

Series product(const Series& x, const Series& y, int order) {
    Series r;
    for (const auto& [u, a] : x)
        for (const auto& [w, b] : y) {
            if (grade(u) + grade(w) > order) continue;
            Word both = u;
            both.insert(both.end(), w.begin(), w.end());
            r[both] += a * b;
        }
    return r;
}

// exp(g Y1 + g^3 Y3 + ...) up to the given grade.
Series exponential(quad g, int order, bool only_first) {
    Series generator, term{{Word{}, 1}}, sum = term;
    quad power = g;
    for (int letter = 1; letter <= order; letter += 2, power *= g * g)
        if (letter == 1 || !only_first) generator[{letter}] = power;
    for (int k = 1; k <= order; ++k) {
        term = product(term, generator, order);
        for (auto& [w, a] : term) a /= static_cast<quad>(k), sum[w] += a;
    }
    return sum;
}

// Differences of all words' coefficients.
std::vector<quad> conditions(const std::vector<quad>& fractions, int order) {
    Series composed{{Word{}, 1}};
    for (quad g : fractions) composed = product(composed, exponential(g, order, false), order);
    const Series exact = exponential(1, order, true);
    std::vector<quad> residual;
    for (const auto& [w, a] : composed) {
        const auto it = exact.find(w);
        residual.push_back(a - (it == exact.end() ? static_cast<quad>(0) : it->second));
    }
    return residual;
}

std::vector<quad> mirrored(const std::vector<quad>& half) { // g1 .. gm .. g1
    std::vector<quad> all = half;
    for (std::size_t i = half.size() - 1; i-- > 0;) all.push_back(half[i]);
    return all;
}

// Least-squares Newton: there are more words than independent conditions, and one free fraction more than needed, so
// each correction is the smallest one (of the directions that the conditions leave free, none is taken).
std::vector<quad> smallest_correction(const std::vector<std::vector<quad>>& J, const std::vector<quad>& r) {
    const std::size_t n = J.size(), m = r.size(); // J[k] = derivative with respect to fraction k
    std::vector<std::vector<quad>> rows(m, std::vector<quad>(n));
    std::vector<quad> rhs(m), x(n, 0);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t k = 0; k < n; ++k) rows[i][k] = J[k][i];
        rhs[i] = -r[i];
    }
    // An orthonormal basis e of the rows by modified Gram-Schmidt, the longest remaining row first.
    for (std::size_t found = 0; found < n; ++found) {
        std::size_t best = m;
        quad length = static_cast<quad>(1e-8);
        for (std::size_t i = 0; i < m; ++i) {
            quad s = 0;
            for (quad v : rows[i]) s += v * v;
            if (real::sqrt(s) > length) length = real::sqrt(s), best = i;
        }
        if (best == m) break;
        std::vector<quad> e = rows[best];
        for (quad& v : e) v /= length;
        const quad along = rhs[best] / length;
        for (std::size_t k = 0; k < n; ++k) x[k] += along * e[k];
        for (std::size_t i = 0; i < m; ++i) {
            quad c = 0;
            for (std::size_t k = 0; k < n; ++k) c += rows[i][k] * e[k];
            for (std::size_t k = 0; k < n; ++k) rows[i][k] -= c * e[k];
            rhs[i] -= c * along;
        }
    }
    return x;
}

std::vector<quad> solved(std::vector<quad> half, int order) {
    for (int iteration = 0; iteration < 20; ++iteration) {
        const std::vector<quad> r = conditions(mirrored(half), order);
        quad worst = 0;
        for (quad x : r) worst = std::max(worst, real::abs(x));
        if (worst < 64 * Real<quad>::epsilon) break;
        std::vector<std::vector<quad>> J;
        for (std::size_t k = 0; k < half.size(); ++k) { // the conditions are polynomials: central differences suffice
            const quad d = static_cast<quad>(1e-12);
            std::vector<quad> plus = half, minus = half;
            plus[k] += d, minus[k] -= d;
            std::vector<quad> a = conditions(mirrored(plus), order), b = conditions(mirrored(minus), order);
            for (std::size_t i = 0; i < a.size(); ++i) a[i] = (a[i] - b[i]) / (2 * d);
            J.push_back(std::move(a));
        }
        const std::vector<quad> dx = smallest_correction(J, r);
        for (std::size_t k = 0; k < half.size(); ++k) half[k] += dx[k];
    }
    return mirrored(half);
}

} // namespace

std::vector<quad> composition_fractions(int order) {
    if (order == 4) { // Suzuki: four steps forward, one back
        const quad g = 1 / (4 - real::pow(static_cast<quad>(4), static_cast<quad>(1) / 3));
        return {g, g, 1 - 4 * g, g, g};
    }
    if (order == 6) {
        static const std::vector<quad> six = solved({0.392161, 0.332599, -0.706246, 0.0822136, 0.798544}, 6);
        return six;
    }
    static const std::vector<quad> eight =
        solved({0.130202, 0.561163, -0.389475, 0.158842, -0.395904, 0.184540, 0.258374, 0.295012, -0.605509}, 8);
    return eight;
}

quad composition_defect(const std::vector<quad>& fractions, int order) {
    quad worst = 0;
    for (quad x : conditions(fractions, order)) worst = std::max(worst, real::abs(x));
    return worst;
}

} // namespace rattleback
