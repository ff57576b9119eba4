#include "boundary/search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "evidence/linear.hpp"

namespace rattleback::boundary {
namespace {

constexpr int usual_starts = 60;
constexpr int iterations_of_a_start = 60, descents_of_a_start = 100;
constexpr int waves = 3; // of a bend
constexpr double family_cutoff = 1e-8, feasible = 1e-6;
constexpr int places_of_regulator = 3;

} // namespace

// A problem without a minimum leads beyond all numbers, relative to which every residual is small.
bool is_beyond_numbers(const Path& path) {
    return std::any_of(path.x.begin(), path.x.end(), [](double x) { return !(std::abs(x) < 1e12); });
}

bool ends_before_it_begins(const Problem& problem, const Path& path) {
    return problem.free_time && !problem.is_periodic && !(path.node(0)[path.states() / 2 - 1] > 0);
}

bool is_same(const Path& a, const Path& b) {
    if (a.steps() < b.steps()) return is_same(b, a);
    if (a.states() != b.states() || a.steps() % b.steps() != 0) return false;
    const std::size_t n = a.states(), each = a.steps() / b.steps();
    double apart = 0, size = a.charts ? 1 : 0; // nodes are near the centres of charts
    std::vector<double> other(n);
    for (std::size_t k = 0; k <= b.steps(); ++k) {
        std::copy_n(b.node(k), n, other.data());
        if (a.charts) a.charts->carry(b.centre(k), a.centre(k * each), other.data(), n);
        for (std::size_t i = 0; i < n; ++i) {
            const double here = a.node(k * each)[i];
            apart = std::max(apart, std::abs(here - other[i])), size = std::max(size, std::abs(here));
        }
    }
    return apart <= 1e-5 * size + 1e-9; // paths that stay where they are differ by noise
}

std::function<void(double, double*)> interpolated(const Path& path, std::size_t parts) {
    const std::size_t n = path.states(), N = path.steps() / parts;
    return [&path, parts, n, N](double time, double* x) {
        const double place = time * static_cast<double>(N);
        const std::size_t count = std::min<std::size_t>(4, N + 1);
        const auto near = static_cast<long>(std::floor(place)) - static_cast<long>(count) / 2 + 1;
        const auto first = static_cast<std::size_t>(std::clamp<long>(near, 0, static_cast<long>(N + 1 - count)));
        std::fill_n(x, n, 0.0);
        std::vector<double> seen(n);
        if (path.charts) { // the chart is centred at the nearest node
            const std::size_t nearest = std::min(static_cast<std::size_t>(std::lround(place)), N) * parts;
            std::copy_n(path.node(nearest), n, seen.data());
            std::copy_n(path.centre(nearest), path.charts->width(), x + n);
            path.charts->centre_at(x + n, seen.data(), n);
        }
        for (std::size_t i = first; i < first + count; ++i) {
            double weight = 1;
            for (std::size_t j = first; j < first + count; ++j)
                if (j != i)
                    weight *= (place - static_cast<double>(j)) / (static_cast<double>(i) - static_cast<double>(j));
            const double* node = path.node(i * parts);
            if (path.charts) {
                std::copy_n(node, n, seen.data());
                path.charts->carry(path.centre(i * parts), x + n, seen.data(), n);
                node = seen.data();
            }
            for (std::size_t c = 0; c < n; ++c) x[c] += weight * node[c];
        }
    };
}

std::function<std::vector<double>(double)> inputs_of(const Problem& problem, const std::vector<double>& u) {
    if (!problem.is_control || !problem.model.control->implicit || u.empty()) return {};
    const auto m = static_cast<std::size_t>(problem.model.control->inputs.count()), N = u.size() / m;
    return [m, N, u](double time) {
        const auto k = std::min(static_cast<std::size_t>(time * static_cast<double>(N)), N - 1);
        return std::vector<double>(&u[k * m], &u[k * m] + m);
    };
}

void put_in_order(std::vector<Found>& all) {
    std::stable_sort(all.begin(), all.end(), [](const Found& a, const Found& b) {
        if (a.second.is_minimum() != b.second.is_minimum()) return a.second.is_minimum();
        return a.cost < b.cost;
    });
}

Search::Search(const Problem& problem, const std::string& method, std::size_t steps, const SolveOptions& options)
    : problem_(problem), options_(options), steps_(steps), solver_(problem, method), cost_(problem, solver_),
      random_(options.seed * 0x9E3779B97F4A7C15ULL + 1) {
    if (problem.last_set)
        last_set_.emplace(problem);
    else if (problem.is_control)
        descent_.emplace(problem, solver_);
    if (problem.model.holonomic.empty()) return;
    const Formulas f = deep_copy(solver_.formulas());
    slopes_.add(f.model.holonomic, f.model.q);
    const Vec given = concat({f.model.q, f.model.time_vec(), f.model.parameter_vec()});
    constraints_.emplace(compile(System{f.model.graph, given, {}, {}, concat({slopes_.formulas, f.model.holonomic})}));
}

// SplitMix64 (Steele, Lea and Flood 2014), then Box and Muller: the same numbers with every library.
double Search::normal() {
    const auto uniform = [&] {
        std::uint64_t z = random_ += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL, z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return (static_cast<double>((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
    };
    const double r = std::sqrt(-2 * std::log(uniform()));
    return r * std::cos(2 * std::numbers::pi * uniform());
}

// By shortest steps of Newton's method; where that fails, not quite.
void Search::move_onto_constraints(double* q, double t, const double* centre) {
    const auto n = problem_.coordinates, count = static_cast<std::size_t>(problem_.model.holonomic.count());
    std::vector<double> parameters;
    for (const Parameter& p : problem_.model.parameters) parameters.push_back(static_cast<double>(p.value));
    if (problem_.charts) problem_.charts->put(centre, parameters);
    for (int i = 0; i < 20; ++i) {
        double* at = std::copy_n(q, n, constraints_->given());
        *at++ = t;
        std::copy(parameters.begin(), parameters.end(), at);
        Report report;
        if (!constraints_->solve(report)) return;
        std::vector<double> g;
        for (std::size_t k = constraints_->result_count() - count; k < constraints_->result_count(); ++k)
            g.push_back(-constraints_->result(k));
        const std::vector<double> step = least_squares(slopes_.read(*constraints_)[0], g, 1e-8).x;
        double length = 0;
        for (std::size_t k = 0; k < n; ++k) q[k] += step[k], length = std::max(length, std::abs(step[k]));
        if (!(length > 1e-12)) return;
    }
}

// The short way and the long one, which no bend leads into one another; of motions some more, since each may be one.
std::vector<int> Search::rounds(int number) const {
    static constexpr int of_motions[] = {0, -1, 0, -1, 1, -2};
    std::vector<int> all;
    int pair = number / 2;
    for (std::size_t i = 0; i < problem_.charts->groups().size(); ++i, pair /= 2)
        all.push_back(problem_.is_control ? -(pair % 2) : of_motions[pair % 6]);
    return all;
}

// The straight line, bent by sines with random amplitudes, which fall off like 1/j. Costates are 0. On groups the line
// is a one-parameter subgroup.
Path Search::start(int number) {
    const std::size_t n = problem_.from.value.size();
    std::vector<double> begin(n), end(n), bends(n * waves);
    double size = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto &a = problem_.from.value[i], &b = problem_.to.value[i];
        begin[i] = a ? *a : b ? *b : 0, end[i] = b ? *b : begin[i];
        size = std::max(size, std::abs(end[i] - begin[i]));
    }
    const bool on_groups = problem_.charts != nullptr;
    if (on_groups) size = std::max(size, GroupCurve(problem_, rounds(number), std::vector<double>(n, 0.0)).longest());
    const double scale = number % 2 == 1 || size == 0 ? 1 : size;          // of angles; of lengths
    for (std::size_t i = 0; i < problem_.coordinates && number > 0; ++i) { // ends that are free
        if (!problem_.to.value[i]) end[i] += 0.7 * scale * normal();
        if (!problem_.from.value[i]) begin[i] += 0.7 * scale * normal();
    }
    for (std::size_t i = 0; i < n; ++i)
        for (int j = 0; j < waves; ++j) {
            const double bend = 0.7 * scale * normal() / (j + 1);
            if (number > 0 && i < problem_.coordinates) bends[i * waves + static_cast<std::size_t>(j)] = bend;
        }
    for (std::size_t k = 0; k < problem_.guess.size(); ++k) {
        const std::size_t i = n - problem_.guess.size() + k;
        begin[i] = end[i] = problem_.guess[k] * (number > 0 ? std::exp(normal()) : 1);
    }
    std::optional<GroupCurve> turns;
    if (on_groups) {
        std::vector<double> off(n, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
            if (!problem_.charts->is_turn(i) && !problem_.charts->is_shift(i)) continue;
            const bool fixed = problem_.from.value[i] && problem_.to.value[i];
            off[i] = fixed ? bends[i * waves] : end[i] - begin[i];
            begin[i] = end[i] = 0;
        }
        turns.emplace(problem_, rounds(number), off);
    }
    return solver_.path(steps_, [&](double s, double* x) {
        for (std::size_t i = 0; i < n; ++i) {
            x[i] = begin[i] + s * (end[i] - begin[i]), x[n + i] = 0;
            for (int j = 0; j < waves; ++j)
                x[i] += bends[i * waves + static_cast<std::size_t>(j)] * std::sin((j + 1) * std::numbers::pi * s);
        }
        if (turns) turns->at(s, x + 2 * n);
        if (constraints_) move_onto_constraints(x, problem_.t0 + s * problem_.time, x + 2 * n);
        if (last_set_) last_set_->move_onto(x, problem_.t0 + s * problem_.time);
    });
}

// The problem linearised in one place, where the path would stay: at a state of rest it is the linear-quadratic
// regulator between the two ends.
Path Search::linear_quadratic(int number) {
    const std::size_t n = problem_.from.value.size();
    std::vector<double> place(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto &a = problem_.from.value[i], &b = problem_.to.value[i];
        const double begin = a ? *a : b ? *b : 0, end = b ? *b : begin;
        place[i] = begin + number * (end - begin) / 2;
    }
    std::copy(problem_.guess.begin(), problem_.guess.end(), place.end() - static_cast<long>(problem_.guess.size()));
    return solver_.path(
        steps_, [&](double, double* x) { std::copy(place.begin(), place.end(), x), std::fill_n(x + n, n, 0.0); });
}

// Towards a minimum, with inputs that follow the path, or with those of the quadratic model there.
bool Search::begin(Path& path, std::vector<double>& u, bool at_least_of_model, int& descents) {
    if (!descent_) return true;
    Descent::Nodes nodes{std::move(path.x), std::move(path.centres)};
    u = descent_->inputs_along(nodes);
    if (at_least_of_model && !descent_->to_least_of_model(nodes, u, path.nu_from, path.nu_to)) return false;
    const Descent::Outcome outcome =
        descent_->run(nodes, u, path.nu_from, path.nu_to, descents_of_a_start, options_.interrupt);
    path.x = std::move(nodes.x), path.centres = std::move(nodes.centres);
    iterations_ += outcome.iterations, descents = outcome.iterations, valued_ += outcome.has_values;
    if (outcome.has_values) least_violation_ = std::min(least_violation_, outcome.violation);
    if (outcome.has_values && outcome.violation < feasible && (!cheapest_ || outcome.cost < *cheapest_))
        cheapest_ = outcome.cost;
    Path found = solver_.path(steps_, interpolated(path, 1), inputs_of(problem_, u));
    found.nu_from = path.nu_from, found.nu_to = path.nu_to;
    path = std::move(found);
    return true;
}

void Search::add(Path path, std::vector<double> u, const NewtonOutcome& outcome) {
    if (ends_before_it_begins(problem_, path) || is_beyond_numbers(path)) return;
    for (Found& f : found_)
        if (is_same(f.path, path)) return void(++f.hits);
    Found f{std::move(path), std::move(u), 0, {}, outcome};
    f.cost = cost_(f.path);
    if (!std::isfinite(f.cost)) return;
    f.second = second_order(solver_, problem_, f.path);
    found_.push_back(std::move(f));
}

// All starts so far led to one path.
bool Search::is_clear() const { return starts_ >= 24 && found_.size() == 1 && found_[0].hits == starts_; }

// By Newton's method.
void Search::finish(Path& path, std::vector<double>& u, int descents) {
    const Path begun = path;
    NewtonOutcome outcome = solver_.newton(path, iterations_of_a_start, options_.interrupt);
    if (outcome.status != NewtonOutcome::converged && problem_.is_control) { // perhaps one of a family
        path = begun;
        outcome = solver_.newton(path, iterations_of_a_start, options_.interrupt, family_cutoff);
    }
    ++starts_, iterations_ += outcome.iterations;
    if (!descent_ && outcome.status != NewtonOutcome::converged)
        least_violation_ = std::min(least_violation_, outcome.residual);
    if (outcome.status != NewtonOutcome::converged) return;
    at_once_ += outcome.iterations <= 2 && descents <= 2;
    add(std::move(path), std::move(u), outcome);
}

std::vector<Found> Search::run() {
    at_once_ = 0;
    const int starts = options_.starts.value_or(usual_starts);
    const int others = descent_ && !problem_.charts ? std::min(places_of_regulator, starts / 4) : 0;
    for (int i = 0; i < starts + others && !is_settled(); ++i) {
        if (options_.interrupt && *options_.interrupt) break;
        if (options_.progress) options_.progress(i, starts + others);
        Path path = i < starts ? start(i) : linear_quadratic(i - starts);
        std::vector<double> u;
        int descents = 0;
        if (begin(path, u, i >= starts, descents)) finish(path, u, descents);
    }
    put_in_order(found_);
    return std::move(found_);
}

} // namespace rattleback::boundary
