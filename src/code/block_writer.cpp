#include "code/block_writer.hpp"

#include "solve/newton_rules.hpp"

namespace rattleback::code {
namespace {

// Longer iterations are left to the tape. Fewer than the stalled iterations after which SystemSolver gives up, so that
// these need not be counted here.
constexpr double most_iterations = 9;

std::vector<Number> negative(std::vector<Number> x) {
    for (Number& v : x) v = -v;
    return x;
}

Number larger(const Number& x, const Number& y) { return select(x < y, y, x); }

} // namespace

// For each kind of unknowns the largest value and the largest increment, and the largest ratio of the two: Newton's
// norm, as in SystemSolver.
struct BlockWriter::Sizes {
    std::vector<Number> scale, largest;
    Number norm;
};

void BlockWriter::write(const Mask& active, const Variable<Number>& iterations) {
    for (std::size_t b = 0; b < system_.blocks.size(); ++b) {
        const Block& block = system_.blocks[b];
        formulas_.write(block.before);
        block.linear ? linear(block, matrices_[b]) : newton(block, matrices_[b], active, iterations);
    }
}

// With one lane, leaves the steps as soon as there is trouble. Several lanes go on together until all are done.
void BlockWriter::stop_if_alone() {
    if (!stops_) return;
    left_.set(trouble_.get());
    listing_.put(Do::stop_if, left_.get().line());
}

// Assigns new values in the lanes of a mask. First to all lanes; the old values are put back in a branch that is
// rarely taken, so that the common case needs no selects.
void BlockWriter::renew(const std::vector<Variable<Number>>& variables, const std::vector<Number>& values,
                        const Mask& lanes) {
    std::vector<Number> before;
    if (lanes_ > 1)
        for (const auto& v : variables) before.push_back(v.get());
    for (std::size_t i = 0; i < values.size(); ++i) variables[i].set(values[i]);
    if (lanes_ == 1) return;
    listing_.put(Do::begin_if, (~lanes).line());
    for (std::size_t i = 0; i < values.size(); ++i) variables[i].set(select(lanes, values[i], before[i]));
    listing_.put(Do::end_if);
}

// Are all values finite? 0 * sum is NaN if one is NaN or infinite, and for a sum that overflows: then the tape
// decides. The sum is a tree: a chain of additions would be bound by their latency.
Mask BlockWriter::finite(std::vector<Number> values) {
    if (values.empty()) return ~nowhere(listing_);
    for (std::size_t n = values.size(); n > 1; n = (n + 1) / 2)
        for (std::size_t i = 0; i < n / 2; ++i) values[i] = values[i] + values[n - 1 - i];
    const Number zero = 0.0 * values[0];
    return zero == zero;
}

std::vector<Number> BlockWriter::residuals(const Block& block) {
    std::vector<Number> r;
    for (Slot s : block.residuals) r.push_back(formulas_.at(s));
    return r;
}
std::vector<Number> BlockWriter::entries(const Block& block) {
    std::vector<Number> values;
    for (const BlockEntry& e : block.entries) values.push_back(formulas_.at(e.slot));
    return values;
}

void BlockWriter::linear(const Block& block, BlockSolver& solver) {
    for (Slot u : block.unknowns) formulas_.give(u, constant(0));
    formulas_.write(block.residual);
    const std::vector<Number> r = residuals(block);
    demand_finite(r);
    formulas_.write(block.jacobian);
    renew(solver.variables(), solver.prepare(entries(block), ~nowhere(listing_), trouble_), ~nowhere(listing_));
    const std::vector<Number> x = solver.solve(negative(r), trouble_);
    demand_finite(x);
    for (std::size_t i = 0; i < x.size(); ++i) formulas_.give(block.unknowns[i], x[i]);
    formulas_.forget(block.residual), formulas_.forget(block.jacobian);
}

void BlockWriter::newton(const Block& block, BlockSolver& solver, const Mask& active,
                         const Variable<Number>& iterations) {
    std::vector<Variable<Number>> unknowns;
    for (Slot s : block.guess) unknowns.emplace_back(listing_, formulas_.at(s));
    const Variable<Mask> running(listing_, active & ~trouble_.get()), refresh(listing_, ~nowhere(listing_));
    const Variable<Number> last(listing_, constant(Real<double>::nan)), round(listing_, constant(0));
    const std::vector<Slot> kept = formulas_.used_after(block.residual, block.follow);
    std::vector<Variable<Number>> followed; // as the last round of each lane left it
    for (std::size_t i = 0; i < kept.size(); ++i) followed.emplace_back(listing_, constant(0));
    listing_.put(Do::begin_loop);
    for (std::size_t i = 0; i < unknowns.size(); ++i) formulas_.give(block.unknowns[i], unknowns[i].get());
    formulas_.write(block.residual);
    const std::vector<Number> r = residuals(block);
    demand_finite(r);
    stop_if_alone();
    running.set(running.get() & ~trouble_.get());
    const Mask here = within(running.get(), refresh.get());
    listing_.put(Do::begin_if, here.line());
    formulas_.write(block.jacobian);
    const std::vector<Number> prepared = solver.prepare(entries(block), here, trouble_);
    renew(solver.variables(), prepared, here | ~running.get()); // lanes that are done need theirs no more
    stop_if_alone();
    listing_.put(Do::end_if);
    running.set(running.get() & ~trouble_.get());
    const Mask now = running.get();
    std::vector<Number> seen, next;
    for (Slot s : kept) seen.push_back(formulas_.at(s));
    const std::vector<Number> du = solver.solve(negative(r), trouble_);
    for (std::size_t i = 0; i < du.size(); ++i) next.push_back(unknowns[i].get() + du[i]);
    renew(followed, seen, now), renew(unknowns, next, now);
    iterations.set(iterations.get() + (lanes_ > 1 ? as_number(now) : constant(1)));
    round.set(round.get() + 1.0);
    const Sizes sizes = sizes_of(block, next, du);
    const Number d = sizes.norm; // NaN if an increment is not finite
    const auto judged = solve::judge<double>(block.patience, d, last.get());
    const Mask stagnates = within(now, judged.stagnates);
    const Variable<Mask> converged(listing_, judged.converged);
    trouble_.set(trouble_.get() | within(now, (d != d) | without(round.get() >= most_iterations, judged.converged)));
    listing_.put(Do::begin_if, stagnates.line()); // rarely
    look_for_noise(block, sizes, r, stagnates, converged);
    listing_.put(Do::end_if);
    refresh.set(~judged.keeps_matrix);
    last.set(d);
    stop_if_alone();
    running.set(within(now, ~converged.get()) & ~trouble_.get());
    listing_.put(Do::leave_unless, running.get().line());
    listing_.put(Do::end_loop);
    formulas_.forget(block.residual), formulas_.forget(block.jacobian);
    for (std::size_t i = 0; i < unknowns.size(); ++i) formulas_.give(block.unknowns[i], unknowns[i].get());
    for (std::size_t i = 0; i < kept.size(); ++i) formulas_.give(kept[i], followed[i].get());
    formulas_.write(block.follow);
    for (Slot s : block.changes)
        trouble_.set(trouble_.get() | ~(magnitude(formulas_.at(s)) <= solve::most_followed<double>()));
}

Number BlockWriter::largest_of(const std::vector<Number>& values) {
    Number most = constant(0);
    for (const Number& x : values) most = select(~(x <= most), x, most); // also takes NaN
    return most;
}

BlockWriter::Sizes BlockWriter::sizes_of(const Block& block, const std::vector<Number>& unknowns,
                                         const std::vector<Number>& du) {
    Sizes s;
    s.norm = solve::relative_increment(
        block, constant(0), s.scale, s.largest, [&](std::size_t i) { return unknowns[i]; },
        [&](std::size_t i) { return du[i]; }, [&](Slot slot) { return formulas_.at(slot); });
    return s;
}

// SystemSolver::residual_is_noise, for the lanes of `where`: if it is, they have converged. The direct operands of
// the residuals may be too small to decide; the tape then looks at more values.
void BlockWriter::look_for_noise(const Block& block, const Sizes& sizes, const std::vector<Number>& residuals,
                                 const Mask& where, const Variable<Mask>& converged) {
    Number left = constant(0), whole = left;
    for (const Number& r : residuals) left = larger(left, magnitude(r));
    for (const Slot s : formulas_.operands(block.residuals, {block.before, block.residual}))
        whole = larger(whole, magnitude(formulas_.at(s)));
    const Mask small = solve::is_small_beside<double>(largest_of(sizes.largest), largest_of(sizes.scale)) & where,
               enough = solve::is_round_off<double>(left, whole);
    if (!block.units.empty()) { // the tape looks at each equation
        trouble_.set(trouble_.get() | small);
        return;
    }
    converged.set(converged.get() | (small & enough));
    trouble_.set(trouble_.get() | without(small, enough));
}

} // namespace rattleback::code
