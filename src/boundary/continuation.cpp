#include "boundary/continuation.hpp"

#include <algorithm>
#include <cmath>

#include "boundary/convex.hpp"

namespace rattleback::boundary {
namespace {

constexpr int usual_starts = 12, most_led = 6, iterations_of_a_stage = 30;
constexpr double first_stage = 0.25, shortest_stage = 1.0 / 256, growth = 1.5;
constexpr char time_name[] = "time", ends_name[] = "ends", convex_name[] = "convex";

// The problem at a place between 0 and 1 of the way. Times and parameters of one sign change by equal ratios.
Model model_at(const Model& model, const Continuation& c, double place) {
    if (c.name == convex_name)
        if (std::optional<Model> near = nearly_convex(model, place)) return std::move(*near);
    Model m = model;
    const bool by_ratio = c.from * c.to > 0;
    const double value = place == 1 ? c.to
                         : by_ratio ? c.from * std::pow(c.to / c.from, place)
                                    : c.from + place * (c.to - c.from);
    Boundary& b = *m.boundary;
    if (c.name == time_name) {
        b.time = static_cast<quad>(value);
    } else if (c.name == ends_name) {
        for (std::size_t i = 0; i < b.to.size() && i < b.from.size(); ++i)
            if (b.from[i] && b.to[i]) b.to[i] = *b.from[i] + static_cast<quad>(value) * (*b.to[i] - *b.from[i]);
    } else {
        for (Parameter& p : m.parameters)
            if (p.name == c.name) p.value = static_cast<quad>(value);
    }
    return m;
}

class Leading {
  public:
    Leading(const Model& model, const Continuation& along, const std::string& method, std::size_t steps,
            const SolveOptions& options)
        : model_(model), along_(along), method_(method), steps_(steps), options_(options) {}

    Continued run() {
        SolveOptions few = options_;
        few.starts = options_.starts.value_or(usual_starts);
        const Problem first(model_at(model_, along_, 0));
        Search search(first, method_, steps_, few);
        std::vector<Found> begun = search.run();
        result_.starts = search.starts(), result_.iterations = search.iterations();
        if (begun.size() > most_led) begun.resize(most_led);
        if (!begun.empty()) result_.reached = 0;
        for (Found& f : begun)
            if (follow(f, static_cast<std::size_t>(search.parts()))) result_.found.push_back(std::move(f));
        return std::move(result_);
    }

  private:
    // Stage by stage; where Newton's method fails the next stage is nearer.
    bool follow(Found& f, std::size_t parts) {
        double place = 0, stage = first_stage;
        while (place < 1 && stage >= shortest_stage) {
            if (options_.interrupt && *options_.interrupt) return false;
            const double next = std::min(1.0, place + stage);
            const Problem problem(model_at(model_, along_, next));
            PathSolver solver(problem, method_);
            Path path = solver.path(steps_, interpolated(f.path, parts), inputs_of(problem, f.u));
            path.nu_from = f.path.nu_from, path.nu_to = f.path.nu_to;
            const NewtonOutcome outcome = solver.newton(path, iterations_of_a_stage, options_.interrupt);
            result_.iterations += outcome.iterations;
            const bool followed = outcome.status == NewtonOutcome::converged && !is_beyond_numbers(path) &&
                                  !ends_before_it_begins(problem, path);
            if (followed) f.path = std::move(path), f.newton = outcome, place = next;
            stage *= followed ? growth : 0.5;
            result_.reached = std::max(*result_.reached, place);
        }
        f.second = {}; // that of another problem
        return place == 1;
    }

    const Model& model_;
    const Continuation& along_;
    const std::string& method_;
    std::size_t steps_;
    const SolveOptions& options_;
    Continued result_;
};

} // namespace

std::string Continuation::text() const {
    if (name == convex_name) return "the linearised, convex problem";
    if (name == ends_name) return "ends " + real::to_text(from, 3) + " times as far apart";
    return name + " = " + real::to_text(from, 6);
}

Continuation continuation_of(const Model& model, const std::string& name, double from) {
    if (name == time_name) {
        if (!model.boundary || !model.boundary->time) throw BadRun("--continue time: the time is free");
        if (!(from > 0)) throw BadRun("--continue time: a time must be positive");
        return {name, from, static_cast<double>(*model.boundary->time)};
    }
    const auto& fixed = model.structure_parameters;
    if (std::find(fixed.begin(), fixed.end(), name) != fixed.end())
        throw BadRun("--continue " + name + ": the parameter is part of the structure, a number of coordinates say");
    if (model.control &&
        std::find(model.control->chosen.begin(), model.control->chosen.end(), name) != model.control->chosen.end())
        throw BadRun("--continue " + name + ": the parameter is chosen by the problem itself");
    for (const Parameter& p : model.parameters)
        if (p.name == name) return {name, from, static_cast<double>(p.value)};
    if (name == convex_name) {
        if (!nearly_convex(model, 0))
            throw BadRun("--continue convex: there is no such problem for one with a free time, chosen parameters, "
                         "families, coordinates on groups or inputs without a square");
        return {name, 0, 1};
    }
    throw BadRun("--continue " + name + ": there is no such parameter; time is one, too");
}

std::vector<Continuation> easier(const Model& model) {
    std::vector<Continuation> all;
    if (!model.groups.empty()) return all;
    if (const auto& time = model.boundary->time)
        for (const double factor : {2.0, 4.0})
            all.push_back({time_name, factor * static_cast<double>(*time), static_cast<double>(*time)});
    all.push_back({ends_name, 0.5, 1});
    if (nearly_convex(model, 0)) all.push_back({convex_name, 0, 1});
    return all;
}

Continued lead(const Model& model, const Continuation& along, const std::string& method, std::size_t steps,
               const SolveOptions& options) {
    return Leading(model, along, method, steps, options).run();
}

} // namespace rattleback::boundary
