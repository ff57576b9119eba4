#include "run/balance.hpp"

#include <algorithm>
#include <cmath>

#include "run/initial.hpp"

namespace rattleback {
namespace {

// More nodes than the order, so that the quadrature is not what is measured; two less serve to judge it.
std::size_t nodes_for(int order) { return order <= 4 ? 10 : 14; }

void add_to(double& sum, double& low, double x) { // what is lost is kept
    const double next = sum + x;
    low += std::abs(sum) >= std::abs(x) ? (sum - next) + x : (x - next) + sum;
    sum = next;
}

} // namespace

NodeQuadrature::NodeQuadrature(std::size_t nodes) : nodes_(nodes), weights_((nodes - 1) * nodes) {
    for (std::size_t i = 0; i < nodes; ++i) {
        std::vector<quad> polynomial{1}; // 1 at node i, 0 at the others; coefficients of powers
        for (std::size_t k = 0; k < nodes; ++k) {
            if (k == i) continue;
            const quad root = static_cast<quad>(k), scale = static_cast<quad>(i) - root;
            polynomial.push_back(0);
            for (std::size_t d = polynomial.size(); d-- > 0;)
                polynomial[d] = ((d > 0 ? polynomial[d - 1] : quad(0)) - root * polynomial[d]) / scale;
        }
        for (std::size_t j = 0; j + 1 < nodes; ++j) {
            quad integral = 0, left = 1, right = 1;
            for (std::size_t d = 0; d < nodes; ++d) {
                left *= static_cast<quad>(j), right *= static_cast<quad>(j + 1);
                integral += polynomial[d] * (right - left) / static_cast<quad>(d + 1);
            }
            weights_[j * nodes + i] = static_cast<double>(integral);
        }
    }
}

Balances::Balances(const Model& model, int order) : model_(model), fine_(nodes_for(order)), coarse_(fine_.nodes() - 2) {
    const Exchanges exchanges(model);
    std::size_t place = 0;
    for (const Exchange& e : exchanges.all()) {
        if (!e.why.empty()) {
            if (e.known) measured_.push_back({balances_.size(), place, 0, 0, 0, 0, 0});
            balances_.push_back({e.name, e.why, {}, 0});
        }
        ++place;
    }
    if (measured_.empty()) return;
    try {
        rates_.emplace(compile(exchanges.rates()));
    } catch (const StructuralError&) { // multipliers that are not determined: the method may still run
        measured_.clear();
    }
}

bool Balances::evaluate(const NodeValues<double>& node, double t, std::vector<double>& rates) {
    double* to = rates_->given();
    const auto put = [&](const std::vector<double>& values, std::size_t count) {
        to = std::copy_n(values.begin(), count, to);
    };
    std::vector<double> others = other_values(model_, t);
    if (model_.kind == Model::general) {
        put(node.z, node.z.size());
    } else {
        const auto [q, centre] = from_shown(model_, node.q);
        put(q, q.size()), put(node.v, node.v.size()), put(node.p, node.p.size());
        if (model_.variational && !model_.velocity.empty())
            put(node.lambda, static_cast<std::size_t>(model_.velocity.count()));
        std::copy(centre.begin(), centre.end(), others.end() - static_cast<std::ptrdiff_t>(centre.size()));
    }
    put(others, others.size());
    Report ignored;
    if (!rates_->solve(ignored)) return false;
    rates.resize(measured_.size());
    rates_->results(0, rates.size(), rates.data());
    return true;
}

void Balances::at_node(const NodeValues<double>& node, double t) {
    const auto value = [&](std::size_t momentum) { return momentum == 0 ? node.energy : node.momenta[momentum - 1]; };
    if (measured_.empty() || lost_) return;
    Node now{t, {}, {}};
    if (window_.size() == fine_.nodes()) std::swap(now, window_.front()), window_.pop_front(), now.t = t;
    if (!evaluate(node, t, now.rates)) {
        lost_ = true;
        return;
    }
    now.values.clear();
    for (Quantity& m : measured_) {
        now.values.push_back(value(m.momentum));
        if (window_.empty()) m.first = now.values.back();
    }
    window_.push_back(std::move(now));
    const std::size_t middle = fine_.nodes() / 2 - 1; // the step in the middle
    if (window_.size() < fine_.nodes()) return;
    for (std::size_t j = begun_ ? middle : 0; j <= middle; ++j) integrate(j, fine_, coarse_);
    begun_ = true;
}

// Step j of the window.
void Balances::integrate(std::size_t j, const NodeQuadrature& fine, const NodeQuadrature& coarse) {
    const double h = (window_.back().t - window_.front().t) / static_cast<double>(window_.size() - 1);
    const std::size_t before = coarse.nodes() / 2 - 1; // nodes that lie before the step, at best
    const std::size_t shift = std::min(window_.size() - coarse.nodes(), j > before ? j - before : 0);
    for (std::size_t i = 0; i < measured_.size(); ++i) {
        Quantity& m = measured_[i];
        double gain = 0, other = 0;
        for (std::size_t k = 0; k < fine.nodes(); ++k) gain += fine.weights(j)[k] * window_[k].rates[i];
        for (std::size_t k = 0; k < coarse.nodes(); ++k)
            other += coarse.weights(j - shift)[k] * window_[shift + k].rates[i];
        add_to(m.work, m.low, h * gain), add_to(m.other, m.other_low, h * other);
        Balance& b = balances_[m.which];
        const double work = m.work + m.low, doubt = std::abs(work - (m.other + m.other_low));
        const double error = std::abs(window_[j + 1].values[i] - m.first - work);
        b.error = std::max(b.error.value_or(0), error), b.quadrature = std::max(b.quadrature, doubt);
    }
}

std::vector<Balance> Balances::at_the_end() {
    if (lost_ || window_.size() < 3) {
        for (Balance& b : balances_) b.error.reset();
        return balances_;
    }
    const std::size_t n = window_.size();
    const NodeQuadrature fine(n), coarse(n > 4 ? n - 2 : 2);
    for (std::size_t j = begun_ ? fine_.nodes() / 2 : 0; j + 1 < n; ++j) integrate(j, fine, coarse);
    return balances_;
}

} // namespace rattleback
