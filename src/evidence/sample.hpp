// Formulas of a model, looked at where it starts and at points around.
#pragma once

#include <string>
#include <vector>

#include <rattleback/run.hpp>

#include "evidence/linear.hpp"
#include "expr/graph.hpp"

namespace rattleback {

bool contains(const Graph& graph, const std::vector<Expr>& formulas, const Vec& leaves);
std::vector<Expr> values_of(const Vec& v);

class Sample {
  public:
    explicit Sample(const Model& model); // throws BadRun where the model cannot start

    const Model& model() const { return model_; }
    static constexpr int around = 8; // points beside the start, which is point 0

    // Values of formulas of (t, q, v, p, lambda) or z at a point; empty where they have none.
    std::vector<double> at(const Vec& formulas, int point = 0) const;
    std::vector<std::vector<double>> at_all(const Vec& formulas) const; // at the start and around it
    // A Jacobian, dense; empty when it is too large to look at.
    Dense matrix(const Vec& f, const Vec& x, int point = 0) const;
    std::vector<Dense> matrices(const Vec& f, const Vec& x) const;
    Vec lambda() const { return lambda_; } // leaves of variational multipliers

  private:
    std::vector<std::vector<double>> evaluate(const Vec& formulas, int first, int last) const;
    std::vector<Dense> evaluate(const Vec& f, const Vec& x, int first, int last) const;

    const Model& model_;
    Vec lambda_;
    InitialData<double> start_;
};

} // namespace rattleback
