#include "scheme/type2.hpp"

#include <algorithm>

#include "expr/graph.hpp"

namespace rattleback {

using enum Condition;

std::vector<Claim> type2_claims(bool symmetric) {
    const Answer answer = symmetric ? Answer::yes : Answer::no;
    return {{Property::symplectic, Answer::yes, {no_forces}},
            {Property::energy_exact, Answer::no},
            {Property::energy_bounded, Answer::yes, {no_forces, no_time, small_steps}},
            {Property::momentum_exact, Answer::yes, {generator_affine, no_forces_along_it}},
            {Property::symmetric, answer},
            {Property::reversible, answer, {H_even_in_p, forces_even_in_v, no_time}}};
}

Quadrature quadrature_of(const std::string& word, quad alpha) {
    const quad half = static_cast<quad>(1) / 2;
    if (word == "left") return {{0, 1}};
    if (word == "right") return {{1, 1}};
    if (word == "midpoint") return {{half, 1}};
    if (word == "trapezoid") return {{0, half}, {1, half}};
    return {{alpha, 1}};
}

bool Sampling::symmetric() const {
    const auto mirrored = [](const Quadrature& of) { // nodes are in order
        for (std::size_t i = 0; i < of.size(); ++i) {
            const QuadratureNode &one = of[i], &other = of[of.size() - 1 - i];
            if (one.at + other.at != 1 || one.weight != other.weight) return false;
        }
        return true;
    };
    return mirrored(cost) && mirrored(dynamics);
}

namespace {

Mechanics hamiltonian_only(const Model& model, const std::string& method) {
    require_unconstrained(model, method);
    if (model.kind != Model::hamiltonian)
        throw Unsuitable("method '" + method +
                         "' takes Hamiltonians of q and p, and control problems; try del or gauss");
    return Mechanics(model);
}

// What is sampled at one place: formulas of q, p, t and the inputs, to be multiplied by h and the weight.
struct Place {
    quad at, weight;
    Expr function;
    Vec velocity, force; // of `function`: its derivative by p, minus that by q, with the model's forces
    Vec u;               // the inputs there
};

// H, with inputs that H_u = 0 gives at every place for itself.
std::vector<Place> places_of_H(const Mechanics& sys, const Quadrature& quadrature) {
    std::vector<Place> places;
    const Expr& H = sys.model.function;
    for (std::size_t i = 0; i < quadrature.size(); ++i) {
        const std::string number = quadrature.size() > 1 ? " " + std::to_string(i + 1) : "";
        places.push_back({quadrature[i].at, quadrature[i].weight, H, gradient(H, sys.p), sys.applied(),
                          symbols_like(sys.graph, "stage" + number + " of ", sys.u)});
    }
    return places;
}

// L and p . Gamma, each with its own nodes, and inputs of the whole step.
std::vector<Place> places_of_L_and_Gamma(const Mechanics& sys, const Sampling& sampling) {
    const Control& control = *sys.model.control;
    const Vec u = symbols_like(sys.graph, "step's ", control.inputs);
    std::vector<Place> places;
    const auto add = [&](const Quadrature& quadrature, const Expr& f) {
        for (const QuadratureNode& node : quadrature) {
            const auto same = [&](const Place& p) { return p.at == node.at; };
            auto place = std::find_if(places.begin(), places.end(), same);
            if (place == places.end()) place = places.insert(places.end(), {node.at, 1, Expr(0), {}, {}, u});
            place->function = place->function + Expr(node.weight) * f;
        }
    };
    add(sampling.cost, control.cost), add(sampling.dynamics, dot(sys.p, control.dynamics));
    for (Place& p : places) p.velocity = gradient(p.function, sys.p), p.force = -gradient(p.function, sys.q);
    return places;
}

bool vanishes(const Vec& f) {
    return std::all_of(f.begin(), f.end(), [](const Component& c) { return c.value.is(0); });
}

// The step as its equations are put together.
struct Writer {
    Writer(const Mechanics& mechanics, std::vector<Place> all, const Vec& input_leaves)
        : sys(mechanics), places(std::move(all)), inputs(input_leaves), step{.graph = sys.model.graph,
                                                                             .state = concat({sys.q, sys.p}),
                                                                             .h = step_size(sys.model),
                                                                             .t = sys.t} {}

    // A formula of q, p, t and inputs at a place; its q and the costate of the step are known by now.
    Vec here(const Vec& f, std::size_t i) const {
        return substitute(
            f, {{sys.q, q[i]}, {sys.p, costate}, {inputs, places[i].u}, {sys.model.time_vec(), Vec({{"t", time(i)}})}});
    }
    Expr time(std::size_t i) const { return places[i].at == 0 ? sys.t : sys.t + Expr(places[i].at) * step.h; }
    Expr share(std::size_t i) const { return step.h * Expr(places[i].weight); }
    std::string label(std::size_t i) const {
        const bool ends =
            std::all_of(places.begin(), places.end(), [](const Place& p) { return p.at * (1 - p.at) == 0; });
        return ends ? "slope of " : "slope " + std::to_string(i + 1) + " of ";
    }

    // At the left end slopes of q follow from the costate, at the right end those of p from all others.
    void find_slopes(bool guess_zero) {
        costate = sys.p;
        for (std::size_t i = 0; i < places.size(); ++i) {
            K.emplace_back(), V.emplace_back();
            if (places[i].at == 1) continue;
            K[i] = symbols_like(sys.graph, label(i), sys.p);
            find_from_last(step, K[i], guess_zero ? zeros_like(K[i]) : sys.applied());
            costate = costate + (share(i) * Expr(1 - places[i].at)) * K[i];
        }
        q.assign(places.size(), sys.q);
        Vec q1 = sys.q;
        for (std::size_t i = 0; i < places.size(); ++i) {
            const bool given = places[i].at == 0 || vanishes(places[i].velocity);
            V[i] = given ? here(places[i].velocity, i) : symbols_like(sys.graph, label(i), sys.q);
            if (!given) find_from_last(step, V[i], guess_zero ? zeros_like(V[i]) : gradient(sys.model.function, sys.p));
            q1 = q1 + share(i) * V[i];
            dq = dq.empty() ? share(i) * V[i] : dq + share(i) * V[i];
        }
        for (std::size_t i = 0; i < places.size(); ++i)
            if (places[i].at == 1)
                q[i] = q1;
            else if (places[i].at != 0)
                q[i] = sys.q + Expr(places[i].at) * dq;
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (!K[i].empty()) step.equations.push_back(K[i] == here(places[i].force, i));
            if (places[i].at != 0 && !vanishes(places[i].velocity))
                step.equations.push_back(V[i] == here(places[i].velocity, i));
        }
    }

    // Inputs of every place, or of all of them: the sum of w_i H_u vanishes.
    void find_inputs(const Vec& first) {
        if (inputs.empty()) return;
        const auto slope = [&](std::size_t i) { return here(gradient(places[i].function, inputs), i); };
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (i > 0 && places[i].u[0].value == places[0].u[0].value) continue;
            Vec H_u = slope(i);
            for (std::size_t j = i + 1; j < places.size(); ++j)
                if (places[j].u[0].value == places[i].u[0].value) H_u = H_u + slope(j);
            find_from_last(step, places[i].u, first);
            step.equations.push_back(H_u == zeros_like(places[i].u));
        }
    }

    void finish() {
        Vec dp;
        Expr action = dot(costate, dq);
        for (std::size_t i = 0; i < places.size(); ++i) {
            const Vec f = share(i) * (K[i].empty() ? here(places[i].force, i) : K[i]);
            dp = dp.empty() ? f : dp + f;
            action = action - share(i) * here(Vec({{"H", places[i].function}}), i)[0].value;
            step.stages.push_back({q[i], V[i], {}, time(i), costate, places[i].u});
            if (sys.model.force.empty()) continue;
            const Vec force = here(sys.force(sys.q, gradient(sys.model.function, sys.p), sys.t), i);
            step.work.push_back({-share(i) * force, q[i]});
        }
        step.increment = concat({dq, dp}), step.generating = action;
        carry_positions_and_momenta(step, sys, sys.u.empty() ? Vec() : last_components(step.hint, sys.u.size()));
    }

    const Mechanics& sys;
    std::vector<Place> places;
    Vec inputs; // leaves
    Step step;
    Vec costate, dq;
    std::vector<Vec> K, V, q; // of each place: slopes of p (empty: given) and q, and where it is
};

Step type2_step(const Mechanics& sys, const Sampling& sampling) {
    if (!sampling.one_input) {
        Writer w(sys, places_of_H(sys, sampling.cost), sys.u);
        w.find_slopes(!sys.u.empty()), w.find_inputs(zeros_like(sys.u)), w.finish();
        return w.step;
    }
    const Vec u = sys.model.control->inputs;
    Vec first = u; // as they are where the run starts; paths of `solve` know no such formulas
    for (std::size_t i = 0; i < first.size(); ++i)
        first[i].value = sys.model.inputs.empty() ? Expr(0) : sys.model.inputs[i].formula;
    Writer w(sys, places_of_L_and_Gamma(sys, sampling), u);
    w.find_slopes(false), w.find_inputs(first), w.finish();
    return w.step;
}

} // namespace

Method type2_method(const std::string& id, const Model& model, const Sampling& sampling) {
    const Mechanics sys = hamiltonian_only(model, id);
    if (sampling.one_input && !model.control)
        throw Unsuitable("method '" + id +
                         "': cost, dynamics and inputs say how [control] is made discrete, and this model has none; "
                         "quadrature serves every Hamiltonian");
    if (sampling.one_input && !sys.u.empty())
        throw Unsuitable("method '" + id +
                         "' takes one input for a step where H_u = 0 is linear in the inputs; leave inputs=points and "
                         "give the cost and the dynamics the same quadrature");
    return {.id = id, .step = type2_step(sys, sampling), .order = sampling.symmetric() ? 2 : 1};
}

} // namespace rattleback
