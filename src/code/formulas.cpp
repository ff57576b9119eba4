#include "code/formulas.hpp"

#include <algorithm>
#include <stdexcept>

#include "expr/elementary.hpp"
#include "expr/graph.hpp"
#include "solve/round_off.hpp"

namespace rattleback::code {

std::vector<bool> wanted_slots(const CompiledSystem& system) {
    const Program& program = system.program;
    std::vector<bool> wanted(program.slots, false);
    for (const Section& s : program.sections)
        for (const Group& g : s.groups)
            for (std::uint32_t i = 0; i < g.count * static_cast<std::uint32_t>(arity(g.op)); ++i)
                if (const Slot o = program.operands[g.operands + i]; o < s.first || o - s.first >= s.nodes.size())
                    wanted[o] = true;
    const auto want = [&](const std::vector<Slot>& slots) {
        for (Slot s : slots) wanted[s] = true;
    };
    want(system.results), want(system.ends.values);
    for (const auto& m : system.ends.moved) wanted[m.next] = true;
    for (const Block& b : system.blocks) {
        want(b.changes), want(b.guess), want(b.residuals);
        for (const BlockEntry& e : b.entries) wanted[e.slot] = true;
    }
    return wanted;
}

Formulas::Formulas(const CompiledSystem& system, Listing& listing, const Variable<Mask>& trouble)
    : program_(system.program), listing_(listing), trouble_(trouble), what_(program_.slots),
      lines_(program_.slots, none), wanted_(wanted_slots(system)) {
    for (const auto& [slot, value] : program_.constants) {
        give(slot, number(listing, static_cast<double>(value)));
        if (!(value >= 0 && value <= elementary::most_stumpff)) continue;
        const auto order = static_cast<int>(value);
        if (static_cast<quad>(order) == value) order_[slot] = order;
    }
    for (const Section& s : program_.sections)
        for (const Group& g : s.groups)
            for (std::uint32_t i = 0; i < g.count; ++i) what_[g.target + i] = {g.op, g.operands + i, g.count};
}

void Formulas::write(std::size_t section) {
    const Section& s = program_.sections[section];
    branches_ = find_branches(program_, s, wanted_), branch_of_.clear();
    for (const Branch& b : branches_)
        for (Slot choice : b.choices) branch_of_[choice] = &b;
    for (Slot slot = s.first; slot < s.first + s.nodes.size(); ++slot)
        if (wanted_[slot]) write_slot(slot);
}

void Formulas::forget(std::size_t section) {
    const Section& s = program_.sections[section];
    std::fill_n(lines_.begin() + s.first, s.nodes.size(), none);
}

std::vector<Slot> Formulas::used_after(std::size_t section, std::size_t from) const {
    const Section& s = program_.sections[section];
    std::vector<bool> used(s.nodes.size(), false);
    for (std::size_t later = from; later < program_.sections.size(); ++later)
        for (const Group& g : program_.sections[later].groups)
            for (std::uint32_t i = 0; i < g.count * static_cast<std::uint32_t>(arity(g.op)); ++i)
                if (const Slot o = program_.operands[g.operands + i]; o >= s.first && o - s.first < s.nodes.size())
                    used[o - s.first] = true;
    std::vector<Slot> slots;
    for (Slot i = 0; i < used.size(); ++i)
        if (used[i]) slots.push_back(s.first + i);
    return slots;
}

std::vector<Slot> Formulas::operands(const std::vector<Slot>& of, std::initializer_list<std::size_t> sections) const {
    std::vector<Slot> found;
    for (Slot slot : of) {
        if (what_[slot].op == Op::count) continue; // given
        for (int a = solve::first_term(what_[slot].op); a < arity(what_[slot].op); ++a) {
            const Slot o = operand(slot, a);
            const bool inside = std::any_of(sections.begin(), sections.end(), [&](std::size_t i) {
                const Section& s = program_.sections[i];
                return o >= s.first && o - s.first < s.nodes.size();
            });
            if (inside && lines_[o] != none) found.push_back(o);
        }
    }
    return found;
}

// Writes a slot after its operands, depth first: values are used soon after they are made, which keeps register
// pressure and spills low.
void Formulas::write_slot(Slot root) {
    std::vector<Slot> stack{root};
    while (!stack.empty()) {
        const Slot slot = stack.back();
        if (lines_[slot] != none) {
            stack.pop_back();
            continue;
        }
        if (push_missing(slot, stack)) continue;
        stack.pop_back();
        const auto branch = branch_of_.find(slot);
        branch == branch_of_.end() ? write_alone(slot) : write_branch(*branch->second);
    }
}

bool Formulas::push_missing(Slot slot, std::vector<Slot>& stack) const {
    const std::size_t before = stack.size();
    const auto need = [&](Slot s) {
        if (lines_[s] == none) stack.push_back(s);
    };
    if (const auto branch = branch_of_.find(slot); branch != branch_of_.end())
        for (Slot s : branch->second->operands) need(s);
    else
        for (int a = arity(what_[slot].op) - 1; a >= 0; --a) need(operand(slot, a));
    return stack.size() > before;
}

// All choices at once: the second case everywhere, and the first in a branch that is taken if a lane needs it.
void Formulas::write_branch(const Branch& branch) {
    const Mask first = at(branch.condition) != 0.0;
    std::vector<Variable<Number>> values;
    for (Slot c : branch.choices) values.emplace_back(listing_, at(operand(c, 2)));
    listing_.put(Do::begin_if, first.line());
    for (std::size_t i = 0; i < values.size(); ++i) {
        write_slot(operand(branch.choices[i], 1));
        values[i].set(select(first, at(operand(branch.choices[i], 1)), at(operand(branch.choices[i], 2))));
    }
    listing_.put(Do::end_if);
    for (Slot s : branch.inside) lines_[s] = none;
    for (std::size_t i = 0; i < values.size(); ++i) lines_[branch.choices[i]] = values[i].get().line();
}

void Formulas::write_alone(Slot slot) {
    const Op op = what_[slot].op;
    const Number x = at(operand(slot, 0));
    if (op == Op::stumpff)
        if (const auto order = order_.find(operand(slot, 0)); order != order_.end()) {
            lines_[slot] = stumpff(order->second, x, at(operand(slot, 1))).line();
            return;
        }
    lines_[slot] =
        apply(op, x, arity(op) > 1 ? at(operand(slot, 1)) : x, arity(op) > 2 ? at(operand(slot, 2)) : x).line();
}

Number Formulas::apply(Op op, const Number& x, const Number& y, const Number& z) {
    return code::apply(op, x, y, z, [&](const Mask& near) { trouble_.set(trouble_.get() | ~near); });
}

// stumpff of a constant order: its series or, in lanes whose argument is too large for it, a call.
Number Formulas::stumpff(int order, const Number& as_number, const Number& u) {
    const Number series = elementary::stumpff(order, u);
    const Mask near = elementary::stumpff_near(u), far = ~near;
    const Variable<Number> value(listing_, series);
    listing_.put(Do::begin_if, far.line());
    const Number called(listing_,
                        listing_.put(Do::call, static_cast<std::uint32_t>(Op::stumpff), as_number.line(), u.line()));
    value.set(select(near, series, called));
    listing_.put(Do::end_if);
    return value.get();
}

namespace {
template <int arguments> Number called(Op op, const Number& x, const Number& y) {
    static_assert(arguments <= 2, "lines call functions of one or two arguments");
    return {x.listing(),
            x.listing().put(Do::call, static_cast<std::uint32_t>(op), x.line(), arguments > 1 ? y.line() : none)};
}
} // namespace

// NOTE: no default, so that the compiler names an operation without lines.
Number apply(Op op, const Number& x, const Number& y, const Number& z, const std::function<void(const Mask&)>& demand) {
    const auto guarded = [&](const Number& value, const Mask& near) {
        demand(near);
        return value;
    };
    switch (op) {
#define RATTLEBACK_FUNCTION(id, arity, name, value, derivatives, latex, domain, lowering, c_name)                      \
    case Op::id: {                                                                                                     \
        [[maybe_unused]] constexpr int arguments = arity;                                                              \
        return RATTLEBACK_LOWERED_##lowering;                                                                          \
    }
#define RATTLEBACK_LOWERED_lines(...) __VA_ARGS__
#define RATTLEBACK_LOWERED_in_range(f) guarded(elementary::f(x), elementary::f##_near(x))
#define RATTLEBACK_LOWERED_library called<arguments>(op, x, y)
#define RATTLEBACK_LOWERED_own called<arguments>(op, x, y)
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION
    case Op::fma: return fused(x, y, z);
    case Op::fms: return fused(x, y, -z);
    case Op::fnma: return fused(-x, y, z);
    case Op::constant:
    case Op::symbol:
    case Op::index:
    case Op::element:
    case Op::sum:
    case Op::solve:
    case Op::count: break;
    }
    throw std::logic_error("a program holds an operation that it cannot compute");
}

} // namespace rattleback::code
