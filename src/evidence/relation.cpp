#include "evidence/relation.hpp"

#include <algorithm>

#include "model/copy.hpp"
#include "run/initial.hpp"
#include "solve/dense.hpp"
#include "solve/implicit.hpp"

namespace rattleback {
namespace {

constexpr std::size_t most_variables = 60; // a dense matrix, in quad

template <class T> Matrix<T> second_derivatives(const Model& model, const std::vector<double>& z) {
    solve::Jacobians jacobian;
    jacobian.add(gradient(model.function, model.z), model.z);
    SystemSolver<T> solver(
        compile(System{model.graph, concat({model.z, time_and_parameter_leaves(model)}), {}, {}, jacobian.formulas}));
    const std::vector<T> others = time_and_parameters(model, static_cast<T>(model.t0));
    std::copy(others.begin(), others.end(), std::copy(z.begin(), z.end(), solver.given()));
    Report ignored;
    return solver.solve(ignored) ? jacobian.read(solver)[0] : Matrix<T>();
}

// The largest entry of S^T J S - J relative to the largest sum of the sizes of its terms.
template <class T> T change_of_form(const Matrix<T>& S, const Matrix<T>& J) {
    const std::size_t n = J.rows;
    T worst = 0, largest = 0;
    for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) {
            T sum = -J(a, b), terms = real::abs(sum);
            for (std::size_t i = 0; i < n; ++i)
                for (std::size_t j = 0; j < n; ++j) {
                    const T term = S(i, a) * J(i, j) * S(j, b);
                    sum += term, terms += real::abs(term);
                }
            worst = std::max(worst, real::abs(sum)), largest = std::max(largest, terms);
        }
    return largest > T(0) ? worst / largest : T(0);
}

} // namespace

template <class T>
std::optional<MidpointRelation<T>> midpoint_relation(const Model& given, const std::vector<double>& start, T h,
                                                     double forward) {
    const Model model = deep_copy(given);
    const std::size_t n = model.z.size();
    if (model.kind != Model::general || n == 0 || n > most_variables) return {};
    const Matrix<T> H = second_derivatives<T>(model, start);
    if (H.entries.empty()) return {};
    Matrix<T> J(n, n), S(n, n);
    for (std::size_t i = 0; i < n * n; ++i) J.entries[i] = static_cast<T>(model.structure[i]);
    const T after = static_cast<T>(forward) * h, before = h - after;
    solve::Dense<T> of_next(static_cast<int>(n));
    for (std::size_t i = 0; i < n * n; ++i) of_next.values()[i] = J.entries[i] - after * H.entries[i];
    if (!of_next.factor().ok) return {};
    std::vector<T> column(n);
    for (std::size_t j = 0; j < n; ++j) {
        for (std::size_t i = 0; i < n; ++i) column[i] = J(i, j) + before * H(i, j);
        of_next.solve(column.data());
        for (std::size_t i = 0; i < n; ++i) S(i, j) = column[i];
    }
    MidpointRelation<T> found{.form = change_of_form(S, J)};
    for (std::size_t j = 0; j < n; ++j) S(j, j) -= 1;
    for (const T& x : solve::product(J, S).entries) found.jump = std::max(found.jump, real::abs(x));
    return found;
}

std::string convergence_of_relation(const Model& model, const std::vector<double>& start) {
    if (std::all_of(model.structure.begin(), model.structure.end(), [](quad x) { return x == 0; }))
        return "J = 0: z1 = 2 z* - z0 where grad H(z*) = 0, for any z0 and any step";
    const auto coarse = midpoint_relation(model, start, static_cast<quad>(1e-3)),
               fine = midpoint_relation(model, start, static_cast<quad>(1e-4));
    if (!coarse || !fine) return "z0 does not determine z1";
    const auto number = [](quad x) { return real::to_text(x, 3); };
    return "J d(z1 - z0)/dz0 is " + number(coarse->jump) + " at a step of 1e-3 and " + number(fine->jump) +
           " at 1e-4: " +
           (fine->jump < coarse->jump / 2 ? "it vanishes with the step" : "no approximation of a motion");
}

template std::optional<MidpointRelation<double>> midpoint_relation(const Model&, const std::vector<double>&, double,
                                                                   double);
template std::optional<MidpointRelation<quad>> midpoint_relation(const Model&, const std::vector<double>&, quad,
                                                                 double);

} // namespace rattleback
