// Whether multipliers are determined at the start, which is what index 1 means (McLachlan, Modin, Verdier and Wilkins
// 2014, Props. 1, 2 and 4), and which assumption fails if not.
#include <rattleback/run.hpp>

#include "run/initial.hpp"
#include "solve/rank.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

constexpr double negligible = 1e-12; // of a row's length: what the conditioning of 1e12 in `check` calls singular
constexpr int most_rows = 400;       // larger ones are left to the solver

// Values of a Jacobian at the data, row-major; empty where they do not exist or are too many.
std::vector<double> jacobian_at(const Model& model, const Vec& f, const Vec& x, const Vec& given,
                                const std::vector<double>& values) {
    const auto rows = static_cast<std::size_t>(f.count()), columns = static_cast<std::size_t>(x.count());
    if (f.count() > most_rows || x.count() > most_rows) return {};
    const std::vector<ScalarEntry> entries = expand(jacobian(f, x), f, x);
    Vec formulas;
    for (const ScalarEntry& e : entries) formulas.push_back({"", e.value});
    std::vector<double> others{static_cast<double>(model.t0)}, found;
    for (const Parameter& p : model.parameters) others.push_back(static_cast<double>(p.value));
    Report ignored;
    const Vec all = concat({given, model.time_vec(), model.parameter_vec()});
    if (!solve_once(System{model.graph, all, {}, {}, formulas}, {values, others}, found, ignored)) return {};
    std::vector<double> m(rows * columns, 0.0);
    for (std::size_t i = 0; i < entries.size(); ++i) m[entries[i].row * columns + entries[i].column] = found[i];
    return m;
}

int rank_of(const std::vector<double>& m, int rows) {
    return solve::row_rank(m, rows, static_cast<int>(m.size()) / rows, negligible).rank;
}

const char* const force = "--force index runs it as it is";

std::string general(const Model& model, const InitialData<double>& at) {
    const GeneralHamiltonian sys(model);
    if (sys.rank() == 0)
        return std::string("J = 0: grad H(z) = 0 are equations without time, and nothing moves\n  ") + force;
    const int k = sys.nullity();
    if (k == 0) return "";
    const Vec x = sys.x_of_z(), y = sys.y_of_z(), conditions = sys.first_order().algebraic[0].lhs;
    std::vector<double> values;
    Report ignored;
    if (!solve_once(System{model.graph, model.z, {}, {}, concat({x, y})}, {at.z}, values, ignored)) return "";
    const std::vector<double> H = jacobian_at(model, conditions, sys.y, concat({sys.x, sys.y}), values);
    if (H.empty() || rank_of(H, k) == k) return "";
    return "the system is not of index 1: H_lambda_lambda has rank " + std::to_string(rank_of(H, k)) + " of " +
           std::to_string(k) + " at the start, and H_lambda = 0 does not determine the multipliers\n  " +
           "a holonomic constraint belongs under holonomic = [...] of a mechanical model; " + force;
}

// (v, lambda) from p = F_v and phi = 0; for a Hamiltonian from v = H_p(q, p + phi_v^T lambda).
std::string variational(const Model& model, const InitialData<double>& at) {
    const Variational sys(model);
    Vec residuals;
    for (const Equation& e : sys.legendre()) residuals = concat({residuals, e.lhs - e.rhs});
    const Vec given = concat({sys.q, sys.v, sys.p, sys.lambda});
    std::vector<double> values;
    for (const auto* part : {&at.q, &at.v, &at.p, &at.lambda}) values.insert(values.end(), part->begin(), part->end());
    const int n = sys.q.count(), m = sys.phi.count();
    const std::vector<double> K = jacobian_at(model, residuals, concat({sys.v, sys.lambda}), given, values);
    if (K.empty() || rank_of(K, n + m) == n + m) return "";
    if (rank_of(jacobian_at(model, sys.phi, sys.v, given, values), m) < m) return ""; // ConstraintWatch names them
    std::string why;
    if (!sys.has_lagrangian())
        why = "phi_v H_pp phi_v^T is singular at the start; that phi_v has full rank is not enough";
    else if (rank_of(jacobian_at(model, sys.generalized_momentum(), sys.v, given, values), n) == n)
        why = "phi_v F_vv^-1 phi_v^T is singular at the start, F = L - lambda . phi; that phi_v has full rank is not "
              "enough where F_vv is indefinite";
    else
        why = "F_vv is singular at the start along directions that the constraints allow, F = L - lambda . phi";
    return "the variational problem is not of index 1: " + why + "\n  " + force;
}

} // namespace

std::string why_not_index_one(const Model& model, const InitialData<double>& at) {
    if (model.kind == Model::general) return general(model, at);
    return model.variational && !model.velocity.empty() ? variational(model, at) : "";
}

std::string index_problem(const Model& model) {
    Model any = own_copy(model); // general data need not satisfy H_lambda = 0; a singular Lagrangian speaks for itself
    any.any_index = model.kind == Model::general;
    InitialData<double> data;
    Report report;
    bool complete = false;
    try {
        complete = complete_in_place(any, data, report);
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
