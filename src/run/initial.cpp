#include "run/initial.hpp"
#include "formulation/general_hamiltonian.hpp"
#include "model/copy.hpp"
#include "run/least_inputs.hpp"
#include "solve/surface.hpp"
#include "solve/system.hpp"

#include <algorithm>

namespace rattleback {
namespace {

// A direction a with L_vv a = (1, ..., 1): it exists where the Lagrangian is regular. It has the names of the
// velocities, so that it is they that are named where it does not.
struct Regularity {
    explicit Regularity(const Model& model) : momentum(Mechanics(model).momentum()) {
        direction = symbols_like(*model.graph, "direction of ", zero_border(model.q));
        ones = zeros_like(model.q);
        for (std::size_t i = 0; i < model.q.size(); ++i) direction[i].name = model.v[i].name, ones[i].value = Expr(1);
        equation = {derivative_along(momentum, model.v, direction) == ones};
    }
    // What must exist before one can speak of singular.
    Vec finite(const Model& model) const { return concat({momentum, derivative_along(momentum, model.v, ones)}); }

    Vec momentum, direction, ones;
    std::vector<Equation> equation;
};

const char* const enter = "every velocity must enter the kinetic energy; --force index runs it as it is";

void say_singular(bool lagrangian, Report& report) {
    report.status = Report::singular;
    report.what = lagrangian ? "the Lagrangian is singular: the momenta do not determine the velocities"
                             : "the Hamiltonian is singular: the velocities do not determine the momenta";
    report.remedy = lagrangian ? enter : "every momentum must enter the kinetic energy";
}

[[noreturn]] void refuse_structure(const StructuralError& e) {
    throw Unsuitable("the Lagrangian is singular: the momenta do not determine " + e.unknowns + "\n  " + enter);
}

// p = L_v(q, v), and that it can be solved for v.
template <class T>
bool momenta_of_lagrangian(const Model& model, const std::vector<T>& others, InitialData<T>& data, Report& report) {
    const Regularity regular(model);
    const Vec given = concat({model.q, model.v, time_and_parameter_leaves(model)});
    const System system{
        model.graph, given, {{regular.direction, {}}}, regular.equation, concat({regular.momentum, regular.direction})};
    std::vector<T> results;
    try {
        if (solve_once(system, {data.q, data.v, others}, results, report)) {
            data.p.assign(results.begin(), results.begin() + model.p.count());
            return true;
        }
    } catch (const StructuralError& e) { refuse_structure(e); }
    Report exists;
    if (solve_once(System{model.graph, given, {}, {}, regular.finite(model)}, {data.q, data.v, others}, results,
                   exists)) {
        if (report.status == Report::not_finite) report.culprit.clear(); // a division by what should not be 0
        say_singular(true, report);
    } else {
        report.fail(exists);
    }
    return false;
}

// Where Newton's method looks for momenta or velocities: at rest first; but there a formula may have no value.
template <class T> std::vector<std::vector<T>> guesses(const std::vector<T>& known) {
    std::vector<std::vector<T>> all{std::vector<T>(known.size(), T(0)), known};
    for (const double x : {1.0, -1.0, 0.01, -0.01, 100.0, -100.0}) all.emplace_back(known.size(), static_cast<T>(x));
    return all;
}

// v from p of a Lagrangian, or p from v of a Hamiltonian.
template <class T>
bool invert_legendre(const Model& model, const std::vector<T>& others, const std::vector<T>& known,
                     InitialData<T>& data, Report& report) {
    const bool lagrangian = model.kind == Model::lagrangian;
    const Vec &from = lagrangian ? model.p : model.v, &to = lagrangian ? model.v : model.p;
    const Vec guess = symbols_like(*model.graph, "guess of ", to);
    const Vec rest = time_and_parameter_leaves(model);
    const System system{
        model.graph, concat({model.q, from, rest, guess}), {{to, guess}}, Mechanics(model).legendre(), to};
    SystemSolver<T> solver(compile(system));
    bool first = true;
    for (const std::vector<T>& start : guesses(known)) {
        T* at = solver.given();
        for (const std::vector<T>& part : {data.q, known, others, start}) at = std::copy(part.begin(), part.end(), at);
        Report mine;
        if (solver.solve(mine)) {
            report.fail({});
            auto& found = lagrangian ? data.v : data.p;
            found.clear();
            for (std::size_t i = 0; i < solver.result_count(); ++i) found.push_back(solver.result(i));
            return true;
        }
        if (first) report.fail(mine); // the others are further away
        first = false;
    }
    // Only a linear map is singular everywhere; else the search may have run away.
    const auto& blocks = solver.compiled().blocks;
    const bool linear = std::all_of(blocks.begin(), blocks.end(), [](const Block& b) { return b.linear; });
    if (report.status == Report::singular && linear)
        say_singular(lagrangian, report);
    else
        report.remedy = lagrangian ? "no velocities were found that belong to these momenta; give v in [initial]"
                                   : "no momenta were found that belong to these velocities; give p in [initial]";
    return false;
}

// Inputs that make H least at (q, p), or near that, as numbers: where Newton's method begins. Empty: none were found.
template <class T>
Vec least_inputs(const Model& model, const std::vector<T>& q, const std::vector<T>& p, const std::vector<T>& others) {
    LeastInputs least(model);
    std::vector<double> both(q.begin(), q.end()), parameters(others.begin() + 1, others.end());
    both.insert(both.end(), p.begin(), p.end());
    least.set_parameters(parameters);
    least.at(both.data(), static_cast<double>(others[0]));
    const auto found = least.find(std::vector<double>(least.count(), 0.0));
    if (!found) return {};
    Vec u = model.implicit_inputs();
    for (std::size_t i = 0; i < u.size(); ++i) u[i].value = Expr(static_cast<quad>(found->u[i]));
    return u;
}

// The velocity and momentum that belong to each other at the data's q.
template <class T>
bool legendre_transform(const Model& model, const std::vector<T>& others, bool velocities, InitialData<T>& data,
                        Report& report) {
    const bool lagrangian = model.kind == Model::lagrangian;
    const std::vector<T> given = velocities ? data.v : data.p;
    if (lagrangian && velocities && !model.constrained() && !model.any_index)
        return momenta_of_lagrangian(model, others, data, report);
    try {
        if (lagrangian != velocities) return invert_legendre(model, others, given, data, report);
        // Outright: p = L_v, or v = H_p.
        const Vec &from = velocities ? model.v : model.p, &to = velocities ? model.p : model.v;
        std::vector<Unknown> find{{to, {}}};
        if (const Vec u = model.implicit_inputs(); !u.empty())
            find.push_back({u, velocities ? Vec() : least_inputs(model, data.q, given, others)});
        const System system{model.graph, concat({model.q, from, time_and_parameter_leaves(model)}), find,
                            Mechanics(model).legendre(), to};
        return solve_once(system, {data.q, given, others}, velocities ? data.p : data.v, report);
    } catch (const StructuralError& e) {
        require_regular_structure(model);
        throw Unsuitable("the Hamiltonian is singular: the velocities do not determine " + e.unknowns);
    }
}

// Where the coordinates of a chart have moved away from 0, the chart is centred there.
template <class T>
bool centre_charts(const Model& model, const std::vector<T>& others, InitialData<T>& data, Report& report) {
    if (model.groups.empty()) return true;
    const ShownCoordinates shown = shown_coordinates(model);
    std::vector<T> all;
    if (!solve_once(System{model.graph,
                           concat({model.q, model.v, model.p, model.others()}),
                           {},
                           {},
                           concat({shown.q, shown.v, shown.p})},
                    {data.q, data.v, data.p, others}, all, report))
        return false;
    const auto rates = all.begin() + shown.q.count(), momenta = rates + model.v.count();
    data.v.assign(rates, momenta), data.p.assign(momenta, all.end());
    std::tie(data.q, data.centre) = from_shown(model, std::vector<T>(all.begin(), rates));
    return true;
}

template <class T> bool complete_mechanics(const Model& model, InitialData<T>& data, Report& report, bool project) {
    if (model.v0.empty() && model.p0.empty() && model.q.count() > 0)
        throw BadRun("the model has neither initial velocities nor momenta: set v0 or p0, " +
                     std::to_string(model.q.count()) + (model.q.count() == 1 ? " number" : " numbers"));
    data.q = to_scalars<T>(model.q0), data.centre = to_scalars<T>(model.centre0);
    const std::vector<T> others = time_and_parameters(model, static_cast<T>(model.t0));
    const bool velocities = !model.v0.empty(), variational = model.variational && !model.velocity.empty();
    (velocities ? data.v : data.p) = to_scalars<T>(velocities ? model.v0 : model.p0);
    require_sizes(model, data);
    const auto transform = [&](bool from_velocities) {
        return variational ? variational_transform(model, others, from_velocities, data, report)
                           : legendre_transform(model, others, from_velocities, data, report);
    };
    if (model.constrained() && project) {
        if ((!velocities || model.kind == Model::hamiltonian) && !transform(velocities)) return false;
        return project_on_constraints(model, others, data, report) && transform(true) &&
               centre_charts(model, others, data, report);
    }
    T left = 0;
    if (!transform(velocities)) return false;
    if (!model.constrained()) return true;
    if (!require_on_constraints(model, others, data, left, report)) return false;
    if (std::is_same_v<T, double>) return true;
    // What is measured in a higher precision than decimals are written in starts on the constraints in that precision,
    // where it is found; else as it is given.
    const InitialData<T> given = data;
    const bool exact = left <= 64 * Real<T>::epsilon;
    const bool found = !model.phase.empty() ? reach_phase_constraints(model, others, data, report) && transform(false)
                                            : exact || (project_on_constraints(model, others, data, report) &&
                                                        transform(true) && centre_charts(model, others, data, report));
    if (!found) data = given, report.fail({});
    return true;
}

// H_lambda = 0 at the given z, compared with how much it changes when each component changes by its own size: neither
// the units of H nor those of z matter. The step then solves for what is left.
template <class T>
bool satisfies_multipliers(const Model& model, const Vec& constraint, const Vec& given, const std::vector<T>& z,
                           const std::vector<T>& others, Report& report) {
    const std::vector<ScalarEntry> slopes = expand(jacobian(constraint, model.z), constraint, model.z);
    Vec wanted = constraint;
    for (const ScalarEntry& e : slopes) wanted.push_back({"slope of H_lambda", e.value});
    std::vector<T> found;
    if (!solve_once(System{model.graph, given, {}, {}, wanted}, {z, others}, found, report)) return false;
    const std::size_t k = constraint.size();
    std::vector<T> size(k, T(0));
    for (std::size_t i = 0; i < slopes.size(); ++i)
        size[slopes[i].row] += real::abs(found[k + i] * z[slopes[i].column]);
    for (std::size_t j = 0; j < k; ++j)
        if (!(real::abs(found[j]) <= static_cast<T>(1e-9) * size[j]))
            throw BadRun("the initial z does not satisfy H_lambda = 0: the residual is " +
                         real::to_text(static_cast<quad>(found[j]), 3) +
                         "\n  leave the components that it determines out of a named table z = { ... }, and they "
                         "are computed");
    return true;
}

// Constraints beside J, at the given z.
template <class T>
bool on_phase_constraints(const Model& model, const std::vector<T>& z, const std::vector<T>& others, Report& report) {
    Departure<T> worst;
    if (!find_departure<T>(model, model.phase, {{model.z, z}, {time_and_parameter_leaves(model), others, false}}, worst,
                           report))
        return false;
    if (!worst.name.empty())
        throw BadRun("the initial data are off the constraint " + worst.name + " = 0: " + worst.text() +
                     "\n  correct z");
    return true;
}

// Components of z given, or to be found from N^T grad H = 0 so that z agrees with what is given.
template <class T> bool complete_general(const Model& model, InitialData<T>& data, Report& report) {
    const GeneralHamiltonian sys(model);
    const std::size_t n = model.z.size(), k = model.phase.empty() ? sys.y.size() : 0;
    Vec given, found;
    std::vector<T> values;
    for (std::size_t i = 0; i < n; ++i) {
        const bool known = i >= model.z_given.size() || model.z_given[i];
        (known ? given : found).push_back(model.z[i]);
        if (known) values.push_back(static_cast<T>(model.z0[i]));
    }
    const Vec constraint = sys.multiplier_equations();
    const std::vector<T> others = time_and_parameters(model, static_cast<T>(model.t0));
    const Vec rest = time_and_parameter_leaves(model);
    if (!found.empty() && found.size() != k)
        throw BadRun("[initial] z leaves out " + std::to_string(found.size()) +
                     (model.phase.empty() ? " components; the structure has a kernel of dimension " + std::to_string(k)
                                          : " components beside constraints") +
                     ", so " + (k == 0 ? "none" : std::to_string(k)) + " may be left out");
    if (!model.phase.empty()) {
        data.z = values;
        if (!on_phase_constraints(model, values, others, report)) return false;
        if (!std::is_same_v<T, double> && !reach_phase_constraints(model, others, data, report))
            data.z = values, report.fail({});
        return true;
    }
    if (found.empty()) {
        data.z = values;
        if (model.any_index) return true;
        return satisfies_multipliers(model, constraint, concat({given, rest}), values, others, report);
    }
    try {
        const Vec guess = symbols_like(*model.graph, "guess of ", found);
        const System system{.graph = model.graph,
                            .given = concat({given, rest, guess}),
                            .find = {{found, guess}},
                            .equations = {constraint == zeros_like(constraint)},
                            .results = model.z,
                            .restarts = {values.size() + others.size(), found.size()}};
        if (!solve_once(system, {values, others, std::vector<T>(found.size(), T(0))}, data.z, report)) return false;
    } catch (const StructuralError& e) {
        throw BadRun(std::string("H_lambda = 0 does not determine what is left out of z: ") + e.what());
    }
    return true;
}

} // namespace

void require_regular_structure(const Model& model) {
    if (model.kind != Model::lagrangian) return;
    const Regularity regular(model);
    try {
        compile(System{model.graph,
                       concat({model.q, model.v, time_and_parameter_leaves(model)}),
                       {{regular.direction, {}}},
                       regular.equation,
                       regular.direction});
    } catch (const StructuralError& e) { refuse_structure(e); }
}

std::shared_ptr<const CompiledSystem> compile_for(const Model& model, const System& system, bool divide) {
    try {
        return compile(system, divide);
    } catch (const StructuralError&) {
        if (model.any_index) throw;
        const std::string index = index_problem(model);
        if (!index.empty()) throw Unsuitable(index);
        throw;
    }
}

template <class T>
bool complete_velocities(const Model& model, T t0, const std::vector<T>& parameters, InitialData<T>& data,
                         Report& report) {
    if (model.kind == Model::general || data.v.empty() == data.p.empty()) return true;
    std::vector<T> others{t0};
    others.insert(others.end(), parameters.begin(), parameters.end());
    others.insert(others.end(), data.centre.begin(), data.centre.end());
    if (model.variational && !model.velocity.empty())
        return variational_transform(model, others, !data.v.empty(), data, report);
    return legendre_transform(model, others, !data.v.empty(), data, report);
}

template <class T> bool complete_in_graph(const Model& model, InitialData<T>& data, Report& report, bool project) {
    return model.kind == Model::general ? complete_general(model, data, report)
                                        : complete_mechanics(model, data, report, project);
}

template <class T> bool complete_initial_data(const Model& model, InitialData<T>& data, Report& report, bool project) {
    return complete_in_graph(deep_copy(model), data, report, project);
}

template <class T>
bool start_values(const NamedSystem& start, const InitialData<T>& data, T t0, T h, const std::vector<T>& parameters,
                  std::vector<T>& state, std::vector<T>& hint, Report& report) {
    SystemSolver<T> solver(start.compiled);
    const auto give = [&](const char* name, const std::vector<T>& values) {
        std::copy(values.begin(), values.end(), solver.given() + start.given[name].offset);
    };
    if (data.z.empty())
        give("q", data.q), give("v", data.v), give("p", data.p);
    else
        give("z", data.z);
    if (start.given.has("lambda")) give("lambda", data.lambda);
    give("centre", data.centre);
    give("t", {t0}), give("h", {h}), give("parameters", parameters);
    if (!solver.solve(report)) return false;
    const auto take = [&](const char* name, std::vector<T>& to) {
        to.resize(start.results[name].size);
        solver.results(start.results[name].offset, to.size(), to.data());
    };
    take("state", state), take("hint", hint);
    return true;
}

#define RATTLEBACK_INSTANTIATE(T)                                                                                      \
    template bool complete_initial_data(const Model&, InitialData<T>&, Report&, bool);                                 \
    template bool complete_velocities(const Model&, T, const std::vector<T>&, InitialData<T>&, Report&);               \
    template bool complete_in_graph(const Model&, InitialData<T>&, Report&, bool);                                     \
    template bool start_values(const NamedSystem&, const InitialData<T>&, T, T, const std::vector<T>&,                 \
                               std::vector<T>&, std::vector<T>&, Report&);
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
