// What becomes of small residuals beside the constraint set (Leimkuhler and Reich 1994, sections 3.3 and 3.4). For
// equations of motion x' = f(x) that leave c(x) = (g, psi) = 0 invariant, c' = c_x f; beside the set, to first order,
//     c' = R c,     R = (c_x f)_x N,     c_x N = I
// since c_x f has no slope along the set the right inverse N does not matter. R is taken at the nodes of a run.
#include <rattleback/evidence.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

#include "evidence/linear.hpp"
#include "evidence/studies.hpp"
#include "formulation/dirac.hpp"
#include "model/copy.hpp"
#include "run/initial.hpp"
#include "solve/implicit.hpp"
#include <rattleback/operators.hpp>

namespace rattleback {
namespace {

Vec field_of(const Dirac& sys, const MethodName& name) {
    const quad alpha = name.options.number("alpha", 0);
    const Vec none = zeros_like(sys.psi);
    if (name.id == "underlying") return sys.field(sys.mu(none), none);
    if (name.id == "dirac") return sys.field(sys.total(alpha));
    if (name.id == "dirac_simplified") return sys.field(sys.simplified(alpha));
    if (name.id == "dirac_linear") return sys.field(sys.linear());
    if (name.id == "dirac_weak") return sys.field(sys.mu(sys.eta(alpha)), sys.eta(alpha));
    throw Unsuitable("--stability looks at underlying, dirac, dirac_simplified, dirac_weak and dirac_linear, not at " +
                     name.id);
}

// c_x and (c_x f)_x as numbers at places (q, p) and times.
class ResidualRates {
  public:
    ResidualRates(const Dirac& sys, const Vec& field) : parameters_(parameter_values<double>(sys.model)) {
        const Vec c = concat({sys.g, sys.psi}), x = concat({sys.q, sys.p}), one({{"t", Expr(1)}});
        const Vec rate = derivative_along(c, concat({x, sys.model.time_vec()}), concat({field, one}));
        for (const Vec* f : {&c, &rate, &field}) jacobians_.add(*f, x);
        const Vec given = concat({x, time_and_parameter_leaves(sys.model)});
        solver_.emplace(compile(System{sys.model.graph, given, {}, {}, jacobians_.formulas}));
    }

    // R, and the size of what it is made of; empty where formulas have no value.
    Dense at(std::span<const double> q, std::span<const double> p, double t, double& size) {
        double* to = std::copy(p.begin(), p.end(), std::copy(q.begin(), q.end(), solver_->given()));
        *to++ = t;
        std::copy(parameters_.begin(), parameters_.end(), to);
        Report ignored;
        if (!solver_->solve(ignored)) return {};
        const std::vector<Dense> found = jacobians_.read(*solver_);
        const Dense &normals = found[0], &slopes = found[1], &field = found[2];
        size = 0;
        for (double a : field.entries) size = std::max(size, std::abs(a));
        const Dense inverse = solved(product(normals, transposed(normals)), normals); // its transpose is N
        return inverse.entries.empty() ? Dense{} : product(slopes, transposed(inverse));
    }

  private:
    solve::Jacobians jacobians_; // by x: of c, of its rate, of the field
    std::optional<SystemSolver<double>> solver_;
    std::vector<double> parameters_;
};

Dense combined(const Dense& a, double by, const Dense& b) {
    Dense sum = a;
    for (std::size_t i = 0; i < sum.entries.size(); ++i) sum.entries[i] += by * b.entries[i];
    return sum;
}

Dense identity(std::size_t n) {
    Dense one(n, n);
    for (std::size_t i = 0; i < n; ++i) one(i, i) = 1;
    return one;
}

double norm(const Dense& m) {
    double sum = 0;
    for (double x : m.entries) sum += x * x;
    return std::sqrt(sum);
}

// NOTE: a zero that is double, as r' = s, s' = 0 has, comes out as the square root of round-off.
constexpr double nothing = 1e-5;

class Watch {
  public:
    Watch(const Dirac& sys, const std::string& method) : residuals_(sys, field_of(sys, parse_methods(method).at(0))) {
        result.method = method;
    }

    void at_node(std::span<const double> q, std::span<const double> p, double t, double h) {
        double size = 0;
        const Dense R = residuals_.at(q, p, t, size);
        if (R.entries.empty()) return;
        double grows = 0, shrinks = 0, turns = 0;
        for (const std::complex<double>& e : eigenvalues(R))
            grows = std::max(grows, e.real()), shrinks = std::min(shrinks, e.real()), turns = std::max(turns, e.imag());
        const double small = nothing * std::max(size, norm(R));
        (grows > small      ? result.saddle
         : turns > small    ? result.centre
         : shrinks < -small ? result.sink
                            : result.neutral)++;
        if (grows <= small && turns <= small && norm(R) > small) nilpotent_ = true;
        result.growth = std::max(result.growth, grows > small ? grows : 0);
        result.frequency = std::max(result.frequency, turns > small ? turns : 0);
        follow(R, h);
    }

    StabilityStudy::Formulation finish() {
        result.linear_growth = nilpotent_ && result.centre + result.saddle + result.sink == 0;
        return result;
    }

  private:
    // The midpoint rule on C' = R C, with the mean of R at both ends: it keeps a centre a centre.
    void follow(const Dense& R, double h) {
        if (last_.entries.empty()) {
            C_ = identity(R.rows);
        } else if (!C_.entries.empty()) { // empty after a singular step: nothing more is known then
            const Dense sum = combined(R, 1, last_);
            const Dense one = identity(R.rows), forward = combined(one, h / 4, sum), back = combined(one, -h / 4, sum);
            C_ = solved(back, product(forward, C_));
            result.factor = std::max(result.factor, norm(C_) / std::sqrt(static_cast<double>(R.rows)));
        }
        last_ = R;
    }

    ResidualRates residuals_;
    Dense last_, C_;
    bool nilpotent_ = false;
    StabilityStudy::Formulation result;
};

} // namespace

std::string StabilityStudy::Formulation::verdict() const {
    const int kinds = (centre > 0) + (saddle > 0) + (neutral > 0) + (sink > 0);
    if (kinds > 1) {
        std::string s;
        for (const auto& [count, name] : {std::pair{centre, "centre"}, std::pair{saddle, "saddle"},
                                          std::pair{neutral, "neutral"}, std::pair{sink, "sink"}})
            if (count) s += (s.empty() ? "" : ", ") + std::string(name) + " at " + std::to_string(count);
        return s + " nodes";
    }
    return centre          ? "centre"
           : saddle        ? "saddle"
           : sink          ? "sink"
           : linear_growth ? "neutral, with linear growth"
                           : "neutral";
}

StabilityStudy study_stability(const Model& given, const std::vector<std::string>& methods, double step, int steps) {
    const Model model = deep_copy(given);
    if (model.holonomic.empty())
        throw Unsuitable("stability is that of residuals of holonomic constraints; this model has none");
    const Dirac sys(model);
    std::vector<Watch> watches;
    for (const std::string& m : methods) watches.emplace_back(sys, m);
    const Run run = integrate(model, {.method = "rattle", .step = step, .steps = steps});
    if (!run.report().ok()) throw BadRun("the run of rattle ended: " + run.report().text());
    StabilityStudy study{{}, run.summary().t_end, static_cast<int>(run.t.size())};
    for (Watch& w : watches) {
        for (std::size_t k = 0; k < run.t.size(); ++k) w.at_node(run.q.row(k), run.p.row(k), run.t[k], step);
        study.formulations.push_back(w.finish());
    }
    return study;
}

} // namespace rattleback
