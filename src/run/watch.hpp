// Whether the constraints stay independent along a run.
#pragma once

#include <rattleback/run.hpp>

#include "expr/graph.hpp"

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
    std::vector<double> matrix(const std::vector<double>& values) const;
    bool evaluate(const std::vector<double>& q, const std::vector<double>& v, double t,
                  std::vector<double>& matrix) const;
    void require_independent(const std::vector<double>& matrix) const;
    // Constraints that A M^-1 A^T, the matrix of [M A^T; A 0] without M, does not hold up; empty: none.
    std::string incompatible(const std::vector<double>& q, const std::vector<double>& v, double t,
                             const std::vector<double>& matrix) const;
    std::string implied(const std::vector<double>& matrix, double threshold) const; // names; empty: none

    const Model& model_;
    std::vector<std::string> names_;
    std::vector<ScalarEntry> entries_;
    std::vector<Expr> formulas_;
    int rows_ = 0, columns_ = 0;
    bool small_ = false, watched_ = false;
    std::vector<double> last_, now_;
    double last_time_ = 0, last_volume_ = 1;
};

} // namespace rattleback
