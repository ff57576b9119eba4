#include "boundary/periodic.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "boundary/cost.hpp"
#include "boundary/monodromy.hpp"
#include "boundary/path_run.hpp"
#include "boundary/returns.hpp"
#include "boundary/search.hpp"

namespace rattleback::boundary {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr std::size_t first_steps = 100, most_steps = 100'000;
constexpr int most_iterations = 60;
// Of the conditions that close a path, singular values below it count as 0: those that conserved quantities make.
constexpr double family_cutoff = 1e-9;
constexpr double at_rest = 1e-6; // of the size of the motion that was the guess: an orbit that is no larger is a point

class Closing {
  public:
    Closing(const Model& model, const SolveOptions& options)
        : model_(model), options_(options), begin_(Clock::now()), problem_(model) {
        solution_.method = suitable_method(model, problem_, options.method);
        if (options.steps && *options.steps < 2) throw BadRun("a periodic path has at least 2 steps");
    }

    Solution run() {
        const auto started = Clock::now();
        if (problem_.free_time)
            find_free();
        else
            find_fixed();
        if (stopped() && solution_.extremals.empty())
            solution_.status = Solution::Status::interrupted, solution_.what = "interrupted before a path was found";
        solution_.seconds_setup = std::chrono::duration<double>(started - begin_).count();
        solution_.seconds_run = seconds_since(started);
        return std::move(solution_);
    }

  private:
    struct Closed { // a path that was found, and what found it
        Problem problem;
        std::unique_ptr<PathSolver> solver;
        Path path;
        NewtonOutcome outcome;
    };

    bool stopped() const { return options_.interrupt && *options_.interrupt; }

    void fail(const std::string& what, const std::string& remedy) {
        solution_.status = Solution::Status::failed;
        solution_.what = what, solution_.remedy = remedy;
    }

    std::size_t steps() const { return options_.steps ? static_cast<std::size_t>(*options_.steps) : first_steps; }

    void find_free() {
        const std::vector<double> periods = times_of_return(model_, solution_.method);
        if (periods.empty())
            fail("the motion from [initial] does not come near its start again",
                 "try another [initial], a longer until in [run], or write time in [boundary]");
        for (const double period : periods) {
            if (stopped()) return;
            if (std::optional<Closed> found = close(period, true)) return refine(*found);
        }
    }

    void find_fixed() {
        if (std::optional<Closed> found = close(problem_.time, false)) return refine(*found);
        const std::string what = solution_.what, remedy = solution_.remedy;
        if (!model_.force.empty()) { // what attracts motions is reached by following them
            for (const int periods : {20, 200})
                if (std::optional<Closed> found = close(problem_.time, false, periods)) return refine(*found);
        } else if (problem_.is_autonomous) {
            for (const double period : times_of_return(model_, solution_.method, 2 * problem_.time)) {
                std::optional<Closed> found = close(period, true);
                if (found && change_period(*found)) return refine(*found);
            }
        }
        fail(what, remedy);
    }

    // The motion from [initial] over a time, at its nodes; `before`: it is followed so many periods first.
    std::optional<Run> motion(double time, std::size_t nodes, int before) {
        const double step = time / static_cast<double>(nodes);
        Model from = model_;
        if (before > 0) {
            const Run first = integrate(model_, {.method = solution_.method,
                                                 .step = time / static_cast<double>(steps()),
                                                 .steps = before * static_cast<long long>(steps()),
                                                 .keep_record = false});
            const std::vector<double> q = first.summary().end["q"], v = first.summary().end["v"];
            if (!first.report().ok()) return std::nullopt;
            from.q0.assign(q.begin(), q.end()), from.v0.assign(v.begin(), v.end()), from.p0.clear();
        }
        Run run = integrate(from, {.method = solution_.method, .step = step, .steps = static_cast<long long>(nodes)});
        if (run.report().ok()) return run;
        fail("the motion from [initial] cannot be followed for the time of a period: " + run.report().what,
             "try another [initial], or more steps");
        return std::nullopt;
    }

    static std::vector<double> node(const Run& run, std::size_t k) {
        std::vector<double> x;
        for (const Table* table : {&run.q, &run.p})
            for (std::size_t i = 0; i < table->columns(); ++i) x.push_back((*table)(k, i));
        return x;
    }

    // Where the motion begins to go; none: it rests.
    static std::vector<double> direction_of(const Run& run) {
        std::vector<double> d = node(run, 1);
        const std::vector<double> start = node(run, 0);
        double square = 0;
        for (std::size_t i = 0; i < d.size(); ++i) d[i] -= start[i], square += d[i] * d[i];
        if (!(square > 0)) return {};
        for (double& each : d) each /= std::sqrt(square);
        return d;
    }

    std::optional<Closed> close(double period, bool is_free, int before = 0) {
        ++solution_.starts;
        const std::size_t N = steps();
        const std::optional<Run> guess = motion(period, N, before), tiny = motion(1e-6 * period, 1, before);
        if (!guess || !tiny) return std::nullopt;
        require_periodic_model(*guess, period);
        const std::vector<double> direction = direction_of(*tiny), start = node(*guess, 0);
        if (direction.empty() && problem_.is_autonomous) {
            fail("[initial] is at rest: every time is a period", "begin where something moves");
            return std::nullopt;
        }
        Closed found{problem_, nullptr, {}, {}};
        found.problem.time = period, found.problem.free_time = is_free;
        found.problem.choose_orbit(start, direction, guess->summary().energy_initial);
        found.solver = std::make_unique<PathSolver>(found.problem, solution_.method);
        double size = 0;
        for (const bool spread : {false, true}) { // an unstable motion is soon far from where it should end
            found.path = found.solver->path(N, between_nodes(*guess, spread));
            size = extent(found.path);
            found.outcome = found.solver->newton(found.path, most_iterations, options_.interrupt, family_cutoff);
            solution_.iterations += found.outcome.iterations;
            if (is_nearly_closed(found.outcome)) break;
        }
        if (problem_.is_autonomous && extent(found.path) < at_rest * size) {
            fail("the path has shrunk to a point, an equilibrium, where every time is a period",
                 "try another time, or time = \"free\"");
            return std::nullopt;
        }
        if (is_nearly_closed(found.outcome) && found.path.time() > 0) return found;
        fail_with(found.outcome);
        return std::nullopt;
    }

    // Coarse steps keep the energy, or what is near it, not quite: then a path closes only as well as that.
    static bool is_nearly_closed(const NewtonOutcome& outcome) {
        return outcome.status == NewtonOutcome::converged ||
               (outcome.status == NewtonOutcome::stalled && outcome.increment < 1e-10 && outcome.residual < 1e-4);
    }

    void fail_with(const NewtonOutcome& outcome) {
        fail("no periodic path was found near [initial]: after " + std::to_string(outcome.iterations) +
                 " iterations the equations are off by " + real::to_text(outcome.residual),
             "try an [initial] that is nearer, another time, or --steps");
    }

    // x(time), time from 0 to 1, linear between nodes. `spread`: what it misses its start by is taken away, bit by bit.
    PathSolver::Curve between_nodes(const Run& guess, bool spread) const {
        const std::size_t N = steps();
        std::vector<double> gap = node(guess, N);
        const std::vector<double> start = node(guess, 0);
        for (std::size_t i = 0; i < gap.size(); ++i) gap[i] = spread ? gap[i] - start[i] : 0;
        return [&guess, N, gap](double time, double* x) {
            const double place = time * static_cast<double>(N);
            const auto k = static_cast<std::size_t>(std::clamp(std::floor(place), 0.0, static_cast<double>(N - 1)));
            const std::vector<double> a = node(guess, k), b = node(guess, k + 1);
            const double part = place - static_cast<double>(k);
            for (std::size_t i = 0; i < a.size(); ++i) x[i] = (1 - part) * a[i] + part * b[i] - time * gap[i];
        };
    }

    // From an orbit of one period, through its family, to the one that was asked for.
    bool change_period(Closed& of) {
        const double from = of.path.time(), to = problem_.time;
        of.problem = problem_;
        of.problem.time = from;
        const double *const first = of.path.node(0), *const next = of.path.node(1);
        std::vector<double> start(first, first + of.path.states()), direction(next, next + of.path.states());
        for (std::size_t i = 0; i < start.size(); ++i) direction[i] -= start[i];
        of.problem.choose_orbit(start, direction, 0);
        of.solver = std::make_unique<PathSolver>(of.problem, solution_.method);
        const auto parts = static_cast<std::size_t>(of.solver->parts());
        double done = 0, part = 0.25;
        while (done < 1 && part > 1e-4 && !stopped()) {
            const double aim = std::min(1.0, done + part);
            of.solver->set_time(aim == 1 ? to : from + aim * (to - from));
            Path tried = of.solver->path(steps(), interpolated(of.path, parts));
            of.outcome = of.solver->newton(tried, most_iterations, options_.interrupt, family_cutoff);
            solution_.iterations += of.outcome.iterations;
            const bool found = of.outcome.status == NewtonOutcome::converged && extent(tried) > 0.5 * extent(of.path);
            if (found) of.path = std::move(tried), done = aim;
            part *= found ? 2 : 0.25;
        }
        return done == 1;
    }

    // How far its nodes are from the first, at most.
    static double extent(const Path& path) {
        double most = 0;
        for (std::size_t k = 1; k <= path.steps(); ++k)
            for (std::size_t i = 0; i < path.states(); ++i)
                most = std::max(most, std::abs(path.node(k)[i] - path.node(0)[i]));
        return most;
    }

    static double action(const Path& path, Closed& of) {
        of.problem.time = path.time();
        return PathCost(of.problem, *of.solver)(path);
    }

    // Twice as many steps, until period and action change by no more than was asked for.
    void refine(Closed& of) {
        PathSolver& solver = *of.solver;
        double cost = action(of.path, of), period_error = 0;
        const double gain = std::pow(2.0, std::min(solver.formulas().method.order, 4)) - 1;
        const double wanted = options_.accuracy.value_or(1e-9 * std::max(1.0, of.path.time()));
        for (std::size_t n = 2 * steps(); n <= most_steps; n *= 2) {
            solver.set_time(of.path.time());
            Path finer = solver.path(n, interpolated(of.path, static_cast<std::size_t>(solver.parts())));
            const NewtonOutcome next = solver.newton(finer, most_iterations, nullptr, family_cutoff);
            solution_.iterations += next.iterations;
            if (!is_nearly_closed(next)) break;
            const double better = action(finer, of), scale = (options_.steps ? gain + 1 : 1) / gain;
            solution_.cost_error = std::abs(better - cost) * scale;
            period_error = std::abs(finer.time() - of.path.time()) * scale;
            if (options_.steps) break;
            of.path = std::move(finer), cost = better;
            const bool is_closed = next.status == NewtonOutcome::converged;
            if ((is_closed && std::max(solution_.cost_error, period_error) <= wanted) || stopped()) break;
        }
        solver.set_time(of.path.time()); // once more, for the tangent maps of the path as it is now
        of.outcome = solver.newton(of.path, most_iterations, nullptr, family_cutoff);
        if (of.outcome.status != NewtonOutcome::converged) return fail_with(of.outcome);
        show(of, cost);
        note_repetitions(of);
        solution_.orbit = orbit_of(solver, of.path);
        solution_.orbit->period_error = period_error;
        solution_.orbit->energy = solution_.run.summary().energy_initial;
    }

    // An orbit that goes round several times says so.
    void note_repetitions(const Closed& of) {
        const auto at = interpolated(of.path, static_cast<std::size_t>(of.solver->parts()));
        const double size = extent(of.path);
        std::vector<double> x(of.path.states());
        for (int times = 12; times > 1 && problem_.is_autonomous; --times) {
            at(1.0 / times, x.data());
            double apart = 0;
            for (std::size_t i = 0; i < x.size(); ++i) apart = std::max(apart, std::abs(x[i] - of.path.node(0)[i]));
            if (apart > 1e-4 * size) continue; // cubic polynomials between 200 nodes
            solution_.note = "goes round " + std::to_string(times) + " times: the shortest period is " +
                             real::to_text(solution_.best().time / times);
            return;
        }
    }

    void show(Closed& of, double cost) {
        const Path& path = of.path;
        const std::size_t n = path.states() / 2;
        Extremal e;
        e.cost = cost, e.time = problem_.free_time ? path.time() : problem_.time, e.residual = of.outcome.residual;
        e.hits = 1;
        const double *first = path.node(0), *last = path.node(path.steps());
        e.q0.assign(first, first + n), e.p0.assign(first + n, first + 2 * n);
        e.q.assign(last, last + n), e.p.assign(last + n, last + 2 * n);
        solution_.extremals.push_back(e);
        of.problem.free_time = false, of.problem.time = e.time; // known now
        const PathShown shown(model_, of.problem, solution_.method);
        shown.show(path, {}, solution_, options_.command);
        solution_.status = stopped() ? Solution::Status::interrupted : Solution::Status::solved;
        if (stopped()) solution_.what = "interrupted: this is the path so far";
    }

    // A model that depends on t must do so with the period of the path.
    void require_periodic_model(const Run& guess, double period) {
        if (!problem_.is_autonomous && !is_driven_with(problem_.model, guess, period))
            throw Unsuitable("the model depends on t, and not with the period " + real::to_text(period) +
                             ": time in [boundary] must be the period of what drives it, or a multiple");
    }

    const Model& model_;
    const SolveOptions& options_;
    Clock::time_point begin_;
    Problem problem_;
    Solution solution_;
};

} // namespace

Solution find_periodic_path(const Model& model, const SolveOptions& options) { return Closing(model, options).run(); }

} // namespace rattleback::boundary
