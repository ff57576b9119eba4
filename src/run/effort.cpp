#include "run/effort.hpp"

#include <cmath>

#include "code/block_solver.hpp"
#include "code/step.hpp"
#include "run/step_code.hpp"
#include "solve/kronecker.hpp"
#include "solve/pairs.hpp"

namespace rattleback {
namespace {

constexpr double division = 5, function = 15; // in additions
constexpr double overhead = 60;               // of one step: what is loaded, stored and watched
constexpr double lanes = 8;                   // of a vector
// What does not fit into one function runs section by section, with the linear algebra of the library; what is too
// large for machine code, on the tape. Measured on the double pendulum and on chains: 4 and 15 times as long.
constexpr double in_sections = 4, on_tape = 15;

double weight(Op op) {
    switch (op) {
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::neg:
    case Op::fma:
    case Op::fms:
    case Op::fnma: return 1;
    case Op::div:
    case Op::sqrt: return division;
    case Op::power:
    case Op::sin:
    case Op::cos:
    case Op::exp:
    case Op::log: return function;
    default: return arity(op) > 1 ? 1 : division; // comparisons and choices; what remains is rare
    }
}

double operations(const Section& section) {
    double sum = 0;
    for (const Group& g : section.groups) sum += weight(g.op) * g.count;
    return sum;
}
double operations(const Program& program) {
    double sum = 0;
    for (const Section& s : program.sections) sum += operations(s);
    return sum;
}

// Of the matrix of a block: factors and solution.
double elimination(const Block& block) {
    if (block.ordered) return static_cast<double>(code::BlockSolver::elimination(block).operations());
    const auto n = static_cast<double>(block.unknowns.size()), entries = static_cast<double>(block.entries.size());
    const double row = n > 0 ? entries / n : 0; // with a fill-in as if the matrix had a band of as many entries
    return n * row * row / 3 + 2 * entries;
}

} // namespace

Effort::Effort(const CompiledMethod& method)
    : Effort(method.parts().stages ? Effort(*method.parts().stages) : Effort(*method.parts().step.compiled)) {
    once_ *= static_cast<double>(method.method().substeps.size());
}

Effort::Effort(const CompiledSystem& system) {
    const bool whole = code::can_write(system, StepCode::whole);
    double all = operations(system.program), blocks = 0;
    for (const Block& b : system.blocks) {
        if (b.linear) {
            all += elimination(b);
            continue;
        }
        const auto section = [&](std::size_t i) { return i ? operations(system.program.sections[i]) : 0; };
        const double loop = section(b.residual) + section(b.jacobian);
        all -= loop;
        iterated_ += loop + elimination(b), ++blocks;
    }
    const double slower = whole ? 1 : in_sections;
    once_ = slower * all + overhead;
    iterated_ *= blocks > 0 ? slower / blocks : 0; // iterations are counted for each block
}

Effort::Effort(const CompiledStages& stages) {
    const bool coded = code::can_write(stages, StepCode::whole_stages);
    const auto s = static_cast<double>(stages.weights.stages()), n = static_cast<double>(stages.n);
    const double vectors = coded ? std::ceil(s / lanes) : s;
    const auto linear = [](const CompiledSystem& system) {
        double sum = operations(system.program);
        for (const Block& b : system.blocks) sum += (b.linear ? 1 : 4) * elimination(b);
        return sum;
    };
    const double slower = coded ? 1 : on_tape;
    if (const CompiledPairs* const pairs = stages.pairs.get()) {
        const auto m = static_cast<double>(pairs->m);
        const double sums = s * (1.5 * n + m), at_stage = linear(*pairs->forces) + linear(*pairs->velocities);
        iterated_ = slower * vectors * (at_stage + sums + (m > 0 ? linear(*pairs->constraints) : 0));
        once_ = slower * (vectors * s * static_cast<double>(pairs->rows()) + (m > 0 ? linear(*pairs->end) : 0));
        return;
    }
    const double sums = s * n, rate = linear(*stages.rate), ends = stages.ends ? linear(*stages.ends) : 0,
                 arrival = stages.arrival ? linear(*stages.arrival) : 0;
    iterated_ = slower * vectors * (rate + sums);
    once_ = slower * (2 * vectors * sums + ends + arrival) + overhead;
    if (stages.moves) iterated_ += slower * ends / 2; // in each of the last iterations
    if (!stages.kronecker) return;
    const solve::ShiftedElimination& factors = stages.kronecker->elimination;
    iterated_ += slower * vectors * (static_cast<double>(factors.operations_to_solve()) + 3 * sums);
    once_ += slower * (linear(*stages.kronecker->slopes) + vectors * static_cast<double>(factors.operations()));
}

} // namespace rattleback
