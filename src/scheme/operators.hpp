// What schemes are written with: Runge-Kutta on any first-order system, discrete Lagrangians, nodes.
#pragma once

#include <rattleback/scheme.hpp>

#include "scheme/tableau.hpp"

namespace rattleback {

Expr step_size(const Model& model); // the leaf h

// f at other arguments: x, y and t replaced.
struct At {
    Vec x, y;
    Expr t;
};
Vec evaluate(const Vec& f, const Model& model, const FirstOrder& system, const At& at);

//   X_i = x + h sum_j a_ij K_j,  K_i = rate(t + c_i h, X_i, Y_i),  0 = algebraic(t + c_i h, X_i, Y_i)
//   x_next = x + h sum_i b_i K_i
struct RungeKuttaStep {
    Step step;
    std::vector<Vec> slopes; // K_i
};
RungeKuttaStep runge_kutta(const Model& model, const FirstOrder& system, const Tableau& tableau);

// The step of a Runge-Kutta method on whatever the model is: canonical equations, or J z' = grad H.
Step runge_kutta_step(const Model& model, const Tableau& tableau, std::vector<Vec>* slopes = nullptr);

// Completes a step that carries (q, p): start, reversal, node, canonical two-form.
void carry_positions_and_momenta(Step& step, const Mechanics& mechanics, const Vec& velocity_guess);
// Likewise for (q, v).
void carry_positions_and_velocities(Step& step, const Mechanics& mechanics);

void require_unconstrained(const Model& model, const std::string& method);

// A discrete Lagrangian L_d(q0, q1) as an action of the end points and of slopes W_i with q1 = q0 + h sum b_i W_i.
// With A = action(q0, q1, W): p0 = A_{W_i}/(h b_i) + along_i - A_{q0} - total for every i, and
// p1 - p0 = A_{q0} + A_{q1} + total, where along_i and total come from forces.
struct DiscreteLagrangian {
    std::vector<Vec> slopes; // leaves
    std::vector<quad> weights;
    Vec q0, q1;  // leaves
    Expr action; // in q0, q1, slopes, h, t
    // Forces as virtual work, sum_j f_j . dq_j over the quadrature: total_force = sum_j f_j, and force_along[i] is what
    // they add to A_{W_i}/(h b_i). With one slope: h F and (h/2) F, F at the midpoint.
    Vec total_force;
    std::vector<Vec> force_along;
    int order;
    bool symmetric;
};
DiscreteLagrangian discrete_lagrangian(const Mechanics& mechanics, const Options& options);
inline constexpr std::string_view discrete_lagrangians[] = {"midpoint", "alpha", "sym_alpha", "verlet", "galerkin"};

} // namespace rattleback
