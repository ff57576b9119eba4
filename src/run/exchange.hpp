// What the motion itself does to its energy and to the momenta of its symmetries, by the model's equations:
//     dE/dt = F . v - L_t - lambda . (phi_v v)
//     dJ/dt = xi(L) + F . xi + L_v . xi_t - lambda . (phi_v xi)          J = p . xi
// phi: velocity constraints and the rates of holonomic ones, whose reaction is -phi_v^T lambda. For constraints inside
// the action L - lambda . phi stands in place of L, and there is no reaction.
#pragma once

#include <optional>

#include <rattleback/formulation.hpp>
#include <rattleback/run.hpp>

#include "solve/system.hpp"

namespace rattleback {

// A quantity and what changes it.
struct Exchange {
    std::string name;  // "energy", or the symmetry's
    std::string why;   // it is not conserved, in words; empty: it is
    Expr rate = 0.0;   // its rate of change
    bool known = true; // false: there is no formula for that
};

class Exchanges {
  public:
    explicit Exchanges(const Model& model); // adds formulas to its graph

    const std::vector<Exchange>& all() const { return all_; } // the energy, then the symmetries
    const std::string& why_energy_changes() const { return all_.front().why; }
    // The rates that are known of what is not conserved, from `given`: q, v, p and variational multipliers, or z; then
    // t, the centres of charts and the parameters.
    System rates() const;

  private:
    void of_energy();
    void of_symmetry(const Symmetry& symmetry);
    void add(Exchange& to, const Expr& rate, const char* why, const Vec& parts = {}) const;
    void add_reaction(Exchange& to, const Vec& along, const char* why);
    bool vanishes(const Vec& formulas, const Vec& parts = {}) const;
    bool does_no_work(const Component& constraint, const Component& along) const;
    Vec moving() const;

    const Model& model_;
    Vec lambda_;                         // of variational constraints: leaves that are given
    std::optional<Nonholonomic> reacts_; // constraints with a reaction; their multipliers are found from (t, q, v)
    bool finds_ = false;
    std::vector<Exchange> all_;
};

} // namespace rattleback
