// Systems of equations, solved: what is explicit is assigned, what is linear is solved once, the rest goes to Newton.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/kernel.hpp>
#include <rattleback/large_pages.hpp>

namespace rattleback {

// How a computation went. Never just "failed": what, when, which equation, what to try.
struct Report {
    enum Status { finished, newton_failed, singular, not_finite, off_constraint, interrupted, stopped };
    Status status = finished;
    std::string what;    // one sentence
    std::string culprit; // the equation, unknown, constraint or sub-formula
    std::string remedy;  // what to try
    long long step = 0;  // the step in which it happened (0: the start)
    double time = 0;
    long long newton_iterations = 0, newton_solves = 0, fallbacks = 0;
    // Of a step with a generating function S and forces alpha: det(D12 S - d alpha_0/d q1), without which p0 does not
    // determine q1. Looked at now and then; a change of sign between two looks counts as 0.
    struct Regularity {
        double start = 0, smallest = 0, time = 0; // time: of the smallest
        double end = 0;                           // at the last node that has a next
    };
    std::optional<Regularity> regularity = {};

    bool ok() const { return status == finished; }
    // Takes over how another computation ended; where this one is and what it has counted stays.
    void fail(const Report& other) {
        status = other.status, what = other.what, culprit = other.culprit, remedy = other.remedy;
    }
    std::string text() const; // the whole message, one or more lines
};

template <class T> struct Matrix {
    std::size_t rows = 0, columns = 0;
    std::vector<T> entries; // row-major
    Matrix() = default;
    Matrix(std::size_t r, std::size_t c) : rows(r), columns(c), entries(r * c, T(0)) {}
    T& operator()(std::size_t i, std::size_t j) { return entries[i * columns + j]; }
    const T& operator()(std::size_t i, std::size_t j) const { return entries[i * columns + j]; }
};

struct Equation {
    Vec lhs, rhs;
};
inline Equation operator==(const Vec& lhs, const Vec& rhs) { return {lhs, rhs}; }

struct Unknown {
    Vec symbols;
    Vec guess; // formulas of what is given; empty: zero
    // Given values beside which their increments are small or not, as they are beside the unknowns themselves.
    std::vector<Expr> beside = {};
};

// What an equation was divided by to give an unknown, and its coefficients of the other unknowns.
struct Division {
    Expr by;
    std::vector<Expr> beside = {};
};

// find u with equations(given, u) = 0, then results(given, u).
struct System {
    std::shared_ptr<Graph> graph;
    Vec given;
    std::vector<Unknown> find;
    std::vector<Equation> equations;
    Vec results;
    // Results that are given values for next time, maybe in several versions, one after the other. Where nothing but
    // they themselves would read those values, they are not computed but left as they are.
    struct Carried {
        std::size_t given = 0, result = 0, count = 0, versions = 1;
    };
    Carried carried = {};
    std::size_t steady = 0;           // the last components of what is given, the same from one solution to the next
    std::vector<double> typical = {}; // values of what is steady, by which pivots are chosen
    // The first results are increments of as many values given first, to be added to them next time. Who solves adds
    // them with compensation, and fills in what it has of it: see CompiledSystem::Ends.
    std::size_t sums = 0;
    std::vector<Division> divisions = {}; // that its formulas have come to contain
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
    std::vector<Slot> unknowns, guess, residuals;
    std::vector<BlockEntry> entries;
    std::vector<std::uint32_t> kind; // of each unknown: increments are scaled kind by kind
    std::uint32_t kinds = 0;
    std::vector<std::pair<std::uint32_t, Slot>> beside; // given values that belong to a kind: see Unknown
    bool ordered = false;           // equations and unknowns are in an order in which pivots are not looked for
    int patience = 1;               // iterations that cost as much as a new matrix
    std::vector<std::string> names; // of the unknowns
    std::size_t before = 0, residual = 0, jacobian = 0; // sections
    // After Newton's method, functions of the unknowns are followed from where the residual was evaluated last: see
    // ProgramBuilder. The changes of their arguments are these slots of that section, and are to be small.
    std::size_t follow = 0;
    std::vector<Slot> changes;
};
// f(x0) + f'(x0) (x - x0) is f(x) to round-off if the change is at most this.
template <class T> T most_followed() { return real::sqrt(Real<T>::epsilon) / 2; }

namespace solve {
class SlotList;
}

// A System ready to run in any scalar.
struct CompiledSystem {
    std::shared_ptr<Graph> graph;
    Program program;
    std::size_t given = 0; // slots 0 .. given-1
    std::vector<Block> blocks;
    std::size_t after = 0; // section of the results
    std::vector<Slot> results;
    // Unknowns of quadratic equations are formulas: the square roots in them, and their names.
    std::vector<std::pair<NodeId, std::string>> roots;
    // Formulas of the state alone that an explicit step needs at its start and at its end: evaluated at the end, they
    // are there when the next step starts. The state at the end is state + (increment + low), what the compensated sum
    // will give, so that the values do not depend on who computed them.
    struct Ends {
        struct Moved {
            Slot state, low, next; // two values given, and the first of them at the end
        };
        std::vector<Moved> moved;                       // what the formulas read
        std::vector<Slot> parameters;                   // that they may read, too
        std::vector<Slot> values;                       // of the formulas, by their section
        std::vector<Slot> at_start, at_end;             // copies of these values, for the other sections
        std::size_t formulas = 0, until = 0;            // sections: the formulas; what gives the state at the end
        std::vector<std::pair<NodeId, NodeId>> meaning; // symbols of the copies, and the formulas
    };
    Ends ends = {};
    // By something steady that was not small for typical values. Where it is for others, the system is to be compiled
    // without dividing: then pivots are looked for when it is solved.
    std::vector<Division> divisions = {};
};
std::shared_ptr<const CompiledSystem> compile(const System& system, bool divide = true);

// Newton's method ends when what the next increment would be, relative to the unknowns, is below this. It is far below
// the rounding of one step because it has a direction, and adds up where round-off averages out: with a quarter of
// epsilon, energy drifts by 1e-20 a step.
template <class T> inline constexpr T newton_left_over = Real<T>::epsilon / 4096;

// Newton's method keeps its matrix as long as that is cheaper than a new one: if so many more iterations will do, each
// of which leaves `contraction` of what the last one left.
template <class N, class T>
auto matrix_will_do(int iterations, const N& contraction, const N& increment, const T& left_over) {
    auto left = increment * contraction;
    for (int i = 0; i < iterations; ++i) left = left * contraction;
    return left <= left_over;
}

struct NewtonOptions {
    int max_iterations = 50;
};

// Runs sections in another way than the tape, with its bits. Of what it computes, only what is wanted outside a section
// need be found in the slots.
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
    std::size_t result_count() const { return compiled_->results.size(); }
    const CompiledSystem& compiled() const { return *compiled_; }
    T* slots() { return slots_.data(); }
    // A sparse block takes its pivots from the first matrix it meets: who wants the same bits whatever was solved
    // before solves at a fixed point first.
    bool remembers() const;
    void use(std::shared_ptr<const SectionCode> code) { code_ = std::move(code); } // only in double

  private:
    struct BlockState;
    void run(std::size_t section);
    bool solve_block(const Block& block, BlockState& state, Report& report);
    bool newton(const Block& block, BlockState& state, Report& report);
    bool follow(const Block& block, BlockState& state, Report& report);
    static bool keeps_order(const Block& block);
    bool invert(const Block& block, BlockState& state);
    bool increment(const Block& block, BlockState& state, bool refresh, Report& report);
    T scaled_norm(const Block& block, BlockState& state) const;
    bool take_residual(BlockState& state) const;
    bool residual_is_noise(const Block& block, const BlockState& state);
    void meet_ends();
    void exchange_ends();
    bool blame(const Block* block, Report& report);
    std::optional<NodeId> culprit(const Block* block);

    std::shared_ptr<const CompiledSystem> compiled_;
    NewtonOptions options_;
    std::vector<T, LargePages<T>> slots_;
    std::vector<BlockState> states_;
    std::shared_ptr<const SectionCode> code_;
    std::shared_ptr<const solve::SlotList> result_slots_;
    bool ends_met_ = false;     // the formulas of both ends have been evaluated
    std::vector<T> parameters_; // with these
};
extern template class SystemSolver<double>;
extern template class SystemSolver<long double>;
extern template class SystemSolver<quad>;

} // namespace rattleback
