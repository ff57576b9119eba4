// From a System to something that runs: linear solves become unknowns, equations are put in block-triangular order,
// explicit ones become assignments, and every formula goes into the section where it is first needed.
#include <rattleback/solve.hpp>

#include <algorithm>
#include <array>
#include <set>

#include "expr/expander.hpp"
#include "expr/rewrite.hpp"
#include "solve/angles.hpp"
#include "solve/eliminate.hpp"
#include "solve/products.hpp"
#include "solve/structure.hpp"

namespace rattleback {
namespace {

class Compiler {
  public:
    explicit Compiler(const System& system) : graph_(*system.graph), expander_(graph_), builder_(graph_) {
        compiled_.graph = system.graph;
        gather(system);
        replace_linear_solves();
        order();
    }

    CompiledSystem run() {
        for (const Expr& e : expander_.members(given_)) builder_.input(e);
        compiled_.given = static_cast<std::size_t>(given_.count());
        is_implicit_.assign(symbol_.size(), false);
        for (const auto& block : structure_.blocks)
            if (!assign(block)) implicit(block), is_implicit_[block[0]] = true;
        std::vector<Expr> results = expander_.members(results_);
        leave_unread(results);
        compiled_.results = builder_.section(results);
        compiled_.result_names = expanded_names(results_);
        compiled_.program = builder_.finish();
        compiled_.after = compiled_.program.sections.size() - 1;
        for (Block& block : compiled_.blocks) block.patience = patience(block), drop_unused_changes(block);
        return std::move(compiled_);
    }

  private:
    void gather(const System& system) {
        given_ = system.given;
        carried_ = system.carried;
        results_ = system.results;
        std::uint32_t kind = 0;
        for (const Unknown& u : system.find) {
            unknowns_ = concat({unknowns_, u.symbols});
            guess_ = concat({guess_, u.guess.empty() ? zeros_like(u.symbols) : u.guess});
            kind_.insert(kind_.end(), static_cast<std::size_t>(u.symbols.count()), kind++);
        }
        kinds_ = kind;
        for (const Equation& e : system.equations) residuals_ = concat({residuals_, e.lhs - e.rhs});
    }

    // solve(A, b): its solution becomes unknowns, A w = b equations of the system.
    void replace_linear_solves() {
        std::vector<NodeId> roots;
        for (const Vec* v : {&residuals_, &results_, &guess_})
            for (const Component& c : *v)
                if (c.value.graph()) roots.push_back(c.value.id());
        std::set<std::uint32_t> systems;
        std::vector<NodeId> nodes;
        for (NodeId id : reachable(graph_, roots, true))
            if (graph_.node(id).op == Op::solve) systems.insert(graph_.node(id).a), nodes.push_back(id);
        if (systems.empty()) return;
        Rewriter rewrite(graph_, true);
        const auto symbol = [&](std::uint32_t s, std::uint32_t i) {
            return graph_.symbol("solve" + std::to_string(s) + "[" + std::to_string(i + 1) + "]");
        };
        for (std::uint32_t s : systems)
            for (std::uint32_t i = 0; i < graph_.system(s).n; ++i)
                rewrite.replace(graph_.solution(s, i).id(), symbol(s, i));
        const auto rewritten = [&](Vec v) {
            for (std::size_t i = 0; i < v.size(); ++i) v[i].value = rewrite(v[i].value);
            return v;
        };
        residuals_ = rewritten(residuals_), results_ = rewritten(results_), guess_ = rewritten(guess_);
        Vec solution, equations, zero;
        std::vector<std::uint32_t> kind;
        for (std::uint32_t s : systems) {
            const LinearSystem system = graph_.system(s);
            for (std::uint32_t i = 0; i < system.n; ++i) {
                Expr row = -rewrite(Expr(graph_, system.rhs[i]));
                for (std::uint32_t j = 0; j < system.n; ++j)
                    row = row + rewrite(Expr(graph_, system.matrix[i * system.n + j])) * symbol(s, j);
                solution.push_back({graph_.name(symbol(s, i).id()), symbol(s, i)});
                equations.push_back({"linear system", row});
                zero.push_back({"", 0.0});
                kind.push_back(kinds_);
            }
            ++kinds_;
        }
        // In front, so that what depends on given values alone is solved before any guess that uses it.
        unknowns_ = concat({solution, unknowns_}), residuals_ = concat({equations, residuals_});
        guess_ = concat({zero, guess_});
        kind_.insert(kind_.begin(), kind.begin(), kind.end());
    }

    void order() {
        symbol_ = expander_.members(unknowns_);
        names_ = expanded_names(unknowns_);
        start_ = expander_.members(guess_);
        residual_ = expander_.members(residuals_);
        const auto n = static_cast<std::uint32_t>(symbol_.size());
        if (residual_.size() != n)
            throw StructuralError("there are " + std::to_string(residual_.size()) + " equations for " +
                                  std::to_string(n) + " unknowns");
        rows_.resize(n);
        std::vector<std::vector<std::uint32_t>> pattern(n);
        for (ScalarEntry& e : expander_.entries(jacobian(residuals_, unknowns_), residuals_, unknowns_)) {
            pattern[e.row].push_back(e.column);
            rows_[e.row].push_back(std::move(e));
        }
        add_switches(pattern);
        structure_ = solve::block_triangular(pattern, n, mentioned_);
        if (structure_.determined) return;
        std::string missing;
        for (std::uint32_t u = 0; u < n; ++u)
            if (structure_.equation_of[u] < 0) missing += (missing.empty() ? "" : ", ") + names_[u];
        throw StructuralError("the equations do not determine " + missing, missing);
    }

    // Functions that are constant where they are smooth: derivatives do not see what they depend on.
    static bool is_switch(Op op) { return op == Op::sign || (op >= Op::lt && op <= Op::either); }

    // An equation that looks at an unknown in a condition comes after that unknown, too; and so does one that mentions
    // an unknown which cancels in it: its derivative is zero, but its formula needs a value.
    void add_switches(std::vector<std::vector<std::uint32_t>>& pattern) {
        std::unordered_map<NodeId, std::uint32_t> unknown;
        for (std::uint32_t u = 0; u < symbol_.size(); ++u) unknown[symbol_[u].id()] = u;
        switches_.resize(residual_.size()), mentioned_.resize(residual_.size());
        std::vector<std::size_t> depends(symbol_.size(), residual_.size()); // the last equation that does on an unknown
        for (std::size_t e = 0; e < residual_.size(); ++e) {
            if (!residual_[e].graph()) continue;
            std::vector<NodeId> conditions;
            for (NodeId id : reachable(graph_, std::array{residual_[e].id()}))
                if (is_switch(graph_.node(id).op))
                    conditions.push_back(id);
                else if (const auto it = unknown.find(id); it != unknown.end())
                    mentioned_[e].push_back(it->second);
            for (const ScalarEntry& x : rows_[e]) depends[x.column] = e;
            std::erase_if(mentioned_[e], [&](std::uint32_t u) { return depends[u] == e; });
            if (conditions.empty()) continue;
            for (NodeId id : reachable(graph_, conditions))
                if (const auto it = unknown.find(id); it != unknown.end()) switches_[e].push_back(it->second);
            for (std::uint32_t u : switches_[e])
                if (std::find(pattern[e].begin(), pattern[e].end(), u) == pattern[e].end()) pattern[e].push_back(u);
        }
    }
    bool switches(const std::vector<std::uint32_t>& block) const {
        return std::any_of(block.begin(), block.end(), [&](std::uint32_t u) {
            const auto& seen = switches_[static_cast<std::size_t>(structure_.equation_of[u])];
            return std::any_of(seen.begin(), seen.end(), [&](std::uint32_t s) {
                return std::find(block.begin(), block.end(), s) != block.end();
            });
        });
    }

    bool depends(std::span<const Expr> formulas, const std::vector<std::uint32_t>& block) {
        std::vector<NodeId> roots;
        for (const Expr& e : formulas)
            if (e.graph()) roots.push_back(e.id());
        const auto nodes = reachable(graph_, roots);
        return std::any_of(block.begin(), block.end(), [&](std::uint32_t u) {
            return std::binary_search(nodes.begin(), nodes.end(), symbol_[u].id());
        });
    }

    // One unknown in which its equation is linear: an assignment.
    bool assign(const std::vector<std::uint32_t>& block) {
        if (block.size() != 1) return false;
        const std::uint32_t u = block[0], e = static_cast<std::uint32_t>(structure_.equation_of[u]);
        const auto entry = std::find_if(rows_[e].begin(), rows_[e].end(), [&](auto& x) { return x.column == u; });
        if (entry == rows_[e].end() || switches(block) || depends(std::array{entry->value}, block)) return false;
        Rewriter at_zero(graph_, false);
        at_zero.replace(symbol_[u].id(), 0.0);
        builder_.alias(symbol_[u], -at_zero(residual_[e]) / entry->value);
        return true;
    }

    void implicit(const std::vector<std::uint32_t>& unknowns) {
        Block block;
        std::vector<Expr> symbols, residuals, entries, guess;
        std::unordered_map<std::uint32_t, std::uint32_t> place;
        for (std::uint32_t u : unknowns) place[u] = static_cast<std::uint32_t>(place.size());
        std::set<std::uint32_t> kinds;
        for (std::uint32_t u : unknowns) {
            const auto e = static_cast<std::uint32_t>(structure_.equation_of[u]);
            symbols.push_back(symbol_[u]);
            block.unknowns.push_back(builder_.input(symbol_[u]));
            block.names.push_back(names_[u]);
            guess.push_back(start_[u]);
            residuals.push_back(residual_[e]);
            kinds.insert(kind_[u]);
            for (const ScalarEntry& entry : rows_[e])
                if (auto it = place.find(entry.column); it != place.end()) {
                    block.entries.push_back({place[u], it->second, 0});
                    entries.push_back(entry.value);
                }
        }
        for (std::uint32_t u : unknowns)
            block.kind.push_back(static_cast<std::uint32_t>(std::distance(kinds.begin(), kinds.find(kind_[u]))));
        block.kinds = static_cast<std::uint32_t>(kinds.size());
        block.linear = !switches(unknowns) && !depends(entries, unknowns);
        std::vector<Expr> formulas = residuals;
        formulas.insert(formulas.end(), entries.begin(), entries.end());
        std::vector<Expr> before = builder_.invariants(formulas, symbols);
        const std::size_t fixed = before.size();
        before.insert(before.end(), guess.begin(), guess.end());
        const std::vector<Slot> slots = builder_.section(before);
        block.guess.assign(slots.begin() + static_cast<std::ptrdiff_t>(fixed), slots.end());
        builder_.begin_scope();
        block.residuals = builder_.section(residuals);
        const std::vector<Expr> changes = block.linear ? std::vector<Expr>() : builder_.follow(sections_ + 1);
        const std::vector<Slot> entry_slots = builder_.section(entries);
        builder_.end_scope();
        block.changes = builder_.section(changes);
        for (std::size_t i = 0; i < entry_slots.size(); ++i) block.entries[i].slot = entry_slots[i];
        block.before = sections_, block.residual = sections_ + 1, block.jacobian = sections_ + 2;
        block.follow = sections_ + 3;
        sections_ += 4;
        compiled_.blocks.push_back(std::move(block));
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
        std::for_each(residual_.begin(), residual_.end(), add);
        for (const auto& block : structure_.blocks)
            if (is_implicit_[block[0]])
                for (std::uint32_t u : block) add(start_[u]);
        const std::vector<NodeId> nodes = reachable(graph_, roots);
        const std::vector<Expr> given = expander_.members(given_);
        const auto first = given.begin() + static_cast<std::ptrdiff_t>(carried_.given);
        const auto last = first + static_cast<std::ptrdiff_t>(carried_.count);
        const bool read = std::any_of(
            first, last, [&](const Expr& e) { return std::binary_search(nodes.begin(), nodes.end(), e.id()); });
        auto to = results.begin() + static_cast<std::ptrdiff_t>(carried_.result);
        for (std::size_t v = 0; v < carried_.versions && !read; ++v) to = std::copy(first, last, to);
    }

    // What is not followed need not be small. The section stays: later ones may have taken other values from it.
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
        return std::clamp(static_cast<int>(renewal / (operations(block.residual) + n * n)), 1, 4);
    }

    Graph& graph_;
    Expander expander_;
    ProgramBuilder builder_;
    CompiledSystem compiled_;
    Vec given_, unknowns_, guess_, residuals_, results_;
    std::vector<std::uint32_t> kind_;
    std::uint32_t kinds_ = 0;
    System::Carried carried_;
    std::vector<bool> is_implicit_; // by unknown, of the first of a block
    std::vector<Expr> symbol_, start_, residual_;
    std::vector<std::string> names_;
    std::vector<std::vector<ScalarEntry>> rows_;
    std::vector<std::vector<std::uint32_t>> switches_;  // by equation: unknowns in its conditions
    std::vector<std::vector<std::uint32_t>> mentioned_; // by equation: unknowns that cancel in it
    solve::BlockStructure structure_;
    std::size_t sections_ = 0;
};

} // namespace

std::shared_ptr<const CompiledSystem> compile(const System& system) {
    System least = solve::eliminate(system);
    if (system.steady > 0) least = solve::order_products(solve::share_angles(std::move(least))); // will run often
    return std::make_shared<const CompiledSystem>(Compiler(least).run());
}

} // namespace rattleback
