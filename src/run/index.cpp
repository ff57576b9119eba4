// Whether multipliers are determined at the start, which is what index 1 means (McLachlan, Modin, Verdier and Wilkins
// 2014, Props. 1, 2 and 4), and which assumption fails if not.
#include "formulation/general_hamiltonian.hpp"
#include "run/initial.hpp"
#include "run/roots.hpp"
#include "scheme/build.hpp"
#include "solve/implicit.hpp"
#include "solve/rank.hpp"

namespace rattleback {
namespace {

constexpr double negligible = 1e-12; // of a row's length: what the conditioning of 1e12 in `check` calls singular
constexpr int most_rows = 400;       // larger Jacobians are left to the solver

// Full where the Jacobian has no value.
int rank_of(const Matrix<double>& m, int full) {
    if (m.entries.empty()) return full;
    return solve::row_rank(m.entries, static_cast<int>(m.rows), static_cast<int>(m.columns), negligible).rank;
}

const char* const force = "--force index runs it as it is";

bool is_taken_by_dirac(const Model& model) {
    try {
        build_in_graph(deep_copy(model), find_scheme("dirac"), {});
        return true;
    } catch (const Unsuitable&) { return false; }
}

std::string general(const Model& model, const InitialData<double>& at) {
    const GeneralHamiltonian sys(model);
    if (!model.phase.empty()) return "";
    if (sys.rank() == 0)
        return std::string("J = 0: grad H(z) = 0 are equations without time, and nothing moves\n  ") + force;
    const int k = sys.nullity();
    if (k == 0 || k > most_rows) return "";
    const Vec x = sys.x_of_z(), y = sys.y_of_z(), conditions = sys.first_order().algebraic[0].lhs;
    std::vector<double> values;
    Report ignored;
    if (!solve_once(System{model.graph, model.z, {}, {}, concat({x, y})}, {at.z}, values, ignored)) return "";
    const auto t0 = static_cast<double>(model.t0);
    const int rank = rank_of(jacobian_at(model, conditions, sys.y, concat({sys.x, sys.y}), {values}, t0), k);
    if (rank == k || has_one_solution_nearby(sys, at)) return "";
    return "the system is not of index 1: H_lambda_lambda has rank " + std::to_string(rank) + " of " +
           std::to_string(k) + " at the start, and H_lambda = 0 does not determine the multipliers\n  " +
           (is_taken_by_dirac(model) ? "dirac and dirac_weak take it, with the constraints hidden in it; " : "") +
           "a holonomic constraint belongs under holonomic = [...] of a mechanical model; " + force;
}

// (v, lambda) from p = F_v and phi = 0; for a Hamiltonian from v = H_p(q, p + phi_v^T lambda).
std::string variational(const Model& model, const InitialData<double>& at) {
    const Variational sys(model);
    Vec residuals;
    for (const Equation& e : sys.legendre()) residuals = concat({residuals, e.lhs - e.rhs});
    const int n = sys.q.count(), m = sys.phi.count();
    if (n + m > most_rows) return "";
    const auto rank_by = [&](const Vec& f, const Vec& x) {
        return rank_of(jacobian_at(model, f, x, concat({sys.q, sys.v, sys.p, sys.lambda}),
                                   {at.q, at.v, at.p, at.lambda}, static_cast<double>(model.t0)),
                       f.count());
    };
    if (rank_by(residuals, concat({sys.v, sys.lambda})) == n + m) return "";
    if (rank_by(sys.phi, sys.v) < m) return ""; // ConstraintWatch names them
    std::string why;
    if (!sys.has_lagrangian())
        why = "phi_v H_pp phi_v^T is singular at the start; that phi_v has full rank is not enough";
    else if (rank_by(sys.generalized_momentum(), sys.v) == n)
        why = "phi_v F_vv^-1 phi_v^T is singular at the start, F = L - lambda . phi; that phi_v has full rank is not "
              "enough where F_vv is indefinite";
    else
        why = "F_vv is singular at the start along directions that the constraints allow, F = L - lambda . phi";
    return "the variational problem is not of index 1: " + why + "\n  " + force;
}

} // namespace

Matrix<double> jacobian_at(const Model& model, const Vec& f, const Vec& x, const Vec& leaves,
                           const std::vector<std::vector<double>>& values, double t) {
    solve::Jacobians jacobian;
    jacobian.add(f, x);
    SystemSolver<double> solver(
        compile(System{model.graph, concat({leaves, time_and_parameter_leaves(model)}), {}, {}, jacobian.formulas}));
    double* to = solver.given();
    for (const std::vector<double>& part : values) to = std::copy(part.begin(), part.end(), to);
    const std::vector<double> others = time_and_parameters(model, t);
    std::copy(others.begin(), others.end(), to);
    Report ignored;
    return solver.solve(ignored) ? jacobian.read(solver)[0] : Matrix<double>();
}

std::string why_not_index_one(const Model& model, const InitialData<double>& at) {
    if (model.kind == Model::general) return general(model, at);
    return model.variational && !model.velocity.empty() ? variational(model, at) : "";
}

std::string index_problem(const Model& model) {
    Model any = deep_copy(model); // general data need not satisfy H_lambda = 0; a singular Lagrangian speaks for itself
    any.any_index = model.kind == Model::general;
    InitialData<double> data;
    Report report;
    bool complete = false;
    try {
        complete = complete_in_graph(any, data, report);
    } catch (const Unsuitable& e) { return e.what(); } catch (const StructuralError&) {
    }
    if (!complete && !(model.variational && !model.velocity.empty()))
        return report.status == Report::singular ? report.text() : "";
    if (!complete) // from momenta: at rest is as good a place as any where L is quadratic
        data.v.assign(static_cast<std::size_t>(model.v.count()), 0),
            data.lambda.assign(static_cast<std::size_t>(model.velocity.count()), 0);
    any.any_index = model.any_index;
    return why_not_index_one(any, data);
}

} // namespace rattleback
