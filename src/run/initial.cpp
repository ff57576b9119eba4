#include "run/initial.hpp"

#include <algorithm>

namespace rattleback {
namespace {

template <class T> std::vector<T> to_scalars(const std::vector<quad>& values) {
    std::vector<T> result;
    for (quad x : values) result.push_back(static_cast<T>(x));
    return result;
}

template <class T> std::vector<T> parameter_values(const Model& model) {
    std::vector<T> values;
    for (const Parameter& p : model.parameters) values.push_back(static_cast<T>(p.value));
    return values;
}

template <class T>
bool solve_once(const System& system, std::initializer_list<std::vector<T>> given, std::vector<T>& results,
                Report& report) {
    SystemSolver<T> solver(compile(system));
    T* at = solver.given();
    for (const auto& part : given) at = std::copy(part.begin(), part.end(), at);
    if (!solver.solve(report)) return false;
    results.clear();
    for (std::size_t i = 0; i < solver.result_count(); ++i) results.push_back(solver.result(i));
    return true;
}

template <class T> bool complete_mechanics(const Model& model, InitialData<T>& data, Report& report) {
    const Mechanics mechanics(model);
    data.q = to_scalars<T>(model.q0);
    const Vec rest = concat({model.time_vec(), model.parameter_vec()});
    std::vector<T> others{static_cast<T>(model.t0)};
    const std::vector<T> parameters = parameter_values<T>(model);
    others.insert(others.end(), parameters.begin(), parameters.end());
    const bool velocities = !model.v0.empty();
    const Vec &known = velocities ? model.v : model.p, &wanted = velocities ? model.p : model.v;
    System system{model.graph, concat({model.q, known, rest}), {{wanted, {}}}, mechanics.legendre(), wanted};
    const std::vector<T> given = to_scalars<T>(velocities ? model.v0 : model.p0);
    (velocities ? data.v : data.p) = given;
    try {
        if (solve_once(system, {data.q, given, others}, velocities ? data.p : data.v, report)) return true;
        if (report.status == Report::singular) {
            report.what = velocities ? "the Hamiltonian is singular: the velocities do not determine the momenta"
                                     : "the Lagrangian is singular: the momenta do not determine the velocities";
            report.remedy = "every velocity must enter the kinetic energy";
        }
        return false;
    } catch (const StructuralError& e) {
        throw Unsuitable(std::string(velocities ? "the Hamiltonian" : "the Lagrangian") + " is singular: " + e.what());
    }
}

// Components of z given, or to be found from N^T grad H = 0 so that z agrees with what is given.
template <class T> bool complete_general(const Model& model, InitialData<T>& data, Report& report) {
    const GeneralHamiltonian sys(model);
    const std::size_t n = model.z.size(), k = sys.y.size();
    Vec given, found;
    std::vector<T> values;
    for (std::size_t i = 0; i < n; ++i) {
        const bool known = i >= model.z_given.size() || model.z_given[i];
        (known ? given : found).push_back(model.z[i]);
        if (known) values.push_back(static_cast<T>(model.z0[i]));
    }
    const Vec constraint = sys.multiplier_equations();
    std::vector<T> others{static_cast<T>(model.t0)};
    const std::vector<T> parameters = parameter_values<T>(model);
    others.insert(others.end(), parameters.begin(), parameters.end());
    const Vec rest = concat({model.time_vec(), model.parameter_vec()});
    if (!found.empty() && found.size() != k)
        throw BadRun("[initial] z leaves out " + std::to_string(found.size()) +
                     " components; the structure has a kernel of dimension " + std::to_string(k) + ", so " +
                     (k == 0 ? "none" : std::to_string(k)) + " may be left out");
    if (found.empty()) {
        data.z = values;
        std::vector<T> residual;
        if (!solve_once(System{model.graph, concat({given, rest}), {}, {}, constraint}, {values, others}, residual,
                        report))
            return false;
        for (T r : residual)
            if (!(real::abs(r) <= static_cast<T>(1e-9))) {
                throw BadRun("the initial z does not satisfy H_lambda = 0: the residual is " +
                             real::to_text(static_cast<quad>(r), 3) +
                             "\n  leave the components that it determines out of a named table z = { ... }, and they "
                             "are computed");
            }
        return true;
    }
    try {
        if (!solve_once(
                System{
                    model.graph, concat({given, rest}), {{found, {}}}, {constraint == zeros_like(constraint)}, model.z},
                {values, others}, data.z, report))
            return false;
    } catch (const StructuralError& e) {
        throw BadRun(std::string("H_lambda = 0 does not determine what is left out of z: ") + e.what());
    }
    return true;
}

} // namespace

template <class T> bool complete_initial_data(const Model& model, InitialData<T>& data, Report& report) {
    return model.kind == Model::general ? complete_general(model, data, report)
                                        : complete_mechanics(model, data, report);
}

template <class T>
bool start_values(const Model& model, const Step& step, const std::vector<T>& q_or_z, const std::vector<T>& v,
                  const std::vector<T>& p, T t0, const std::vector<T>& parameters, std::vector<T>& state,
                  std::vector<T>& hint, Report& report) {
    const Vec leaves = model.kind == Model::general ? model.z : concat({model.q, model.v, model.p});
    const System system{model.graph,
                        concat({leaves, model.time_vec(), model.parameter_vec()}),
                        {},
                        {},
                        concat({step.start, step.start_hint})};
    std::vector<T> results;
    const bool general = model.kind == Model::general;
    if (!solve_once(system, {q_or_z, general ? std::vector<T>{} : v, general ? std::vector<T>{} : p, {t0}, parameters},
                    results, report))
        return false;
    const auto middle = results.begin() + step.start.count();
    state.assign(results.begin(), middle);
    hint.assign(middle, results.end());
    return true;
}

#define RATTLEBACK_INSTANTIATE(T)                                                                                      \
    template bool complete_initial_data(const Model&, InitialData<T>&, Report&);                                       \
    template bool start_values(const Model&, const Step&, const std::vector<T>&, const std::vector<T>&,                \
                               const std::vector<T>&, T, const std::vector<T>&, std::vector<T>&, std::vector<T>&,      \
                               Report&);
RATTLEBACK_INSTANTIATE(double)
RATTLEBACK_INSTANTIATE(long double)
RATTLEBACK_INSTANTIATE(quad)

} // namespace rattleback
