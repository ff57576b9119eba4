// Gauss collocation in a chart of g = 0: its coordinates move by the slopes of the stages, those that depend on them
// follow from g = 0.
#include "expr/graph.hpp"
#include "scheme/charts.hpp"

namespace rattleback {
namespace {

// What both forms have: slopes of q at the stages, and of what is carried beside q.
class ChartStages {
  protected:
    ChartStages(const Nonholonomic& system, const std::vector<Vec>& picks, const Tableau& tableau, const Vec& beside)
        : sys(system), h(step_size(system.model)), rows(picks), gauss(tableau) {
        for (std::size_t i = 0; i < gauss.b.size(); ++i) {
            slope.push_back(symbols_like(sys.graph, name(i) + " of ", zero_border(sys.v)));
            gain.push_back(symbols_like(sys.graph, name(i) + " of ", beside));
        }
    }

    static std::string name(std::size_t i) { return "stage " + std::to_string(i + 1); }
    Expr time(std::size_t i) const { return sys.t + Expr(gauss.c[i]) * h; }

    Vec sum(const std::vector<quad>& weights, const std::vector<Vec>& terms) const {
        Vec x = zeros_like(sys.q);
        for (std::size_t j = 0; j < terms.size(); ++j) x = x + (h * Expr(weights[j])) * terms[j];
        return x;
    }
    // x moved by `move` in the coordinates of the chart and by `shift` in those that depend on them.
    Vec along(const Vec& x, const Vec& shift, const Vec& move) const {
        Vec to = x + move;
        for (std::size_t r = 0; r < rows.size(); ++r) to = to + (shift[r].value - dot(rows[r], move)) * rows[r];
        return to;
    }
    // (t, q, v) with the chart's coordinates moved by `move`: the others are such that g = 0.
    Point on_constraints(Step& step, const std::string& label, const Vec& move, const Vec& v, const Expr& t) {
        const Vec zeta = symbols_like(sys.graph, label + "shift along ", sys.g);
        Point at{along(sys.q, zeta, move), v, t};
        const Vec g = sys.at(sys.g, at);
        step.find.push_back({zeta, {}});
        step.equations.push_back(g == zeros_like(g));
        return at;
    }
    void require_hidden(Step& step, const Point& at) const {
        const Vec phi = sys.at(sys.phi, at);
        step.equations.push_back(phi == zeros_like(phi));
    }
    Vec velocity_at_the_end(Step& step) const {
        Vec v1 = symbols_like(sys.graph, "next ", sys.v);
        step.find.push_back({v1, last_components(step.hint, sys.q.size())});
        return v1;
    }
    // 1 for coordinates that follow from the others, 0 for those of the chart.
    Vec depends() const {
        Vec all = zeros_like(sys.q);
        for (const Vec& r : rows) all = all + r;
        return all;
    }

    const Nonholonomic& sys;
    Expr h;
    std::vector<Vec> rows;
    const Tableau& gauss;
    std::vector<Vec> slope, gain;
};

// (d, theta) with p = A^T theta + G^T kappa.
class CanonicalChart : ChartStages {
  public:
    CanonicalChart(const Nonholonomic& system, const std::vector<Vec>& picks, const Tableau& tableau)
        : ChartStages(system, picks, tableau, system.p) {}

    Step step() {
        Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.p}), .h = h, .t = sys.t};
        // theta at the beginning: p less its part along G^T, so that dependent components vanish.
        const Vec kappa0 = symbols_like(sys.graph, "kappa of ", sys.lambda);
        const Vec theta0 = sys.p - sys.at(reaction(kappa0), {sys.q, sys.v, sys.t});
        step.find.push_back({kappa0, {}});
        step.equations.push_back(dependent(theta0) == zeros_like(sys.g));
        for (std::size_t i = 0; i < slope.size(); ++i) {
            find_from_last(step, slope[i], sys.v);
            step.find.push_back({gain[i], {}});
            const Point at =
                point(step, name(i) + ", ", sum(gauss.a[i], slope), theta0 + sum(gauss.a[i], gain), slope[i], time(i));
            const Vec rho = symbols_like(sys.graph, name(i) + ", rho of ", sys.lambda);
            const Vec pulled =
                substitute(sys.applied() - gradient(dot(kappa_leaf, sys.phi), sys.q), {{kappa_leaf, kappa}});
            const Vec right = sys.at(pulled, at) - sys.at(reaction(rho), at);
            step.find.push_back({rho, {}});
            step.equations.push_back(gain[i] == right);
            step.equations.push_back(dependent(right) == zeros_like(sys.g));
            step.stages.push_back({at.q, at.v, {}, at.t});
        }
        const Vec v1 = velocity_at_the_end(step), theta1 = theta0 + sum(gauss.b, gain);
        const Point end = point(step, "end, ", sum(gauss.b, slope), theta1, v1, sys.t + h);
        step.increment = concat({end.q - sys.q, theta1 + sys.at(reaction(kappa), end) - sys.p});
        carry_positions_and_momenta(step, sys, last_components(step.hint, sys.q.size()));
        step.manifold = concat({sys.g, sys.phi});
        step.chart = depends();
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
    // On the constraints, with v and kappa there that belong to theta.
    Point point(Step& step, const std::string& label, const Vec& move, const Vec& theta, const Vec& v, const Expr& t) {
        Point at = on_constraints(step, label, move, v, t);
        kappa = symbols_like(sys.graph, label + "kappa of ", sys.lambda);
        step.find.push_back({kappa, {}});
        at.p = theta + sys.at(reaction(kappa), at);
        step.equations.push_back(sys.legendre(at));
        require_hidden(step, at);
        return at;
    }

    Vec kappa; // of the point made last
    Vec kappa_leaf = symbols_like(sys.graph, "any multiplier of ", sys.lambda);
};

// (d, d'): d' = A v, d'' = A a with a from the multiplier equations.
class PlainChart : ChartStages {
  public:
    PlainChart(const Nonholonomic& system, const std::vector<Vec>& picks, const Tableau& tableau)
        : ChartStages(system, picks, tableau, system.acceleration()) {}

    Step step() {
        Step step{.graph = sys.model.graph, .state = concat({sys.q, sys.v}), .h = h, .t = sys.t};
        for (std::size_t i = 0; i < slope.size(); ++i) {
            const Vec p = sys.has_lagrangian() ? Vec() : symbols_like(sys.graph, name(i) + " of ", sys.p);
            if (!p.empty()) find_from_last(step, p, sys.p);
            find_from_last(step, slope[i], sys.v);
            Point at = point(step, name(i) + ", ", sum(gauss.a[i], slope), sum(gauss.a[i], gain), slope[i], time(i));
            at.p = p;
            if (!p.empty()) step.equations.push_back(sys.legendre(at));
            const Nonholonomic::Multiplier m = sys.multiplier(at, name(i) + ", ");
            for (const Vec& unknown : {gain[i], m.a, m.lambda}) step.find.push_back({unknown, {}});
            step.equations.insert(step.equations.end(), m.equations.begin(), m.equations.end());
            step.equations.push_back(gain[i] == m.a);
            step.stages.push_back({at.q, at.v, {}, at.t});
        }
        const Vec v1 = velocity_at_the_end(step);
        const Point end = point(step, "end, ", sum(gauss.b, slope), sum(gauss.b, gain), v1, sys.t + h);
        step.increment = concat({end.q - sys.q, v1 - sys.v});
        const std::size_t n = sys.q.size(); // of a Hamiltonian, (p, v) of each stage are carried
        const Vec last_p = sys.has_lagrangian() ? Vec() : first_components(last_components(step.hint, 2 * n), n);
        carry_positions_and_velocities(step, sys, last_p);
        step.form = {};
        step.chart = depends();
        return step;
    }

  private:
    Point point(Step& step, const std::string& label, const Vec& move, const Vec& faster, const Vec& v, const Expr& t) {
        Point at = on_constraints(step, label, move, v, t);
        const Vec nu = symbols_like(sys.graph, label + "speed along ", sys.g);
        step.find.push_back({nu, {}});
        step.equations.push_back(v == along(sys.v, nu, faster));
        require_hidden(step, at);
        return at;
    }
};

} // namespace

Step canonical_chart_step(const Nonholonomic& sys, const std::vector<Vec>& rows, const Tableau& gauss) {
    return CanonicalChart(sys, rows, gauss).step();
}

Step plain_chart_step(const Nonholonomic& sys, const std::vector<Vec>& rows, const Tableau& gauss) {
    return PlainChart(sys, rows, gauss).step();
}

} // namespace rattleback
