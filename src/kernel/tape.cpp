// The interpreter: one loop per group.
#include <rattleback/kernel.hpp>

namespace rattleback {
namespace {

// NOTE: results of a group never feed the same group, so the loops have no dependence; __restrict lets the compiler
// know without a check.
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
        default: break;
        }
    }
}

template void execute(const Program&, const Section&, double*);
template void execute(const Program&, const Section&, long double*);
template void execute(const Program&, const Section&, quad*);

} // namespace rattleback
