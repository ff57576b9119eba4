#include "boundary/last_set.hpp"

#include <algorithm>
#include <cmath>

#include "expr/graph.hpp"
#include "formulation/chain.hpp"
#include "formulation/independent_rows.hpp"
#include "scheme/common.hpp"
#include <rattleback/operators.hpp>

namespace rattleback::boundary {
namespace {

constexpr double commutes = 1e-6; // of both gradients: a path is on the last set as well as its method keeps it there

Vec unnamed(const std::vector<Expr>& formulas) {
    Vec all;
    for (const Expr& e : formulas) all.push_back({"", e});
    return all;
}

// {phi_i, d/dt phi_j} with the inputs as they are at that time, not as functions of (q, p).
Vec slopes_of(const DiracChain& chain, const Vec& mu) {
    Vec held = symbols_like(*chain.graph, "held, mu of ", chain.primary), values = held;
    for (std::size_t i = 0; i < held.size(); ++i)
        for (const Component& m : mu)
            if (m.name == "mu of " + chain.primary[i].name) values[i].value = m.value;
    const Vec flow = concat({chain.field(chain.H + dot(held, chain.primary)), Vec({{"t", Expr(1)}})});
    const Vec rates = derivative_along(chain.phi, concat({chain.w, chain.time}), flow);
    return substitute(unnamed(chain.matrix(chain.phi, rates)), {{held, values}});
}

} // namespace

LastSet::LastSet(Model& model) {
    model = with_start_for_chain(model);
    inputs = singular_inputs(model).size();
    const DiracChain chain(model);
    phi = chain.second_class();
    if (phi.size() != chain.phi.size())
        throw Unsuitable("the last set of the chain, of dimension " + std::to_string(chain.levels.back().dimension) +
                         ", is not symplectic: " + std::to_string(chain.phi.size() - phi.size()) +
                         " of its constraints are of the first class\n  check --brackets prints the chain");
    // Of two constraints mu is one quotient; more are solved with pivots that suit every place.
    const Vec mu = phi.size() == 2 ? chain.written_mu() : chain.mu();
    brackets = unnamed(chain.matrix(phi, phi)), slopes = slopes_of(chain, mu);
    put_in_singular_inputs(model);
    model.phase = {}; // what is added to the model until its ends are set does not concern them
}

namespace {

class Choosing {
  public:
    Choosing(Problem& problem, End& end, const End& other, const std::string& where, double t)
        : problem_(problem), end_(end), other_(other), where_(where), phi_(problem.last_set->phi),
          variables_(concat({problem.model.q, problem.model.p, end.nu})),
          surface_(problem.model.graph, concat({phi_, end.conditions}), variables_,
                   concat({problem.model.time_vec(), problem.model.parameter_vec()})) {
        others_.push_back(t);
        for (const Parameter& p : problem.model.parameters) others_.push_back(static_cast<double>(p.value));
    }

    void run(bool with_phi) {
        const std::size_t rows = phi_.size(), n = problem_.model.q.size(),
                          wanted = n + rows / 2 + end_.nu.size(); // of (q, p, nu), on P_f d
        std::vector<std::size_t> order, kept;
        for (int number = 0; number < places; ++number) {
            if (!place(number)) continue;
            const std::vector<std::size_t> at_order = sorted(), found = independent(at_order);
            if (found.size() <= kept.size()) continue;
            order = at_order, kept = found; // elsewhere, more of them are independent
        }
        if (order.empty()) throw Unsuitable("no place of the last set was found near the " + where_ + " of the path");
        split(order, kept, wanted, with_phi);
    }

  private:
    static constexpr int places = 4;

    // On the last set; with all conditions, where there is such a place.
    bool place(int number) {
        const std::size_t n = problem_.model.q.size();
        std::vector<double> x;
        for (std::size_t i = 0; i < variables_.size(); ++i) {
            const double off = 0.4 * std::sin(1.0 + 2.0 * static_cast<double>(i) + 5.0 * number);
            const std::optional<double>*own = i < n ? &end_.value[i] : nullptr,
                  *far = i < n ? &other_.value[i] : nullptr;
            x.push_back(own && *own ? **own : (far && *far ? **far : 0) + off);
        }
        for (std::size_t k = 0; k < problem_.guess.size(); ++k) x[n - problem_.guess.size() + k] = problem_.guess[k];
        std::vector<int> all, set;
        for (int i = 0; i < surface_.count(); ++i) (i < static_cast<int>(phi_.size()) ? set : all).push_back(i);
        all.insert(all.begin(), set.begin(), set.end());
        std::vector<double> tried = x;
        return surface_.reach(tried, others_, all) || surface_.reach(x, others_, set);
    }

    // Where in the chain a condition meets the first constraint whose flow moves it.
    std::size_t unmoved_by(std::size_t row) const {
        const std::size_t n = problem_.model.q.size();
        const double* const c = surface_.row(static_cast<int>(row));
        for (std::size_t k = 0; k < phi_.size(); ++k) {
            const double* const g = surface_.row(static_cast<int>(k));
            double bracket = 0, size_c = 0, size_g = 0;
            for (std::size_t i = 0; i < n; ++i) bracket += c[i] * g[n + i] - c[n + i] * g[i];
            for (std::size_t i = 0; i < 2 * n; ++i) size_c += c[i] * c[i], size_g += g[i] * g[i];
            if (std::abs(bracket) > commutes * std::sqrt(size_c * size_g)) return k;
        }
        return phi_.size();
    }

    // phi, then the conditions, those first that the flows of phi leave alone.
    std::vector<std::size_t> sorted() const {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < phi_.size() + end_.conditions.size(); ++i) order.push_back(i);
        std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(phi_.size()), order.end(),
                         [&](std::size_t a, std::size_t b) { return unmoved_by(a) > unmoved_by(b); });
        return order;
    }

    std::vector<std::size_t> independent(const std::vector<std::size_t>& order) const {
        std::vector<double> rows;
        for (const std::size_t i : order) {
            const double* const row = surface_.row(static_cast<int>(i));
            rows.insert(rows.end(), row, row + variables_.size());
        }
        std::vector<std::size_t> kept;
        for (const std::size_t i : independent_rows(rows, order.size(), variables_.size())) kept.push_back(order[i]);
        return kept;
    }

    std::string in_words(std::size_t i) const {
        const std::size_t n = problem_.model.q.size();
        const std::string name = end_.conditions[i].name;
        if (i >= n) return to_text(end_.conditions[i].value, 60) + " = 0 at the " + where_;
        if (end_.value[i]) return name + " at the " + where_;
        Expr potential = end_.potential;
        if (potential.graph()) potential = expand(potential);
        const Expr slope = gradient(potential, Vec({problem_.model.q[i]}))[0].value;
        return name + " = " + to_text(slope, 60) + " at the " + where_ + ", where " + problem_.model.q[i].name +
               " is free,";
    }

    void split(const std::vector<std::size_t>& order, const std::vector<std::size_t>& kept, std::size_t wanted,
               bool with_phi) {
        const std::size_t rows = phi_.size();
        Vec conditions = with_phi ? phi_ : Vec();
        std::vector<std::size_t> taken;
        for (const std::size_t i : kept)
            if (i >= rows && taken.size() + rows < wanted) taken.push_back(i);
        for (std::size_t i : order) {
            if (i < rows) continue;
            const bool follows = std::find(kept.begin(), kept.end(), i) == kept.end();
            if (std::find(taken.begin(), taken.end(), i) == taken.end())
                end_.unused.push_back({in_words(i - rows), end_.conditions[i - rows].value, follows,
                                       i - rows < problem_.model.q.size() ? end_.value[i - rows] : std::nullopt});
        }
        std::sort(taken.begin(), taken.end());
        for (const std::size_t i : taken) conditions.push_back(end_.conditions[i - rows]);
        end_.conditions = conditions;
    }

    Problem& problem_;
    End& end_;
    const End& other_;
    std::string where_;
    Vec phi_, variables_;
    solve::Surface surface_;
    std::vector<double> others_;
};

} // namespace

void choose_conditions_on_last_set(Problem& problem) {
    const double first = problem.t0, last = problem.t0 + problem.time;
    Choosing(problem, problem.from, problem.to, "start", first).run(true);
    Choosing(problem, problem.to, problem.from, "end", last).run(false);
}

namespace {

// (q, p)' = {(q, p), H + mu . phi} with mu such that no phi changes. That holds beside phi = 0, too, where Hamilton's
// equations of H + mu . phi with mu as functions of (q, p) leave it exponentially: on a path of a vehicle that parks,
// midpoint steps of 1/60 were 2 away from it, and Newton's method seldom converged.
Method weak_gauss(const Model& model, const Options& options) {
    const Vec w = concat({model.q, model.p}), mu = symbols_like(*model.graph, "mu of ", model.phase);
    const Expr H = model.function + dot(mu, model.phase);
    const Vec flow = concat({gradient(H, model.p), -gradient(H, model.q)}), one({{"t", Expr(1)}});
    FirstOrder motion{model.graph, w, mu, flow, {}, zeros_like(mu)};
    motion.algebraic.push_back(derivative_along(model.phase, concat({w, model.time_vec()}), concat({flow, one})) ==
                               zeros_like(model.phase));
    const int stages = options.integer("stages", 1, 1, 10);
    Step step = runge_kutta(model, motion, gauss(stages)).step;
    carry_positions_and_momenta(step, Mechanics(model), {});
    return {.id = "dirac_weak", .step = std::move(step), .order = 2 * stages};
}

} // namespace

Formulas last_set_formulas(const Model& model, const MethodName& method) {
    static const Scheme scheme{.id = "dirac_weak",
                               .title = "Gauss collocation on the last set",
                               .options = find_scheme("dirac_weak").options,
                               .order = find_scheme("dirac_weak").order,
                               .claims = find_scheme("dirac_weak").claims,
                               .build = weak_gauss};
    return formulas_of(model, scheme, method.options);
}

LastSetPlaces::LastSetPlaces(const Problem& problem)
    : states_(2 * problem.model.q.size()),
      surface_(problem.model.graph, problem.last_set->phi, concat({problem.model.q, problem.model.p}),
               concat({problem.model.time_vec(), problem.model.parameter_vec()})),
      brackets_(compile(
          System{problem.model.graph,
                 concat({problem.model.q, problem.model.p, problem.model.time_vec(), problem.model.parameter_vec()}),
                 {},
                 {},
                 concat({problem.last_set->brackets, problem.last_set->slopes})})) {
    for (const Parameter& p : problem.model.parameters) parameters_.push_back(static_cast<double>(p.value));
}

std::vector<double> LastSetPlaces::others(double t) const {
    std::vector<double> all{t};
    all.insert(all.end(), parameters_.begin(), parameters_.end());
    return all;
}

bool LastSetPlaces::move_onto(double* x, double t) {
    std::vector<double> moved(x, x + states_);
    std::vector<int> all;
    for (int i = 0; i < surface_.count(); ++i) all.push_back(i);
    if (!surface_.reach(moved, others(t), all)) return false;
    std::copy(moved.begin(), moved.end(), x);
    return true;
}

double LastSetPlaces::residual(const double* x, double t) {
    if (!surface_.evaluate({x, x + states_}, others(t))) return Real<double>::nan;
    double most = 0;
    for (double f : surface_.f) most = std::max(most, std::abs(f));
    return most;
}

std::optional<LastSetPlaces::At> LastSetPlaces::at(const double* x, double t) {
    if (!surface_.evaluate({x, x + states_}, others(t))) return {};
    double* to = std::copy_n(x, states_, brackets_.given());
    *to++ = t;
    std::copy(parameters_.begin(), parameters_.end(), to);
    Report report;
    if (!brackets_.solve(report)) return {};
    const auto m = static_cast<std::size_t>(surface_.count());
    At found{Matrix<double>(m, states_), Matrix<double>(m, m), Matrix<double>(m, m), {}};
    found.gradients.entries = surface_.gradients;
    for (std::size_t i = 0; i < m * m; ++i)
        found.brackets.entries[i] = brackets_.result(i), found.slopes.entries[i] = brackets_.result(m * m + i);
    std::vector<double> size(m, 0.0);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j < states_; ++j) size[i] += found.gradients(i, j) * found.gradients(i, j);
        size[i] = std::sqrt(size[i]);
    }
    for (std::size_t i = 0; i < m && found.moving.size() < m / 2; ++i)
        if (std::all_of(found.moving.begin(), found.moving.end(),
                        [&](std::size_t j) { return std::abs(found.brackets(i, j)) <= commutes * size[i] * size[j]; }))
            found.moving.push_back(i);
    return found;
}

std::string missed_at_ends(const Problem& problem, const Path& path, double drift) {
    const std::size_t n = problem.model.q.size(), N = path.steps();
    std::string text;
    for (const End* end : {&problem.from, &problem.to}) {
        const bool is_start = end == &problem.from;
        const std::vector<double>& nu = is_start ? path.nu_from : path.nu_to;
        const double* const x = path.node(is_start ? 0 : N);
        Vec wanted;
        for (const End::Unused& u : end->unused) wanted.push_back({"", u.value});
        SystemSolver<double> at(compile(System{problem.model.graph,
                                               concat({problem.model.q, problem.model.p, end->nu,
                                                       problem.model.time_vec(), problem.model.parameter_vec()}),
                                               {},
                                               {},
                                               wanted}));
        double* to = std::copy(nu.begin(), nu.end(), std::copy_n(x, 2 * n, at.given()));
        *to++ = is_start ? problem.t0 : problem.t0 + problem.time;
        for (const Parameter& p : problem.model.parameters) *to++ = static_cast<double>(p.value);
        Report report;
        if (!at.solve(report)) return "a condition at an end has no value there";
        double size = 1;
        for (std::size_t i = 0; i < 2 * n; ++i) size = std::max(size, std::abs(x[i]));
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            const double off = at.result(i);
            const End::Unused& u = end->unused[i];
            if (std::abs(off) <= 1e-8 * size + 100 * drift) continue;
            text += (text.empty() ? "" : ", and ") + u.text +
                    (u.given ? " is " + real::to_text(*u.given + off, 5) + " in place of " + real::to_text(*u.given, 5)
                             : " is missed by " + real::to_text(std::abs(off), 5));
        }
    }
    return text;
}

} // namespace rattleback::boundary
