// Several methods on one model: what they cost, and what error that buys, against a converged reference.
#include <rattleback/evidence.hpp>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "evidence/advice.hpp"
#include "evidence/studies.hpp"
#include "evidence/time_left.hpp"
#include "run/grid.hpp"

namespace rattleback {
namespace {

constexpr double longest = 4;     // seconds that the finer and coarser runs of one method may take
constexpr double measured = 0.05; // seconds of runs of which the shortest is believed
constexpr int repeats = 40;       // at most
constexpr int least_repeats = 3;
constexpr int high_order = 8;
constexpr long long nodes = 64; // at which runs are compared
constexpr double holds = 1e-4;  // a reference: what a coarser one may differ, relative to the state
constexpr double follows = 0.1; // a method: likewise

// The states of a run at its nodes: q and v, or z.
struct Path {
    std::vector<double> t;
    std::vector<std::vector<double>> states;

    explicit Path(const Run& run, long long stride) {
        const Table& times = run.record["t"];
        for (std::size_t i = 0; i < times.rows(); i += static_cast<std::size_t>(stride))
            add(times[i], [&](const char* group) {
                const Table& table = run[group];
                return table.rows() ? std::vector<double>(table.row(i).begin(), table.row(i).end())
                                    : std::vector<double>();
            });
        const Summary& s = run.summary(); // the end, recorded or not
        if (!t.empty() && t.back() != s.t_end) add(s.t_end, [&](const char* group) { return s.end[group]; });
    }
    void add(double time, const std::function<std::vector<double>(const char*)>& values) {
        t.push_back(time), states.emplace_back();
        for (const char* group : {"q", "v", "z"})
            for (double x : values(group)) states.back().push_back(x);
    }
};

// Components are measured by their largest value on the way; those that stay about 0 by the others.
std::vector<double> sizes_of(const Path& path) {
    std::vector<double> sizes(path.states.at(0).size());
    for (const auto& state : path.states)
        for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = std::max(sizes[i], std::abs(state[i]));
    const double largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
    for (double& s : sizes) s = std::max({s, 1e-6 * largest, 1e-300});
    return sizes;
}

// The largest difference of two states, as it is, and relative to the sizes of components.
struct Difference {
    double absolute = 0, relative = 0;
    Difference(const std::vector<double>& a, const std::vector<double>& b, const std::vector<double>& sizes) {
        for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
            const double d = std::abs(a[i] - b[i]);
            if (!(d <= absolute)) absolute = d; // a NaN stays
            if (!(d / sizes[i] <= relative)) relative = d / sizes[i];
        }
    }
};

double seconds_of_thread() { // of computing, whatever else goes on
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// The study of one comparison.
class Compared {
  public:
    Compared(const Model& model, const RunOptions& options)
        : model_(model), options_(options), grid_(make_grid(model, options)),
          stride_(std::max(1LL, grid_.steps / nodes)), t0_(static_cast<double>(model.t0)), time_(options.progress) {}

    Comparison run(const std::vector<MethodName>& names) {
        for (std::size_t i = 0; i < names.size(); ++i)
            if (!run_method(names[i], names.size() - i - 1)) return std::move(all_);
        note_what_is_conserved();
        if (all_.methods.empty()) throw Unsuitable(all_.left_out.at(0).second);
        all_.t_end = grid_.end.value_or(t0_ + grid_.h * static_cast<double>(grid_.steps));
        all_.holds_until = all_.ranked_until = t0_;
        find_reference();
        if (reference_) find_horizons();
        measure_costs();
        advise(model_, all_);
        return std::move(all_);
    }

  private:
    bool run_method(const MethodName& name, std::size_t others) { // false: it was interrupted
        RunOptions o = options_;
        o.method = name.text, o.every = std::min(o.every, stride_);
        time_.begin();
        if (time_)
            o.progress = [&](long long done, long long total) {
                const double whole = time_.seconds() * static_cast<double>(total) / static_cast<double>(done);
                time_.left(whole - time_.seconds() + seconds_after_runs(whole, others));
            };
        while (stride_ % o.every) --o.every; // the nodes to compare at are among the recorded ones
        try {
            all_.methods.push_back({integrate(model_, o), {}, 0, {}, {}, {}, 0});
        } catch (const Unsuitable& e) {
            all_.left_out.emplace_back(name.text, e.what());
            return true;
        }
        ComparedMethod& m = all_.methods.back();
        seconds_.push_back(time_.seconds());
        time_.left(seconds_after_runs({}, others));
        const Summary& s = m.run.summary();
        m.seconds_per_time = s.seconds_run / std::max(1e-300, std::abs(s.t_end - t0_));
        if (m.run.report().ok()) paths_.emplace_back(all_.methods.size() - 1, Path(m.run, stride_ / o.every));
        return m.run.report().status != Report::interrupted;
    }

    // What is still to come after the runs so far, and after one of so many seconds: for who waits, no more than that.
    double seconds_after_runs(std::optional<double> now, std::size_t others) const {
        std::vector<double> runs = seconds_;
        if (now) runs.push_back(*now);
        double sum = 0, work = 0;
        for (double s : runs) sum += s, work += seconds_of_work(s);
        const auto count = static_cast<double>(runs.size()), more = static_cast<double>(others);
        return count == 0 ? 0 : work + (sum + work) / count * more + 2 * sum / count;
    }
    // Runs with steps 4 times as long to a quarter as long, three times each: 7.75 x 3, and what short ones take.
    static double seconds_of_work(double run) { return std::min(longest, 0.7 + 23 * run); }

    void note_what_is_conserved() { // the runs know it
        if (all_.methods.empty()) return;
        const Summary& s = all_.methods[0].run.summary();
        all_.energy_conserved = !s.balance("energy");
        for (const auto& [name, error] : s.momentum_error_max)
            if (!s.balance(name)) all_.momenta_conserved.push_back(name);
    }

    RunOptions finer(const std::string& method, long long finer, double tolerance = 0) const {
        RunOptions o = options_;
        o.method = method, o.until = {}, o.step = grid_.h / static_cast<double>(finer);
        o.steps = grid_.steps * finer, o.every = stride_ * finer;
        o.progress = {}, o.prepared = {};
        if (tolerance > 0) o.tolerance = tolerance;
        return o;
    }

    // The first of these that fits, and how much a coarser one differs from it.
    void find_reference() {
        for (const auto& [fine, coarse, factor] : {std::tuple("dop853:tol=1e-14", "dop853:tol=1e-11", 1LL),
                                                   std::tuple("nh_gauss:stages=4", "nh_gauss:stages=3", 4LL),
                                                   std::tuple("lobatto:stages=5", "lobatto:stages=4", 4LL),
                                                   std::tuple("gauss:stages=6", "gauss:stages=4", 4LL),
                                                   std::tuple("dirac_weak:stages=6", "dirac_weak:stages=4", 4LL)}) {
            try {
                const Run best = integrate(model_, finer(fine, factor));
                const Run other = integrate(model_, finer(coarse, 2 * factor));
                if (!best.report().ok() || !other.report().ok()) continue;
                all_.reference_method = fine;
                reference_.emplace(best, 1), coarser_.emplace(other, 1);
                return;
            } catch (const Unsuitable&) { // try the next
            } catch (const BadMethod&) {}
        }
    }

    // The last node up to which a path is as near to the reference as asked for; 0 is the start.
    std::size_t last_near(const Path& path, const std::vector<double>& sizes, double near) const {
        std::size_t k = 0;
        while (k + 1 < std::min(path.states.size(), reference_->states.size()) &&
               Difference(path.states[k + 1], reference_->states[k + 1], sizes).relative <= near)
            ++k;
        return k;
    }

    // Where errors are looked at: while the reference is one; and, to rank methods, while half of them follow it.
    void find_horizons() {
        const std::vector<double> sizes = sizes_of(*reference_);
        const std::size_t last = last_near(*coarser_, sizes, holds);
        all_.holds_until = last + 1 == reference_->t.size() ? all_.t_end : reference_->t[last];
        all_.reference_error = Difference(coarser_->states[last], reference_->states[last], sizes).absolute;
        std::vector<std::size_t> followed;
        for (const auto& [which, path] : paths_) {
            if (last > 0)
                all_.methods[which].error = Difference(path.states[last], reference_->states[last], sizes).absolute;
            followed.push_back(std::min(last, last_near(path, sizes, follows)));
        }
        std::sort(followed.rbegin(), followed.rend()); // longest first
        ranked_ = followed.empty() ? 0 : followed[(followed.size() - 1) / 2];
        if (ranked_ == 0 && !followed.empty()) ranked_ = followed[0];
        if (Difference(reference_->states[0], reference_->states[ranked_], sizes).absolute == 0) ranked_ = 0; // at rest
        all_.ranked_until = reference_->t[ranked_];
        const Difference doubt(coarser_->states[ranked_], reference_->states[ranked_], sizes);
        all_.floor = 3 * doubt.absolute;
        all_.ceiling = follows * *std::max_element(sizes.begin(), sizes.end());
    }

    // A run, the computing time of its steps, and that of all before its first step: the least of as many runs as take
    // a while together. What else the machine does lengthens single ones.
    struct Timed {
        Run run;
        double steps = 0, start = 0; // seconds
    };
    Timed timed(RunOptions options, double& spent) const {
        if (options.engine == RunOptions::Engine::automatic) options.engine = RunOptions::Engine::compiled; // for all
        double begin = 0, end = 0, least = 0, least_whole = 0, sum = 0;
        options.prepared = [&](const Run&) { begin = seconds_of_thread(); };
        options.at_node = [&](const NodeView&) {
            end = seconds_of_thread();
            return true;
        };
        std::optional<Run> run;
        const double started = seconds_of_thread(); // set-up counts here, so that nobody waits for it
        const auto enough = [&] { return sum > measured || seconds_of_thread() - started > 2 * measured; };
        for (int i = 0; i < least_repeats || (i < repeats && !enough()); ++i) {
            const double before = seconds_of_thread();
            run = integrate(model_, options);
            if (!run->report().ok()) break;
            least = i ? std::min(least, end - begin) : end - begin;
            least_whole = i ? std::min(least_whole, end - before) : end - before;
            sum += end - begin;
        }
        spent += sum;
        if (run->report().ok() && options.steps) {
            const auto steps = static_cast<double>(*options.steps);
            least = steps * seconds_a_step(options, least / steps);
        }
        return {*std::move(run), least, std::max(0.0, least_whole - least)};
    }

    // Of one step, without what it takes to begin, which is as long as hundreds of short steps: from the first to the
    // last time that a longer run tells its progress, every 1024 steps. Where steps are long, `at_most`.
    double seconds_a_step(RunOptions options, double at_most) const {
        if (at_most * 1024 > longest / 10) return at_most;
        std::vector<std::pair<long long, double>> told;
        volatile int enough = 0;
        options.steps = options.every = 8192, options.until.reset(), options.keep_record = false;
        options.at_node = {}, options.prepared = {}, options.interrupt = &enough;
        options.progress = [&](long long done, long long) {
            told.emplace_back(done, seconds_of_thread());
            enough = told.back().second - told.front().second > measured;
        };
        for (int i = 0; i < 2; ++i) {
            told.clear();
            enough = 0;
            integrate(model_, options); // where it fails, the steps before that were timed
            if (told.size() < 2) return at_most;
            const double taken = told.back().second - told.front().second;
            at_most = std::min(at_most, taken / static_cast<double>(told.back().first - told.front().first));
        }
        return at_most;
    }

    void measure_costs() {
        double expected = 0;
        for (double s : seconds_) expected += seconds_of_work(s);
        for (std::size_t i = 0; i < all_.methods.size(); ++i) {
            ComparedMethod& m = all_.methods[i];
            time_.left(expected);
            if (all_.ranked_until == t0_ || !m.run.report().ok() || !measure_work(m)) measure_cost(m);
            expected -= seconds_of_work(seconds_[i]);
        }
    }

    // The cost alone, of the steps that were taken: of a run that ended early, or that nothing is compared with.
    void measure_cost(ComparedMethod& m) const {
        const Summary& s = m.run.summary();
        if (s.steps == 0 || m.run.report().status == Report::interrupted) return;
        RunOptions o = finer(s.method, 1);
        o.steps = o.every = std::max(1LL, std::min(s.steps, static_cast<long long>(static_cast<double>(s.steps) *
                                                                                   longest / (8 * s.seconds_run))));
        double spent = 0;
        const Timed cost = timed(o, spent);
        if (!cost.run.report().ok()) return; // then it is as the first run says
        m.seconds_per_time = cost.steps / std::abs(*o.step * static_cast<double>(*o.steps));
        m.seconds_start = cost.start;
    }

    // False: nothing was measured at the step of the command.
    bool measure_work(ComparedMethod& m) const {
        const std::string& text = m.run.summary().method;
        const double length = all_.ranked_until - t0_;
        const long long steps =
            ranked_ + 1 == reference_->t.size() ? grid_.steps : stride_ * static_cast<long long>(ranked_);
        const double seconds = m.seconds_per_time * std::abs(length);
        const Method method = build_method(model_, parse_methods(text)[0]);
        const bool controlled = method.controls_step;
        std::vector<double> factors = {0.25, 0.5, 1.0, 2.0, 4.0};
        // High orders are for long steps: at those of the others they are at round-off and cost too much.
        if (method.order >= high_order && !controlled)
            factors.insert(factors.begin(), {1.0 / 64, 1.0 / 32, 0.0625, 0.125});
        const std::vector<double> sizes = sizes_of(*reference_);
        double spent = 0;
        bool measured_here = false;
        for (double factor : factors) {
            if (spent + 2 * seconds * factor > longest) break;
            RunOptions o = finer(text, 1, controlled ? 1e-8 * std::pow(1e-2, std::log2(factor)) : 0);
            o.steps = std::max(1LL, controlled ? steps : std::llround(static_cast<double>(steps) * factor));
            o.step = length / static_cast<double>(*o.steps), o.every = *o.steps;
            const auto [run, seconds_run, seconds_start] = timed(o, spent);
            if (!run.report().ok()) continue;
            m.work_steps.push_back(*o.step);
            m.work_cost.push_back(std::max(1e-12, seconds_run / std::abs(length)));
            m.work_error.push_back(Difference(Path(run, 1).states.back(), reference_->states[ranked_], sizes).absolute);
            if (factor != 1) continue;
            m.seconds_per_time = m.work_cost.back(), m.seconds_start = seconds_start;
            measured_here = true;
        }
        return measured_here;
    }

    const Model& model_;
    const RunOptions& options_;
    const Grid grid_;
    const long long stride_; // steps between nodes to compare at
    const double t0_;
    Comparison all_;
    std::vector<std::pair<std::size_t, Path>> paths_; // of the methods whose runs came to their end
    std::optional<Path> reference_, coarser_;
    std::size_t ranked_ = 0;
    TimeLeft time_;
    std::vector<double> seconds_; // that the methods' runs took, with their set-up
};

} // namespace

Comparison compare(const Model& model, const std::vector<MethodName>& names, const RunOptions& options) {
    return Compared(model, options).run(names);
}

} // namespace rattleback
