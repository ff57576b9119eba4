// Translates the sections of a program into lines of a listing.
#pragma once

#include "solve/system.hpp"

#include <functional>
#include <unordered_map>
#include <vector>

#include "code/branches.hpp"
#include "code/listing.hpp"

namespace rattleback::code {

// Appends the lines of one operation, as its row of functions.def says; y and z are ignored where it has fewer
// arguments. If the lines are valid for some arguments only, calls demand(mask of the lanes in which they are).
Number apply(Op op, const Number& x, const Number& y, const Number& z, const std::function<void(const Mask&)>& demand);

// By slot: is it needed outside its section, by another one or by SystemSolver (a result, a residual, a matrix entry)?
std::vector<bool> wanted_slots(const CompiledSystem& system);

class Formulas {
  public:
    Formulas(const CompiledSystem& system, Listing& listing, const Variable<Mask>& trouble);

    void give(Slot slot, const Number& value) { lines_[slot] = value.line(); }
    Number at(Slot slot) const { return {listing_, lines_[slot]}; }
    // Writes the slots of a section that are needed outside it, and what they depend on. Lanes in which an elementary
    // function is outside its range are added to `trouble`.
    void write(std::size_t section);
    void forget(std::size_t section); // its lines are not valid any more: the loop that contains them has ended

    // Slots of a section that are operands in the section `from` or later ones.
    std::vector<Slot> used_after(std::size_t section, std::size_t from) const;

    // The direct operands of these slots that were written and are computed in one of the sections; of a sum alone,
    // and of a fused product and sum what is added.
    std::vector<Slot> operands(const std::vector<Slot>& of, std::initializer_list<std::size_t> sections) const;

  private:
    struct Instruction {
        Op op = Op::count;
        std::uint32_t first = 0, stride = 0; // into Program::operands: of the first operand, and from one to the next
    };
    Slot operand(Slot slot, int a) const {
        return program_.operands[what_[slot].first + static_cast<std::uint32_t>(a) * what_[slot].stride];
    }
    void write_slot(Slot root);
    void write_alone(Slot slot);
    void write_branch(const Branch& branch);
    bool push_missing(Slot slot, std::vector<Slot>& stack) const; // operands; false: there are none
    Number apply(Op op, const Number& x, const Number& y, const Number& z);
    Number stumpff(int order, const Number& as_number, const Number& u);

    const Program& program_;
    Listing& listing_;
    Variable<Mask> trouble_;
    std::vector<Instruction> what_;                     // by slot
    std::vector<std::uint32_t> lines_;                  // by slot: its line; none: not written
    std::vector<bool> wanted_;                          // see wanted_slots
    std::vector<Branch> branches_;                      // of the section that is written
    std::unordered_map<Slot, const Branch*> branch_of_; // choices
    std::unordered_map<Slot, int> order_;               // constants that are small whole numbers: orders of stumpff
};

} // namespace rattleback::code
