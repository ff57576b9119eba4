// Methods as data: a Scheme describes itself and builds a Method; a Method is one Step (its equations) or several.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <rattleback/formulation.hpp>

namespace rattleback {

// A force that acts where `place` is, as the virtual work force . dplace of one step.
struct Work {
    Vec force, place;
};

// A point inside a step at which the method takes the model's equations: (t, q, v), or (t, z).
struct Stage {
    Vec q, v, z;
    Expr t;
    Vec p = {}, u = {}; // of methods on Hamiltonians; u: inputs that H_u = 0 gives
};

// One step of a method: what is carried, what is to be found, the equations between them, what comes next.
// All formulas are over the leaves `state`, `hint`, `h`, `t` and the model's parameters.
struct Step {
    std::shared_ptr<Graph> graph = {};
    Vec state = {}; // carried
    Vec hint = {};  // carried too, but only as starting values for Newton: no part of the solution
    Expr h = {}, t = {};
    std::vector<Unknown> find = {};
    std::vector<Equation> equations = {};
    bool functional = false; // solved by functional iteration: by Newton's with the matrix that belongs to h = 0
    Vec increment = {};      // state_next = state + increment, added with compensation
    // Last components of the state that are no sums of small increments: their next values are taken as they are.
    std::size_t outright = 0;
    Vec next_hint = {};   // for the next step of the same size
    Vec steady_hint = {}; // for a next step of another size or direction; empty: next_hint serves
    Vec error = {};       // optional: an estimate of the step's error, shaped like state (methods with step control)

    // State and hint as formulas of the model's q, v, p (or z; lambda too for variational models), of h, t, and of
    // what `start_find` stands for.
    std::vector<Unknown> start_find = {};
    std::vector<Equation> start_equations = {};
    Vec start = {}, start_hint = {};
    Vec reverse = {}; // the state that runs backwards; empty: not known

    // What a node shows: q, v, p (or z) and multipliers as formulas of the state, h, t and `node_find`.
    std::vector<Unknown> node_find = {};
    std::vector<Equation> node_equations = {};
    Vec q = {}, v = {}, p = {}, z = {}, lambda = {};
    Vec centre = {}; // of the charts of group coordinates, shaped like Model::centre
    // The momentum with which a step arrives, before the reaction of the node itself acts. Empty: p.
    Vec arrival = {};

    // Numbers of the state that say in which chart of the constraint set the next step is taken: 1 for a coordinate
    // that follows from the others, 0 for one that is a coordinate of the chart, named like q. Empty: there are no
    // charts.
    Vec chart = {};

    // Its stages, as formulas of the state and of `find`. No run looks at them: they are there to be measured.
    std::vector<Stage> stages = {};

    // What generates the step, where that is known: b1 da1 - b0 da0 = dS - sum of force . dplace, over the pairs (a, b)
    // of `form` (de Leon, Martin de Diego and Santamaria 2004, (17)); formulas of the state and of `find`.
    std::optional<Expr> generating = {};
    std::vector<Work> work = {};
    bool alternates = false; // its multipliers of velocity constraints are carried, with a (-1)^k mode of their own

    // The two-form the carried state lives with: the sum of da ^ db over these pairs. Empty: none is claimed.
    std::vector<std::pair<Vec, Vec>> form = {};
    // What vanishes on all carried states, as formulas of the state and of `node_find`: the form is kept on vectors
    // tangent to it.
    Vec manifold = {};
};

struct Method {
    std::string id = {}, text = {}; // text: as the user wrote it
    Step step = {};
    std::vector<quad> substeps = {1}; // a composition: the step with these fractions of h, in order
    int order = 0;
    int composes_to = 8;        // the highest order that compositions of it reach
    bool controls_step = false; // h is the spacing of nodes; inside, the method takes its own steps
    double tolerance = 0;
};

// Options of a method, as given on the command line: id:name=value:name=value.
class Options {
  public:
    Options() = default;
    explicit Options(std::map<std::string, std::string> values) : values_(std::move(values)) {}
    int integer(const std::string& name, int fallback, int lo, int hi) const;
    quad number(const std::string& name, quad fallback) const; // a formula without names, like 1/4 or sqrt(3)/6
    std::string word(const std::string& name, const std::string& fallback,
                     std::span<const std::string_view> allowed = {}) const;
    bool has(const std::string& name) const { return values_.contains(name); }
    const std::map<std::string, std::string>& values() const { return values_; }

  private:
    std::map<std::string, std::string> values_;
};
struct BadMethod : Error {
    using Error::Error;
};

enum class Property {
    symplectic,
    constraint_exact,
    holonomic_exact,
    constraint_at_stages,
    holonomic_at_stages,
    energy_exact,
    energy_bounded,
    momentum_exact,
    reversible,
    symmetric
};
std::string_view to_text(Property property);
enum class Answer { yes, no, unknown };
std::string_view to_text(Answer answer);

enum class Condition {
#define CONDITION(id, words, model, momentum, test) id,
#include <rattleback/conditions.def>
#undef CONDITION
};
std::string_view to_text(Condition condition);
std::string to_text(const std::vector<Condition>& conditions); // "no forces, no time"

struct Claim {
    Property property;
    Answer answer;
    std::vector<Condition> conditions = {}; // it holds where all of these do; none: always
};

struct OptionInfo {
    std::string name, fallback, help;
};

struct Scheme {
    std::string id, title, cite;
    std::string takes;           // the kinds of model, in words
    bool passes_options = false; // options it does not know go to the method it is built on
    std::vector<OptionInfo> options;
    std::function<int(const Options&)> order;
    std::function<std::vector<Claim>(const Options&)> claims;
    std::function<Method(const Model&, const Options&)> build; // throws Unsuitable
};

std::vector<const Scheme*> all_schemes();         // those of src/scheme/methods, then those registered
const Scheme& find_scheme(const std::string& id); // throws BadMethod with the nearest name
// From then on it is a method like the others, by its id. Throws BadMethod where the id is taken.
void register_scheme(Scheme scheme);

struct MethodName {
    std::string id, text;
    Options options;
};
std::vector<MethodName> parse_methods(const std::string& text);  // "gauss:stages=3,del:ld=verlet"
Method build_method(const Model& model, const MethodName& name); // in a graph of its own

} // namespace rattleback
