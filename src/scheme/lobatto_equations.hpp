// The equations of a step of Lobatto's pair IIIA-IIIB: see src/scheme/methods/lobatto.cpp.
#pragma once

#include "scheme/spark.hpp"

namespace rattleback {

class LobattoEquations {
  public:
    LobattoEquations(const Spark& spark, int stages);

    Step step();

    bool has_one_velocity() const { return one_velocity_; } // shared by both of two stages
    bool is_quadratic() const { return quadratic_; }        // see spark.hpp

  private:
    Vec move(const std::vector<quad>& weights) const; // h sum_j w_j V_j
    void add_stage(std::size_t i);

    const Spark& spark_;
    const Mechanics& sys_;
    Tableau A_, B_;
    Expr h_;
    bool one_velocity_, quadratic_;
    std::vector<Spark::Values> stages_;
    std::vector<Vec> rates_; // p' at the stages
    Step step_;
};

} // namespace rattleback
