#include "run/divisions.hpp"

#include <algorithm>
#include <cmath>

#include "solve/sample.hpp"

namespace rattleback {

std::vector<double> typical_values(const Model& model) {
    std::vector<double> values{typical_step};
    for (const Parameter& p : model.parameters) values.push_back(static_cast<double>(p.typical));
    return values;
}

namespace {

constexpr double smallest = 0x1p-10; // of what stands beside it: for typical values it is at least a tenth

} // namespace

// In a copy of the system's graph, as formulas of the parameters: all else has the numbers by which it was chosen what
// to divide by, or some like them.
Divisions::Divisions(const CompiledSystem& system, const Vec& parameters, const Expr& h) {
    const std::shared_ptr<Graph> graph = system.graph->copy();
    const auto here = [&](const Expr& e) { return e.graph() ? Expr(*graph, e.id()) : e; };
    Vec given, all;
    std::vector<NodeId> roots, known;
    for (const Component& p : parameters) {
        given.push_back({p.name, here(p.value)});
        known.push_back(p.value.id());
    }
    for (const Division& d : system.divisions) {
        beside_.push_back(d.beside.size());
        all.push_back({"", here(d.by)});
        for (const Expr& e : d.beside) all.push_back({"", here(e)});
    }
    for (const Component& c : all)
        if (c.value.graph()) roots.push_back(c.value.id());
    solve::Sample sample(*graph);
    for (NodeId id : reachable(*graph, roots))
        if (graph->node(id).op == Op::symbol && std::find(known.begin(), known.end(), id) == known.end())
            sample.set(Expr(*graph, id));
    sample.set(here(h), typical_step);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].value = sample.partly(all[i].value);
    values_.emplace(compile(System{graph, given, {}, {}, all}));
}

bool Divisions::usable(const std::vector<double>& parameters) {
    const std::lock_guard lock(mutex_);
    std::copy(parameters.begin(), parameters.end(), values_->given());
    Report ignored;
    if (!values_->solve(ignored)) return false;
    std::size_t at = 0;
    for (std::size_t count : beside_) {
        const double by = std::abs(values_->result(at++));
        double largest = 0;
        for (std::size_t i = 0; i < count; ++i) largest = std::max(largest, std::abs(values_->result(at++)));
        if (!(by > smallest * largest)) return false;
    }
    return true;
}

} // namespace rattleback
