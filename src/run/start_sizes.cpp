#include "run/start_sizes.hpp"

#include <algorithm>
#include <cmath>

#include "run/initial.hpp"

namespace rattleback {
namespace {

using Numbers = std::vector<double>;

// Between these bounds samples of numbers near 1 serve.
bool is_near_one(double x) { return x == 0 || (std::abs(x) >= 0x1p-10 && std::abs(x) <= 0x1p10); }

// What rounding left of zeros, as of 0.6 - 3*0.2, says nothing of sizes.
std::vector<quad> without_rounding(std::vector<quad> x) {
    quad most = 0;
    for (const quad& value : x) most = std::max(most, real::abs(value));
    for (quad& value : x)
        if (real::abs(value) < most * quad(0x1p-60)) value = 0;
    return x;
}

double largest_of(const Numbers& x) {
    double most = 0;
    for (double value : x) most = std::max(most, std::abs(value));
    return most;
}

bool has_usual_numbers(const Model& m) {
    const auto usual = [](const std::vector<quad>& values) {
        const std::vector<quad> x = without_rounding(values);
        return std::all_of(x.begin(), x.end(), [](quad value) { return is_near_one(static_cast<double>(value)); });
    };
    const auto of_parameters = [](const Parameter& p) { return is_near_one(static_cast<double>(p.value)); };
    const double step = m.run.step.value_or(typical_step);
    return usual(m.q0) && usual(m.v0) && usual(m.p0) && usual(m.z0) && usual(m.lambda0) && std::abs(step) >= 0x1p-17 &&
           std::abs(step) <= 2 && std::all_of(m.parameters.begin(), m.parameters.end(), of_parameters);
}

// In which a coordinate changes by about its size, if the start says so. Coordinates may have units of their own.
double time_of(const Numbers& q, const Numbers& rate, const std::optional<double>& step) {
    constexpr double steps = 64;
    if (step && *step != 0) return steps * std::abs(*step);
    double shortest = 0;
    for (std::size_t i = 0; i < std::min(q.size(), rate.size()); ++i) {
        const double time = std::abs(q[i] / rate[i]);
        if (time > 0 && std::isfinite(time) && (shortest == 0 || time < shortest)) shortest = time;
    }
    if (shortest == 0 && largest_of(q) > 0 && largest_of(rate) > 0) shortest = largest_of(q) / largest_of(rate);
    return shortest > 0 ? shortest : steps * typical_step;
}

// Values as large as the start's, none of them 0 or alike: a coordinate that begins at 0 is as large as its velocity
// makes it, or as the others.
struct Generic {
    Numbers q, v, p, z;
    double time = 0;
};
Generic generic_start(const Model& m) {
    const auto numbers = [](const std::vector<quad>& x) { return to_scalars<double>(without_rounding(x)); };
    Generic g{numbers(m.q0), numbers(m.v0), numbers(m.p0), numbers(m.z0)};
    g.time = time_of(g.q, g.v, m.run.step);
    const auto fill = [](Numbers& x, const Numbers& beside) {
        const double most = largest_of(x) > 0 ? largest_of(x) : 1;
        for (std::size_t i = 0; i < x.size(); ++i) {
            if (x[i] == 0) x[i] = i < beside.size() && beside[i] != 0 ? beside[i] : most;
            x[i] *= 1 + 0.1 * std::sin(static_cast<double>(i) + 1);
        }
    };
    const auto times = [](Numbers x, double factor) {
        for (double& value : x) value *= factor;
        return x;
    };
    fill(g.q, times(g.v, g.time)), fill(g.v, times(g.q, 1 / g.time));
    fill(g.p, {}), fill(g.z, {});
    return g;
}

double power_of_two(double x) {
    return x == 0 || !std::isfinite(x) ? 0 : std::exp2(std::round(std::log2(std::abs(x))));
}

} // namespace

StartSizes start_sizes(const Formulas& formulas) {
    StartSizes sizes;
    const Model model = at_typical_values(formulas.model);
    if (has_usual_numbers(model)) return sizes;
    const Formulas copy = deep_copy({model, formulas.method});
    const Generic g = generic_start(copy.model);
    sizes.step = g.time / 64;
    InitialData<double> data;
    data.q = g.q, data.v = g.v, data.p = g.p, data.z = g.z;
    data.lambda = to_scalars<double>(model.lambda0), data.centre = to_scalars<double>(model.centre0);
    const Numbers parameters = parameter_values<double>(model);
    const auto t0 = static_cast<double>(model.t0);
    Numbers state, hint;
    Report ignored;
    const auto found = [&](InitialData<double> at) {
        try {
            if (model.kind != Model::general && at.v.empty() != at.p.empty() &&
                !complete_velocities(deep_copy(copy).model, t0, parameters, at, ignored))
                return false;
            return start_values(start_system(copy), at, t0, sizes.step, parameters, state, hint, ignored);
        } catch (const std::runtime_error&) { return false; }
    };
    if (!found(data)) return {};
    for (const Numbers* x : {&state, &hint})
        for (double value : *x) sizes.inputs.push_back(power_of_two(value));
    sizes.inputs.push_back(t0 == 0 ? power_of_two(g.time) : power_of_two(t0));
    return sizes;
}

} // namespace rattleback
