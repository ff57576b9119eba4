// The steps of a run and the nodes they lead to. In machine code many steps are one call, and another one computes what
// is asked of their nodes as rows; on the tape, and where machine code refuses, it goes step by step and node by node.
#pragma once

#include "run/beside.hpp"
#include "run/grid.hpp"
#include "run/input_switch.hpp"
#include "run/node_code.hpp"
#include "run/stepper.hpp"

namespace rattleback {

class Walk {
  public:
    // node: what `reader` shows. Both belong to the caller, as does `beside`, if there is one: what is solved beside
    // it.
    Walk(Stepper<double>& stepper, NodeReader<double>& reader, const ShownNode& node, BesideNode* beside,
         const Grid& grid);

    double time(long long k) const; // of node k
    // Takes up to `most` steps from node k on, which is the one it is at. Returns how many; 0: the step failed, or the
    // node cannot be computed.
    long long advance(long long k, long long most, Report& report);
    bool node_failed() const { return node_failed_; } // that is what failed
    // Puts node i of those that advance() passed, from 0 on, into the reader.
    void show(long long i);
    // One value of all these nodes: as `place` says it, of the rows; empty where advance() went by one step, whose node
    // is in the reader.
    bool in_rows() const { return in_rows_; }
    NodeColumn column(std::size_t place) const { return rows_->column(place); }
    NodeColumn column_beside(std::size_t result) const { return column(first_beside_ + result); }
    NodeRows& rows() { return *rows_; }
    // Machine code of this listing is compiled with that of steps and nodes: see NodePairs.
    void compile_beside(std::shared_ptr<const code::Listing> pairs) { node_.pairs = std::move(pairs); }
    const code::Native* pairs() const { return pairs_.get(); }
    // Newton iterations and solves of the steps after the first `count` of the last advance() are taken back.
    void uncount_after(long long count, Report& report) const;
    // Back to node k, which it has passed not long ago.
    void rewind(long long k);

    void use(const WalkCode& code);
    void heed(const volatile int* interrupt) { interrupt_ = interrupt; } // between steps that are taken one by one
    void use(InputSwitch& inputs) { inputs_ = &inputs; }                 // looked at after every step
    const ShownNode& node() const { return node_; }
    BesideNode* beside() { return beside_; }
    Stepper<double>& stepper() { return stepper_; }
    NodeReader<double>& reader() { return reader_; }

  private:
    struct Saved {
        long long k = 0;
        std::vector<double> state = {}, low = {}, hint = {};
        double controlled_h = 0;
    };
    void save(long long k);
    void restore();
    long long run_code(long long k, long long steps);
    long long in_calls(long long k, long long steps);
    long long one_by_one(long long k, long long steps, bool& failed);
    long long most_at_once() const;
    long long solves(long long steps) const;
    void take_again(long long k, long long steps);
    bool on_tape(std::size_t i, std::vector<double>& row);
    long long with_rows(long long k, long long most, Report& report);
    long long with_least_inputs(long long k, Report& report);

    static constexpr long long between_saves = 64;
    Stepper<double>& stepper_;
    NodeReader<double>& reader_;
    ShownNode node_;
    BesideNode* beside_;
    std::size_t first_beside_;
    Grid grid_;
    StepTimes times_;
    Saved saved_;
    std::shared_ptr<const StepCode> code_;
    std::shared_ptr<const code::Native> pairs_;
    std::optional<NodeRows> rows_;
    InputSwitch* inputs_ = nullptr;
    const volatile int* interrupt_ = nullptr;
    long long at_once_ = 0; // steps in a call
    bool in_rows_ = false, node_failed_ = false;
    std::vector<double> time_, offset_, size_, rates_;
    std::vector<long long> solves_; // by Newton's method, up to each node, of steps that are taken one by one
};

} // namespace rattleback
