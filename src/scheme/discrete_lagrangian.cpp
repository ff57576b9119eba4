// Discrete Lagrangians L_d(q0, q1), all scaled like h L: the integral of L over one step.
//   alpha      S_a = h L((1-a) q0 + a q1, w),  w = (q1 - q0)/h       (midpoint: a = 1/2)
//   sym_alpha  (S_a + S_{1-a}) / 2                                   (verlet, the trapezoid rule: a = 0)
//   model      what the model's [discrete] table says
//   galerkin   sum_i h b_i L(Q_i, W_i), Q_i = q0 + h sum_j a_ij W_j, Gauss points: polynomials of degree s, order 2s
#include "scheme/common.hpp"

#include "expr/graph.hpp"
#include "scheme/discrete_table.hpp"
#include "scheme/group_action.hpp"

namespace rattleback {
namespace {

class Builder {
  public:
    Builder(const Mechanics& mechanics, const Expr& integrand)
        : mechanics_(mechanics), integrand_(integrand), h_(step_size(mechanics.model)) {
        Graph& g = mechanics.graph;
        ld_.q0 = symbols_like(g, "q0 ", mechanics.q);
        ld_.q1 = symbols_like(g, "q1 ", mechanics.q);
        ld_.mean = 0;
    }

    void slope(const std::string& prefix, quad weight) {
        ld_.slopes.push_back(symbols_like(mechanics_.graph, prefix, mechanics_.v));
        ld_.weights.push_back(weight);
    }

    // Adds weight * h * L(t + c h, Q, W); dQ/dW_i = h along[i].
    void term(quad weight, quad c, const Vec& Q, const Vec& W, const std::vector<quad>& along) {
        ld_.points.push_back({weight, along, {Q, W, mechanics_.t + Expr(c) * h_}});
        if (!mechanics_.has_lagrangian())
            ld_.points.back().at.p =
                symbols_like(mechanics_.graph, "point " + std::to_string(ld_.points.size()) + " of ", mechanics_.p);
        ld_.mean = ld_.mean + Expr(weight) * mechanics_.at(Vec({{"L", integrand_}}), ld_.points.back().at)[0].value;
    }
    void s_alpha(quad weight, quad a) { term(weight, a, Expr(1 - a) * ld_.q0 + Expr(a) * ld_.q1, ld_.slopes[0], {a}); }

    DiscreteLagrangian finish(int order, bool symmetric) {
        ld_.order = order, ld_.symmetric = symmetric;
        return std::move(ld_);
    }
    const Vec& q0() const { return ld_.q0; }
    const Vec& w(std::size_t i) const { return ld_.slopes[i]; }
    const Expr& h() const { return h_; }

  private:
    const Mechanics& mechanics_;
    Expr integrand_, h_;
    DiscreteLagrangian ld_;
};

DiscreteLagrangian galerkin(Builder& build, int stages) {
    const Tableau t = gauss(stages);
    const std::size_t s = t.b.size();
    for (std::size_t i = 0; i < s; ++i) build.slope("slope " + std::to_string(i + 1) + " of ", t.b[i]);
    for (std::size_t i = 0; i < s; ++i) {
        Vec Q = build.q0();
        for (std::size_t j = 0; j < s; ++j) Q = Q + (build.h() * Expr(t.a[i][j])) * build.w(j);
        build.term(t.b[i], t.c[i], Q, build.w(i), t.a[i]);
    }
    return build.finish(2 * stages, true);
}

} // namespace

void require_effect(const Options& options, const std::string& option, const std::string& ld, bool used,
                    const std::string& settings) {
    if (options.has(option) && !used)
        throw BadMethod("option " + option + "=" + options.values().at(option) + " has no effect with ld=" + ld +
                        "; it is for " + settings);
}

DiscreteLagrangian discrete_lagrangian(const Mechanics& mechanics, const Options& options) {
    const std::string name = options.word("ld", "midpoint", discrete_lagrangians);
    require_effect(options, "alpha", name, name == "alpha" || name == "sym_alpha", "ld=alpha and ld=sym_alpha");
    require_effect(options, "stages", name, name == "galerkin", "ld=galerkin");
    if (name == "model") return given_lagrangian(mechanics);
    const quad half = static_cast<quad>(1) / 2;
    const quad alpha = name == "midpoint" ? half
                       : name == "verlet" ? 0
                                          : options.number("alpha", name == "alpha" ? half : 0);
    return discrete_lagrangian(mechanics, name, alpha, name == "galerkin" ? options.integer("stages", 2, 1, 10) : 1);
}

DiscreteLagrangian discrete_lagrangian(const Mechanics& mechanics, const std::string& name, quad a, int stages) {
    return discrete_action(mechanics, mechanics.lagrangian(), name, a, stages);
}

DiscreteLagrangian discrete_action(const Mechanics& mechanics, const Expr& integrand, const std::string& name, quad a,
                                   int stages) {
    const quad half = static_cast<quad>(1) / 2;
    Builder build(mechanics, integrand);
    if (name == "galerkin") return galerkin(build, stages);
    build.slope("slope of ", 1);
    if (name == "midpoint" || name == "alpha") {
        build.s_alpha(1, a);
        return build.finish(a == half ? 2 : 1, a == half);
    }
    build.s_alpha(half, a);
    build.s_alpha(half, 1 - a);
    return build.finish(2, true);
}

PointMomenta point_momenta(const Mechanics& sys, const DiscreteLagrangian& Ld, const Vec& q, const Vec& q1) {
    PointMomenta momenta;
    if (sys.has_lagrangian()) return momenta;
    for (const QuadraturePoint& x : Ld.points) {
        momenta.unknowns = concat({momenta.unknowns, x.at.p}), momenta.first = concat({momenta.first, sys.p});
        momenta.equations.push_back(sys.legendre(placed(Ld, x.at, q, q1)));
    }
    return momenta;
}

void PointMomenta::add(std::vector<Unknown>& find, std::vector<Equation>& to, const Vec& guess) const {
    if (unknowns.empty()) return;
    find.push_back({unknowns, guess});
    to.insert(to.end(), equations.begin(), equations.end());
}

void find_point_momenta(Step& step, const Mechanics& sys, const DiscreteLagrangian& Ld, const Vec& q1) {
    const PointMomenta momenta = point_momenta(sys, Ld, sys.q, q1);
    if (momenta.unknowns.empty()) return;
    find_from_last(step, momenta.unknowns, momenta.first);
    step.equations.insert(step.equations.end(), momenta.equations.begin(), momenta.equations.end());
}

QuadraturePoint midpoint_of(const Mechanics& sys, const DiscreteLagrangian& Ld) {
    const quad half = static_cast<quad>(1) / 2;
    return {1, {half}, {Expr(half) * (Ld.q0 + Ld.q1), Ld.slopes[0], sys.t + step_size(sys.model) / 2}};
}

std::vector<PointForce> applied_forces(const Mechanics& sys, const DiscreteLagrangian& Ld) {
    std::vector<PointForce> forces;
    if (sys.model.force.empty() || Ld.action) return forces;
    if (Ld.given && !sys.model.discrete->force_0.empty())
        return end_forces(sys, Ld, sys.model.discrete->force_0, sys.model.discrete->force_1);
    const auto points = Ld.slopes.size() == 1 ? std::vector{midpoint_of(sys, Ld)} : Ld.points;
    for (const QuadraturePoint& x : points) forces.push_back({x, sys.at(sys.model.force, x.at)});
    return forces;
}

DiscreteMomenta discrete_momenta(const Mechanics& sys, const DiscreteLagrangian& Ld,
                                 const std::vector<PointForce>& forces, const Vec& q) {
    if (Ld.action) return group_momenta(sys, Ld);
    const Expr h = step_size(sys.model);
    DiscreteMomenta result{zeros_like(sys.q), {}, {}, {}, {}};
    for (std::size_t i = 0; i < Ld.slopes.size(); ++i) result.dq = result.dq + (h * Expr(Ld.weights[i])) * Ld.slopes[i];
    result.q1 = q + result.dq;
    const auto here = [&](const Vec& f) { return substitute(f, {{Ld.q0, q}, {Ld.q1, result.q1}}); };
    // f_j = h b_j F_j of the virtual work sum_j f_j . dQ_j; dQ_j/dW_i = h a_ji.
    Vec total = zeros_like(sys.q);
    for (const PointForce& f : forces) total = total + (h * Expr(f.point.weight)) * f.force;
    const Vec A_q0 = gradient(h * Ld.mean, Ld.q0), A_q1 = gradient(h * Ld.mean, Ld.q1);
    for (std::size_t i = 0; i < Ld.slopes.size(); ++i) {
        Vec left = gradient(Ld.mean, Ld.slopes[i]) / Expr(Ld.weights[i]) - A_q0;
        for (const PointForce& f : forces) { // (f_j . dQ_j/dW_i)/(h b_i) - f_j
            const quad weight = f.point.weight * (f.point.along[i] / Ld.weights[i] - 1);
            if (weight != 0) left = left + (h * Expr(weight)) * f.force;
        }
        result.left.push_back(here(left));
    }
    result.change = here(A_q0 + A_q1 + total);
    Vec right = gradient(Ld.mean, Ld.slopes[0]) / Expr(Ld.weights[0]) + A_q1;
    for (const PointForce& f : forces) // what left and change have in common does not even cancel
        right = right + (h * Expr(f.point.weight * f.point.along[0] / Ld.weights[0])) * f.force;
    result.right = here(right);
    return result;
}

namespace {

// Formulas of a step from q, as formulas of the step before: with its slope u, its momenta and its time.
class StepBefore {
  public:
    StepBefore(const Mechanics& sys, const DiscreteLagrangian& Ld, const Vec& u) : q(sys.q - step_size(sys.model) * u) {
        const Vec of_points = point_momenta(sys, Ld, sys.q, sys.q).unknowns;
        momenta = symbols_like(sys.graph, "before, ", of_points);
        rules_ = {{Ld.slopes[0], u}, {sys.model.time_vec(), Vec({{"t", sys.t - step_size(sys.model)}})}};
        if (!of_points.empty()) rules_.push_back({of_points, momenta});
    }
    Vec operator()(const Vec& f) const { return substitute(f, rules_); }

    Vec q, momenta;

  private:
    std::vector<Substitution> rules_;
};

} // namespace

Vec momentum_of_last_step(const Mechanics& sys, const DiscreteLagrangian& Ld, const Vec& u) {
    const StepBefore before(sys, Ld, u);
    return before(discrete_momenta(sys, Ld, applied_forces(sys, Ld), before.q).right);
}

PointMomenta last_point_momenta(const Mechanics& sys, const DiscreteLagrangian& Ld, const Vec& u) {
    const StepBefore before(sys, Ld, u);
    const Vec q1 = before.q + step_size(sys.model) * Ld.slopes[0];
    PointMomenta result = point_momenta(sys, Ld, before.q, q1);
    result.unknowns = before.momenta;
    for (Equation& e : result.equations) e = before(e.lhs) == before(e.rhs);
    return result;
}

} // namespace rattleback
