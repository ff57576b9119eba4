// Machine code for the steps of a method.
#pragma once

#include <rattleback/run.hpp>

#include <algorithm>
#include <array>

#include "code/engine.hpp"
#include "code/stages.hpp"
#include "code/step.hpp"
#include "run/compiled.hpp"
#include "solve/system.hpp"

namespace rattleback {

// Steps of a method as compiled lines, with all that a call needs besides the members' data.
class StepCode {
  public:
    // Operations up to which a step is compiled as one function, elimination and all; beyond, its sections are. LLVM
    // takes more than linear time for one long function: 5,000 operations 0.25 s, 10,000 of a chain 2.9 s.
    static constexpr std::size_t whole = 5000;
    // Of each system of steps whose stages are lanes: bicycle and ball joint 0.2 s, on 16 lanes 0.4 s.
    static constexpr std::size_t whole_stages = 12000;
    static constexpr std::size_t most_lines = 8500; // where no lanes are to be gained: 0.2 s
    // With one lane, sections are better from here on where nothing is iterated.
    static constexpr std::size_t better_in_sections = 500;

    code::Shape shape; // of members; where the lanes are stages there is one
    std::shared_ptr<const code::Native> native;
    long long newton_blocks = 0; // Newton solves of a step

    bool all_or_nothing = false; // see code::StepLayout
    bool reads_times = true;     // false: the array `times` need not be filled
    code::StageTables tables;    // of steps whose lanes are stages

    // How many steps were taken; of lanes that would not take the next one, `left` is not 0.
    long long run(const std::array<double*, code::array_count>& arrays, long long steps) const {
        if (tables.stages) return tables.run(native->entry(), arrays, steps);
        const long long taken = native->entry()(arrays.data(), steps, code::function_table());
        if (!all_or_nothing) return taken;
        const double* const left = arrays[code::Array::left];
        return std::all_of(left, left + shape.lanes(), [](double x) { return x == 0; }) ? taken : 0;
    }
    // Of make_solve_code, with one lane; false: nothing was computed.
    bool solve(double* given, double* results) const {
        double none = 0, active = 1, left = 0, iterations = 0;
        return run({given, results, &none, &none, &none, &none, &active, &left, &iterations, &none, &none}, 1) == 1;
    }
};

struct StepCodeResult {
    std::shared_ptr<const StepCode> code; // of a whole step
    std::string why_not, warning;
    std::shared_ptr<const SectionCode> sections = nullptr; // or of its sections; neither: see why_not
};
// A system solved in machine code, on as many lanes as asked for; `run` with one step. What fails, even for lack of
// memory, is told in why_not.
StepCodeResult make_solve_code(const CompiledSystem& system, bool quick = false,
                               const code::Shape& shape = {}) noexcept;
StepCodeResult make_step_code(const CompiledMethod& method, const code::Shape& shape, bool quick = false) noexcept;
// What a walk shows of the nodes it leads to: a system's results, and what is solved beside it.
struct ShownNode {
    NamedSystem system;
    std::vector<std::string_view> hidden = {}; // fields that only the system beside it reads: rows leave them out
    std::shared_ptr<const code::BesideLayout> beside = nullptr;
    std::shared_ptr<const code::Listing> pairs = nullptr; // see NodePairs

    // What rows have: the number of Newton iterations, the largest of the velocity residuals and of the holonomic ones,
    // then all other results that are not hidden, then those of the system beside. The node is referred to.
    code::NodeLayout layout() const;
    std::size_t columns() const { return first_beside() + (beside ? beside->system->results.size() : 0); }
    std::size_t first_beside() const;
};

// Nodes as compiled lines, several at a time.
struct NodeCode {
    struct Carried { // what nodes are computed from: a component of the state or of the hint
        bool in_state;
        std::size_t place;
    };
    std::shared_ptr<const code::Native> native;
    std::size_t lanes = 1;
    std::vector<Carried> carried;
    bool reads_time = true;
};

// Steps, many a call, that leave what nodes are computed from; where these are small enough to be one function.
struct WalkCode {
    std::shared_ptr<const StepCode> steps; // none: they are taken one by one
    std::shared_ptr<const NodeCode> nodes; // none: they are read one by one, and so are the steps taken
    std::string why_not, warning;
    std::shared_ptr<const code::Native> pairs = nullptr; // of ShownNode
};
WalkCode make_walk_code(const CompiledMethod& method, const ShownNode& node, bool quick = false) noexcept;

// The same system without its formulas, for other threads; and the same for some of its results, by name.
NamedSystem without_formulas(const NamedSystem& system);
NamedSystem restricted(const NamedSystem& system, const std::vector<std::string_view>& names);
// The place of a result that is no residual in rows that leave nothing out.
inline std::size_t node_column(const Fields& results, std::size_t result) {
    const Fields::Field &first = results["velocity residuals"], &last = results["holonomic residuals"];
    return 3 + result - (result < first.offset ? 0 : last.end() - first.offset);
}

// Which result is the hint for the next application of the step: in compositions that is one of another size.
std::string hint_between_steps(const CompiledMethod::Parts& parts);

// When the steps of a method begin, counted from t0, and how long they are: k h, and the parts of h of a composition.
class StepTimes {
  public:
    StepTimes(const Method& method, double h);
    struct Part {
        double time, offset, size; // it begins at (t0 + time) + offset
    };
    long long parts() const { return static_cast<long long>(fraction_.size()); } // of a step
    double since_start(long long step) const { return static_cast<double>(step) * h_; }
    Part at(long long part) const; // part = step * parts() + place in the step
    // Offsets 0 and sizes h are expected to be there: they change in compositions only.
    void fill(long long first, long long count, double* times, double* offsets, double* sizes) const;
    double h() const { return h_; }

  private:
    double h_;
    std::vector<double> fraction_, at_;
};

} // namespace rattleback
