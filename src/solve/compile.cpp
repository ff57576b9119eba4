// From a System to something that runs: linear solves become unknowns, equations are put in block-triangular order,
// explicit ones become assignments, and every formula goes into the section where it is first needed.
#include "solve/system.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <set>
#include <variant>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "expr/rewrite.hpp"
#include "solve/both_ends.hpp"
#include "solve/eliminate.hpp"
#include "solve/elimination.hpp"
#include "solve/equations.hpp"
#include "solve/products.hpp"
#include "solve/small_blocks.hpp"
#include "solve/written_out.hpp"

namespace rattleback {
namespace {

class Compiler {
  public:
    Compiler(const System& system, bool divide)
        : graph_(*system.graph), all_(system), carried_(system.carried), steady_(system.steady), sums_(system.sums),
          system_(system), divide_(divide), builder_(graph_) {
        if (system.functional) without_h_.emplace(graph_, false), without_h_->replace(step_size().id(), 0.0);
        compiled_.divides_by = system.divides_by;
        compiled_.restarts = system.restarts;
    }

    CompiledSystem run() {
        for (const auto& block : all_.structure.blocks)
            if (!assigned(block) && !root(block)) implicit(block);
        if (small_) compiled_.divides_by.insert(small_->divides_by().begin(), small_->divides_by().end());
        results_ = all_.results_one_by_one();
        leave_unread(results_);
        if (steady_ > 0) order_products(); // will run often
        if (all_.templates().any()) builder_.alike(all_.templates());
        for (const Expr& e : all_.given) builder_.input(e);
        compiled_.given = all_.given.size();
        for (auto& part : parts_) {
            if (const Assigned* const a = std::get_if<Assigned>(&part))
                builder_.alias(all_.symbol[a->unknown], a->formula);
            else
                add_block(*std::get<Whole>(part)), part = Assigned();
        }
        if (sums_ > 0 && compiled_.blocks.empty()) share_ends();
        compiled_.results = builder_.section(results_);
        for (const auto& [square_root, name] : roots_)
            compiled_.roots.emplace_back(builder_.as_computed(square_root.id()), name);
        compiled_.program = builder_.finish();
        compiled_.after = compiled_.program.sections.size() - 1;
        for (Block& block : compiled_.blocks) block.patience = patience(block), drop_unused_changes(block);
        return std::move(compiled_);
    }

  private:
    using Part = solve::Part;
    struct Assigned { // all that most parts of a chain are: a tenth of a Part
        std::uint32_t unknown;
        Expr formula;
    };
    using Whole = std::unique_ptr<Part>; // a block

    void add(Part part) {
        if (!part.is_formula) {
            parts_.emplace_back(std::make_unique<Part>(std::move(part)));
            return;
        }
        guesses_.insert(guesses_.end(), part.guess.begin(), part.guess.end());
        parts_.emplace_back(Assigned{part.unknowns[0], part.formula});
    }

    const Expr& step_size() const { return all_.given[all_.given.size() - steady_]; }

    // By functional iteration, whose matrix belongs to h = 0. What does not depend on h is solved as always.
    bool is_iterated(const Expr& slope) { return without_h_ && !((*without_h_)(slope) == slope); }

    // One unknown in which its equation is linear: an assignment.
    bool assigned(const std::vector<std::uint32_t>& block) {
        const std::optional<Expr> slope = all_.slope_of_one(block);
        if (!slope || is_iterated(*slope) || all_.depends(std::array{*slope}, block)) return false;
        Rewriter at_zero(graph_, false);
        at_zero.replace(all_.symbol[block[0]].id(), 0.0);
        parts_.emplace_back(Assigned{block[0], -at_zero(all_.residual[all_.equation_of(block[0])]) / *slope});
        return true;
    }

    // One unknown in which its equation is quadratic: the root that Newton's method would find, which is the one on the
    // guess's side of the vertex. RATTLE with one rod becomes explicit this way.
    bool root(const std::vector<std::uint32_t>& block) {
        constexpr std::size_t most = 1000; // nodes: what is larger is no polynomial of two terms
        const std::optional<Expr> slope = all_.slope_of_one(block);
        if (!slope || !slope->graph() || is_iterated(*slope) ||
            reachable(graph_, std::array{slope->id()}).size() > most)
            return false;
        const std::uint32_t u = block[0];
        const Expr curvature = derivative(*slope, all_.symbol[u]), guess = all_.start[u];
        if (all_.depends(std::array{curvature}, block)) return false;
        Rewriter at_guess(graph_, false);
        at_guess.replace(all_.symbol[u].id(), guess);
        const Expr r = at_guess(all_.residual[all_.equation_of(u)]), b = at_guess(*slope);
        const Expr square_root = fn::sqrt(b * b - 2 * curvature * r);
        if (!square_root.graph()) return false;
        roots_.emplace_back(square_root, all_.names[u]);
        const Expr root = guess - 2 * r / (b + fn::choose(fn::lt(b, 0), -square_root, square_root));
        add({block, true, root, {guess}, {}, {}});
        return true;
    }

    void implicit(const std::vector<std::uint32_t>& unknowns) {
        Part part{unknowns, false, 0, {}, {}, {}};
        place_.resize(all_.symbol.size(), 0); // counted from 1; 0 before and after
        for (std::uint32_t i = 0; i < unknowns.size(); ++i) place_[unknowns[i]] = i + 1;
        for (std::uint32_t u : unknowns) {
            part.guess.push_back(all_.start[u]);
            part.residuals.push_back(all_.residual[all_.equation_of(u)]);
            for (const ScalarEntry& entry : all_.row(all_.equation_of(u)))
                if (const std::uint32_t column = place_[entry.column]) {
                    part.block.functional |= is_iterated(entry.value);
                    const Expr value = without_h_ ? (*without_h_)(entry.value) : entry.value;
                    if (value.is(0)) continue;
                    part.block.entries.push_back({place_[u] - 1, column - 1, 0});
                    part.entries.push_back(value);
                }
        }
        for (std::uint32_t u : unknowns) place_[u] = 0;
        part.block.linear = !part.block.functional && !all_.switches(unknowns) && !all_.depends(part.entries, unknowns);
        if (system_.typical.empty() || unknowns.size() > solve::most_eliminated) {
            add(std::move(part));
            return;
        }
        if (!small_) small_.emplace(all_, system_);
        std::deque<Part> parts;
        small_->prepare(std::move(part), divide_, parts);
        for (Part& p : parts) add(std::move(p));
    }

    void order_products() {
        solve::Products products(graph_, all_.templates());
        for (std::size_t i = 0; i < all_.given.size(); ++i)
            products.set_rank(all_.given[i],
                              i + steady_ < all_.given.size() ? solve::Products::given : solve::Products::steady);
        auto rank = solve::Products::given; // unknown after the first implicit block, on which later ones mostly depend
        std::vector<Expr*> repeated, once;
        const auto add = [](std::vector<Expr*>& to, std::vector<Expr>& formulas) {
            for (Expr& e : formulas) to.push_back(&e);
        };
        for (auto& part : parts_) {
            if (Assigned* const a = std::get_if<Assigned>(&part)) {
                products.set_rank(all_.symbol[a->unknown], rank);
                once.push_back(&a->formula);
                continue;
            }
            rank = solve::Products::unknown;
            Part& whole = *std::get<Whole>(part);
            for (std::uint32_t u : whole.unknowns) products.set_rank(all_.symbol[u], rank);
            add(whole.block.linear ? once : repeated, whole.residuals);
            add(whole.block.linear ? once : repeated, whole.entries);
            add(once, whole.guess);
        }
        for (auto& [square_root, name] : roots_) once.push_back(&square_root);
        add(once, results_);
        products.rewrite(repeated, once);
    }

    void add_block(Part& part) {
        Block& block = part.block;
        std::vector<Expr> symbols;
        std::set<std::uint32_t> kinds;
        for (std::uint32_t u : part.unknowns) {
            symbols.push_back(all_.symbol[u]);
            block.unknowns.push_back(builder_.input(all_.symbol[u]));
            block.names.push_back(all_.names[u]);
            kinds.insert(all_.kind[u]);
        }
        const auto place = [&](std::uint32_t kind) {
            return static_cast<std::uint32_t>(std::distance(kinds.begin(), kinds.find(kind)));
        };
        for (std::uint32_t u : part.unknowns) block.kind.push_back(place(all_.kind[u]));
        block.kinds = static_cast<std::uint32_t>(kinds.size());
        for (std::uint32_t kind : kinds)
            for (const Expr& e : all_.beside[kind]) {
                block.beside.emplace_back(place(kind), builder_.input(e));
                if (block.units.empty()) continue;
                const double size = small_->size_of(e);
                block.beside_units.push_back(size > 0 ? size
                                                      : *std::max_element(block.units.begin(), block.units.end()));
            }
        std::vector<Expr> formulas = part.residuals;
        formulas.insert(formulas.end(), part.entries.begin(), part.entries.end());
        std::vector<Expr> before = builder_.invariants(formulas, symbols);
        const std::size_t fixed = before.size();
        before.insert(before.end(), part.guess.begin(), part.guess.end());
        const std::vector<Slot> slots = builder_.section(before);
        block.guess.assign(slots.begin() + static_cast<std::ptrdiff_t>(fixed), slots.end());
        builder_.begin_scope();
        block.residuals = builder_.section(part.residuals);
        const std::vector<Expr> changes = block.linear ? std::vector<Expr>() : builder_.follow(sections_ + 1);
        const std::vector<Slot> entry_slots = builder_.section(part.entries);
        builder_.end_scope();
        block.changes = builder_.section(changes);
        for (std::size_t i = 0; i < entry_slots.size(); ++i) block.entries[i].slot = entry_slots[i];
        block.before = sections_, block.residual = sections_ + 1, block.jacobian = sections_ + 2;
        block.follow = sections_ + 3;
        sections_ += 4;
        compiled_.blocks.push_back(std::move(block));
    }

    // See CompiledSystem::Ends.
    void share_ends() {
        std::vector<Expr> results;
        for (const Expr& e : results_) results.push_back(builder_.lowered(e));
        for (const auto& [square_root, name] : roots_) results.push_back(builder_.lowered(square_root));
        const std::span<const Expr> given(all_.given), parameters = given.last(steady_ - 1); // without the step size
        const solve::BothEnds shared =
            solve::share_ends(graph_, all_.templates(), given.first(sums_), parameters, results);
        if (shared.formulas.empty()) return;
        for (std::size_t i = roots_.size(); i-- > 0; results.pop_back()) roots_[i].first = results.back();
        results_ = std::move(results);
        CompiledSystem::Ends& ends = compiled_.ends;
        std::vector<Expr> next;
        for (const auto& m : shared.moved) {
            ends.moved.push_back({m.component, builder_.input(m.low), 0});
            next.push_back(m.next);
        }
        for (const Expr& e : shared.at_start) ends.at_start.push_back(builder_.input(e));
        for (const Expr& e : shared.at_end) ends.at_end.push_back(builder_.input(e));
        for (const Expr& e : parameters) ends.parameters.push_back(builder_.input(e));
        for (std::size_t i = 0; i < shared.formulas.size(); ++i)
            for (const Expr& symbol : {shared.at_start[i], shared.at_end[i]})
                ends.meaning.emplace_back(symbol.id(), shared.formulas[i].id());
        ends.formulas = sections_++;
        builder_.begin_scope(); // they will be evaluated twice
        ends.values = builder_.section(shared.formulas);
        builder_.end_scope();
        for (const auto& m : shared.moved) builder_.alike(m.low, given[m.component]);
        for (std::size_t i = 0; i < shared.formulas.size(); ++i)
            for (const Expr& symbol : {shared.at_start[i], shared.at_end[i]})
                builder_.alike(symbol, shared.formulas[i]);
        ends.until = sections_++;
        for (const auto& m : shared.moved) next.push_back(results_[m.component]); // not to be fused with what is added
        const std::vector<Slot> slots = builder_.section(next);
        for (std::size_t i = 0; i < ends.moved.size(); ++i) ends.moved[i].next = slots[i];
    }

    // See System::carried.
    void leave_unread(std::vector<Expr>& results) {
        if (carried_.count == 0) return;
        std::vector<NodeId> roots;
        const auto add = [&](const Expr& e) {
            if (e.graph()) roots.push_back(e.id());
        };
        for (std::size_t i = 0; i < results.size(); ++i)
            if (i < carried_.result || i >= carried_.result + carried_.count * carried_.versions) add(results[i]);
        std::for_each(all_.residual.begin(), all_.residual.end(), add);
        std::for_each(guesses_.begin(), guesses_.end(), add);
        for (const auto& part : parts_)
            if (const Whole* const w = std::get_if<Whole>(&part))
                std::for_each((*w)->guess.begin(), (*w)->guess.end(), add);
        const std::vector<NodeId> nodes = reachable(graph_, roots);
        const auto first = all_.given.begin() + static_cast<std::ptrdiff_t>(carried_.given);
        const auto last = first + static_cast<std::ptrdiff_t>(carried_.count);
        const bool read = std::any_of(
            first, last, [&](const Expr& e) { return std::binary_search(nodes.begin(), nodes.end(), e.id()); });
        auto to = results.begin() + static_cast<std::ptrdiff_t>(carried_.result);
        for (std::size_t v = 0; v < carried_.versions && !read; ++v) to = std::copy(first, last, to);
    }

    // Changes of functions that nothing reads later need not be checked. Their section stays: others may read it.
    void drop_unused_changes(Block& block) {
        if (block.changes.empty()) return;
        const Program& program = compiled_.program;
        std::vector<bool> used(program.slots, false);
        for (std::size_t s = block.follow + 1; s < program.sections.size(); ++s)
            for (const Group& g : program.sections[s].groups)
                for (std::uint32_t i = 0; i < g.count * static_cast<std::uint32_t>(arity(g.op)); ++i)
                    used[program.operands[g.operands + i]] = true;
        std::erase_if(block.changes, [&](Slot s) { return !used[s]; });
    }

    // How many iterations with an old matrix cost as much as a new one, in operations.
    int patience(const Block& block) const {
        if (block.unknowns.size() > 16) return 1; // mostly zeros: a new matrix takes little more than the residual
        const auto operations = [&](std::size_t section) {
            double sum = 0;
            for (NodeId id : compiled_.program.sections[section].nodes) sum += graph_.node(id).op < Op::sin ? 1 : 10;
            return sum;
        };
        const auto n = static_cast<double>(block.unknowns.size());
        const double renewal = operations(block.jacobian) + n * n * n / 2;
        const double ratio = renewal / (operations(block.residual) + n * n);
        return ratio < 0.5 ? 0 : std::clamp(static_cast<int>(0.2 + ratio), 1, 4); // rounded down, but for what is close
    }

    Graph& graph_;
    solve::Equations all_;
    System::Carried carried_;
    std::size_t steady_, sums_;
    const System& system_;
    bool divide_;
    std::optional<Rewriter> without_h_; // of functional iteration
    std::optional<solve::SmallBlocks> small_;
    ProgramBuilder builder_;
    CompiledSystem compiled_;
    std::deque<std::variant<Assigned, Whole>> parts_; // many: those of a chain's explicit unknowns
    std::vector<Expr> guesses_;                       // from which formulas of parts that are assigned were made
    std::vector<std::uint32_t> place_;                // of unknowns in the block at hand
    std::vector<Expr> results_;
    std::vector<std::pair<Expr, std::string>> roots_; // square roots of quadratic equations, and their unknowns
    std::size_t sections_ = 0;
};

constexpr std::size_t many_nodes = 100'000; // a few megabytes

// Gives back to the system what deriving has freed: the C library keeps it, and large arrays do not fit into its gaps.
void return_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

// Messages show formulas of the program alone.
void keep_for_messages(CompiledSystem& compiled, const Graph& graph) {
    std::vector<NodeId*> roots;
    for (Section& section : compiled.program.sections)
        for (NodeId& id : section.nodes) roots.push_back(&id);
    for (auto& [square_root, name] : compiled.roots) roots.push_back(&square_root);
    for (auto& [symbol, formula] : compiled.ends.meaning) roots.insert(roots.end(), {&symbol, &formula});
    compiled.formulas = std::make_shared<const Excerpt>(graph, roots);
}

} // namespace

std::shared_ptr<const CompiledSystem> compile(const System& system, bool divide) {
    const auto compiled = [&](bool eliminate_by_division) {
        CompiledSystem made = Compiler(solve::eliminate(system, eliminate_by_division), divide).run();
        if (system.graph->size() > many_nodes) return_memory();
        keep_for_messages(made, *system.graph);
        return std::make_shared<const CompiledSystem>(std::move(made));
    };
    try {
        try {
            return compiled(divide);
        } catch (const StructuralError&) {
            // Dependent equations become 0 = 0 when one is substituted into another. Left as they are, they are found
            // singular when they are solved, with a message that names them.
            return compiled(false);
        }
    } catch (const TooManyNodes&) {
        return compile(solve::written_out(system), divide); // as scalars, members share the formulas that they read
    }
}

} // namespace rattleback
