// A control problem as a nonlinear program: collocation at the stages of a Gauss method,
//     least  sum_k h_k sum_i b_i L(Q_ki, u_ki) + terminal cost
//     with   Q_ki = q_k + h_k sum_j a_ij Gamma(Q_kj, u_kj),    q_{k+1} = q_k + h_k sum_i b_i Gamma(Q_ki, u_ki),
// the conditions at both ends, bounds of inputs at the stages, bounds of coordinates and inequalities at stages and
// nodes. Without bounds its stationary points are those of the same Gauss method on Hamilton's equations (Hager 2000):
// Gauss methods are their own symplectic partners. Steps may have different sizes.
#pragma once

#include "boundary/ipopt_module.hpp"
#include "boundary/sparse_functions.hpp"
#include <rattleback/operators.hpp>

namespace rattleback::boundary {

// A path with inputs at its stages, and what Ipopt found to be its multipliers.
struct BoundedPath {
    std::vector<double> mesh;            // times of the nodes, from 0 to 1
    std::vector<double> x;               // as the transcription orders them
    std::vector<double> costates;        // at the nodes: after it, where a bound of a coordinate makes it jump
    std::vector<std::vector<char>> held; // for each stage: which bounds and inequalities hold it, -1, 0 or 1
    double cost = 0, residual = 0;       // the largest violation of any condition
    IpoptResult result{};
    std::size_t steps() const { return mesh.size() - 1; }
};

class Transcription {
  public:
    Transcription(const Problem& problem, int stages);

    const std::size_t n, m, stages;                                       // coordinates, inputs
    using Guess = std::function<void(double time, double* q, double* u)>; // time from 0 to 1
    BoundedPath solve(const std::vector<double>& mesh, const Guess& guess, double barrier, int most_iterations,
                      const volatile int* interrupt);
    const double* node(const BoundedPath& path, std::size_t k) const { return &path.x[k * block()]; }
    const double* stage(const BoundedPath& path, std::size_t k, std::size_t i) const { // (Q, u)
        return &path.x[k * block() + n + i * (n + m)];
    }
    // Inputs with which the dynamics follow a path, q and its slope there, as well as they can; time from 0 to 1.
    void inputs_along(double time, const double* q, const double* slope, double* u);
    // Between nodes and stages, by their polynomial; the inputs within their bounds.
    Guess interpolated(const BoundedPath& path) const;

  private:
    struct Piece { // functions at a stage or at a node, and the rows of the program to which they contribute
        struct Share {
            std::size_t function, row;
            double factor;
        };
        SparseFunctions* of;
        std::vector<int> variables;
        double t, weight;
        std::vector<Share> shares;
        std::size_t place; // of its values
    };
    struct Linear {
        int row, column;
        double factor;
    };
    struct Limit { // of one variable of a stage, or of a row
        double low, high;
    };

    std::size_t block() const { return n + stages * (n + m); }
    std::size_t stage_at(std::size_t k, std::size_t i) const { return k * block() + n + i * (n + m); }
    std::size_t stage_row(std::size_t k, std::size_t i) const { return k * (stages + 1) * n + i * n; }
    std::size_t node_row(std::size_t k) const { return k * (stages + 1) * n + stages * n; }
    void sort_bounds();
    void begin(const std::vector<double>& mesh);
    void add_step(std::size_t k);
    void add_ends();
    void add_piece(SparseFunctions& of, std::size_t first, std::size_t count, double t, double weight,
                   std::vector<Piece::Share> shares);
    std::size_t add_rows(const std::vector<Limit>& limits); // the first
    void fix(std::size_t node, const End& end);
    void list_entries();
    bool evaluate(const double* x);
    IpoptProblem program();
    void read_multipliers(BoundedPath& path, const std::vector<double>& rows, const std::vector<double>& at_low,
                          const std::vector<double>& at_high) const;
    double violation(const double* x);
    bool gradient(const double* x, double* f_x);
    bool constraints(const double* x, double* g);
    bool jacobian(const double* x, double* values);
    bool hessian(const double* x, double weight, const double* multipliers, double* values);

    const Problem& problem_;
    Tableau tableau_;
    std::vector<Limit> limits_;                        // of (q, u)
    std::vector<Limit> everywhere_limits_, at_stages_; // of inequalities without inputs, with inputs
    std::optional<SparseFunctions> at_stage_, at_node_, at_start_, at_end_;
    const volatile int* interrupt_ = nullptr;

    std::vector<double> mesh_, x_low_, x_high_, g_low_, g_high_;
    std::vector<std::size_t> inequalities_; // the first row of those of each stage
    std::vector<Piece> pieces_;
    std::vector<Linear> linear_;
    std::vector<int> jacobian_row_, jacobian_column_, hessian_row_, hessian_column_;
    std::vector<double> evaluated_, values_; // where, and what
    bool finite_ = false;
};

// Where it is not there: Unsuitable, with the package that is missing.
const IpoptModule& ipopt_module();

} // namespace rattleback::boundary
