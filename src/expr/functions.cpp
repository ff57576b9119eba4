#include "expr/graph.hpp"

#include <array>

namespace rattleback {
namespace {

// Derivative of one row with respect to argument `which`; only that column is built.
#define RATTLEBACK_PICK_1(a) (Expr(a))
#define RATTLEBACK_PICK_2(a, b) (which == 0 ? Expr(a) : Expr(b))
#define RATTLEBACK_PICK_3(a, b, c) (which == 0 ? Expr(a) : which == 1 ? Expr(b) : Expr(c))
#define RATTLEBACK_FUNCTION(id, arity, name, value, derivatives, ...)                                                  \
    Expr derivative_of_##id(std::span<const Expr> args, [[maybe_unused]] const Expr& f, [[maybe_unused]] int which) {  \
        [[maybe_unused]] const Expr x = args[0], y = arity > 1 ? args[1] : Expr(0), z = arity > 2 ? args[2] : Expr(0); \
        return RATTLEBACK_PICK_##arity derivatives;                                                                    \
    }
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION

constexpr std::size_t first = static_cast<std::size_t>(Op::add);

const std::array table = {
#define RATTLEBACK_FUNCTION(id, arity, name, value, derivatives, latex, domain, lowering, c_name)                      \
    Function{Op::id, name, arity, latex, domain, c_name, derivative_of_##id},
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION
};

} // namespace

const Function& function(Op op) { return table[static_cast<std::size_t>(op) - first]; }

const Function* find_function(std::string_view name) {
    for (const Function& f : table)
        if (!f.name.empty() && f.name == name) return &f;
    return nullptr;
}

std::span<const Function> functions() { return table; }

namespace fn {
#define RATTLEBACK_FUNCTION(id, arity, ...) RATTLEBACK_DEFINE_##arity(id)
#define RATTLEBACK_DEFINE_1(id)                                                                                        \
    Expr id(const Expr& x) { return call(Op::id, std::array{x}); }
#define RATTLEBACK_DEFINE_2(id)                                                                                        \
    Expr id(const Expr& x, const Expr& y) { return call(Op::id, std::array{x, y}); }
#define RATTLEBACK_DEFINE_3(id)                                                                                        \
    Expr id(const Expr& x, const Expr& y, const Expr& z) { return call(Op::id, std::array{x, y, z}); }
#include <rattleback/functions.def>

#undef RATTLEBACK_FUNCTION
} // namespace fn

} // namespace rattleback
