// What RATTLE and the Lobatto IIIA-IIIB methods for holonomic constraints (Jay 1996, "SPARK") share: the constrained
// system as they see it, and the forms in which they write its equations so that rounding does not drift.
#pragma once

#include <rattleback/operators.hpp>

namespace rattleback {

//     p' = L_q + F - G^T Lambda,     p = L_v(q, v),     g(q) = 0,     g_q v + g_t = 0,     G = g_q
// with v = H_p and -H_q in place of L_q for a Hamiltonian. Variational velocity constraints have multipliers lambda of
// their own inside the action: p = F_v(q, v, lambda) and phi(q, v) = 0 with F = L - lambda . phi, and F_q for L_q.
struct Spark {
    explicit Spark(const Nonholonomic& system);
    explicit Spark(const Variational& system);

    const Mechanics& sys;
    Vec g, Lambda;                  // holonomic constraints; their multipliers (leaves)
    Vec hidden;                     // dg/dt = g_q v + g_t
    Vec lambda;                     // multipliers inside the action (leaves)
    std::vector<Equation> legendre; // for (v, lambda) from (q, p)
    Vec rate;                       // p', of all leaves above

    // Values for the leaves: what is known of the system at a stage, or at the end of a step.
    struct Values {
        Vec q, p, v, Lambda, lambda;
        Expr t;
    };
    Vec at(const Vec& f, const Values& there) const;
    void require_legendre(Step& step, const Values& there) const;
    Values unknowns(const std::string& label) const; // new leaves for p, v, Lambda and lambda; q and t are left open

    // The conditions at the end of a step, which determine the last multiplier: p1 = L_v(q1, v1) and g_q v1 + g_t = 0.
    // Without constraints there are none.
    void require_hidden_constraint(Step& step, const Vec& q1, const Vec& p1, const Expr& t1) const;

    // --- rounding ----------------------------------------------------------------------------------------------------
    // In exact arithmetic these forms change nothing. Without them the rounding errors of a step have a direction: far
    // below a unit in the last place, but in 1e7 steps they add up, and conserved quantities drift.

    // p = L_v(v) does not depend on q, t or lambda: equal momenta have equal velocities, and a sum over stages with one
    // momentum is one product. Two additions would be rounded twice, with a direction.
    bool velocity_follows_from_momentum() const;
    // g is quadratic in q and without time: see constraint_after.
    bool is_quadratic() const;
    // g(q + move). If g is quadratic, as g(q) + G(q) move + g''(move, move)/2: then Newton's method does not see that
    // q + move is rounded, by steps of one unit in the last place. A multiplier that follows such steps makes angular
    // momentum drift: by 7e-21 a step on a spherical pendulum with h = 0.01.
    Vec constraint_after(const Vec& move, const Values& there, bool quadratic) const;
};

// Completes a step with state (q, p): start, node, reversal, two-form, and where Newton's method finds Lambda at first.
void complete(Step& step, const Nonholonomic& system);
void complete(Step& step, const Variational& system, const Spark& spark);

std::vector<Claim> spark_claims(const std::vector<Condition>& reversible_if);

} // namespace rattleback
