// Dirac's algorithm for constraints of (t, q, p), holonomic and phase (Leimkuhler and Reich 1994, section 3.1).
#pragma once

#include <rattleback/formulation.hpp>

namespace rattleback {

std::vector<double> time_and_parameters(const Model& model); // at the start

// With multipliers for all constraints phi, H + mu . phi keeps them where {phi, H} + phi_t + {phi, phi} mu = 0. Where
// the matrix of brackets is regular (second class) that determines mu. Else combinations of these conditions are free
// of mu: they hold on phi = 0, or are constraints that were hidden; and so on. Ranks, and what vanishes on the
// constraint set, are decided by numbers: at the start and at places on the set around it.
struct DiracChain : Mechanics {
    explicit DiracChain(const Model& model); // throws Unsuitable, also where constraints contradict each other

    struct Link {
        std::string name, origin;
        int level = 0;
        bool second_class = false;
    };
    Expr H;
    Vec phi; // all, the given ones first
    std::vector<Link> links;
    std::string off_start; // a hidden constraint that the start misses, as a message; empty: none

    std::vector<Expr> matrix(const Vec& a, const Vec& b) const; // {a_i, b_j}, row-major
    Vec rate(const Vec& a) const;                               // {a, H} + a_t
    Vec second_class() const;                                   // those of phi whose multipliers are determined
    Vec mu() const;                                             // of second_class(), as formulas
    Vec written_mu() const;                                     // likewise, written out: pivots as at the start
    FirstOrder hamiltonian() const;                             // Hamilton's equations of H + mu . phi
    FirstOrder weak() const;                                    // likewise, as if mu were constant

    // Points (q, p) on phi = 0: the start and others around it.
    std::vector<std::vector<double>> points() const;
    std::vector<std::vector<double>> around() const; // points off it
    std::vector<std::vector<double>> values(const Vec& f, const std::vector<std::vector<double>>& at) const;

  private:
    void given_constraints();
    bool find_hidden(int level);
    Expr condition(std::size_t constraint, const Vec& determined) const;
    std::string own_name(int level) const;
    std::vector<double> start_;
};

} // namespace rattleback
