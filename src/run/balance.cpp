#include "run/balance.hpp"

#include <algorithm>

namespace rattleback {
namespace {

// Solved in an order that the model's parameters have chosen, and divided by them where none is 0.
std::shared_ptr<const CompiledSystem> compiled_rates(const Model& model, const System& system) {
    std::shared_ptr<const CompiledSystem> rates = compile(system);
    const bool by_zero = std::any_of(model.parameters.begin(), model.parameters.end(), [&](const Parameter& p) {
        return p.value == 0 && rates->divides_by.contains(p.symbol.id());
    });
    return by_zero ? compile(system, false) : rates;
}

} // namespace

Balances::Balances(const Model& model, int order, double h) {
    const Exchanges exchanges(model);
    std::size_t place = 0;
    for (const Exchange& e : exchanges.all()) {
        if (!e.why.empty()) {
            if (e.known) measured_.push_back({balances_.size(), place, RunningBalance(order, h)});
            balances_.push_back({e.name, e.why, {}, 0});
        }
        ++place;
    }
    if (measured_.empty()) return;
    try {
        rates_.emplace(model, compiled_rates(model, exchanges.rates()));
    } catch (const StructuralError&) { // multipliers that are not determined: the method may still run
        measured_.clear();
    }
}

void Balances::at_node(const NodeValues<double>& node, double t, const std::vector<double>* known) {
    if (measured_.empty() || lost_) return;
    if (!known && !rates_->read(node, t, found_)) {
        lost_ = true;
        return;
    }
    const std::vector<double>& rates = known ? *known : found_;
    for (std::size_t i = 0; i < measured_.size(); ++i) {
        const std::size_t m = measured_[i].momentum;
        const double value = m == 0 ? node.energy : node.momenta[m - 1];
        measured_[i].sum.add(&value, &rates[i], 1);
    }
}

std::vector<Balance> Balances::at_the_end() const {
    std::vector<Balance> all = balances_;
    for (const Quantity& m : measured_) {
        if (lost_ || m.sum.nodes() < 3) continue;
        const RunningBalance::Result found = m.sum.at_the_end();
        all[m.which].error = found.error, all[m.which].quadrature = found.doubt;
    }
    return all;
}

} // namespace rattleback
