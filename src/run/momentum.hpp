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
#include "run/momentum_residuals.hpp"
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
    // Many at once, to the same bits, unless it reads positions: from columns of what is wanted and, behind, of momenta
    // come `residuals` of their steps. last(i): column i at the last node; go_to() takes it to another one.
    const MomentumShape& shape() const { return shape_; }
    std::size_t columns() const { return formulas_.empty() || reads_positions() ? 0 : shape_.all(); }
    T last(std::size_t column) const { return last_.shown[column]; }
    void go_to(const MomentumResiduals<T>& residuals, const std::function<T(std::size_t)>& shown, T t);

    std::vector<std::pair<std::string, T>> largest_residuals() const; // by section, or of g^q
    std::vector<std::string> horizontal() const;                      // symmetries that were so at all nodes
    std::vector<std::string> outside() const;                         // sections that left g^D at some node

  private:
    struct Node {
        std::vector<T> shown; // see MomentumShape
        std::vector<T> q;
        T t = 0;
    };
    bool settled(const std::vector<Expr>& rates);
    void add_forces(const Model& model);
    bool subtract_work();
    void compare();

    std::vector<std::string> symmetries_, sections_;
    std::vector<Expr> formulas_;
    MomentumShape shape_;
    MomentumResiduals<T> most_{shape_};
    Node last_, now_;
    std::vector<T> change_;
    std::optional<SystemSolver<T>> work_; // <F, xi_a> of (q, v, t); none where no force acts along a symmetry
};

} // namespace rattleback
