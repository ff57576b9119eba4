// Runs a compiled system: its sections in order, with a linear solve or Newton's method for every implicit block.
//
// Newton's method iterates until the error that it predicts is below round-off, or until the increment stagnates at
// round-off. The matrix is kept while the iterations converge fast (within a time step it hardly changes) and renewed
// when they do not. The decisions are those of src/solve/newton_rules.hpp.
#include "solve/system.hpp"

#include <algorithm>
#include <cmath>

#include "solve/elimination.hpp"
#include "solve/linear.hpp"
#include "solve/newton_rules.hpp"
#include "solve/round_off.hpp"
#include "solve/slot_list.hpp"
#include "solve/small_inverse.hpp"

namespace rattleback {

template <class T> struct SystemSolver<T>::BlockState {
    solve::Linear<T> matrix;
    solve::Moves entries; // into the matrix
    solve::SlotList unknowns, residuals, guess;
    std::vector<T> values, previous; // of the unknowns: now, and in the iteration before
    std::vector<T> increment, scale, largest;
    // In double, as in machine code: the inverse of a small matrix,
    std::conditional_t<std::is_same_v<T, double>, solve::SmallInverse<double>, char> inverse{};
    // or the factors of one in pivot order.
    std::conditional_t<std::is_same_v<T, double>, solve::Eliminated, char> eliminated{};
    std::vector<T> entry_values;
    std::vector<std::pair<int, double>> units; // of entries, by their places in the matrix: of their unknowns
    bool in_units = false;                     // the matrix was multiplied by them
    bool inverted = false; // one of these is valid; else the matrix is factored with a search for pivots

    // Tridiagonal matrices are read in place: copying that of a long chain takes a third of the time to factor it.
    solve::Outcome factor(const T* slots) {
        if (auto* const three = matrix.tridiagonal())
            return three->factor([&](std::size_t place, int count, T* copy) {
                return entries.window(slots, static_cast<int>(place), count, copy);
            });
        entries(slots, matrix.values()); // all that is not zero
        in_units = !units.empty();
        for (const auto& [place, unit] : units) matrix.values()[place] *= T(unit);
        const solve::Outcome outcome = matrix.factor();
        if (outcome.ok || !in_units) return outcome;
        in_units = false; // what is typical may be far from here
        entries(slots, matrix.values());
        return matrix.factor();
    }

    // du of J du = -r, in place.
    void solve(const Block& block) {
        matrix.solve(increment.data());
        for (std::size_t i = 0; i < block.units.size() && in_units; ++i) increment[i] *= T(block.units[i]);
    }

    // Sets the unknowns to the guess.
    void begin(T* slots) {
        solve::SlotList::Place from, to;
        solve::in_pieces(values.size(), [&](std::size_t first, std::size_t count) {
            guess.gather(slots, values.data() + first, from, count);
            unknowns.scatter(values.data() + first, slots, to, count);
        });
    }

    // Adds the increment to the unknowns. Returns the largest of it relative to the largest unknown.
    T advance(T* slots) {
        T most = 0, size = 0;
        bool finite = true;
        solve::SlotList::Place to;
        previous.swap(values);
        solve::in_pieces(values.size(), [&](std::size_t first, std::size_t count) {
            T *const x = values.data() + first, *const d = increment.data() + first;
            for (std::size_t i = 0; i < count; ++i) x[i] = previous[first + i] + d[i];
            unknowns.scatter(x, slots, to, count);
            most = std::max(most, solve::largest_magnitude(d, count));
            size = std::max(size, solve::largest_magnitude(x, count));
            finite = solve::all_finite(d, count) && finite;
        });
        scale[0] = size;
        if (real::is_finite(most) && !finite) return Real<T>::nan;
        return most == T(0) ? T(0) : most / size; // Inf where the unknowns are all 0
    }
};

template <class T>
SystemSolver<T>::SystemSolver(std::shared_ptr<const CompiledSystem> compiled, NewtonOptions options)
    : compiled_(std::move(compiled)), options_(options), slots_(compiled_->program.slots, T(0)) {
    load_constants(compiled_->program, slots_.data());
    for (const Block& b : compiled_->blocks) {
        solve::Entries entries;
        for (const BlockEntry& e : b.entries) entries.emplace_back(static_cast<int>(e.row), static_cast<int>(e.column));
        const std::size_t n = b.unknowns.size();
        BlockState& state = states_.emplace_back();
        state.matrix = solve::Linear<T>(static_cast<int>(n), entries);
        for (std::size_t k = 0; k < entries.size() && !b.units.empty(); ++k)
            state.units.emplace_back(state.matrix.slot(k), b.units[b.entries[k].column]);
        std::vector<std::pair<int, Slot>> moves; // by their places, where diagonals lie side by side
        for (std::size_t k = 0; k < b.entries.size(); ++k) moves.emplace_back(state.matrix.slot(k), b.entries[k].slot);
        std::sort(moves.begin(), moves.end());
        for (const auto& [to, from] : moves) state.entries.add(from, to);
        state.unknowns = solve::SlotList(b.unknowns), state.residuals = solve::SlotList(b.residuals);
        state.guess = solve::SlotList(b.guess);
        for (auto* v : {&state.values, &state.previous, &state.increment}) v->resize(n);
        for (auto* v : {&state.scale, &state.largest}) v->resize(b.kinds);
        if constexpr (std::is_same_v<T, double>) {
            if (n <= solve::most_inverted) {
                for (const BlockEntry& e : b.entries) state.inverse.given[e.row][e.column] = true;
                std::copy(b.units.begin(), b.units.end(), state.inverse.unit.begin());
            } else if (b.ordered) {
                state.eliminated = solve::Eliminated(static_cast<int>(n), entries, b.units);
            }
        }
        if (b.ordered) state.entry_values.resize(b.entries.size());
    }
    result_slots_ = std::make_shared<const solve::SlotList>(compiled_->results);
}

template <class T> SystemSolver<T>::~SystemSolver() = default;
template <class T> SystemSolver<T>::SystemSolver(SystemSolver&&) noexcept = default;
template <class T> SystemSolver<T>& SystemSolver<T>::operator=(SystemSolver&&) noexcept = default;

// Whether its matrix is eliminated in its fixed pivot order.
template <class T> bool SystemSolver<T>::keeps_order(const Block& block) {
    return std::is_same_v<T, double> && block.ordered;
}

template <class T> bool SystemSolver<T>::remembers() const {
    for (std::size_t b = 0; b < states_.size(); ++b)
        if (states_[b].matrix.remembers() && !keeps_order(compiled_->blocks[b])) return true;
    return false;
}

template <class T> void SystemSolver<T>::run(std::size_t section) {
    if constexpr (std::is_same_v<T, double>)
        if (code_ && code_->run(section, slots_.data())) return;
    execute(compiled_->program, compiled_->program.sections[section], slots_.data());
}

template <class T> bool SystemSolver<T>::solve(Report& report) {
    for (std::size_t b = 0; b < compiled_->blocks.size(); ++b) {
        const Block& block = compiled_->blocks[b];
        if (!solve_block(block, states_[b], report) && !restart(block, states_[b], report)) return false;
    }
    if (!compiled_->ends.values.empty()) meet_ends();
    run(compiled_->after);
    return result_slots_->all_finite(slots_.data()) || blame(nullptr, report);
}

template <class T> void SystemSolver<T>::results(std::size_t first, std::size_t count, T* to) const {
    solve::SlotList::Place from = result_slots_->place(first);
    result_slots_->gather(slots_.data(), to, from, count);
}

// Reuses the formulas evaluated at the end of the previous step if this step starts from exactly (bitwise) that state.
template <class T> void SystemSolver<T>::meet_ends() {
    const CompiledSystem::Ends& ends = compiled_->ends;
    T* const s = slots_.data();
    const auto same = [](const T& x, const T& y) { return x == y && (x != T(0) || 1 / x == 1 / y); };
    bool known = ends_met_;
    for (std::size_t i = 0; i < ends.moved.size() && known; ++i)
        known = same(s[ends.moved[i].state], s[ends.moved[i].next]);
    for (std::size_t i = 0; i < ends.parameters.size() && known; ++i)
        known = same(s[ends.parameters[i]], parameters_[i]);
    if (!known) {
        run(ends.formulas);
        parameters_.clear();
        for (Slot p : ends.parameters) parameters_.push_back(s[p]);
    }
    for (std::size_t i = 0; i < ends.values.size(); ++i) s[ends.at_start[i]] = s[ends.values[i]];
    run(ends.until);
    exchange_ends();
    run(ends.formulas);
    exchange_ends();
    for (std::size_t i = 0; i < ends.values.size(); ++i) s[ends.at_end[i]] = s[ends.values[i]];
    ends_met_ = true;
}

template <class T> void SystemSolver<T>::exchange_ends() {
    for (const auto& m : compiled_->ends.moved) std::swap(slots_[m.state], slots_[m.next]);
}

// Whether the block's matrix has been replaced by its inverse; else it is to be factored.
template <class T> bool SystemSolver<T>::invert(const Block& block, BlockState& state) {
    const auto n = static_cast<int>(block.unknowns.size());
    state.inverted = false;
    if constexpr (std::is_same_v<T, double>) {
        if (keeps_order(block)) {
            for (std::size_t k = 0; k < block.entries.size(); ++k)
                state.entry_values[k] = slots_[block.entries[k].slot];
            return state.inverted = state.eliminated.factor(state.entry_values.data());
        }
        if (n < 2 || n > solve::most_inverted) return false;
        for (int i = 0; i < n; ++i) std::fill_n(state.inverse.a[i].begin(), n, 0.0);
        double sum = 0; // of 0 * x, which is not 0 for NaN and Inf
        for (const BlockEntry& e : block.entries) {
            state.inverse.a[e.row][e.column] = slots_[e.slot];
            sum += 0 * slots_[e.slot];
        }
        state.inverted = sum == 0 && solve::invert_small(state.inverse, n);
    }
    return state.inverted;
}

// Solves J du = -r in place: the increment holds -r before and du after. `refresh`: with a new matrix.
template <class T>
bool SystemSolver<T>::increment(const Block& block, BlockState& state, bool refresh, Report& report) {
    T* s = slots_.data();
    if (refresh) run(block.jacobian), invert(block, state);
    if constexpr (std::is_same_v<T, double>)
        if (state.inverted) {
            double* const x = state.increment.data();
            if (keeps_order(block)
                    ? state.eliminated.solve(block.linear, x)
                    : solve::apply_small(state.inverse, static_cast<int>(block.unknowns.size()), block.linear, x))
                return true;
            state.inverted = false;
            refresh = true;
            take_residual(state);
        }
    if (refresh) {
        if (keeps_order(block)) state.matrix.forget(); // its own pivots: nothing is remembered of other matrices
        const long long fallbacks = state.matrix.fallbacks();
        const solve::Outcome outcome = state.factor(s);
        report.fallbacks += state.matrix.fallbacks() - fallbacks;
        if (!outcome.ok) {
            for (const BlockEntry& e : block.entries)
                if (!real::is_finite(s[e.slot])) return blame(&block, report);
            report.status = Report::singular;
            report.what = "the equations have no unique solution here";
            const auto i = std::min(static_cast<std::size_t>(std::max(outcome.index, 0)), block.names.size() - 1);
            report.culprit = (outcome.is_row ? "the equation matched to " : "unknown ") + block.names[i];
            report.remedy =
                "the motion may have reached a singular state; check the model there, or try a smaller step";
            return false;
        }
    }
    state.solve(block);
    return true;
}

// Largest increment relative to the largest value of its kind.
template <class T> T SystemSolver<T>::scaled_norm(const Block& block, BlockState& state) const {
    return solve::relative_increment(
        block, T(0), state.scale, state.largest, [&](std::size_t i) { return state.values[i]; },
        [&](std::size_t i) { return state.increment[i]; }, [&](Slot slot) { return slots_[slot]; });
}

// The increment becomes -r. False if that is not finite.
template <class T> bool SystemSolver<T>::take_residual(BlockState& state) const {
    solve::SlotList::Place from;
    bool finite = true;
    solve::in_pieces(state.increment.size(), [&](std::size_t first, std::size_t count) {
        T* const r = state.increment.data() + first;
        state.residuals.gather(slots_.data(), r, from, count);
        for (std::size_t i = 0; i < count; ++i) r[i] = -r[i];
        finite = solve::all_finite(r, count) && finite;
    });
    return finite;
}

// Asked where Newton stagnates: see solve::is_round_off.
template <class T> bool SystemSolver<T>::residual_is_noise(const Block& block, const BlockState& state) {
    const T size = *std::max_element(state.scale.begin(), state.scale.end());
    for (std::size_t i = 0; i < state.increment.size(); ++i) {
        const T d = real::abs(state.increment[i]);
        if (!solve::is_small_beside<T>(block.units.empty() ? d : d * (1 / block.units[i]), size)) return false;
    }
    T largest = 0, left = 0;
    if (code_) { // does not store all values: the tape evaluates them again, where the residual was evaluated
        state.unknowns.scatter(state.previous.data(), slots_.data());
        for (std::size_t i : {block.before, block.residual})
            execute(compiled_->program, compiled_->program.sections[i], slots_.data());
        state.unknowns.scatter(state.values.data(), slots_.data());
    }
    for (std::size_t i : {block.before, block.residual}) {
        const Section& section = compiled_->program.sections[i];
        for (std::size_t k = 0; k < section.nodes.size(); ++k)
            largest = std::max(largest, real::abs(slots_[section.first + k]));
    }
    for (Slot r : block.residuals) left = std::max(left, real::abs(slots_[r]));
    if (!solve::is_round_off<T>(left, largest)) return false;
    const solve::RoundOff<T> of(*compiled_, block, slots_.data());
    return (block.units.empty() && solve::is_round_off<T>(left, of.largest_term())) ||
           of.explains([&] { state.unknowns.scatter(state.previous.data(), slots_.data()); });
}

template <class T> bool SystemSolver<T>::solve_block(const Block& block, BlockState& state, Report& report) {
    run(block.before);
    if (!block.linear) return newton(block, state, report);
    for (Slot u : block.unknowns) slots_[u] = 0;
    run(block.residual);
    if (!take_residual(state)) return blame(&block, report);
    if (!increment(block, state, true, report)) return false;
    state.unknowns.scatter(state.increment.data(), slots_.data());
    return true;
}

template <class T> bool SystemSolver<T>::follow(const Block& block, BlockState& state, Report& report) {
    static const T most = solve::most_followed<T>();
    run(block.follow);
    const bool small =
        std::all_of(block.changes.begin(), block.changes.end(), [&](Slot s) { return real::abs(slots_[s]) <= most; });
    if (small) return true;
    run(block.residual); // at the solution itself: then all changes are 0
    if (!take_residual(state)) return blame(&block, report);
    run(block.follow);
    return true;
}

// Asked where the matrix is singular: whether this is a multiple root all the same, of unknowns that have one solution.
template <class T> bool SystemSolver<T>::is_exact_root(const BlockState& state, Report& report) const {
    if (compiled_->restarts.count == 0 || report.status != Report::singular) return false;
    if (std::any_of(state.increment.begin(), state.increment.end(), [](const T& r) { return r != T(0); })) return false;
    report.fail({});
    return true;
}

template <class T> bool SystemSolver<T>::newton(const Block& block, BlockState& state, Report& report) {
    const std::size_t n = block.unknowns.size();
    T* const s = slots_.data();
    state.begin(s);
    T last = Real<T>::nan;
    bool refresh = true;
    int stalls = 0;
    ++report.newton_solves;
    const int most = block.functional ? solve::functional_iterations : options_.max_iterations;
    for (int iteration = 0; iteration < most; ++iteration) {
        ++report.newton_iterations;
        run(block.residual);
        for (int halvings = 0; !take_residual(state); ++halvings) { // outside a domain: halve the increment
            if (iteration == 0 || halvings == 30) return blame(&block, report);
            for (std::size_t i = 0; i < n; ++i) state.values[i] = (state.values[i] + state.previous[i]) / 2;
            state.unknowns.scatter(state.values.data(), s);
            run(block.residual);
            refresh = true;
        }
        const bool renewed = refresh;
        if (!increment(block, state, refresh, report)) return is_exact_root(state, report);
        const T relative = state.advance(s), d = block.kinds == 1 && block.beside.empty() && block.units.empty()
                                                     ? relative
                                                     : scaled_norm(block, state);
        const auto judged = block.functional ? solve::judge_functional<T>(iteration == 0, d, last)
                                             : solve::judge<T>(block.patience, d, last);
        if (judged.converged || (judged.stagnates && residual_is_noise(block, state)))
            return follow(block, state, report);
        refresh = !judged.keeps_matrix;
        if (refresh && renewed && judged.contraction >= T(1)) ++stalls;
        if (stalls > 8) break;
        last = d;
    }
    report.status = Report::newton_failed;
    report.what = std::string(block.functional ? "functional iteration" : "Newton's method") +
                  " did not converge (last relative increment " + real::to_text(static_cast<quad>(last), 3) + ")";
    std::size_t worst = 0;
    for (std::size_t i = 1; i < n; ++i)
        if (real::abs(state.increment[i]) > real::abs(state.increment[worst])) worst = i;
    report.culprit = "unknown " + block.names[worst];
    report.remedy = block.functional ? "try a smaller step, or iteration=newton" : "try a smaller step";
    return false;
}

// Finds the first formula that became NaN or infinite although its arguments were finite.
template <class T> std::optional<NodeId> SystemSolver<T>::culprit(const Block* block) {
    const Program& program = compiled_->program;
    const auto in_section = [&](std::size_t i, bool again) {
        if (again) execute(program, program.sections[i], slots_.data());
        return first_not_finite(program, program.sections[i], slots_.data());
    };
    const bool hidden = code_ != nullptr; // machine code does not store values that are used in their section alone
    std::vector<std::size_t> sections;
    for (const Block& b : compiled_->blocks) {
        sections.insert(sections.end(), {b.before, b.residual, b.jacobian});
        if (&b == block) break;
    }
    const CompiledSystem::Ends& ends = compiled_->ends;
    if (!block && !ends.values.empty()) {
        ends_met_ = false;
        if (const auto node = in_section(ends.formulas, true)) return node;
        if (const auto node = in_section(ends.until, hidden)) return node;
        exchange_ends();
        const auto at_end = in_section(ends.formulas, true);
        exchange_ends();
        if (at_end) return at_end;
    }
    if (!block) sections.push_back(compiled_->after);
    for (std::size_t i : sections)
        if (const auto node = in_section(i, hidden)) return node;
    return {};
}

// Says which formula that is. Always false, so that callers can return it.
template <class T> bool SystemSolver<T>::blame(const Block* block, Report& report) {
    report.status = Report::not_finite;
    report.what = "a value is not finite";
    report.culprit = "the starting values";
    report.remedy = "the motion has left the domain of the formulas; try a smaller step, or check the model there";
    const std::optional<NodeId> node = culprit(block);
    if (!node) return false;
    for (const auto& [root, unknown] : compiled_->roots)
        if (root == *node) {
            report.status = Report::newton_failed;
            report.what = "an equation has no solution";
            report.culprit = "unknown " + unknown;
            report.remedy = "try a smaller step";
            return false;
        }
    Graph& graph = compiled_->formulas->graph(); // only read: others may be reading it
    if (graph.node(*node).op == Op::chart_turn) return blame_turn(*node, report);
    const Function& f = function(graph.node(*node).op);
    report.culprit = to_text(Expr(graph, *node), 200);
    for (const auto& [symbol, formula] : compiled_->ends.meaning) {
        const std::string name = graph.name(symbol);
        for (std::size_t at; (at = report.culprit.find(name)) != std::string::npos;)
            report.culprit.replace(at, name.size(), "(" + to_text(Expr(graph, formula), 100) + ")");
    }
    if (!f.domain.empty()) report.culprit += " (" + std::string(f.domain) + ")";
    return false;
}

// A step that turns a body too far: chart_turn(square of the angle, first coordinate of the chart, or first number that
// is carried of the element).
template <class T> bool SystemSolver<T>::blame_turn(NodeId node, Report& report) {
    const Program& program = compiled_->program;
    double angle = 0;
    for (const Section& section : program.sections)
        for (const Group& group : section.groups)
            for (std::uint32_t i = 0; i < group.count && group.op == Op::chart_turn; ++i)
                if (section.nodes[group.target + i - section.first] == node)
                    angle = std::sqrt(static_cast<double>(slots_[program.operands[group.operands + i]]));
    Graph& graph = compiled_->formulas->graph();
    std::string coordinate = to_text(Expr(graph, graph.node(node).b));
    if (const std::size_t at = coordinate.rfind("_1"); at != std::string::npos) coordinate.erase(at, 2);
    const std::string carried = "carried "; // by methods on groups, which have no charts
    const bool whole = coordinate.starts_with(carried);
    if (whole) coordinate.erase(0, carried.size());
    report.what = "the step turns '" + coordinate + "' too far";
    report.culprit = "by " + real::to_text(angle, 5) +
                     (whole ? " rad: it must be less than pi" : " rad from the centre of its chart, which ends at pi");
    report.remedy = "try a smaller step";
    return false;
}

std::string Report::text() const {
    if (ok()) return "finished";
    std::string s = what;
    if (!culprit.empty()) s += ": " + culprit;
    s += "\n  in step " + std::to_string(step) + ", at t = " + real::to_text(time);
    if (!remedy.empty()) s += "\n  " + remedy;
    return s;
}

#define RATTLEBACK_INSTANTIATE(T) template class SystemSolver<T>;
RATTLEBACK_SCALARS(RATTLEBACK_INSTANTIATE)

} // namespace rattleback
