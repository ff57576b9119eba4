// What schemes are written with: Runge-Kutta on any first-order system, nodes.
#pragma once

#include <rattleback/scheme.hpp>

namespace rattleback {

Expr step_size(const Model& model); // the leaf h

// Runge-Kutta coefficients: computed, never typed.
struct Tableau {
    std::vector<std::vector<quad>> a;
    std::vector<quad> b, c;
    int stages() const { return static_cast<int>(b.size()); }
};
Tableau gauss(int stages);     // collocation at the zeros of the Legendre polynomial
Tableau lobatto_a(int stages); // Lobatto IIIA: collocation at the zeros of x (x - 1) P'_{s-1}, both ends among them
Tableau symplectic_partner(const Tableau& t); // b_i a^_ij + b_j a_ji = b_i b_j; of Lobatto IIIA it is IIIB
Tableau classical_rk4();

// Where a first-order system is taken: in place of its x, y and t.
struct At {
    Vec x, y;
    Expr t;
};

//   X_i = x + h sum_j a_ij K_j,  K_i = rate(t + c_i h, X_i, Y_i),  0 = algebraic(t + c_i h, X_i, Y_i)
//   x_next = x + h sum_i b_i K_i
struct RungeKuttaStep {
    Step step;
    std::vector<Vec> slopes; // K_i
    std::vector<At> stages;
};
RungeKuttaStep runge_kutta(const Model& model, const FirstOrder& system, const Tableau& tableau);

// A Runge-Kutta step on whatever the model is: canonical equations, those of variational constraints, J z' = grad H.
Step runge_kutta_step(const Model& model, const Tableau& tableau, std::vector<Vec>* slopes = nullptr);

Vec first_components(const Vec& v, std::size_t n);
Vec last_components(const Vec& v, std::size_t n);

// Adds unknowns whose last values are where Newton starts; `first`: in the first step.
void find_from_last(Step& step, const Vec& unknowns, const Vec& first);

// Completes a step that carries (q, p): start, reversal, node, canonical two-form.
void carry_positions_and_momenta(Step& step, const Mechanics& mechanics, const Vec& velocity_guess);
// Likewise with constraints; the node also shows the multiplier as a function of its (t, q, v).
void carry_positions_and_momenta(Step& step, const Nonholonomic& system, const Vec& velocity_guess);
void carry_positions_and_velocities(Step& step, const Nonholonomic& system, const Vec& momentum_guess = {});
void carry_positions_and_momenta(Step& step, const Variational& system, const Vec& velocity_guess,
                                 const Vec& lambda_guess);
void carry_positions_and_velocities(Step& step, const Mechanics& mechanics); // likewise for (q, v)

Nonholonomic nonholonomic(const Model& model, const std::string& method); // throws Unsuitable
Nonholonomic holonomic(const Model& model, const std::string& method);    // throws Unsuitable; no g is allowed
void require_unconstrained(const Model& model, const std::string& method);
bool is_variational(const Model& model); // velocity constraints inside the action

} // namespace rattleback
