// The canonical state-space form (Leimkuhler and Reich 1994, Theorem 2.2): n - m of the coordinates, d = A q, are
// coordinates on g = 0, and p = A^T theta + G^T kappa makes (d, theta) canonical. In a chart Gauss collocation
// integrates
//     d' = A v,   A^T theta' + G^T rho = L_q - (kappa . (g_q v + g_t))_q,   L_v(q, v) = p,   g = 0,   g_q v + g_t = 0
// The dependent coordinates are those on which G is largest, by pivoted elimination at the beginning of each step: the
// chart changes on the way, which costs what one symplectic map would have kept.
#include "scheme/operators.hpp"

namespace rattleback {
namespace {

// Rows that pick the dependent coordinates: a QR decomposition of G, column pivoting by the largest remainder, as
// formulas of q; row r is 1 where the r-th pivot is, else 0.
std::vector<Vec> pivots(const Nonholonomic& sys) {
    std::vector<Vec> columns; // of G, one a coordinate
    const std::size_t n = sys.q.size(), m = sys.g.size();
    for (std::size_t j = 0; j < n; ++j) {
        Vec unit = zeros_like(sys.q);
        unit[j].value = Expr(1);
        columns.push_back(derivative_along(sys.g, sys.q, unit));
    }
    std::vector<Vec> rows;
    for (std::size_t r = 0; r < m; ++r) {
        Vec pick = zeros_like(sys.q);
        Expr largest = dot(columns[0], columns[0]);
        pick[0].value = Expr(1);
        Vec column = columns[0];
        for (std::size_t j = 1; j < n; ++j) {
            const Expr size = dot(columns[j], columns[j]), better = fn::gt(size, largest);
            for (std::size_t k = 0; k < j; ++k) pick[k].value = fn::choose(better, Expr(0), pick[k].value);
            pick[j].value = fn::choose(better, Expr(1), Expr(0));
            for (std::size_t i = 0; i < m; ++i)
                column[i].value = fn::choose(better, columns[j][i].value, column[i].value);
            largest = fn::choose(better, size, largest);
        }
        for (Vec& c : columns) c = c - (dot(c, column) / largest) * column;
        rows.push_back(pick);
    }
    return rows;
}

class Chart {
  public:
    Chart(const Nonholonomic& system) : sys(system), h(step_size(system.model)), rows(pivots(system)) {}

    Step step(const Tableau& gauss) {
        const std::size_t s = gauss.b.size();
        Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = h, .t = sys.t};
        // theta at the beginning: p less its part along G^T, so that dependent components vanish.
        const Vec kappa0 = symbols_like(sys.graph, "kappa of ", sys.lambda);
        const Vec theta0 = sys.p - sys.at(reaction(kappa0), {sys.q, sys.v, sys.t});
        step.find.push_back({kappa0, {}});
        step.equations.push_back(dependent(theta0) == zeros_like(sys.g));
        std::vector<Vec> slope, force;
        for (std::size_t i = 0; i < s; ++i) {
            const std::string label = "stage " + std::to_string(i + 1) + " of ";
            slope.push_back(symbols_like(sys.graph, label, zero_border(sys.v)));
            force.push_back(symbols_like(sys.graph, label, sys.p));
        }
        const auto sum = [&](const std::vector<quad>& weights, const std::vector<Vec>& terms) {
            Vec x = zeros_like(sys.q);
            for (std::size_t j = 0; j < s; ++j) x = x + (h * Expr(weights[j])) * terms[j];
            return x;
        };
        for (std::size_t i = 0; i < s; ++i) {
            const std::string label = "stage " + std::to_string(i + 1) + ", ";
            find_from_last(step, slope[i], sys.v);
            step.find.push_back({force[i], {}});
            const Point at = point(step, label, sum(gauss.a[i], slope), theta0 + sum(gauss.a[i], force), slope[i],
                                   sys.t + Expr(gauss.c[i]) * h);
            const Vec rho = symbols_like(sys.graph, label + "rho of ", sys.lambda);
            const Vec pulled =
                substitute(sys.applied() - gradient(dot(kappa_leaf, sys.phi), sys.q), {{kappa_leaf, kappa}});
            const Vec right = sys.at(pulled, at) - sys.at(reaction(rho), at);
            step.find.push_back({rho, {}});
            step.equations.push_back(force[i] == right);
            step.equations.push_back(dependent(right) == zeros_like(sys.g));
        }
        const Vec v1 = symbols_like(sys.graph, "next ", sys.v);
        step.find.push_back({v1, last_components(step.hint, sys.q.size())});
        const Vec theta1 = theta0 + sum(gauss.b, force);
        const Point end = point(step, "end, ", sum(gauss.b, slope), theta1, v1, sys.t + h);
        step.increment = concat({end.q - sys.q, theta1 + sys.at(reaction(kappa), end) - sys.p});
        const Vec guess = last_components(step.hint, sys.q.size());
        carry_positions_and_momenta(step, sys, guess);
        step.manifold = concat({sys.g, sys.phi});
        return step;
    }

  private:
    Vec reaction(const Vec& multiplier) const { // G^T multiplier
        return substitute(sys.reaction(sys.lambda), {{sys.lambda, multiplier}});
    }
    Vec dependent(const Vec& x) const {
        Vec part = sys.g;
        for (std::size_t r = 0; r < rows.size(); ++r) part[r].value = dot(rows[r], x);
        return part;
    }
    // q on g = 0 with the independent coordinates moved by `move`, v and kappa there; adds unknowns and equations.
    Point point(Step& step, const std::string& label, const Vec& move, const Vec& theta, const Vec& v, const Expr& t) {
        const Vec zeta = symbols_like(sys.graph, label + "shift along ", sys.g);
        kappa = symbols_like(sys.graph, label + "kappa of ", sys.lambda);
        Vec q = sys.q + move;
        for (std::size_t r = 0; r < rows.size(); ++r) q = q + (zeta[r].value - dot(rows[r], move)) * rows[r];
        const Point at{q, v, t};
        const Vec g = sys.at(sys.g, at), phi = sys.at(sys.phi, at);
        step.find.push_back({zeta, {}}), step.find.push_back({kappa, {}});
        step.equations.push_back(g == zeros_like(g));
        step.equations.push_back(sys.at(sys.momentum(), at) == theta + sys.at(reaction(kappa), at));
        step.equations.push_back(phi == zeros_like(phi));
        return at;
    }

    const Nonholonomic& sys;
    Expr h;
    std::vector<Vec> rows;
    Vec kappa; // of the point made last
    Vec kappa_leaf = symbols_like(sys.graph, "any multiplier of ", sys.lambda);
};

} // namespace

extern const Scheme state_space_scheme;
const Scheme state_space_scheme = {
    .id = "state_space",
    .title = "Gauss collocation on the canonical state-space form",
    .cite = "leimkuhler1994",
    .takes = "holonomic, Lagrangians, no forces",
    .options = {{"stages", "1", "1 to 10; the order is twice as high"}},
    .order = [](const Options& o) { return 2 * o.integer("stages", 1, 1, 10); },
    .claims = [](const Options&) -> std::vector<Claim> {
        return {{Property::symplectic, Answer::yes, ""},
                {Property::holonomic_exact, Answer::yes, ""},
                {Property::energy_exact, Answer::no, ""},
                {Property::energy_bounded, Answer::unknown, ""}, // charts change on the way
                {Property::momentum_exact, Answer::unknown, ""},
                {Property::symmetric, Answer::unknown, ""}, // where both ends choose the same chart
                {Property::reversible, Answer::unknown, ""}};
    },
    .build = [](const Model& model, const Options& o) -> Method {
        const Nonholonomic sys = holonomic(model, "state_space");
        if (sys.g.empty()) throw Unsuitable("method 'state_space' needs holonomic constraints; try gauss");
        if (!sys.has_lagrangian())
            throw Unsuitable("method 'state_space' needs a Lagrangian; this model gives a Hamiltonian");
        if (!model.force.empty())
            throw Unsuitable("method 'state_space' takes no forces: its equations are Hamilton's");
        for (const Vec* v : {&sys.q, &sys.g})
            for (const Component& c : *v)
                if (c.family) throw Unsuitable("method 'state_space' takes no families: '" + c.name + "'");
        const int s = o.integer("stages", 1, 1, 10);
        return {.id = "state_space", .step = Chart(sys).step(gauss(s)), .order = 2 * s};
    },
};

} // namespace rattleback
