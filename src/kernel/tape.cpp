// The interpreter of programs: one dispatch and one loop per group.
#include "kernel/program.hpp"

#include <cmath>

#include "expr/fused.hpp"

namespace rattleback {
namespace {

// NOTE: no instruction of a group uses a result of the same group, so iterations are independent; __restrict says so to
// the compiler, which can then vectorise without a check for overlap.
#define RATTLEBACK_FUNCTION(id, arity, name, expression, ...)                                                          \
    template <class T>                                                                                                 \
    void run_##id(std::uint32_t n, T* __restrict out, const T* slots, const Slot* __restrict args) {                   \
        for (std::uint32_t i = 0; i < n; ++i) {                                                                        \
            [[maybe_unused]] const T x = slots[args[i]], y = arity > 1 ? slots[args[(arity > 1 ? n : 0) + i]] : T(0),  \
                                     z = arity > 2 ? slots[args[(arity > 2 ? 2 * n : 0) + i]] : T(0);                  \
            out[i] = expression;                                                                                       \
        }                                                                                                              \
    }
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION

// Fused multiply-adds. In double they are rounded once, as in machine code, which must give the same bits; long double
// and quad have no machine code, and round product and sum.
struct Operands {
    std::uint32_t count;
    const Slot* at;
};

[[gnu::always_inline]] inline void fuse(Operands args, double* __restrict out, const double* slots, double product,
                                        double rest) {
    const auto [n, at] = args;
    for (std::uint32_t i = 0; i < n; ++i)
        out[i] = std::fma(product * slots[at[i]], slots[at[n + i]], rest * slots[at[2 * n + i]]);
}
RATTLEBACK_FUSED void fuse_fast(Operands args, double* out, const double* slots, double product, double rest) {
    fuse(args, out, slots, product, rest);
}
void run_fused(Operands args, double* out, const double* slots, double product, double rest) {
    has_fused ? fuse_fast(args, out, slots, product, rest) : fuse(args, out, slots, product, rest);
}
template <class T> void run_fused(Operands args, T* out, const T* slots, double product, double rest) {
    const auto [n, at] = args;
    for (std::uint32_t i = 0; i < n; ++i)
        out[i] = T(product) * slots[at[i]] * slots[at[n + i]] + T(rest) * slots[at[2 * n + i]];
}

} // namespace

template <class T> void execute(const Program& program, const Section& section, T* slots) {
    const Slot* operands = program.operands.data();
    for (const Group& g : section.groups) {
        switch (g.op) {
#define RATTLEBACK_FUNCTION(id, ...)                                                                                   \
    case Op::id:                                                                                                       \
        run_##id(g.count, slots + g.target, slots, operands + g.operands);                                             \
        break;
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION
        case Op::fma: run_fused({g.count, operands + g.operands}, slots + g.target, slots, 1, 1); break;
        case Op::fms: run_fused({g.count, operands + g.operands}, slots + g.target, slots, 1, -1); break;
        case Op::fnma: run_fused({g.count, operands + g.operands}, slots + g.target, slots, -1, 1); break;
        default: break;
        }
    }
}

#define RATTLEBACK_INSTANTIATE(T) template void execute(const Program&, const Section&, T*);
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
