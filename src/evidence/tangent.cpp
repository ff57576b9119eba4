#include <rattleback/evidence.hpp>

#include <algorithm>
#include <limits>

#include "solve/dense.hpp"
#include "solve/eliminate.hpp"

namespace rattleback {
namespace {

struct Entry {
    std::uint32_t row, column;
};

// All nonzeros of the Jacobians of several vectors, as one vector of formulas.
class Jacobians {
  public:
    void add(const Vec& f, const Vec& x) {
        std::vector<Entry> pattern;
        for (const ScalarEntry& e : expand(jacobian(f, x), f, x)) {
            pattern.push_back({e.row, e.column});
            formulas.push_back({"", e.value});
        }
        patterns.push_back(std::move(pattern));
        shapes.emplace_back(static_cast<std::size_t>(f.count()), static_cast<std::size_t>(x.count()));
    }
    template <class T> std::vector<Matrix<T>> read(const SystemSolver<T>& solver) const {
        std::vector<Matrix<T>> result;
        std::size_t at = 0;
        for (std::size_t k = 0; k < patterns.size(); ++k) {
            Matrix<T> m(shapes[k].first, shapes[k].second);
            for (const Entry& e : patterns[k]) m(e.row, e.column) = solver.result(at++);
            result.push_back(std::move(m));
        }
        return result;
    }

    Vec formulas;
    std::vector<std::vector<Entry>> patterns;
    std::vector<std::pair<std::size_t, std::size_t>> shapes;
};

// Unknowns of a system as one vector, and its equations as residuals.
Vec unknowns_of(const System& s) {
    Vec all;
    for (const Unknown& u : s.find) all = concat({all, u.symbols});
    return all;
}
Vec residuals_of(const System& s) {
    Vec all;
    for (const Equation& e : s.equations) all = concat({all, e.lhs - e.rhs});
    return all;
}

template <class T> Matrix<T> product(const Matrix<T>& a, const Matrix<T>& b) {
    Matrix<T> c(a.rows, b.columns);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t k = 0; k < a.columns; ++k)
            for (std::size_t j = 0; j < b.columns; ++j) c(i, j) += a(i, k) * b(k, j);
    return c;
}

} // namespace

template <class T> struct Tangent<T>::Systems {
    Vec unknowns;
    Jacobians step, form;
    std::optional<SystemSolver<T>> find, derivatives, forms; // u of a step; its Jacobians; the two-form
    std::size_t states = 0, hints = 0, parameters = 0;
    std::vector<std::size_t> unknown; // parameters whose derivative is not known: the structure was computed from them
};

template <class T>
Tangent<T>::Tangent(const Model& model, const Method& method) : systems_(std::make_unique<Systems>()) {
    const Step& step = method.step;
    Systems& s = *systems_;
    const Vec parameter = model.parameter_vec(), scalars({{"t", step.t}, {"h", step.h}});
    const Vec given = concat({step.state, step.hint, scalars, parameter});
    const System written{step.graph, given, step.find, step.equations, step.increment};
    const System system = solve::eliminate(written);
    s.unknowns = unknowns_of(system);
    s.states = static_cast<std::size_t>(step.state.count()), s.hints = static_cast<std::size_t>(step.hint.count());
    s.parameters = static_cast<std::size_t>(parameter.count());
    for (std::size_t i = 0; i < model.parameters.size(); ++i)
        if (std::find(model.structure_parameters.begin(), model.structure_parameters.end(), model.parameters[i].name) !=
            model.structure_parameters.end())
            s.unknown.push_back(i);
    System with_unknowns = system;
    with_unknowns.results = s.unknowns;
    s.find.emplace(compile(with_unknowns));
    const Vec residuals = residuals_of(system);
    for (const Vec* f : {&residuals, &system.results})
        for (const Vec& x : {s.unknowns, step.state, parameter}) s.step.add(*f, x);
    s.derivatives.emplace(compile(System{step.graph, concat({given, s.unknowns}), {}, {}, s.step.formulas}));
    for (const auto& [a, b] : step.form) s.form.add(a, step.state), s.form.add(b, step.state);
    s.forms.emplace(
        compile(System{step.graph, concat({step.state, Vec({{"t", step.t}}), parameter}), {}, {}, s.form.formulas}));
}
template <class T> Tangent<T>::~Tangent() = default;
template <class T> Tangent<T>::Tangent(Tangent&&) noexcept = default;

template <class T> bool Tangent<T>::sub_step(Stepper<T>& stepper, T t, T h, bool steady, Report& report) {
    Systems& s = *systems_;
    const auto fill = [&](T* to) {
        to = std::copy(stepper.state().begin(), stepper.state().end(), to);
        to = std::copy(stepper.hint().begin(), stepper.hint().end(), to);
        *to++ = t, *to++ = h;
        return std::copy(stepper.parameters().begin(), stepper.parameters().end(), to);
    };
    fill(s.find->given());
    if (!s.find->solve(report)) return false;
    T* u = fill(s.derivatives->given());
    for (std::size_t i = 0; i < s.find->result_count(); ++i) *u++ = s.find->result(i);
    if (!s.derivatives->solve(report)) return false;
    const std::vector<Matrix<T>> d = s.step.read(*s.derivatives); // F_u F_x F_par, Y_u Y_x Y_par
    const std::size_t m = d[0].rows;
    solve::Dense<T> matrix(static_cast<int>(m));
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < m; ++j) matrix.at(static_cast<int>(i), static_cast<int>(j)) = d[0](i, j);
    if (m > 0 && !matrix.factor().ok) {
        report.status = Report::singular;
        report.what = "the tangent map does not exist here";
        return false;
    }
    const auto total = [&](const Matrix<T>& F, const Matrix<T>& Y) { // Y - Y_u F_u^-1 F
        Matrix<T> solved = F;
        std::vector<T> column(m);
        for (std::size_t j = 0; j < F.columns && m > 0; ++j) {
            for (std::size_t i = 0; i < m; ++i) column[i] = F(i, j);
            matrix.solve(column.data());
            for (std::size_t i = 0; i < m; ++i) solved(i, j) = column[i];
        }
        Matrix<T> result = Y;
        const Matrix<T> correction = product(d[3], solved);
        for (std::size_t i = 0; i < result.entries.size(); ++i) result.entries[i] -= correction.entries[i];
        return result;
    };
    Matrix<T> by_state = total(d[1], d[4]);
    for (std::size_t i = 0; i < s.states; ++i) by_state(i, i) += T(1);
    const Matrix<T> by_parameter = total(d[2], d[5]);
    parameters_ = product(by_state, parameters_);
    for (std::size_t i = 0; i < parameters_.entries.size(); ++i) parameters_.entries[i] += by_parameter.entries[i];
    state_ = product(by_state, state_);
    return stepper.sub_step(t, h, steady, report);
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
