#include "boundary/path.hpp"

#include <algorithm>
#include <cmath>

#include "boundary/small_lu.hpp"

namespace rattleback::boundary {
namespace {

MethodName one_method(const std::string& text) {
    const std::vector<MethodName> names = parse_methods(text);
    if (names.size() != 1) throw BadRun("one method is needed here, not " + std::to_string(names.size()));
    return names[0];
}

// Methods that carry (q, p) and nothing else: a path is a sequence of these.
Formulas with_canonical_state(Formulas f) {
    const Step& s = f.method.step;
    const Vec state = concat({f.model.q, f.model.p});
    bool canonical = s.state.size() == state.size() && f.model.kind != Model::general && !f.method.controls_step;
    for (std::size_t i = 0; canonical && i < state.size(); ++i) canonical = s.state[i].value == state[i].value;
    if (!canonical)
        throw Unsuitable(
            "method '" + f.method.text +
            "' does not carry (q, p); paths are made of gauss, midpoint, type2, lobatto, rattle and others "
            "that do");
    return f;
}

} // namespace

PathSolver::PathSolver(const Problem& problem, const std::string& method)
    : formulas_(with_canonical_state(formulas_of(problem.model, one_method(method)))), step_(formulas_),
      from_(formulas_, problem.from), to_(formulas_, problem.to), t0_(problem.t0), time_(problem.time) {}

Path PathSolver::path(std::size_t steps, const Curve& x, const std::function<std::vector<double>(double)>& inputs) {
    Path p;
    const std::vector<quad>& parts = formulas_.method.substeps;
    const double H = time_ / static_cast<double>(steps);
    std::vector<double> places{0};
    for (std::size_t k = 0; k < steps; ++k) {
        quad at = 0;
        for (quad part : parts) {
            p.t.push_back(t0_ + static_cast<double>(k) * H + static_cast<double>(at) * H);
            p.h.push_back(static_cast<double>(part) * H);
            at += part;
            places.push_back((static_cast<double>(k) + static_cast<double>(at)) / static_cast<double>(steps));
        }
    }
    const std::size_t n = states(), m = step_.unknowns();
    p.x.resize((p.steps() + 1) * n), p.y.resize(p.steps() * m);
    for (std::size_t k = 0; k <= p.steps(); ++k) x(places[k], &p.x[k * n]);
    for (std::size_t k = 0; k < p.steps(); ++k) {
        const std::vector<double> hint = inputs ? inputs((places[k] + places[k + 1]) / 2) : std::vector<double>();
        step_.find_unknowns(&p.x[k * n], p.t[k], p.h[k], hint, p.y.data() + k * m);
    }
    p.nu_from.assign(from_.multipliers(), 0.0), p.nu_to.assign(to_.multipliers(), 0.0);
    return p;
}

bool PathSolver::evaluate(const Path& p, Values& v) {
    const std::size_t n = states(), m = step_.unknowns(), width = step_.places().end, N = p.steps();
    v.steps.resize(N * width), v.defects.resize(N * n);
    for (std::size_t k = 0; k < N; ++k) {
        double* const out = &v.steps[k * width];
        const double *const x = &p.x[k * n], *const next = x + n;
        if (!step_.evaluate(x, p.y.data() + k * m, p.t[k], p.h[k], out)) return false;
        for (std::size_t i = 0; i < n; ++i) v.defects[k * n + i] = (x[i] - next[i]) + out[step_.places().D + i];
    }
    if (!from_.evaluate(p.node(0), p.nu_from, p.t[0], p.h[0]) ||
        !to_.evaluate(p.node(N), p.nu_to, t0_ + time_, p.h[N - 1]))
        return false;
    v.ends = {from_.values, to_.values, from_.by_state, from_.by_nu, to_.by_state, to_.by_nu};
    return true;
}

// Eliminates the unknowns inside the steps, then the nodes from the first to the last.
bool PathSolver::factor(const Path& p, const Values& v) {
    const std::size_t n = states(), m = step_.unknowns(), N = p.steps();
    const auto& at = step_.places();
    lu_.resize(N * m * m), order_.resize(N * m), inside_.resize(N * m * n), inside_rhs_.resize(N * m);
    tangents_.resize(N * n * n);
    start_ = StartRows(v.ends);
    blocks_.emplace(n, N);
    blocks_->begin(start_.rows, std::vector<double>(start_.rows.rows, 0.0));
    std::vector<double> none(n, 0.0);
    for (std::size_t k = 0; k < N; ++k) {
        const double* const out = &v.steps[k * at.end];
        double *const lu = lu_.data() + k * m * m, *const S = inside_.data() + k * m * n,
                      *const A = &tangents_[k * n * n];
        std::copy_n(out + at.F_y, m * m, lu);
        std::copy_n(out + at.F_x, m * n, S);
        if (m > 0 && !lu_factor(lu, order_.data() + k * m, m)) return false;
        lu_solve(lu, order_.data() + k * m, m, S, n);
        for (std::size_t i = 0; i < n; ++i) {
            double* const row = A + i * n;
            std::copy_n(out + at.D_x + i * n, n, row);
            row[i] += 1;
            for (std::size_t c = 0; c < m; ++c)
                if (const double d = out[at.D_y + i * m + c]; d != 0)
                    for (std::size_t j = 0; j < n; ++j) row[j] -= d * S[c * n + j];
        }
        if (!blocks_->add(A, none.data())) return false;
    }
    return true;
}

void PathSolver::condense(std::size_t k, const Values& v, const Values& factored, double* b) {
    const std::size_t n = states(), m = step_.unknowns();
    const auto& at = step_.places();
    const double* const out = &v.steps[k * at.end];
    double* const s = inside_rhs_.data() + k * m; // F_y^-1 F
    std::copy_n(out + at.F, m, s);
    lu_solve(lu_.data() + k * m * m, order_.data() + k * m, m, s, 1);
    for (std::size_t i = 0; i < n; ++i) {
        b[i] = v.defects[k * n + i];
        for (std::size_t c = 0; c < m; ++c) b[i] -= factored.steps[k * at.end + at.D_y + i * m + c] * s[c];
    }
}

bool PathSolver::find_increment(const Values& v, const Values& factored, Increment& to) {
    const std::size_t n = states(), m = step_.unknowns(), N = v.defects.size() / n;
    std::vector<double> b(n);
    blocks_->begin_again(start_.rhs(v.ends));
    for (std::size_t k = 0; k < N; ++k) condense(k, v, factored, b.data()), blocks_->add_again(b.data());
    const EndIncrement last = end_increment(*blocks_, v.ends, factored.ends, weight_x_, cutoff_);
    deficient_ = last.deficient;
    to.x.resize((N + 1) * n), to.y.resize(N * m);
    blocks_->back(last.x, to.x.data());
    to.nu_to = last.nu, to.nu_from = start_.multipliers(v.ends, factored.ends, to.x.data());
    for (std::size_t k = 0; k < N; ++k)
        for (std::size_t i = 0; i < m; ++i) {
            double sum = -inside_rhs_[k * m + i];
            for (std::size_t j = 0; j < n; ++j) sum -= inside_[(k * m + i) * n + j] * to.x[k * n + j];
            to.y[k * m + i] = sum;
        }
    const auto finite = [](const std::vector<double>& all) {
        return std::all_of(all.begin(), all.end(), [](double d) { return std::isfinite(d); });
    };
    return finite(to.x) && finite(to.y) && finite(to.nu_to) && finite(to.nu_from);
}

// Of every component of x and y, its root mean square over the path; where all are 0, the others' of its kind.
void PathSolver::weigh(const Path& p) {
    const auto sizes = [](const std::vector<double>& all, std::size_t n, std::vector<double>& to) {
        to.assign(n, 0.0);
        if (n == 0) return;
        const std::size_t count = all.size() / n;
        for (std::size_t k = 0; k < count; ++k)
            for (std::size_t i = 0; i < n; ++i) to[i] += all[k * n + i] * all[k * n + i];
        for (double& w : to) w = std::sqrt(w / static_cast<double>(count));
    };
    sizes(p.x, states(), weight_x_), sizes(p.y, step_.unknowns(), weight_y_);
    const auto raise = [](auto begin, auto end) {
        if (begin == end) return;
        const double most = *std::max_element(begin, end);
        for (auto w = begin; w != end; ++w) *w = std::max(*w, most > 0 ? 1e-2 * most : 1.0);
    };
    const auto half = static_cast<std::ptrdiff_t>(states() / 2);
    raise(weight_x_.begin(), weight_x_.begin() + half), raise(weight_x_.begin() + half, weight_x_.end());
    raise(weight_y_.begin(), weight_y_.end());
}

double PathSolver::size(const Increment& d) const {
    double sum = 0;
    const auto add = [&](const std::vector<double>& all, const std::vector<double>& weight) {
        if (all.empty()) return;
        double part = 0;
        for (std::size_t k = 0; k < all.size(); k += weight.size())
            for (std::size_t i = 0; i < weight.size(); ++i) {
                const double r = all[k + i] / weight[i];
                part += r * r;
            }
        sum += part / static_cast<double>(all.size());
    };
    add(d.x, weight_x_);
    return std::sqrt(sum);
}

double PathSolver::scale() const { return std::max(1.0, *std::max_element(weight_x_.begin(), weight_x_.end())); }

double PathSolver::largest(const Values& v) {
    double most = 0;
    for (const auto* all : {&v.defects, &v.ends.from, &v.ends.to})
        for (double r : *all) most = std::max(most, std::abs(r));
    return most;
}

namespace {

void add_to(std::vector<double>& x, const std::vector<double>& dx, double by) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += by * dx[i];
}

} // namespace

NewtonOutcome PathSolver::newton(Path& p, int most_iterations, const volatile int* interrupt, double cutoff) {
    cutoff_ = cutoff;
    constexpr double shortest = 1e-4, small = 1e-10;
    NewtonOutcome out;
    Values now, then;
    if (!evaluate(p, now)) return out.status = NewtonOutcome::not_finite, out;
    weigh(p);
    double damping = 1, last_size = 0, last_simplified = 0;
    Increment d, simplified;
    for (out.iterations = 1; out.iterations <= most_iterations; ++out.iterations) {
        if (interrupt && *interrupt) return out.status = NewtonOutcome::interrupted, out;
        if (!factor(p, now) || !find_increment(now, now, d)) return out.status = NewtonOutcome::singular, out;
        weigh(p);
        double length = size(d);
        out.increment = length, out.deficient = deficient_;
        if (out.iterations > 1 && last_size > 0) { // how far the last two directions agreed
            Increment difference = simplified;
            add_to(difference.x, d.x, -1);
            const double off = size(difference);
            if (off > 0) damping = std::min(1.0, last_size * last_simplified / (off * length) * damping);
        }
        damping = std::max(damping, shortest);
        bool accepted = false;
        while (!accepted) {
            Path trial = p;
            add_to(trial.x, d.x, damping), add_to(trial.y, d.y, damping);
            add_to(trial.nu_from, d.nu_from, damping), add_to(trial.nu_to, d.nu_to, damping);
            const bool ok = evaluate(trial, then);
            double next = 0;
            if (ok && find_increment(then, now, simplified)) {
                next = size(simplified);
                if (next < (1 - damping / 4) * length || (length < small && next <= 2 * length)) {
                    accepted = true;
                    p = std::move(trial), std::swap(now, then);
                    last_size = length, last_simplified = next;
                    if (length < small) {
                        out.residual = largest(now);
                        out.status = out.residual <= 1e-8 * scale() ? NewtonOutcome::converged : NewtonOutcome::stalled;
                        return out;
                    }
                    continue;
                }
                Increment difference = simplified;
                add_to(difference.x, d.x, -(1 - damping));
                const double off = size(difference);
                const double fitting = off > 0 ? 0.5 * length * damping * damping / off : damping;
                damping = std::min(fitting, damping / 2);
            } else {
                damping /= 2;
            }
            if (damping < shortest) return out.status = NewtonOutcome::stalled, out.residual = largest(now), out;
        }
    }
    out.residual = largest(now);
    return out;
}

} // namespace rattleback::boundary
