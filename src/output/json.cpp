#include <rattleback/output.hpp>

#include <charconv>
#include <cmath>

namespace rattleback {
namespace {

std::string quoted(const std::string& s) {
    std::string r = "\"";
    for (char c : s) {
        const auto u = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            r += '\\', r += c;
        else if (c == '\n')
            r += "\\n";
        else if (u < 0x20) {
            char buffer[8];
            std::snprintf(buffer, sizeof buffer, "\\u%04x", u);
            r += buffer;
        } else
            r += c;
    }
    return r + "\"";
}

} // namespace

std::string number_text(double x) {
    if (!std::isfinite(x)) return "null"; // JSON has no other word
    char buffer[32];                      // the fewest digits that are read as the same number
    return {buffer, std::to_chars(buffer, buffer + sizeof buffer, x).ptr};
}

Json& Json::raw(const std::string& key, const std::string& value) {
    body_ += (body_.empty() ? "" : ", ") + quoted(key) + ": " + value;
    return *this;
}
Json& Json::add(const std::string& key, const std::string& text) { return raw(key, quoted(text)); }
Json& Json::add(const std::string& key, double number) { return raw(key, number_text(number)); }
Json& Json::add(const std::string& key, long long number) { return raw(key, std::to_string(number)); }
Json& Json::add(const std::string& key, const std::vector<double>& numbers) {
    std::string list;
    for (double x : numbers) list += (list.empty() ? "" : ", ") + number_text(x);
    return raw(key, "[" + list + "]");
}
Json& Json::add(const std::string& key, const std::vector<std::string>& texts) {
    std::string list;
    for (const std::string& s : texts) list += (list.empty() ? "" : ", ") + quoted(s);
    return raw(key, "[" + list + "]");
}
Json& Json::add(const std::string& key, const std::vector<Json>& objects) {
    std::string list;
    for (const Json& o : objects) list += (list.empty() ? "" : ", ") + o.text();
    return raw(key, "[" + list + "]");
}

std::string summary_json(const Run& run) {
    const Summary& s = run.summary();
    Json j;
    j.add("model", s.model).add("method", s.method).add("step", s.step).add("steps", s.steps).add("t_end", s.t_end);
    if (!s.z.empty())
        j.add("z", s.z);
    else
        j.add("q", s.q).add("v", s.v).add("p", s.p);
    j.add("lambda", s.lambda).add("energy_initial", s.energy_initial).add("energy_error_max", s.energy_error_max);
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
    if (!s.note.empty()) j.add("note", s.note);
    if (!s.warnings.empty()) j.add("warnings", s.warnings);
    j.add("status", run.report().ok() ? std::string("finished") : run.report().text());
    return j.text();
}

} // namespace rattleback
