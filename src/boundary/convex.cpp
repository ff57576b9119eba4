#include "boundary/convex.hpp"

#include "boundary/descent.hpp"
#include "boundary/eliminated_inputs.hpp"
#include "evidence/linear.hpp"
#include "expr/graph.hpp"
#include "model/copy.hpp"

namespace rattleback::boundary {
namespace {

constexpr int samples = 9; // along the line

// How much of the second derivatives of the cost is kept, such that the problem is convex.
enum class Curvature { all, of_inputs, unit };

// The straight line between the ends, of t; what is free at one end stays where the other end is.
Vec line_of(const Model& m) {
    Vec line = m.q;
    const Boundary& b = *m.boundary;
    const Expr part = (m.t - Expr(m.t0)) / Expr(*b.time);
    for (std::size_t i = 0; i < line.size(); ++i) {
        const quad from = b.from[i].value_or(b.to[i].value_or(0)), to = b.to[i].value_or(from);
        line[i].value = Expr(from) + part * Expr(to - from);
    }
    return line;
}

struct AlongLine {
    Curvature kept = Curvature::all;
    std::vector<double> inputs; // that keep the path on the line, as well as constant ones can
};

AlongLine look_along_line(const Model& model) {
    const Problem problem(model);
    ControlFunctions functions(problem);
    const std::size_t n = functions.n, m = functions.m, w = n + m;
    AlongLine found{Curvature::all, std::vector<double>(m, 0.0)};
    ControlFunctions::At at;
    for (int k = 0; k < samples; ++k) {
        const double s = static_cast<double>(k) / (samples - 1);
        std::vector<double> q(n), none(w, 0.0), rate(n);
        for (std::size_t i = 0; i < n; ++i) {
            const double from = problem.from.value[i].value_or(problem.to.value[i].value_or(0));
            const double to = problem.to.value[i].value_or(from);
            q[i] = from + s * (to - from), rate[i] = (to - from) / problem.time;
        }
        if (!functions.evaluate(q.data(), none.data(), none.data(), problem.t0 + s * problem.time, at))
            return {Curvature::unit, std::vector<double>(m, 0.0)};
        Dense by_inputs(n, m);
        for (std::size_t i = 0; i < n; ++i) {
            rate[i] -= at.Gamma[i];
            for (std::size_t j = 0; j < m; ++j) by_inputs(i, j) = at.Gamma_z[i * w + n + j];
        }
        const std::vector<double> holding = least_squares(by_inputs, rate, 1e-6).x;
        for (std::size_t j = 0; j < m; ++j) found.inputs[j] += holding[j] / samples;
        Dense whole(w, w), inputs(m, m);
        for (std::size_t i = 0; i < w; ++i)
            for (std::size_t j = 0; j < w; ++j) {
                whole(i, j) = at.hessian[i * w + j];
                if (i >= n && j >= n) inputs(i - n, j - n) = whole(i, j);
            }
        if (!(symmetric_eigenvalues(inputs).front() > 0)) found.kept = Curvature::unit;
        const std::vector<double> all = symmetric_eigenvalues(whole);
        if (all.front() < -1e-12 * std::max(1.0, all.back()) && found.kept == Curvature::all)
            found.kept = Curvature::of_inputs;
    }
    return found;
}

// f at the line, with its first derivatives by z, and the second ones that are kept.
Expr expanded(const Expr& f, const Vec& z, const Vec& at, const Vec& off, std::size_t n,
              std::optional<Curvature> kept) {
    const Vec slope = gradient(f, z);
    Expr sum = substitute(f, {{z, at}});
    for (std::size_t i = 0; i < z.size(); ++i) {
        sum = sum + substitute(slope[i].value, {{z, at}}) * off[i].value;
        if (!kept || (*kept != Curvature::all && i < n)) continue;
        if (*kept == Curvature::unit) {
            sum = sum + off[i].value * off[i].value / 2;
            continue;
        }
        const Vec second = gradient(slope[i].value, z);
        for (std::size_t j = 0; j < z.size(); ++j)
            if (*kept == Curvature::all || j >= n)
                sum = sum + substitute(second[j].value, {{z, at}}) * off[i].value * off[j].value / 2;
    }
    return sum;
}

} // namespace

std::optional<Model> nearly_convex(const Model& model, double share) {
    const bool has_family = std::any_of(model.q.begin(), model.q.end(), [](const Component& c) { return c.family; });
    if (!model.control || !model.boundary->time || !model.control->chosen.empty() || !model.groups.empty() ||
        !model.phase.empty() || has_family)
        return {};
    Model m = deep_copy(model);
    if (share >= 1) return m;
    Control& c = *m.control;
    const AlongLine along = look_along_line(model);
    const std::size_t n = m.q.size();
    Vec held = c.inputs;
    for (std::size_t i = 0; i < held.size(); ++i) held[i].value = Expr(along.inputs[i]);
    const Vec z = concat({m.q, c.inputs}), at = concat({line_of(m), held});
    Vec off = z;
    for (std::size_t i = 0; i < z.size(); ++i) off[i].value = z[i].value - at[i].value;
    const Expr s(static_cast<quad>(share));
    const auto mixed = [&](const Expr& f, std::optional<Curvature> second) {
        return s * f + (1 - s) * expanded(f, z, at, off, n, second);
    };
    for (std::size_t i = 0; i < n; ++i) c.dynamics[i].value = mixed(c.dynamics[i].value, {});
    c.cost = mixed(c.cost, along.kept);
    if (!eliminate_inputs(m)) return {};
    return m;
}

} // namespace rattleback::boundary
