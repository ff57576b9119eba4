// One model under d'Alembert's principle and under the variational one. With phi linear in v the second reads
//     d/dt L_v = L_q + F + phi_v^T lambda' + c,     c = lambda . (d/dt phi_v - phi_q)
// so that -lambda' takes the part of d'Alembert's multiplier, and c is all that makes a difference: the two-form of the
// constraints, put into the motion. Along directions that the constraints allow it vanishes for every lambda if and
// only if they are integrable (Frobenius).
#include <rattleback/evidence.hpp>

#include <algorithm>
#include <cmath>

#include "evidence/distribution.hpp"
#include "evidence/studies.hpp"
#include "evidence/time_left.hpp"
#include "model/copy.hpp"
#include "run/grid.hpp"
#include "run/initial.hpp"
#include "solve/implicit.hpp"

namespace rattleback {
namespace {

constexpr long long most_nodes = 2000;

std::vector<quad> in_quad(const std::vector<double>& x) { return {x.begin(), x.end()}; }

// The first of the methods that takes the model.
std::string fitting(const Model& model, const std::string& names, const std::string& otherwise) {
    if (names.empty()) return otherwise;
    std::string why;
    for (const MethodName& name : parse_methods(names)) {
        try {
            build_method(model, name);
            return name.text;
        } catch (const Unsuitable& e) { why += std::string("\n  ") + e.what(); }
    }
    throw Unsuitable("none of the methods takes the " +
                     std::string(model.variational ? "variational" : "nonholonomic") + " form of this model" + why);
}

// Largest differences between two runs with the same nodes, by coordinate.
struct Differences {
    std::vector<double> largest, at;
    std::optional<double> part;
    double overall() const { return largest.empty() ? 0 : *std::max_element(largest.begin(), largest.end()); }
};
Differences between(const Run& a, const Run& b, double visible) {
    Differences d{std::vector<double>(a.q.columns(), 0.0), std::vector<double>(a.q.columns(), 0.0), {}};
    for (std::size_t k = 0; k < std::min(a.t.size(), b.t.size()); ++k)
        for (std::size_t i = 0; i < d.largest.size(); ++i) {
            const double x = std::abs(a.q(k, i) - b.q(k, i));
            if (x > d.largest[i]) d.largest[i] = x, d.at[i] = a.t[k];
            if (x > visible && !d.part) d.part = a.t[k];
        }
    return d;
}

// The size of c along allowed directions w: the largest c . w with w . L_vv w = 1.
class CurvatureForce {
  public:
    explicit CurvatureForce(const Model& of) {
        const Model model = deep_copy(of);
        const Variational sys(model);
        const Expr work = dot(sys.lambda, sys.phi);
        const Vec c = rates_of(gradient(work, sys.v), model) - gradient(work, sys.q);
        jacobians_.add(sys.momentum(), sys.v);
        jacobians_.add(concat({sys.phi, rates_of(sys.g, model)}), sys.v);
        const Vec given = concat({sys.q, sys.v, sys.lambda, time_and_parameter_leaves(model)});
        solver_.emplace(compile(System{model.graph, given, {}, {}, concat({jacobians_.formulas, c})}));
        parameters_ = parameter_values<double>(model);
    }

    double at(const Run& run, std::size_t node) {
        double* to = solver_->given();
        for (const Table* part : {&run.q, &run.v, &run.lambda})
            to = std::copy(part->row(node).begin(), part->row(node).end(), to);
        *to++ = run.t[node];
        std::copy(parameters_.begin(), parameters_.end(), to);
        Report ignored;
        if (!solver_->solve(ignored)) return 0;
        const std::vector<Dense> found = jacobians_.read(*solver_);
        const Dense &M = found[0], &A = found[1], N = null_space(A);
        Dense c(M.rows, 1);
        for (std::size_t i = 0; i < c.rows; ++i) c(i, 0) = solver_->result(jacobians_.formulas.size() + i);
        const Dense along = product(transposed(N), c);
        if (N.columns == 0) return 0;
        const Dense w = solved(product(transposed(N), product(M, N)), along);
        return w.entries.empty() ? 0 : std::sqrt(std::max(0.0, product(transposed(along), w)(0, 0)));
    }

  private:
    solve::Jacobians jacobians_; // L_vv and A
    std::optional<SystemSolver<double>> solver_;
    std::vector<double> parameters_;
};

// The same positions and velocities for both; lambda belongs to the second alone.
std::pair<Model, Model> both(const Model& model) {
    if (model.kind == Model::general || model.velocity.empty())
        throw Unsuitable("two principles make a difference to velocity constraints; this model has none");
    InitialData<double> data;
    Report report;
    if (!complete_initial_data(model, data, report)) throw BadRun("the model cannot start: " + report.text());
    Model first = model, second = model;
    first.variational = false, second.variational = true;
    if (data.lambda.empty()) data.lambda.assign(model.lambda0.begin(), model.lambda0.end());
    const int m = model.velocity.count();
    if (data.lambda.empty())
        throw BadRun("the variational motion needs multipliers to start with, " + std::to_string(m) +
                     (m == 1 ? " number" : " numbers") +
                     ": they are part of its initial data\n  give them: --lambda 0" + (m == 1 ? "" : ",0") +
                     (m > 2 ? ",..." : ""));
    for (Model* x : {&first, &second}) x->q0 = in_quad(data.q), x->v0 = in_quad(data.v), x->p0 = {};
    first.lambda0 = {}, second.lambda0 = in_quad(data.lambda);
    return {first, second};
}

} // namespace

PrinciplesStudy compare_principles(const Model& model, const RunOptions& given) {
    const auto [first, second] = both(model);
    const Grid grid = make_grid(model, given);
    RunOptions options = given;
    options.every = std::max(1LL, grid.steps / most_nodes);
    RunOptions finer = options;
    finer.step = grid.h / 2, finer.steps = 2 * grid.steps, finer.until = {}, finer.every = 2 * options.every;
    PrinciplesStudy study;
    TimeLeft time(given.progress);
    int portions = 6; // two runs, with two of twice as many steps
    const auto portion = [&](const Model& m, RunOptions& of, int takes) {
        portions -= takes;
        time.begin();
        if (time)
            of.progress = [&, takes](long long done, long long total) {
                const double whole = time.seconds() * static_cast<double>(total) / static_cast<double>(done);
                time.left(whole - time.seconds() + whole * portions / takes);
            };
        return integrate(m, of);
    };
    const auto run = [&](const Model& m, const std::string& otherwise, Run& result) {
        options.method = finer.method = fitting(m, given.method, otherwise);
        result = portion(m, options, 1);
        if (result.report().ok() && grid.steps > 0)
            study.numerical_error = std::max(study.numerical_error, between(result, portion(m, finer, 2), 0).overall());
    };
    run(first, "nh_gauss:stages=3", study.nonholonomic);
    run(second, model.holonomic.empty() ? "gauss:stages=3" : "lobatto:stages=4", study.variational);

    const Differences d = between(study.nonholonomic, study.variational, 1e-6);
    study.largest = d.largest, study.at = d.at, study.part = d.part;
    const bool same = d.overall() <= 10 * study.numerical_error + 1e-12;
    study.verdict = !same                           ? PrinciplesStudy::differ
                    : study.numerical_error <= 1e-6 ? PrinciplesStudy::coincide
                                                    : PrinciplesStudy::undecided;
    const Inspection found = inspect(second);
    for (const auto& [name, words] : found.facts)
        if (name == "integrability") study.integrability = words;
    study.integrable = study.integrability.starts_with("integrable");
    const Model copy = deep_copy(second);
    if (!Distribution(Sample(copy), copy.velocity).linear_in_v) return study;
    CurvatureForce force(second);
    for (std::size_t k = 0; k < study.variational.t.size(); ++k) {
        const double size = force.at(study.variational, k);
        if (k == 0) study.force_start = size;
        study.force_max = std::max(study.force_max.value_or(0), size);
    }
    return study;
}

} // namespace rattleback
