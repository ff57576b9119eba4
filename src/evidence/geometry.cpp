// Symplecticity, symmetry and reversibility, measured on the carried state.
#include <rattleback/evidence.hpp>

#include <algorithm>

#include "run/compiled.hpp"
#include "run/stepper.hpp"
#include "scheme/build.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

template <class T> T largest(const std::vector<T>& v) {
    T m = 0;
    for (const T& x : v) m = std::max(m, real::abs(x));
    return m;
}

template <class T> T distance(const std::vector<T>& x, const std::vector<T>& y) {
    T m = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const T d = real::abs(x[i] - y[i]);
        if (!(d <= m)) m = d; // NaN too
    }
    return m;
}

template <class T> T relative_distance(const std::vector<T>& x, const std::vector<T>& y) {
    const T size = largest(x);
    return size > 0 ? distance(x, y) / size : distance(x, y);
}

// M with rows and columns made tangent: P M P, P = I - N^T N.
template <class T> void restrict_to_tangents(Matrix<T>& m, const Matrix<T>& normals) {
    for (bool by_rows : {true, false})
        for (std::size_t c = 0; c < normals.rows; ++c)
            for (std::size_t i = 0; i < m.rows; ++i) {
                T part = 0;
                for (std::size_t j = 0; j < m.rows; ++j) part += (by_rows ? m(i, j) : m(j, i)) * normals(c, j);
                for (std::size_t j = 0; j < m.rows; ++j) (by_rows ? m(i, j) : m(j, i)) -= part * normals(c, j);
            }
}

// D^T Omega(after) D - Omega(before) on tangent vectors, relative to the terms it is made of.
template <class T>
T form_change(const Matrix<T>& D, const Matrix<T>& before, const Matrix<T>& after, const Matrix<T>& normals) {
    const std::size_t n = D.rows;
    Matrix<T> change(n, n);
    const T least = largest(before.entries) > 0 ? largest(before.entries) : T(1); // in whichever units
    T size = least, worst = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            T sum = -before(i, j), terms = real::abs(before(i, j));
            for (std::size_t a = 0; a < n; ++a)
                for (std::size_t b = 0; b < n; ++b) {
                    const T term = D(a, i) * after(a, b) * D(b, j);
                    sum += term, terms += real::abs(term);
                }
            // Off the manifold entries may be of any size: there the largest is the measure.
            if (normals.rows > 0)
                change(i, j) = sum, size = std::max(size, terms);
            else
                worst = std::max(worst, real::abs(sum) / std::max(terms, least));
        }
    if (normals.rows == 0) return worst;
    restrict_to_tangents(change, normals);
    return largest(change.entries) / size;
}

} // namespace

template <class T> std::optional<T> symplectic_defect(const CompiledMethod& compiled, T h, int steps, Report& report) {
    if (compiled.method().step.form.empty() || compiled.method().controls_step) return {};
    Stepper<T> stepper(compiled);
    Tangent<T> tangent(compiled);
    if (!stepper.start(report, h)) return {};
    // Where the state says which chart comes next, only the derivative of all steps together is that of the motion.
    const bool together = changes_charts(compiled.method().step, compiled.model());
    Matrix<T> before, after, normals, D;
    T worst = 0;
    if (!tangent.form(stepper, stepper.t0(), before, report)) return {};
    for (int k = 0; k < steps; ++k) {
        const T t = stepper.t0() + static_cast<T>(k) * h;
        if (((k == 0 || !together) && !tangent.normals(stepper, t, normals, report)) ||
            !tangent.advance(stepper, k, h, report) || !tangent.form(stepper, t + h, after, report))
            return {};
        D = k == 0 || !together ? tangent.state() : solve::product(tangent.state(), D);
        worst = std::max(worst, form_change(D, before, after, normals));
        if (!together) before = after;
    }
    return worst;
}

template <class T> std::optional<T> symmetry_defect(const CompiledMethod& compiled, T h, int steps, Report& report) {
    if (compiled.method().controls_step) return {};
    Stepper<T> forward(compiled), back(compiled);
    if (!forward.start(report, h) || !back.start(report, h)) return {};
    T worst = 0;
    for (int k = 0; k < steps; ++k) {
        const std::vector<T> before = forward.state();
        if (!forward.advance(k, h, report)) return {};
        back.set_state(forward.state()), back.set_hint(forward.hint());
        if (!back.advance(-(k + 1), -h, report)) return {}; // from t0 + (k + 1) h, step -h
        worst = std::max(worst, relative_distance(before, back.state()));
    }
    return worst;
}

template <class T>
std::optional<T> reversibility_defect(const CompiledMethod& compiled, T h, int steps, Report& report) {
    if (compiled.method().step.reverse.empty() || compiled.method().controls_step) return {};
    SystemSolver<T> reverse(compiled.parts().reverse().compiled);
    Stepper<T> forward(compiled), back(compiled);
    if (!forward.start(report, h) || !back.start(report, h)) return {};
    const auto reversed = [&](const Stepper<T>& stepper, std::vector<T>& to) {
        stepper.parts().give(stepper.t0(), h, reverse.given());
        if (!reverse.solve(report)) return false;
        to.resize(stepper.state().size());
        reverse.results(0, to.size(), to.data());
        return true;
    };
    T worst = 0;
    for (int k = 0; k < steps; ++k) {
        const std::vector<T> before = forward.state();
        std::vector<T> turned, returned;
        if (!forward.advance(k, h, report) || !reversed(forward, turned)) return {};
        back.set_state(turned);
        std::vector<T> hint = forward.hint(); // only where Newton starts
        for (T& x : hint) x = -x;
        back.set_hint(hint);
        if (!back.advance(0, h, report) || !reversed(back, returned)) return {};
        worst = std::max(worst, relative_distance(before, returned));
    }
    return worst;
}

#define RATTLEBACK_INSTANTIATE(T)                                                                                      \
    template std::optional<T> symplectic_defect(const CompiledMethod&, T, int, Report&);                               \
    template std::optional<T> symmetry_defect(const CompiledMethod&, T, int, Report&);                                 \
    template std::optional<T> reversibility_defect(const CompiledMethod&, T, int, Report&);
RATTLEBACK_INSTANTIATE(double)
RATTLEBACK_INSTANTIATE(quad)

} // namespace rattleback
