#include "run/quadrature.hpp"

#include <algorithm>
#include <cmath>

#include <rattleback/real.hpp>

namespace rattleback {
namespace {

// More nodes than the order, so that the quadrature is not what is measured; two less serve to judge it. Counted as
// weights of RunningBalance.
constexpr std::size_t few = 4, many = 6;
std::size_t nodes_for(int order) { return 2 * ((order <= 4 ? few : many) + 1); }

constexpr std::size_t kept = 1024; // nodes that are behind are forgotten when there are so many

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

std::vector<double> NodeQuadrature::corrections() const {
    const std::size_t half = nodes_ / 2;
    const std::span<const double> w = weights(half - 1);
    std::vector<double> a(half - 1);
    double ahead = 0;
    for (std::size_t i = half - 1; i > 0; --i) ahead += w[half + i], a[i - 1] = ahead;
    return a;
}

RunningBalance::RunningBalance(int order, double h)
    : fine_(nodes_for(order)), coarse_(fine_.nodes() - 2), h_(h), weights_(fine_.corrections()), less_(weights_) {
    const std::vector<double> coarse = coarse_.corrections();
    for (std::size_t i = 0; i < coarse.size(); ++i) less_[i] -= coarse[i];
}

void RunningBalance::add(NodeColumn values, NodeColumn rates, std::size_t count) {
    if (count == 0) return;
    if (nodes_ == 0) first_ = values[0];
    nodes_ += count;
    values_.insert(values_.end(), values, values + count), rates_.insert(rates_.end(), rates, rates + count);
    if (rates_.size() < fine_.nodes()) return;
    if (done_ == 0) begin();
    go_on();
    if (done_ < kept) return;
    const auto behind = static_cast<std::ptrdiff_t>(done_ - fine_.nodes() / 2);
    values_.erase(values_.begin(), values_.begin() + behind), rates_.erase(rates_.begin(), rates_.begin() + behind);
    done_ = fine_.nodes() / 2;
}

// The step after node j of `count` nodes, with the polynomials through all of these.
void RunningBalance::one_step(Integrals& so_far, std::size_t j, std::size_t count, const double* values,
                              const double* rates, const NodeQuadrature& fine, const NodeQuadrature& coarse) const {
    const std::size_t before = coarse.nodes() / 2 - 1; // nodes that lie before the step, at best
    const std::size_t shift = std::min(count - coarse.nodes(), j > before ? j - before : 0);
    double gain = 0, other = 0;
    for (std::size_t k = 0; k < fine.nodes(); ++k) gain += fine.weights(j)[k] * rates[k];
    for (std::size_t k = 0; k < coarse.nodes(); ++k) other += coarse.weights(j - shift)[k] * rates[shift + k];
    so_far.fine.add(gain), so_far.coarse.add(other);
    const double work = h_ * so_far.fine.total();
    so_far.most.error = std::max(so_far.most.error, std::abs(values[j + 1] - first_ - work));
    so_far.most.doubt = std::max(so_far.most.doubt, std::abs(work - h_ * so_far.coarse.total()));
}

// C_c - r_c/2, or what `coarse_` has less.
double RunningBalance::correction(std::size_t c, bool fine) const {
    const std::vector<double>& a = fine ? weights_ : less_;
    double sum = 0;
    for (std::size_t i = 1; i <= a.size(); ++i) sum += a[i - 1] * (rates_[c + i] - rates_[c - i]);
    return fine ? sum - rates_[c] / 2 : sum;
}

void RunningBalance::begin() {
    Integrals first;
    done_ = fine_.nodes() / 2;
    for (std::size_t j = 0; j < done_; ++j)
        one_step(first, j, fine_.nodes(), values_.data(), rates_.data(), fine_, coarse_);
    most_ = first.most;
    start_ = first.fine.total() - correction(done_, true);
    start_less_ = first.fine.total() - first.coarse.total() - correction(done_, false);
}

// Whole groups of nodes, as many as lanes hold; the others wait. What goes from group to group is a compensated sum,
// and inside of a group a plain one, which the processor forms of several groups at once.
void RunningBalance::go_on() {
    const std::size_t end = rates_.size() - fine_.nodes() / 2 + 1;
    if (done_ + in_lanes::count >= end) return;
    weights_.size() == few ? side_by_side<few>(end) : side_by_side<many>(end);
}

template <std::size_t count> void RunningBalance::side_by_side(std::size_t end) {
    const double *const x = values_.data(), *const r = rates_.data();
    std::size_t c = done_ + 1;
    Sum sum = sum_; // here and not there, so that it stays in registers
    solve::in_vectors([&](auto vector) RATTLEBACK_LANES {
        using Eight = in_lanes::Eight<decltype(vector)>;
        const Eight first = first_, start = start_, start_less = start_less_, h = h_, half = 0.5;
        Eight fine[count], less[count], error, doubt;
        for (std::size_t i = 0; i < count; ++i) fine[i] = weights_[i], less[i] = less_[i];
        for (double totals[in_lanes::count]; c + in_lanes::count <= end; c += in_lanes::count) {
            double part = 0;
            for (std::size_t i = 0; i < in_lanes::count; ++i) part += r[c + i], totals[i] = part;
            const Eight total = Eight(sum.value) + (Eight(sum.low) + Eight(totals));
            Eight work, other;
#pragma GCC unroll 8
            for (std::size_t i = 1; i <= count; ++i) {
                const Eight difference = Eight(r + c + i) - Eight(r + c - i);
                work = work + fine[i - 1] * difference, other = other + less[i - 1] * difference;
            }
            const Eight local = (work - half * Eight(r + c)) + start;
            error = larger(error, magnitude((Eight(x + c) - first) - h * (total + local)));
            doubt = larger(doubt, magnitude(h * (other + start_less)));
            sum.add(part);
        }
        most_.error = std::max(most_.error, largest(error)), most_.doubt = std::max(most_.doubt, largest(doubt));
    });
    sum_ = sum, done_ = c - 1;
}

RunningBalance::Result RunningBalance::at_the_end() const {
    const std::size_t count = std::min(rates_.size(), fine_.nodes()), first = rates_.size() - count;
    const double *const x = values_.data() + first, *const r = rates_.data() + first;
    Integrals rest;
    if (done_ == 0) {
        const NodeQuadrature fine(count), coarse(count > 4 ? count - 2 : 2);
        for (std::size_t j = 0; j + 1 < count; ++j) one_step(rest, j, count, x, r, fine, coarse);
        return rest.most;
    }
    rest.most = most_;
    double part = 0;
    std::size_t c = done_;
    const auto total = [&] { return sum_.value + (sum_.low + part); };
    while (c + fine_.nodes() / 2 < rates_.size()) { // those that wait
        part += rates_[++c];
        const double work = h_ * (total() + (correction(c, true) + start_));
        rest.most.error = std::max(rest.most.error, std::abs((values_[c] - first_) - work));
        rest.most.doubt = std::max(rest.most.doubt, std::abs(h_ * (correction(c, false) + start_less_)));
    }
    rest.fine.add(total()), rest.fine.add(correction(c, true) + start_);
    rest.coarse = rest.fine, rest.coarse.add(-(correction(c, false) + start_less_));
    for (std::size_t j = c - first; j + 1 < count; ++j) one_step(rest, j, count, x, r, fine_, coarse_);
    return rest.most;
}

} // namespace rattleback
