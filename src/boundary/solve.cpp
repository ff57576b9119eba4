// From a model with [boundary] to its cheapest extremal: a search on a coarse grid, then the user's method, then finer
// grids until the cost is known well enough.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "boundary/bounded.hpp"
#include "boundary/continuation.hpp"
#include "boundary/nearest.hpp"
#include "boundary/path_run.hpp"
#include "boundary/periodic.hpp"
#include "boundary/pontryagin.hpp"
#include "boundary/priced_inputs.hpp"
#include "boundary/search.hpp"
#include "boundary/time_scan.hpp"

namespace rattleback {

using namespace boundary;

std::string_view to_text(Extremal::Verdict verdict) {
    switch (verdict) {
    case Extremal::Verdict::minimum: return "minimum";
    case Extremal::Verdict::stationary: return "stationary";
    case Extremal::Verdict::conjugate: return "conjugate";
    case Extremal::Verdict::abnormal: return "abnormal";
    }
    return "";
}

namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr std::size_t search_steps = 60, first_steps = 50, most_steps = 200'000;
constexpr std::size_t most_looked_at = 200;    // steps at which H is looked at as a function of the inputs
constexpr double small_price = 1e-3;           // of inputs without a square, over the square of the time
constexpr double least_gain = 0.5;             // of halving the steps: where changes grow, the error is twice the last
constexpr std::size_t most_polished = 1000;    // steps of every extremal; more has the best one alone
constexpr long long worth_machine_code = 2000; // steps: compiling takes as long as some 10 iterations of these

std::string in_short(double x) { return real::to_text(x, 5); }

class Solving {
  public:
    Solving(const Model& model, const SolveOptions& options)
        : model_(model), options_(options), begin_(Clock::now()), problem_(model) {
        solution_.method = suitable_method(model, problem_, options.method);
        if (problem_.last_set) last_set_.emplace(problem_);
        coarse_ = problem_.last_set ? "dirac_weak" : model.holonomic.empty() ? "midpoint" : "rattle"; // for the search
        if (options.steps && *options.steps < 1) throw BadRun("the number of steps must be positive");
    }

    Solution run() {
        PathSolver solver(problem_, solution_.method);
        PathCost cost(problem_, solver);
        parts_ = solver.parts();
        solver.shoot(pieces_of(options_));
        Search search(problem_, coarse_, search_steps, options_);
        if (options_.steps && *options_.steps >= worth_machine_code) solver.use_machine_code();
        search.shoot(pieces_of(options_));
        if (!options_.solver.empty()) solution_.solver = options_.solver;
        solution_.seconds_setup = seconds_since(begin_);
        const auto started = Clock::now();
        std::vector<Found> found;
        if (options_.along)
            continue_along(continuation_of(model_, options_.along->first, options_.along->second), found);
        else
            found = search.run();
        solution_.starts += search.starts(), solution_.iterations += static_cast<int>(search.iterations());
        if (found.empty() && !options_.along && !problem_.last_set && options_.solver.empty())
            for (const Continuation& c : easier(model_))
                if (found.empty() && !stopped()) continue_along(c, found);
        if (problem_.last_set && !search.is_settled() && !stopped()) search_with_priced_inputs(found);
        polish(found, solver, cost, static_cast<std::size_t>(search.parts()));
        if (found.empty())
            fail(search);
        else
            finish(found, solver, cost);
        solution_.seconds_run = seconds_since(started);
        return std::move(solution_);
    }

  private:
    // Of a path, as many as the search takes: enough for ranks and signs.
    static Descent::Nodes nodes(const Path& path, std::size_t parts) {
        const auto at = interpolated(path, parts);
        const std::size_t n = path.states(), width = path.charts ? path.charts->width() : 0;
        Descent::Nodes all{{}, {}};
        std::vector<double> both(n + width);
        for (std::size_t k = 0; k <= search_steps; ++k) {
            at(static_cast<double>(k) / static_cast<double>(search_steps), both.data());
            const auto middle = both.begin() + static_cast<std::ptrdiff_t>(n);
            all.x.insert(all.x.end(), both.begin(), middle);
            all.centres.insert(all.centres.end(), middle, both.end());
        }
        return all;
    }

    // Of all extremals; the best one gets as many as were asked for.
    std::size_t steps() const {
        return options_.steps ? std::min(static_cast<std::size_t>(*options_.steps), most_polished) : first_steps;
    }

    bool stopped() const { return options_.interrupt && *options_.interrupt; }

    void continue_along(const Continuation& c, std::vector<Found>& found) {
        Continued led = lead(model_, c, coarse_, search_steps, options_);
        solution_.starts += led.starts, solution_.iterations += static_cast<int>(led.iterations);
        found = std::move(led.found);
        led_ = led.reached;
        if (!found.empty()) solution_.note = "by continuation from " + c.text();
    }

    // Newton's method alone ends at saddles, too, or nowhere: with a small price of the inputs paths can be led towards
    // minima, near which those of the singular problem are.
    void search_with_priced_inputs(std::vector<Found>& found) {
        for (const End* end : {&problem_.from, &problem_.to})
            for (const End::Unused& u : end->unused)
                if (!u.follows) return; // they would have to be met by an impulse
        const double price = problem_.free_time ? small_price : small_price * problem_.time * problem_.time;
        const Problem priced(with_priced_inputs(model_, price));
        Search search(priced, "midpoint", search_steps, options_);
        for (Found& f : search.run()) found.push_back(std::move(f));
        solution_.starts += search.starts(), solution_.iterations += static_cast<int>(search.iterations());
    }

    // On the last set of a singular problem.
    PathSolver::Curve begun_at(const Path& path, std::size_t parts) {
        const PathSolver::Curve curve = interpolated(path, parts);
        if (!problem_.last_set) return curve;
        return [this, curve](double s, double* x) {
            curve(s, x);
            last_set_->move_onto(x, problem_.t0 + s * problem_.time);
        };
    }

    // Every extremal of the search with the user's method and steps; those of a search that was interrupted, too. Where
    // other inputs make H lower, the path is tried with those as well.
    void polish(std::vector<Found>& found, PathSolver& solver, PathCost& cost, std::size_t parts) {
        std::vector<Found> kept;
        std::optional<Descent> descent;
        if (problem_.is_control) descent.emplace(problem_, solver), principle_.emplace(problem_);
        const std::size_t searched = found.size();
        for (std::size_t i = 0; i < found.size(); ++i) {
            Found f = found[i];
            Path path;
            const NewtonOutcome outcome = polish(f, solver, parts, path);
            if (outcome.status != NewtonOutcome::converged || is_beyond_numbers(path)) continue;
            if (ends_before_it_begins(problem_, path)) continue;
            set_ends(path);
            if (problem_.last_set && misses_an_end(path)) continue;
            f.path = std::move(path), f.newton = outcome, f.cost = cost(f.path);
            f.second = second_order(solver, problem_, f.path);
            if (problem_.is_control) {
                f.second.abnormal = descent->is_abnormal(nodes(f.path, static_cast<std::size_t>(solver.parts())));
                f.second.inputs = principle_->look(solver, f.path, most_looked_at);
                if (f.second.inputs->lower && std::isfinite(f.second.inputs->lower_by) && i < searched) {
                    Found other = found[i];
                    other.u = principle_->least_inputs(f.path, f.u);
                    found.push_back(std::move(other));
                }
            }
            if (!std::isfinite(f.cost)) continue;
            const auto known =
                std::find_if(kept.begin(), kept.end(), [&](const Found& other) { return is_same(other.path, f.path); });
            if (known == kept.end())
                kept.push_back(std::move(f));
            else if (i < searched)
                known->hits += f.hits;
        }
        found = std::move(kept);
        put_in_order(found);
    }

    // A path of the search with the user's method. Where a minimum bends sharply, Newton's method may need shorter
    // steps than usual: the crane of test/oracle/optimal.py, whose rope is 14 times as short for a moment, takes 100.
    NewtonOutcome polish(const Found& f, PathSolver& solver, std::size_t parts, Path& path) {
        const std::size_t most = options_.steps || !f.second.is_minimum() ? steps() : 8 * steps();
        NewtonOutcome outcome;
        for (std::size_t n = steps(); n <= most; n *= 2) {
            path = solver.path(n, begun_at(f.path, parts), inputs_of(problem_, f.u));
            path.nu_from = f.path.nu_from, path.nu_to = f.path.nu_to;
            const Path begun = path;
            outcome = solver.newton(path, 50);
            if (outcome.status != NewtonOutcome::converged && problem_.is_control) // perhaps one of a family
                path = begun, outcome = solver.newton(path, 50, nullptr, 1e-8);
            solution_.iterations += outcome.iterations;
            if (outcome.status == NewtonOutcome::converged || stopped()) break;
        }
        return outcome;
    }

    // Ends that are given, to the last bit.
    void set_ends(Path& path) const {
        if (problem_.last_set) return; // some are left out
        const std::size_t n = path.states();
        for (std::size_t i = 0; i < n / 2; ++i) {
            if (problem_.from.value[i]) path.x[i] = *problem_.from.value[i];
            if (problem_.to.value[i]) path.x[path.steps() * n + i] = *problem_.to.value[i];
        }
        if (!path.charts) return;
        for (const Charts::Group& g : path.charts->groups()) {
            const auto carried = static_cast<std::size_t>(g.group->carried());
            double *const first = path.centres.data() + g.centre, *const last =
                                                                      first + path.steps() * path.charts->width();
            if (problem_.from.value[g.first]) std::copy_n(&problem_.from.centre[g.centre], carried, first);
            if (problem_.to.value[g.first]) {
                // Of the two quaternions of a turn, the one that the path has come to.
                const double* const wanted = &problem_.to.centre[g.centre];
                double along = 0;
                for (std::size_t i = 0; i < 4; ++i) along += wanted[i] * last[i];
                for (std::size_t i = 0; i < carried; ++i) last[i] = i < 4 && along < 0 ? -wanted[i] : wanted[i];
            }
        }
    }

    // Of a singular problem: whether the path does not have what was left out at its ends. The first one is reported.
    bool misses_an_end(const Path& path) {
        double drift = 0;
        for (const std::size_t k : {std::size_t(0), path.steps()})
            drift = std::max(drift, last_set_->residual(path.node(k), problem_.t0 + (k > 0 ? problem_.time : 0)));
        const std::string missed = missed_at_ends(problem_, path, drift);
        if (missed_.empty()) missed_ = missed;
        return !missed.empty();
    }

    // The same path with another number of steps; false: Newton's method does not find it.
    bool resolve(const Found& best, const Path& near, std::size_t n, PathSolver& solver, Path& to, NewtonOutcome& out) {
        to = solver.path(n, interpolated(near, static_cast<std::size_t>(solver.parts())), inputs_of(problem_, best.u));
        to.nu_from = near.nu_from, to.nu_to = near.nu_to;
        if (n >= static_cast<std::size_t>(worth_machine_code)) solver.use_machine_code();
        // The first halving tells the error of the cost: an interrupted search has it, too.
        const volatile int* const interrupt =
            n > 2 * steps() && solution_.cost_error > 0 ? options_.interrupt : nullptr;
        const Path begun = to;
        out = solver.newton(to, 50, interrupt);
        if (out.status != NewtonOutcome::converged && problem_.is_control) // perhaps one of a family
            to = begun, out = solver.newton(to, 50, interrupt, 1e-8);
        solution_.iterations += out.iterations;
        set_ends(to);
        return out.status == NewtonOutcome::converged;
    }

    // As many steps as were asked for, and half as many: their cost differs (2^order - 1) times as much from the limit.
    void solve_with_steps(Found& best, PathSolver& solver, PathCost& cost) {
        const auto n = static_cast<std::size_t>(*options_.steps), half = n >= 4 ? n / 2 : 2 * n;
        const bool is_finer = n > steps();
        Found other = best;
        if (!replace(other, half, solver, cost)) return is_finer ? give_up(best, half) : void();
        if (is_finer) {
            Found fine = other;
            if (!replace(fine, n, solver, cost)) return give_up(best, n);
            best = std::move(fine);
        }
        const double ratio = static_cast<double>(half) / static_cast<double>(n);
        const double gain = std::abs(std::pow(ratio, -std::min(solver.formulas().method.order, 4)) - 1);
        solution_.cost_error = std::abs(other.cost - best.cost) / gain;
    }

    void give_up(const Found& best, std::size_t n) {
        solution_.note = "Newton's method did not find this path with " + std::to_string(n) + " steps: it has " +
                         std::to_string(best.path.steps() / static_cast<std::size_t>(parts_));
    }

    // The same extremal with another number of steps; false, and nothing is changed: Newton's method does not find it.
    bool replace(Found& best, std::size_t n, PathSolver& solver, PathCost& cost) {
        Path finer;
        NewtonOutcome outcome;
        if (!resolve(best, best.path, n, solver, finer, outcome)) return false;
        const SecondOrder earlier = best.second;
        best.path = std::move(finer), best.cost = cost(best.path), best.newton = outcome;
        best.second = second_order(solver, problem_, best.path);
        best.second.abnormal = earlier.abnormal;
        if (principle_) best.second.inputs = principle_->look(solver, best.path, most_looked_at);
        return std::isfinite(best.cost);
    }

    // The best path on finer grids, until its cost changes by no more than was asked for.
    void refine(Found& best, PathSolver& solver, PathCost& cost) {
        if (options_.steps) return solve_with_steps(best, solver, cost);
        const double most_gain = std::pow(2.0, std::min(solver.formulas().method.order, 4)) - 1;
        double last = INFINITY;
        const double wanted = options_.accuracy.value_or(1e-9 * std::max(1.0, std::abs(best.cost)));
        bool more = true;
        for (std::size_t n = 2 * best.path.steps() / static_cast<std::size_t>(parts_); more && n <= most_steps;
             n *= 2) {
            Found finer = best;
            if (!replace(finer, n, solver, cost)) break;
            const double change = std::abs(finer.cost - best.cost);
            // Near a pole the cost converges more slowly than the method does.
            solution_.cost_error = change > 0 ? change / std::clamp(last / change - 1, least_gain, most_gain) : 0;
            last = change;
            more = solution_.cost_error > wanted;
            best = std::move(finer);
        }
    }

    // False: some node has no values. Steps have none there, so a path may lead to a pole, and begin at one.
    bool show_best(std::vector<Found>& found, const PathShown& shown, PathSolver& solver, PathCost& cost) {
        refine(found[0], solver, cost);
        solution_.extremals.clear();
        for (const Found& f : found) solution_.extremals.push_back(extremal_of(f, shown));
        shown.show(found[0].path, inputs_of(problem_, found[0].u), solution_, options_.command);
        return solution_.run.t.rows() == found[0].path.steps() / static_cast<std::size_t>(parts_) + 1;
    }

    void fail_at_a_pole() {
        const Report& report = solution_.run.report();
        solution_.status = Solution::Status::failed;
        solution_.extremals.clear();
        solution_.what = "paths were found, but they lead through a pole of the equations: " + report.what;
        if (!report.culprit.empty()) solution_.what += " in " + report.culprit;
        solution_.remedy = "choose ends and coordinates without a pole";
    }

    void finish(std::vector<Found>& found, PathSolver& solver, PathCost& cost) {
        const PathShown shown(model_, problem_, solution_.method);
        while (!found.empty() && !show_best(found, shown, solver, cost)) found.erase(found.begin());
        if (found.empty()) return fail_at_a_pole();
        solution_.status = stopped() ? Solution::Status::interrupted : Solution::Status::solved;
        if (stopped())
            solution_.what =
                "interrupted after " + std::to_string(solution_.starts) + " starts: this is the best path so far";
        for (std::size_t i = 1; i < found.size() && i <= static_cast<std::size_t>(options_.others); ++i)
            solution_.others.push_back(shown.run_of(found[i].path, inputs_of(problem_, found[i].u),
                                                    solution_.extremals[i].parameters, options_.command));
    }

    Extremal extremal_of(const Found& f, const PathShown& shown) const {
        const std::size_t n = f.path.states() / 2, own = problem_.coordinates;
        Extremal e;
        e.cost = f.cost, e.residual = f.newton.residual, e.hits = f.hits;
        const double* first = f.path.node(0);
        std::tie(e.q0, e.p0) = shown.node(f.path, 0);
        std::tie(e.q, e.p) = shown.node(f.path, f.path.steps());
        e.time = problem_.free_time ? first[n - 1] : problem_.time;
        e.parameters.assign(first + own, first + n - problem_.free_time);
        for (double t : f.second.conjugate)
            e.conjugate.push_back(problem_.free_time ? static_cast<double>(model_.t0) + t * e.time : t);
        e.inputs = f.second.inputs;
        e.is_judged = f.second.is_judged;
        if (problem_.last_set) e.last_set = dimension();
        const bool with_least_inputs = !e.inputs || e.inputs->holds();
        e.verdict = !with_least_inputs                           ? Extremal::Verdict::stationary
                    : f.second.abnormal                          ? Extremal::Verdict::abnormal
                    : !f.second.conjugate.empty()                ? Extremal::Verdict::conjugate
                    : f.second.at_end > 0 || !f.second.is_judged ? Extremal::Verdict::stationary
                                                                 : Extremal::Verdict::minimum;
        if (!with_least_inputs) e.conjugate.clear();
        if (!e.inputs || !problem_.free_time) return e;
        const auto at = [&](double t) { return static_cast<double>(model_.t0) + t * e.time; };
        e.inputs->time = at(e.inputs->time);
        for (std::optional<double>* t : {&e.inputs->lost, &e.inputs->lower})
            if (*t) *t = at(**t);
        if (!e.inputs->kelley) return e;
        e.inputs->kelley->time = at(e.inputs->kelley->time);
        if (e.inputs->kelley->lost) e.inputs->kelley->lost = at(*e.inputs->kelley->lost);
        return e;
    }

    // What no start can mend; empty: nothing of that kind.
    bool has_no_solution(const Search& search) {
        if (search.starts() == 0) return false; // of a continuation
        if (!search.has_values()) {
            solution_.what = "the cost, the dynamics or their derivatives have no finite value on any of " +
                             std::to_string(search.starts()) + " starts: " + search.without_values();
            solution_.remedy = "look for roots and logarithms of what is negative, and for poles between the ends";
            return true;
        }
        return false;
    }

    void fail(const Search& search) {
        const double least_violation = search.least_violation();
        using enum Solution::Status;
        solution_.status = stopped() ? interrupted : failed;
        if (stopped()) return void(solution_.what = "interrupted before a path was found");
        const std::string starts = std::to_string(solution_.starts) + " starts";
        if (!missed_.empty()) return contradict_last_set();
        if (has_no_solution(search)) return;
        if (options_.along) return fail_to_continue();
        const auto nearest = problem_.is_control && !problem_.last_set ? nearest_end(model_, options_) : std::nullopt;
        const bool off_dynamics = problem_.is_control && !problem_.last_set && !nearest && least_violation > 1e-6;
        if (nearest && nearest->out_of_reach) {
            solution_.status = infeasible, solution_.residual = nearest->miss;
            solution_.what = "the end is out of reach, locally at least: the nearest path ends with " + nearest->at +
                             ", off by " + in_short(nearest->miss);
            solution_.remedy = "try another time, nearer ends, or --starts 600";
            return;
        }
        solution_.residual = least_violation;
        if (off_dynamics) solution_.status = infeasible;
        solution_.what = off_dynamics ? "no path was found that reaches the end: the best of " + starts +
                                            " misses the dynamics or the ends by " + in_short(least_violation)
                         : problem_.is_control
                             ? "none of " + starts + " led to a stationary path"
                             : "none of " + starts + " led to a motion between these ends; the best misses its " +
                                   "equations or an end by " + in_short(least_violation);
        if (nearest)
            solution_.what += ", though the end is within reach: a path misses it by " + in_short(nearest->miss);
        if (const auto costs = costs_of_times(model_, options_); costs.size() > 1) {
            const CostOfTime &last = costs.back(), &before = costs[costs.size() - 2];
            solution_.what += "; with time = " + in_short(before.time) + " a path costs " + in_short(before.cost) +
                              ", with time = " + in_short(last.time) + " " + in_short(last.cost);
            if (last.cost < before.cost) solution_.what += ": the longer the cheaper, perhaps without end";
        } else if (const auto cost = search.cheapest())
            solution_.what += "; of the paths that meet all conditions the cheapest so far costs " + in_short(*cost) +
                              ", and is not stationary: perhaps there is no least cost";
        solution_.remedy = nearest ? "the problem is hard: try --starts 600, another time, or nearer ends"
                                   : "the ends may be out of reach: try --starts 600, another time, or nearer ends";
    }

    void fail_to_continue() {
        const std::string begin = continuation_of(model_, options_.along->first, options_.along->second).text();
        const bool begun = led_.has_value();
        solution_.what = begun ? "paths with " + begin + " were followed for " +
                                     std::to_string(static_cast<int>(100 * *led_)) + " % of the way at most"
                               : "none of " + std::to_string(solution_.starts) + " starts led to a path with " + begin;
        solution_.remedy = begun ? "try to begin nearer, or with another parameter" : "try another value to begin with";
    }

    // A path between the other conditions exists, and it has not those that were left out.
    void contradict_last_set() {
        solution_.status = Solution::Status::infeasible;
        const int d = dimension() / 2;
        const std::string each = d == 1 ? "1 condition" : std::to_string(d) + " conditions";
        solution_.what = "the ends contradict the last set of the chain, of dimension " + std::to_string(2 * d) +
                         ", where each end has " + each + ": on the path between the others, " + missed_;
        solution_.remedy = "leave this end free: inputs without a square and without bounds move the path there at "
                           "once; or give the input a square or bounds";
    }

    int dimension() const { // of the last set, of the user's coordinates
        return static_cast<int>(2 * problem_.coordinates - problem_.last_set->codimension());
    }

    const Model& model_;
    const SolveOptions& options_;
    Clock::time_point begin_;
    Problem problem_;
    std::string coarse_;
    Solution solution_;
    int parts_ = 1;                             // of a step
    std::optional<MinimumPrinciple> principle_; // of a control problem
    std::optional<LastSetPlaces> last_set_;     // of a singular one
    std::string missed_;                        // by a path at its ends
    std::optional<double> led_;                 // how far continuation came, from 0 to 1; none: it did not begin
};

} // namespace

Solution find_path(const Model& model, const SolveOptions& options) {
    const bool periodic = model.boundary && model.boundary->periodic, bounded = goes_to_ipopt(model, options);
    if (options.along && (periodic || bounded))
        throw BadRun(periodic ? "--continue: periodic paths begin at the motion from [initial]; change that instead"
                              : "--continue: problems with bounds are solved by Ipopt, which begins anew");
    if (periodic) return find_periodic_path(model, options);
    if (bounded) return find_bounded_path(model, options);
    return Solving(model, options).run();
}

} // namespace rattleback
