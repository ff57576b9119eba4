#include <rattleback/run.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "run/alternation.hpp"
#include "run/columns.hpp"
#include "run/grid.hpp"
#include "run/memory.hpp"
#include "run/momentum.hpp"
#include "run/redundant.hpp"
#include "run/roots.hpp"
#include "run/tiers.hpp"
#include "run/watch.hpp"
#include "scheme/discrete_table.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// Slope of energy against time by least squares, accumulated with running means so that long runs lose nothing.
class EnergySlope {
  public:
    void add(double t, double e) {
        ++n_;
        const double dt = t - mean_t_;
        mean_t_ += dt / static_cast<double>(n_);
        mean_e_ += (e - mean_e_) / static_cast<double>(n_);
        tt_ += dt * (t - mean_t_);
        te_ += dt * (e - mean_e_);
    }
    double value() const { return tt_ > 0 ? te_ / tt_ : 0; }

  private:
    long long n_ = 0;
    double mean_t_ = 0, mean_e_ = 0, tt_ = 0, te_ = 0;
};

class Integration {
  public:
    Integration(const CompiledMethod& method, const RunOptions& options, Clock::time_point start)
        : options_(options), grid_(make_grid(method.model(), options)), formulas_(method.parts().copy_of_formulas()),
          watch_(model_), alternation_(grid_.steps), momentum_(formulas_), regularity_(formulas_),
          node_(node_system(formulas_, formulas_beside())), stepper_(method), reader_(node_) {
        if (options.tolerance && !method_.controls_step)
            add_note("--tol has no effect on " + method_.text, ": its equations are solved to round-off");
        describe();
        if (options.keep_record && !options.at_node) { // otherwise the caller may end it at any node
            const long long nodes = grid_.steps / options.every + 2;
            require_memory(run_.record.layout(), static_cast<double>(nodes));
            run_.record.reserve(static_cast<std::size_t>(nodes));
        }
        if (options.prepared) options.prepared(run_);
        run_.summary_.seconds_setup = seconds_since(start);
    }

    Run run() {
        const auto start = Clock::now();
        Report& report = run_.report_;
        report.time = static_cast<double>(model_.t0);
        const bool started = stepper_.start(report, grid_.h, options_.project) && node(0);
        if (!started) watch_.explain_start(model_);
        if (started && options_.project) { // where it was moved to
            const Row& first = run_.summary_.end;
            auto [q, centre] = from_shown(model_, first["q"]);
            run_.origin.start = {q, first["v"], {}, {}, run_.origin.start.lambda, centre};
        }
        if (!started && report.status == Report::not_finite)
            report.remedy = "the start lies outside the domain of the formulas; check [initial]";
        Tiers tiers(options_.engine, stepper_, reader_, node_.compiled, options_.interrupt);
        if (started) {
            tiers.begin();
            for (long long k = 0; k < grid_.steps; ++k) {
                report.step = k + 1;
                report.time = time(k);
                if (!stepper_.advance(k, grid_.h, report)) {
                    const Summary& s = run_.summary_;
                    watch_.explain(s.end["q"], s.end["v"], s.t_end, report);
                    break;
                }
                if (!node(k + 1)) break;
                if (options_.interrupt && *options_.interrupt) {
                    report.status = Report::interrupted;
                    report.what = "interrupted";
                    report.time = time(k + 1);
                    if (!due(k + 1)) record(k + 1);
                    break;
                }
                tiers.between_steps(k + 1, grid_.steps);
                if (options_.progress) options_.progress(k + 1, grid_.steps);
            }
        }
        tiers.end();
        add_note("on the tape, since ", tiers.why_on_tape()); // empty where nothing was to be compiled
        add_note("machine code could not be kept in ", tiers.warning());
        finish();
        run_.summary_.seconds_run = seconds_since(start);
        return std::move(run_);
    }

  private:
    double time(long long k) const {
        if (k == grid_.steps && grid_.end) return *grid_.end; // 3 * 0.1 is not 0.3
        return static_cast<double>(model_.t0) + static_cast<double>(k) * grid_.h;
    }

    void add_note(const std::string& words, const std::string& reason) {
        std::string& note = run_.summary_.note;
        if (!reason.empty()) note += (note.empty() ? "" : "; ") + words + reason;
    }

    // What nodes show for the watches: of the constraints, of charts, of regularity, of the momentum equation.
    std::vector<Expr> formulas_beside() {
        std::vector<Expr> shown = watch_.wanted();
        watched_ = shown.size();
        for (const Component& c : method_.step.chart) shown.push_back(c.value);
        shown.insert(shown.end(), regularity_.wanted().begin(), regularity_.wanted().end());
        shown.insert(shown.end(), momentum_.wanted().begin(), momentum_.wanted().end());
        return shown;
    }

    void describe() {
        Summary& s = run_.summary_;
        s.end.layout = columns_.layout();
        s.model = model_.name, s.method = method_.text, s.step = grid_.h;
        run_.origin = origin_of(model_);
        run_.origin.method = s.method, run_.origin.step = s.step, run_.origin.command = options_.command;
        if (!model_.redundant.empty())
            s.warnings.push_back("redundant constraints: " + names_of_equations(model_.redundant) +
                                 (model_.redundant.size() == 1 ? " follows" : " follow") +
                                 " from the others; of all multipliers with the same reaction the shortest are shown");
        if (const std::string aside = table_left_aside(model_, method_); !aside.empty()) s.warnings.push_back(aside);
        if (grid_.shortened) add_note("the step was shortened to ", real::to_text(grid_.h) + " to divide the interval");
        for (const Symmetry& symmetry : model_.symmetries) s.momentum_error_max.emplace_back(symmetry.name, 0.0);
    }

    // Measures node k, records it if it is due. False: the run ends here.
    bool node(long long k) {
        const double t = time(k);
        if (!reader_.read(stepper_, t, run_.report_)) return false;
        const NodeValues<double>& n = reader_.node();
        Summary& s = run_.summary_;
        if (k == 0)
            watch_.begin(n);
        else if (!watch_.pass(n, t, run_.report_))
            return false;
        if (k == 0) {
            s.energy_initial = n.energy;
            first_momenta_ = n.momenta;
            const std::string roots = model_.kind == Model::general ? other_roots(model_, n.z) : "";
            if (!roots.empty()) add_note(roots, " (--z takes another)");
        }
        s.energy_error_max = std::max(s.energy_error_max, std::abs(n.energy - s.energy_initial));
        if (method_.step.alternates)
            alternation_.at_node(k, std::span(n.lambda).first(static_cast<std::size_t>(model_.velocity.count())));
        std::span<const double> extra = std::span(n.extra).subspan(watched_);
        const auto next = [&extra](std::size_t count) {
            const auto part = extra.first(count);
            extra = extra.subspan(count);
            return part;
        };
        note_chart(next(method_.step.chart.size()), t);
        regularity_.at_node(k, next(regularity_.wanted().size()), t, run_.report_);
        momentum_.at_node(extra, n, t);
        for (std::size_t i = 0; i < s.momentum_error_max.size(); ++i)
            s.momentum_error_max[i].second =
                std::max(s.momentum_error_max[i].second, std::abs(n.momenta[i] - first_momenta_[i]));
        s.constraint_max = std::max(s.constraint_max.value_or(0), n.velocity_residual);
        s.holonomic_max = std::max(s.holonomic_max.value_or(0), n.holonomic_residual);
        slope_.add(t, n.energy - s.energy_initial);
        columns_.read(t, reader_, s.end.values);
        s.t_end = t, s.steps = k;
        if (!due(k) || record(k)) return true;
        run_.report_.status = Report::stopped;
        run_.report_.what = "stopped by the caller";
        return false;
    }

    void note_chart(std::span<const double> depends, double t) {
        if (method_.step.chart.empty()) return;
        std::string names;
        for (std::size_t i = 0; i < method_.step.chart.size(); ++i)
            if (depends[i] == 0) names += (names.empty() ? "" : ", ") + method_.step.chart[i].name;
        if (names == chart_) return;
        Summary& s = run_.summary_;
        s.chart_changes += !chart_.empty();
        if (s.charts.size() < 100) s.charts.emplace_back(t, names);
        chart_ = names;
    }

    bool due(long long k) const { return k % options_.every == 0 || k == grid_.steps; }

    // The last node that was read, for the record and the caller. False: the caller ends the run.
    bool record(long long k) {
        const Summary& s = run_.summary_;
        if (options_.keep_record) run_.record.append(s.end.values);
        return !options_.at_node || options_.at_node({k, s.t_end, s.end});
    }

    // What --json has besides: elements of groups and velocities of bodies, one after the other.
    void note_elements() {
        Summary& s = run_.summary_;
        const std::vector<double> q = s.end["q"], v = s.end["v"];
        if (model_.is_group) s.g = q, s.xi = v;
        if (model_.is_group || model_.groups.empty()) return;
        s.g = from_shown(model_, q).second;
        const auto first = [&](std::size_t component) {
            int at = 0;
            for (std::size_t i = 0; i < component; ++i) at += model_.q[i].count();
            return v.begin() + at;
        };
        for (const GroupCoordinate& c : model_.groups)
            s.xi.insert(s.xi.end(), first(c.first), first(c.first + c.count));
    }

    void finish() {
        if (!run_.summary_.end.values.empty()) note_elements();
        Summary& s = run_.summary_;
        s.energy_drift_per_time = slope_.value();
        s.momentum_equation_max = momentum_.largest_residuals();
        s.horizontal = momentum_.horizontal();
        s.parasitic = alternation_.mode();
        if (alternation_.grows())
            s.warnings.push_back("the multipliers alternate from step to step, with a growing amplitude: a mode of the "
                                 "method, not of the motion; smaller steps delay it, nh_gauss and gf do not have it");
        for (const std::string& name : momentum_.outside())
            add_note("the momentum equation need not hold: ", "the constraints do not allow section '" + name + "'");
        const Report& r = run_.report_;
        s.newton_iterations_mean =
            r.newton_solves ? static_cast<double>(r.newton_iterations) / static_cast<double>(std::max(1LL, s.steps))
                            : 0;
    }

    const RunOptions& options_;
    Grid grid_;
    Formulas formulas_; // for what is measured beside the steps
    const Model& model_ = formulas_.model;
    const Method& method_ = formulas_.method;
    ConstraintWatch watch_;
    std::size_t watched_ = 0; // of what nodes show beside: the first ones, for the watch
    Alternation alternation_;
    MomentumEquation<double> momentum_;
    RegularityWatch regularity_;
    NamedSystem node_;
    Columns columns_{model_, method_, node_.results};
    Stepper<double> stepper_;
    NodeReader<double> reader_;
    std::string chart_; // the coordinates of the present one
    std::vector<double> first_momenta_;
    EnergySlope slope_;
    Run run_{columns_.layout()};
};

} // namespace

Grid make_grid(const Model& model, const RunOptions& options) {
    const std::optional<double> step = options.step ? options.step : model.run.step;
    if (!step) throw BadRun("no step is given: use --step STEP, or step in [run]");
    double h = *step;
    if (h == 0 || !std::isfinite(h)) throw BadRun("the step must be a finite number other than 0");
    if (options.every < 1) throw BadRun("--every must be at least 1");
    if (options.steps && options.until) throw BadRun("--steps and --until cannot be given together");
    const bool from_options = options.steps || options.until;
    const auto steps = from_options ? options.steps : model.run.steps;
    const auto until = from_options ? options.until : model.run.until;
    if (steps) {
        if (*steps < 0) throw BadRun("the number of steps must not be negative");
        return {h, *steps, false};
    }
    if (!until) throw BadRun("no end is given: use --steps N or --until T, or steps or until in [run]");
    const double span = *until - static_cast<double>(model.t0);
    if (!std::isfinite(span)) throw BadRun("--until must be a finite number");
    if (span * h < 0)
        throw BadRun("the step " + real::to_text(h) + " leads away from the end " + real::to_text(*until));
    const double exact = span / h, nearest = std::round(exact);
    if (exact > 9e15) throw BadRun("that is more than 9e15 steps");
    // An end that was itself computed may miss a multiple of the step by some digits: no step is added for those, but
    // the steps end where they should. Only what the division itself rounds leaves the step as it was given.
    const bool divides = std::abs(exact - nearest) <= 1e-12 * nearest;
    const double n = divides ? nearest : std::ceil(exact);
    if (std::abs(exact - nearest) > 4 * Real<double>::epsilon * nearest) h = span / n;
    return {h, static_cast<long long>(n), !divides, until};
}

namespace {

Run integrate(const Model& model, const RunOptions& options, const std::function<Formulas(const Model&)>& build) {
    const auto start = Clock::now();
    if (!model.has_start)
        throw BadRun(
            "the model has no [initial]; 'rattleback solve' finds the path between the ends of its [boundary]");
    make_grid(model, options); // a command that makes no sense is refused first
    const std::optional<Model> independent = with_independent_constraints(model, options.project);
    const Model& used = independent ? *independent : model;
    Formulas formulas = build(used);
    if (options.tolerance) {
        if (!(*options.tolerance > 0)) throw BadRun("--tol must be positive");
        formulas.method.tolerance = *options.tolerance;
    }
    const std::string name = formulas.method.text;
    try {
        const CompiledMethod compiled(std::make_shared<const CompiledMethod::Parts>(std::move(formulas)));
        return Integration(compiled, options, start).run();
    } catch (const StructuralError& e) {
        throw Unsuitable("method '" + name + "' cannot step this model: " + e.what());
    }
}

} // namespace

Run integrate(const Model& model, const RunOptions& options) {
    const std::string name = options.method.empty() ? model.run.method : options.method;
    if (name.empty()) throw BadRun("no method is given: use -m METHOD, or method in [run]");
    const std::vector<MethodName> names = parse_methods(name);
    if (names.size() != 1) throw BadRun("one method is needed here, not " + std::to_string(names.size()));
    return integrate(model, options, [&](const Model& used) { return formulas_of(used, names[0]); });
}

Run integrate(const Model& model, const Scheme& scheme, const RunOptions& options) {
    return integrate(model, options, [&](const Model& used) { return formulas_of(used, scheme, Options()); });
}

Run integrate(const Model& model, const Method& method, const RunOptions& options) {
    return integrate(model, options, [&](const Model& used) { return formulas_of(used, method); });
}

} // namespace rattleback
