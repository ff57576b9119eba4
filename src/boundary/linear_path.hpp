// The equations of a path, linearised: of every step and of both ends. The unknowns inside the steps are eliminated
// first, then the nodes from the first to the last; one pass evaluates and eliminates, so that memory holds no more
// than the factors. Of a periodic path, the nodes of the linear system are (dx_0, dT, dx_k), dT being the increment of
// the period: both ends see its start.
#pragma once

#include "boundary/block_system.hpp"
#include "boundary/end_rows.hpp"
#include "boundary/step_equations.hpp"

namespace rattleback::boundary {

// States at the nodes, unknowns inside the steps, multipliers of the sets at both ends.
struct Path {
    std::vector<double> t, h; // where each step begins, and its size: steps of a composition are parts of the user's
    std::vector<double> x, y; // node by node, step by step
    std::vector<double> nu_from, nu_to;
    std::shared_ptr<Charts> charts; // of coordinates on groups in space; their centres, node by node
    std::vector<double> centres;
    double time() const; // that it takes: the sum of h
    std::size_t steps() const { return h.size(); }
    std::size_t states() const { return x.size() / (h.size() + 1); }
    const double* node(std::size_t k) const { return x.data() + k * states(); }
    const double* centre(std::size_t k) const { return charts ? centres.data() + k * charts->width() : nullptr; }
};

struct PathIncrement {
    std::vector<double> x, y, nu_from, nu_to;
    double time = 0; // of the period
};

class LinearPath {
  public:
    LinearPath(StepEquations& step, bool periodic) : step_(step), periodic_(periodic) {}

    std::size_t width() const { return periodic_ ? 2 * step_.states() + 1 : step_.states(); } // of its nodes

    // At a path, with the values of its ends. False: something is not finite, or a matrix is singular.
    bool linearize(const Path& path, const PathEnds& ends);
    // The values of another path beside the derivatives of the last linearize().
    bool follow(const Path& path, const PathEnds& ends);
    // What makes the values vanish; false: not finite. `weights`: the sizes of its nodes; `cutoff`: see end_increment.
    bool solve(const std::vector<double>& weights, double cutoff, PathIncrement& to);

    double residual() const { return residual_; } // the largest of all equations, where they were evaluated last
    // Likewise, of those for the second half of the states: momenta or costates.
    double residual_of_momenta() const { return residual_of_momenta_; }
    double cost() const { return cost_; }         // the sum of all steps there
    bool deficient() const { return deficient_; } // the conditions at the end do not determine all multipliers
    // dx_{k+1} = A dx_k of step k, where linearize() was, row-major.
    const double* tangent(std::size_t k) const { return &tangents_[k * step_.states() * step_.states()]; }
    // Unknowns inside the steps that solve their equations for the nodes as they are. False: some do not converge.
    bool find_unknowns(Path& path);
    // Steps from node `first` on, one after the other, up to that which leads to node `last`; that node itself is
    // replaced at the end of the path only. False: a step is not found.
    bool take_steps(Path& path, std::size_t first, std::size_t last);

  private:
    struct Sum { // compensated
        double high = 0, low = 0;
        void add(double term);
    };
    void see(const Path& path, std::size_t k, const double* values, Sum& cost);
    void see_ends(const PathEnds& ends);
    StepEquations::Steps steps_of(const Path& path, std::size_t first) const;
    template <std::size_t fixed> bool eliminate(std::size_t k, const double* values);
    const double* widened(std::size_t k, const double* values);
    const double* right_side();
    void read_nodes(PathIncrement& to) const;
    template <std::size_t fixed> void substitute(std::size_t k, const double* values);
    template <std::size_t fixed> bool linearize_steps(const Path& path);
    template <std::size_t fixed> bool follow_steps(const Path& path);

    StepEquations& step_;
    bool periodic_;
    std::vector<double> shares_, inside_time_, wide_, wide_b_; // of a period: dh/dT and F_y^-1 F_h dh/dT of each step
    std::optional<BlockSystem> blocks_;
    // Of each step: factors of F_y, F_y^-1 (F_x, F), D_y, A.
    std::vector<double> lu_, inside_, by_inside_, tangents_, b_;
    std::vector<int> order_;
    StartRows start_;
    PathEnds linearized_, now_;
    double residual_ = 0, residual_of_momenta_ = 0, cost_ = 0;
    bool deficient_ = false;
};

} // namespace rattleback::boundary
