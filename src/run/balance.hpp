// What a run does to quantities that its motion does not conserve: they are compared with what the forces, the
// constraints and the time give them,
//     E_k - E_0 - (the integral of dE/dt from t_0 to t_k)
// which a method keeps near 0 to its order. dE/dt is known at the nodes (Exchanges); over each step it is integrated
// as the polynomial through as many nodes around the step as the order asks for.
#pragma once

#include <rattleback/run.hpp>

#include "run/beside.hpp"
#include "run/exchange.hpp"
#include "run/measures.hpp"
#include "run/quadrature.hpp"

namespace rattleback {

class Balances {
  public:
    Balances(const Model& model, int order, double h); // adds formulas to the model's graph

    bool measures() const { return !measured_.empty(); } // whether it looks at the nodes
    std::size_t count() const { return measured_.size(); }
    BesideNode* rates() { return rates_ ? &*rates_ : nullptr; }
    // All nodes, in order. `known`: the rates there; else they are computed.
    void at_node(const NodeValues<double>& node, double t, const std::vector<double>* known = nullptr);
    // Many nodes at once, whose rates are known: value(i) of momentum i, 0 for the energy; rate(i), of result i.
    template <class Value, class Rate> void at_nodes(std::size_t count, const Value& value, const Rate& rate) {
        if (lost_) return;
        for (std::size_t i = 0; i < measured_.size(); ++i)
            measured_[i].sum.add(value(measured_[i].momentum), rate(i), count);
    }
    std::vector<Balance> at_the_end() const; // of all that is not conserved

  private:
    struct Quantity {
        std::size_t which, momentum; // which: among the balances; 0 of momenta is the energy itself
        RunningBalance sum;
    };

    std::vector<Balance> balances_;
    std::vector<Quantity> measured_;
    std::optional<BesideNode> rates_;
    std::vector<double> found_;
    bool lost_ = false; // a rate had no value somewhere
};

} // namespace rattleback
