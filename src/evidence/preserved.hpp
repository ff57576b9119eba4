// What a method keeps on a model: its claims, their conditions decided.
#pragma once

#include "evidence/constraint_facts.hpp"
#include "evidence/group_facts.hpp"

namespace rattleback {

// What the conditions of claims ask about a model (the column `model` of conditions.def).
struct Traits {
    bool forces = false, time = false; // has them
    bool even = false;                 // L in v, or H in p
    bool even_forces = false;          // in v
    bool homogeneous = false;          // velocity constraints, in v
    bool even_phase = false;           // each phase constraint is even or odd in p: so is the set they leave
    bool quadratic = false;            // L or H, with linear constraints
    bool quadratic_g = false;          // holonomic constraints, in q
    bool constant_metric = false;      // L_vv does not depend on the state
    bool discrete_symmetric = false, discrete_reversible = false; // the L_d that [discrete] gives
    bool bi_invariant = false; // under translations: L = v . M v/2 with a constant M, constraints linear in v
};

// And about a momentum that is conserved (the column `momentum`).
struct MomentumTraits {
    std::string name;
    bool affine = false;             // its generator, in q
    bool translation = false;        // of groups, affine in the other coordinates
    bool linear = false;             // in the state
    bool discrete_invariant = false; // the L_d that [discrete] gives does not change along its generator
};

class Preserved {
  public:
    explicit Preserved(const Sample& sample);

    // "order 2; velocity constraints, momentum of turn, symmetric", of a method that was built on the model
    std::string words(const std::vector<Claim>& claims, const Method& method) const;
    std::vector<std::string> kept(const std::vector<Claim>& claims, const Method& method) const; // in words, one by one
    // Whether errors of long runs stay small for it: structure of the flow is kept, not only some of its invariants.
    bool keeps_structure(const std::vector<Claim>& claims, const Method& method) const;
    bool holds(Condition condition) const; // for the model as a whole; momenta are looked at one by one
    std::optional<Condition> first_missing(const std::vector<Condition>& conditions) const; // that does not hold here
    const std::string& why_energy_changes() const { return why_energy_changes_; } // empty: the motion conserves it
    bool bi_invariant() const { return traits_.bi_invariant; }
    const GroupFacts& group() const { return group_; }
    std::vector<std::string> kept_momenta(const std::vector<Condition>& conditions) const;

  private:
    std::string claim_in_words(const Claim& claim) const; // empty: it is not kept, or means nothing here
    std::string momenta(const std::vector<Condition>& conditions) const;

    const Model& model_;
    Traits traits_;
    GroupFacts group_;
    std::string why_energy_changes_;
    std::vector<MomentumTraits> momenta_;
};

} // namespace rattleback
