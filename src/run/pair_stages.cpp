#include "run/pair_stages.hpp"

#include "expr/graph.hpp"
#include "run/initial.hpp"
#include "scheme/lobatto_equations.hpp"
#include "scheme/tableau.hpp"

namespace rattleback {
namespace {

std::size_t count(const Vec& v) { return static_cast<std::size_t>(v.count()); }

bool same(const Vec& x, const Vec& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (!(x[i].value == y[i].value)) return false;
    return true;
}

class Compiler {
  public:
    Compiler(const Formulas& formulas, const Nonholonomic& system)
        : model_(formulas.model), step_(formulas.method.step), spark_(system),
          stages_(static_cast<int>(step_.stages.size())), equations_(spark_, stages_),
          others_(concat({model_.time_vec(), Vec({{"h", step_.h}}), model_.parameter_vec()})) {}

    // Are they, formula for formula, the equations of the pair?
    bool is_pair() {
        const Step own = equations_.step();
        if (equations_.has_one_velocity() || own.equations.size() != step_.equations.size()) return false;
        for (std::size_t i = 0; i < own.equations.size(); ++i)
            if (!same(own.equations[i].lhs, step_.equations[i].lhs) ||
                !same(own.equations[i].rhs, step_.equations[i].rhs))
                return false;
        return own.state.size() == step_.state.size() && same(own.increment, step_.increment);
    }

    std::shared_ptr<const CompiledStages> run() {
        CompiledStages all;
        const Tableau a = lobatto_a(stages_);
        all.weights.b = a.b, all.weights.c = a.c;
        for (const quad& c : a.c) all.weights.ahead.push_back(lagrange_basis(a.c, 1 + c));
        made_.weights = pair_weights(a.a, all.weights);
        made_.n = count(spark_.sys.q), made_.m = count(spark_.g);
        all.n = 2 * made_.n, all.hints = made_.hints = count(step_.hint);
        all.parameters = made_.parameters = model_.parameters.size();
        if (made_.hints != all.weights.stages() * (made_.n + made_.m)) return nullptr;
        compile_constraints();
        compile_forces();
        compile_velocities();
        compile_end();
        for (const auto& system : made_.systems())
            if (SystemSolver<double>(system).remembers()) return nullptr;
        all.pairs = std::make_shared<const CompiledPairs>(made_);
        return std::make_shared<const CompiledStages>(all);
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
    Vec symbols(const char* prefix, const Vec& like) const { return symbols_like(spark_.sys.graph, prefix, like); }

    // The model's own leaves stand for what a stage has.
    Spark::Values here() const {
        const Mechanics& sys = spark_.sys;
        return {sys.q, sys.p, sys.v, spark_.Lambda, {}, sys.t};
    }

    void compile_constraints() {
        if (made_.m == 0) return;
        const Mechanics& sys = spark_.sys;
        const Vec moved = symbols("move of ", zero_border(sys.q)), change = symbols("change of ", zero_border(sys.q));
        Spark::Values there = here();
        there.q = sys.q + moved;
        const Vec slope = spark_.at(derivative_along(spark_.g, sys.q, change), there);
        made_.constraints = compiled(concat({sys.q, moved, change}), {}, {},
                                     concat({spark_.constraint_after(moved, there, equations_.is_quadratic()), slope}));
    }

    // Multipliers with which velocities change g as fast as is asked for.
    void compile_forces() {
        const Mechanics& sys = spark_.sys;
        const Vec given = concat({sys.q, sys.p, sys.v, spark_.Lambda});
        if (made_.m == 0) {
            made_.forces = compiled(given, {}, {}, spark_.rate);
            return;
        }
        const Vec u = symbols("asked of ", spark_.g), dv = symbols("change of ", zero_border(sys.v)),
                  last = symbols("last rate of ", sys.p), leaves = concat({sys.v, sys.p});
        Spark::Values there = here();
        there.Lambda = symbols("found ", spark_.Lambda);
        const Vec rate = spark_.at(spark_.rate, there), along = concat({dv, rate - last});
        std::vector<Equation> equations;
        for (const Equation& e : spark_.legendre)
            equations.push_back(derivative_along(e.lhs, leaves, along) == derivative_along(e.rhs, leaves, along));
        equations.push_back(derivative_along(spark_.g, sys.q, dv) == u);
        made_.forces = compiled(concat({given, last, u}), {{dv, zeros_like(dv)}, {there.Lambda, spark_.Lambda}},
                                equations, concat({there.Lambda, rate}));
    }

    void compile_velocities() {
        const Mechanics& sys = spark_.sys;
        Spark::Values there = here();
        there.v = symbols("found ", zero_border(sys.v));
        Step legendre;
        spark_.require_legendre(legendre, there);
        made_.velocities = compiled(concat({sys.q, sys.p, sys.v}), {{there.v, sys.v}}, legendre.equations, there.v);
    }

    // Equation (5) of src/scheme/methods/lobatto.cpp.
    void compile_end() {
        if (made_.m == 0) return;
        const Mechanics& sys = spark_.sys;
        const Expr weight = sys.graph.symbol("weight of the last stage");
        const Vec dq = symbols("advance of ", zero_border(sys.q)), dp = symbols("advance of ", zero_border(sys.p)),
                  p = symbols("last stage of ", sys.p), v = symbols("last stage of ", sys.v),
                  first = symbols("first ", spark_.Lambda);
        const Vec rate = spark_.at(spark_.rate, {sys.q + dq, p, v, spark_.Lambda, {}, sys.t});
        const Vec increment = dp + weight * (Expr(pair_slope_factor) * rate);
        Step end{.graph = step_.graph, .hint = v};
        end.find.push_back({spark_.Lambda, first});
        spark_.require_hidden_constraint(end, sys.q + dq, sys.p + increment, sys.t);
        made_.end = compiled(concat({sys.q, sys.p, dq, dp, p, v, first, Vec({{"weight", weight}})}), end.find,
                             end.equations, concat({increment, spark_.Lambda, rate}));
    }

    const Model& model_;
    const Step& step_;
    const Spark spark_;
    int stages_;
    LobattoEquations equations_;
    Vec others_;
    CompiledPairs made_;
};

} // namespace

std::shared_ptr<const CompiledStages> pair_stages_of(const Formulas& formulas) {
    const Step& step = formulas.method.step;
    const Model& model = formulas.model;
    if (model.kind == Model::general || is_variational(model) || !model.velocity.empty() || step.stages.size() < 3)
        return nullptr;
    if (!model.phase.empty() || !model.groups.empty() || !model.implicit_inputs().empty()) return nullptr;
    const Nonholonomic system(model);
    Compiler compiler(formulas, system);
    return compiler.is_pair() ? compiler.run() : nullptr;
}

} // namespace rattleback
