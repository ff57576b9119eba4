// What is watched along a run: whether the constraints stay independent, and steps regular.
#pragma once

#include <rattleback/run.hpp>

#include "run/compiled.hpp"
#include "solve/implicit.hpp"

namespace rattleback {

class ConstraintWatch {
  public:
    explicit ConstraintWatch(const Model& model);

    // What nodes must show: the derivatives of the constraints by the velocities. Nothing for large models, which are
    // looked at only when a step fails.
    std::vector<Expr> wanted() const;

    // At the start; throws BadRun naming the constraints that the others imply.
    void begin(const NodeValues<double>& node);
    // At a node; false where the constraints were dependent between the last node and this one.
    bool pass(const NodeValues<double>& node, double t, Report& report);
    // After a failed step: if the constraints are nearly dependent at the last node, that is said.
    void explain(const std::vector<double>& q, const std::vector<double>& v, double t, Report& report) const;
    void explain_start(const Model& model) const; // likewise before the first node: throws BadRun

  private:
    bool still_redundant(const NodeValues<double>& node, double t, Report& report) const;
    Matrix<double> shown(const NodeValues<double>& node) const; // A, of a node that shows it
    Matrix<double> at(const std::vector<double>& q, const std::vector<double>& v, double t) const; // empty: no value
    void require_independent(const Matrix<double>& A) const;
    // Constraints that A M^-1 A^T, the matrix of [M A^T; A 0] without M, does not hold up; empty: none.
    std::string incompatible(const std::vector<double>& q, const std::vector<double>& v, double t,
                             const Matrix<double>& A) const;
    std::string implied(const Matrix<double>& A, double threshold) const; // names; empty: none

    const Model& model_;
    Vec phi_; // velocity constraints, and the rates of holonomic ones
    std::vector<std::string> names_;
    std::vector<ScalarEntry> entries_; // of A, their derivatives by the velocities
    int rows_ = 0, columns_ = 0;
    bool small_ = false, watched_ = false;
    Matrix<double> last_, now_;
    double last_time_ = 0, last_volume_ = 1;
};

// Regularity of steps with a generating function (de Leon, Martin de Diego and Santamaria 2004, (19) and (24)): p0 =
// -D1 S + alpha_0 determines q1 where R = D12 S - d alpha_0/d q1 is regular. Since d q1/d p0 = -R^-1, with q0 fixed,
// the determinant comes from the step's exact derivative.
class RegularityWatch {
  public:
    explicit RegularityWatch(const Formulas& formulas); // idle for methods without a generating function

    // Looks at nodes 0, 1, 2, 4, 8, ...: what is looked for changes slowly.
    void at_node(long long k, const Stepper<double>& stepper, double t, Report& report);
    // At the last node or, where a step from there failed, at the one before.
    void at_end(Report& report);

  private:
    struct Place {
        std::vector<double> given;
        double t = 0;
    };
    bool look(const Place& place, Report& report);

    std::optional<solve::Implicit<double>> derivative_; // of q1 by p0
    std::size_t coordinates_ = 0, inputs_ = 0;
    Place last_, before_;
};

} // namespace rattleback
