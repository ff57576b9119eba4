// The balance of one quantity along a run: how far its change is from the integral of its rate, at equidistant nodes.
//
// Over the step from node j to node j + 1 the rate is integrated as the polynomial through m nodes around it, m even.
// In the middle of m nodes the weights w are symmetric, and the sum over steps is the trapezoidal rule with corrections
// at its ends (Gregory):
//     W_c = h (S_c - r_c/2 + C_c + constant),  S_c = r_0 + ... + r_c,  C_c = sum over i of a_i (r_{c+i} - r_{c-i})
// where a_i is the sum of the weights more than i nodes ahead, i = 1 .. m/2 - 1. So a node costs m/2 products, and
// nodes side by side are summed on lanes; S_c alone goes from node to node, compensated. Near the ends of a run the
// weights are those of the first and the last m nodes.
#pragma once

#include <span>
#include <vector>

#include "run/measures.hpp"

namespace rattleback {

// Integrals over the steps of a polynomial through values at equidistant nodes.
class NodeQuadrature {
  public:
    explicit NodeQuadrature(std::size_t nodes); // at least 2
    std::size_t nodes() const { return nodes_; }
    // The weights of the nodes for the integral from node j to node j + 1, in units of the step.
    std::span<const double> weights(std::size_t j) const { return {weights_.data() + j * nodes_, nodes_}; }
    std::vector<double> corrections() const; // a_1, a_2, ... of the step in the middle

  private:
    std::size_t nodes_;
    std::vector<double> weights_;
};

class RunningBalance {
  public:
    struct Result {
        double error = 0; // the largest of |x_k - x_0 - W_k|
        double doubt = 0; // how much the quadrature with two nodes less differs from it, at most
    };
    RunningBalance(int order, double h); // of the method; its steps

    std::size_t nodes() const { return nodes_; }
    void add(NodeColumn values, NodeColumn rates, std::size_t count); // the next nodes
    Result at_the_end() const;

  private:
    struct Sum {
        double value = 0, low = 0; // low: what roundings have taken from it
        void add(double x) {
            const double next = value + x, part = next - value;
            low += (value - (next - part)) + (x - part), value = next;
        }
        double total() const { return value + low; }
    };
    struct Integrals {
        Sum fine, coarse;
        Result most;
    };
    void one_step(Integrals& so_far, std::size_t j, std::size_t count, const double* values, const double* rates,
                  const NodeQuadrature& fine, const NodeQuadrature& coarse) const;
    void begin();
    void go_on();
    template <std::size_t count> void side_by_side(std::size_t end);
    double correction(std::size_t c, bool fine) const;

    NodeQuadrature fine_, coarse_;
    double h_;
    std::vector<double> weights_, less_; // a_i of `fine_`; the same without those of `coarse_`
    std::size_t nodes_ = 0;
    double first_ = 0;
    // Nodes that are still needed: those from `done_` - m/2 + 1 on, after begin(); until then all.
    std::vector<double> values_, rates_;
    std::size_t done_ = 0; // place in these of the last node whose W is known; 0: begin() is still to come
    Sum sum_;              // of the rates, from the node behind the one where begin() ended
    double start_ = 0, start_less_ = 0;
    Result most_;
};

} // namespace rattleback
