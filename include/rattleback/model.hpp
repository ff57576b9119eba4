// A mechanical system as a value: what a model file says, with its formulas in a graph.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/expr.hpp>

namespace rattleback {

struct NamedFormula {
    std::string name;
    Expr formula;
};

struct Parameter {
    std::string name;
    Expr symbol;
    quad value;
    // What the file says, whatever --set does. What formulas are divided by, and in which order they are solved, is
    // chosen by typical values: so a run with other values has the bits of a batch's member with them.
    quad typical = value;
};

struct Symmetry {
    std::string name;
    Vec generator; // shaped like the coordinates
};

struct SymmetrySection { // a combination of symmetries with coefficients that depend on q
    std::string name;
    std::vector<std::pair<std::string, Expr>> coefficients; // by symmetry
};

// [discrete]: what a step is made of, as formulas of its ends: ld=model.
struct DiscreteMechanics {
    Vec q0, q1;                 // leaves x_0, x_1: where the step begins and ends
    Expr h, t0;                 // leaves
    Expr lagrangian;            // L_d(q0, q1, h), or S: the integral of L over the step
    Vec force_0, force_1;       // F_d^- and F_d^+, shaped like q; empty: none are given
    Vec reaction_0, reaction_1; // alpha_0 and alpha_1 of generating functions; likewise
    Vec constraint;             // phi_d(q0, q1, h), one a velocity constraint; likewise
};

// [control]: q' = dynamics with the inputs that make the integral of the cost, plus the terminal cost, least. Its
// Hamiltonian cost + p . dynamics is Model::function, with the inputs that H_u = 0 gives in place of `inputs`.
struct Control {
    Vec inputs;                      // leaves u
    Vec dynamics;                    // of (t, q, u), shaped like q
    Expr cost = 0.0, terminal = 0.0; // of (t, q, u); of (t, q) at the end
    bool implicit = false;           // H_u = 0 is not linear in u: H keeps the leaves u, which methods solve for
    std::vector<std::string> chosen; // parameters that are to be optimised, too
    std::size_t positions = 0;       // of mechanics: q = (positions, velocities), so many of each; else 0
    struct Bound {                   // lo <= value <= hi
        std::string name;            // as it is written
        Expr value;                  // of (t, q, u)
        std::optional<quad> lo, hi;  // none: not bounded on that side
    };
    std::vector<Bound> bounds; // of inputs and coordinates, then of [control] path
};

// [boundary]: where a path begins and ends.
struct Boundary {
    std::vector<std::optional<quad>> from, to; // of q, scalar by scalar; then the elements on groups; none: free
    Vec from_set, to_set;                      // formulas of q that vanish there
    std::optional<quad> time;                  // that the path takes; none: free
    bool periodic = false;
};

struct RunDefaults {
    std::string method;
    std::optional<double> step, until;
    std::optional<long long> steps;
};

// A coordinate on a group: turns and shifts of a body. Among q, v and p it has coordinates of a chart, which is centred
// at an element of the group: at 0 they are its velocity and its momentum, seen from the body.
struct GroupCoordinate {
    std::string name, group;          // "R", "SO(3)"
    std::size_t first, count;         // its components of q, v, p
    std::size_t centre, centre_count; // those of Model::centre
};

struct Start; // src/model/copy.hpp
struct View;  // src/model/view.hpp

struct Model {
    enum Kind { lagrangian, hamiltonian, general }; // L(t,q,q') | H(t,q,p) | J z' = grad H(z)

    std::shared_ptr<Graph> graph = new_graph();
    std::string name, reference, file, text;
    Kind kind = lagrangian;

    Expr t;                            // leaf
    std::vector<Parameter> parameters; // leaves, with values
    Vec q, v, p;                       // leaves: coordinates, velocities, momenta (p of Lagrangian models too)
    std::vector<GroupCoordinate> groups;
    bool is_group = false; // from [group]: all coordinates belong to it
    Vec centre;    // leaves: where the charts of group coordinates are centred, as results show it: R_11, R_12, ...
    Vec z;         // leaves of a general Hamiltonian
    Expr function; // L or H
    Vec force;     // shaped like q; empty: none
    std::vector<quad> structure; // J, row-major
    // That its entries, bounds of families and sums, and indices were computed from, when the model was read.
    std::vector<std::string> structure_parameters;

    Vec holonomic, velocity, phase; // constraints, each = 0; names are the formulas' texts
    Vec redundant; // holonomic constraints that follow from the others, set aside by with_independent_constraints
    std::vector<int> redundant_places; // where they stood among all
    // [parametrization]: coordinates of the set that the holonomic constraints leave (leaves), q as formulas of them
    // and t, and where Newton looks for the start.
    Vec chart, chart_map;
    std::vector<quad> chart_guess;
    std::optional<DiscreteMechanics> discrete;
    bool variational = false;
    bool any_index = false; // --force index: taken as it is where multipliers or velocities are not determined
    std::vector<Symmetry> symmetries;
    std::vector<SymmetrySection> sections;
    std::vector<NamedFormula> observables;
    std::vector<NamedFormula> inputs; // of [control]: u(t, q, p) from H_u = 0, which H has in its place
    std::optional<Control> control;
    std::optional<Boundary> boundary;
    bool has_start = true; // false: no [initial], q0 and the like are the beginning of a straight path

    quad t0 = 0;
    std::vector<quad> q0, v0, p0, z0, centre0; // scalars in order; v0 or p0 is empty when the other is given
    std::vector<std::optional<quad>> z_given;  // general Hamiltonian: which components were given
    std::vector<quad> lambda0;
    std::shared_ptr<const Start> typical_start; // the file's, where another was asked for; as Parameter::typical
    RunDefaults run;
    std::shared_ptr<const View> view; // what to draw; null: nothing

    Vec parameter_vec() const;
    Vec time_vec() const { return Vec({{"t", t}}); }
    Vec others() const; // what formulas have besides q, v, p, z: t, the parameters, the centre
    Vec implicit_inputs() const { return control && control->implicit ? control->inputs : Vec(); }
    bool constrained() const { return !holonomic.empty() || !velocity.empty() || !phase.empty(); }
};

// --- built in C++ -----------------------------------------------------------------------------------------------
//
//   Model pendulum = Model();  Expr theta = add_coordinate(pendulum, "theta");
//   pendulum.function = pow(velocity(pendulum, "theta"), 2) / 2 + fn::cos(theta);  pendulum.q0 = {1}; ...
Expr add_coordinate(Model& model, const std::string& name);
Expr velocity(const Model& model, const std::string& name);
Expr momentum(const Model& model, const std::string& name);
Expr add_parameter(Model& model, const std::string& name, double value);

// --- read from a file ---------------------------------------------------------------------------------------------

struct LoadOptions {
    using Pairs = std::vector<std::pair<std::string, std::string>>;
    Pairs set = {};                       // --set name=value
    Pairs q = {}, v = {}, p = {}, z = {}; // --q x=.., --v x=.., --p x=.., --z x=..
    Pairs observables = {};               // more of them: name, formula
};
// Throw BadModel (what() is the whole message) on anything that is not a model.
struct BadModel : Error {
    using Error::Error;
};
Model load(const std::string& file, const LoadOptions& options = {});
Model read_model(const std::string& text, const std::string& file_name, const LoadOptions& options = {});

struct GalleryItem {
    std::string name, text;
};
const std::vector<GalleryItem>& gallery();

} // namespace rattleback
