// Discrete Lagrangians L_d(q0, q1), all scaled like h L: the integral of L over one step.
//   alpha      S_a = h L((1-a) q0 + a q1, w),  w = (q1 - q0)/h       (midpoint: a = 1/2)
//   sym_alpha  (S_a + S_{1-a}) / 2                                   (verlet, the trapezoid rule: a = 0)
//   galerkin   sum_i h b_i L(Q_i, W_i), Q_i = q0 + h sum_j a_ij W_j, Gauss points: polynomials of degree s, order 2s
#include "scheme/operators.hpp"

namespace rattleback {
namespace {

class Builder {
  public:
    Builder(const Mechanics& mechanics) : mechanics_(mechanics), h_(step_size(mechanics.model)) {
        Graph& g = mechanics.graph;
        ld_.q0 = symbols_like(g, "q0 ", mechanics.q);
        ld_.q1 = symbols_like(g, "q1 ", mechanics.q);
        ld_.action = 0;
    }

    void slope(const std::string& prefix, quad weight) {
        ld_.slopes.push_back(symbols_like(mechanics_.graph, prefix, mechanics_.v));
        ld_.weights.push_back(weight);
    }

    // Adds weight * h * L(t + c h, Q, W).
    void term(quad weight, quad c, const Vec& Q, const Vec& W) {
        const Vec time({{"t", mechanics_.t + Expr(c) * h_}});
        ld_.action =
            ld_.action + (Expr(weight) * h_) *
                             substitute(mechanics_.model.function,
                                        {{mechanics_.q, Q}, {mechanics_.v, W}, {mechanics_.model.time_vec(), time}});
    }
    void s_alpha(quad weight, quad a) { term(weight, a, Expr(1 - a) * ld_.q0 + Expr(a) * ld_.q1, ld_.slopes[0]); }

    Vec force(quad c, const Vec& Q, const Vec& W) const { return mechanics_.force(Q, W, mechanics_.t + Expr(c) * h_); }
    void forces(Vec total, std::vector<Vec> along) {
        ld_.total_force = std::move(total), ld_.force_along = std::move(along);
    }
    void midpoint_force() {
        const quad half = static_cast<quad>(1) / 2;
        const Vec F = force(half, Expr(half) * (ld_.q0 + ld_.q1), ld_.slopes[0]);
        forces(h_ * F, {(h_ / 2) * F});
    }

    DiscreteLagrangian finish(int order, bool symmetric) {
        ld_.order = order, ld_.symmetric = symmetric;
        return std::move(ld_);
    }
    const Vec& q0() const { return ld_.q0; }
    const Vec& w(std::size_t i) const { return ld_.slopes[i]; }
    const Expr& h() const { return h_; }

  private:
    const Mechanics& mechanics_;
    Expr h_;
    DiscreteLagrangian ld_;
};

DiscreteLagrangian galerkin(Builder& build, int stages) {
    const Tableau t = gauss(stages);
    const std::size_t s = t.b.size();
    for (std::size_t i = 0; i < s; ++i) build.slope("slope " + std::to_string(i + 1) + " of ", t.b[i]);
    std::vector<Vec> F; // at the stages
    for (std::size_t i = 0; i < s; ++i) {
        Vec Q = build.q0();
        for (std::size_t j = 0; j < s; ++j) Q = Q + (build.h() * Expr(t.a[i][j])) * build.w(j);
        build.term(t.b[i], t.c[i], Q, build.w(i));
        F.push_back(build.force(t.c[i], Q, build.w(i)));
    }
    // f_j = h b_j F_j and dQ_j/dW_i = h a_ji.
    Vec total = zeros_like(F[0]);
    std::vector<Vec> along(s, total);
    for (std::size_t j = 0; j < s; ++j) {
        total = total + (build.h() * Expr(t.b[j])) * F[j];
        for (std::size_t i = 0; i < s; ++i)
            along[i] = along[i] + (build.h() * Expr(t.b[j] * t.a[j][i] / t.b[i])) * F[j];
    }
    build.forces(total, along);
    return build.finish(2 * stages, true);
}

} // namespace

DiscreteLagrangian discrete_lagrangian(const Mechanics& mechanics, const Options& options) {
    if (!mechanics.has_lagrangian())
        throw Unsuitable(
            "a discrete Lagrangian needs a Lagrangian; this model gives a Hamiltonian (try gauss or midpoint)");
    const std::string name = options.word("ld", "midpoint", discrete_lagrangians);
    const auto only_for = [&](const std::string& option, bool used, const std::string& settings) {
        if (options.has(option) && !used)
            throw BadMethod("option " + option + "=" + options.values().at(option) + " has no effect with ld=" + name +
                            "; it is for " + settings);
    };
    only_for("alpha", name == "alpha" || name == "sym_alpha", "ld=alpha and ld=sym_alpha");
    only_for("stages", name == "galerkin", "ld=galerkin");
    const quad half = static_cast<quad>(1) / 2;
    Builder build(mechanics);
    if (name == "galerkin") return galerkin(build, options.integer("stages", 2, 1, 10));
    build.slope("slope of ", 1);
    build.midpoint_force();
    if (name == "midpoint" || name == "alpha") {
        const quad a = name == "midpoint" ? half : options.number("alpha", half);
        build.s_alpha(1, a);
        return build.finish(a == half ? 2 : 1, a == half);
    }
    const quad a = name == "verlet" ? 0 : options.number("alpha", 0);
    build.s_alpha(half, a);
    build.s_alpha(half, 1 - a);
    return build.finish(2, true);
}

} // namespace rattleback
