#include "scheme/group_action.hpp"

#include "expr/graph.hpp"
#include "expr/rewrite.hpp"
#include "scheme/group_state.hpp"

namespace rattleback {
namespace {

Numbers sum(Numbers x, const Numbers& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + y[i];
    return x;
}
Numbers scaled(const Expr& s, Numbers x) {
    for (Expr& e : x) e = s * e;
    return x;
}
Numbers part(const Numbers& x, std::size_t first, std::size_t count) {
    const auto begin = x.begin() + static_cast<std::ptrdiff_t>(first);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}
Numbers joined(Numbers x, const Numbers& y) {
    x.insert(x.end(), y.begin(), y.end());
    return x;
}

// The turn of one step and of half of it, as what they add to 1; (2/h) e; in space the quaternion's first number.
struct Turn {
    Numbers whole, half, rate;
    Expr s = 1;
};

Turn turn_of(const LieGroup& g, Retraction how, const Numbers& omega, const Expr& h) {
    if (g.space == 2) {
        const Expr half = h / 2 * omega[0];
        return {{h * omega[0]}, {half}, {fn::stumpff(1, half * half) * omega[0]}};
    }
    const Numbers a = scaled(h / 2, omega);
    const Expr u = dot(a, a);
    Numbers rate = omega;
    Expr s, less; // the quaternion's first number, and what it is less than 1
    switch (how) {
    case Retraction::mv: s = fn::sqrt(1 - u), less = u / (1 + s); break;
    case Retraction::log: s = fn::cos(fn::sqrt(u)), less = u * fn::stumpff(2, u); break;
    case Retraction::cay: s = 1 / fn::sqrt(1 + u), less = u * s * s / (1 + s); break;
    }
    if (how == Retraction::log) s = 1 - less, rate = scaled(fn::stumpff(1, u), omega);
    if (how == Retraction::cay) rate = scaled(s, omega);
    const Numbers e = scaled(h / 2, rate);
    // Half the turn: (1 + s, e) of length n = sqrt(2 (1 + s)); n/2 - 1 = -less/(2 + n).
    const Expr n = fn::sqrt(2 * (1 + s));
    return {joined({-less}, e), joined({-less / (2 + n)}, scaled(1 / n, e)), rate, s};
}

// Where and how fast the middle of a step is seen, with the variations d and z.
struct Middle {
    Numbers w, rate;     // in the chart that is centred there
    Numbers body;        // the body's velocity: what body_velocity makes of them, without its detour
    Numbers centre;      // shown
    Numbers next;        // shown, at the right end
    Numbers turn, shift; // of the step, seen from its left end
};

Middle middle_of(const LieGroup& g, Retraction how, const Numbers& xi, const Numbers& carried, const Numbers& d,
                 const Numbers& z, const Expr& h) {
    const auto turns = static_cast<std::size_t>(g.turns()), space = static_cast<std::size_t>(g.space);
    const Numbers omega = part(xi, 0, turns), d_turn = part(d, 0, turns), z_turn = part(z, 0, turns);
    const Turn turn = turn_of(g, how, omega, h);
    LieGroup turns_alone = g;
    turns_alone.shifts = false;
    Numbers velocity = omega, w = z_turn;
    if (g.space == 2) {
        velocity[0] = velocity[0] + d_turn[0];
    } else {
        const Expr& s = turn.s;
        const Numbers e = part(turn.whole, 1, 3), about = cross(omega, z_turn);
        switch (how) {
        case Retraction::mv: velocity = sum(omega, sum(scaled(s, d_turn), about)); break;
        case Retraction::log: {
            const Numbers back = turns_alone.chart_rate(scaled(-h, omega), d_turn);
            velocity = sum(omega, sum(scaled(0.5, sum(turns_alone.chart_rate(scaled(h, omega), d_turn), back)), about));
            break;
        }
        case Retraction::cay:
            velocity = scaled(1 / (1 - h * h / 4 * dot(omega, d_turn)), sum(omega, sum(d_turn, about)));
            break;
        }
        w = sum(z_turn, scaled(h / (2 * (1 + s)), cross(e, d_turn)));
    }
    Middle middle;
    Numbers half_shift, shift;
    middle.rate = turns_alone.chart_rate(w, velocity);
    if (g.shifts) {
        const Tensor M = g.matrix_of_turn(turn.half);
        const Numbers u = part(xi, turns, space), d_shift = part(d, turns, space), z_shift = part(z, turns, space);
        const auto both = [&](const Numbers& x) { // the even part of M
            return scaled(0.5, sum(product(M, x), transposed_product(M, x)));
        };
        const auto across = [&](const Numbers& x) { // its odd part, times 2/h
            if (g.space == 2) return Numbers{-turn.rate[0] * x[1], turn.rate[0] * x[0]};
            return cross(turn.rate, x);
        };
        w = joined(w, sum(both(z_shift), scaled(h * h / 4, across(d_shift))));
        middle.rate = joined(middle.rate, sum(u, sum(both(d_shift), across(z_shift))));
        shift = scaled(h, product(M, u)), half_shift = scaled(0.5, shift);
    }
    middle.w = w, middle.body = velocity;
    if (g.shifts) middle.body = joined(velocity, part(g.body_velocity(w, middle.rate), turns, space));
    middle.centre = g.shown_of(g.after(carried, turn.half, half_shift));
    const Numbers next = g.increment(carried, turn.whole, shift);
    middle.next = g.shown_of(sum(carried, next));
    middle.turn = turn.whole, middle.shift = shift;
    return middle;
}

// L with leaves in place of body(R): as a formula of the chart's coordinates the body's velocity would be derived by
// them, and what comes of that cancels.
Expr of_body(const Model& model, const Vec& body) {
    Rewriter rewrite(*model.graph, false);
    for (const GroupCoordinate& c : model.groups) {
        const Numbers formulas = find_group(c.group)->body_velocity(component_values(model.q, c.first, c.count),
                                                                    component_values(model.v, c.first, c.count));
        for (std::size_t k = 0; k < c.count; ++k)
            if (formulas[k].graph() && formulas[k].op() != Op::symbol && !body[c.first + k].family)
                rewrite.replace(formulas[k].id(), body[c.first + k].value);
    }
    return rewrite(model.function);
}

} // namespace

DiscreteLagrangian group_lagrangian(const Mechanics& sys, const Options& options) {
    if (!sys.has_lagrangian()) throw Unsuitable("this method needs a Lagrangian, not a Hamiltonian");
    bool in_space = false;
    for (const GroupCoordinate& g : sys.model.groups) in_space |= find_group(g.group)->space == 3;
    if (sys.model.groups.empty())
        throw Unsuitable("this method is for coordinates on groups, like \"R in SO(3)\", and models with [group]");
    const std::string ld = options.word("ld", in_space ? "mv" : "midpoint", group_lagrangians);
    if (!in_space && (ld == "mv" || ld == "cay"))
        throw BadMethod("option ld=" + ld + " is for turns in space; in the plane it is ld=midpoint");
    const Retraction how = ld == "mv" ? Retraction::mv : ld == "cay" ? Retraction::cay : Retraction::log;
    DiscreteLagrangian Ld;
    Ld.slopes = {symbols_like(sys.graph, "slope of ", sys.v)};
    Ld.weights = {1}, Ld.order = 2, Ld.symmetric = true;
    Ld.action = std::make_shared<const GroupAction>(GroupAction{how});
    return Ld;
}

DiscreteMomenta group_momenta(const Mechanics& sys, const DiscreteLagrangian& Ld) {
    const Model& model = sys.model;
    const Expr h = step_size(model);
    const Vec& xi = Ld.slopes[0];
    const Vec d = symbols_like(sys.graph, "varied slope of ", sys.v), z = symbols_like(sys.graph, "varied ", sys.v);
    const GroupState state(model);
    const Vec body = symbols_like(sys.graph, "body's ", sys.v);
    Vec velocity = sys.v;
    // Ordinary coordinates: the middle, its velocity.
    Point middle{sys.q + (h / 2) * xi + z, xi + d, sys.t + h / 2, {}, model.centre};
    DiscreteMomenta result{h * xi, sys.q + h * xi, {}, {}, {}, model.centre};
    for (std::size_t i = 0; i < model.groups.size(); ++i) {
        const GroupCoordinate& c = model.groups[i];
        const auto values = [&](const Vec& of) { return component_values(of, c.first, c.count); };
        const Middle m =
            middle_of(state.group(i), Ld.action->retraction, values(xi), state.carried(i), values(d), values(z), h);
        set_components(middle.q, c.first, m.w), set_components(middle.v, c.first, m.rate);
        set_components(velocity, c.first, m.body);
        set_components(middle.centre, c.centre, m.centre), set_components(result.centre1, c.centre, m.next);
        const Numbers zero(c.count, Expr(0));
        set_components(result.dq, c.first, zero), set_components(result.q1, c.first, zero);
    }
    Expr mean = substitute(sys.at(Vec({{"L", of_body(model, body)}}), middle)[0].value, {{body, velocity}});
    const Substitution still{concat({d, z}), zeros_like(concat({d, z}))};
    if (!model.force.empty()) { // the virtual work of forces in the middle, along the variation of the middle
        const Point at{substitute(middle.q, {still}), substitute(middle.v, {still}), middle.t, {}, middle.centre};
        Vec along = z;
        for (const GroupCoordinate& c : model.groups)
            set_components(along, c.first, component_values(middle.q, c.first, c.count));
        mean = mean + dot(sys.at(model.force, at), along);
    }
    const Vec by_slope = substitute(gradient(mean, d), {still}), by_mean = substitute(gradient(mean, z), {still});
    result.left = {by_slope - (h / 2) * by_mean};
    result.change = h * by_mean;
    result.right = by_slope + (h / 2) * by_mean;
    return result;
}

std::vector<GroupMove> group_moves(const Mechanics& sys, const DiscreteLagrangian& Ld) {
    const GroupState state(sys.model);
    std::vector<GroupMove> moves;
    for (std::size_t i = 0; i < sys.model.groups.size(); ++i) {
        const GroupCoordinate& c = sys.model.groups[i];
        const Numbers zero(c.count, Expr(0));
        const Middle m =
            middle_of(state.group(i), Ld.action->retraction, component_values(Ld.slopes[0], c.first, c.count),
                      state.carried(i), zero, zero, step_size(sys.model));
        moves.push_back({m.turn, m.shift});
        // A body that turns by pi or more within a step may have turned the other way, for all that log and cay know.
        // Of cay's velocity that of a free sphere is 1 + u times as large.
        if (state.group(i).space == 3 && Ld.action->retraction != Retraction::mv) {
            const Numbers turn = scaled(step_size(sys.model), component_values(Ld.slopes[0], c.first, 3));
            const Expr square = dot(turn, turn), more = 1 + square / 4;
            moves.back().square = Ld.action->retraction == Retraction::cay ? square * more * more : square;
        }
    }
    return moves;
}

// With mv, which is the default, a sphere has the momentum I sin(angle)/h; other bodies have others of that size.
std::string group_remedy(const Method& method) {
    const bool on_group = method.text.find("lie_") != std::string::npos;
    if (!on_group || (method.text.find("ld=") != std::string::npos && method.text.find("ld=mv") == std::string::npos))
        return "";
    return "try a smaller step, or ld=log: with ld=mv no step turns a body by more than about 1 rad";
}

std::vector<Claim> group_leapfrog_claims() {
    using enum Condition;
    return {{Property::symplectic, Answer::yes, {no_forces}},
            {Property::energy_exact, Answer::no},
            {Property::energy_bounded, Answer::yes, {no_forces, no_time, small_steps}},
            {Property::momentum_exact, Answer::yes, {generator_translates, no_forces_along_it}},
            {Property::symmetric, Answer::yes},
            {Property::reversible, Answer::yes, {L_even_in_v, forces_even_in_v, no_time}}};
}

} // namespace rattleback
