#include "run/stages.hpp"

#include <algorithm>

#include "code/stages.hpp"
#include "expr/rewrite.hpp"
#include "model/copy.hpp"
#include "run/effort.hpp"
#include "run/initial.hpp"
#include "run/pair_stages.hpp"
#include "run/rate_slopes.hpp"
#include "run/step_code.hpp"
#include "scheme/group_state.hpp"
#include "scheme/iteration.hpp"
#include "scheme/step_along.hpp"
#include "scheme/tableau.hpp"
#include "solve/kronecker.hpp"
#include "solve/small_inverse.hpp"

namespace rattleback {
namespace {

// The equations have another form than is needed.
struct NoStages {
    std::string what;
};
[[noreturn]] void refuse(const std::string& what) { throw NoStages{what}; }

Vec scalars(const Vec& f) {
    Vec all;
    const std::vector<std::string> names = expanded_names(f);
    const std::vector<Expr> values = expand(f);
    for (std::size_t i = 0; i < values.size(); ++i) all.push_back({names[i], values[i]});
    return all;
}
std::vector<Equation> scalars(std::span<const Equation> equations) {
    std::vector<Equation> all;
    for (const Equation& e : equations) all.push_back({scalars(e.lhs), scalars(e.rhs)});
    return all;
}
Vec both_sides(const std::vector<Equation>& equations) {
    Vec all;
    for (const Equation& e : equations) all = concat({all, e.lhs, e.rhs});
    return all;
}
bool same(const Vec& x, const Vec& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (!(x[i].value == y[i].value)) return false;
    return true;
}
bool depend(const Vec& formulas, const Vec& leaves) {
    return !leaves.empty() && !formulas.empty() && !jacobian(formulas, leaves).empty();
}
// Which of these leaves do the formulas contain? Also where no derivative says so.
std::vector<bool> contained(Graph& graph, const Vec& formulas, const Vec& leaves) {
    std::set<NodeId> seen;
    std::vector<NodeId> next;
    const auto visit = [&](NodeId id) {
        if (seen.insert(id).second) next.push_back(id);
    };
    for (const Component& c : formulas)
        if (c.value.graph()) visit(c.value.id());
    while (!next.empty()) {
        const NodeId id = next.back();
        next.pop_back();
        graph.for_children(id, visit);
    }
    std::vector<bool> all;
    for (const Component& c : leaves) all.push_back(c.value.graph() && seen.contains(c.value.id()));
    return all;
}
bool begins(const Vec& symbols, const std::string& word) {
    return !symbols.empty() && symbols[0].name.starts_with(word);
}

// Replaces formulas by leaves.
class Replacement {
  public:
    explicit Replacement(Graph& graph) : rewriter_(graph, false) {}
    void add(const Vec& from, const Vec& to) {
        for (std::size_t i = 0; i < from.size(); ++i)
            if (from[i].value.graph()) rewriter_.replace(from[i].value.id(), to[i].value);
    }
    Vec operator()(Vec f) {
        for (std::size_t i = 0; i < f.size(); ++i)
            if (f[i].value.graph()) f[i].value = rewriter_(f[i].value);
        return f;
    }
    std::vector<Equation> operator()(std::vector<Equation> equations) {
        for (Equation& e : equations) e = {(*this)(e.lhs), (*this)(e.rhs)};
        return equations;
    }

  private:
    Rewriter rewriter_;
};

// The unknowns and equations of a step, as stages and the rest: K_i = rate(t + c_i h, X_i, Y_i) with Y_i from algebraic
// equations, X_i = begin + h sum_j a_ij K_j. All is written out.
struct Stages {
    explicit Stages(const Step& step) : graph(*step.graph), state(scalars(step.state)), x(state) {
        constexpr std::size_t most = 2000; // components: one by one, their formulas take long to take apart
        if (state.size() > most) refuse("at most 2,000 components of the state");
        std::size_t next = 0;
        while (next < step.find.size() && begins(step.find[next].symbols, "slope ")) {
            const std::string number = std::to_string(K.size() + 1);
            K.push_back(step.find[next++].symbols);
            const bool more = next < step.find.size() && begins(step.find[next].symbols, "stage " + number + " of ");
            Y.push_back(more ? scalars(step.find[next++].symbols) : Vec());
        }
        if (!step.centre.empty() && !K.empty()) { // charts have centres, which come first
            x = last_components(state, std::min(state.size(), scalars(K[0]).size()));
            constants = first_components(state, state.size() - x.size());
        }
        bool advance_all = !K.empty() && step.outright == 0;
        for (const Vec& k : K) advance_all &= scalars(k).size() == x.size();
        if (!advance_all) refuse("a method whose state is what its stages advance");
        for (const Vec& y : Y)
            if (y.size() != Y[0].size()) refuse("stages that share no unknowns");
        for (; next < step.find.size(); ++next) {
            const Unknown& u = step.find[next];
            find.push_back({scalars(u.symbols), u.guess.empty() ? Vec() : scalars(u.guess), u.beside});
            unknowns = concat({unknowns, find.back().symbols});
        }
        take_equations(step);
    }

    Vec own() const { // unknowns of the stages
        Vec all;
        for (std::size_t i = 0; i < K.size(); ++i) all = concat({all, scalars(K[i]), Y[i]});
        return all;
    }

    Graph& graph;
    Vec state, constants, x; // the state: what stages see as constants, and what they advance
    std::vector<Vec> K, Y;
    std::vector<Equation> first; // of the first stage: its slopes, then the algebraic ones
    std::vector<Unknown> find;   // the rest
    Vec unknowns;                // its symbols
    std::vector<Equation> equations;

  private:
    void take_equations(const Step& step) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < K.size(); ++i) {
            const std::size_t begin = next;
            std::size_t algebraic = 0;
            if (next == step.equations.size() || !same(step.equations[next].lhs, K[i])) refuse("stages of one form");
            for (++next; next < step.equations.size() && algebraic < Y[i].size(); ++next)
                algebraic += static_cast<std::size_t>(step.equations[next].lhs.count());
            if (i == 0) first = scalars(std::span(step.equations).subspan(begin, next - begin));
        }
        equations = scalars(std::span(step.equations).subspan(next));
    }
};

double tolerance_of(const std::string& method) {
    if (method.find(":iteration_tol=") == std::string::npos) return 0;
    return static_cast<double>(parse_methods(method).at(0).options.number("iteration_tol", 0));
}

StageWeights weights_of(const Tableau& t) {
    StageWeights w{{}, {}, t.b, t.c};
    for (std::size_t i = 0; i < t.b.size(); ++i) {
        w.mu.emplace_back(), w.ahead.push_back(lagrange_basis(t.c, 1 + t.c[i]));
        for (std::size_t j = 0; j < t.b.size(); ++j) w.mu[i].push_back(t.a[i][j] / t.b[j]);
    }
    return w;
}

class Compiler {
  public:
    Compiler(const Formulas& formulas, bool simplified_newton)
        : model_(formulas.model), step_(formulas.method.step), stages_(step_), simplified_newton_(simplified_newton),
          tableau_(gauss(static_cast<int>(stages_.K.size()))),
          others_(concat({model_.time_vec(), Vec({{"h", step_.h}}), model_.parameter_vec()})) {
        made_.weights = weights_of(tableau_);
        made_.constants = stages_.constants.size(), made_.n = stages_.x.size(), made_.y = stages_.Y[0].size();
        made_.hints = static_cast<std::size_t>(step_.hint.count()), made_.parameters = model_.parameters.size();
        const std::size_t half = model_.q.empty() ? made_.n : static_cast<std::size_t>(model_.q.count());
        for (std::size_t i = 0; i < made_.n; ++i) made_.kind.push_back(i < half ? 0 : 1);
        made_.kinds = half < made_.n ? 2 : 1;
        made_.tolerance = tolerance_of(formulas.method.text);
    }

    std::shared_ptr<const CompiledStages> run() {
        const Vec moved = symbols_like(stages_.graph, "shifted ", stages_.x);
        made_.moves = depend(both_sides(stages_.first), moved);
        begin_ = made_.moves ? moved : stages_.x;
        increment_ = last_components(scalars(step_.increment), made_.n);
        if (made_.constants > 0) charts_ = change_of_charts(stages_.x, increment_, model_);
        if (charts_) increment_ = charts_->increment;
        compile_rate();
        compile_ends();
        compile_arrival();
        const auto slopes = made_.kronecker ? made_.kronecker->slopes : nullptr;
        for (const auto& system : {made_.rate, made_.ends, made_.arrival, made_.recentred, slopes})
            if (system && SystemSolver<double>(system).remembers()) refuse("fewer unknowns beside the slopes");
        return std::make_shared<const CompiledStages>(made_);
    }

  private:
    std::shared_ptr<const CompiledSystem> compiled(const Vec& given, const std::vector<Unknown>& find,
                                                   const std::vector<Equation>& equations, const Vec& results) const {
        return compile_for(model_, {.graph = step_.graph,
                                    .given = concat({given, others_}),
                                    .find = find,
                                    .equations = equations,
                                    .results = results,
                                    .steady = 1 + model_.parameter_vec().size(),
                                    .typical = typical_values(model_)});
    }

    // The right-hand side, from the equations of the first stage.
    void compile_rate() {
        const Vec x = symbols_like(stages_.graph, "at a stage ", stages_.x);
        const Vec y = symbols_like(stages_.graph, "at a stage ", stages_.Y[0]);
        const Vec begin = symbols_like(stages_.graph, "first ", y);
        Replacement to_leaves(stages_.graph);
        const Vec along = scalars(step_along(step_.h, tableau_.a[0], stages_.K, true));
        to_leaves.add(begin_ + along, x);
        to_leaves.add(stages_.Y[0], y);
        to_leaves.add(Vec({{"t", step_.t + Expr(tableau_.c[0]) * step_.h}}), model_.time_vec());
        std::vector<Equation> equations = to_leaves(stages_.first);
        const Vec rate = equations[0].rhs;
        equations.erase(equations.begin());
        const Vec found = concat({stages_.own(), stages_.unknowns});
        if (depend(concat({rate, both_sides(equations)}), concat({found, stages_.x})))
            refuse("stages that do not depend on what is found beside them");
        std::vector<Unknown> find;
        if (!y.empty()) find.push_back({y, begin});
        made_.rate = compiled(concat({x, stages_.constants, begin}), find, equations, concat({rate, y}));
        made_.carries_y = !made_.rate->roots.empty();
        for (const Block& b : made_.rate->blocks) made_.carries_y |= !b.linear;
        if (simplified_newton_) compile_kronecker({x, find, equations, rate}, concat({x, stages_.constants, begin}));
    }

    void compile_kronecker(const RateFormulas& rate, const Vec& given) {
        constexpr std::size_t most = 4000; // unknowns dy/dx
        const RateSlopes slopes = slopes_of(rate, stages_.graph);
        std::size_t unknowns = 0;
        for (const Unknown& u : slopes.find) unknowns += u.symbols.size();
        if (unknowns > most) refuse("fewer unknowns beside the slopes");
        CompiledKronecker made{spectrum_of(made_.weights),
                               compiled(given, slopes.find, slopes.equations, slopes.results),
                               slopes.entries,
                               {static_cast<int>(made_.n), slopes.entries}};
        made_.kronecker = std::make_shared<const CompiledKronecker>(std::move(made));
    }

    // What the step says besides, with leaves in place of the sum of the slopes. Where the stages begin at state + left
    // and the step ends at state + left + advance + right, the advance is not kept while left and right are solved for,
    // but advance + left - right: from a beginning that is moved along the gradients of constraints the stages lead to
    // an end that is moved along those at the end, since the right-hand side keeps the constraints. With the advance
    // itself kept, iterations diverge where a step turns the gradients by a quarter of a turn.
    void compile_ends() {
        const Vec sum = scalars(step_along(step_.h, tableau_.b, stages_.K, true));
        const Vec advance = symbols_like(stages_.graph, "advance of ", stages_.x);
        Replacement to_leaves(stages_.graph), to_none(stages_.graph);
        Vec given = concat({stages_.state, advance}), kept = advance, left_less_right;
        if (made_.moves) {
            to_none.add(sum, zeros_like(sum));
            const Vec tilt = symbols_like(stages_.graph, "tilt of ", stages_.x), left = begin_ - stages_.x;
            left_less_right = left + left - to_none(increment_);
            given = concat({given, tilt});
            kept = advance + (tilt - left_less_right);
        }
        to_leaves.add(sum, kept);
        const Vec increment = to_leaves(increment_);
        const std::vector<Equation> equations = to_leaves(stages_.equations);
        if (depend(concat({increment, both_sides(equations)}), stages_.own()))
            refuse("stages that enter by their sum alone");
        if (!made_.moves && stages_.find.empty() && same(increment, advance)) return;
        made_.ends = compiled(concat({given, step_.hint}), stages_.find, equations,
                              concat({begin_, increment, left_less_right}));
    }

    // Where the step ends in other charts than its own: the increment of all that is carried, and what the advances
    // that the next step starts from are in its charts.
    void compile_arrival() {
        const Vec increment = scalars(step_.increment), moved = symbols_like(stages_.graph, "increment of ", stages_.x);
        const bool stays = std::all_of(increment.begin(), increment.end() - static_cast<std::ptrdiff_t>(made_.n),
                                       [](const Component& c) { return c.value.is(0); });
        if (stays && same(last_components(increment, made_.n), increment_)) return;
        const std::size_t s = stages_.K.size();
        Replacement to_leaves(stages_.graph);
        to_leaves.add(increment_, moved);
        std::vector<Vec> at_stages;
        for (std::size_t i = 0; i < s; ++i) {
            at_stages.push_back(symbols_like(stages_.graph, "stage " + std::to_string(i + 1) + " of ", stages_.x));
            to_leaves.add(begin_ + scalars(step_along(step_.h, tableau_.a[i], stages_.K, true)), at_stages[i]);
        }
        Vec results = increment;
        if (charts_) results.push_back({"charts change", charts_->due});
        results = to_leaves(results);
        std::set<std::size_t> looked_at;
        for (const Vec& x : at_stages) {
            const std::vector<bool> used = contained(stages_.graph, results, x);
            for (std::size_t k = 0; k < used.size(); ++k)
                if (used[k]) looked_at.insert(k);
        }
        made_.looked_at = {looked_at.begin(), looked_at.end()};
        Vec given = concat({stages_.state, moved});
        for (const Vec& x : at_stages)
            for (std::size_t k : made_.looked_at) given.push_back(x[k]);
        require_given(results);
        made_.arrival = compiled(given, {}, {}, results);
        if (!charts_) return;
        const Vec change = symbols_like(stages_.graph, "change of ", stages_.x);
        const Vec seen = to_leaves(derivative_along(charts_->seen, charts_->there, change));
        require_given(seen);
        made_.recentred = compiled(concat({stages_.state, moved, charts_->there, change}), {}, {}, seen);
    }
    void require_given(const Vec& formulas) const {
        const std::vector<bool> found = contained(stages_.graph, formulas, concat({stages_.own(), stages_.unknowns}));
        if (std::find(found.begin(), found.end(), true) != found.end())
            refuse("charts that change by where the step and its stages are");
    }

    const Model& model_;
    const Step& step_;
    Stages stages_;
    bool simplified_newton_;
    Tableau tableau_;
    Vec others_, begin_, increment_; // increment_: of x, in the charts of the step
    std::optional<ChangeOfCharts> charts_;
    CompiledStages made_;
};

// Newton's matrices are larger than those that machine code inverts by formulas, and dense, with more than two fifths
// of the entries; or there are four stages, with which sparse ones, too, take longer than iterations of stages. Up to
// there Newton's iterations cost no more, and act on many members of a batch at once.
bool has_large_matrices(const CompiledSystem& newton, std::ptrdiff_t stages) {
    return std::any_of(newton.blocks.begin(), newton.blocks.end(), [&](const Block& b) {
        const std::size_t n = b.unknowns.size();
        return n > solve::most_inverted && (5 * b.entries.size() > 2 * n * n || stages >= 4);
    });
}

// Iterations of a step from the model's own start, of the size that it names; none where they do not contract well.
std::optional<long long> contract(const Formulas& formulas, const std::shared_ptr<const CompiledStages>& stages,
                                  const NamedSystem& start) {
    // Iterations of the second step, which starts from the slopes of the first; those of the simplified Newton method
    // cost twice as much.
    const long long most = stages->kronecker ? 16 : 24;
    const Formulas copy = deep_copy(formulas);
    const Model typical = at_typical_values(copy.model);
    const auto t = static_cast<double>(typical.t0), h = static_cast<double>(typical.run.step.value_or(typical_step));
    const std::vector<double> parameters = parameter_values<double>(typical);
    InitialData<double> data;
    Report report;
    std::vector<double> state, hint;
    try {
        if (!complete_in_graph(typical, data, report) ||
            !start_values(start, data, t, h, parameters, state, hint, report))
            return {};
    } catch (const std::runtime_error&) { return {}; } // a start that does not fit
    StageSolver<double> solver(stages);
    hint.resize(stages->all_hints(), 0.0);
    solver.reset(hint.data());
    for (int k = 0; k < 2; ++k) {
        report.newton_iterations = 0;
        if (!solver.solve(state.data(), t + k * h, h, parameters.data(), false, hint.data(), report)) return {};
        for (std::size_t i = 0; i < state.size(); ++i) state[i] += solver.increment()[i];
    }
    if (report.newton_iterations > most) return {};
    return report.newton_iterations;
}

// In a third of the operations at most: iterations wait for their own results longer than Newton's method does. Where
// this holds a step took 0.95 of Newton's time at most; with a half in place of a third up to 1.27 (bench/chosen.cpp).
bool cost_less(const CompiledStages& stages, long long iterations, const CompiledSystem& newton) {
    constexpr double part = 1.0 / 3, newton_iterations = 3;
    return Effort(stages).of_step(static_cast<double>(iterations)) <= part * Effort(newton).of_step(newton_iterations);
}

std::shared_ptr<const CompiledStages> where_it_pays(const Formulas& formulas, const CompiledSystem& newton,
                                                    const std::function<NamedSystem()>& start) {
    constexpr int most = 100; // components of the state: one by one, so many are taken apart within 0.1 s
    const Step& step = formulas.method.step;
    const auto slopes =
        std::count_if(step.find.begin(), step.find.end(), [](const Unknown& u) { return begins(u.symbols, "slope "); });
    if (step.state.count() > most || slopes < 2 || !has_large_matrices(newton, slopes)) return nullptr;
    const NamedSystem from_start = start();
    for (bool simplified_newton : {false, true}) {
        try {
            const auto stages = Compiler(deep_copy(formulas), simplified_newton).run();
            if (!code::can_write(*stages, StepCode::whole_stages)) return nullptr;
            if (const auto iterations = contract(formulas, stages, from_start); iterations)
                return cost_less(*stages, *iterations, newton) ? stages : nullptr;
        } catch (const NoStages&) {
            return nullptr; // stages of another form
        } catch (const Unsuitable&) { return nullptr; }
    }
    return nullptr;
}

} // namespace

std::shared_ptr<const CompiledStages> stages_of(const Formulas& formulas, const CompiledSystem& newton,
                                                const std::function<NamedSystem()>& start) {
    const std::string iteration = iteration_of(formulas.method);
    if (iteration == "auto") return where_it_pays(formulas, newton, start);
    if (iteration != "fixed" && iteration != "kronecker") return nullptr;
    if (iteration == "fixed")
        if (const auto pairs = pair_stages_of(deep_copy(formulas))) return pairs;
    try {
        return Compiler(deep_copy(formulas), iteration == "kronecker").run();
    } catch (const NoStages& why) {
        throw Unsuitable("iteration=" + iteration + " needs " + why.what + "; iteration=newton takes this model");
    }
}

} // namespace rattleback
