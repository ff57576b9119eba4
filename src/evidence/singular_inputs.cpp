#include "evidence/singular_inputs.hpp"

#include <algorithm>

#include "evidence/linear.hpp"
#include "formulation/chain.hpp"
#include "model/copy.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

using Facts = std::vector<std::pair<std::string, std::string>>;

std::string joined(const std::vector<std::string>& all) {
    std::string text;
    for (const std::string& each : all) text += (text.empty() ? "" : ", ") + each;
    return text;
}

void add_levels(const DiracChain& chain, Facts& to) {
    for (std::size_t level = 0; level < chain.levels.size(); ++level) {
        std::vector<std::string> new_ones;
        for (std::size_t i = 0; i < chain.phi.size(); ++i)
            if (chain.links[i].level == static_cast<int>(level))
                new_ones.push_back((level == 0 ? "" : chain.links[i].origin + " = ") + to_text(chain.phi[i].value, 60) +
                                   " = 0");
        const bool is_last = level + 1 == chain.levels.size();
        to.emplace_back("P_" + std::to_string(level), joined(new_ones) + "; of dimension " +
                                                          std::to_string(chain.levels[level].dimension) +
                                                          (is_last ? ", nothing else is hidden" : ""));
    }
}

// {phi, {phi, H}} must not be negative on a path that is a minimum (Kelley 1964): of one input, or as a matrix.
void add_kelley(const DiracChain& chain, const std::string& names, Facts& to) {
    const std::size_t k = chain.primary.size();
    const auto at = chain.points();
    if (at.empty()) return;
    Vec entries;
    for (const Expr& e : chain.matrix(chain.primary, chain.rate(chain.primary))) entries.push_back({"", e});
    const auto found = chain.values(entries, {at.front()});
    if (found.empty()) return;
    Dense m(k, k);
    m.entries = found[0];
    double size = 0;
    for (double e : m.entries) size = std::max(size, std::abs(e));
    if (size == 0) return; // a longer chain
    const bool positive = symmetric_eigenvalues(m).front() >= -1e-9 * size;
    to.emplace_back("Kelley", positive ? "{H_u, {H_u, H}} is not negative at the start, for " + names +
                                             ": paths on the last set may be minima"
                                       : "{H_u, {H_u, H}} is NEGATIVE at the start, for " + names +
                                             ": paths on the last set are no minima");
}

} // namespace

Facts singular_input_facts(const Model& given) {
    Model model = deep_copy(given);
    Facts facts;
    std::vector<std::string> names;
    const std::vector<std::size_t> singular = singular_inputs(model);
    for (const std::size_t i : singular) names.push_back(model.inputs[i].name);
    facts.emplace_back("singular", joined(names) + (names.size() == 1 ? " has" : " have") +
                                       " no square in H: H_u = 0 is a constraint of q and p");
    try {
        if (!model.has_start) model = with_start_for_chain(model);
        const DiracChain chain(model);
        add_levels(chain, facts);
        put_in_singular_inputs(model);
        for (const std::size_t i : singular)
            facts.emplace_back("input", model.inputs[i].name + " = " + to_text(model.inputs[i].formula, 80) +
                                            " on the last set, which is symplectic");
        add_kelley(chain, joined(names), facts);
        if (given.has_start && !chain.off_start.empty())
            facts.emplace_back("start", chain.off_start.substr(0, chain.off_start.find('\n')));
    } catch (const Unsuitable& e) {
        const std::string what = e.what();
        facts.emplace_back("refused", what.substr(0, what.find('\n')));
    }
    return facts;
}

bool violates_legendre(const Model& given) {
    if (!given.has_start || given.control->implicit || !given.control->bounds.empty() || given.p0.empty()) return false;
    const Model m = deep_copy(given);
    const Control& c = *m.control;
    const std::size_t k = c.inputs.size();
    Vec hessian, u = c.inputs;
    for (std::size_t i = 0; i < k; ++i) u[i].value = m.inputs[i].formula;
    for (const Component& slope : gradient(c.cost + dot(m.p, c.dynamics), c.inputs))
        for (const Component& entry : gradient(slope.value, c.inputs))
            hessian.push_back({"", substitute(entry.value, {{c.inputs, u}})});
    SystemSolver<double> at(compile(System{m.graph, concat({m.q, m.p, m.others()}), {}, {}, hessian}));
    double* to = at.given();
    for (const auto* values : {&m.q0, &m.p0})
        for (const quad x : *values) *to++ = static_cast<double>(x);
    for (const double x : time_and_parameters(m)) *to++ = x;
    Report report;
    if (!at.solve(report)) return false;
    Dense found(k, k);
    for (std::size_t i = 0; i < k * k; ++i) found.entries[i] = at.result(i);
    return !(symmetric_eigenvalues(found).front() > 0);
}

} // namespace rattleback
