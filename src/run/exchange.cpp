#include "run/exchange.hpp"

#include <algorithm>
#include <cmath>

#include "expr/graph.hpp"
#include "expr/terms.hpp"
#include "run/initial.hpp"

namespace rattleback {
namespace {

constexpr int points = 4;            // to look at, beside the start
constexpr double negligible = 1e-9;  // beside the largest term of a formula
constexpr int most_coordinates = 60; // of a model whose symmetries and reactions are looked at

Vec scalar(const Expr& e) { return Vec({{"", e}}); }

// The products that dot(x, y) adds up.
Vec products(const Vec& x, const Vec& y) {
    Vec all;
    for (std::size_t i = 0; i < x.size(); ++i) {
        Component c = x[i];
        c.value = x[i].value * y[i].value, c.border.clear();
        all.push_back(c);
    }
    return all;
}

// The start, or numbers in its place, and points around it: in the units of the numbers themselves.
std::vector<double> near(const std::vector<quad>& start, std::size_t count, int point, int kind) {
    std::vector<double> values(count, 0.0);
    double size = 0;
    for (std::size_t i = 0; i < std::min(count, start.size()); ++i)
        values[i] = static_cast<double>(start[i]), size = std::max(size, std::abs(values[i]));
    if (size == 0) size = 1;
    const double part = start.empty() ? 1.0 : 0.1 * point;
    for (std::size_t i = 0; i < count; ++i)
        values[i] += part * size * std::sin(1.0 + 2.0 * static_cast<double>(i) + 5.0 * point + 3.0 * kind);
    return values;
}

} // namespace

Exchanges::Exchanges(const Model& model) : model_(model) {
    const bool general = model.kind == Model::general;
    const bool inside_the_action = model.variational && !model.velocity.empty();
    if (inside_the_action) lambda_ = Variational(model).lambda;
    if (!general && !inside_the_action && model.phase.empty() && model.constrained()) reacts_.emplace(model);
    of_energy();
    if (!general)
        for (const Symmetry& s : model.symmetries) of_symmetry(s);
}

Vec Exchanges::moving() const {
    return model_.kind == Model::general ? model_.z : concat({model_.q, model_.v, model_.p, lambda_});
}

// `parts`: what they are sums of, whose size they are compared with besides their own terms. Terms may all be
// round-off.
bool Exchanges::vanishes(const Vec& formulas, const Vec& parts) const {
    if (std::all_of(formulas.begin(), formulas.end(), [](const Component& c) { return c.value.is(0); })) return true;
    SystemSolver<double> solver(compile(System{model_.graph,
                                               concat({moving(), model_.others()}),
                                               {},
                                               {},
                                               concat({formulas, largest_terms(formulas), parts})}));
    const auto count = static_cast<std::size_t>(formulas.count());
    bool seen = false;
    for (int point = 0; point <= points; ++point) {
        double* to = solver.given();
        const auto put = [&](const std::vector<double>& values) { to = std::copy(values.begin(), values.end(), to); };
        const auto around = [&](const std::vector<quad>& start, const Vec& leaves, int kind) {
            put(near(start, static_cast<std::size_t>(leaves.count()), point, kind));
        };
        if (model_.kind == Model::general) {
            around(model_.z0, model_.z, 0);
        } else {
            around(model_.q0, model_.q, 0), around(model_.v0, model_.v, 1), around(model_.p0, model_.p, 2);
            around(model_.lambda0, lambda_, 3);
        }
        put(other_values(model_, static_cast<double>(model_.t0) + 0.3 * point));
        Report ignored;
        if (!solver.solve(ignored)) continue;
        seen = true;
        double size = 0;
        for (std::size_t i = 2 * count; i < solver.result_count(); ++i)
            size = std::max(size, std::abs(solver.result(i)));
        for (std::size_t i = 0; i < count; ++i)
            if (!(std::abs(solver.result(i)) <= negligible * std::max(size, solver.result(count + i)))) return false;
    }
    return seen;
}

void Exchanges::add(Exchange& to, const Expr& rate, const char* why, const Vec& parts) const {
    if (rate.is(0) || vanishes(scalar(rate), parts)) return;
    to.rate = to.rate + rate;
    to.why += (to.why.empty() ? "" : ", ") + std::string(why);
}

// Where a constraint is homogeneous in the velocities, phi_v v = k phi = 0 on it.
bool Exchanges::does_no_work(const Component& constraint, const Component& along) const {
    for (const int degree : {1, 2, 3, 4})
        if (vanishes(Vec({along}) - Expr(degree) * Vec({constraint}))) return true;
    return false;
}

// - mu . along, for the constraints whose reactions do something there.
void Exchanges::add_reaction(Exchange& to, const Vec& along, const char* why) {
    Expr power = 0.0;
    for (std::size_t i = 0; i < along.size(); ++i) {
        const bool nothing = to.name == "energy" ? does_no_work(reacts_->phi[i], along[i]) : vanishes(Vec({along[i]}));
        if (!nothing) power = power - dot(Vec({reacts_->lambda[i]}), Vec({along[i]}));
    }
    if (power.is(0)) return;
    to.why += (to.why.empty() ? "" : ", ") + std::string(why);
    to.rate = to.rate + power;
    // NOTE: the multipliers take a system of equations at every node: for small models it costs less than a step.
    to.known = to.known && !model_.any_index && model_.q.count() + along.count() <= most_coordinates;
    finds_ = finds_ || to.known;
}

void Exchanges::of_energy() {
    Exchange energy{"energy", {}};
    const bool lagrangian = model_.kind == Model::lagrangian;
    if (!model_.force.empty())
        add(energy, dot(model_.force, model_.v), "forces do work", products(model_.force, model_.v));
    const Expr function = lagrangian ? -model_.function : model_.function;
    add(energy, derivative(function, model_.t),
        lagrangian ? "the Lagrangian depends on t" : "the Hamiltonian depends on t");
    if (!lambda_.empty())
        add(energy, dot(lambda_, derivative_along(model_.velocity, model_.time_vec(), scalar(Expr(1)))),
            "the constraints depend on t");
    else if (reacts_)
        add_reaction(energy, derivative_along(reacts_->phi, model_.v, model_.v),
                     "constraints that move, or are not homogeneous in the velocities, do work");
    const Vec unmeasured = lambda_.empty() ? model_.phase : concat({model_.phase, model_.holonomic});
    if (!vanishes(derivative_along(unmeasured, model_.time_vec(), scalar(Expr(1))))) {
        energy.why += (energy.why.empty() ? "" : ", ") + std::string("the constraints depend on t");
        energy.known = false;
    }
    energy.known = energy.known && model_.implicit_inputs().empty();
    all_.push_back(energy);
}

void Exchanges::of_symmetry(const Symmetry& symmetry) {
    Exchange momentum{symmetry.name, {}};
    const Vec& xi = symmetry.generator;
    if (!model_.phase.empty() || model_.control || model_.q.count() > most_coordinates) {
        all_.push_back(momentum); // taken as declared
        return;
    }
    const bool lagrangian = model_.kind == Model::lagrangian;
    const Vec lifted = lagrangian ? derivative_along(xi, model_.q, model_.v) : -gradient(dot(xi, model_.p), model_.q);
    const Vec along = concat({model_.q, lagrangian ? model_.v : model_.p}), moved = concat({xi, lifted});
    const Vec momenta = Mechanics(model_).momentum();
    const Expr change = derivative_along(model_.function, along, moved);
    add(momentum, lagrangian ? change : -change,
        lagrangian ? "the Lagrangian changes along it" : "the Hamiltonian changes along it",
        products(gradient(model_.function, along), moved));
    add(momentum, dot(momenta, derivative_along(xi, model_.time_vec(), scalar(Expr(1)))), "it depends on t");
    if (!model_.force.empty()) add(momentum, dot(xi, model_.force), "forces act along it", products(xi, model_.force));
    if (!lambda_.empty()) {
        Expr changes = 0.0;
        for (std::size_t i = 0; i < lambda_.size(); ++i)
            changes = changes -
                      dot(Vec({lambda_[i]}), derivative_along(Vec({model_.velocity[i]}), concat({model_.q, model_.v}),
                                                              concat({xi, derivative_along(xi, model_.q, model_.v)})));
        add(momentum, changes, "it changes the constraints");
        momentum.known = lagrangian && model_.holonomic.empty();
    } else if (reacts_) {
        add_reaction(momentum, derivative_along(reacts_->phi, model_.v, xi), "constraint forces act along it");
    }
    all_.push_back(momentum);
}

System Exchanges::rates() const {
    System system{model_.graph, {}, {}, {}, {}};
    system.given = concat({moving(), model_.time_vec(), model_.centre, model_.parameter_vec()});
    for (const Parameter& p : model_.parameters) system.typical.push_back(static_cast<double>(p.typical));
    system.steady = model_.parameters.size();
    for (const Exchange& e : all_)
        if (!e.why.empty() && e.known) system.results.push_back({e.name, e.rate});
    if (system.results.empty() || !finds_) return system;
    const Nonholonomic::Multiplier here = reacts_->multiplier();
    system.find = {{here.a, {}}, {here.lambda, {}}};
    system.equations = here.equations;
    return system;
}

} // namespace rattleback
