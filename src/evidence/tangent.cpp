#include <rattleback/evidence.hpp>

#include <algorithm>

#include "run/stepper.hpp"

namespace rattleback {

using solve::Implicit;
using solve::product;

template <class T> struct Tangent<T>::Parts {
    explicit Parts(const CompiledMethod& method)
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
    Matrix<T> by_state, by_parameter; // of the last step

    bool sub_step(Stepper<T>& stepper, T t, T h, bool steady, Report& report);
};

template <class T> Tangent<T>::Tangent(const CompiledMethod& method) : parts_(std::make_unique<Parts>(method)) {}
template <class T> Tangent<T>::~Tangent() = default;
template <class T> Tangent<T>::Tangent(Tangent&&) noexcept = default;

namespace {

template <class T> std::vector<T> given_values(const Stepper<T>& stepper, T t, T h) {
    std::vector<T> given(stepper.compiled().parts().step.given.size());
    stepper.parts().give(t, h, given.data());
    return given;
}

} // namespace

template <class T> bool Tangent<T>::Parts::sub_step(Stepper<T>& stepper, T t, T h, bool steady, Report& report) {
    std::vector<Matrix<T>> d; // of this part of the step
    std::vector<T> given = given_values(stepper, t, h);
    stepper.parts().help_newton(t, h, given.data());
    if (!step.at(given, d, report)) return false;
    for (std::size_t i = 0; i < states; ++i) d[0](i, i) += T(1);
    by_parameter = product(d[0], by_parameter);
    for (std::size_t i = 0; i < by_parameter.entries.size(); ++i) by_parameter.entries[i] += d[1].entries[i];
    by_state = product(d[0], by_state);
    return stepper.parts().sub_step(t, h, steady, report);
}

template <class T> const Matrix<T>& Tangent<T>::state() const { return parts_->by_state; }
template <class T> const Matrix<T>& Tangent<T>::parameters() const { return parts_->by_parameter; }

template <class T> bool Tangent<T>::normals(const Stepper<T>& stepper, T t, Matrix<T>& rows, Report& report) {
    rows = Matrix<T>(0, parts_->states);
    if (!parts_->manifold) return true;
    std::vector<Matrix<T>> d;
    if (!parts_->manifold->at(given_values(stepper, t, stepper.h()), d, report)) return false;
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
    Parts& s = *parts_;
    s.by_state = Matrix<T>(s.states, s.states);
    for (std::size_t i = 0; i < s.states; ++i) s.by_state(i, i) = 1;
    s.by_parameter = Matrix<T>(s.states, s.parameters);
    const T t = stepper.t0() + static_cast<T>(step) * h;
    quad at = 0;
    const auto& fractions = stepper.method().substeps;
    for (quad f : fractions) {
        if (!s.sub_step(stepper, t + static_cast<T>(at) * h, static_cast<T>(f) * h, fractions.size() > 1, report))
            return false;
        at += f;
    }
    // J was a matrix of numbers in all of the above: no answer is better than a wrong one.
    for (std::size_t j : s.unknown)
        for (std::size_t i = 0; i < s.states; ++i) s.by_parameter(i, j) = Real<T>::nan;
    return true;
}

template <class T> bool Tangent<T>::form(const Stepper<T>& stepper, T t, Matrix<T>& omega, Report& report) {
    Parts& s = *parts_;
    stepper.parts().give(t, stepper.h(), s.forms.given());
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
