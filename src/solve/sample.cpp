#include "solve/sample.hpp"
#include "expr/graph.hpp"

#include <cmath>

namespace rattleback::solve {
namespace {

double apply(Op op, [[maybe_unused]] double x, [[maybe_unused]] double y, [[maybe_unused]] double z) {
    using T = double;
    switch (op) {
#define RATTLEBACK_FUNCTION(id, arity, name, expression, ...)                                                          \
    case Op::id:                                                                                                       \
        return expression;
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION
    default: return Real<T>::nan; // families and linear solves: replaced before
    }
}

// A sequence that fills [0, 1) evenly: multiples of the golden ratio, modulo 1.
double golden(unsigned k) {
    const double turns = 0.6180339887498949 * k;
    return turns - std::floor(turns);
}

} // namespace

Sample::Values& Sample::of(NodeId id) {
    if (place_[id] == 0) {
        values_.emplace_back();
        place_.set(id, static_cast<std::uint32_t>(values_.size()));
    }
    return values_[place_[id] - 1];
}

void Sample::set(const Expr& symbol) {
    Values& values = of(symbol.id());
    values[near_one] = 0.5 + golden(++symbols_);
    for (std::size_t k = 1; k < points; ++k) {
        const double part = golden(++numbers_);
        switch (k) {
        case 1: values[k] = 0; break; // where sines vanish, and cosines
        case 2: values[k] = std::acos(-1.0) / 2; break;
        case 3: values[k] = 1e-3 * (part - 0.5); break;
        case 4: values[k] = 30 * (part - 0.5); break;
        case 5: values[k] = part < 0.5 ? 0 : 0.5 + part; break; // starts have many zeros
        case 6: values[k] = part < 0.5 ? 6 * part - 3 : 0; break;
        default: values[k] = k % 2 ? 0.5 + part : 6 * part - 3;
        }
    }
}

void Sample::set(const Expr& symbol, double value) { of(symbol.id()).fill(value); }

void Sample::set_like(const Expr& symbol, double size) {
    set(symbol);
    for (double& value : of(symbol.id())) value *= size;
}

std::vector<Sample::Values> Sample::at(std::span<const Expr> formulas) {
    std::vector<NodeId> roots;
    for (const Expr& e : formulas)
        if (e.graph()) roots.push_back(e.id());
    for (NodeId id : reachable(graph_, roots)) {
        if (place_[id] != 0) continue;
        const Node& n = graph_.node(id);
        Values& values = of(id);
        if (n.op == Op::constant) {
            values.fill(static_cast<double>(graph_.value(id)));
            continue;
        }
        const bool known = n.op >= Op::add;
        const int arity = known ? function(n.op).arity : 0;
        const auto operand = [&](NodeId of, int which, std::size_t k) {
            return arity > which ? values_[place_[of] - 1][k] : 0;
        };
        for (std::size_t k = 0; k < points; ++k)
            values[k] =
                known ? apply(n.op, operand(n.a, 0, k), operand(n.b, 1, k), operand(n.c, 2, k)) : Real<double>::nan;
    }
    std::vector<Values> results;
    for (const Expr& e : formulas) {
        Values constant;
        constant.fill(e.graph() ? 0.0 : static_cast<double>(e.constant().value_or(0)));
        results.push_back(e.graph() ? of(e.id()) : constant);
    }
    return results;
}

} // namespace rattleback::solve
