// What `check` and `compare` show.
#pragma once

#include <rattleback/evidence.hpp>

namespace rattleback {

// Several methods side by side, and what a converged reference says of them as long as it is one.
struct ComparedMethod {
    Run run;
    std::optional<double> error;                           // in (q, v) or z at Comparison::holds_until
    double seconds_per_time = 0;                           // of computing, for a unit of the model's time: steps alone
    std::vector<double> work_steps, work_cost, work_error; // of coarser and finer runs to ranked_until: seconds a unit
                                                           // of time, errors
    double seconds_start = 0;                              // of computing that a run takes before its first step
};
struct Comparison {
    std::vector<ComparedMethod> methods;
    std::vector<std::pair<std::string, std::string>> left_out; // methods that do not fit the model, and why
    std::string reference_method;                              // empty: none fits
    double reference_error = 0;                                // how far a coarser reference is from it at holds_until
    double t_end = 0;                                          // of the runs
    double holds_until = 0;        // the last node at which reference and coarser reference agree
    double ranked_until = 0;       // the last one before it at which most methods follow the reference, too
    double floor = 0, ceiling = 0; // errors there below and above which nothing can be told
    bool energy_conserved = true;  // by the motion itself: what is not has no error
    std::vector<std::string> momenta_conserved;     // likewise
    std::vector<std::string> short_runs, long_runs; // the best for each, a tie if several; empty: none
    std::string recommendation;                     // two lines, with their reasons
    bool resolved() const { return holds_until == t_end; }
};
// options.progress is told milliseconds, not steps. Throws where no method fits: Unsuitable, BadMethod.
Comparison compare(const Model& model, const std::vector<MethodName>& methods, const RunOptions& options);

// What a model is: for `check`.
struct Inspection {
    std::vector<std::pair<std::string, std::string>> facts; // name, in words
    std::vector<std::string> warnings;
    std::vector<std::pair<std::string, std::string>> methods;   // id; empty if it fits, else why it does not
    std::vector<std::pair<std::string, std::string>> preserves; // of those that fit: order, and what is kept here
};
Inspection inspect(const Model& model); // throws BadRun where the model cannot start

// Dirac's algorithm on holonomic and phase constraints, or on J z' = grad H: brackets, hidden constraints, invariants.
struct BracketStudy {
    struct Constraint {
        std::string name, origin; // g1, given; psi1, {g1, H}
        Expr formula;
        int level = 0; // 0: given
        bool second_class = false;
        bool combined = false; // of the first class, once multiples of those of the second are taken away
    };
    struct Level { // the set P_k on which all constraints up to this level hold
        int dimension = 0;
        std::vector<std::string> constraints, conditions; // new; those whose rates determine a multiplier
    };
    struct Multiplier {
        std::string name;
        Expr formula;
        bool vanishes = false; // on the constraint set, as those of all hidden constraints do
    };
    struct Bracket {
        std::string left, right;
        Expr value;
        bool vanishes = false; // on the constraint set
    };
    // strong: constant along all motions; weak: along those on the constraint set.
    enum class Kind { strong, weak, none };
    struct Invariant {
        std::string name, under; // under: the equations of motion
        Kind kind;
    };
    std::shared_ptr<const Graph> graph; // of the formulas
    std::vector<Constraint> chain;
    std::vector<Bracket> brackets;
    std::vector<Level> levels;
    std::vector<Multiplier> multipliers;
    std::vector<std::string> arbitrary; // constraints whose multipliers nothing determines; runs take 0
    std::vector<Invariant> invariants;
    std::string hidden_at_start; // a hidden constraint that the start misses; empty: none
};
BracketStudy study_brackets(const Model& model); // throws Unsuitable, BadRun

// Equations that are shown and not run, under headings. Their formulas are tidied.
struct ShownEquations {
    struct Line {
        std::string left, right, left_latex, right_latex;
    };
    struct Section {
        std::string title;
        std::vector<Line> lines;
    };
    std::vector<Section> sections;
    std::string note; // why there are none, where that needs saying
};
// The constrained connection of a mechanical system with linear velocity constraints (de Leon, Martin de Diego and
// Santamaria 2004, (26) to (28)); no sections where L is not T - V, or the constraints are of another kind.
ShownEquations study_connection(const Model& model);

// A group of symmetries with directions V, and the constraint distribution D.
struct ChaplyginStudy {
    std::vector<std::string> symmetries;   // that leave L, D and the forces unchanged; of cyclic coordinates, too
    int directions = 0, allowed = 0;       // dimensions of V and of its intersection with D
    bool spanning = false;                 // V + D = TQ
    std::vector<std::string> subgroup;     // those that are transverse to D: as many as constraints; empty: none found
    std::vector<std::size_t> group, shape; // coordinates that the subgroup moves, and the others
    bool abelian = false;
    std::string where;       // a formula that must not vanish for the subgroup to be transverse; empty: everywhere
    std::string not_adapted; // why the coordinates do not fit the subgroup; empty: they do
    bool whole() const { return allowed == 0; } // the subgroup is the group
    bool reducible() const { return !subgroup.empty() && not_adapted.empty(); }
};
// Empty where the model is not of the kind: a Lagrangian with velocity constraints alone, linear, no families.
std::optional<ChaplyginStudy> study_chaplygin(const Model& model);

// The motion on the shape space: d/dt L*_r' - L*_r = gyroscopic force, and what the group coordinates do meanwhile.
struct ChaplyginReduction {
    ChaplyginStudy study;
    ShownEquations equations;
    std::string model; // the reduced model, as a file
};
ChaplyginReduction reduce_chaplygin(const Model& model); // throws Unsuitable where there is none

// What becomes of small residuals c = (g, psi) beside the constraint set: c' = R c, R taken along a run of RATTLE.
struct StabilityStudy {
    struct Formulation {
        std::string method;
        int centre = 0, saddle = 0, neutral = 0, sink = 0; // nodes at which the eigenvalues of R are such
        double growth = 0, frequency = 0;                  // the largest real and imaginary part
        double factor = 1;                                 // by which residuals grew at most within the run
        bool linear_growth = false;                        // all eigenvalues are 0 and R is not
        std::string verdict() const;
    };
    std::vector<Formulation> formulations;
    double until = 0;
    int nodes = 0;
};
// Of these methods of the Dirac family, or of all four. Throws Unsuitable, BadRun.
StabilityStudy study_stability(const Model& model, const std::vector<std::string>& methods, double step, int steps);

// A model with velocity constraints under d'Alembert's principle and under the variational one, whichever it asks for,
// from the same positions and velocities. Methods: the first of options.method that fits; by default of order 6.
struct PrinciplesStudy {
    Run nonholonomic, variational;
    std::vector<double> largest, at; // by coordinate: the largest difference, and when
    std::optional<double> part;      // the first time at which a coordinate differs by 1e-6
    double numerical_error = 0;      // of the two runs, by runs with half the step
    enum Verdict { coincide, differ, undecided } verdict = undecided; // undecided: these errors hide it
    std::string integrability;                                        // as check says it
    bool integrable = false;
    // |lambda . (d/dt phi_v - phi_q)| along allowed directions, which the variational motion alone feels; empty where
    // velocities enter nonlinearly.
    std::optional<double> force_start, force_max;
};
// options.progress is told milliseconds. Throws BadRun, Unsuitable.
PrinciplesStudy compare_principles(const Model& model, const RunOptions& options);

} // namespace rattleback
