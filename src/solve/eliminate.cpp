#include "solve/eliminate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <unordered_set>

#include "expr/rewrite.hpp"
#include "solve/monomial.hpp"
#include "solve/sample.hpp"
#include "solve/system.hpp"

namespace rattleback::solve {
namespace {

constexpr std::size_t most_unknowns = 4096; // what implicit ones depend on may grow with the square of their number
constexpr std::size_t most_divided = 64;    // unknowns of a system that is searched for divisions
constexpr std::size_t least_alone = 512;    // unknowns of one that is searched for equations of one unknown each
constexpr std::size_t most_needed = 8;      // unknowns of an equation that is divided
constexpr std::size_t most_nodes = 1000;    // of such an equation

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
                unknowns_.push_back(&c), group_.push_back(&u);
            }
        closure_.resize(unknowns_.size()), users_.resize(unknowns_.size());
        formula_.resize(unknowns_.size()), marked_.resize(unknowns_.size(), false);
        const std::size_t without_h = system.functional ? 1 : 0; // whose matrices belong to h = 0
        for (std::size_t i = system.given.size() - system.steady + without_h; i < system.given.size(); ++i)
            steady_.push_back(system.given[i].value.id());
    }

    System run(bool divide) {
        const bool many = unknowns_.size() > most_unknowns;
        divide = divide && !system_.typical.empty();
        if (divide && by_family_.empty() && unknowns_.size() >= least_alone) find_slopes();
        if (many) {
            for_equations([&](const Component& lhs, const Component& rhs) {
                return give_outright(lhs, rhs, many) || give_alone(lhs, rhs);
            });
        } else {
            for_equations([&](const Component& lhs, const Component& rhs) { return give_outright(lhs, rhs, many); });
            if (divide)
                for_equations([&](const Component& lhs, const Component& rhs) {
                    if (!by_family_.empty()) return give_family(lhs, rhs);
                    return unknowns_.size() <= most_divided ? give_divided(lhs, rhs) : give_alone(lhs, rhs);
                });
        }
        const bool is_explicit = order_.size() == unknowns_.size();
        return order_.empty() || (many && !is_explicit) ? system_ : rebuilt();
    }

  private:
    using Set = std::vector<std::size_t>;    // ascending
    using Sides = std::pair<NodeId, NodeId>; // of an equation

    static bool contains(const Set& set, std::size_t u) { return std::binary_search(set.begin(), set.end(), u); }

    // Calls use(lhs, rhs) for every equation that has not given an unknown yet.
    template <class F> void for_equations(F use) {
        std::size_t at = 0;
        for (const Equation& e : system_.equations)
            for (std::size_t i = 0; i < e.lhs.size(); ++i, ++at) {
                used_.resize(std::max(used_.size(), at + 1), false);
                if (!used_[at] && use(e.lhs[i], e.rhs[i])) used_[at] = true;
            }
    }

    std::optional<std::size_t> unknown(NodeId id) const {
        const Node& n = graph_.node(id);
        if (n.op == Op::element) {
            const auto it = by_family_.find(n.a);
            return it == by_family_.end() ? std::nullopt : std::optional(it->second);
        }
        const auto it = by_symbol_.find(id);
        return it == by_symbol_.end() ? std::nullopt : std::optional(it->second);
    }

    // The unknown that a side of an equation consists of.
    std::optional<std::size_t> plain(const Component& side) const {
        if (!side.value.graph()) return {};
        const auto u = unknown(side.value.id());
        return u && unknowns_[*u]->value == side.value ? u : std::nullopt;
    }

    // Calls use(u) for every unknown that a formula names.
    template <class F> void for_unknowns(const Expr& formula, F&& use) const {
        if (!formula.graph()) return;
        const auto look = [&](NodeId id) {
            if (const auto u = unknown(id)) use(*u);
        };
        if (!by_family_.empty()) {
            for (NodeId id : reachable(graph_, std::array{formula.id()}, true)) look(id);
            return;
        }
        std::vector<NodeId> stack{formula.id()}; // scalars: many, and not sorted
        graph_.begin_visit();
        while (!stack.empty()) {
            const NodeId id = stack.back();
            stack.pop_back();
            if (!graph_.visit(id)) continue;
            look(id);
            graph_.for_children(id, [&](NodeId child) { stack.push_back(child); });
        }
    }

    // The unknowns that a formula depends on after the substitutions chosen so far.
    Set unknowns_of(const Expr& formula) {
        Set needs;
        const auto need = [&](std::size_t u) {
            if (!marked_[u]) marked_[u] = true, needs.push_back(u);
        };
        for_unknowns(formula, [&](std::size_t w) {
            if (!formula_[w])
                need(w);
            else
                std::for_each(closure_[w].begin(), closure_[w].end(), need);
        });
        for (std::size_t u : needs) marked_[u] = false;
        std::sort(needs.begin(), needs.end());
        return needs;
    }

    void choose(std::size_t u, const Component& formula, const Set& needs) {
        const auto set_closure = [&](std::size_t of, Set to) {
            for (std::size_t k : needs) users_[k].push_back(of);
            closure_[of] = std::move(to);
        };
        for (std::size_t other : users_[u]) {
            if (!contains(closure_[other], u)) continue; // noted twice
            Set both;
            std::set_union(closure_[other].begin(), closure_[other].end(), needs.begin(), needs.end(),
                           std::back_inserter(both));
            std::erase(both, u);
            set_closure(other, std::move(both));
        }
        users_[u].clear();
        set_closure(u, needs);
        formula_[u] = formula;
        order_.push_back(u);
    }

    // u = formula: taken if the formula does not contain u. Of many unknowns only if it is explicit, or a mere name.
    bool give_outright(const Component& lhs, const Component& rhs, bool many) {
        const auto u = plain(lhs);
        if (!u || formula_[*u]) return false;
        const Set needs = unknowns_of(rhs.value);
        if (contains(needs, *u) || (many && !needs.empty() && !plain(rhs))) return false;
        choose(*u, rhs, needs);
        return true;
    }

    // c u + rest = 0 where c may be divided by: u = -rest/c, such as a velocity that enters with a mass. Only where all
    // unknowns of the equation are of one group, since u loses its own starting value. Without this the Chaplygin
    // sleigh (gni) has 3 unknowns instead of 1 and 1.35 times the iterations; over the gallery it makes no difference
    // on average.
    bool give_divided(const Component& lhs, const Component& rhs) {
        const Expr residual = lhs.value - rhs.value;
        if (!residual.graph()) return false;
        const Set candidates = unknowns_of(residual);
        if (candidates.size() < 2 || candidates.size() > most_needed) return false;
        for (std::size_t u : candidates)
            if (group_[u] != group_[candidates[0]]) return false;
        const std::vector<NodeId> nodes = reachable(graph_, std::array{residual.id()});
        if (nodes.size() > most_nodes) return false;
        for (NodeId id : nodes) // equations that contain substituted unknowns are left alone
            if (const auto w = unknown(id); w && formula_[*w]) return false;
        std::vector<Expr> slopes;
        double largest = 0;
        for (std::size_t u : candidates) {
            slopes.push_back(derivative(residual, unknowns_[u]->value));
            const double size = typical_size(slopes.back());
            if (!std::isfinite(size)) return false;
            largest = std::max(largest, size);
        }
        for (std::size_t k = 0; k < candidates.size(); ++k) {
            const std::size_t u = candidates[k];
            const Expr slope = slopes[k];
            if (!(typical_size(slope) > 0.1 * largest) || !may_divide(slope, slopes, steady_)) continue;
            Rewriter none(graph_, false);
            none.replace(unknowns_[u]->value.id(), Expr(0));
            Component formula = *unknowns_[u];
            formula.value = -none(residual) / slope;
            add_symbols(slope, divides_by_);
            Set others = candidates;
            std::erase(others, u);
            choose(u, formula, others);
            return true;
        }
        return false;
    }

    // The same for a family if each of its equations contains its own member alone: the velocities of a chain go all at
    // once, before the family is expanded. Dividing an equation of one unknown loses no digits, whatever the divisor.
    // Without this, setting up Verlet on a chain of 20,000 takes 1.8 times as long. Of many families only those with
    // sums go, whose matrices of derivatives are full; for a chain with dop853 it takes 1.6 times as long.
    bool give_family(const Component& lhs, const Component& rhs) {
        Component residual = lhs;
        residual.value = lhs.value - rhs.value;
        if (!residual.family || !residual.value.graph()) return false;
        const Set needs = unknowns_of(residual.value);
        if (needs.size() != 1 || !stands_for_itself(residual.value, needs[0])) return false;
        if (is_late(residual.value) && !has_sum(residual.value)) return false;
        const std::size_t u = needs[0];
        const Component& unknown = *unknowns_[u];
        if (!unknown.family || unknown.lo != residual.lo || unknown.hi != residual.hi) return false;
        const std::vector<JacobianTerm> slopes = jacobian(Vec({residual}), Vec({unknown}));
        if (slopes.size() != 1 || slopes[0].kind != JacobianTerm::stencil || slopes[0].shift != 0) return false;
        const Expr slope = slopes[0].value;
        if (!is_of(slope, steady_) || !(typical_size(slope) > 0)) return false;
        Component zero = unknown, formula = unknown;
        zero.name = "no " + unknown.name, zero.value = graph_.constant(0);
        Rewriter none(graph_, true);
        none.replace(unknown.value.id(), zero.value);
        none.replace_family(graph_.node(unknown.value.id()).a, family_of(graph_, zero)); // where its border matters
        formula.value = -none(residual.value) / slope;
        choose(u, formula, {});
        return true;
    }

    // The same for many scalars: the accelerations of bodies with masses, stage by stage. Without this each is an
    // unknown of a matrix of derivatives that has a block for every two stages (60 bodies with dop853: 8 s and 1.9 GB).
    bool give_alone(const Component& lhs, const Component& rhs) {
        const auto found = slopes_.find({lhs.value.in(graph_), rhs.value.in(graph_)});
        if (found == slopes_.end()) return false;
        const auto& [u, slope] = found->second;
        const Expr residual = lhs.value - rhs.value;
        if (formula_[u] || unknowns_of(residual) != Set{u} || !stands_for_itself(residual, u)) return false;
        if (slope.is(0) || !is_of(slope, steady_) || !(typical_size(slope) > 0)) return false;
        const auto without = [&, &number = u](const Expr& side) { // of a small one: u stands beside its mass
            bool named = false;
            for_unknowns(side, [&](std::size_t w) { named |= w == number; });
            if (!named) return side;
            Rewriter none(graph_, false);
            none.replace(unknowns_[number]->value.id(), Expr(0));
            return none(side);
        };
        Component formula = *unknowns_[u];
        formula.value = -(without(lhs.value) - without(rhs.value)) / slope;
        choose(u, formula, {});
        return true;
    }
    // Of equations that name one unknown that no equation gives outright, in one pass: a pass takes time for each node.
    void find_slopes() {
        std::vector<char> outright(unknowns_.size(), false);
        for_equations([&](const Component& lhs, const Component&) {
            if (const auto u = plain(lhs)) outright[*u] = true;
            return false;
        });
        Vec residuals, own;
        std::vector<std::pair<Sides, std::size_t>> rows; // and their unknowns
        for_equations([&](const Component& lhs, const Component& rhs) {
            const Expr residual = lhs.value - rhs.value;
            if (plain(lhs) || !residual.graph()) return false;
            Set named;
            for_unknowns(residual, [&](std::size_t u) {
                if (!outright[u]) named.push_back(u);
            });
            if (named.size() != 1) return false;
            residuals.push_back({lhs.name, residual}), own.push_back(*unknowns_[named[0]]);
            rows.emplace_back(Sides(lhs.value.in(graph_), rhs.value.in(graph_)), named[0]);
            return false;
        });
        for (const JacobianTerm& t : jacobian(residuals, own))
            if (own[t.column].value == own[t.row].value) slopes_[rows[t.row].first] = {rows[t.row].second, t.value};
    }

    // Whether a formula contains u itself alone: not in what was substituted, and in no condition.
    bool stands_for_itself(const Expr& formula, std::size_t u) const {
        const std::vector<NodeId> nodes = reachable(graph_, std::array{formula.id()}, true);
        std::vector<NodeId> conditions;
        for (NodeId id : nodes) {
            if (const auto w = unknown(id); w && formula_[*w] && contains(closure_[*w], u)) return false;
            const Op op = graph_.node(id).op;
            if (op == Op::sign || (op >= Op::lt && op <= Op::either)) conditions.push_back(id);
        }
        const std::vector<NodeId> seen = reachable(graph_, conditions, true);
        return std::none_of(seen.begin(), seen.end(), [&](NodeId id) { return unknown(id) == u; });
    }

    bool is_late(const Expr& formula) const {
        bool late = unknowns_.size() > most_divided;
        for_unknowns(formula, [&](std::size_t w) { late |= formula_[w].has_value(); });
        return late;
    }
    bool has_sum(const Expr& formula) const {
        const std::vector<NodeId> nodes = reachable(graph_, std::array{formula.id()}, true);
        return std::any_of(nodes.begin(), nodes.end(), [&](NodeId id) { return graph_.node(id).op == Op::sum; });
    }

    Sample& sample() {
        if (!sample_) {
            sample_.emplace(graph_);
            const std::size_t changing = system_.given.size() - system_.typical.size();
            for (std::size_t i = 0; i < system_.given.size(); ++i)
                i < changing ? sample_->set(system_.given[i].value)
                             : sample_->set(system_.given[i].value, system_.typical[i - changing]);
            for (const Component* c : unknowns_) sample_->set(c->value);
        }
        return *sample_;
    }
    double typical_size(const Expr& formula) { return std::abs(sample().at(formula)[Sample::near_one]); }

    // An eliminated unknown leaves its starting value behind as a scale of its kind: see Unknown::beside.
    bool is_given(const Expr& e) {
        if (given_.empty())
            for (const Component& c : system_.given)
                if (!c.family) given_.insert(c.value.id());
        return e.graph() && given_.contains(e.id());
    }

    // Topological order: formulas come after those that they use.
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
        System result{system_.graph,
                      system_.given,
                      {},
                      {},
                      rewritten(system_.results),
                      system_.carried,
                      system_.steady,
                      system_.typical,
                      system_.sums,
                      divides_by_,
                      system_.functional,
                      system_.restarts,
                      system_.sizes,
                      system_.step_like,
                      system_.reorder_refused};
        std::size_t at = 0;
        for (const Unknown& u : system_.find) {
            Unknown kept;
            kept.beside = u.beside;
            for (std::size_t i = 0; i < u.symbols.size(); ++i, ++at) {
                if (formula_[at]) {
                    if (!u.guess.empty() && is_given(u.guess[i].value)) kept.beside.push_back(u.guess[i].value);
                    continue;
                }
                kept.symbols.push_back(u.symbols[i]);
                if (!u.guess.empty()) kept.guess.push_back(u.guess[i]);
            }
            if (!kept.symbols.empty()) result.find.push_back(std::move(kept));
        }
        std::size_t equation = 0;
        for (const Equation& e : system_.equations) {
            Equation kept;
            for (std::size_t i = 0; i < e.lhs.size(); ++i) {
                if (used_[equation++]) continue;
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
    std::vector<Set> closure_;                      // of eliminated unknowns: the remaining ones they depend on
    std::vector<std::vector<std::size_t>> users_;   // of remaining ones: the eliminated ones that depend on them
    std::vector<char> marked_;                      // used by unknowns_of
    std::vector<std::optional<Component>> formula_; // of eliminated unknowns
    std::vector<std::size_t> order_;
    std::map<Sides, std::pair<std::size_t, Expr>> slopes_; // of some equations: see find_slopes
    std::vector<bool> used_;                               // components of equations that gave an unknown
    std::vector<const Unknown*> group_;
    std::vector<NodeId> steady_;  // parameters and the step size
    std::set<NodeId> divides_by_; // of these
    std::unordered_set<NodeId> given_;
    std::optional<Sample> sample_;
};

} // namespace

System eliminate(const System& system, bool divide) { return Eliminator(system).run(divide); }

} // namespace rattleback::solve
