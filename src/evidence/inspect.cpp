// What a model is, found from its formulas and at its start.
#include <rattleback/evidence.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "run/initial.hpp"
#include "solve/rank.hpp"

namespace rattleback {
namespace {

bool contains(const Graph& graph, const std::vector<Expr>& formulas, const Vec& leaves) {
    std::vector<NodeId> roots;
    for (const Expr& e : formulas)
        if (e.graph()) roots.push_back(e.id());
    for (NodeId id : reachable(graph, roots, true))
        for (const Component& c : leaves) {
            const Node &n = graph.node(id), &leaf = graph.node(c.value.id());
            if (c.family ? n.op == Op::element && n.a == leaf.a : id == c.value.id()) return true;
        }
    return false;
}

std::vector<Expr> values_of(const Vec& v) {
    std::vector<Expr> e;
    for (const Component& c : v) e.push_back(c.value);
    return e;
}

std::string count_of(int n, const char* one, const char* many) {
    return std::to_string(n) + " " + (n == 1 ? one : many);
}

std::string names_of(const Vec& v) {
    std::string s;
    for (const Component& c : v) {
        if (s.size() > 60) return s + ", ...";
        s += (s.empty() ? "" : ", ") + c.name +
             (c.family ? "[" + std::to_string(c.lo) + ".." + std::to_string(c.hi) + "]" : "");
    }
    return s;
}

class Inspector {
  public:
    explicit Inspector(const Model& model) : model_(model), graph_(*model.graph) {
        Report report;
        if (!complete_initial_data(model, start_, report)) throw BadRun("the model cannot start: " + report.text());
    }

    Inspection run() {
        fact("model", model_.name.empty() ? "(no name)" : model_.name);
        if (!model_.reference.empty()) fact("reference", model_.reference);
        if (model_.kind == Model::general)
            general();
        else
            mechanics();
        constraints();
        for (const Scheme* s : all_schemes()) result_.methods.emplace_back(s->id, why_not(*s));
        return std::move(result_);
    }

  private:
    void fact(const std::string& name, const std::string& words) { result_.facts.emplace_back(name, words); }

    // Values of formulas of (q, v, p) or z at a start moved by `shift`.
    std::vector<double> at_start(const Vec& formulas, double shift = 0) {
        const bool is_general = model_.kind == Model::general;
        const Vec leaves = is_general ? model_.z : concat({model_.q, model_.v, model_.p});
        SystemSolver<double> solver(compile(
            System{model_.graph, concat({leaves, model_.time_vec(), model_.parameter_vec()}), {}, {}, formulas}));
        double* to = solver.given();
        int k = 0;
        for (const auto* part : {&start_.z, &start_.q, &start_.v, &start_.p})
            for (double x : *part) *to++ = x + shift * std::sin(1.0 + 2.0 * ++k); // any direction will do
        *to++ = static_cast<double>(model_.t0);
        for (const Parameter& p : model_.parameters) *to++ = static_cast<double>(p.value);
        Report report;
        std::vector<double> values;
        if (!solver.solve(report)) return values;
        for (std::size_t i = 0; i < solver.result_count(); ++i) values.push_back(solver.result(i));
        return values;
    }

    // A Jacobian at the start, dense, row-major; empty when it is too large to look at.
    std::vector<double> matrix(const Vec& f, const Vec& x) {
        const auto rows = static_cast<std::size_t>(f.count()), columns = static_cast<std::size_t>(x.count());
        if (rows * columns > 250000) return {};
        const std::vector<ScalarEntry> entries = expand(jacobian(f, x), f, x);
        Vec formulas;
        for (const ScalarEntry& e : entries) formulas.push_back({"", e.value});
        const std::vector<double> values = at_start(formulas);
        std::vector<double> m(rows * columns, 0.0);
        for (std::size_t i = 0; i < values.size(); ++i) m[entries[i].row * columns + entries[i].column] = values[i];
        return m;
    }

    void mechanics() {
        const Mechanics sys(model_);
        const int n = model_.q.count();
        fact("coordinates", std::to_string(n) + ": " + names_of(model_.q));
        fact("given by", sys.has_lagrangian() ? "a Lagrangian" : "a Hamiltonian");
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
            fact("kinetic energy", !quadratic ? "not quadratic in the velocities"
                                   : constant ? "quadratic, with a constant metric"
                                              : "quadratic, with a metric that depends on q");
            const std::vector<double> m = matrix(p, model_.v);
            if (!m.empty()) {
                const auto rank = solve::row_rank(m, n, n);
                regular_ = rank.rank == n;
                fact("regularity", rank.rank == n ? "L is regular at the start"
                                                  : "L is SINGULAR at the start: rank " + std::to_string(rank.rank) +
                                                        " of " + std::to_string(n));
            }
        }
        for (const Symmetry& s : model_.symmetries) symmetry(sys, s);
    }

    // The change of L along the generator, lifted to velocities (or momenta), at a few states.
    void symmetry(const Mechanics& sys, const Symmetry& s) {
        const Vec lifted = sys.has_lagrangian() ? derivative_along(s.generator, model_.q, model_.v)
                                                : -gradient(dot(s.generator, model_.p), model_.q);
        const Vec fibre = sys.has_lagrangian() ? model_.v : model_.p;
        const Expr change = derivative_along(model_.function, concat({model_.q, fibre}), concat({s.generator, lifted}));
        double worst = 0, size = 1e-300;
        for (double shift : {0.0, 0.1, -0.2}) {
            const std::vector<double> v = at_start(Vec({{"", change}, {"", model_.function}}), shift);
            if (v.size() == 2) worst = std::max(worst, std::abs(v[0])), size = std::max(size, std::abs(v[1]));
        }
        const bool holds = worst <= 1e-9 * std::max(1.0, size);
        const bool forced = !model_.force.empty() && !dot(s.generator, model_.force).is(0);
        const char* kept = forced ? ": leaves the formulas unchanged; a force acts along it"
                                  : ": leaves the formulas unchanged; its momentum is conserved";
        fact("symmetry", s.name + (holds ? kept : ": does NOT leave the formulas unchanged"));
        if (!holds)
            result_.warnings.push_back("'" + s.name + "' is declared a symmetry, but changes the " +
                                       (sys.has_lagrangian() ? "Lagrangian" : "Hamiltonian") + " at a rate of " +
                                       real::to_text(static_cast<quad>(worst), 3));
    }

    void general() {
        const GeneralHamiltonian sys(model_);
        fact("variables", std::to_string(model_.z.count()) + ": " + names_of(model_.z));
        fact("given by", "J z' = grad H(z)");
        fact("structure", "rank " + std::to_string(sys.rank()) +
                              (sys.nullity() ? ", kernel of dimension " + std::to_string(sys.nullity()) : ", regular"));
        const bool timed = contains(graph_, {model_.function}, model_.time_vec());
        fact("time", timed ? "enters the Hamiltonian: energy is not conserved" : "does not enter the Hamiltonian");
        if (sys.nullity() == 0) return;
        // H_lambda_lambda as a matrix at the start; x and y there are read off z.
        const Vec equations = sys.first_order().algebraic[0].lhs;
        Vec formulas;
        const auto entries = expand(jacobian(equations, sys.y), equations, sys.y);
        for (const ScalarEntry& e : entries)
            formulas.push_back({"", substitute(e.value, {{sys.x, sys.x_of_z()}, {sys.y, sys.y_of_z()}})});
        const std::vector<double> values = at_start(formulas);
        const auto k = static_cast<std::size_t>(sys.nullity());
        std::vector<double> m(k * k, 0.0);
        for (std::size_t i = 0; i < values.size(); ++i) m[entries[i].row * k + entries[i].column] = values[i];
        const auto rank = solve::row_rank(m, static_cast<int>(k), static_cast<int>(k));
        regular_ = rank.rank == static_cast<int>(k);
        fact("index", rank.rank == static_cast<int>(k) ? "1: H_lambda_lambda is regular at the start"
                                                       : "not 1: H_lambda_lambda has rank " +
                                                             std::to_string(rank.rank) + " of " + std::to_string(k));
    }

    void constraints() {
        const auto add = [&](const char* kind, const Vec& list) {
            if (!list.empty()) fact("constraints", count_of(list.count(), kind, kind));
        };
        add("holonomic", model_.holonomic);
        add(model_.variational ? "velocity (variational)" : "velocity (nonholonomic)", model_.velocity);
        add("phase", model_.phase);
    }

    std::string why_not(const Scheme& scheme) {
        if (!regular_) return "the equations are singular at the start";
        if (scheme.id == "rk") return ""; // needs a file; takes what gauss takes
        try {
            const Method m = scheme.build(model_, {});
            return "";
        } catch (const Unsuitable& e) { return e.what(); } catch (const BadMethod& e) {
            return e.what();
        }
    }

    const Model& model_;
    Graph& graph_;
    InitialData<double> start_;
    bool regular_ = true;
    Inspection result_;
};

} // namespace

Inspection inspect(const Model& model) { return Inspector(model).run(); }

} // namespace rattleback
