#include "boundary/path.hpp"

#include <algorithm>
#include <cmath>

#include "boundary/cost.hpp"
#include "boundary/last_set.hpp"

namespace rattleback::boundary {
namespace {

MethodName one_method(const std::string& text) {
    const std::vector<MethodName> names = parse_methods(text);
    if (names.size() != 1) throw BadRun("one method is needed here, not " + std::to_string(names.size()));
    return names[0];
}

Formulas step_formulas(const Problem& problem, const std::string& method) {
    const Model& model = problem.is_control ? with_cost(problem).model : problem.model;
    return problem.last_set ? last_set_formulas(model, one_method(method)) : canonical_formulas(model, method);
}

// Steps from which on the unknowns inside are found side by side. A solver for one step alone tries more, in vain for
// short steps, and takes four times as long.
constexpr std::size_t worth_lanes = 200;

} // namespace

// Methods that carry (q, p) and nothing else: a path is a sequence of these.
Formulas canonical_formulas(const Model& model, const std::string& method) {
    Formulas f = formulas_of(model, one_method(method));
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

std::string suitable_method(const Model& model, const Problem& problem, const std::string& asked) {
    if (problem.last_set) {
        const std::string own = "dirac_weak";
        const bool fits = !model.run.method.empty() && one_method(model.run.method).id == own;
        if (asked.empty()) return fits ? model.run.method : own + ":stages=4";
        if (one_method(asked).id != own)
            throw Unsuitable("paths of singular problems take " + own +
                             ":stages=s, Gauss collocation which stays on the last set; not '" + asked + "'");
        return asked;
    }
    if (!asked.empty()) return asked;
    const auto has_q_and_p = [&](const std::string& method) {
        try {
            const PathSolver tried(problem, method);
            return true;
        } catch (const Unsuitable&) { return false; }
    };
    if (!model.run.method.empty() && has_q_and_p(model.run.method)) return model.run.method;
    return model.holonomic.empty() ? "gauss:stages=4" : "lobatto:stages=4";
}

PathSolver::PathSolver(const Problem& problem, const std::string& method)
    : formulas_(problem.last_set ? last_set_formulas(problem.model, one_method(method))
                                 : canonical_formulas(problem.model, method)),
      step_(step_formulas(problem, method), problem.is_control, problem.is_periodic, problem.charts),
      from_(formulas_, problem.from), to_(formulas_, problem.to), t0_(problem.t0), time_(problem.time),
      periodic_(problem.is_periodic), free_period_(problem.free_time), charts_(problem.charts),
      linear_(step_, problem.is_periodic) {
    from_.set_charts(charts_), to_.set_charts(charts_);
}

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
    if (charts_) {
        const std::size_t width = charts_->width();
        std::vector<double> both(n + width);
        p.charts = charts_, p.centres.resize((p.steps() + 1) * width);
        for (std::size_t k = 0; k <= p.steps(); ++k) {
            x(places[k], both.data());
            std::copy_n(both.data(), n, &p.x[k * n]), std::copy_n(both.data() + n, width, &p.centres[k * width]);
        }
    }
    for (std::size_t k = 0; k <= p.steps() && !charts_; ++k) x(places[k], &p.x[k * n]);
    p.nu_from.assign(from_.multipliers(), 0.0), p.nu_to.assign(to_.multipliers(), 0.0);
    if (p.steps() >= worth_lanes && !inputs && linear_.find_unknowns(p)) return p;
    for (std::size_t k = 0; k < p.steps(); ++k) {
        const std::vector<double> hint = inputs ? inputs((places[k] + places[k + 1]) / 2) : std::vector<double>();
        step_.find_unknowns(&p.x[k * n], p.t[k], p.h[k], hint, p.y.data() + k * m, p.centre(k));
    }
    return p;
}

bool PathSolver::evaluate_ends(const Path& p, PathEnds& v) {
    const std::size_t N = p.steps();
    from_.set_centre(p.centre(0)), to_.set_centre(p.centre(N));
    if (!from_.evaluate(p.node(0), p.nu_from, p.t[0], p.h[0]) ||
        !to_.evaluate(p.node(N), p.nu_to, t0_ + time_, p.h[N - 1]))
        return false;
    v = {from_.values, to_.values, from_.by_state, from_.by_nu, to_.by_state, to_.by_nu};
    if (periodic_) v = closed(p, v);
    return true;
}

bool PathSolver::prepare(Path& p, PathEnds& ends) {
    const auto parts = formulas_.method.substeps.size();
    const std::size_t steps = p.steps() / parts;
    for (std::size_t i = 0; i < pieces_; ++i)
        if (!linear_.take_steps(p, i * steps / pieces_ * parts, (i + 1) * steps / pieces_ * parts)) return false;
    return evaluate_ends(p, ends);
}

// Of (x_0, T, x_k): at the first node the conditions of the start and x_0 = x_k, at the last one x_k = x_0.
PathEnds PathSolver::closed(const Path& p, const PathEnds& ends) const {
    const std::size_t n = states(), w = linear_.width(), own = ends.from.size(),
                      rows = own + n + (free_period_ ? 0 : 1);
    PathEnds all;
    all.from = ends.from, all.from.resize(rows, 0.0);
    all.from_by_state = Matrix<double>(rows, w), all.to_by_state = Matrix<double>(n, w);
    all.from_by_nu = Matrix<double>(rows, 0), all.to_by_nu = Matrix<double>(n, 0);
    for (std::size_t i = 0; i < own; ++i)
        for (std::size_t j = 0; j < n; ++j) all.from_by_state(i, j) = ends.from_by_state(i, j);
    for (std::size_t i = 0; i < n; ++i) {
        all.from_by_state(own + i, i) = all.to_by_state(i, i) = -1;
        all.from_by_state(own + i, n + 1 + i) = all.to_by_state(i, n + 1 + i) = 1;
        all.to.push_back(p.node(p.steps())[i] - p.node(0)[i]);
    }
    if (!free_period_) all.from_by_state(rows - 1, n) = 1;
    return all;
}

// Of every component of x, its root mean square over the path; where all are 0, the others' of its kind.
void PathSolver::weigh(const Path& p) {
    const std::size_t n = states(), count = p.x.size() / n;
    weights_.assign(n, 0.0);
    for (std::size_t k = 0; k < count; ++k)
        for (std::size_t i = 0; i < n; ++i) weights_[i] += p.x[k * n + i] * p.x[k * n + i];
    for (double& w : weights_) w = std::sqrt(w / static_cast<double>(count));
    const auto raise = [](auto begin, auto end) {
        const double most = *std::max_element(begin, end);
        for (auto w = begin; w != end; ++w) *w = std::max(*w, most > 0 ? 1e-2 * most : 1.0);
    };
    const auto half = weights_.begin() + static_cast<std::ptrdiff_t>(n / 2);
    raise(weights_.begin(), half), raise(half, weights_.end());
    if (charts_) weigh_charts(p);
}

// Turns are counted in radians; shifts by the way from the start.
void PathSolver::weigh_charts(const Path& p) {
    for (const Charts::Group& g : charts_->groups()) {
        double square = 0;
        for (std::size_t k = 0; k <= p.steps() && g.count > 3; ++k)
            for (std::size_t i = 4; i < 7; ++i) {
                const double d = p.centre(k)[g.centre + i] - p.centre(0)[g.centre + i];
                square += d * d / static_cast<double>(p.steps() + 1);
            }
        for (std::size_t i = 0; i < g.count; ++i)
            weights_[g.first + i] = i < 3 || square == 0 ? 1.0 : std::sqrt(square);
    }
}

// Of the nodes of the linear system.
std::vector<double> PathSolver::node_weights() const {
    std::vector<double> all = weights_;
    if (!periodic_) return all;
    all.push_back(time_);
    all.insert(all.end(), weights_.begin(), weights_.end());
    return all;
}

double PathSolver::apart(const PathIncrement& a, const PathIncrement& b, double factor) const {
    const std::size_t n = states();
    std::vector<double> squares(n, 0.0);
    for (std::size_t k = 0; k < a.x.size(); k += n)
        for (std::size_t i = 0; i < n; ++i) {
            const double d = a.x[k + i] - factor * b.x[k + i];
            squares[i] += d * d;
        }
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += squares[i] / (weights_[i] * weights_[i]);
    const double period = periodic_ ? (a.time - factor * b.time) / time_ : 0;
    return std::sqrt(sum / static_cast<double>(a.x.size()) + period * period);
}

double PathSolver::scale() const { return std::max(1.0, *std::max_element(weights_.begin(), weights_.end())); }

// Relative to a coordinate that goes to infinity, costates that do not fit would be small.
double PathSolver::scale_of_momenta() const {
    return std::max(1.0,
                    *std::max_element(weights_.begin() + static_cast<std::ptrdiff_t>(states() / 2), weights_.end()));
}

// Of the conditions at both ends, those that say what a costate is.
double PathSolver::residual_of_momenta(const PathEnds& ends) const {
    double most = linear_.residual_of_momenta();
    if (periodic_) return most;
    for (const auto& [end, values] : {std::pair(&from_, &ends.from), std::pair(&to_, &ends.to)})
        for (std::size_t i = 0; i < states() / 2; ++i)
            if (!end->fixes(i)) most = std::max(most, std::abs((*values)[i]));
    return most;
}

namespace {

void add(std::vector<double>& to, const std::vector<double>& x, const std::vector<double>& dx, double by) {
    for (std::size_t i = 0; i < x.size(); ++i) to[i] = x[i] + by * dx[i];
}

void move(Path& to, const Path& from, const PathIncrement& by, double part) {
    add(to.x, from.x, by.x, part), add(to.y, from.y, by.y, part);
    add(to.nu_from, from.nu_from, by.nu_from, part), add(to.nu_to, from.nu_to, by.nu_to, part);
    // All times are stretched alike: where the last ones agree, all do, and need not be copied.
    if (by.time == 0 && to.h.back() == from.h.back() && to.t.back() == from.t.back()) return;
    to.t = from.t, to.h = from.h;
    if (by.time == 0) return;
    const double longer = 1 + part * by.time / from.time(), first = from.t[0];
    for (std::size_t k = 0; k < from.h.size(); ++k)
        to.h[k] = from.h[k] * longer, to.t[k] = first + (from.t[k] - first) * longer;
}

} // namespace

// The last increment is small: with it the path is as good as it gets, and what is left is looked at.
NewtonOutcome& PathSolver::finish(NewtonOutcome& out, const PathIncrement& last, Path& p) {
    PathEnds ends;
    move(p, p, last, 1);
    out.status = NewtonOutcome::not_finite;
    if (!prepare(p, ends) || !linear_.follow(p, ends)) return out;
    out.residual = linear_.residual();
    const bool fits = out.residual <= 1e-8 * scale() && residual_of_momenta(ends) <= 1e-8 * scale_of_momenta();
    out.status = fits ? NewtonOutcome::converged : NewtonOutcome::stalled;
    return out;
}

NewtonOutcome PathSolver::newton(Path& p, int most_iterations, const volatile int* interrupt, double cutoff) {
    constexpr double shortest = 1e-4, small = 1e-10, close = 1e-6;
    NewtonOutcome out;
    PathEnds ends, then;
    if (!prepare(p, ends)) return out.status = NewtonOutcome::not_finite, out;
    double damping = 1, last_size = 0, last_simplified = 0;
    trial_ = p;
    for (out.iterations = 1; out.iterations <= most_iterations; ++out.iterations) {
        if (interrupt && *interrupt) return out.status = NewtonOutcome::interrupted, out;
        weigh(p);
        if (!linear_.linearize(p, ends)) return out.status = NewtonOutcome::singular, out;
        out.residual = linear_.residual();
        // Far from a periodic path, singular values that are 0 on it are as large as what it misses.
        const double least = periodic_ ? std::clamp(0.1 * out.residual / scale(), cutoff, 1e-2) : cutoff;
        if (!linear_.solve(node_weights(), least, increment_)) return out.status = NewtonOutcome::singular, out;
        const double length = size(increment_);
        out.increment = length, out.deficient = linear_.deficient();
        if (length < small) return finish(out, increment_, p);
        if (out.iterations > 1 && last_size > 0) { // how far the last two directions agreed
            const double off = apart(simplified_, increment_, 1);
            if (off > 0) damping = std::min(1.0, last_size * last_simplified / (off * length) * damping);
        }
        damping = std::max(damping, shortest);
        for (bool accepted = false; !accepted;) {
            move(trial_, p, increment_, damping);
            if (prepare(trial_, then) && linear_.follow(trial_, then) &&
                linear_.solve(node_weights(), least, simplified_)) {
                const double next = size(simplified_);
                if (next < (1 - damping / 4) * length) {
                    accepted = true;
                    std::swap(p.x, trial_.x), std::swap(p.y, trial_.y);
                    std::swap(p.nu_from, trial_.nu_from), std::swap(p.nu_to, trial_.nu_to);
                    std::swap(p.t, trial_.t), std::swap(p.h, trial_.h);
                    std::swap(ends, then);
                    last_size = length, last_simplified = next;
                    if (length < close && next < small) return finish(out, simplified_, p);
                    continue;
                }
                const double off = apart(simplified_, increment_, 1 - damping);
                const double fitting = off > 0 ? 0.5 * length * damping * damping / off : damping;
                damping = std::min(fitting, damping / 2);
            } else {
                damping /= 2;
            }
            if (!(damping >= shortest)) return out.status = NewtonOutcome::stalled, out; // or not a number
        }
    }
    return out;
}

} // namespace rattleback::boundary
