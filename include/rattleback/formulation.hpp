// What a model becomes before a method sees it: the objects the papers speak of, still symbolic.
#pragma once

#include <rattleback/model.hpp>
#include <rattleback/solve.hpp>

namespace rattleback {

// A model a theory does not apply to; what() says why and what to do.
struct Unsuitable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// x' = rate(t, x, y) with y from 0 = algebraic(t, x, y): every Runge-Kutta method acts on this.
struct FirstOrder {
    std::shared_ptr<Graph> graph;
    Vec x, y; // leaves
    Vec rate; // shaped like x
    std::vector<Equation> algebraic;
    Vec y_start; // y at the start, as formulas of the model's q, v, p (or z)
};

// Regular mechanics without constraints: L(t,q,v) or H(t,q,p), with forces F(t,q,v).
struct Mechanics {
    explicit Mechanics(const Model& model);

    const Model& model;
    Graph& graph;
    Vec q, v, p; // the model's leaves
    Expr t;
    bool has_lagrangian() const { return model.kind == Model::lagrangian; }
    Vec force(const Vec& at_q, const Vec& at_v, const Expr& at_t) const; // zero if there is none

    Expr energy() const;                    // of (t, q, v), or of (t, q, p) for a Hamiltonian
    Vec momentum() const;                   // L_v(t, q, v)
    std::vector<Equation> legendre() const; // what ties v to (q, p)
    FirstOrder canonical() const;    // x = (q, p); for a Lagrangian y = v with p = L_v(q, v): no closed form is needed
    FirstOrder second_order() const; // x = (q, v), y = v' from d/dt L_v = L_q + F; a Hamiltonian has the canonical form
};

// J z' = grad H(z) with any constant antisymmetric J. Coordinates are split linearly, z = R x + N y, where N spans the
// kernel of J: x carries the dynamics, y follows from N^T grad H = 0 (index 1).
struct GeneralHamiltonian {
    explicit GeneralHamiltonian(const Model& model);

    const Model& model;
    std::vector<int> chosen;  // coordinates that make up x; J restricted to them is regular
    std::vector<quad> kernel; // N, row-major, z.size() rows
    int rank() const { return static_cast<int>(chosen.size()); }
    int nullity() const { return model.z.count() - rank(); }
    Vec x, y;                           // leaves
    Vec z() const;                      // R x + N y
    Vec multiplier_equations() const;   // N^T grad H(z), of the model's z
    Vec x_of_z() const, y_of_z() const; // the split of the model's z
    FirstOrder first_order() const;
};

} // namespace rattleback
