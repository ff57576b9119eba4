#include "solve/eliminate.hpp"

#include <algorithm>
#include <array>

#include "expr/rewrite.hpp"

namespace rattleback::solve {
namespace {

constexpr std::size_t most_unknowns = 4096; // closures are bit sets: beyond, the work would be quadratic

class Eliminator {
  public:
    explicit Eliminator(const System& system) : system_(system), graph_(*system.graph) {
        for (const Unknown& u : system.find)
            for (const Component& c : u.symbols) {
                const NodeId id = c.value.id();
                if (c.family)
                    by_family_[graph_.node(id).a] = unknowns_.size();
                else
                    by_symbol_[id] = unknowns_.size();
                unknowns_.push_back(&c);
            }
        closure_.resize(unknowns_.size());
        formula_.resize(unknowns_.size());
    }

    System run() {
        if (unknowns_.size() > most_unknowns) return system_;
        for (const Equation& e : system_.equations)
            for (std::size_t i = 0; i < e.lhs.size(); ++i) consider(e.lhs[i], e.rhs[i]);
        return order_.empty() ? system_ : rebuilt();
    }

  private:
    using Set = std::vector<char>;

    std::optional<std::size_t> unknown(NodeId id) const {
        const Node& n = graph_.node(id);
        if (n.op == Op::element) {
            const auto it = by_family_.find(n.a);
            return it == by_family_.end() ? std::nullopt : std::optional(it->second);
        }
        const auto it = by_symbol_.find(id);
        return it == by_symbol_.end() ? std::nullopt : std::optional(it->second);
    }

    // The unknown that this side of an equation is, member for member.
    std::optional<std::size_t> plain(const Component& side) const {
        if (!side.value.graph()) return {};
        const auto u = unknown(side.value.id());
        return u && unknowns_[*u]->value == side.value ? u : std::nullopt;
    }

    // u = formula: taken if the formula, with all earlier choices substituted, does not contain u.
    void consider(const Component& lhs, const Component& rhs) {
        const auto u = plain(lhs);
        if (!u || formula_[*u]) return;
        Set needs(unknowns_.size(), 0);
        if (rhs.value.graph())
            for (NodeId id : reachable(graph_, std::array{rhs.value.id()}, true))
                if (const auto w = unknown(id)) {
                    if (!formula_[*w])
                        needs[*w] = true;
                    else
                        for (std::size_t k = 0; k < needs.size(); ++k)
                            if (closure_[*w][k]) needs[k] = true;
                }
        if (needs[*u]) return;
        for (std::size_t other : order_)
            if (closure_[other][*u]) {
                for (std::size_t k = 0; k < needs.size(); ++k)
                    if (needs[k]) closure_[other][k] = true;
                closure_[other][*u] = false;
            }
        closure_[*u] = std::move(needs);
        formula_[*u] = rhs;
        order_.push_back(*u);
    }

    // Formulas that use others come after them.
    std::vector<std::size_t> substitution_order() const {
        std::vector<std::size_t> sorted;
        std::vector<char> state(unknowns_.size(), 0); // 1: waiting for others, 2: placed
        for (std::size_t root : order_) {
            std::vector<std::size_t> stack{root};
            while (!stack.empty()) {
                const std::size_t u = stack.back();
                if (state[u] == 2) {
                    stack.pop_back();
                    continue;
                }
                bool ready = true;
                if (state[u] == 0 && formula_[u]->value.graph())
                    for (NodeId id : reachable(graph_, std::array{formula_[u]->value.id()}, true))
                        if (const auto w = unknown(id); w && formula_[*w] && state[*w] == 0 && *w != u)
                            stack.push_back(*w), ready = false;
                if (state[u] == 1 || ready) {
                    state[u] = 2, sorted.push_back(u), stack.pop_back();
                } else {
                    state[u] = 1;
                }
            }
        }
        return sorted;
    }

    System rebuilt() {
        Rewriter rewrite(graph_, true);
        for (std::size_t u : substitution_order()) {
            Component formula = *unknowns_[u];
            formula.value = rewrite(formula_[u]->value);
            if (!formula.family)
                rewrite.replace(unknowns_[u]->value.id(), formula.value);
            else
                rewrite.replace_family(graph_.node(unknowns_[u]->value.id()).a, family_of(graph_, formula));
        }
        const auto rewritten = [&](Vec v) {
            for (std::size_t i = 0; i < v.size(); ++i) v[i].value = rewrite(v[i].value);
            return v;
        };
        System result{system_.graph,   system_.given, {}, {}, rewritten(system_.results),
                      system_.carried, system_.steady};
        std::size_t at = 0;
        for (const Unknown& u : system_.find) {
            Unknown kept;
            for (std::size_t i = 0; i < u.symbols.size(); ++i, ++at) {
                if (formula_[at]) continue;
                kept.symbols.push_back(u.symbols[i]);
                if (!u.guess.empty()) kept.guess.push_back(u.guess[i]);
            }
            if (!kept.symbols.empty()) result.find.push_back(std::move(kept));
        }
        for (const Equation& e : system_.equations) {
            Equation kept;
            for (std::size_t i = 0; i < e.lhs.size(); ++i) {
                const auto u = plain(e.lhs[i]);
                if (u && formula_[*u] && formula_[*u]->value == e.rhs[i].value) {
                    if (!used_[*u]) {
                        used_[*u] = true;
                        continue;
                    }
                }
                kept.lhs.push_back(e.lhs[i]), kept.rhs.push_back(e.rhs[i]);
            }
            if (!kept.lhs.empty()) result.equations.push_back({rewritten(kept.lhs), rewritten(kept.rhs)});
        }
        return result;
    }

    const System& system_;
    Graph& graph_;
    std::vector<const Component*> unknowns_;
    std::unordered_map<NodeId, std::size_t> by_symbol_;
    std::unordered_map<FamilyId, std::size_t> by_family_;
    std::vector<Set> closure_;                      // of eliminated unknowns: the others they depend on
    std::vector<std::optional<Component>> formula_; // of eliminated unknowns
    std::vector<std::size_t> order_;
    std::unordered_map<std::size_t, bool> used_;
};

} // namespace

System eliminate(const System& system) { return Eliminator(system).run(); }

} // namespace rattleback::solve
