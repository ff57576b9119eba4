// Extremals from many starts: straight lines with random bends. Newton's method finds stationary paths, saddles among
// them; on parking problems 9 to 60 of 60 starts lead to the cheapest one.
#pragma once

#include <rattleback/boundary.hpp>

#include <limits>

#include "boundary/cost.hpp"
#include "boundary/descent.hpp"
#include "boundary/group_curve.hpp"
#include "boundary/last_set.hpp"
#include "boundary/second_order.hpp"

namespace rattleback::boundary {

struct Found {
    Path path;
    std::vector<double> u; // of a control problem, step by step of the search
    double cost = 0;
    SecondOrder second;
    NewtonOutcome newton;
    int hits = 1;
};

class Search {
  public:
    Search(const Problem& problem, const std::string& method, std::size_t steps, const SolveOptions& options);
    std::vector<Found> run(); // the cheapest first, minima before others
    void shoot(std::size_t pieces) { solver_.shoot(pieces); }
    // All starts led to one path, or each was solved by one iteration: more starts find nothing else.
    bool is_settled() const { return at_once_ >= enough_at_once || is_clear(); }
    int parts() const { return solver_.parts(); } // of a step
    int starts() const { return starts_; }
    long long iterations() const { return iterations_; }
    // Of a control problem that no start solved: whether the cost and the dynamics have values on any, where they have
    // none, and of the paths that meet all conditions, stationary or not, the least cost.
    bool has_values() const { return valued_ > 0 || !descent_; }
    std::string without_values() const { return descent_ ? descent_->without_values() : ""; }
    std::optional<double> cheapest() const { return cheapest_; }
    // Of starts that led nowhere, what was left of the dynamics and the ends, or of a motion's equations: the least.
    double least_violation() const { return least_violation_; }

  private:
    Path start(int number);
    Path linear_quadratic(int number); // linearised where the path begins, in the middle, where it ends
    bool begin(Path& path, std::vector<double>& u, bool at_least_of_model, int& descents);
    void finish(Path& path, std::vector<double>& u, int descents);
    void add(Path path, std::vector<double> u, const NewtonOutcome& outcome);
    double normal();
    bool is_clear() const;
    void move_onto_constraints(double* q, double t, const double* centre); // holonomic ones
    std::vector<int> rounds(int number) const;                             // of a start, for each group in space

    const Problem& problem_;
    const SolveOptions& options_;
    std::size_t steps_;
    PathSolver solver_;
    PathCost cost_;
    solve::Jacobians slopes_; // of holonomic constraints
    std::optional<SystemSolver<double>> constraints_;
    std::optional<Descent> descent_;        // of control problems
    std::optional<LastSetPlaces> last_set_; // of singular ones, which are not led towards minima
    unsigned long long random_;
    static constexpr int enough_at_once = 4;
    int valued_ = 0; // starts where the descent had values
    std::optional<double> cheapest_;
    int starts_ = 0, at_once_ = 0; // solved by one iteration: the problem is linear, and has one solution
    long long iterations_ = 0;
    double least_violation_ = std::numeric_limits<double>::infinity();
    std::vector<Found> found_;
};

// x(time), time from 0 to 1, by cubic polynomials through the nodes of whole steps.
std::function<void(double, double*)> interpolated(const Path& path, std::size_t parts);
// Inputs of the step at a time from 0 to 1; none where they need no beginning.
std::function<std::vector<double>(double)> inputs_of(const Problem& problem, const std::vector<double>& u);
void put_in_order(std::vector<Found>& all);
bool is_same(const Path& a, const Path& b);
bool is_beyond_numbers(const Path& path);
bool ends_before_it_begins(const Problem& problem, const Path& path); // its free time is not positive

} // namespace rattleback::boundary
