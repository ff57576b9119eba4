#include "run/choice.hpp"

#include <algorithm>
#include <cmath>

#include <rattleback/stepper.hpp>

#include "expr/real_functions.hpp"

namespace rattleback {
namespace {

// By kind of model: first what keeps its structure at a high order, then what is cheap, then what others use.
std::vector<const char*> candidates(const Model& m) {
    const bool large = m.q.count() + m.z.count() > 200; // a step of two stages couples twice as many unknowns
    if (m.kind != Model::general && !m.phase.empty()) return {"gauss:stages=2", "dirac_weak", "dirac", "rk4"};
    if (m.kind == Model::general || m.control) return {"gauss:stages=2", "midpoint", "rk4", "dop853"};
    if (!m.velocity.empty() && m.variational)
        return {"gauss:stages=2", "rattle_midpoint", "lobatto:stages=3", "midpoint", "dvak"};
    if (!m.velocity.empty()) return {"nh_gauss:stages=2", "gni", "nh_rattle", "dla", "gf_sym", "projected"};
    if (!m.holonomic.empty() && large) return {"rattle", "lobatto:stages=3", "del", "projected"};
    if (!m.holonomic.empty()) return {"lobatto:stages=3", "rattle", "del", "dirac", "projected"};
    if (large) return {"midpoint", "verlet", "gauss:stages=2", "rk4"};
    return {"gauss:stages=2", "verlet", "midpoint", "compose:order=4:base=verlet", "rk4", "dop853"};
}

double largest(const std::vector<double>& x) {
    double most = 0;
    for (double each : x) most = std::max(most, std::abs(each));
    return most;
}

double distance(const std::vector<double>& x, const std::vector<double>& y) {
    double most = 0;
    for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) {
        const double d = std::abs(x[i] - y[i]);
        if (!(d <= most)) most = d; // NaN stays
    }
    return most;
}

struct Seen { // of a node
    std::vector<double> q, v, z;
};

// Where so many steps of this size lead from the start; empty where they fail.
std::optional<Seen> after(Stepper<double>& stepper, NodeReader<double>& reader, double h, int steps) {
    Report report;
    if (!stepper.start(report, h)) return {};
    for (int k = 0; k < steps; ++k)
        if (!stepper.advance(k, h, report)) return {};
    if (!reader.read(stepper, stepper.t0() + steps * h, report)) return {};
    const NodeValues<double>& n = reader.node();
    return Seen{n.q, n.v, n.z};
}

// Of two ends, relative to how far the motion went and to how large its numbers are.
double difference(const Seen& start, const Seen& x, const Seen& y) {
    double worst = 0;
    for (const auto part : {&Seen::q, &Seen::v, &Seen::z}) {
        const double scale = distance(start.*part, y.*part) + largest(y.*part);
        const double d = distance(x.*part, y.*part);
        if (!std::isfinite(d)) return d;
        if (scale > 0) worst = std::max(worst, d / scale);
    }
    return worst;
}

// How far the motion went, relative to its numbers.
double change(const Seen& start, const Seen& end) {
    double most = 0;
    for (const auto part : {&Seen::q, &Seen::v, &Seen::z})
        if (const double size = std::max(largest(start.*part), largest(end.*part)); size > 0)
            most = std::max(most, distance(start.*part, end.*part) / size);
    return most;
}

// Below it round-off may keep a step from being resolved, or from converging at all.
constexpr double least_change = 1e-10;
constexpr double least_change_failing = 1e-6; // two bodies joined by a ball: Lobatto at h = 1e-8

// 1, 2 or 5 times a power of ten, at most h.
double round_down(double h) {
    const double power = std::pow(10, std::floor(std::log10(h) + 1e-9));
    for (const double factor : {5.0, 2.0})
        if (h >= factor * power * (1 - 1e-9)) return factor * power;
    return power;
}

} // namespace

std::vector<std::string> recommended_methods(const Model& model) {
    std::vector<std::string> fitting;
    for (const char* text : candidates(model)) {
        try {
            build_method(model, parse_methods(text).at(0));
            fitting.emplace_back(text);
        } catch (const Unsuitable&) {
        } catch (const BadMethod&) {}
    }
    return fitting;
}

namespace {

// Beside a start at which nothing moves, such as an equilibrium that is driven later. Constraints would not hold there.
std::optional<Model> nudged(const Model& model) {
    if (model.constrained() || model.kind == Model::general || model.q0.empty() || !model.groups.empty()) return {};
    Model beside = model;
    quad size = 0;
    for (const quad& x : model.q0) size = std::max(size, real::abs(x));
    for (std::size_t i = 0; i < beside.q0.size(); ++i) // no symmetric direction
        beside.q0[i] += (size > 0 ? size : quad(1)) * (1 + static_cast<quad>(i % 7) / 10) / 1000;
    return beside;
}

bool rests(const CompiledMethod& compiled, double h) {
    Stepper<double> stepper(compiled);
    NodeReader<double> reader(compiled);
    const auto start = after(stepper, reader, h, 0), end = after(stepper, reader, h, 2);
    return start && end && distance(start->q, end->q) == 0 && distance(start->v, end->v) == 0 &&
           distance(start->z, end->z) == 0;
}

} // namespace

// NOTE: steps are tried from far too small ones upwards, and after those that change next to nothing the first that is
// not resolved ends the search. Downwards, steps of many periods would pass: an A-stable method maps a
// fast oscillation onto itself, with any such step.
ChosenStep recommended_step(const Model& given, const std::string& method, double longest) {
    CompiledMethod compiled = compile(given, method);
    const std::optional<Model> beside = rests(compiled, round_down(std::abs(longest))) ? nudged(given) : std::nullopt;
    if (beside) compiled = compile(*beside, method);
    const Model& model = beside ? *beside : given;
    Stepper<double> stepper(compiled);
    NodeReader<double> reader(compiled);
    const double sign = longest < 0 ? -1 : 1, most = round_down(std::abs(longest));
    const int decades = model.q.count() + model.z.count() > 200 ? 8 : 20;
    double changed = 0; // by the steps that were resolved last
    const auto differs = [&](double h) {
        constexpr int steps = 2;
        const auto start = after(stepper, reader, sign * h, 0), once = after(stepper, reader, sign * h, steps),
                   twice = after(stepper, reader, sign * h / 2, 2 * steps);
        if (!start || !once || !twice) return double(NAN);
        const double d = difference(*start, *once, *twice);
        if (d <= resolved_to) changed = change(*start, *twice);
        return d;
    };
    ChosenStep chosen{sign * most, NAN, beside.has_value()};
    double resolved = 0;
    for (int d = decades; d >= 0; --d) {
        const double h = most * std::pow(10, -d), difference = differs(h);
        if (difference <= resolved_to)
            resolved = h;
        else if (changed > (std::isnan(difference) ? least_change_failing : least_change))
            break;
        else if (!std::isnan(difference))
            chosen.difference = difference;
    }
    if (resolved == 0) return chosen; // the run says why
    for (const double factor : {5.0, 2.5, 2.0, 1.0}) {
        const double h = round_down(factor * resolved);
        if (h > most) continue;
        chosen = {sign * h, differs(h), beside.has_value()};
        if (chosen.difference <= resolved_to) break;
    }
    return chosen;
}

} // namespace rattleback
