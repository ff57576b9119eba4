// What a formula can be: a number, a vector or a matrix of formulas.
#pragma once

#include "expr/graph.hpp"

namespace rattleback {

struct Tensor {
    std::vector<Expr> e;    // row-major
    int rows = 0, cols = 0; // 0, 0: a scalar; n, 0: a vector

    Tensor() = default; // no value yet
    Tensor(Expr scalar) : e{std::move(scalar)} {}
    Tensor(std::vector<Expr> entries, int r, int c) : e(std::move(entries)), rows(r), cols(c) {}

    bool is_scalar() const { return rows == 0; }
    bool is_vector() const { return rows > 0 && cols == 0; }
    bool is_matrix() const { return cols > 0; }
    const Expr& scalar() const { return e[0]; }
    const Expr& at(int i, int j) const { return e[static_cast<std::size_t>(i * cols + j)]; }
    std::string shape() const; // "a number", "a vector of 3", "a 2 x 3 matrix"
};

// Operations throw ExprError with a message about the shapes.
Tensor add(const Tensor& x, const Tensor& y);
Tensor subtract(const Tensor& x, const Tensor& y);
Tensor multiply(const Tensor& x, const Tensor& y);
Tensor divide(const Tensor& x, const Tensor& y);
Tensor negate(const Tensor& x);

// Calls a function by its name in formulas: a row of functions.def, a function of tensors (dot, cross, norm, transpose,
// rotx, solve, ...), or one that is defined by others (sinc, cosc, ...). Nothing if there is no such function.
std::optional<Tensor> call_named(Graph& graph, std::string_view name, std::span<const Tensor> arguments);
std::vector<std::string> function_names(); // all that a formula may call

} // namespace rattleback
