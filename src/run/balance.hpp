// What a run does to quantities that its motion does not conserve: they are compared with what the forces, the
// constraints and the time give them,
//     E_k - E_0 - (the integral of dE/dt from t_0 to t_k)
// which a method keeps near 0 to its order. dE/dt is known at the nodes (Exchanges); over each step it is integrated
// as the polynomial through as many nodes around the step as the order asks for.
#pragma once

#include <deque>

#include <rattleback/run.hpp>

#include "run/exchange.hpp"
#include "solve/system.hpp"

namespace rattleback {

// Integrals over the steps of a polynomial through values at equidistant nodes.
class NodeQuadrature {
  public:
    explicit NodeQuadrature(std::size_t nodes); // at least 2
    std::size_t nodes() const { return nodes_; }
    // The weights of the nodes for the integral from node j to node j + 1, in units of the step.
    std::span<const double> weights(std::size_t j) const { return {weights_.data() + j * nodes_, nodes_}; }

  private:
    std::size_t nodes_;
    std::vector<double> weights_;
};

class Balances {
  public:
    Balances(const Model& model, int order); // adds formulas to the model's graph

    bool measures() const { return !measured_.empty(); }    // whether it looks at the nodes
    void at_node(const NodeValues<double>& node, double t); // all nodes, in order
    std::vector<Balance> at_the_end();                      // of all that is not conserved

  private:
    struct Quantity {
        std::size_t which = 0, momentum = 0; // which: among the balances; 0 of momenta is the energy itself
        double first = 0;
        double work = 0, low = 0;        // the integral so far, and the low part of the sum
        double other = 0, other_low = 0; // likewise with two nodes less
    };
    struct Node {
        double t = 0;
        std::vector<double> values, rates;
    };
    bool evaluate(const NodeValues<double>& node, double t, std::vector<double>& rates);
    void integrate(std::size_t step, const NodeQuadrature& fine, const NodeQuadrature& coarse);

    const Model& model_;
    std::vector<Balance> balances_;
    std::vector<Quantity> measured_;
    std::optional<SystemSolver<double>> rates_;
    NodeQuadrature fine_, coarse_;
    std::deque<Node> window_;
    bool begun_ = false, lost_ = false; // lost: a rate had no value somewhere
};

} // namespace rattleback
