#include "boundary/second_order.hpp"

#include <algorithm>
#include <tuple>

#include "boundary/focal.hpp"
#include "boundary/reduced_variations.hpp"
#include "evidence/linear.hpp"

namespace rattleback::boundary {
namespace {

// Of holonomic constraints: at every node a basis T of the directions that they allow. With dq = T xi and eta = T^T dp
// the form is dxi ^ deta, and steps do not depend on what dp has beside: a multiplier takes it away.
std::vector<Dense> allowed_at_nodes(const PathSolver& solver, const Path& path, std::size_t first, std::size_t last) {
    const Formulas f = deep_copy(solver.formulas());
    solve::Jacobians slopes;
    slopes.add(f.model.holonomic, f.model.q);
    const Vec given = concat({f.model.q, f.model.time_vec(), f.model.parameter_vec()});
    SystemSolver<double> at(compile(System{f.model.graph, given, {}, {}, slopes.formulas}));
    std::vector<Dense> all;
    const std::size_t n = path.states() / 2, N = path.steps();
    std::vector<double> parameters;
    for (const Parameter& p : f.model.parameters) parameters.push_back(static_cast<double>(p.value));
    for (std::size_t k = first; k <= last; ++k) {
        double* to = std::copy_n(path.node(k), n, at.given());
        *to++ = k < N ? path.t[k] : path.t[N - 1] + path.h[N - 1];
        if (path.charts) path.charts->put(path.centre(k), parameters);
        std::copy(parameters.begin(), parameters.end(), to);
        Report report;
        if (!at.solve(report)) return {};
        all.push_back(null_space(slopes.read(at)[0]));
    }
    return all;
}

} // namespace

Dense allowed_directions(const PathSolver& solver, const Path& path, std::size_t node) {
    const std::vector<Dense> all = allowed_at_nodes(solver, path, node, node);
    return all.empty() ? Dense(path.states() / 2, 0) : all[0];
}

std::vector<double> restricted(const double* A, const Dense& before, const Dense& after) {
    const std::size_t n = before.rows, d = before.columns;
    Dense step(2 * n, 2 * n), from(2 * n, 2 * d), to(2 * d, 2 * n);
    std::copy_n(A, 4 * n * n, step.entries.data());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < d; ++j) {
            from(i, j) = from(n + i, d + j) = before(i, j);
            to(j, i) = to(d + j, n + i) = after(i, j);
        }
    return product(to, product(step, from)).entries;
}

namespace {

void restrict_to_constraints(Variations& v, const PathSolver& solver, const Path& path,
                             std::vector<std::vector<double>>& tangents) {
    const std::vector<Dense> T = allowed_at_nodes(solver, path, 0, path.steps());
    if (T.empty() || T[0].columns == 0) return;
    for (std::size_t k = 0; k < v.steps; ++k) tangents.push_back(restricted(solver.tangent(k), T[k], T[k + 1]));
    v.coordinates = T[0].columns;
    v.tangent = [&](std::size_t k) { return tangents[k].data(); };
    for (auto [rows, hess, basis] :
         {std::tuple{&v.from_rows, &v.from_hessian, &T.front()}, std::tuple{&v.to_rows, &v.to_hessian, &T.back()}}) {
        *rows = product(*rows, *basis);
        *hess = product(transposed(*basis), product(*hess, *basis));
    }
}

Variations variations_of(PathSolver& solver, const Problem& problem, const Path& path,
                         std::vector<std::vector<double>>& tangents) {
    const std::size_t N = path.steps();
    const double end = problem.t0 + problem.time;
    solver.from().set_centre(path.centre(0)), solver.to().set_centre(path.centre(N));
    Variations v{.coordinates = solver.states() / 2,
                 .steps = N,
                 .tangent = [&](std::size_t k) { return solver.tangent(k); },
                 .sign = problem.is_control ? -1.0 : 1.0,
                 .parts = static_cast<std::size_t>(solver.parts()),
                 .from_rows = solver.from().tangent_rows(path.node(0), path.nu_from, path.t[0], path.h[0]),
                 .from_hessian = solver.from().hessian(path.node(0), path.nu_from, path.t[0], path.h[0]),
                 .to_rows = solver.to().tangent_rows(path.node(N), path.nu_to, end, path.h[N - 1]),
                 .to_hessian = solver.to().hessian(path.node(N), path.nu_to, end, path.h[N - 1])};
    if (!problem.model.holonomic.empty()) restrict_to_constraints(v, solver, path, tangents);
    return v;
}

} // namespace

SecondOrder second_order(PathSolver& solver, const Problem& problem, const Path& path) {
    const std::size_t N = path.steps();
    const double end = problem.t0 + problem.time;
    SecondOrder found;
    std::vector<std::vector<double>> tangents;
    Variations v;
    if (problem.last_set) {
        auto made = reduced_variations(solver, problem, path);
        found.is_judged = made.has_value(); // where inputs do not commute, kelley_condition says so
        if (!made || made->v.coordinates == 0) return found;
        v = std::move(made->v), tangents = std::move(made->tangents);
        v.tangent = [&](std::size_t k) { return tangents[k].data(); };
    } else {
        v = variations_of(solver, problem, path, tangents);
    }
    const FocalPoints focal = focal_points(v);
    found.at_end = focal.at_end;
    const std::size_t parts = v.parts, whole = N / parts; // substeps are not equally long, steps are
    for (double place : focal.places) {
        // At the very end: of a family of paths with the same ends, all of which cost the same.
        if (place > static_cast<double>(N) * (1 - 1e-5)) continue;
        const double steps = place / static_cast<double>(parts);
        const auto k = std::min(static_cast<std::size_t>(steps), whole - 1);
        const double from = path.t[k * parts], to = k + 1 < whole ? path.t[(k + 1) * parts] : end;
        found.conjugate.push_back(from + (steps - static_cast<double>(k)) * (to - from));
    }
    return found;
}

} // namespace rattleback::boundary
