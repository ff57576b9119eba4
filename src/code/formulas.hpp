// Programs as lines: every operation of the function table, section by section.
#pragma once

#include <rattleback/kernel.hpp>

#include <functional>
#include <unordered_map>
#include <vector>

#include "code/listing.hpp"

namespace rattleback::code {

// Operations whose lines are calls of the scalar function, the same that the tape calls.
bool is_called(Op op);
// Lines of one operation; y and z where it has them. Where an elementary function has its lines for some arguments
// only, `demand` is told which these are.
Number apply(Op op, const Number& x, const Number& y, const Number& z, const std::function<void(const Mask&)>& demand);

class Formulas {
  public:
    // `kept`: slots that are wanted after their section although no section uses them.
    Formulas(const Program& program, const std::vector<Slot>& kept, Listing& listing, const Variable<Mask>& trouble);

    void give(Slot slot, const Number& value) { lines_[slot] = value.line(); }
    Number at(Slot slot) const { return {listing_, lines_[slot]}; }
    // Writes what later sections need of this one. Arguments outside the range in which an elementary function has its
    // own lines add their lanes to `trouble`.
    void write(std::size_t section);
    void forget(std::size_t section); // its lines are not valid from here on

    // Slots of a section that are operands from another one on.
    std::vector<Slot> used_after(std::size_t section, std::size_t from) const;

    // What these slots are computed from directly, if it has lines and is computed in one of the sections.
    std::vector<Slot> operands(const std::vector<Slot>& of, std::initializer_list<std::size_t> sections) const;

  private:
    struct Instruction {
        Op op = Op::count;
        std::uint32_t first = 0, stride = 0; // where its operands stand in the program
    };
    Slot operand(Slot slot, int a) const {
        return program_.operands[what_[slot].first + static_cast<std::uint32_t>(a) * what_[slot].stride];
    }
    void write_slot(Slot root);
    void write_alone(Slot slot);
    Number apply(Op op, const Number& x, const Number& y, const Number& z);
    Number stumpff(int order, const Number& as_number, const Number& u);

    const Program& program_;
    Listing& listing_;
    Variable<Mask> trouble_;
    std::vector<Instruction> what_;       // by slot
    std::vector<std::uint32_t> lines_;    // by slot; none: not written
    std::vector<bool> wanted_;            // by slot: outside its section
    std::unordered_map<Slot, int> order_; // small whole numbers among the constants
};

} // namespace rattleback::code
