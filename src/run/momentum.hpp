// The discrete nonholonomic momentum equation along a run (Ferraro, Iglesias and Martin de Diego 2008). For a section
// xi of g^D, the combinations of symmetries whose directions the constraints allow,
//     J_{k+1} - J_k = <p+_{k+1}, (xi(q_{k+1}) - xi(q_k))_Q(q_{k+1})>,     J_k = <p+_k, xi(q_k)_Q(q_k)>
// p+ is the momentum with which a step arrives (Step::arrival). The reaction of a node does no work along xi(q_k), so
// J_k is also what the node's own momentum gives, and what is left of the equation is
//     <p+_{k+1}, xi(q_k)_Q(q_{k+1})> = <p_k, xi(q_k)_Q(q_k)>
// It asks for xi at q_k only: where no section is declared it is measured for all of g^q at q_k, which no choice of a
// basis enters. A force adds its work along xi: h <F, xi(q_k)_Q> at the midpoint of the step, where forces enter and
// which is the mean of both ends for generators affine in q.
#pragma once

#include <rattleback/run.hpp>

#include <functional>

#include "run/compiled.hpp"
#include "run/measures.hpp"
#include "solve/system.hpp"

namespace rattleback {

template <class T> class MomentumEquation {
  public:
    // Wants nothing where there is nothing to measure: no symmetries, constraints inside the action, nodes with others
    // between them (compositions, controlled steps).
    explicit MomentumEquation(const Formulas& formulas);

    const std::vector<Expr>& wanted() const { return formulas_; } // what nodes must show
    bool reads_positions() const { return work_.has_value(); }    // of nodes, besides
    // At the nodes, in order; `values`: what `wanted` is there.
    void at_node(std::span<const T> values, const NodeValues<T>& node, T t);
    // Many at once, to the same bits, unless it reads positions: wanted(i) and momentum(i) are columns, t is the time
    // of the last one. Only in double.
    using Column = std::function<NodeColumn(std::size_t)>;
    void at_nodes(std::size_t count, const Column& wanted, const Column& momentum, T t);

    std::vector<std::pair<std::string, T>> largest_residuals() const; // by section, or of g^q
    std::vector<std::string> horizontal() const;                      // symmetries that were so at all nodes
    std::vector<std::string> outside() const;                         // sections that left g^D at some node

  private:
    struct Section {
        std::string name;
        bool inside = true;
        T residual = 0;
    };
    struct Node {
        std::vector<T> rates;        // phi_v xi_a, constraints within symmetries
        std::vector<T> coefficients; // symmetries within sections
        std::vector<T> arrived;      // <p+, xi_a>
        std::vector<T> momenta;      // <p, xi_a>
        std::vector<T> q;
        T t = 0;
    };
    // The largest residuals; N: of one number, or of eight nodes side by side.
    template <class N> struct Residuals {
        std::vector<N> sections, along, rates; // along: rates of the constraints along sections
        N whole, dimension;
        std::vector<N> basis = {}, scratch = {}, change = {}; // memory
    };
    template <class N> Residuals<N> none() const;
    template <class N>
    void compare(std::vector<N>& change, const N* rates, const N* coefficients, Residuals<N>& most) const;
    void take(const Residuals<T>& of);
    template <class N> void look(const N* rates, const N* coefficients, Residuals<N>& most) const;
    void end_at(std::size_t node, std::size_t stride, T t);
    bool settled(const std::vector<Expr>& rates);
    void add_forces(const Model& model);
    bool subtract_work();
    void compare();
    void place();

    std::vector<std::string> symmetries_;
    std::vector<Section> sections_;
    std::vector<Expr> formulas_;
    std::size_t constraints_ = 0;
    std::vector<bool> horizontal_;
    bool all_of_g_ = false;     // no section is declared
    std::size_t dimension_ = 0; // of g^q, the largest that was met
    T residual_ = 0;            // of g^q
    Node last_, now_;
    std::vector<T> change_, columns_;
    std::optional<SystemSolver<T>> work_; // <F, xi_a> of (q, v, t); none where no force acts along a symmetry
};

} // namespace rattleback
