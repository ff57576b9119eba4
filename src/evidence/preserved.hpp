// What a method keeps on a model: its claims, their conditions decided.
#pragma once

#include "evidence/constraint_facts.hpp"

namespace rattleback {

class Preserved {
  public:
    explicit Preserved(const Sample& sample);

    // "order 2; velocity constraints, momentum of turn, symmetric"
    std::string words(const Scheme& scheme, const Options& options = {}) const;
    // Whether an assumption of a claim's condition, a part between commas, holds here; empty: the words are not known.
    std::optional<bool> holds(const std::string& assumption) const;
    std::string first_missing(const std::string& condition) const; // the assumption that does not hold; empty: all do
    std::vector<std::string> kept_momenta(const std::string& condition) const;

  private:
    std::string claim_in_words(const Claim& claim) const; // empty: it is not kept, or means nothing here
    std::string momenta(const std::string& condition) const;

    const Model& model_;
    std::vector<ConservedMomentum> momenta_;
    std::vector<bool> linear_; // of each: in the state
    bool timed_ = false, even_ = false, even_forces_ = false, homogeneous_ = false, quadratic_ = false;
    bool quadratic_g_ = false, constant_metric_ = false;
};

} // namespace rattleback
