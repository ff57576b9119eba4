// Systems of equations and their solution: explicit equations become assignments, linear ones are solved once, the rest
// by Newton's method.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <rattleback/expr.hpp>
#include <rattleback/report.hpp>

#include "expr/excerpt.hpp"
#include "kernel/program.hpp"
#include "solve/large_pages.hpp"
#include "solve/slot_list.hpp"

namespace rattleback {

// find u with equations(given, u) = 0, then results(given, u).
struct System {
    std::shared_ptr<Graph> graph;
    Vec given;
    std::vector<Unknown> find;
    std::vector<Equation> equations;
    Vec results;
    // Warm starts: `count` results, from `result` on, become the inputs from `given` on of the next solve. `versions`
    // such groups may follow each other (for a next step of the same or of another size). If nothing but the warm start
    // itself reads those inputs, they are passed through unchanged.
    struct Carried {
        std::size_t given = 0, result = 0, count = 0, versions = 1;
    };
    Carried carried = {};
    std::size_t steady = 0;           // so many trailing inputs (h, then the parameters) do not change between steps
    std::vector<double> typical = {}; // assumed values of these inputs, by which pivots are chosen; empty: not known
    // The first `sums` results are increments of as many leading inputs. The caller adds them with compensated
    // summation and passes the low parts back in: see CompiledSystem::Ends.
    std::size_t sums = 0;
    std::set<NodeId> divides_by = {}; // see CompiledSystem
    bool functional = false; // functional iteration: matrices are those of h = 0, h the first of the steady inputs
    // So many inputs, from `first` on, are no more than starting values of unknowns that have one solution. Where
    // Newton's method fails it also begins beside them: see SystemSolver::restart.
    struct Restarts {
        std::size_t first = 0, count = 0;
    };
    Restarts restarts = {};
    // Sizes of the inputs that are not steady, and a step size, where the model starts; empty: they are near 1 there,
    // or not known.
    std::vector<double> sizes = {};
    double step_like = 0;
    bool reorder_refused = false; // pivots are chosen only where at most 8 unknowns cannot be eliminated as they stand
};

// The equations do not determine the unknowns, whatever the numbers are.
struct StructuralError : Error {
    explicit StructuralError(const std::string& what, std::string names = {})
        : Error(what), unknowns(std::move(names)) {}
    std::string unknowns; // that are not determined, separated by commas
};

struct BlockEntry {
    std::uint32_t row, column; // within the block
    Slot slot;
};

struct Block {
    bool linear = false;
    bool functional = false; // its matrix is not that of its equations: it converges linearly
    std::vector<Slot> unknowns, guess, residuals;
    std::vector<BlockEntry> entries;
    std::vector<std::uint32_t> kind; // of each unknown: increments are scaled kind by kind
    std::uint32_t kinds = 0;
    std::vector<std::pair<std::uint32_t, Slot>> beside; // given values that belong to a kind: see Unknown
    bool ordered = false; // rows and columns are in pivot order: eliminated without a search for pivots
    // Sizes that unknowns typically have, powers of two, where these are so different that pivots and increments cannot
    // be judged without; else empty.
    std::vector<double> units, beside_units;
    int patience = 1;                                   // iterations with an old matrix that cost as much as a new one
    std::vector<std::string> names;                     // of the unknowns
    std::size_t before = 0, residual = 0, jacobian = 0; // sections
    // After Newton's method, sines, cosines and exponentials of the unknowns are extrapolated to first order from the
    // last residual evaluation, f(x0) + f'(x0) (x - x0), by the section `follow`: see ProgramBuilder::follow. `changes`
    // are the x - x0 of that section; where one is too large, the functions are evaluated again.
    std::size_t follow = 0;
    std::vector<Slot> changes;
};

// A System ready to run in any scalar.
struct CompiledSystem {
    std::shared_ptr<const Excerpt> formulas; // of the program, for messages
    Program program;
    std::size_t given = 0; // slots 0 .. given-1
    std::vector<Block> blocks;
    std::size_t after = 0; // section of the results
    std::vector<Slot> results;
    // An equation that is quadratic in its one unknown is solved by a formula: its square root, and the unknown's name.
    std::vector<std::pair<NodeId, std::string>> roots;
    // Formulas of the state, such as forces, that an explicit step needs at its start and again at its end: they are
    // evaluated once a step, at the end, and reused at the start of the next. The state at the end is taken as state +
    // (increment + low), which is bitwise what the caller's compensated summation will give.
    struct Ends {
        struct Moved {             // a component of the state that the formulas read
            Slot state, low, next; // inputs: its value and the low part of its sum; next: its value at the end
        };
        std::vector<Moved> moved;
        std::vector<Slot> parameters;                   // that the formulas may read, too
        std::vector<Slot> values;                       // results of the section `formulas`
        std::vector<Slot> at_start, at_end;             // copies of these results, which the other sections read
        std::size_t formulas = 0, until = 0;            // sections: the formulas; what gives the state at the end
        std::vector<std::pair<NodeId, NodeId>> meaning; // symbol of a copy -> its formula, for messages
    };
    Ends ends = {};
    // Parameters (and maybe the step size) that equations were divided by to eliminate an unknown: none of these may be
    // 0. For a parameter that is, compile with divide = false: then pivots are chosen when the system is solved.
    std::set<NodeId> divides_by = {};
    System::Restarts restarts = {};
};
std::shared_ptr<const CompiledSystem> compile(const System& system, bool divide = true);

// Whether formulas or blocks read one of these inputs. Results that are inputs themselves do not count.
bool reads(const CompiledSystem& system, std::size_t first, std::size_t count);

struct NewtonOptions {
    int max_iterations = 50;
};

// Runs sections in another way than the tape, with the same bits. Only values that are used outside their section must
// be found in the slots afterwards.
class SectionCode {
  public:
    virtual ~SectionCode() = default;
    virtual bool run(std::size_t section, double* slots) const = 0; // false: this time the tape is to do it
};

template <class T> class SystemSolver {
  public:
    explicit SystemSolver(std::shared_ptr<const CompiledSystem> compiled, NewtonOptions options = {});
    ~SystemSolver();
    SystemSolver(SystemSolver&&) noexcept;
    SystemSolver& operator=(SystemSolver&&) noexcept;

    T* given() { return slots_.data(); }
    // Solves for the values in given(); false: see report.
    bool solve(Report& report);
    T result(std::size_t i) const { return slots_[compiled_->results[i]]; }
    void results(std::size_t first, std::size_t count, T* to) const; // several of them
    // f(pointer, place from `first` on, how many) of results that lie side by side.
    template <class F> void for_results(std::size_t first, std::size_t count, F&& f) const {
        result_slots_->for_each_run(first, count,
                                    [&](Slot slot, std::size_t at, std::size_t n) { f(slots_.data() + slot, at, n); });
    }
    std::size_t result_count() const { return compiled_->results.size(); }
    const CompiledSystem& compiled() const { return *compiled_; }
    T* slots() { return slots_.data(); }
    // Whether results depend on what was solved before: a sparse block chooses its pivots from the first matrix it
    // meets. For reproducible bits, solve at a fixed point first.
    bool remembers() const;
    void use(std::shared_ptr<const SectionCode> code) { code_ = std::move(code); } // only in double

  private:
    struct BlockState;
    void run(std::size_t section);
    bool solve_block(const Block& block, BlockState& state, Report& report);
    bool newton(const Block& block, BlockState& state, Report& report);
    bool restart(const Block& block, BlockState& state, Report& report);
    bool follow(const Block& block, BlockState& state, Report& report);
    static bool keeps_order(const Block& block);
    bool invert(const Block& block, BlockState& state);
    bool increment(const Block& block, BlockState& state, bool refresh, Report& report);
    T scaled_norm(const Block& block, BlockState& state) const;
    bool take_residual(BlockState& state) const;
    bool is_exact_root(const BlockState& state, Report& report) const;
    bool residual_is_noise(const Block& block, const BlockState& state);
    void meet_ends();
    void exchange_ends();
    bool blame(const Block* block, Report& report);
    bool blame_turn(NodeId node, Report& report);
    std::optional<NodeId> culprit(const Block* block);

    std::shared_ptr<const CompiledSystem> compiled_;
    NewtonOptions options_;
    std::vector<T, LargePages<T>> slots_;
    std::vector<BlockState> states_;
    std::shared_ptr<const SectionCode> code_;
    std::shared_ptr<const solve::SlotList> result_slots_;
    bool ends_met_ = false;     // the values of Ends are those of the end of the last step
    std::vector<T> parameters_; // with which they were evaluated
};
extern template class SystemSolver<double>;
extern template class SystemSolver<long double>;
extern template class SystemSolver<quad>;

} // namespace rattleback
