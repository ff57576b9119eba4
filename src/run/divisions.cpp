#include "run/divisions.hpp"

#include <algorithm>
#include <array>
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

// As formulas of the parameters: all else has the numbers by which it was chosen what to divide by, or some like them.
Vec at_a_sample(Graph& graph, const std::vector<Division>& divisions, const Vec& parameters, const Expr& h) {
    std::vector<NodeId> roots, known;
    for (const Component& p : parameters) known.push_back(p.value.id());
    Vec all;
    for (const Division& d : divisions) {
        all.push_back({"", d.by});
        for (const Expr& e : d.beside) all.push_back({"", e});
    }
    for (const Component& c : all)
        if (c.value.graph()) roots.push_back(c.value.id());
    solve::Sample sample(graph);
    for (NodeId id : reachable(graph, roots))
        if (graph.node(id).op == Op::symbol && std::find(known.begin(), known.end(), id) == known.end())
            sample.set(Expr(graph, id));
    sample.set(h, typical_step);
    for (std::size_t i = 0; i < all.size(); ++i) all[i].value = sample.partly(all[i].value);
    return all;
}

} // namespace

Divisions::Divisions(const Model& model, const Expr& h, std::vector<Division> divisions)
    : graph_(model.graph), parameters_(model.parameter_vec()), h_(h), divisions_(std::move(divisions)) {
    for (const Parameter& p : model.parameters) typical_.push_back(static_cast<double>(p.typical));
}

bool Divisions::usable(const std::vector<double>& parameters) {
    if (parameters == typical_) return true;
    if (!values_)
        values_.emplace(
            compile(System{graph_, parameters_, {}, {}, at_a_sample(*graph_, divisions_, parameters_, h_)}));
    std::copy(parameters.begin(), parameters.end(), values_->given());
    Report ignored;
    if (!values_->solve(ignored)) return false;
    std::size_t at = 0;
    for (const Division& d : divisions_) {
        const double by = std::abs(values_->result(at++));
        double largest = 0;
        for (std::size_t i = 0; i < d.beside.size(); ++i) largest = std::max(largest, std::abs(values_->result(at++)));
        if (!(by > smallest * largest)) return false;
    }
    return true;
}

} // namespace rattleback
