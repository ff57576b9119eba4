// Implicit differentiation of the results of a system: with F(x, u) = 0 and results Y(x, u),
// dY = (Y_x - Y_u F_u^-1 F_x) dx. All derivatives come from the graph.
#pragma once

#include <algorithm>

#include "solve/system.hpp"

#include "solve/dense.hpp"
#include "solve/eliminate.hpp"

namespace rattleback::solve {

struct RowColumn {
    std::uint32_t row, column;
};

// All nonzeros of the Jacobians of several vectors, as one vector of formulas.
class Jacobians {
  public:
    void add(const Vec& f, const Vec& x) {
        std::vector<RowColumn> pattern;
        for (const ScalarEntry& e : expand(jacobian(f, x), f, x)) {
            pattern.push_back({e.row, e.column});
            formulas.push_back({"", e.value});
        }
        patterns.push_back(std::move(pattern));
        shapes.emplace_back(static_cast<std::size_t>(f.count()), static_cast<std::size_t>(x.count()));
    }
    template <class T> std::vector<Matrix<T>> read(const SystemSolver<T>& solver) const {
        std::vector<Matrix<T>> result;
        std::size_t at = 0;
        for (std::size_t k = 0; k < patterns.size(); ++k) {
            Matrix<T> m(shapes[k].first, shapes[k].second);
            for (const RowColumn& e : patterns[k]) m(e.row, e.column) = solver.result(at++);
            result.push_back(std::move(m));
        }
        return result;
    }

    Vec formulas;
    std::vector<std::vector<RowColumn>> patterns;
    std::vector<std::pair<std::size_t, std::size_t>> shapes;
};

// Unknowns of a system as one vector, and its equations as residuals.
inline Vec unknowns_of(const System& s) {
    Vec all;
    for (const Unknown& u : s.find) all = concat({all, u.symbols});
    return all;
}
inline Vec residuals_of(const System& s) {
    Vec all;
    for (const Equation& e : s.equations) all = concat({all, e.lhs - e.rhs});
    return all;
}

template <class T> Matrix<T> product(const Matrix<T>& a, const Matrix<T>& b) {
    Matrix<T> c(a.rows, b.columns);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t k = 0; k < a.columns; ++k)
            for (std::size_t j = 0; j < b.columns; ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
}

// A system with the derivatives of its results, ready to run in any scalar.
struct ImplicitSystem {
    // Derivatives are taken by each vector of `by`, which consist of inputs of the system.
    ImplicitSystem(const System& written, const std::vector<Vec>& by) : sets(by.size()) {
        const System system = eliminate(written);
        const Vec unknowns = unknowns_of(system), residuals = residuals_of(system);
        System with_unknowns = system;
        with_unknowns.results = unknowns;
        find = compile(with_unknowns);
        std::vector<Vec> all{unknowns};
        all.insert(all.end(), by.begin(), by.end());
        for (const Vec* f : {&residuals, &system.results})
            for (const Vec& x : all) jacobians.add(*f, x);
        derive = compile(System{
            system.graph, concat({system.given, unknowns}), {}, {}, concat({jacobians.formulas, system.results})});
    }

    std::size_t sets;
    Jacobians jacobians;
    std::shared_ptr<const CompiledSystem> find, derive; // the unknowns; all derivatives, given these
};

template <class T> class Implicit {
  public:
    explicit Implicit(std::shared_ptr<const ImplicitSystem> system)
        : system_(std::move(system)), find_(system_->find), derive_(system_->derive) {}
    Implicit(const System& written, const std::vector<Vec>& by)
        : Implicit(std::make_shared<const ImplicitSystem>(written, by)) {}

    // The derivatives of the results with respect to each set, for these given values; false: see report.
    bool at(const std::vector<T>& given, std::vector<Matrix<T>>& derivatives, Report& report) {
        std::copy(given.begin(), given.end(), find_.given());
        if (!find_.solve(report)) return false;
        T* u = std::copy(given.begin(), given.end(), derive_.given());
        for (std::size_t i = 0; i < find_.result_count(); ++i) *u++ = find_.result(i);
        if (!derive_.solve(report)) return false;
        const std::vector<Matrix<T>> d = system_->jacobians.read(derive_); // F_u, F_x, ..., Y_u, Y_x, ...
        const std::size_t m = d[0].rows;
        Dense<T> matrix(static_cast<int>(m));
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < m; ++j) matrix.at(static_cast<int>(i), static_cast<int>(j)) = d[0](i, j);
        std::vector<T> units; // of the unknowns, where these are so different that elimination fails
        if (m > 0 && !matrix.factor().ok && !factor_in_units(matrix, units)) {
            report.status = Report::singular;
            report.what = "the tangent map does not exist here";
            return false;
        }
        derivatives.clear();
        const std::size_t sets = system_->sets;
        for (std::size_t k = 1; k <= sets; ++k)
            derivatives.push_back(total(matrix, units, d[k], d[sets + 1], d[sets + 1 + k]));
        return true;
    }

    // The results themselves, where the derivatives were taken last.
    std::vector<T> values() const {
        std::vector<T> all;
        for (auto i = static_cast<std::size_t>(system_->jacobians.formulas.count()); i < derive_.result_count(); ++i)
            all.push_back(derive_.result(i));
        return all;
    }

  private:
    // The matrix with columns of length 1, factored.
    static bool factor_in_units(Dense<T>& matrix, std::vector<T>& units) {
        for (int j = 0; j < matrix.size(); ++j) {
            T largest = 0;
            for (int i = 0; i < matrix.size(); ++i) largest = std::max(largest, real::abs(matrix.at(i, j)));
            if (!(largest > 0)) return false;
            for (int i = 0; i < matrix.size(); ++i) matrix.at(i, j) /= largest;
            units.push_back(largest);
        }
        return matrix.factor().ok;
    }

    static Matrix<T> total(Dense<T>& F_u, const std::vector<T>& units, const Matrix<T>& F_x, const Matrix<T>& Y_u,
                           const Matrix<T>& Y_x) {
        const std::size_t m = F_x.rows;
        Matrix<T> solved = F_x;
        std::vector<T> column(m);
        for (std::size_t j = 0; j < F_x.columns && m > 0; ++j) {
            for (std::size_t i = 0; i < m; ++i) column[i] = F_x(i, j);
            F_u.solve(column.data());
            for (std::size_t i = 0; i < m; ++i) solved(i, j) = units.empty() ? column[i] : column[i] / units[i];
        }
        Matrix<T> result = Y_x;
        const Matrix<T> correction = product(Y_u, solved);
        for (std::size_t i = 0; i < result.entries.size(); ++i) result.entries[i] -= correction.entries[i];
        return result;
    }

    std::shared_ptr<const ImplicitSystem> system_;
    SystemSolver<T> find_, derive_;
};

} // namespace rattleback::solve
