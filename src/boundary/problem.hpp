// A boundary value problem as one of Hamilton's equations with as many conditions as there are q and p.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "boundary/charts.hpp"
#include "run/compiled.hpp"
#include "solve/implicit.hpp"

namespace rattleback::boundary {

// Conditions at one end: formulas of the model's q, v and p and of multipliers nu that vanish there. A coordinate is
// given or p is: p = phi_q + nu . c_q with the terminal cost phi and the set c = 0 (transversality).
struct End {
    Vec conditions, nu;
    std::vector<std::optional<double>> value; // of each coordinate; none: free
    Expr potential;                           // phi + nu . c, of q: its Hessian decides about minima
    Vec set;                                  // c
    bool has_velocities = false;              // among the conditions
    struct Unused {                           // of a singular problem: a condition that is left out of `conditions`
        std::string text;
        Expr value;                  // of (q, p, nu): what must vanish all the same
        bool follows = false;        // from the others, on the last set; else it is one too many
        std::optional<double> given; // of a coordinate
    };
    std::vector<Unused> unused;
    std::vector<double> centre; // of the charts there: the elements that are given
};

// Of a singular problem, the last set of the chain of Dirac, Bergmann, Gotay and Nester.
struct LastSet {
    explicit LastSet(Model& model); // puts the inputs into the model; throws Unsuitable
    Vec phi;                        // of (t, q, p), all of the second class, the oldest first
    std::size_t inputs = 0;         // that have no square in H
    Vec brackets, slopes;           // {phi_i, phi_j} and {phi_i, d/dt phi_j} with the inputs held, row-major
    std::size_t codimension() const { return phi.size(); }
};

struct Problem {
    explicit Problem(const Model& model);

    // The model whose path is looked for. A free final time T is a coordinate with T' = 0, its momentum says how H
    // changes the cost: H is T H(t0 + T t) then, and t goes from 0 to 1. Likewise the parameters that are chosen.
    Model model;
    bool is_control = false; // p are costates, which have the other sign: H = L + p . Gamma, and H_pp <= 0
    bool free_time = false;
    bool is_periodic = false; // its end is its start; a free time is the size of the steps then
    bool is_autonomous = true;
    Expr running_cost;           // of (t, q, p), where it is one of control
    std::size_t coordinates = 0; // scalars of q of the user's model; the model here may have more
    double t0 = 0, time = 1;     // of the model here
    End from, to;
    std::vector<double> guess;       // of the coordinates added here: where the search begins
    std::shared_ptr<Charts> charts;  // of coordinates on groups in space, where there are any
    std::optional<LastSet> last_set; // of a singular problem; the start has phi = 0 among its conditions, the model
                                     // has phi as its phase constraints

    // Of a periodic path, what makes it one of many: its first node x stays in the plane through `start` that is normal
    // to `direction` (the phase), and with a free period has this energy, where the motion keeps it.
    void choose_orbit(const std::vector<double>& start, const std::vector<double>& direction, double energy);

  private:
    void add_coordinate(const std::string& name, double guess);
    void make_time_a_coordinate();
    void make_parameters_coordinates();
    void make_periodic();
    void set_charts(const Model& of);
    void set_ends();
    void replace(const Vec& leaves, const Vec& by);
    void set_end(End& end, const std::string& label, const Expr& potential);
    Expr end_time() const;
};

// Conditions at an end with their derivatives.
class EndEquations {
  public:
    EndEquations(const Formulas& formulas, const End& end);

    void set_charts(std::shared_ptr<const Charts> charts) { charts_ = std::move(charts); }
    void set_centre(const double* centre) { // of the node there
        if (charts_) charts_->put(centre, parameters_);
    }
    std::size_t rows() const { return rows_; }
    std::size_t multipliers() const { return multipliers_; }
    bool fixes(std::size_t coordinate) const {
        return std::find(fixed_.begin(), fixed_.end(), coordinate) != fixed_.end();
    }
    bool evaluate(const double* x, const std::vector<double>& nu, double t, double h);
    std::vector<double> values;
    Matrix<double> by_state, by_nu; // derivatives, where it was evaluated last

    // d^2 potential / dq^2 there, and the rows that a variation of q must satisfy.
    Matrix<double> hessian(const double* x, const std::vector<double>& nu, double t, double h);
    Matrix<double> tangent_rows(const double* x, const std::vector<double>& nu, double t, double h);
    double potential(const double* x, double t, double h); // without the multipliers: the terminal cost

  private:
    std::vector<double> inputs(const double* x, const std::vector<double>& nu, double t, double h) const;
    std::size_t states_, hints_, rows_, multipliers_;
    std::vector<double> parameters_;
    std::optional<solve::Implicit<double>> implicit_;
    solve::Jacobians second_;
    std::optional<SystemSolver<double>> second_solver_;
    std::vector<std::size_t> fixed_; // coordinates that are given
    std::shared_ptr<const Charts> charts_;
};

} // namespace rattleback::boundary
