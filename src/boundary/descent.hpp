// Towards a minimum of a control problem: sequential quadratic programming on the midpoint rule,
//     least sum h L(q_m, u_k)  with  q_{k+1} = q_k + h Gamma(q_m, u_k),   q_m = (q_k + q_{k+1})/2
// with the costates p_k at the nodes. Newton's method alone ends at any stationary path, most of them saddles: parallel
// parking of a car, 9 % of the starts end at all and 0.3 % at a minimum. So the quadratic model is made convex: with
// the exact Hessian where that has the inertia of a minimum, else without the curvature of the dynamics (Gauss and
// Newton), else with a multiple of the unit matrix added; a step is cut until cost + mu |violations| falls (Han 1977).
#pragma once

#include "boundary/path.hpp"

namespace rattleback::boundary {

// L, Gamma and their derivatives by z = (q, u), where they are asked for.
class ControlFunctions {
  public:
    explicit ControlFunctions(const Problem& problem);

    const std::size_t n, m; // coordinates, inputs
    // Row-major; hessian: of L, curvature: of p . Gamma.
    struct At {
        double L;
        std::vector<double> Gamma, L_z, Gamma_z, hessian, curvature;
    };
    bool evaluate(const double* q, const double* u, const double* p, double t, At& to);
    void set_centre(const Charts& charts, const double* centre) { charts.put(centre, parameters_); }

  private:
    std::vector<double> parameters_;
    solve::Jacobians jacobians_;
    std::optional<SystemSolver<double>> solver_;
};

class Descent {
  public:
    Descent(const Problem& problem, PathSolver& ends); // of the solver, the ends

    struct Outcome {
        bool near = false; // a minimum: steps became short
        int iterations = 0;
        double violation = 0; // of the dynamics and of the ends, where it ended: the sum of all
        double cost = 0;
        bool has_values = true; // false: where it began, the cost or the dynamics have none
    };
    // Nodes (q, p), one after the other, and the centres of their charts.
    struct Nodes {
        std::vector<double> x, centres = {};
    };
    // u: inputs of each step; nu: multipliers of the sets at both ends.
    Outcome run(Nodes& nodes, std::vector<double>& u, std::vector<double>& nu_from, std::vector<double>& nu_to,
                int most_iterations, const volatile int* interrupt);

    // To the least of the quadratic model, at one go, with its inputs, costates and multipliers: from a path that stays
    // where it is, to that of the linear-quadratic problem there. False: that has none.
    bool to_least_of_model(Nodes& nodes, std::vector<double>& u, std::vector<double>& nu_from,
                           std::vector<double>& nu_to);

    // Inputs with which the dynamics follow the path as well as they can.
    std::vector<double> inputs_along(const Nodes& nodes);
    // The first place where the cost or the dynamics had no value; empty: they had.
    const std::string& without_values() const { return without_values_; }
    // Whether inputs near those of this path cannot move its end in all directions.
    bool is_abnormal(const Nodes& nodes);

  private:
    struct Point { // with all values there
        std::vector<double> x, u, nu_from, nu_to, centres;
        std::vector<double> ends_of_steps, slopes; // of charts: the next node in this one's, and the way back
        std::vector<ControlFunctions::At> steps;
        PathEnds ends;
        double cost = 0, violation = 0, h = 0;
    };
    struct Move {
        std::vector<double> x, u, nu_from, nu_to;
    };
    // Hessian of L + curvature * that of p . Gamma + shift * 1.
    struct QuadraticModel {
        double curvature, shift;
    };
    bool evaluate(Point& at);
    const double* next(const Point& at, std::size_t k) const; // the node after step k, in the chart of the step
    void see_from_steps(Point& at);
    void to_next_chart(const Point& at, double curvature, std::size_t k);
    bool recentre(Point& at);
    std::vector<double> next_of(const Nodes& nodes, std::size_t k, double* slope = nullptr);
    std::optional<Matrix<double>> reach(const Nodes& nodes, std::size_t first, std::size_t last, Matrix<double> W);
    static bool spans(const Matrix<double>& W, const std::vector<std::size_t>& coordinates);
    bool is_convex(const Point& at, const QuadraticModel& model);
    std::optional<Move> convex_step(const Point& at, double shift, QuadraticModel& model);
    bool step_of(const Point& at, const QuadraticModel& model, const Point* beyond, Move& to);
    bool eliminate_inputs(const Point& at, const QuadraticModel& model, std::size_t k, const Point* beyond);
    Point moved(const Point& at, const Move& by, double part, const Move* correction) const;
    bool search_along(Point& now, const QuadraticModel& model, const Move& by, double penalty, double& part);

    const Problem& problem_;
    PathSolver& ends_;
    ControlFunctions functions_;
    std::string place(const double* q, const double* u, double t) const;
    std::vector<double> tangents_, offsets_, inside_, inside_offsets_;
    std::string without_values_;
};

} // namespace rattleback::boundary
