// Runge-Kutta methods on whatever a model becomes: stages, then what is carried and shown.
#include "scheme/common.hpp"

#include <algorithm>

#include "expr/graph.hpp"
#include "formulation/general_hamiltonian.hpp"
#include "scheme/step_along.hpp"
#include "scheme/tableau.hpp"

namespace rattleback {

namespace {

bool is_short(quad w) { return real::abs(w - static_cast<float>(w)) <= 64 * Real<quad>::epsilon * real::abs(w); }

// The first of the two parts of each weight. Weights such as 1/2 and 1/2 need none: but h (K_1 + K_2)/2, where h is a
// decimal fraction, lies on few multiples of a last place, and rounding it has a direction. They are given some, unlike
// each other, so that the sum of the second parts is no multiple of that of the first ones.
std::vector<quad> first_parts(const std::vector<quad>& weights, bool symplectic) {
    const bool several = std::count(weights.begin(), weights.end(), quad(0)) + 2 <= std::ssize(weights);
    const bool split = symplectic && several && std::all_of(weights.begin(), weights.end(), is_short);
    std::vector<quad> parts;
    for (std::size_t j = 0; j < weights.size(); ++j) {
        const quad most = static_cast<float>(weights[j]);
        parts.push_back(split ? most + most * (2 * static_cast<quad>(j) + 3) / (1 << 23) : most);
    }
    return parts;
}

} // namespace

Vec step_along(const Expr& h, const std::vector<quad>& weights, const std::vector<Vec>& K, bool symplectic) {
    Vec whole = zeros_like(K[0]), coarse = whole, fine = whole;
    const std::vector<quad> first = first_parts(weights, symplectic);
    bool exact = true;
    for (std::size_t j = 0; j < K.size(); ++j) {
        const quad w = weights[j], most = first[j], rest = w - most;
        if (w == 0) continue;
        whole = whole + (h * Expr(w)) * K[j];
        coarse = coarse + Expr(most) * K[j];
        if (real::abs(rest) <= 64 * Real<quad>::epsilon * real::abs(w)) continue;
        fine = fine + (h * Expr(rest)) * K[j];
        exact = false;
    }
    return exact ? whole : fine + h * coarse;
}

RungeKuttaStep runge_kutta(const Model& model, const FirstOrder& system, const Tableau& rk) {
    Graph& graph = *model.graph;
    const Expr h = step_size(model), t = model.t;
    const auto s = static_cast<std::size_t>(rk.stages());
    const auto label = [](const char* what, std::size_t i) {
        return std::string(what) + std::to_string(i + 1) + " of ";
    };

    std::vector<Vec> K, Y, hint;
    for (std::size_t i = 0; i < s; ++i) {
        K.push_back(symbols_like(graph, label("slope ", i), zero_border(system.x)));
        Y.push_back(symbols_like(graph, label("stage ", i), system.y));
        hint.push_back(symbols_like(graph, label("last stage ", i), system.y));
    }
    RungeKuttaStep result{{.graph = model.graph, .state = system.x, .h = h, .t = t}, K, {}};
    Step& step = result.step;
    const bool symplectic = symplectic_defect(rk) <= 64 * Real<quad>::epsilon;
    step.increment = step_along(h, rk.b, K, symplectic);
    for (std::size_t i = 0; i < s; ++i) {
        const Vec X = system.x + step_along(h, rk.a[i], K, symplectic);
        const At stage{X, Y[i], t + Expr(rk.c[i]) * h}, here{system.x, hint[i], t};
        step.find.push_back({K[i], evaluate(system.rate, model, system, here)});
        step.equations.push_back(K[i] == evaluate(system.rate, model, system, stage));
        if (!system.y.empty()) step.find.push_back({Y[i], hint[i]});
        for (const Equation& e : system.algebraic)
            step.equations.push_back(evaluate(e.lhs, model, system, stage) == evaluate(e.rhs, model, system, stage));
        result.stages.push_back(stage);
        const std::size_t n = model.q.size(); // x = (q, ...), whatever else it has
        if (n > 0) step.stages.push_back({first_components(X, n), first_components(K[i], n), {}, stage.t});
        if (model.kind == Model::hamiltonian && X.size() == 2 * n)
            step.stages.back().p = last_components(X, n), step.stages.back().u = Y[i];
    }
    // The polynomial through the last stages, continued into the next step, is where Newton starts there.
    const std::size_t used = std::min<std::size_t>(s, 3);
    const std::vector<quad> nodes(rk.c.end() - static_cast<std::ptrdiff_t>(used), rk.c.end());
    bool distinct = true;
    for (std::size_t j = 1; j < used; ++j) distinct &= nodes[j] != nodes[j - 1];
    for (std::size_t i = 0; i < s; ++i) {
        step.hint = concat({step.hint, hint[i]});
        step.start_hint = concat({step.start_hint, system.y_start});
        step.steady_hint = concat({step.steady_hint, Y[i]});
        Vec next = Y[i];
        if (distinct && used > 1) {
            const std::vector<quad> l = lagrange_basis(nodes, 1 + rk.c[i]);
            next = zeros_like(Y[i]);
            for (std::size_t j = 0; j < used; ++j) next = next + Expr(l[j]) * Y[s - used + j];
        }
        step.next_hint = concat({step.next_hint, next});
    }
    return result;
}

OptionInfo iteration_option() {
    return {
        "iteration", "auto",
        "auto: fixed or kronecker where Newton's matrices are large and these contract, else newton; fixed: slopes "
        "from those of the last iteration, a vector lane a stage, and newton where that is slow; kronecker: the same "
        "with a simplified Newton method, for stiff systems; functional: as fixed, for short steps"};
}

void choose_iteration(Step& step, const Options& options) {
    const std::vector<std::string_view> allowed{"newton", "fixed", "kronecker", "auto", "functional"};
    step.functional = options.word("iteration", "auto", allowed) == "functional";
}

namespace {

// Where the equations are not of index 1 a node does not determine y: the last stage's is shown, carried along.
void show_last_stage(Step& step, const FirstOrder& system, int stages) {
    if (system.y.empty()) return;
    const Vec last = symbols_like(*step.graph, "stage " + std::to_string(stages) + " of ", system.y);
    step.state = concat({step.state, system.y});
    step.increment = concat({step.increment, last - system.y});
    step.start = concat({step.start, system.y_start});
    step.reverse = {}, step.node_find = {}, step.node_equations = {};
}

RungeKuttaStep general_hamiltonian_step(const Model& model, const Tableau& tableau) {
    const GeneralHamiltonian sys(model);
    const FirstOrder f = sys.first_order();
    RungeKuttaStep result = runge_kutta(model, f, tableau);
    Step& step = result.step;
    step.start = sys.x_of_z();
    if (!sys.y.empty()) {
        const std::size_t k = sys.y.size();
        step.node_find = {{sys.y, last_components(step.hint, k)}};
        step.node_equations = f.algebraic;
    }
    step.z = sys.z();
    for (const At& at : result.stages) step.stages.push_back({{}, {}, evaluate(sys.z(), model, f, at), at.t});
    step.form = {sys.form()};
    if (model.any_index) show_last_stage(step, f, tableau.stages());
    return result;
}

} // namespace

Step runge_kutta_step(const Model& model, const Tableau& tableau, std::vector<Vec>* slopes) {
    if (model.kind == Model::general) {
        RungeKuttaStep general = general_hamiltonian_step(model, tableau);
        if (slopes) *slopes = general.slopes;
        return general.step;
    }
    if (is_variational(model)) {
        const Variational sys(model);
        RungeKuttaStep rk = runge_kutta(model, sys.canonical(), tableau);
        if (slopes) *slopes = rk.slopes;
        const Vec last = last_components(rk.step.hint, sys.q.size() + sys.lambda.size());
        carry_positions_and_momenta(rk.step, sys, first_components(last, sys.q.size()),
                                    last_components(last, sys.lambda.size()));
        if (model.any_index) show_last_stage(rk.step, sys.canonical(), tableau.stages());
        return rk.step;
    }
    const Mechanics mechanics(model);
    RungeKuttaStep canonical = runge_kutta(model, mechanics.canonical(), tableau);
    if (slopes) *slopes = canonical.slopes;
    Step& step = canonical.step;
    const std::size_t n = mechanics.q.size();
    const std::size_t last = mechanics.u.empty() ? n : mechanics.u.size();
    const Vec guess = step.hint.empty() ? Vec() : last_components(step.hint, last);
    carry_positions_and_momenta(step, mechanics, guess);
    if (model.any_index) show_last_stage(step, mechanics.canonical(), tableau.stages());
    return step;
}

namespace {

Step variational_reduced_step(const Model& model, const Tableau& tableau, std::vector<Vec>* slopes) {
    const Variational sys(model);
    RungeKuttaStep rk = runge_kutta(model, sys.index_reduced(), tableau);
    if (slopes) *slopes = rk.slopes;
    Step& step = rk.step;
    step.start = concat({sys.q, sys.v, sys.lambda});
    step.q = sys.q, step.v = sys.v, step.lambda = sys.lambda;
    step.p = sys.generalized_momentum();
    step.form = {{step.q, step.p}};
    return step;
}

} // namespace

Step index_reduced_step(const Model& model, const Tableau& tableau, std::vector<Vec>* slopes) {
    if (model.any_index)
        throw Unsuitable("explicit methods need equations of index 1; under --force index try midpoint or gauss");
    if (is_variational(model) && !model.holonomic.empty()) return variational_reduced_step(model, tableau, slopes);
    if (model.kind == Model::general || is_variational(model) ||
        (model.kind == Model::hamiltonian && !model.constrained()))
        return runge_kutta_step(model, tableau, slopes);
    const Nonholonomic sys(model);
    RungeKuttaStep rk = runge_kutta(model, sys.second_order(), tableau);
    if (slopes) *slopes = rk.slopes;
    if (sys.has_lagrangian())
        carry_positions_and_velocities(rk.step, sys);
    else
        carry_positions_and_momenta(rk.step, sys, {});
    return rk.step;
}

} // namespace rattleback
