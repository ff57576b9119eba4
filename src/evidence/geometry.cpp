// Symplecticity, symmetry and reversibility, measured on the carried state.
#include <rattleback/evidence.hpp>

#include <algorithm>

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

} // namespace

template <class T>
std::optional<T> symplectic_defect(const Model& model, const Method& method, T h, int steps, Report& report) {
    if (method.step.form.empty() || method.controls_step) return {};
    Stepper<T> stepper(model, method);
    Tangent<T> tangent(model, method);
    if (!stepper.start(report, h)) return {};
    Matrix<T> before, after;
    T worst = 0;
    if (!tangent.form(stepper.state(), stepper.t0(), stepper.parameters(), before, report)) return {};
    for (int k = 0; k < steps; ++k) {
        if (!tangent.advance(stepper, k, h, report)) return {};
        const T t = stepper.t0() + static_cast<T>(k + 1) * h;
        if (!tangent.form(stepper.state(), t, stepper.parameters(), after, report)) return {};
        const Matrix<T>& D = tangent.state();
        const std::size_t n = D.rows;
        for (std::size_t i = 0; i < n; ++i) // D^T Omega(after) D - Omega(before)
            for (std::size_t j = 0; j < n; ++j) {
                T sum = -before(i, j), size = real::abs(before(i, j));
                for (std::size_t a = 0; a < n; ++a)
                    for (std::size_t b = 0; b < n; ++b) {
                        const T term = D(a, i) * after(a, b) * D(b, j);
                        sum += term, size += real::abs(term);
                    }
                worst = std::max(worst, real::abs(sum) / std::max(size, T(1)));
            }
        before = after;
    }
    return worst;
}

template <class T>
std::optional<T> symmetry_defect(const Model& model, const Method& method, T h, int steps, Report& report) {
    if (method.controls_step) return {};
    Stepper<T> forward(model, method), back(model, method);
    if (!forward.start(report, h) || !back.start(report, h)) return {};
    T worst = 0;
    for (int k = 0; k < steps; ++k) {
        const std::vector<T> before = forward.state();
        if (!forward.advance(k, h, report)) return {};
        back.set_state(forward.state()), back.set_hint(forward.hint());
        if (!back.advance(-(k + 1), -h, report)) return {}; // from t0 + (k + 1) h, step -h
        worst = std::max(worst, distance(before, back.state()) / std::max(largest(before), T(1)));
    }
    return worst;
}

template <class T>
std::optional<T> reversibility_defect(const Model& model, const Method& method, T h, int steps, Report& report) {
    const Step& step = method.step;
    if (step.reverse.empty() || method.controls_step) return {};
    SystemSolver<T> reverse(compile(
        System{step.graph, concat({step.state, Vec({{"t", step.t}}), model.parameter_vec()}), {}, {}, step.reverse}));
    Stepper<T> forward(model, method), back(model, method);
    if (!forward.start(report, h) || !back.start(report, h)) return {};
    const auto reversed = [&](const std::vector<T>& state, T t, std::vector<T>& to) {
        T* given = std::copy(state.begin(), state.end(), reverse.given());
        *given++ = t;
        std::copy(forward.parameters().begin(), forward.parameters().end(), given);
        if (!reverse.solve(report)) return false;
        to.resize(state.size());
        for (std::size_t i = 0; i < to.size(); ++i) to[i] = reverse.result(i);
        return true;
    };
    T worst = 0;
    for (int k = 0; k < steps; ++k) {
        const std::vector<T> before = forward.state();
        std::vector<T> turned, returned;
        if (!forward.advance(k, h, report) || !reversed(forward.state(), forward.t0(), turned)) return {};
        back.set_state(turned);
        std::vector<T> hint = forward.hint(); // only where Newton starts
        for (T& x : hint) x = -x;
        back.set_hint(hint);
        if (!back.advance(0, h, report) || !reversed(back.state(), back.t0(), returned)) return {};
        worst = std::max(worst, distance(before, returned) / std::max(largest(before), T(1)));
    }
    return worst;
}

#define RATTLEBACK_INSTANTIATE(T)                                                                                      \
    template std::optional<T> symplectic_defect(const Model&, const Method&, T, int, Report&);                         \
    template std::optional<T> symmetry_defect(const Model&, const Method&, T, int, Report&);                           \
    template std::optional<T> reversibility_defect(const Model&, const Method&, T, int, Report&);
RATTLEBACK_INSTANTIATE(double)
RATTLEBACK_INSTANTIATE(quad)

} // namespace rattleback
