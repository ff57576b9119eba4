// What a model becomes before a method sees it: the objects the papers speak of, still symbolic.
#pragma once

#include <rattleback/model.hpp>

namespace rattleback {

// A model a theory does not apply to; what() says why and what to do.
struct Unsuitable : Error {
    using Error::Error;
};

// x' = rate(t, x, y) with y from 0 = algebraic(t, x, y): every Runge-Kutta method acts on this.
struct FirstOrder {
    std::shared_ptr<Graph> graph;
    Vec x, y; // leaves
    Vec rate; // shaped like x
    std::vector<Equation> algebraic;
    Vec y_start; // y at the start, as formulas of the model's q, v, p (or z)
};

// Where formulas of (t, q, v) are taken; those of a Hamiltonian need the momentum there, too.
struct Point {
    Vec q, v;
    Expr t;
    Vec p = {};
    Vec centre = {}; // of the charts of group coordinates; empty: the model's
};

// Regular mechanics without constraints: L(t,q,v) or H(t,q,p), with forces F(t,q,v). The Lagrangian of a Hamiltonian is
// L = p . v - H(t, q, p), stationary in p: L_v = p, L_q = -H_q, and p is an unknown with v = H_p(t, q, p).
struct Mechanics {
    explicit Mechanics(const Model& model);

    const Model& model;
    Graph& graph;
    Vec q, v, p; // the model's leaves
    Vec u;       // likewise: inputs with H_u = 0, where that is no formula for them
    Expr t;
    bool has_lagrangian() const { return model.kind == Model::lagrangian; }
    Expr lagrangian() const;                                             // L; p . v - H of a Hamiltonian
    Vec at(const Vec& f, const Point& point) const;                      // a formula of (t, q, v), or p, there
    Vec force(const Vec& at_q, const Vec& at_v, const Expr& at_t) const; // zero if there is none

    Equation metric(const Point& point, const Vec& w, const Vec& f) const; // L_vv w = f there, or w = H_pp f
    Expr energy() const;      // of (t, q, v), or of (t, q, p) for a Hamiltonian
    Vec momentum() const;     // L_v(t, q, v), or p
    Vec applied() const;      // L_q + F, or F - H_q
    Vec acceleration() const; // leaves
    // d/dt L_v = f along (v, a, 1): L_vv a + L_vq v + L_vt = f; for a Hamiltonian a = H_pp f + H_pq v + H_pt
    Equation motion(const Vec& a, const Vec& f) const;
    std::vector<Equation> legendre() const;      // what ties v to (q, p)
    Equation legendre(const Point& point) const; // there, with the momentum of the point
    FirstOrder canonical() const;    // x = (q, p); for a Lagrangian y = v with p = L_v(q, v): no closed form is needed
    FirstOrder second_order() const; // x = (q, v), y = v' from d/dt L_v = L_q + F; a Hamiltonian has the canonical form
};

// The principle of d'Alembert and Chetaev: d/dt L_v = L_q + F - A^T lambda, A = phi_v, for constraints phi(t, q, v) = 0
// of any form. A holonomic constraint g(t, q) = 0 enters through what it hides, phi = dg/dt = g_q v + g_t.
struct Nonholonomic : Mechanics {
    explicit Nonholonomic(const Model& model);

    Vec g;                                    // holonomic constraints
    Vec phi;                                  // velocity constraints, then dg/dt
    Vec lambda;                               // leaves, one a component of phi
    Vec reaction(const Vec& lambda) const;    // A^T lambda, of (t, q, v)
    Vec rate(const Vec& velocity_rate) const; // d/dt phi along (v, velocity_rate, 1)
    // The multiplier as a function of any (t, q, v), on the constraint or off it: M a + L_vq v + L_vt = L_q + F - A^T
    // lambda, A a + phi_q v + phi_t = 0, for new leaves (a, lambda). No use is made of phi = 0.
    struct Multiplier {
        Vec a, lambda, reaction; // reaction: A^T lambda there
        std::vector<Equation> equations;
    };
    Multiplier multiplier(const Point& at, const std::string& label) const;
    Multiplier multiplier() const;   // at the model's own (t, q, v), for the leaves acceleration() and lambda
    FirstOrder canonical() const;    // x = (q, p), lambda among y
    FirstOrder second_order() const; // x = (q, v), lambda among y
    FirstOrder stabilized(const Vec& pull) const; // x = (q, v), d/dt phi = -pull in place of 0
};

// Constraints inside the action (vakonomic mechanics): F = L - lambda . phi is made stationary, p = F_v (McLachlan,
// Modin, Verdier and Wilkins 2014, Props. 1 and 2). For a Hamiltonian, v = H_p(q, p + phi_v^T lambda).
struct Variational : Mechanics {
    explicit Variational(const Model& model);

    Vec phi, lambda;                        // velocity constraints; leaves
    Vec g;                                  // holonomic constraints, for methods that keep them beside
    Vec shifted() const;                    // p + phi_v^T lambda = L_v
    std::vector<Equation> legendre() const; // for (v, lambda) from (q, p)
    Expr energy() const;                    // v . F_v - F
    FirstOrder canonical() const;           // x = (q, p), y = (v, lambda)
    Vec generalized_momentum() const;       // F_v, of a Lagrangian
    FirstOrder index_reduced() const;       // x = (q, v, lambda), with g; what g needs is differentiated twice
};

} // namespace rattleback
