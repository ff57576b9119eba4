#include "run/node_pairs.hpp"

#include <algorithm>

#include "run/written.hpp"

namespace rattleback {
namespace {

constexpr std::size_t lanes = 8; // see nodes_at_once in step_code.cpp

using code::Array, code::Do, code::Mask, code::Number, code::Variable;
using Columns = std::vector<std::size_t>;

} // namespace

void NodePairs::begin(std::size_t wanted, std::size_t momenta) {
    for (std::size_t i = 0; i < watch_.rows().entries(); ++i) of_watch_.push_back(wanted++);
    if (momentum_.columns() == 0) return;
    for (std::size_t i = 0; i < momentum_.wanted().size(); ++i) of_momentum_.push_back(wanted++);
    while (of_momentum_.size() < momentum_.columns()) of_momentum_.push_back(momenta++);
}

// Arrays: `carried` and `rows` are the rows from the nodes before and from the nodes on, `state` the residuals.
std::shared_ptr<const code::Listing> NodePairs::listing() const {
    if (of_watch_.empty() && of_momentum_.empty()) return nullptr;
    auto listing = std::make_shared<code::Listing>();
    code::Listing& l = *listing;
    const Written::Into into(l);
    MomentumResiduals<Written> most(momentum_.shape());
    std::vector<Variable<Number>> largest;
    most.each([&](Written&) {
        const auto place = static_cast<std::uint32_t>(largest.size());
        largest.emplace_back(l, Number(l, l.put(Do::load, Array::state, place)));
    });
    l.put(Do::begin_steps);
    const auto load = [&](Array array, const Columns& columns) {
        std::vector<Written> x;
        for (std::size_t c : columns)
            x.emplace_back(Number(l, l.put(Do::load_step, array, static_cast<std::uint32_t>(c))));
        return x;
    };
    if (!of_watch_.empty()) {
        const std::vector<Written> now = load(Array::rows, of_watch_);
        const Variable<Mask> clear(l, watch_.rows().are_apart(now));
        l.put(Do::begin_if, (~clear.get()).line());
        clear.set(clear.get() | watch_.rows().turn_little(load(Array::carried, of_watch_), now));
        l.put(Do::end_if);
        l.put(Do::stop_if, (~clear.get()).line());
    }
    if (!of_momentum_.empty()) {
        std::size_t place = 0;
        most.each([&](Written& x) { x = Written(largest[place++].get()); });
        most.add(load(Array::carried, of_momentum_), load(Array::rows, of_momentum_));
        place = 0;
        most.each([&](Written& x) { largest[place++].set(x.number()); });
    }
    l.put(Do::end_steps);
    for (std::uint32_t i = 0; i < largest.size(); ++i) l.put(Do::store, Array::state, i, largest[i].get().line());
    return l.lines.size() <= most_lines ? listing : nullptr;
}

bool NodePairs::pass(NodeRows& rows, std::size_t count, const code::Native* code) {
    for (std::size_t i = 0; i < of_watch_.size(); ++i) rows.before(of_watch_[i]) = watch_.last(i);
    for (std::size_t i = 0; i < of_momentum_.size(); ++i) rows.before(of_momentum_[i]) = momentum_.last(i);
    count_ = count;
    if (of_watch_.empty() && of_momentum_.empty()) return true;
    most_ = MomentumResiduals<double>(momentum_.shape());
    const std::size_t done = code ? in_code(rows, count, *code) : 0;
    return (!code || done + lanes > count) && one_by_one(rows, done, count);
}

// How many of the nodes were compared: all but fewer than there are lanes, unless constraints may have become
// dependent.
std::size_t NodePairs::in_code(NodeRows& rows, std::size_t count, const code::Native& code) {
    std::size_t residuals = 0;
    most_.each([&](double&) { ++residuals; });
    std::vector<double> largest(residuals * lanes, 0.0);
    std::array<double*, code::array_count> arrays{};
    arrays[Array::carried] = rows.data() - 1, arrays[Array::rows] = rows.data(), arrays[Array::state] = largest.data();
    const auto groups = static_cast<long long>(count / lanes);
    const auto done = static_cast<std::size_t>(code.entry()(arrays.data(), groups, code::function_table()));
    const double* from = largest.data();
    most_.each([&](double& x) { x = *std::max_element(from, from + lanes), from += lanes; });
    return done * lanes;
}

bool NodePairs::one_by_one(const NodeRows& rows, std::size_t first, std::size_t count) {
    std::vector<double> before, now;
    const auto show = [&](const Columns& columns, std::size_t node) {
        before.clear(), now.clear();
        for (std::size_t c : columns)
            before.push_back(*(rows.column(c) + node - 1)), now.push_back(rows.column(c)[node]);
    };
    for (std::size_t k = first; k < count; ++k) {
        show(of_watch_, k);
        if (!now.empty() && !watch_.rows().are_apart(now) && !watch_.rows().turn_little(before, now)) return false;
        show(of_momentum_, k);
        if (!now.empty()) most_.add(before, now);
    }
    return true;
}

void NodePairs::take(const NodeRows& rows, double t) {
    watch_.go_to([&](std::size_t i) { return rows.column(of_watch_[i])[count_ - 1]; }, t);
    if (of_momentum_.empty()) return;
    momentum_.go_to(
        most_, [&](std::size_t i) { return rows.column(of_momentum_[i])[count_ - 1]; }, t);
}

} // namespace rattleback
