#include <rattleback/evidence.hpp>

#include <algorithm>
#include <limits>

#include "solve/implicit.hpp"

namespace rattleback {

using solve::Implicit;
using solve::Jacobians;
using solve::product;

template <class T> struct Tangent<T>::Systems {
    std::optional<Implicit<T>> step, manifold; // the increment; what vanishes on carried states
    Jacobians form;
    std::optional<SystemSolver<T>> forms;
    std::size_t states = 0, parameters = 0;
    std::vector<std::size_t> unknown; // parameters whose derivative is not known: the structure was computed from them
};

template <class T>
Tangent<T>::Tangent(const Model& model, const Method& method) : systems_(std::make_unique<Systems>()) {
    const Step& step = method.step;
    Systems& s = *systems_;
    const Vec parameter = model.parameter_vec(), scalars({{"t", step.t}, {"h", step.h}});
    const Vec given = concat({step.state, step.hint, scalars, parameter});
    s.states = static_cast<std::size_t>(step.state.count());
    s.parameters = static_cast<std::size_t>(parameter.count());
    for (std::size_t i = 0; i < model.parameters.size(); ++i)
        if (std::find(model.structure_parameters.begin(), model.structure_parameters.end(), model.parameters[i].name) !=
            model.structure_parameters.end())
            s.unknown.push_back(i);
    s.step.emplace(System{step.graph, given, step.find, step.equations, step.increment},
                   std::vector{step.state, parameter});
    if (!step.manifold.empty())
        s.manifold.emplace(System{step.graph, given, step.node_find, step.node_equations, step.manifold},
                           std::vector{step.state});
    for (const auto& [a, b] : step.form) s.form.add(a, step.state), s.form.add(b, step.state);
    s.forms.emplace(
        compile(System{step.graph, concat({step.state, Vec({{"t", step.t}}), parameter}), {}, {}, s.form.formulas}));
}
template <class T> Tangent<T>::~Tangent() = default;
template <class T> Tangent<T>::Tangent(Tangent&&) noexcept = default;

namespace {

template <class T> std::vector<T> given_values(const Stepper<T>& stepper, T t, T h) {
    std::vector<T> given = stepper.state();
    given.insert(given.end(), stepper.hint().begin(), stepper.hint().end());
    given.push_back(t), given.push_back(h);
    given.insert(given.end(), stepper.parameters().begin(), stepper.parameters().end());
    return given;
}

} // namespace

template <class T> bool Tangent<T>::sub_step(Stepper<T>& stepper, T t, T h, bool steady, Report& report) {
    Systems& s = *systems_;
    std::vector<Matrix<T>> d;
    if (!s.step->at(given_values(stepper, t, h), d, report)) return false;
    Matrix<T>&by_state = d[0], &by_parameter = d[1];
    for (std::size_t i = 0; i < s.states; ++i) by_state(i, i) += T(1);
    parameters_ = product(by_state, parameters_);
    for (std::size_t i = 0; i < parameters_.entries.size(); ++i) parameters_.entries[i] += by_parameter.entries[i];
    state_ = product(by_state, state_);
    return stepper.sub_step(t, h, steady, report);
}

template <class T> bool Tangent<T>::normals(const Stepper<T>& stepper, T t, Matrix<T>& rows, Report& report) {
    rows = Matrix<T>(0, systems_->states);
    if (!systems_->manifold) return true;
    std::vector<Matrix<T>> d;
    if (!systems_->manifold->at(given_values(stepper, t, stepper.h()), d, report)) return false;
    rows = d[0];
    for (std::size_t i = 0; i < rows.rows; ++i) { // Gram and Schmidt, twice for the last digits
        const auto dot = [&](std::size_t a, std::size_t b) {
            T sum = 0;
            for (std::size_t j = 0; j < rows.columns; ++j) sum += rows(a, j) * rows(b, j);
            return sum;
        };
        for (int again = 0; again < 2; ++again)
            for (std::size_t k = 0; k < i; ++k) {
                const T part = dot(i, k);
                for (std::size_t j = 0; j < rows.columns; ++j) rows(i, j) -= part * rows(k, j);
            }
        const T norm = real::sqrt(dot(i, i));
        for (std::size_t j = 0; j < rows.columns; ++j) rows(i, j) /= norm;
    }
    return true;
}

template <class T> bool Tangent<T>::advance(Stepper<T>& stepper, long long step, T h, Report& report) {
    const Systems& s = *systems_;
    state_ = Matrix<T>(s.states, s.states);
    for (std::size_t i = 0; i < s.states; ++i) state_(i, i) = 1;
    parameters_ = Matrix<T>(s.states, s.parameters);
    const T t = stepper.t0() + static_cast<T>(step) * h;
    quad at = 0;
    const auto& fractions = stepper.method().substeps;
    for (quad f : fractions) {
        if (!sub_step(stepper, t + static_cast<T>(at) * h, static_cast<T>(f) * h, fractions.size() > 1, report))
            return false;
        at += f;
    }
    for (std::size_t j :
         s.unknown) // J was a matrix of numbers in all of the above: no answer is better than a wrong one
        for (std::size_t i = 0; i < s.states; ++i)
            parameters_(i, j) = static_cast<T>(std::numeric_limits<double>::quiet_NaN());
    return true;
}

template <class T>
bool Tangent<T>::form(const std::vector<T>& at, T t, const std::vector<T>& parameters, Matrix<T>& omega,
                      Report& report) {
    Systems& s = *systems_;
    T* given = std::copy(at.begin(), at.end(), s.forms->given());
    *given++ = t;
    std::copy(parameters.begin(), parameters.end(), given);
    if (!s.forms->solve(report)) return false;
    const std::vector<Matrix<T>> d = s.form.read(*s.forms);
    omega = Matrix<T>(s.states, s.states);
    for (std::size_t k = 0; k + 1 < d.size(); k += 2) // da ^ db (x, y) = (A x).(B y) - (B x).(A y)
        for (std::size_t c = 0; c < d[k].rows; ++c)
            for (std::size_t i = 0; i < s.states; ++i)
                for (std::size_t j = 0; j < s.states; ++j)
                    omega(i, j) += d[k](c, i) * d[k + 1](c, j) - d[k + 1](c, i) * d[k](c, j);
    return true;
}

template class Tangent<double>;
template class Tangent<long double>;
template class Tangent<quad>;

} // namespace rattleback
