#include "boundary/bounded.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "boundary/paths_without_bounds.hpp"
#include "boundary/random_bends.hpp"
#include "formulation/chain.hpp"

namespace rattleback::boundary {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

constexpr int usual_starts = 8, enough_hits = 4; // of starts that all led to the same path
constexpr int most_rounds = 14;
constexpr std::size_t most_rivals = 4;
constexpr int iterations_of_a_start = 200, iterations_of_a_grid = 500; // those that end take 10 to 100
constexpr std::size_t first_steps = 40, most_even_steps = 300, most_steps = 4000;
constexpr double first_barrier = 0.1, next_barrier = 1e-4; // Ipopt's own; near a solution
constexpr double largest_residual = 1e-8;                  // of a path that is one
constexpr double caution = 5; // errors of the cost were up to 4 times its last change, where coordinates are bounded

int stages_of(const std::string& method) {
    const std::vector<MethodName> all = parse_methods(method);
    if (all.size() == 1 && all[0].id == "midpoint") return 1;
    if (all.size() == 1 && all[0].id == "gauss") return all[0].options.integer("stages", 1, 1, 10);
    throw Unsuitable("Ipopt takes the methods midpoint and gauss, not '" + method + "'");
}

std::vector<double> even_mesh(std::size_t steps) {
    std::vector<double> mesh;
    for (std::size_t k = 0; k <= steps; ++k) mesh.push_back(static_cast<double>(k) / static_cast<double>(steps));
    return mesh;
}

struct Candidate {
    BoundedPath path;
    int hits = 1;
    double error = 0; // of its cost
    bool is_minimum() const { return path.result.shift == 0; }
};

class Bounded {
  public:
    Bounded(const Model& model, const SolveOptions& options)
        : model_(model), options_(options), begin_(Clock::now()), problem_(model),
          transcription_(problem_, stages_of(method())) {
        if (options.steps && *options.steps < 1) throw BadRun("the number of steps must be positive");
        solution_.method = method(), solution_.solver = "ipopt";
        require_ends_within_bounds();
        static_cast<void>(ipopt_module());
    }

    Solution run() {
        solution_.seconds_setup = seconds_since(begin_);
        const auto started = Clock::now();
        search();
        if (found_.empty()) {
            fail();
        } else {
            refine_cheapest();
            finish();
        }
        solution_.seconds_run = seconds_since(started);
        return std::move(solution_);
    }

  private:
    std::string method() const {
        if (!options_.method.empty()) return options_.method;
        for (const char* id : {"midpoint", "gauss"})
            if (!model_.run.method.empty() && parse_methods(model_.run.method)[0].id == id) return model_.run.method;
        return model_.control->bounds.empty() ? "gauss:stages=4" : "gauss:stages=3";
    }

    void require_ends_within_bounds() const {
        const Vec q = as_scalars(problem_.model.q);
        for (const Control::Bound& b : problem_.model.control->bounds)
            for (std::size_t i = 0; i < q.size(); ++i)
                for (const End* end : {&problem_.from, &problem_.to})
                    if (q[i].value == b.value && end->value[i] &&
                        ((b.lo && *end->value[i] < static_cast<double>(*b.lo)) ||
                         (b.hi && *end->value[i] > static_cast<double>(*b.hi))))
                        throw Unsuitable(std::string("the path ") + (end == &problem_.from ? "begins" : "ends") +
                                         " at " + q[i].name + " = " + real::to_text(*end->value[i]) +
                                         ", outside the bounds of '" + b.name + "'");
    }

    bool stopped() const { return options_.interrupt && *options_.interrupt; }

    BoundedPath solved(const std::vector<double>& mesh, const Transcription::Guess& guess, double barrier, int most) {
        BoundedPath path = transcription_.solve(mesh, guess, barrier, most, options_.interrupt);
        solution_.iterations += path.result.iterations;
        if (path.result.status == IpoptResult::converged && !(path.residual <= largest_residual))
            path.result.status = IpoptResult::failed;
        return path;
    }

    bool is_same(const BoundedPath& a, const BoundedPath& b) const {
        double apart = 0, size = 1e-3;
        for (std::size_t k = 0; k <= a.steps(); ++k)
            for (std::size_t i = 0; i < transcription_.n; ++i) {
                const double x = transcription_.node(a, k)[i], y = transcription_.node(b, k)[i];
                apart = std::max(apart, std::abs(x - y)), size = std::max(size, std::abs(x));
            }
        return apart <= 1e-4 * size || (apart <= 1e-2 * size && std::abs(a.cost - b.cost) <= 1e-8 * std::abs(a.cost));
    }

    void search() {
        const std::vector<double> mesh =
            even_mesh(options_.steps ? static_cast<std::size_t>(*options_.steps) : first_steps);
        RandomBends bends(problem_, options_.seed);
        const int starts = options_.starts.value_or(usual_starts);
        const std::vector<Transcription::Guess> without = paths_without_bounds(model_, problem_, options_);
        const int all = starts + static_cast<int>(without.size());
        for (int i = 0; i < all && !stopped(); ++i) {
            if (options_.progress) options_.progress(i, all);
            const int bend = i - static_cast<int>(without.size());
            const auto line = bends.path(std::max(bend, 0));
            const auto begin = [&](double time, double* q, double* u) {
                std::vector<double> slope(transcription_.n);
                line(time, q, slope.data());
                transcription_.inputs_along(time, q, slope.data(), u);
            };
            BoundedPath path = solved(mesh, bend < 0 ? without[static_cast<std::size_t>(i)] : begin, first_barrier,
                                      iterations_of_a_start);
            ++solution_.starts;
            if (path.result.status == IpoptResult::converged)
                add(std::move(path));
            else if (path.result.status == IpoptResult::infeasible && !(nearest_ <= path.residual))
                nearest_ = path.residual;
            if (found_.size() == 1 && found_[0].is_minimum() && found_[0].hits >= enough_hits) break;
        }
        put_in_order();
        if (!options_.steps && found_.size() > 1) compare_again();
    }

    void put_in_order() {
        std::stable_sort(found_.begin(), found_.end(), [](const Candidate& a, const Candidate& b) {
            if (a.is_minimum() != b.is_minimum()) return a.is_minimum();
            return a.path.cost < b.path.cost;
        });
    }

    // The cheapest of a coarse grid need not be the cheapest.
    void compare_again() {
        for (std::size_t i = 0; i < std::min(found_.size(), most_rivals) && !stopped(); ++i) {
            BoundedPath finer = solved(finer_mesh(found_[i].path, false), transcription_.interpolated(found_[i].path),
                                       next_barrier, iterations_of_a_start);
            if (finer.result.status == IpoptResult::converged) found_[i].path = std::move(finer);
        }
        put_in_order();
    }

    void add(BoundedPath path) {
        for (Candidate& c : found_)
            if (is_same(c.path, path)) return void(++c.hits);
        found_.push_back({std::move(path)});
    }

    // Steps within which, or at whose ends, the set of active bounds changes.
    std::vector<bool> switching(const BoundedPath& path) const {
        const std::size_t s = transcription_.stages, N = path.steps();
        std::vector<bool> marked(N, false);
        for (std::size_t i = 1; i < path.held.size(); ++i)
            if (path.held[i] != path.held[i - 1]) marked[(i - 1) / s] = marked[i / s] = true;
        return marked;
    }

    std::vector<double> finer_mesh(const BoundedPath& path, bool evenly) const {
        const std::vector<bool> marked = switching(path);
        std::vector<double> mesh{0.0};
        for (std::size_t k = 0; k < path.steps(); ++k) {
            const double from = path.mesh[k], to = path.mesh[k + 1];
            const int parts = evenly ? 2 : marked[k] && to - from > 1e-9 ? 4 : path.steps() < most_even_steps ? 2 : 1;
            for (int i = 1; i < parts; ++i) mesh.push_back(from + (to - from) * i / parts);
            mesh.push_back(to);
        }
        return mesh;
    }

    double wanted_error(const BoundedPath& path) const {
        return options_.accuracy.value_or(1e-9 * std::max(1.0, std::abs(path.cost)));
    }

    // The best path on finer grids, until neither finer steps where bounds change nor finer steps everywhere change its
    // cost by more than was asked for. Where the number of steps was given, only for the error of its cost.
    void refine(Candidate& candidate) {
        BoundedPath& best = candidate.path;
        const double wanted = wanted_error(best);
        candidate.error = std::abs(best.cost);
        double before = std::numeric_limits<double>::infinity(); // the change of the last round
        bool evenly = options_.steps.has_value();
        for (int round = 0; round < most_rounds && !stopped(); ++round) {
            const std::vector<double> mesh = finer_mesh(best, evenly);
            if (mesh.size() > most_steps) return;
            const Transcription::Guess guess = transcription_.interpolated(best);
            BoundedPath finer = solved(mesh, guess, next_barrier, iterations_of_a_grid);
            if (finer.result.status != IpoptResult::converged && !stopped())
                finer = solved(mesh, guess, first_barrier, iterations_of_a_grid);
            if (finer.result.status != IpoptResult::converged) return;
            if (finer.result.iterations == 0) finer.result.shift = best.result.shift; // it was not looked at again
            const double change = caution * std::abs(finer.cost - best.cost);
            candidate.error = std::isfinite(before) ? std::max(change, before) : change;
            if (options_.steps) return;
            best = std::move(finer);
            if (evenly && candidate.error <= wanted) return;
            evenly = !evenly && (change <= wanted || change > 0.8 * before), before = change; // or it helps no more
        }
    }

    // Where another path costs less on its coarser grid, it is refined, too.
    void refine_cheapest() {
        refine(found_[0]);
        for (std::size_t i = 1; i < std::min(found_.size(), most_rivals) && !options_.steps && !stopped(); ++i)
            if (found_[i].is_minimum() && found_[i].path.cost < found_[0].path.cost) refine(found_[i]);
        put_in_order();
        solution_.cost_error = found_[0].error;
        if (!options_.steps && !stopped() && !(solution_.cost_error <= wanted_error(found_[0].path)))
            solution_.note = "the cost is not known as well as was asked for: finer grids did not converge, or would "
                             "have too many steps";
    }

    Extremal extremal_of(const Candidate& c) const {
        const std::size_t n = transcription_.n, own = problem_.coordinates, N = c.path.steps();
        const double *first = transcription_.node(c.path, 0), *last = transcription_.node(c.path, N);
        const double *p0 = &c.path.costates[0], *p1 = &c.path.costates[N * n];
        Extremal e;
        e.cost = c.path.cost, e.residual = c.path.residual, e.hits = c.hits;
        e.q0.assign(first, first + own), e.q.assign(last, last + own);
        e.p0.assign(p0, p0 + own), e.p.assign(p1, p1 + own);
        e.time = problem_.free_time ? first[n - 1] : problem_.time;
        e.parameters.assign(first + own, first + n - problem_.free_time);
        e.verdict = c.is_minimum() ? Extremal::Verdict::minimum : Extremal::Verdict::stationary;
        return e;
    }

    void finish() {
        solution_.status = stopped() ? Solution::Status::interrupted : Solution::Status::solved;
        if (stopped()) solution_.what = "interrupted: the path is the best so far";
        for (const Candidate& c : found_) solution_.extremals.push_back(extremal_of(c));
        const BoundedPath& best = found_[0].path;
        const std::size_t n = transcription_.n, m = transcription_.m, N = best.steps();
        const double *first = transcription_.stage(best, 0, 0) + n,
                     *last = transcription_.stage(best, N - 1, transcription_.stages - 1) + n;
        solution_.u_first.assign(first, first + m), solution_.u_last.assign(last, last + m);
        solution_.steps = static_cast<long long>(N);
        Model chosen = model_;
        for (std::size_t i = 0; i < solution_.best().parameters.size(); ++i)
            for (Parameter& p : chosen.parameters)
                if (p.name == model_.control->chosen[i]) p.value = solution_.best().parameters[i];
        solution_.run = run_of(chosen, problem_, transcription_, best, solution_.method, options_.command);
    }

    void fail() {
        const std::string starts = std::to_string(solution_.starts) + (solution_.starts == 1 ? " start" : " starts");
        if (stopped()) {
            solution_.status = Solution::Status::interrupted, solution_.what = "interrupted before a path was found";
            return;
        }
        solution_.remedy = "the ends may be out of reach within the bounds; try another time, wider bounds or nearer "
                           "ends";
        if (nearest_ < std::numeric_limits<double>::infinity()) {
            solution_.status = Solution::Status::infeasible;
            solution_.what =
                "no path satisfies all conditions: of " + starts + " the nearest misses by " + real::to_text(nearest_);
            return;
        }
        solution_.status = Solution::Status::failed, solution_.what = "none of " + starts + " led to a path";
    }

    const Model& model_;
    const SolveOptions& options_;
    Clock::time_point begin_;
    Problem problem_;
    Transcription transcription_;
    std::vector<Candidate> found_;
    double nearest_ = std::numeric_limits<double>::infinity();
    Solution solution_;
};

} // namespace

std::size_t pieces_of(const SolveOptions& options) {
    constexpr std::size_t several = 10; // pieces
    return options.solver == "shooting" ? 1 : options.solver == "multiple_shooting" ? several : 0;
}

bool goes_to_ipopt(const Model& model, const SolveOptions& options) {
    const bool bounded = model.control && !model.control->bounds.empty();
    const bool is_ipopt = options.solver == "ipopt";
    if (!options.solver.empty() && options.solver != "newton" && !is_ipopt && !pieces_of(options))
        throw BadRun("solver '" + options.solver +
                     "' is not known; there are newton, shooting, multiple_shooting and ipopt");
    if (is_ipopt && !model.control)
        throw Unsuitable("Ipopt takes control problems; boundary values of a motion have no cost, take newton");
    if (is_ipopt && !model.groups.empty())
        throw Unsuitable("Ipopt does not take coordinates on groups: take newton, or write coordinates of a chart");
    if (!options.solver.empty() && !is_ipopt && bounded)
        throw Unsuitable("'" + model.control->bounds[0].name +
                         "' is bounded: Newton's method takes no bounds and no "
                         "inequalities, take ipopt");
    if (is_ipopt && !bounded && !singular_inputs(model).empty())
        throw Unsuitable(
            "Ipopt takes inputs without a square in H only where they have bounds: H_u = 0 does not determine "
            "them; newton solves for the path on the last set");
    return bounded || is_ipopt;
}

Solution find_bounded_path(const Model& model, const SolveOptions& options) { return Bounded(model, options).run(); }

} // namespace rattleback::boundary
