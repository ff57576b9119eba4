#include "output/summary.hpp"

#include <cmath>

namespace rattleback {
namespace {

using Member = std::vector<double> InitialData<double>::*;
constexpr std::pair<const char*, Member> parts_of_start[] = {
    {"q", &InitialData<double>::q}, {"v", &InitialData<double>::v},           {"p", &InitialData<double>::p},
    {"z", &InitialData<double>::z}, {"lambda", &InitialData<double>::lambda}, {"centre", &InitialData<double>::centre}};

} // namespace

Json parameters_json(const Origin& origin) {
    Json j;
    for (const auto& [name, value] : origin.parameters) j.add(name, value);
    return j;
}

Json start_json(const Origin& origin) {
    Json j;
    j.add("t", origin.t0);
    for (const auto& [name, part] : parts_of_start)
        if (!(origin.start.*part).empty()) j.add(name, origin.start.*part);
    return j;
}

void read_parameters(const Json& from, Origin& origin) {
    for (const std::string& name : from.keys()) origin.parameters.emplace_back(name, from[name].number());
}

void read_start(const Json& from, Origin& origin) {
    origin.t0 = from["t"].number();
    for (const auto& [name, part] : parts_of_start)
        if (from.has(name))
            for (const Json& x : from[name].items()) (origin.start.*part).push_back(x.number_if_any().value_or(NAN));
}

namespace {

// What errors are to be compared with; and of what the motion does not conserve, why, and the balance.
void add_scales(const Summary& s, Json& j) {
    j.add("energy_size", s.energy_size).add("energy_conserved", s.balance("energy") ? "no" : "yes");
    Json first, balances;
    for (std::size_t i = 0; i < s.momentum_initial.size(); ++i) // none of paths between two ends
        first.add(s.momentum_error_max[i].first, s.momentum_initial[i]);
    j.add("momentum_initial", first);
    if (s.balances.empty()) return;
    for (const Balance& b : s.balances)
        balances.add(b.name, Json()
                                 .add("why", b.why)
                                 .add("error_max", b.error.value_or(NAN))
                                 .add("quadrature", b.error ? b.quadrature : NAN));
    j.add("balance", balances);
}

} // namespace

std::string summary_json(const Run& run) {
    const Summary& s = run.summary();
    Json j;
    j.add("model", s.model).add("method", s.method).add("step", s.step).add("steps", s.steps).add("t_end", s.t_end);
    for (const ColumnGroup& g : run.record.layout().groups)
        if (g.role == ColumnGroup::state || g.role == ColumnGroup::multiplier)
            j.add(g.name, s.end[g.name]).add(g.name + "_names", g.columns);
    if (!s.g.empty()) j.add("g", s.g).add("xi", s.xi);
    j.add("energy_initial", s.energy_initial).add("energy_error_max", s.energy_error_max);
    j.add("energy_drift_per_time", s.energy_drift_per_time);
    j.add("constraint_max", s.constraint_max.value_or(0)).add("holonomic_max", s.holonomic_max.value_or(0));
    Json momenta;
    for (const auto& [name, error] : s.momentum_error_max) momenta.add(name, error);
    Json equations;
    for (const auto& [name, residual] : s.momentum_equation_max) {
        equations.add(name, residual);
        if (name != "g^q") momenta.add(name, residual); // what is wrong with a section's momentum
    }
    j.add("momentum_error_max", momenta);
    add_scales(s, j);
    if (!s.horizontal.empty()) j.add("horizontal", s.horizontal);
    if (!s.momentum_equation_max.empty()) j.add("momentum_equation_max", equations);
    j.add("newton_iterations_mean", s.newton_iterations_mean)
        .add("seconds_setup", s.seconds_setup)
        .add("seconds_run", s.seconds_run);
    if (const auto& r = run.report().regularity)
        j.add("regularity",
              Json().add("start", r->start).add("smallest", r->smallest).add("time", r->time).add("end", r->end));
    if (s.parasitic) {
        Json mode;
        mode.add("first", s.parasitic->first).add("last", s.parasitic->last).add("largest", s.parasitic->largest);
        j.add("parasitic", mode);
    }
    if (!s.charts.empty()) {
        std::vector<Json> charts;
        for (const auto& [t, coordinates] : s.charts)
            charts.push_back(Json().add("t", t).add("coordinates", coordinates));
        j.add("chart_changes", s.chart_changes).add("charts", charts);
    }
    if (const auto& a = s.accuracy)
        j.add("accuracy", Json()
                              .add("asked", a->asked)
                              .add("estimated", a->estimated)
                              .add("rounding", a->rounding)
                              .add("reached", a->reached())
                              .add("method", s.method)
                              .add("step", s.step)
                              .add("checked_until", a->until)
                              .add("growth", a->growth)
                              .add("holds_until", a->holds_until)
                              .add("why", a->why));
    if (!s.note.empty()) j.add("note", s.note);
    if (!s.warnings.empty()) j.add("warnings", s.warnings);
    j.add("status", run.report().ok() ? std::string("finished") : run.report().text());
    j.add("parameters", parameters_json(run.origin)).add("start", start_json(run.origin));
    j.add("command", run.origin.command).add("version", run.origin.version);
    return j.text();
}

} // namespace rattleback
