// Holonomic constraints as Hamilton's equations in all of (q, p).
#pragma once

#include <rattleback/formulation.hpp>

namespace rattleback {

// Holonomic constraints as ordinary differential equations in all of (q, p) that leave g = 0, psi = 0 invariant, psi =
// {g, H} + g_t (Leimkuhler and Reich 1994, section 3; Dirac's theory). mu and eta are functions of (t, q, p) with
//     {g, psi} eta = -psi,     {psi, g} mu = -{psi, H} - psi_t - {psi, psi} eta
// What vanishes with g and psi may be added to the right-hand sides (section 3.2): alpha g to the first, which leaves
// the manifold invariant and changes what happens beside it. A Lagrangian must be quadratic in v: H is then a formula,
// with a linear system for v in it.
struct Dirac : Mechanics {
    explicit Dirac(const Model& model);

    Expr H;
    Vec g, psi;                                                 // of (t, q, p)
    Vec bracket(const Vec& a, const Expr& b) const;             // {a_i, b}
    std::vector<Expr> matrix(const Vec& a, const Vec& b) const; // {a_i, b_j}, row-major
    Vec eta(quad alpha = 0) const;                              // {g, psi} eta = alpha g - psi
    Vec weak_eta(quad alpha) const;                             // {g, psi} eta = alpha g: what is left with psi = 0
    Vec mu(const Vec& eta) const;
    Expr with(const Vec& eta) const;                // H + mu . g + eta . psi
    Expr total(quad alpha = 0) const;               // (16)-(17): of eta
    Expr simplified(quad alpha = 0) const;          // (18)-(19): of weak_eta; H + mu . g where alpha = 0
    Expr linear() const;                            // H at the q with g = 0 nearest to q in the metric; g linear in q
    Vec field(const Expr& hamiltonian) const;       // (H_p, -H_q)
    Vec field(const Vec& mu, const Vec& eta) const; // of H + mu . g + eta . psi as if mu and eta were constant
    FirstOrder hamiltonian(const Expr& total) const;
    FirstOrder weak(quad alpha = 0) const; // (30)-(31): q' = H_p + psi_p^T eta, p' = -H_q - G^T mu - psi_q^T eta

  private:
    Vec solved(const std::vector<Expr>& matrix, const Vec& right, const char* name) const;
};

// H(t, q, p): the model's, or of a Lagrangian quadratic in v. Throws Unsuitable.
Expr hamiltonian_of(const Mechanics& system);
Vec scalars(const Vec& f); // families written out

} // namespace rattleback
