#include "evidence/explicit_solve.hpp"

#include <cmath>

namespace rattleback {
namespace {

constexpr std::size_t largest_determinant = 6; // written out row by row

// Whether a formula keeps away from 0 on the sample.
bool nowhere_zero(const Sample& sample, const Expr& e) {
    if (const auto c = e.constant()) return *c != 0;
    for (const auto& point : sample.at_all(Vec({{"", e}})))
        if (point.empty() || !(std::abs(point[0]) > 1e-9)) return false;
    return true;
}

FormulaMatrix without(const FormulaMatrix& m, std::size_t row, std::size_t column) {
    FormulaMatrix rest = m;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(row));
    for (auto& r : rest) r.erase(r.begin() + static_cast<std::ptrdiff_t>(column));
    return rest;
}

} // namespace

FormulaMatrix formula_matrix(std::size_t rows, std::size_t columns) {
    return FormulaMatrix(rows, std::vector<Expr>(columns, Expr(0)));
}

FormulaMatrix formula_jacobian(const Vec& f, const Vec& x) {
    FormulaMatrix m = formula_matrix(static_cast<std::size_t>(f.count()), static_cast<std::size_t>(x.count()));
    for (const ScalarEntry& e : expand(jacobian(f, x), f, x)) m[e.row][e.column] = e.value;
    return m;
}

FormulaMatrix product(const FormulaMatrix& a, const FormulaMatrix& b, Tidy& tidy) {
    FormulaMatrix c = formula_matrix(a.size(), b.empty() ? 0 : b[0].size());
    for (std::size_t i = 0; i < c.size(); ++i)
        for (std::size_t j = 0; j < c[i].size(); ++j) {
            for (std::size_t k = 0; k < b.size(); ++k) c[i][j] = c[i][j] + a[i][k] * b[k][j];
            c[i][j] = tidy(c[i][j]);
        }
    return c;
}

FormulaMatrix transposed(const FormulaMatrix& a) {
    FormulaMatrix t = formula_matrix(a.empty() ? 0 : a[0].size(), a.size());
    for (std::size_t i = 0; i < t.size(); ++i)
        for (std::size_t j = 0; j < a.size(); ++j) t[i][j] = a[j][i];
    return t;
}

Expr determinant(const FormulaMatrix& m, Tidy& tidy) {
    if (m.empty()) return Expr(1);
    Expr sum(0);
    for (std::size_t j = 0; j < m.size(); ++j) {
        if (m[0][j].is(0)) continue;
        const Expr term = m[0][j] * determinant(without(m, 0, j), tidy);
        sum = j % 2 == 0 ? sum + term : sum - term;
    }
    return tidy(sum);
}

std::optional<FormulaMatrix> solved_as_formulas(const Sample& sample, Tidy& tidy, FormulaMatrix A,
                                                const FormulaMatrix& B) {
    if (A.size() > largest_determinant) return {};
    for (auto& row : A)
        for (Expr& e : row) e = tidy(e);
    const Expr d = determinant(A, tidy);
    if (!nowhere_zero(sample, d)) return {};
    FormulaMatrix inverse = formula_matrix(A.size(), A.size());
    for (std::size_t i = 0; i < A.size(); ++i)
        for (std::size_t j = 0; j < A.size(); ++j) {
            const Expr cofactor = determinant(without(A, j, i), tidy);
            inverse[i][j] = tidy(((i + j) % 2 == 0 ? cofactor : -cofactor) / d);
        }
    return product(inverse, B, tidy);
}

} // namespace rattleback
