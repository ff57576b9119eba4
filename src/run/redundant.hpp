// Holonomic constraints that say more than once what they say: over-determined loops.
#pragma once

#include <rattleback/run.hpp>

namespace rattleback {

// Multipliers of all constraints from those of the independent ones, which a method has. They are not determined where
// constraints are redundant: G^T lambda is what acts. Of all lambda with the same G^T lambda the shortest is taken.
// With rows r that are kept, rows d that are not, G_d = D G_r:
//     lambda_r + D^T lambda_d = lambda of the method,     lambda_d = D lambda_r
// D x and D^T x are written as equations, with G_r G_r^T for the metric of rows.
struct LeastNorm {
    std::vector<Unknown> find;
    std::vector<Equation> equations;
    Vec lambda; // in the order of the model file
};
LeastNorm least_norm_multipliers(const Model& model, const Vec& lambda); // lambda: of `holonomic`, as formulas
std::string names_of_equations(const Vec& constraints);                  // "x = 0, y = 0"
inline int shown_multipliers(const Model& model, const Step& step) {
    return step.lambda.empty() ? 0 : step.lambda.count() + model.redundant.count();
}
// Beside those of variational constraints: a group of their own, lambda_h. Where constraints are redundant they are not
// determined.
inline bool shows_holonomic_multipliers(const Model& model) {
    return model.kind == Model::lagrangian && model.variational && !model.velocity.empty() &&
           !model.holonomic.empty() && model.redundant.empty();
}

} // namespace rattleback
