// The node of a path with inputs: nothing is solved, since p does not give u where a bound is active.
#include "boundary/bounded.hpp"

#include <algorithm>
#include <cmath>

#include "run/columns.hpp"

namespace rattleback::boundary {
namespace {

std::shared_ptr<const Layout> layout_of(const Model& model) {
    Layout layout;
    const auto several = [&](const char* name, ColumnGroup::Role role, std::vector<std::string> columns) {
        const std::size_t count = columns.size();
        layout.add({name, role, std::move(columns), {count}});
    };
    std::vector<std::string> observables;
    for (const NamedFormula& o : model.observables) observables.push_back(o.name);
    layout.add({"t", ColumnGroup::time, {"t"}});
    several("q", ColumnGroup::state, expanded_names(model.q));
    several("v", ColumnGroup::state, expanded_names(model.v));
    several("p", ColumnGroup::state, expanded_names(model.p));
    several("u", ColumnGroup::multiplier, expanded_names(model.control->inputs));
    layout.add({"energy", ColumnGroup::invariant, {"energy"}});
    layout.add({"constraint", ColumnGroup::residual, {"constraint"}});
    several("observables", ColumnGroup::observable, observables);
    return std::make_shared<const Layout>(std::move(layout));
}

// Of (t, q, p, u) and parameters: q' = Gamma, H = L + p . Gamma, observables.
SystemSolver<double> node_functions(const Model& model) {
    const Control& c = *model.control;
    Vec results = as_scalars(c.dynamics);
    results.push_back({"H", c.cost + dot(model.p, c.dynamics)});
    for (const NamedFormula& o : model.observables) results.push_back({o.name, o.formula});
    const Vec given = concat({model.time_vec(), model.q, model.p, c.inputs, model.parameter_vec()});
    return SystemSolver<double>(compile(System{model.graph, given, {}, {}, results}));
}

} // namespace

Run run_of(const Model& model, const Problem& problem, const Transcription& transcription, const BoundedPath& path,
           const std::string& method, const std::string& command) {
    const std::size_t n = transcription.n, m = transcription.m, own = problem.coordinates, N = path.steps();
    const std::shared_ptr<const Layout> layout = layout_of(model);
    SystemSolver<double> functions = node_functions(model);
    Run run(layout);
    Summary& s = run.summary_;
    const double t0 = static_cast<double>(model.t0),
                 time = problem.free_time ? transcription.node(path, 0)[n - 1] : problem.time;
    s.end.layout = layout, s.model = model.name, s.method = method, s.step = time / static_cast<double>(N);
    run.origin = origin_of(model);
    run.origin.method = method, run.origin.step = s.step, run.origin.command = command;
    std::vector<double> q(n), u(m), results(own + 1 + model.observables.size());
    const Transcription::Guess along = transcription.interpolated(path);
    for (std::size_t k = 0; k <= N; ++k) {
        const double *const node = transcription.node(path, k), *const p = &path.costates[k * n];
        const double t = k == N ? t0 + time : t0 + path.mesh[k] * time;
        along(path.mesh[k], q.data(), u.data());
        double* at = functions.given();
        *at++ = t;
        at = std::copy_n(p, own, std::copy_n(node, own, at));
        at = std::copy(u.begin(), u.end(), at);
        for (const Parameter& parameter : model.parameters) *at++ = static_cast<double>(parameter.value);
        if (!functions.solve(run.report_)) break;
        functions.results(0, results.size(), results.data());
        std::vector<double>& row = s.end.values;
        row.assign(1, t);
        row.insert(row.end(), node, node + own), row.insert(row.end(), results.data(), results.data() + own);
        row.insert(row.end(), p, p + own), row.insert(row.end(), u.begin(), u.end());
        row.push_back(results[own]), row.push_back(path.residual);
        row.insert(row.end(), results.begin() + static_cast<std::ptrdiff_t>(own) + 1, results.end());
        if (k == 0) {
            s.energy_initial = results[own];
            run.origin.start.q.assign(node, node + own), run.origin.start.p.assign(p, p + own);
        }
        s.energy_error_max = std::max(s.energy_error_max, std::abs(results[own] - s.energy_initial));
        s.t_end = t, s.steps = static_cast<long long>(k);
        run.record.append(row);
    }
    return run;
}

} // namespace rattleback::boundary
