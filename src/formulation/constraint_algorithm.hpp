// The constraint algorithm of Dirac and Bergmann, in the form of Gotay, Nester and Hinds (1978): which data have a
// motion, and which.
#pragma once

#include <functional>

#include <rattleback/formulation.hpp>

namespace rattleback {

// w' = {w, H + mu . phi}, phi(t, w) = 0, in a space whose Poisson bracket is constant and regular. The given (primary)
// constraints phi are the only ones with multipliers.
struct ConstrainedHamiltonian {
    std::shared_ptr<Graph> graph;
    Vec w;                                 // leaves
    std::function<Vec(const Expr&)> field; // {w, f}, shaped like w
    Expr H;
    Vec primary;                       // scalars
    Vec time, parameters;              // leaves
    std::vector<double> start, others; // values of w; of t and the parameters
};

// The constraints stay 0 where {phi, H} + phi_t + {phi, primary} mu = 0, for all phi found so far. As many of these
// conditions as the rank of {phi, primary} determine multipliers. What the others say once these are put in is free of
// mu: it holds where phi = 0, or it is a hidden constraint of the next level, or it holds nowhere. At the end a
// constraint is of the second class if its brackets with the others tell it from those before it. Ranks, and what
// vanishes on the constraint set, are decided by numbers: at the start and at places on the set around it.
class ConstraintAlgorithm : public ConstrainedHamiltonian {
  public:
    explicit ConstraintAlgorithm(ConstrainedHamiltonian given); // throws Unsuitable

    struct Link {
        std::string name, origin;
        int level = 0; // 0: primary
        bool second_class = false;
        bool combined = false; // of the first class, once multiples of those of the second are taken away
    };
    // P_0, P_1, ...: the set where the constraints up to this level vanish.
    struct Level {
        int dimension = 0;
        std::vector<std::string> constraints; // new ones
        std::vector<std::string> conditions;  // rates of its constraints that determine a multiplier each
    };
    Vec phi; // all, the primary ones first
    std::vector<Link> links;
    std::vector<Level> levels;
    std::vector<std::string> arbitrary; // primary constraints whose multipliers nothing determines
    std::string off_start;              // a hidden constraint that the start misses, as a message; empty: none

    std::vector<Expr> matrix(const Vec& a, const Vec& b) const; // {a_i, b_j}, row-major
    Vec rate(const Vec& a) const;                               // {a, H} + a_t
    Vec second_class() const;                                   // of phi
    Vec mu() const;                                             // {phi, phi} mu = -rate, over those; as formulas
    Vec written_mu() const;                                     // likewise, written out: pivots as at the start
    FirstOrder hamiltonian() const;                             // Hamilton's equations of H + mu . phi
    FirstOrder weak() const;                                    // likewise, as if mu were constant

    struct Place {
        std::vector<double> w, others;
    };
    std::vector<Place> points() const { return places_on(phi); } // the start, moved to phi = 0, and others around it
    std::vector<Place> around() const;                           // points off it
    std::vector<std::vector<double>> values(const Vec& f, const std::vector<Place>& at) const;

  private:
    struct Determined { // multipliers: `rows` of phi for the `columns` of primary
        std::vector<std::size_t> rows, columns;
    };
    std::vector<Place> places_on(const Vec& surface) const;
    void require_regular(const Vec& added, const Vec& set) const;
    std::vector<std::vector<double>> bracket_values(const Vec& a, const Vec& b, const std::vector<Place>& at) const;
    Determined determined(const std::vector<Place>& at) const;
    Vec solved(const Determined& by) const;
    Vec hidden(int level, const Determined& by, const std::vector<Place>& at);
    Vec independent(const Vec& candidates) const;
    void add(const Vec& found);
    void classify();
    void require_start(std::size_t constraint);
};

} // namespace rattleback
