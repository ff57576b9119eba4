// Paths of singular problems: inputs without a square in H leave constraints of (q, p), and the path lies on the last
// set P_f that they hide, of dimension 2 d (src/formulation/chain.hpp). Conditions at an end make a set on which the
// form dq ^ dp vanishes (p = phi_q + nu . c_q), and so does their common set with P_f: its dimension is d at most. So
// an end has d conditions on P_f, or more than fit: never fewer.
#pragma once

#include "boundary/path.hpp"
#include "solve/surface.hpp"

namespace rattleback::boundary {

// A problem's model and what dirac_weak makes of it, whose multipliers keep all of phi where it is.
Formulas last_set_formulas(const Model& model, const MethodName& method);

// Splits the conditions at both ends into those that a path takes, and those that follow or are too many. Of the start,
// phi = 0 comes first. Of too many, those stay that an impulse of the inputs, which costs nothing, leaves alone.
void choose_conditions_on_last_set(Problem& problem);

// As numbers: the gradients of phi at nodes, and their brackets.
class LastSetPlaces {
  public:
    explicit LastSetPlaces(const Problem& problem);

    // To a node of the last set nearby; false: none was found, or something is not finite.
    bool move_onto(double* x, double t);
    struct At {
        Matrix<double> gradients, brackets, slopes; // of phi; {phi_i, phi_j}; {phi_i, d/dt phi_j}, inputs held
        std::vector<std::size_t> moving; // constraints whose flows commute: what impulses of the inputs move a path by
        // Half of all, H_u = 0 of every input among them, which come first.
        bool commute(std::size_t inputs) const {
            return 2 * moving.size() == gradients.rows && moving.size() >= inputs && moving[inputs - 1] == inputs - 1;
        }
    };
    std::optional<At> at(const double* x, double t);
    double residual(const double* x, double t); // the largest |phi|

  private:
    std::vector<double> others(double t) const;
    std::size_t states_;
    std::vector<double> parameters_;
    solve::Surface surface_;
    SystemSolver<double> brackets_;
};

// What a path has at an end in place of what is asked for there, as far as conditions were left out; empty: they hold.
std::string missed_at_ends(const Problem& problem, const Path& path, double drift);

} // namespace rattleback::boundary
