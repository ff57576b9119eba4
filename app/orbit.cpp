#include "orbit.hpp"

#include <cmath>
#include <numbers>

#include "common.hpp"

namespace app {

using namespace rattleback;

namespace {

constexpr double same = 1e-5; // multipliers that differ by less are one: rounding splits those of conserved quantities

std::string in_words(const std::complex<double>& m) {
    if (std::abs(m.imag()) <= same * std::abs(m)) return short_number(m.real());
    const std::string turns = "exp(+-2 pi i " + short_number(std::arg(m) / (2 * std::numbers::pi)) + ")";
    return std::abs(std::abs(m) - 1) <= same ? turns : short_number(std::abs(m)) + " " + turns;
}

// Each once, with how often it occurs; of a pair of conjugates, the upper one.
std::string listed(const std::vector<std::complex<double>>& all) {
    std::string text;
    std::vector<bool> seen(all.size(), false);
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (seen[i]) continue;
        const bool is_real = std::abs(all[i].imag()) <= same * std::abs(all[i]);
        int count = 0;
        for (std::size_t j = i; j < all.size(); ++j) {
            const std::complex<double> upper = {all[j].real(), std::abs(all[j].imag())};
            const std::complex<double> own = {all[i].real(), std::abs(all[i].imag())};
            if (seen[j] || std::abs(upper - own) > same * std::abs(own)) continue;
            seen[j] = true, ++count;
        }
        if (!is_real) count /= 2;
        text += (text.empty() ? "" : ", ") + in_words({all[i].real(), std::abs(all[i].imag())});
        if (count > 1) text += " (" + std::to_string(count) + " times)";
    }
    return text;
}

std::string values(const std::vector<std::string>& names, const std::vector<double>& x) {
    std::string text;
    for (std::size_t i = 0; i < x.size() && i < 8; ++i) text += (i ? "  " : "") + names[i] + " = " + short_number(x[i]);
    return x.size() > 8 ? text + "  ..." : text;
}

} // namespace

// Multipliers are pairs: real part, imaginary part.
void add_orbit(const Solution& s, Json& to) {
    const Orbit& orbit = *s.orbit;
    to.add("period", s.best().time).add("period_error", orbit.period_error).add("energy", orbit.energy);
    std::vector<Json> multipliers, rows;
    for (const std::complex<double>& m : orbit.multipliers)
        multipliers.emplace_back(std::vector<double>{m.real(), m.imag()});
    for (std::size_t i = 0; i < orbit.monodromy.rows; ++i) {
        const double* const row = &orbit.monodromy.entries[i * orbit.monodromy.columns];
        rows.emplace_back(std::vector<double>(row, row + orbit.monodromy.columns));
    }
    to.add("multipliers", std::move(multipliers)).add("monodromy", std::move(rows));
}

void print_orbit(const Model& model, const Solution& s, std::FILE* to) {
    const Extremal& path = s.best();
    const Orbit& orbit = *s.orbit;
    std::vector<std::vector<std::string>> rows;
    rows.push_back({"model", name_of(model)});
    rows.push_back({"method", s.method + ", " + std::to_string(s.steps) + " steps"});
    rows.push_back({"period", real::to_text(path.time) + (model.boundary->time
                                                              ? ", as it was asked for"
                                                              : ", error about " + short_number(orbit.period_error))});
    if (model.force.empty())
        rows.push_back({"action", real::to_text(path.cost) + ", error about " + short_number(s.cost_error)});
    if (model.force.empty()) rows.push_back({"energy", real::to_text(orbit.energy)});
    if (!s.note.empty()) rows.push_back({"note", s.note});
    rows.push_back({"verdict", orbit.is_stable ? "stable to first order: no multiplier is outside the unit circle"
                                               : "unstable: what is near it goes away by a factor of " +
                                                     short_number(std::abs(orbit.multipliers[0])) + " in a period"});
    rows.push_back({"multipliers", listed(orbit.multipliers)});
    rows.push_back({"start", values(expanded_names(model.q), path.q0)});
    rows.push_back({"", values(expanded_names(model.p), path.p0)});
    rows.push_back({"search", std::to_string(s.starts) + (s.starts == 1 ? " start, " : " starts, ") +
                                  std::to_string(s.iterations) + " iterations, residual " +
                                  short_number(path.residual)});
    rows.push_back({"time", short_number(s.seconds_setup) + " s set-up, " + short_number(s.seconds_run) + " s search"});
    std::fputs(aligned(rows).c_str(), to);
}

} // namespace app
