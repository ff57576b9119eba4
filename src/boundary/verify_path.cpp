#include "boundary/verify_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "boundary/path.hpp"
#include "boundary/reduced_variations.hpp"
#include "evidence/legendre.hpp"
#include "evidence/linear.hpp"
#include "formulation/chain.hpp"
#include "group/group.hpp"
#include "model/copy.hpp"

namespace rattleback::boundary {
namespace {

constexpr double order_slack = 0.25, round_off = 1e-11; // of an order; of what is measured, relative to its size
constexpr double whole_path = 1e-10; // of a path of 160 to 2560 steps; rounding leaves 1e-15 to 1e-12
constexpr int few_starts = 12;

using Halved = std::array<Solution, 3>; // with N, 2 N and 4 N steps

struct Change {
    double first = 0, second = 0, size = 1; // from N to 2 N steps, from there to 4 N
};

// Of a table with a row for each node: the largest difference at nodes that both have.
Change change_of(const Halved& s, const Table Run::*table) {
    const auto apart = [&](const Table& coarse, const Table& fine, double& size) {
        double most = 0;
        for (std::size_t k = 0; k < coarse.rows(); ++k)
            for (std::size_t i = 0; i < coarse.columns(); ++i) {
                most = std::max(most, std::abs(coarse(k, i) - fine(2 * k, i)));
                size = std::max(size, std::abs(fine(2 * k, i)));
            }
        return most;
    };
    Change c;
    c.first = apart(s[0].run.*table, s[1].run.*table, c.size);
    c.second = apart(s[1].run.*table, s[2].run.*table, c.size);
    return c;
}

Change change_of_cost(const Halved& s) {
    return {std::abs(s[0].best().cost - s[1].best().cost), std::abs(s[1].best().cost - s[2].best().cost),
            std::max(1.0, std::abs(s[2].best().cost))};
}

Change departures_of_H(const Halved& s) {
    return {s[1].run.energy_error_max(), s[2].run.energy_error_max(),
            std::max(1.0, std::abs(s[2].run.summary().energy_initial))};
}

MeasuredClaim judged(const std::string& name, const std::string& claimed, int order, const Change& c) {
    MeasuredClaim m;
    m.name = name, m.claimed = claimed;
    if (c.second <= round_off * c.size) {
        m.verdict = MeasuredClaim::pass, m.remark = "exact on this path, but for rounding";
        return m;
    }
    const double observed = std::log2(c.first / c.second);
    m.measured = observed;
    m.verdict = observed >= order - order_slack ? MeasuredClaim::pass : MeasuredClaim::fail;
    if (observed > order + order_slack) m.remark = "higher than claimed on this path";
    return m;
}

Halved halved(const Model& model, const std::string& method, long long coarsest, const volatile int* interrupt) {
    Halved s;
    for (std::size_t k = 0; k < 3; ++k) {
        SolveOptions options;
        options.method = method, options.steps = coarsest << k, options.starts = few_starts;
        options.interrupt = interrupt;
        s[k] = find_path(model, options);
        if (s[k].status != Solution::Status::solved)
            throw BadRun("no path to measure with " + std::to_string(*options.steps) + " steps: " + s[k].what);
    }
    return s;
}

std::vector<MeasuredClaim> judged(const Halved& s, int order, bool by_time) {
    std::vector<MeasuredClaim> all;
    const Change q = change_of(s, &Run::q);
    const bool same = q.first < 0.2 * q.size && q.second < 0.2 * q.size; // not another of several minima
    const std::string claimed = std::to_string(order);
    for (const auto& [name, change] : {std::pair{"cost_order", change_of_cost(s)}, std::pair{"path_order", q},
                                       std::pair{"costate_order", change_of(s, &Run::p)}}) {
        MeasuredClaim m;
        m.name = name, m.claimed = claimed, m.remark = "the paths of different steps are not the same";
        all.push_back(same || name == std::string("cost_order") ? judged(name, claimed, order, change) : m);
    }
    MeasuredClaim H;
    H.name = "hamiltonian_constant", H.claimed = "yes", H.remark = "H depends on time";
    if (!by_time) {
        H = judged(H.name, H.claimed, order, departures_of_H(s));
        if (H.measured && H.remark.empty()) H.remark = "the order with which its departures fall";
    }
    H.condition = "no time";
    all.push_back(H);
    return all;
}

bool depends_on_time(const Model& model) {
    const Model copy = deep_copy(model);
    const Expr& H = copy.function;
    if (!H.graph()) return false;
    const Vec by_time = gradient(H, copy.time_vec());
    return !by_time[0].value.is(0);
}

// Over all steps of the path: J is what the product M of their tangent maps leaves alone, M^T J M = J. Relative to the
// size of M^T J M, whose terms are |M|^2 large.
MeasuredClaim symplectic_path(const Model& model, const std::string& method, const Solution& found) {
    MeasuredClaim m;
    m.name = "symplectic_path", m.claimed = "unknown", m.condition = "no forces";
    const MethodName name = parse_methods(method)[0];
    for (const Claim& c : find_scheme(name.id).claims(name.options))
        if (c.property == Property::symplectic) m.claimed = std::string(to_text(c.answer));
    m.measured = path_defect(model, method, found);
    if (m.measured && found.best().last_set) m.remark = "of variations on the last set of the chain";
    if (!m.measured)
        m.remark = "the tangent maps of this path are not known";
    else if (m.claimed == "yes")
        m.verdict = *m.measured <= whole_path ? MeasuredClaim::pass : MeasuredClaim::fail;
    return m;
}

// Nodes of a run with coordinates on groups as those of a path: in space 0 in a chart that is centred there, in the
// plane in the chart at the identity.
void read_on_groups(const Model& model, const Run& run, std::size_t k, double* x, std::size_t states) {
    std::vector<double> shown;
    for (std::size_t i = 0; i < run.q.columns(); ++i) shown.push_back(run.q(k, i));
    const auto [q, centre] = from_shown(model, shown);
    std::copy(q.begin(), q.end(), x);
    for (std::size_t i = 0; i < q.size(); ++i) x[states / 2 + i] = run.p(k, i);
    double* carried = x + states;
    for (const GroupCoordinate& c : model.groups) {
        const LieGroup& g = *find_group(c.group);
        const auto first = centre.begin() + static_cast<std::ptrdiff_t>(c.centre);
        const std::vector<quad> element(first, first + static_cast<std::ptrdiff_t>(c.centre_count));
        if (g.space == 3) {
            const std::vector<double> numbers = carried_numbers(g, element);
            carried = std::copy(numbers.begin(), numbers.end(), carried);
            continue;
        }
        const std::vector<quad> w = planar_coordinates(element);
        Numbers at(w.begin(), w.end()), p;
        for (std::size_t i = 0; i < c.count; ++i) p.emplace_back(x[states / 2 + c.first + i]);
        p = g.chart_momentum(at, p);
        for (std::size_t i = 0; i < c.count; ++i) {
            x[c.first + i] = static_cast<double>(w[i]);
            x[states / 2 + c.first + i] = static_cast<double>(*p[i].constant());
        }
    }
}

// Of inputs without a square in H.
MeasuredClaim kelley_claim(const KelleyCondition& k) {
    MeasuredClaim m;
    m.name = "kelley", m.claimed = "of the path", m.measured = k.smallest;
    const std::string at = ", at t = " + real::to_text(k.time, 4);
    if (!k.lost) m.verdict = MeasuredClaim::pass;
    m.remark = !k.lost     ? "the smallest eigenvalue of {H_u, {H_u, H}} along the path" + at
               : k.commute ? "stationary, not a minimum: {H_u, {H_u, H}} is not positive" + at
                           : "stationary, not a minimum: {H_u, H_w} of two inputs does not vanish" + at;
    return m;
}

// A singular problem has no formulas without a start, which [boundary] need not give.
int order_of(const Model& model, const std::string& method) {
    const MethodName name = parse_methods(method)[0];
    if (!singular_inputs(model).empty()) return find_scheme(name.id).order(name.options);
    return formulas_of(model, name).method.order;
}

Model beginning_with(const Model& model, const Extremal& path) {
    Model m = model;
    m.q0.assign(path.q0.begin(), path.q0.end()), m.p0.assign(path.p0.begin(), path.p0.end());
    if (!m.groups.empty()) std::tie(m.q0, m.centre0) = from_shown(model, m.q0);
    m.v0.clear();
    for (std::size_t i = 0; i < path.parameters.size(); ++i)
        for (Parameter& p : m.parameters)
            if (p.name == m.control->chosen[i]) p.value = path.parameters[i];
    m.has_start = true;
    return m;
}

} // namespace

std::optional<double> path_defect(const Model& model, const std::string& method, const Solution& found) {
    const Problem problem(found.best().parameters.empty() ? model : beginning_with(model, found.best()));
    if (!problem.model.holonomic.empty()) return {}; // the form lives on the directions that constraints allow
    PathSolver solver(problem, method);
    const Run& run = found.run;
    const std::size_t N = run.t.rows() - 1, n = solver.states(), own = problem.coordinates;
    const auto inputs = [&](double s) { // where Newton's method begins
        const auto k = std::min(static_cast<std::size_t>(s * static_cast<double>(N)), N - 1);
        std::vector<double> u;
        for (std::size_t i = 0; i < problem.model.implicit_inputs().size(); ++i) u.push_back(run["u"](k, i));
        return u;
    };
    const auto between = [&](double s, double* x) {
        const double at = s * static_cast<double>(N);
        const auto k = std::min(static_cast<std::size_t>(at), N - 1);
        const double part = at - static_cast<double>(k);
        std::fill_n(x, n, 0.0);
        for (std::size_t i = 0; i < own && model.groups.empty(); ++i) {
            x[i] = (1 - part) * run.q(k, i) + part * run.q(k + 1, i);
            x[n / 2 + i] = (1 - part) * run.p(k, i) + part * run.p(k + 1, i);
        }
        for (std::size_t i = 0; i < found.best().parameters.size(); ++i) x[own + i] = found.best().parameters[i];
        if (problem.free_time) x[n / 2 - 1] = found.best().time;
    };
    const PathSolver::Curve nodes = [&](double s, double* x) {
        between(s, x);
        const auto nearest = static_cast<std::size_t>(std::lround(s * static_cast<double>(N)));
        if (!model.groups.empty()) read_on_groups(model, run, nearest, x, n);
    };
    const bool implicit = !problem.model.implicit_inputs().empty();
    Path path = implicit ? solver.path(N, nodes, inputs) : solver.path(N, nodes);
    if (solver.newton(path, 50).status != NewtonOutcome::converged) return {};
    std::optional<ReducedVariations> reduced;
    if (problem.last_set) reduced = reduced_variations(solver, problem, path);
    if (problem.last_set && !reduced) return {};
    const std::size_t w = reduced ? 2 * reduced->v.coordinates : n;
    Dense M(w, w), J(w, w);
    for (std::size_t i = 0; i < w; ++i) M(i, i) = 1;
    for (std::size_t i = 0; i < w / 2; ++i) J(i, w / 2 + i) = 1, J(w / 2 + i, i) = -1;
    for (std::size_t k = 0; k < path.steps(); ++k) {
        Dense step(w, w);
        std::copy_n(reduced ? reduced->tangents[k].data() : solver.tangent(k), w * w, step.entries.data());
        M = product(step, M);
    }
    const Dense kept = product(transposed(M), product(J, M));
    double defect = 0, square = 0;
    for (std::size_t i = 0; i < w * w; ++i)
        defect = std::max(defect, std::abs(kept.entries[i] - J.entries[i])), square += M.entries[i] * M.entries[i];
    return defect / square;
}

bool has_paths(const Model& model) {
    return model.boundary && !model.boundary->periodic && !(model.control && !model.control->bounds.empty());
}

PathVerification verify_path(const Model& model, const std::string& method, const volatile int* interrupt,
                             std::optional<int> claimed_order) {
    const int order = claimed_order ? *claimed_order : order_of(model, method);
    const long long coarsest = order <= 2 ? 40 : order <= 4 ? 20 : 10;
    PathVerification to{model, {}};
    for (const long long finer : {1, 4, 16}) { // long steps do not show the order
        const Halved s = halved(model, method, finer * coarsest, interrupt);
        if (!model.has_start) to.model = beginning_with(model, s[2].best());
        to.claims = judged(s, order, depends_on_time(model));
        if (model.control) to.claims.push_back(legendre_claim(model, s[2].run));
        const auto& inputs = s[2].best().inputs;
        if (inputs && inputs->kelley) to.claims.push_back(kelley_claim(*inputs->kelley));
        to.claims.push_back(symplectic_path(model, method, s[2]));
        if (std::none_of(to.claims.begin(), to.claims.end(),
                         [](const MeasuredClaim& c) { return c.verdict == MeasuredClaim::fail; }))
            break;
    }
    return to;
}

} // namespace rattleback::boundary
