// What is watched along a run: whether the constraints stay independent, and steps regular.
#pragma once

#include <rattleback/run.hpp>

#include <functional>

#include "run/compiled.hpp"
#include "run/sparse_rows.hpp"

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
    // Many at once: from columns of what is wanted, `rows` tell whether the constraints are so far from being
    // dependent, or turn so little, that pass() would find nothing. last(i): column i at the last node; go_to() takes
    // it to another one.
    bool looks_at_each() const { return !model_.redundant.empty(); }
    const SparseRows& rows() const { return sparse_; }
    double last(std::size_t column) const { return last_(entries_[column].row, entries_[column].column); }
    void go_to(const std::function<double(std::size_t)>& shown, double t);
    // After a failed step: if the constraints are nearly dependent at the last node, that is said.
    void explain(const std::vector<double>& q, const std::vector<double>& v, double t, Report& report) const;
    void explain_start(const Model& model) const; // likewise before the first node: throws BadRun

  private:
    // The determinant of a b^T, with the rows of both made unit vectors.
    double overlap(const Matrix<double>& a, const Matrix<double>& b);
    bool still_redundant(const NodeValues<double>& node, double t, Report& report) const;
    void show(const NodeValues<double>& node, Matrix<double>& A) const; // of a node that shows A
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
    Matrix<double> product_; // of overlap(): kept, since a node is passed in less time than memory is asked for
    SparseRows sparse_;      // of what is watched
    std::vector<double> sizes_;
    double last_time_ = 0, last_volume_ = 1;
};

// Regularity of steps with a generating function (de Leon, Martin de Diego and Santamaria 2004, (19) and (24)): p0 =
// -D1 S + alpha_0 determines q1 where R = D12 S - d alpha_0/d q1 is regular. With q0 fixed d q1/d p0 = -R^-1: the
// determinant follows from the derivatives of the step's equations F(u, p0) = 0 and of q1(u), as that of the Schur
// complement of F_u in [F_u F_p; q1_u 0].
class RegularityWatch {
  public:
    explicit RegularityWatch(const Formulas& formulas); // idle without a generating function or velocity constraints

    const std::vector<Expr>& wanted() const { return wanted_; } // what nodes must show, of the step that led to them
    void at_node(long long k, std::span<const double> values, double t, Report& report);

  private:
    void look(std::span<const double> values, Report& report);

    std::vector<ScalarEntry> entries_; // of the matrix
    std::vector<Expr> wanted_;
    std::size_t unknowns_ = 0; // of the step
    Matrix<double> matrix_;
    double last_time_ = 0;
};

} // namespace rattleback
