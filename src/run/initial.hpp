// From initial data to the state that a method carries.
#pragma once

#include <algorithm>

#include <rattleback/run.hpp>

#include "model/copy.hpp"
#include "solve/fields.hpp"
#include "solve/system.hpp"

namespace rattleback {

// From the model's own data: p from v or v from p, on the constraints; the components of z that grad H determines.
// Throws BadRun where the data do not fit; `project` moves them onto the constraints instead.
template <class T>
bool complete_initial_data(const Model& model, InitialData<T>& data, Report& report, bool project = false);

// Why the multipliers (of a singular Lagrangian: the velocities) are not determined at the model's start, as a message;
// empty: the equations are of index 1. Runs from such a start throw BadRun unless model.any_index is set.
std::string index_problem(const Model& model);

// Throws Unsuitable where L_vv is singular whatever the numbers are, naming the velocities.
void require_regular_structure(const Model& model);
// Compiles what a method makes of a model. Where the Lagrangian itself is at fault, that is said, and not what became
// of it in the method's equations.
std::shared_ptr<const CompiledSystem> compile_for(const Model& model, const System& system, bool divide = true);

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

// The leaves that formulas of a model have besides its coordinates, and their values.
inline Vec time_and_parameter_leaves(const Model& model) { return model.others(); }
template <class T> std::vector<T> time_and_parameters(const Model& model, T t) { return other_values<T>(model, t); }

// Compiles a system, solves it for the values given, in order, and returns its results.
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

// A Jacobian as numbers where `leaves` have these values at time t; empty: it has none there.
Matrix<double> jacobian_at(const Model& model, const Vec& f, const Vec& x, const Vec& leaves,
                           const std::vector<std::vector<double>>& values, double t);

// As index_problem, for these data (src/run/index.cpp).
std::string why_not_index_one(const Model& model, const InitialData<double>& at);

// Constrained data (src/run/consistent.cpp). `others`: t and the parameters.
// Variational models: p = F_v(q, v, lambda) from lambda, or v and lambda from p.
template <class T>
bool variational_transform(const Model& model, const std::vector<T>& others, bool from_velocities, InitialData<T>& data,
                           Report& report);
// Numbers that belong to leaves. Those of one kind are `alike`: how well a 0 among them is known, the largest says.
template <class T> struct Data {
    Vec leaves;
    std::vector<T> values;
    bool alike = true;
};
// The constraint that data miss most (solve::on_surface); no name: they are on all of them.
template <class T> struct Departure {
    std::string name;
    T residual = 0, of_terms = 0; // of_terms: relative to its largest term
    T largest = 0;                // relative residual of all constraints
    std::string text() const {
        return "the residual is " + real::to_text(static_cast<quad>(residual), 3) + ", " +
               real::to_text(static_cast<quad>(of_terms), 3) + " of its largest term";
    }
};
template <class T>
bool find_departure(const Model& model, const Vec& constraints, const std::vector<Data<T>>& data, Departure<T>& worst,
                    Report& report);
// Velocity constraints, holonomic ones, their rates and phase constraints at the data; throws BadRun naming the worst.
// `left`: the largest relative residual of data that are on them.
template <class T>
bool require_on_constraints(const Model& model, const std::vector<T>& others, const InitialData<T>& data, T& left,
                            Report& report);
// The nearest positions with g = 0, then the nearest velocities with phi = 0, both in the kinetic metric.
template <class T>
bool project_on_constraints(const Model& model, const std::vector<T>& others, InitialData<T>& data, Report& report);

// The nearest (q, p), or z, with all constraints that Dirac's algorithm finds. False: it finds none, or not there.
template <class T>
bool reach_phase_constraints(const Model& model, const std::vector<T>& others, InitialData<T>& data, Report& report);

// v from p, or p from v, where one is empty.
template <class T>
bool complete_velocities(const Model& model, T t0, const std::vector<T>& parameters, InitialData<T>& data,
                         Report& report);

// As complete_initial_data, for a model in a graph of its own, to which formulas are added.
template <class T>
bool complete_in_graph(const Model& model, InitialData<T>& data, Report& report, bool project = false);

// State and hint of a method from consistent data, by its start system.
template <class T>
bool start_values(const NamedSystem& start, const InitialData<T>& data, T t0, T h, const std::vector<T>& parameters,
                  std::vector<T>& state, std::vector<T>& hint, Report& report);

// Throws BadRun where the data have other sizes than the model. Of v and p one may be left out.
template <class T> void require_sizes(const Model& model, const InitialData<T>& data) {
    const auto require = [](const char* name, std::size_t is, const Vec& of_model) {
        const auto needed = static_cast<std::size_t>(of_model.count());
        if (is != needed)
            throw BadRun("initial data: " + std::string(name) + " has " + std::to_string(is) +
                         " numbers, and the model has " + std::to_string(needed));
    };
    if (model.kind == Model::general) return require("z", data.z.size(), model.z);
    require("q", data.q.size(), model.q);
    if (!data.v.empty() || data.p.empty()) require("v", data.v.size(), model.q);
    if (!data.p.empty()) require("p", data.p.size(), model.q);
    if (!data.centre.empty()) require("centre", data.centre.size(), model.centre);
}

} // namespace rattleback
