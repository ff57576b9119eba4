#include "expr/tensor.hpp"
#include "expr/graph.hpp"

#include <algorithm>
#include <array>

namespace rattleback {

std::string Tensor::shape() const {
    if (is_scalar()) return "a number";
    if (is_vector()) return "a vector of " + std::to_string(rows);
    return "a " + std::to_string(rows) + " x " + std::to_string(cols) + " matrix";
}

namespace {

template <class F> Tensor elementwise(const Tensor& x, const Tensor& y, const char* verb, F&& f) {
    if (x.rows != y.rows || x.cols != y.cols)
        throw ExprError("cannot " + std::string(verb) + " " + x.shape() + " and " + y.shape());
    Tensor r = x;
    for (std::size_t i = 0; i < r.e.size(); ++i) r.e[i] = f(x.e[i], y.e[i]);
    return r;
}

template <class F> Tensor each(Tensor x, F&& f) {
    for (Expr& e : x.e) e = f(e);
    return x;
}

} // namespace

Tensor add(const Tensor& x, const Tensor& y) {
    return elementwise(x, y, "add", [](const Expr& a, const Expr& b) { return a + b; });
}
Tensor subtract(const Tensor& x, const Tensor& y) {
    return elementwise(x, y, "subtract", [](const Expr& a, const Expr& b) { return a - b; });
}
Tensor negate(const Tensor& x) {
    return each(x, [](const Expr& e) { return -e; });
}

Tensor multiply(const Tensor& x, const Tensor& y) {
    if (x.is_scalar()) return each(y, [&](const Expr& e) { return x.scalar() * e; });
    if (y.is_scalar()) return each(x, [&](const Expr& e) { return e * y.scalar(); });
    if (x.is_vector()) {
        if (y.is_vector()) throw ExprError("cannot multiply two vectors: write dot(a, b) or cross(a, b)");
        throw ExprError("cannot multiply a vector by a matrix from the right: write transpose(A)*a");
    }
    if (x.cols != y.rows) throw ExprError("cannot multiply " + x.shape() + " and " + y.shape());
    const int columns = y.is_vector() ? 1 : y.cols;
    Tensor r({}, x.rows, y.cols);
    for (int i = 0; i < x.rows; ++i)
        for (int j = 0; j < columns; ++j) {
            Expr sum = 0;
            for (int k = 0; k < x.cols; ++k) sum = sum + x.at(i, k) * y.e[static_cast<std::size_t>(k * columns + j)];
            r.e.push_back(sum);
        }
    return r;
}

Tensor divide(const Tensor& x, const Tensor& y) {
    if (!y.is_scalar()) throw ExprError("cannot divide by " + y.shape());
    return each(x, [&](const Expr& e) { return e / y.scalar(); });
}

namespace {

using Arguments = std::span<const Tensor>;

Expr dot(const Tensor& x, const Tensor& y) {
    if (!x.is_vector() || !y.is_vector() || x.rows != y.rows)
        throw ExprError("dot needs two vectors of the same length, not " + x.shape() + " and " + y.shape());
    Expr sum = 0;
    for (std::size_t i = 0; i < x.e.size(); ++i) sum = sum + x.e[i] * y.e[i];
    return sum;
}

Tensor norm(const Tensor& x) {
    if (!x.is_vector()) throw ExprError("norm needs a vector, not " + x.shape());
    return fn::sqrt(dot(x, x));
}

Tensor cross(const Tensor& x, const Tensor& y) {
    if (x.rows != y.rows || x.cols || y.cols || (x.rows != 3 && x.rows != 2))
        throw ExprError("cross needs two vectors of 3 (or of 2, for the number x1*y2 - x2*y1), not " + x.shape() +
                        " and " + y.shape());
    if (x.rows == 2) return x.e[0] * y.e[1] - x.e[1] * y.e[0];
    return {{x.e[1] * y.e[2] - x.e[2] * y.e[1], x.e[2] * y.e[0] - x.e[0] * y.e[2], x.e[0] * y.e[1] - x.e[1] * y.e[0]},
            3,
            0};
}

Tensor transpose(const Tensor& x) {
    if (!x.is_matrix()) throw ExprError("transpose needs a matrix, not " + x.shape());
    Tensor r({}, x.cols, x.rows);
    for (int j = 0; j < x.cols; ++j)
        for (int i = 0; i < x.rows; ++i) r.e.push_back(x.at(i, j));
    return r;
}

// Rotation about axis 0, 1 or 2, right-handed.
Tensor rotation(int axis, const Tensor& angle) {
    if (!angle.is_scalar()) throw ExprError("a rotation needs an angle, not " + angle.shape());
    const Expr c = fn::cos(angle.scalar()), s = fn::sin(angle.scalar());
    Tensor r(std::vector<Expr>(9, Expr(0)), 3, 3);
    const int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const auto at = [&](int row, int col) -> Expr& { return r.e[static_cast<std::size_t>(3 * row + col)]; };
    at(axis, axis) = 1, at(i, i) = c, at(j, j) = c, at(i, j) = -s, at(j, i) = s;
    return r;
}

Expr scalar(const Tensor& x, std::string_view name) {
    if (!x.is_scalar()) throw ExprError(std::string(name) + " needs a number, not " + x.shape());
    return x.scalar();
}

struct Named {
    std::string_view name;
    int arity;
    Tensor (*call)(Graph&, Arguments);
};

const std::array table = {
    Named{"dot", 2, [](Graph&, Arguments a) -> Tensor { return dot(a[0], a[1]); }},
    Named{"cross", 2, [](Graph&, Arguments a) { return cross(a[0], a[1]); }},
    Named{"norm", 1, [](Graph&, Arguments a) { return norm(a[0]); }},
    Named{"transpose", 1, [](Graph&, Arguments a) { return transpose(a[0]); }},
    Named{"rotx", 1, [](Graph&, Arguments a) { return rotation(0, a[0]); }},
    Named{"roty", 1, [](Graph&, Arguments a) { return rotation(1, a[0]); }},
    Named{"rotz", 1, [](Graph&, Arguments a) { return rotation(2, a[0]); }},
    Named{"solve", 2,
          [](Graph& g, Arguments a) -> Tensor {
              if (!a[0].is_matrix() || a[0].rows != a[0].cols || !a[1].is_vector() || a[1].rows != a[0].rows)
                  throw ExprError("solve(A, b) needs a square matrix and a vector of its size, not " + a[0].shape() +
                                  " and " + a[1].shape());
              return {g.solve(a[0].e, a[1].e), a[1].rows, 0};
          }},
    // Smooth at 0: sin(x)/x, (1 - cos x)/x^2, (x - sin x)/x^3, sinh(x)/x, and cos(sqrt(u)) for any sign of u.
    Named{"sinc", 1, [](Graph&, Arguments a) -> Tensor { return fn::stumpff(1, pow(scalar(a[0], "sinc"), 2)); }},
    Named{"cosc", 1, [](Graph&, Arguments a) -> Tensor { return fn::stumpff(2, pow(scalar(a[0], "cosc"), 2)); }},
    Named{"sinc3", 1, [](Graph&, Arguments a) -> Tensor { return fn::stumpff(3, pow(scalar(a[0], "sinc3"), 2)); }},
    Named{"sinhc", 1, [](Graph&, Arguments a) -> Tensor { return fn::stumpff(1, -pow(scalar(a[0], "sinhc"), 2)); }},
    Named{"cosroot", 1, [](Graph&, Arguments a) -> Tensor { return fn::stumpff(0, scalar(a[0], "cosroot")); }},
};

void require_count(std::string_view name, std::size_t given, int wanted) {
    if (static_cast<int>(given) != wanted)
        throw ExprError(std::string(name) + " takes " + std::to_string(wanted) +
                        (wanted == 1 ? " argument" : " arguments") + ", " + std::to_string(given) +
                        (given == 1 ? " is given" : " are given"));
}

} // namespace

std::optional<Tensor> call_named(Graph& graph, std::string_view name, Arguments arguments) {
    for (const Named& n : table)
        if (n.name == name) {
            require_count(name, arguments.size(), n.arity);
            return n.call(graph, arguments);
        }
    const Function* f = find_function(name);
    if (!f) return {};
    std::vector<Expr> numbers;
    for (const Tensor& t : arguments) numbers.push_back(scalar(t, name));
    const bool many = f->op == Op::min || f->op == Op::max;
    if (!many || numbers.size() < 2) require_count(name, numbers.size(), f->arity);
    while (many && numbers.size() > 2) {
        const Expr last = numbers.back();
        numbers.pop_back();
        numbers.back() = call(f->op, std::array{numbers.back(), last});
    }
    return Tensor(call(f->op, numbers));
}

std::vector<std::string> function_names() {
    std::vector<std::string> names{"sum"};
    for (const Named& n : table) names.emplace_back(n.name);
    for (const Function& f : functions())
        if (!f.name.empty()) names.emplace_back(f.name);
    std::sort(names.begin(), names.end());
    return names;
}

} // namespace rattleback
