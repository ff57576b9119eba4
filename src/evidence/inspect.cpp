// What a model is, found from its formulas and at its start.
#include <rattleback/evidence.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "evidence/constraint_facts.hpp"
#include "evidence/group_facts.hpp"
#include "evidence/preserved.hpp"
#include "evidence/relation.hpp"
#include "evidence/singular_inputs.hpp"
#include "evidence/studies.hpp"
#include "expr/graph.hpp"
#include "formulation/chain.hpp"
#include "formulation/general_hamiltonian.hpp"
#include "model/copy.hpp"
#include "run/roots.hpp"
#include "scheme/build.hpp"
#include "scheme/discrete_table.hpp"
#include "solve/system.hpp"
#include <rattleback/stepper.hpp>

namespace rattleback {
namespace {

constexpr double short_step = 1e-3;
constexpr std::size_t most_parts = 50'000; // of the formulas; a second of deriving, for all methods together

std::string names_of(const Vec& v) {
    std::string s;
    for (const Component& c : v) {
        if (s.size() > 60) return s + ", ...";
        s += (s.empty() ? "" : ", ") + c.name +
             (c.family ? "[" + std::to_string(c.lo) + ".." + std::to_string(c.hi) + "]" : "");
    }
    return s;
}

// Names, and of coordinates on groups those that formulas use: "R in SO(3), x".
std::string coordinates_in_words(const Model& model) {
    Vec all;
    auto group = model.groups.begin();
    for (std::size_t i = 0; i < model.q.size(); ++i) {
        all.push_back(model.q[i]);
        if (group == model.groups.end() || i < group->first) continue;
        Component& c = all[all.size() - 1];
        c.name = group->name, i += group->count - 1;
        c.name = names_of(Vec({c})) + " in " + group->group, c.family = false;
        ++group;
    }
    return names_of(all);
}

class Inspector {
  public:
    explicit Inspector(const Model& model) : model_(model), graph_(*model.graph), sample_(model) {}

    Inspection run() {
        fact("model", model_.name.empty() ? "(no name)" : model_.name);
        if (!model_.reference.empty()) fact("reference", model_.reference);
        if (const std::size_t parts = reachable(graph_, std::array{model_.function.in(graph_)}).size();
            parts > most_parts)
            return too_large(parts);
        if (model_.kind == Model::general)
            general();
        else
            mechanics();
        regular_ &= inspect_constraints(sample_, result_);
        const Preserved preserved(sample_);
        if (model_.discrete) discrete();
        for (const Scheme* s : all_schemes()) add_method(*s, preserved);
        return std::move(result_);
    }

  private:
    void add_method(const Scheme& scheme, const Preserved& preserved) {
        const std::string why = why_not(scheme, Options());
        if (scheme.passes_options && !why.empty() && regular_) return add_with_other_base(scheme, why, preserved);
        const bool named = why.empty() && scheme.id == "rk"; // with the file that it needs: as it is typed
        result_.methods.emplace_back(named ? "rk:tableau=FILE" : scheme.id, why);
        if (why.empty())
            result_.preserves.emplace_back(result_.methods.back().first,
                                           named ? "the tableau tells its order and what it keeps"
                                                 : preserved.words(scheme.claims(Options()), built_));
        if (why.empty() && model_.discrete) add_with_given_lagrangian(scheme, preserved);
    }

    void add_with_given_lagrangian(const Scheme& scheme, const Preserved& preserved) {
        if (!takes_given_lagrangian(scheme)) return;
        const Options with(std::map<std::string, std::string>{{"ld", "model"}});
        const std::string name = scheme.id + ":ld=model";
        try {
            const Method method = build_in_graph(model_, scheme, with);
            result_.methods.emplace_back(name, "");
            result_.preserves.emplace_back(name, preserved.words(scheme.claims(with), method));
        } catch (const Unsuitable& e) { result_.methods.emplace_back(name, e.what()); }
    }

    void discrete() {
        const DiscreteMechanics& d = *model_.discrete;
        std::string words = "a Lagrangian";
        if (!d.force_0.empty()) words += ", forces";
        if (!d.reaction_0.empty()) words += ", a reaction";
        if (!d.constraint.empty()) words += ", a constraint";
        try {
            require_consistent(Mechanics(model_));
            const bool even = has_symmetric_constraint(model_);
            words += !is_symmetric(model_) ? ": consistent, not its own adjoint, of order 1 at least"
                     : even                ? ": consistent, its own adjoint, of order 2 at least"
                            : ": consistent, its own adjoint but for the constraint, of order 2 at least, "
                              "1 with dla";
        } catch (const Unsuitable& e) {
            words += ": NOT consistent";
            result_.warnings.push_back(e.what());
        }
        fact("discrete", words + "; for ld=model");
    }

    // A composition fits wherever one of the methods does that it can be built on.
    void add_with_other_base(const Scheme& scheme, const std::string& why, const Preserved& preserved) {
        std::vector<std::string> bases;
        for (const Scheme* base : all_schemes())
            if (!base->passes_options && why_not(scheme, Options({{"base", base->id}})).empty())
                bases.push_back(base->id);
        if (bases.empty()) return result_.methods.emplace_back(scheme.id, why), void();
        const Options with({{"base", bases[0]}});
        static_cast<void>(why_not(scheme, with)); // builds it
        result_.methods.emplace_back(scheme.id + ":base=" + bases[0], "");
        std::string words = preserved.words(scheme.claims(with), built_);
        for (std::size_t i = 1; i < bases.size(); ++i) words += (i == 1 ? "; also with base=" : ", ") + bases[i];
        result_.preserves.emplace_back(result_.methods.back().first, words);
    }

    void fact(const std::string& name, const std::string& words) { result_.facts.emplace_back(name, words); }

    // To try every method would mean to derive the equations of each.
    Inspection too_large(std::size_t parts) {
        const Vec& variables = model_.kind == Model::general ? model_.z : model_.q;
        fact(model_.kind == Model::general ? "variables" : "coordinates",
             std::to_string(variables.count()) + ": " + names_of(variables));
        fact("size",
             std::to_string(parts) + " parts: no method was tried, no property looked for; 'run' tries a method");
        return std::move(result_);
    }

    void mechanics() {
        const Mechanics sys(model_);
        const int n = model_.q.count();
        fact("coordinates", std::to_string(n) + ": " + coordinates_in_words(model_));
        fact("given by", model_.control         ? "a control problem: H = cost + p . dynamics"
                         : sys.has_lagrangian() ? "a Lagrangian"
                                                : "a Hamiltonian");
        if (model_.control) inputs();
        if (model_.boundary) ends();
        const bool timed = contains(graph_, {model_.function}, model_.time_vec()) ||
                           contains(graph_, values_of(model_.force), model_.time_vec());
        fact("time", timed ? "enters the formulas: energy is not conserved" : "does not enter the formulas");
        fact("forces", model_.force.empty() ? "none" : "yes: energy and momenta follow them");
        if (sys.has_lagrangian()) {
            const Vec p = sys.momentum();
            std::vector<Expr> metric;
            for (const JacobianTerm& t : jacobian(p, model_.v)) metric.push_back(t.value);
            const bool quadratic = !contains(graph_, metric, model_.v),
                       constant = quadratic && !contains(graph_, metric, model_.q);
            fact("kinetic energy", !quadratic               ? "not quadratic in the velocities"
                                   : !model_.groups.empty() ? "quadratic"
                                   : constant               ? "quadratic, with a constant metric"
                                                            : "quadratic, with a metric that depends on q");
            const Dense m = sample_.matrix(p, model_.v);
            if (!m.entries.empty()) {
                const auto rank = row_rank(m, 1e-10);
                regular_ = rank.rank == n || (model_.variational && !model_.velocity.empty()); // see index()
                fact("regularity", rank.rank == n ? "L is regular at the start"
                                                  : "L is SINGULAR at the start: rank " + std::to_string(rank.rank) +
                                                        " of " + std::to_string(n));
            }
        } else {
            hamiltonian(gradient(model_.function, model_.p), n);
        }
        if (!model_.groups.empty()) inspect_groups(sample_, group_facts(sample_), result_);
        inspect_symmetries(sample_, result_);
    }

    void hamiltonian(const Vec& H_p, int n) {
        std::vector<Expr> metric;
        for (const JacobianTerm& t : jacobian(H_p, model_.p)) metric.push_back(t.value);
        fact("kinetic energy", contains(graph_, metric, model_.p)   ? "not quadratic in the momenta"
                               : contains(graph_, metric, model_.q) ? "quadratic, with a metric that depends on q"
                                                                    : "quadratic, with a constant metric");
        const Dense m = sample_.matrix(H_p, model_.p);
        if (m.entries.empty()) return;
        const int rank = row_rank(m, 1e-10).rank;
        singular_hamiltonian_ = rank < n;
        fact("regularity", singular_hamiltonian_ ? "H_pp is SINGULAR at the start: rank " + std::to_string(rank) +
                                                       " of " + std::to_string(n) +
                                                       "; there is no Lagrangian, and methods that need one do not fit"
                                                 : "H is regular at the start");
    }

    void inputs() {
        const Control& c = *model_.control;
        if (c.implicit)
            fact("inputs", names_of(c.inputs) + ", from H_u = 0, which is not linear in them: steps solve for them");
        const std::vector<std::size_t> singular = singular_inputs(model_);
        for (std::size_t i = 0; i < model_.inputs.size(); ++i)
            if (std::find(singular.begin(), singular.end(), i) == singular.end())
                fact("input", model_.inputs[i].name + " = " + to_text(model_.inputs[i].formula, 80));
        if (singular.empty() && violates_legendre(model_))
            fact("Legendre", "H_uu is NOT positive at the start: inputs from H_u = 0 do not make H least there, and "
                             "paths are no minima");
        if (!singular.empty())
            for (const auto& [name, text] : singular_input_facts(model_)) fact(name, text);
        for (const std::string& name : c.chosen) fact("chosen", "parameter " + name + ", so that the cost is least");
    }

    // What [boundary] gives and leaves free.
    void ends() {
        const Boundary& b = *model_.boundary;
        if (b.periodic)
            return fact("ends", "none, a periodic path, period " + (b.time ? real::to_text(*b.time) : "free") +
                                    ": 'rattleback solve' finds it near the start");
        const auto n = static_cast<std::ptrdiff_t>(model_.q.count()); // elements on groups come after these
        const auto given = [n](const std::vector<std::optional<quad>>& values, const Vec& set) {
            const auto count =
                std::count_if(values.begin(), values.begin() + n, [](const auto& v) { return v.has_value(); });
            return std::to_string(count) + " of " + std::to_string(n) + " coordinates" +
                   (set.empty() ? "" : " and " + std::to_string(set.size()) + " formulas that vanish");
        };
        fact("ends", "from " + given(b.from, b.from_set) + ", to " + given(b.to, b.to_set) + ", time " +
                         (b.time ? real::to_text(*b.time) : "free") + ": 'rattleback solve' finds the path");
    }

    void general() {
        const GeneralHamiltonian sys(model_);
        fact("variables", std::to_string(model_.z.count()) + ": " + names_of(model_.z));
        fact("given by", "J z' = grad H(z)");
        fact("structure", "rank " + std::to_string(sys.rank()) +
                              (sys.nullity() ? ", kernel of dimension " + std::to_string(sys.nullity()) : ", regular"));
        const bool timed = contains(graph_, {model_.function}, model_.time_vec());
        fact("time", timed ? "enters the Hamiltonian: energy is not conserved" : "does not enter the Hamiltonian");
        if (!model_.phase.empty()) return chain();
        if (sys.nullity() == 0) return;
        Dense J(model_.z.size(), model_.z.size());
        J.entries.assign(model_.structure.begin(), model_.structure.end());
        const Dense constraints = sample_.matrix(sys.multiplier_equations(), model_.z);
        const std::string form = constraints.entries.empty() ? "" : restricted_form_in_words(J, constraints);
        const auto facts = [&](const std::string& index, const std::string& where) {
            if (!form.empty()) fact("restricted form", form + where);
            fact("index", index);
        };
        if (sys.rank() == 0) {
            regular_ = false;
            facts("not 1: J = 0, the equations are algebraic", "");
            relation();
            return chain();
        }
        // H_lambda_lambda as a matrix at the start; x and y there are read off z.
        const Vec equations = sys.first_order().algebraic[0].lhs;
        Vec formulas;
        const auto entries = expand(jacobian(equations, sys.y), equations, sys.y);
        for (const ScalarEntry& e : entries)
            formulas.push_back({"", substitute(e.value, {{sys.x, sys.x_of_z()}, {sys.y, sys.y_of_z()}})});
        const std::vector<double> values = sample_.at(formulas);
        const int k = sys.nullity();
        Dense m(sys.y.size(), sys.y.size());
        for (std::size_t i = 0; i < values.size(); ++i) m(entries[i].row, entries[i].column) = values[i];
        const int rank = row_rank(m, 1e-10).rank;
        const std::string singular = "H_lambda_lambda has rank " + std::to_string(rank) + " of " + std::to_string(k);
        regular_ = rank == k || has_one_solution_nearby(sys, {.z = sample_.at(model_.z)});
        if (rank == k)
            facts("1: H_lambda_lambda is regular at the start", "");
        else if (regular_)
            facts("1: H_lambda = 0 has one solution, although " + singular + " at the start", " at the start");
        else
            facts("not 1: " + singular, "");
        if (!regular_) relation(), chain();
        const std::string roots = other_roots(model_, sample_.at(model_.z));
        if (!roots.empty()) result_.warnings.push_back(roots + "\n  give all components of z to take another");
    }

    // What the midpoint rule makes of equations that are not of index 1, under --force index.
    void relation() {
        const std::vector<double> start = sample_.at(model_.z);
        const auto pairs = midpoint_relation(model_, start, static_cast<quad>(0.1));
        if (!pairs) return fact("midpoint relation", "z0 does not determine z1");
        fact("midpoint relation", "of (z0, z1), changes dz ^ J dz by " + real::to_text(pairs->form, 2) + "; " +
                                      convergence_of_relation(model_, start));
    }

    // The sets of the presymplectic algorithm, down to the one that has a motion.
    void chain() {
        try {
            const DiracChain found(model_);
            std::string words;
            for (std::size_t k = 0; k < found.levels.size(); ++k)
                words += (k ? ", P_" : "P_") + std::to_string(k) + " of dimension " +
                         std::to_string(found.levels[k].dimension);
            const auto second = found.second_class().size(), all = found.phi.size();
            words += second == all ? ": the last is symplectic, and has one motion"
                     : found.arbitrary.empty()
                         ? ": the last has one motion, and is not symplectic"
                         : ": on the last, " + std::to_string(found.arbitrary.size()) +
                               (found.arbitrary.size() == 1 ? " rate is" : " rates are") + " arbitrary";
            fact("hidden constraints", words + "; check --brackets prints them");
            if (!found.off_start.empty()) result_.warnings.push_back(found.off_start);
        } catch (const Unsuitable& e) {
            const std::string why = e.what(); // a fact is one line
            fact("hidden constraints", why.substr(0, why.find('\n')));
        }
    }

    std::string why_not(const Scheme& scheme, const Options& options) {
        const bool general = model_.kind == Model::general; // there some methods know what is hidden
        const char* const singular = "the equations are singular at the start";
        if (!regular_ && !general) return singular;
        try {
            if (singular_hamiltonian_) return why_not_in_a_step(scheme, options);
            built_ = build_in_graph(model_, scheme, options);
            return regular_ || built_.step.node_find.empty() ? "" : singular;
        } catch (const Unsuitable& e) { return e.what(); } catch (const BadMethod& e) {
            return scheme.id != "rk" ? e.what() : regular_ ? "" : singular; // its file is not given
        }
    }

    // Where velocities do not determine momenta, whether a method needs that they do shows in a step alone.
    std::string why_not_in_a_step(const Scheme& scheme, const Options& options) {
        const std::string why = "it needs momenta that velocities determine; H_pp is singular at the start";
        Report report;
        try {
            const CompiledMethod compiled = compile(model_, scheme, options);
            Stepper<double> stepper(compiled);
            built_ = compiled.method();
            return stepper.start(report, short_step) && stepper.advance(0, short_step, report) ? "" : why;
        } catch (const StructuralError&) { return why; }
    }

    const Model& model_;
    Graph& graph_;
    Sample sample_;
    Method built_; // the last one
    bool regular_ = true, singular_hamiltonian_ = false;
    Inspection result_;
};

bool can_start(const Model& model) {
    InitialData<double> data;
    Report report;
    try {
        return complete_initial_data(model, data, report);
    } catch (const BadRun&) { return false; }
}

// Where bounds keep H_u = 0 from giving the inputs: no method runs it.
Inspection of_bounded_control(const Model& model) {
    const Control& c = *model.control;
    std::string bounds;
    for (const Control::Bound& b : c.bounds) bounds += (bounds.empty() ? "" : ", ") + b.name;
    Inspection result;
    result.facts = {{"coordinates", std::to_string(model.q.count()) + ": " + coordinates_in_words(model)},
                    {"given by", "a control problem"},
                    {"inputs", std::to_string(c.inputs.count()) + ": " + names_of(c.inputs)},
                    {"bounds", bounds + ": costates alone do not give the inputs, so no method runs it"},
                    {"solved by", model.boundary ? "'solve', with Ipopt" : "nothing: there is no [boundary]"}};
    return result;
}

} // namespace

Inspection inspect(const Model& model) {
    if (model.control && !model.control->bounds.empty()) return of_bounded_control(model);
    std::optional<Model> independent;
    std::string refusal;
    try {
        independent = with_independent_constraints(model);
    } catch (const BadRun& e) { // a singular position is a fact; constraints that cannot be met are no model
        if (!can_start(model)) throw;
        refusal = e.what();
    }
    const Model copy = independent ? *independent : deep_copy(model);
    Inspection result = Inspector(copy).run();
    if (!refusal.empty()) result.warnings.push_back("a run is refused: " + refusal);
    return result;
}

} // namespace rattleback
