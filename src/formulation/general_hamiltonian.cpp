#include "formulation/general_hamiltonian.hpp"

#include <algorithm>
#include <cmath>

#include "expr/graph.hpp"

namespace rattleback {
namespace {

// D with D J D of entries about 1 in every row that has any (Ruiz 2001), powers of two so that it rounds nothing: which
// numbers are zero is then no matter of the units. An electron in a field of 10 T has eB/m = 1.8e12 in SI units.
std::vector<quad> balance(const std::vector<quad>& m, int n) {
    std::vector<quad> d(static_cast<std::size_t>(n), 1);
    for (int round = 0; round < 100; ++round) {
        std::vector<quad> next = d;
        bool changed = false;
        for (std::size_t i = 0; i < d.size(); ++i) {
            quad largest = 0;
            for (std::size_t j = 0; j < d.size(); ++j)
                largest = std::max(largest, real::abs(d[i] * m[i * d.size() + j] * d[j]));
            // Within [1/2, 2] it is left alone, so that matrices of ones, twos and halves stay what they are.
            if (largest == 0 || (2 * largest >= 1 && largest <= 2)) continue;
            const double half = static_cast<double>(real::log(largest)) / (2 * std::log(2.0));
            next[i] *= real::pow(static_cast<quad>(2), static_cast<quad>(-std::round(half)));
            changed = true;
        }
        d = next;
        if (!changed) break;
    }
    return d;
}

// A principal submatrix of full rank by symmetric pivoting (an antisymmetric matrix always has one), and the kernel.
// Elimination uses 2x2 pivots [[0, a], [-a, 0]], largest first.
std::vector<int> regular_coordinates(std::vector<quad> m, int n) {
    std::vector<int> chosen;
    std::vector<char> used(static_cast<std::size_t>(n), 0);
    const std::vector<quad> d = balance(m, n);
    for (std::size_t i = 0; i < m.size(); ++i) m[i] *= d[i / d.size()] * d[i % d.size()];
    quad largest = 0;
    for (quad x : m) largest = std::max(largest, real::abs(x));
    const auto at = [&](int i, int j) -> quad& { return m[static_cast<std::size_t>(i * n + j)]; };
    for (;;) {
        int p = -1, q = -1;
        quad best = largest * static_cast<quad>(1e-12);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < i; ++j)
                if (!used[i] && !used[j] && real::abs(at(i, j)) > best) best = real::abs(at(i, j)), p = i, q = j;
        if (p < 0) break;
        const quad pivot = at(p, q);
        std::vector<quad> row_p(static_cast<std::size_t>(n)), row_q(static_cast<std::size_t>(n));
        for (int j = 0; j < n; ++j) row_p[j] = at(p, j), row_q[j] = at(q, j);
        used[p] = used[q] = 1;
        chosen.push_back(p), chosen.push_back(q);
        for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
                if (!used[i] && !used[j]) at(i, j) += (row_q[i] * row_p[j] - row_p[i] * row_q[j]) / pivot;
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
}

// Solves A X = B for small dense matrices in quad, partial pivoting. A is n x n, B is n x k.
void solve_dense(std::vector<quad> a, std::vector<quad>& b, int n, int k) {
    const auto A = [&](int i, int j) -> quad& { return a[static_cast<std::size_t>(i * n + j)]; };
    const auto B = [&](int i, int j) -> quad& { return b[static_cast<std::size_t>(i * k + j)]; };
    for (int c = 0; c < n; ++c) {
        int p = c;
        for (int i = c + 1; i < n; ++i)
            if (real::abs(A(i, c)) > real::abs(A(p, c))) p = i;
        for (int j = 0; j < n; ++j) std::swap(A(c, j), A(p, j));
        for (int j = 0; j < k; ++j) std::swap(B(c, j), B(p, j));
        for (int i = 0; i < n; ++i) {
            if (i == c) continue;
            const quad f = A(i, c) / A(c, c);
            for (int j = c; j < n; ++j) A(i, j) -= f * A(c, j);
            for (int j = 0; j < k; ++j) B(i, j) -= f * B(c, j);
        }
    }
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < k; ++j) B(i, j) /= A(i, i);
}

// To the bit, as the reader of model files has it: what is not antisymmetric as written is a mistake, however small.
void require_antisymmetric(const std::vector<quad>& m, std::size_t n) {
    if (m.size() != n * n)
        throw Unsuitable("the structure has " + std::to_string(m.size()) + " entries; " + std::to_string(n) +
                         " variables need " + std::to_string(n * n));
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            if (!(m[i * n + j] == -m[j * n + i]) || !real::is_finite(m[i * n + j]))
                throw Unsuitable("the structure is not antisymmetric: it has " + real::to_text(m[i * n + j]) +
                                 " in row " + std::to_string(i + 1) + ", column " + std::to_string(j + 1) + " and " +
                                 real::to_text(m[j * n + i]) + " in row " + std::to_string(j + 1) + ", column " +
                                 std::to_string(i + 1));
}

} // namespace

GeneralHamiltonian::GeneralHamiltonian(const Model& m) : model(m) {
    if (m.kind != Model::general) throw Unsuitable("this method needs a general Hamiltonian model");
    const int n = m.z.count();
    require_antisymmetric(m.structure, static_cast<std::size_t>(n));
    const auto J = [&](int i, int j) { return m.structure[static_cast<std::size_t>(i * n + j)]; };
    chosen = regular_coordinates(m.structure, n);
    const int r = rank(), k = n - r;
    std::vector<int> rest;
    for (int i = 0; i < n; ++i)
        if (std::find(chosen.begin(), chosen.end(), i) == chosen.end()) rest.push_back(i);
    // Kernel: the remaining coordinate is 1, the chosen ones follow from J_SS n_S = -J_S,rest.
    std::vector<quad> a(static_cast<std::size_t>(r * r)), b(static_cast<std::size_t>(r * k));
    for (int i = 0; i < r; ++i) {
        for (int j = 0; j < r; ++j) a[static_cast<std::size_t>(i * r + j)] = J(chosen[i], chosen[j]);
        for (int j = 0; j < k; ++j) b[static_cast<std::size_t>(i * k + j)] = -J(chosen[i], rest[j]);
    }
    if (r > 0) solve_dense(a, b, r, k);
    kernel.assign(static_cast<std::size_t>(n * k), 0);
    for (int j = 0; j < k; ++j) {
        kernel[static_cast<std::size_t>(rest[j] * k + j)] = 1;
        for (int i = 0; i < r; ++i)
            kernel[static_cast<std::size_t>(chosen[i] * k + j)] = b[static_cast<std::size_t>(i * k + j)];
    }
    // Where J is regular x is z itself; else x and y are new leaves.
    if (k == 0) {
        x = m.z;
        return;
    }
    for (int c : chosen) {
        const std::string name = "x of " + m.z[static_cast<std::size_t>(c)].name;
        x.push_back({name, m.graph->symbol(name)});
    }
    for (int c : rest) {
        const std::string name = "kernel part of " + m.z[static_cast<std::size_t>(c)].name;
        y.push_back({name, m.graph->symbol(name)});
    }
}

Vec GeneralHamiltonian::z() const {
    if (y.empty()) return x;
    Vec result = model.z;
    const auto k = y.size();
    for (std::size_t i = 0; i < result.size(); ++i) {
        Expr e = 0;
        for (std::size_t c = 0; c < chosen.size(); ++c)
            if (chosen[c] == static_cast<int>(i)) e = x[c].value;
        for (std::size_t j = 0; j < k; ++j) e = e + Expr(kernel[i * k + j]) * y[j].value;
        result[i].value = e;
    }
    return result;
}

Vec GeneralHamiltonian::y_of_z() const { // N is the identity in the rows that were not chosen
    Vec result = y;
    for (std::size_t i = 0, c = 0, j = 0; i < model.z.size(); ++i) {
        if (c < chosen.size() && chosen[c] == static_cast<int>(i))
            ++c;
        else
            result[j++].value = model.z[i].value;
    }
    return result;
}

Vec GeneralHamiltonian::x_of_z() const {
    Vec result = x;
    const Vec rest = y_of_z();
    for (std::size_t c = 0; c < x.size(); ++c) {
        const auto i = static_cast<std::size_t>(chosen[c]);
        result[c].value = model.z[i].value;
        for (std::size_t j = 0; j < rest.size(); ++j)
            result[c].value = result[c].value - Expr(kernel[i * rest.size() + j]) * rest[j].value;
    }
    return result;
}

Vec GeneralHamiltonian::multiplier_equations() const {
    const Vec grad = gradient(model.function, model.z);
    Vec result = y;
    for (std::size_t j = 0; j < y.size(); ++j) {
        result[j].name = "H_lambda";
        result[j].value = 0.0;
        for (std::size_t i = 0; i < grad.size(); ++i)
            result[j].value = result[j].value + Expr(kernel[i * y.size() + j]) * grad[i].value;
    }
    return result;
}

std::vector<quad> GeneralHamiltonian::inverse() const {
    const std::size_t n = model.z.size(), r = chosen.size();
    std::vector<quad> a(r * r), result(r * r, 0);
    for (std::size_t i = 0; i < r; ++i) {
        for (std::size_t j = 0; j < r; ++j)
            a[i * r + j] =
                model.structure[static_cast<std::size_t>(chosen[i]) * n + static_cast<std::size_t>(chosen[j])];
        result[i * r + i] = 1;
    }
    solve_dense(a, result, static_cast<int>(r), static_cast<int>(r));
    return result;
}

// The kernel drops out of the form.
std::pair<Vec, Vec> GeneralHamiltonian::form() const {
    Vec a = x;
    for (std::size_t i = 0; i < a.size(); ++i) {
        Expr e = 0;
        for (std::size_t j = 0; j < x.size(); ++j)
            e = e + Expr(model.structure[static_cast<std::size_t>(chosen[i]) * model.z.size() +
                                         static_cast<std::size_t>(chosen[j])] /
                         2) *
                        x[j].value;
        a[i].value = e;
    }
    return {a, x};
}

FirstOrder GeneralHamiltonian::first_order() const {
    if (!model.phase.empty())
        throw Unsuitable("this method takes no constraints beside J z' = grad H; dirac and dirac_weak do");
    const Vec grad = substitute(gradient(model.function, model.z), {{model.z, z()}});
    const std::size_t r = x.size(), k = y.size();
    // R^T J R x' = R^T grad H; the matrix is constant, so its inverse is a matrix of numbers.
    const std::vector<quad> inverted = inverse();
    FirstOrder f{model.graph, x, y, x, {}, {}};
    for (std::size_t i = 0; i < r; ++i) {
        Expr e = 0;
        for (std::size_t j = 0; j < r; ++j)
            e = e + Expr(inverted[i * r + j]) * grad[static_cast<std::size_t>(chosen[j])].value;
        f.rate[i].value = e;
    }
    const Vec multipliers = substitute(multiplier_equations(), {{model.z, z()}});
    if (k > 0) f.algebraic = {multipliers == zeros_like(multipliers)};
    f.y_start = y_of_z();
    return f;
}

} // namespace rattleback
