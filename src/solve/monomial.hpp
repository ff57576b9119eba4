// What equations may be divided by before any number is known: products of powers of parameters.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>

#include "expr/graph.hpp"

namespace rattleback::solve {

// The powers of symbols in a product, whatever its number: 2*m*l^2 is {m: 1, l: 2}, and a number alone is {}.
using Monomial = std::map<NodeId, double>;

// The monomial in these symbols that a formula is, if it is one. It vanishes only where one of its symbols is 0.
std::optional<Monomial> monomial(const Expr& formula, std::span<const NodeId> symbols);

// Whether a formula is made of numbers and these symbols alone.
bool is_of(const Expr& formula, std::span<const NodeId> symbols);

// Whether an equation in which `coefficient` belongs to one unknown, and `row` are the coefficients of all, may be
// divided by it, whatever values the symbols have: it is a monomial and, among the others, those made of the symbols
// alone are numbers times the same monomial. So m*x' + 2*m*y' is divided by m, and m*x' + c*y' is not: with a small m
// that would cost digits.
bool may_divide(const Expr& coefficient, std::span<const Expr> row, std::span<const NodeId> symbols);
// The symbols of a formula are added to a set.
void add_symbols(const Expr& formula, std::set<NodeId>& to);

} // namespace rattleback::solve
