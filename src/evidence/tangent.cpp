#include <rattleback/evidence.hpp>

#include <algorithm>
#include <limits>

#include "run/compiled.hpp"
#include "solve/system.hpp"

namespace rattleback {

using solve::Implicit;
using solve::product;

template <class T> struct Tangent<T>::Systems {
    explicit Systems(const CompiledMethod& method)
        : map(method.parts().tangent()), step(map.step), forms(map.forms), states(method.parts().states),
          parameters(method.parts().parameters) {
        if (map.manifold) manifold.emplace(map.manifold);
        const Model& model = method.model();
        const auto& fixed = model.structure_parameters;
        for (std::size_t i = 0; i < parameters; ++i)
            if (std::find(fixed.begin(), fixed.end(), model.parameters[i].name) != fixed.end()) unknown.push_back(i);
    }
    CompiledMethod::Parts::TangentMap map;
    Implicit<T> step;                    // of the increment
    std::optional<Implicit<T>> manifold; // of what vanishes on carried states
    SystemSolver<T> forms;
    std::size_t states, parameters;
    std::vector<std::size_t> unknown; // parameters whose derivative is not known: the structure was computed from them
};

template <class T> Tangent<T>::Tangent(const CompiledMethod& method) : systems_(std::make_unique<Systems>(method)) {}
template <class T> Tangent<T>::~Tangent() = default;
template <class T> Tangent<T>::Tangent(Tangent&&) noexcept = default;

namespace {

template <class T> std::vector<T> given_values(const Stepper<T>& stepper, T t, T h) {
    std::vector<T> given(stepper.compiled().parts().step.given.size());
    stepper.give(t, h, given.data());
    return given;
}

} // namespace

template <class T> bool Tangent<T>::sub_step(Stepper<T>& stepper, T t, T h, bool steady, Report& report) {
    Systems& s = *systems_;
    std::vector<Matrix<T>> d;
    if (!s.step.at(given_values(stepper, t, h), d, report)) return false;
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

template <class T> bool Tangent<T>::form(const Stepper<T>& stepper, T t, Matrix<T>& omega, Report& report) {
    Systems& s = *systems_;
    stepper.give(t, stepper.h(), s.forms.given());
    if (!s.forms.solve(report)) return false;
    const std::vector<Matrix<T>> d = s.map.form.read(s.forms);
    omega = Matrix<T>(s.states, s.states);
    for (std::size_t k = 0; k + 1 < d.size(); k += 2) // da ^ db (x, y) = (A x).(B y) - (B x).(A y)
        for (std::size_t c = 0; c < d[k].rows; ++c)
            for (std::size_t i = 0; i < s.states; ++i)
                for (std::size_t j = 0; j < s.states; ++j)
                    omega(i, j) += d[k](c, i) * d[k + 1](c, j) - d[k + 1](c, i) * d[k](c, j);
    return true;
}

#define RATTLEBACK_INSTANTIATE(T) template class Tangent<T>;
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
