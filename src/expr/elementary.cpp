// sin, cos, exp, log and stumpff of double: one sequence of operations, compiled twice. With fused multiply-add as an
// instruction where the CPU has it, and as a call of the C library, which rounds the same, where it has not.
#include "expr/elementary.hpp"

#include "expr/real_functions.hpp"

#include "expr/fused.hpp"

namespace rattleback::real {
namespace {

// The rows of functions.def that are computed in range by elementary.hpp.
#define RATTLEBACK_FUNCTION(id, arity, name, value, derivatives, latex, domain, lowering, c_name)                      \
    RATTLEBACK_LOWERED_##lowering
#define RATTLEBACK_LOWERED_lines(...)
#define RATTLEBACK_LOWERED_library
#define RATTLEBACK_LOWERED_own

#define RATTLEBACK_LOWERED_in_range(name)                                                                              \
    RATTLEBACK_FUSED double fused_##name(double x) { return elementary::name(x); }                                     \
    double plain_##name(double x) { return elementary::name(x); }
#include <rattleback/functions.def>
#undef RATTLEBACK_LOWERED_in_range

RATTLEBACK_FUSED double fused_stumpff(int order, double u) { return elementary::stumpff(order, u); }
double plain_stumpff(int order, double u) { return elementary::stumpff(order, u); }

} // namespace

bool has_stumpff_series(double order, double u) {
    return order >= 0 && order <= elementary::most_stumpff && order == std::floor(order) && elementary::stumpff_near(u);
}
double stumpff_series(double order, double u) {
    const int k = static_cast<int>(order);
    return has_fused ? fused_stumpff(k, u) : plain_stumpff(k, u);
}

#define RATTLEBACK_LOWERED_in_range(name)                                                                              \
    double name(double x) {                                                                                            \
        if (!elementary::name##_near(x)) return std::name(x);                                                          \
        return has_fused ? fused_##name(x) : plain_##name(x);                                                          \
    }
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION

} // namespace rattleback::real
