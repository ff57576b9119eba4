#include <rattleback/run.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "run/accuracy.hpp"
#include "run/alternation.hpp"
#include "run/balance.hpp"
#include "run/columns.hpp"
#include "run/grid.hpp"
#include "run/input_watch.hpp"
#include "run/memory.hpp"
#include "run/momentum.hpp"
#include "run/node_pairs.hpp"
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

// Up to here all nodes are computed as if they were recorded; beyond, what the summary asks of those between is
// computed apart.
constexpr long long most_nodes_whole = 4;

// What a node shows, and formulas beside; compiled in a copy of their graph, which is given up.
NamedSystem node_apart(const Formulas& formulas, std::vector<Expr> beside) {
    const Formulas copy = deep_copy(formulas);
    for (Expr& e : beside)
        if (e.graph()) e = Expr(*copy.model.graph, e.id());
    return without_formulas(node_system(copy, beside));
}

class Integration {
  public:
    Integration(const CompiledMethod& method, const RunOptions& options, Clock::time_point start)
        : options_(options), grid_(make_grid(method.model(), options)), formulas_(method.parts().copy_of_formulas()),
          watch_(model_), alternation_(grid_.steps), momentum_(formulas_), regularity_(formulas_), legendre_(model_),
          inputs_(formulas_), node_(node_apart(formulas_, formulas_beside())), stepper_(method), reader_(node_),
          balances_(model_, method_.order, grid_.h) {
        ShownNode shown{node_};
        if (options.every > most_nodes_whole) shown = watched_node(), watch_reader_.emplace(shown.system);
        if (balances_.measures()) shown.beside = balances_.rates()->layout();
        walk_.emplace(stepper_, watch_reader_ ? *watch_reader_ : reader_, shown, balances_.rates(), grid_);
        find_columns();
        if (inputs_.is_needed()) walk_->use(inputs_);
        walk_->heed(options.interrupt);
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
        const bool started = stepper_.start(report, grid_.h, options_.project) && first_node();
        if (!started) watch_.explain_start(model_);
        if (started && options_.project) { // where it was moved to
            const Row& first = run_.summary_.end;
            auto [q, centre] = from_shown(model_, first["q"]);
            run_.origin.start = {q, first["v"], {}, {}, run_.origin.start.lambda, centre};
        }
        if (!started && report.status == Report::not_finite)
            report.remedy = "the start lies outside the domain of the formulas; check [initial]";
        Tiers tiers(options_.engine, *walk_, reader_, node_.compiled, options_.interrupt);
        if (started) {
            tiers.begin();
            for (long long k = 0; k < grid_.steps;) {
                const long long taken = walk_->advance(k, next_stop(k) - k, report);
                if (taken == 0) {
                    fail(k);
                    break;
                }
                if (!nodes(k, taken)) break;
                k += taken;
                if (interrupted()) {
                    stop_at(k);
                    break;
                }
                tiers.between_steps(k, grid_.steps);
                if (options_.progress) options_.progress(k, grid_.steps);
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
    static constexpr long long between_ticks = 1024; // steps from one call of options.progress to the next, at most

    double time(long long k) const { return walk_->time(k); }
    bool interrupted() const { return options_.interrupt && *options_.interrupt; }
    bool whole_nodes() const { return !watch_reader_; }

    // Where the steps from node k on have to pause: at a node that is recorded, if others are not computed whole, and
    // where progress is told.
    long long next_stop(long long k) const {
        const long long tick = (k / between_ticks + 1) * between_ticks;
        const long long node = whole_nodes() ? grid_.steps : (k / options_.every + 1) * options_.every;
        return interrupted() ? k + 1 : std::min({tick, node, grid_.steps});
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
        shown.insert(shown.end(), legendre_.wanted().begin(), legendre_.wanted().end());
        shown.insert(shown.end(), momentum_.wanted().begin(), momentum_.wanted().end());
        return shown;
    }

    // Of nodes that are not recorded.
    ShownNode watched_node() {
        std::vector<std::string_view> names = {"energy", "momenta", "velocity residuals", "holonomic residuals",
                                               "extra"};
        if (method_.step.alternates) names.push_back("lambda");
        if (momentum_.reads_positions()) names.push_back("q");
        ShownNode shown;
        if (balances_.measures())
            for (const auto& given : balances_.rates()->layout()->given)
                if (!given.name.empty() && std::find(names.begin(), names.end(), given.name) == names.end())
                    names.push_back(given.name), shown.hidden.push_back(given.name);
        shown.system = restricted(node_, names);
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

    // The start, which is always recorded. False: the run ends here.
    bool first_node() {
        if (!reader_.read(stepper_, time(0), run_.report_)) return false;
        Report ignored;
        if (watch_reader_) watch_reader_->read(stepper_, time(0), ignored); // chooses its pivots where the other does
        const NodeValues<double>& n = reader_.node();
        watch_.begin(n);
        run_.summary_.energy_initial = n.energy;
        slope_.begin(n.energy), energy_.begin(n.energy);
        momenta_.resize(model_.symmetries.size());
        for (std::size_t i = 0; i < momenta_.size(); ++i) momenta_[i].begin(n.momenta[i]);
        first_momenta_ = n.momenta;
        note_size(n);
        const std::string roots = model_.kind == Model::general ? other_roots(model_, n.z) : "";
        if (!roots.empty()) add_note(roots, " (--z takes another)");
        measure(n);
        look_beside(0, n);
        return show(0) && record(0);
    }

    // Measures the nodes after node k, through which the walk has gone, and records those that are due. False: the run
    // ends here.
    bool nodes(long long k, long long count) { return whole_nodes() ? nodes_whole(k, count) : nodes_watched(k, count); }

    bool nodes_whole(long long k, long long count) {
        if (passes_in_rows(static_cast<std::size_t>(count))) return nodes_in_rows(k, count);
        for (long long i = 1; i <= count; ++i) {
            const long long node = k + i;
            const auto end_here = [&] { return walk_->uncount_after(i, run_.report_), false; };
            walk_->show(i - 1);
            if (!watch_.pass(reader_.node(), time(node), run_.report_)) return end_here();
            measure(reader_.node());
            look_beside(node, reader_.node(), static_cast<std::size_t>(i - 1));
            columns_.read(time(node), reader_, run_.summary_.end.values);
            now_at(node);
            if (due(node) && !record(node)) return end_here();
            if (i == count || !interrupted()) continue;
            end_here();
            stop_at(node);
            return false;
        }
        return true;
    }

    // The same where nodes are rows: each becomes a row of the record as it is, and all are measured at once.
    bool nodes_in_rows(long long k, long long count) {
        long long done = 0;
        bool recorded = true;
        shown_columns_.clear();
        for (std::size_t place = 0; place < walk_->node().columns(); ++place)
            shown_columns_.push_back(walk_->column(place));
        while (recorded && done < count && (done == 0 || !interrupted())) {
            const auto i = static_cast<std::size_t>(done++);
            now_at(k + done);
            columns_.take(
                run_.summary_.t_end, [&](std::size_t place) { return shown_columns_[place][i]; },
                run_.summary_.end.values);
            recorded = !due(k + done) || record(k + done);
        }
        walk_->show(done - 1);
        measure_all(k, static_cast<std::size_t>(done));
        if (recorded && done == count) return true;
        walk_->uncount_after(done, run_.report_);
        if (recorded) stop_at(k + done);
        return false;
    }

    bool nodes_watched(long long k, long long count) {
        Report whole; // of the last node, if that is due
        const bool recorded = due(k + count), known = !recorded || reader_.read(stepper_, time(k + count), whole);
        const long long good = known ? count : count - 1;
        if (passes_in_rows(static_cast<std::size_t>(good))) {
            measure_all(k, static_cast<std::size_t>(good));
        } else {
            for (long long i = 1; i <= good; ++i) {
                walk_->show(i - 1);
                const NodeValues<double>& n = watch_reader_->node();
                if (!watch_.pass(n, time(k + i), run_.report_)) {
                    walk_->uncount_after(i, run_.report_);
                    show_again(k + i - 1);
                    return false;
                }
                measure(n);
                look_beside(k + i, n, static_cast<std::size_t>(i - 1));
            }
        }
        if (!known) {
            run_.report_.fail(whole);
            run_.report_.time = whole.time;
            show_again(k + good);
            return false;
        }
        now_at(k + count);
        if (!recorded) return true;
        columns_.read(time(k + count), reader_, run_.summary_.end.values);
        shown_ = k + count;
        return record(k + count);
    }

    void measure(const NodeValues<double>& n) {
        energy_.add(n.energy), slope_.add(n.energy);
        velocity_.add(n.velocity_residual), holonomic_.add(n.holonomic_residual);
        for (std::size_t i = 0; i < momenta_.size(); ++i) momenta_[i].add(n.momenta[i]);
    }

    // The same of the first `count` rows that the walk from node k has shown.
    void measure_all(long long k, std::size_t count) {
        if (count == 0) return;
        const auto momentum = [this](std::size_t i) { return walk_->column(columns_at_.momenta + i); };
        const NodeColumn energy = walk_->column(columns_at_.energy);
        energy_.add(energy, count), slope_.add(energy, count);
        if (columns_at_.velocity) velocity_.add(walk_->column(1), count);
        if (columns_at_.holonomic) holonomic_.add(walk_->column(2), count);
        for (std::size_t i = 0; i < momenta_.size(); ++i) momenta_[i].add(momentum(i), count);
        balances_.at_nodes(
            count, [&](std::size_t i) { return i == 0 ? energy : momentum(i - 1); },
            [&](std::size_t i) { return walk_->column_beside(i); });
        if (pairs_.passed() != count) pairs_.pass(walk_->rows(), count, walk_->pairs());
        pairs_.take(walk_->rows(), time(k + static_cast<long long>(count)));
        if (momentum_.reads_positions()) momenta_one_by_one(k, static_cast<long long>(count));
        if (!method_.step.alternates) return;
        alternation_.at_nodes(k + 1, count, static_cast<std::size_t>(model_.velocity.count()),
                              [&](std::size_t i) { return walk_->column(columns_at_.lambda + i); });
    }

    // With the work that forces do between nodes.
    void momenta_one_by_one(long long k, long long count) {
        const NodeValues<double>& n = walk_->reader().parts().node;
        for (long long i = 0; i < count; ++i) {
            walk_->show(i);
            momentum_.at_node(std::span(n.extra).subspan(watched_), n, time(k + i + 1));
        }
    }

    // Where fields begin in the walk's rows, and what is compared there.
    void find_columns() {
        const Fields& results = walk_->node().system.results;
        const auto column_of = [&](const char* field) {
            return results.has(field) ? walk_->reader().parts().column_of(results[field].offset) : 0;
        };
        columns_at_ = {column_of("energy"), column_of("momenta"), column_of("lambda"),
                       results["velocity residuals"].size > 0, results["holonomic residuals"].size > 0};
        in_pairs_ = !watch_.looks_at_each() && node_.results["extra"].size == watched_ + momentum_.wanted().size();
        if (!in_pairs_) return;
        pairs_.begin(column_of("extra"), columns_at_.momenta);
        walk_->compile_beside(pairs_.listing());
    }
    // Whether the first nodes of the walk can be measured all at once: if the constraints stay independent.
    bool passes_in_rows(std::size_t count) {
        return walk_->in_rows() && in_pairs_ && pairs_.pass(walk_->rows(), count, walk_->pairs());
    }

    // `row`: of the walk's rows, the one of this node; none: they do not have it.
    void look_beside(long long k, const NodeValues<double>& n, std::optional<std::size_t> row = {}) {
        if (method_.step.alternates)
            alternation_.at_node(k, std::span(n.lambda).first(static_cast<std::size_t>(model_.velocity.count())));
        std::span<const double> extra = std::span(n.extra).subspan(watched_);
        const auto next = [&extra](std::size_t count) {
            const auto part = extra.first(count);
            extra = extra.subspan(count);
            return part;
        };
        note_chart(next(method_.step.chart.size()), time(k));
        regularity_.at_node(k, next(regularity_.wanted().size()), time(k), run_.report_);
        legendre_.at_node(next(legendre_.wanted().size()), time(k));
        momentum_.at_node(extra, n, time(k));
        if (!row || !walk_->in_rows()) return balances_.at_node(n, time(k));
        rates_.resize(balances_.count());
        for (std::size_t i = 0; i < rates_.size(); ++i) rates_[i] = walk_->column_beside(i)[*row];
        balances_.at_node(n, time(k), &rates_);
    }

    void now_at(long long k) { run_.summary_.t_end = time(k), run_.summary_.steps = k; }

    // Makes node k, at which the stepper is, the end of the summary. False where it cannot be computed.
    bool show(long long k) {
        now_at(k);
        if (shown_ == k) return true;
        Report ignored;
        if (k > 0 && !reader_.read(stepper_, time(k), ignored)) return false;
        columns_.read(time(k), reader_, run_.summary_.end.values);
        shown_ = k;
        return true;
    }
    // The same for a node that the stepper has left.
    void show_again(long long k) {
        now_at(k);
        if (whole_nodes() || shown_ == k) return;
        walk_->rewind(k);
        show(k);
    }

    // After step k + 1 or its node failed.
    void fail(long long k) {
        show_again(k);
        const Summary& s = run_.summary_;
        if (!walk_->node_failed()) watch_.explain(s.end["q"], s.end["v"], s.t_end, run_.report_);
    }

    void stop_at(long long k) {
        Report& report = run_.report_;
        report.status = Report::interrupted;
        report.what = "interrupted";
        report.time = time(k);
        if (!due(k) && (whole_nodes() || show(k))) record(k);
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

    void note_size(const NodeValues<double>& n) {
        double work = 0;
        for (std::size_t i = 0; i < n.p.size(); ++i) work += std::abs(n.p[i] * n.v[i]) / 2;
        double& size = run_.summary_.energy_size;
        size = std::max({size, std::abs(n.energy), std::isfinite(work) ? work : 0});
    }

    // The last node that was read, for the record and the caller. False: the caller ends the run.
    bool record(long long k) {
        const Summary& s = run_.summary_;
        if (options_.keep_record) run_.record.append(s.end.values);
        if (!options_.at_node || options_.at_node({k, s.t_end, s.end})) return true;
        if (run_.report_.ok()) run_.report_.status = Report::stopped, run_.report_.what = "stopped by the caller";
        return false;
    }

    void finish() {
        if (!run_.summary_.end.values.empty()) note_elements(model_, run_.summary_);
        Summary& s = run_.summary_;
        s.energy_drift_per_time = slope_.value(grid_.h);
        s.energy_error_max = energy_.value();
        if (shown_ >= 0) s.constraint_max = velocity_.value(), s.holonomic_max = holonomic_.value();
        for (std::size_t i = 0; i < momenta_.size(); ++i) s.momentum_error_max[i].second = momenta_[i].value();
        s.momentum_equation_max = momentum_.largest_residuals();
        s.balances = balances_.at_the_end();
        s.momentum_initial = first_momenta_;
        s.momentum_initial.resize(s.momentum_error_max.size());
        note_size(reader_.node());
        s.horizontal = momentum_.horizontal();
        s.parasitic = alternation_.mode();
        if (alternation_.grows())
            s.warnings.push_back("the multipliers alternate from step to step, with a growing amplitude: a mode of the "
                                 "method, not of the motion; smaller steps delay it, nh_gauss and gf do not have it");
        for (const std::string& name : momentum_.outside())
            add_note("the momentum equation need not hold: ", "the constraints do not allow section '" + name + "'");
        for (const std::string& warning : {legendre_.warning(), inputs_.warning()})
            if (!warning.empty()) s.warnings.push_back(warning);
        add_note("", inputs_.note());
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
    NodePairs pairs_{watch_, momentum_};
    bool in_pairs_ = false; // all that looks at nodes can read columns of rows
    struct {
        std::size_t energy = 0, momenta = 0, lambda = 0;
        bool velocity = false, holonomic = false; // are there residuals
    } columns_at_;
    RegularityWatch regularity_;
    LegendreWatch legendre_;
    InputSwitch inputs_; // where H_u = 0 is not linear in them
    NamedSystem node_;
    Columns columns_{model_, method_, node_.results};
    Stepper<double> stepper_;
    NodeReader<double> reader_;
    Balances balances_; // after the nodes, whose bits it must not change
    std::vector<double> first_momenta_, rates_;
    std::string chart_;                              // the coordinates of the present one
    std::optional<NodeReader<double>> watch_reader_; // of nodes that are not recorded; empty: as of all others
    std::optional<Walk> walk_;
    std::vector<NodeColumn> shown_columns_; // of the nodes that the walk shows as rows
    long long shown_ = -1;                  // the node that the summary ends with
    Slope slope_{grid_.steps};
    LargestChange energy_, velocity_, holonomic_;
    std::vector<LargestChange> momenta_; // of symmetries
    Run run_{columns_.layout()};
};

Run integrate_built(const Model& model, const RunOptions& options, const std::function<Formulas(const Model&)>& build) {
    const auto start = Clock::now();
    if (options.accuracy) throw BadRun("an accuracy is for methods by name: 'method' says it, or is left open");
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
    if (options.accuracy) return integrate_picked(model, options, pick_for_accuracy(model, options));
    const std::string name = options.method.empty() ? model.run.method : options.method;
    if (name.empty()) throw BadRun("no method is given: use -m METHOD, or method in [run]");
    const std::vector<MethodName> names = parse_methods(name);
    if (names.size() != 1) throw BadRun("one method is needed here, not " + std::to_string(names.size()));
    return integrate_built(model, options, [&](const Model& used) { return formulas_of(used, names[0]); });
}

Run integrate_picked(const Model& model, const RunOptions& options, const Picked& picked) {
    RunOptions o = options;
    o.accuracy.reset(), o.method = picked.method;
    o.step = options.step.value_or(picked.step), o.until = picked.until;
    Run run = integrate(model, o);
    note_accuracy(picked, run);
    return run;
}

Run integrate(const Model& model, const Scheme& scheme, const RunOptions& options) {
    return integrate_built(model, options, [&](const Model& used) { return formulas_of(used, scheme, Options()); });
}

Run integrate(const Model& model, const Method& method, const RunOptions& options) {
    return integrate_built(model, options, [&](const Model& used) { return formulas_of(used, method); });
}

} // namespace rattleback
