// Gauss collocation for nonholonomic mechanics, constraints exact at the nodes. The index-reduced equations
//     q' = v,   p' = L_q + F - A^T lambda(t, q, v)
// are integrated by Gauss collocation from p0 + A(q0, v0)^T nu to p1 - A(q1, v1)^T nu; nu is such that phi(q1, v1) = 0.
// The same nu at both ends makes it a symmetric projection (Hairer 2000): order 2s, symmetric. Holonomic constraints
// move q0 and q1 along M^-1 G^T sigma likewise.
#include "scheme/iteration.hpp"

namespace rattleback {

using enum Condition;

namespace {

class NhGauss {
  public:
    NhGauss(const Nonholonomic& system) : sys(system), h(step_size(system.model)), t(system.t) {}

    Step step(const Tableau& tableau) {
        const Vec q0 = symbols_like(sys.graph, "shifted ", sys.q), p0 = symbols_like(sys.graph, "shifted ", sys.p);
        // Gauss from (q0, p0), then the ends are moved.
        Step inner = runge_kutta(sys.model, sys.canonical(), tableau).step;
        const Vec x = concat({sys.q, sys.p}), shifted = concat({q0, p0});
        begin_at(inner, x, shifted);
        Step step = inner;

        const Vec left = ends(step, "left ", {sys.q, t}, sys.p);
        const Vec q1 = symbols_like(sys.graph, "next ", sys.q), p1 = symbols_like(sys.graph, "next ", sys.p);
        const Vec right = ends(step, "right ", {q1, t + h}, p1);
        const Vec phi = sys.at(sys.phi, {q1, velocity_, t + h}), g = sys.at(sys.g, {q1, velocity_, t + h});
        // nu and sigma may be nothing but round-off: beside p and q their increments have a scale.
        step.find.push_back({q0, sys.q}), step.find.push_back({p0, sys.p});
        step.find.push_back({concat({q1, sigma_}), concat({sys.q, zeros_like(sigma_)})});
        step.find.push_back({concat({p1, nu_}), concat({sys.p, zeros_like(nu_)})});
        step.equations.push_back(shifted == x + left);
        step.equations.push_back(concat({q1, p1}) == shifted + inner.increment + right);
        step.equations.push_back(phi == zeros_like(phi));
        if (!sys.g.empty()) step.equations.push_back(g == zeros_like(g));
        step.increment = left + inner.increment + right;
        carry_positions_and_momenta(step, sys, {});
        return step;
    }

  private:
    struct End {
        Vec q;
        Expr t;
    };
    // (M^-1 G^T sigma, A^T nu) at an end of the step, with the velocity there as a further unknown.
    Vec ends(Step& step, const std::string& label, const End& end, const Vec& p) {
        velocity_ = symbols_like(sys.graph, label, sys.v);
        const Point at{end.q, velocity_, end.t, p};
        Vec dq = zeros_like(sys.q);
        const Vec dp = substitute(sys.at(sys.reaction(sys.lambda), at), {{sys.lambda, nu_}});
        const std::size_t n = sys.q.size(), all = 2 * n + sys.lambda.size(); // a stage's v, a, lambda
        step.find.push_back({velocity_, sys.has_lagrangian() ? first_components(last_components(step.hint, all), n)
                                                             : gradient(sys.model.function, sys.p)});
        const Equation legendre = sys.legendre(at);
        step.equations.push_back(legendre.rhs == legendre.lhs);
        if (!sys.g.empty()) {
            dq = symbols_like(sys.graph, label + "shift of ", zero_border(sys.q));
            step.find.push_back({dq, {}});
            step.equations.push_back(sys.metric(at, dq, sys.at(gradient(dot(sigma_, sys.g), sys.q), at)));
        }
        return concat({dq, dp});
    }

    const Nonholonomic& sys;
    Expr h, t;
    Vec velocity_; // at the end treated last
    Vec nu_ = symbols_like(sys.graph, "shift along ", sys.phi), sigma_ = symbols_like(sys.graph, "shift along ", sys.g);
};

} // namespace

extern const Scheme nh_gauss_scheme;
const Scheme nh_gauss_scheme = {
    .id = "nh_gauss",
    .title = "symmetrically projected Gauss collocation for nonholonomic mechanics",
    .cite = "hairer2000",
    .takes = "nonholonomic, any regular L or H, any velocity constraints, also with holonomic ones",
    .options = {{"stages", "1", "1 to 16; the order is twice as high"},
                {"iteration", "auto",
                 "auto: fixed or kronecker where Newton's matrices are large and these contract, else newton; fixed: "
                 "slopes from those of the last iteration, a vector lane a stage, and newton where that is slow; "
                 "kronecker: the same with a simplified Newton method, for stiff systems"},
                iteration_tol_option()},
    .order = [](const Options& o) { return 2 * o.integer("stages", 1, 1, 16); },
    .claims = [](const Options& o) -> std::vector<Claim> {
        return kept_by_iterations(
            o, {{Property::symplectic, Answer::no},
                {Property::constraint_exact, Answer::yes},
                {Property::holonomic_exact, Answer::yes},
                {Property::constraint_at_stages, Answer::no},
                {Property::holonomic_at_stages, Answer::no},
                {Property::energy_exact, Answer::no},
                {Property::energy_bounded, Answer::unknown},
                {Property::momentum_exact, Answer::yes, {horizontal_symmetry, generator_affine, no_forces_along_it}},
                {Property::symmetric, Answer::yes},
                {Property::reversible, Answer::yes, {L_even, constraints_homogeneous, forces_even_in_v, no_time}}});
    },
    .build = [](const Model& model, const Options& o) -> Method {
        const Nonholonomic sys = nonholonomic(model, "nh_gauss");
        const int s = o.integer("stages", 1, 1, 16);
        const std::vector<std::string_view> iterations{"newton", "fixed", "kronecker", "auto"};
        o.word("iteration", "auto", iterations); // see src/run/stages.hpp
        check_iteration_tol(o);
        return {.id = "nh_gauss", .step = NhGauss(sys).step(gauss(s)), .order = 2 * s};
    },
};

} // namespace rattleback
