#include "solve/eliminate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_set>

#include "expr/rewrite.hpp"
#include "solve/monomial.hpp"
#include "solve/sample.hpp"
#include "solve/system.hpp"

namespace rattleback::solve {
namespace {

constexpr std::size_t most_unknowns = 4096; // dependencies are bit sets, whose cost is quadratic
constexpr std::size_t most_divided = 64;    // unknowns of a system that is searched for divisions
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
        closure_.resize(unknowns_.size());
        formula_.resize(unknowns_.size());
        const std::size_t without_h = system.functional ? 1 : 0; // whose matrices belong to h = 0
        for (std::size_t i = system.given.size() - system.steady + without_h; i < system.given.size(); ++i)
            steady_.push_back(system.given[i].value.id());
    }

    System run(bool divide) {
        if (unknowns_.size() > most_unknowns) return system_;
        for_equations([&](const Component& lhs, const Component& rhs) { return give_outright(lhs, rhs); });
        if (divide && !system_.typical.empty() && unknowns_.size() <= most_divided)
            for_equations([&](const Component& lhs, const Component& rhs) {
                return by_family_.empty() ? give_divided(lhs, rhs) : give_family(lhs, rhs);
            });
        return order_.empty() ? system_ : rebuilt();
    }

  private:
    using Set = std::vector<char>;

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

    // The unknowns that a formula depends on after the substitutions chosen so far.
    Set unknowns_of(const Expr& formula) const {
        Set needs(unknowns_.size(), 0);
        if (formula.graph())
            for (NodeId id : reachable(graph_, std::array{formula.id()}, true))
                if (const auto w = unknown(id)) {
                    if (!formula_[*w])
                        needs[*w] = true;
                    else
                        for (std::size_t k = 0; k < needs.size(); ++k)
                            if (closure_[*w][k]) needs[k] = true;
                }
        return needs;
    }

    void choose(std::size_t u, const Component& formula, Set needs) {
        for (std::size_t other : order_)
            if (closure_[other][u]) {
                for (std::size_t k = 0; k < needs.size(); ++k)
                    if (needs[k]) closure_[other][k] = true;
                closure_[other][u] = false;
            }
        closure_[u] = std::move(needs);
        formula_[u] = formula;
        order_.push_back(u);
    }

    // u = formula: taken if the formula does not contain u.
    bool give_outright(const Component& lhs, const Component& rhs) {
        const auto u = plain(lhs);
        if (!u || formula_[*u]) return false;
        Set needs = unknowns_of(rhs.value);
        if (needs[*u]) return false;
        choose(*u, rhs, std::move(needs));
        return true;
    }

    // c u + rest = 0 where c may be divided by: u = -rest/c, such as a velocity that enters with a mass. Only where all
    // unknowns of the equation are of one group, since u loses its own starting value. Without this the Chaplygin
    // sleigh (gni) has 3 unknowns instead of 1 and 1.35 times the iterations; over the gallery it makes no difference
    // on average.
    bool give_divided(const Component& lhs, const Component& rhs) {
        const Expr residual = lhs.value - rhs.value;
        if (!residual.graph()) return false;
        const Set needs = unknowns_of(residual);
        std::vector<std::size_t> candidates;
        for (std::size_t u = 0; u < needs.size(); ++u)
            if (needs[u]) candidates.push_back(u);
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
            Set others = needs;
            others[u] = false;
            choose(u, formula, std::move(others));
            return true;
        }
        return false;
    }

    // The same for a family if each of its equations contains its own member alone: the velocities of a chain go all at
    // once, before the family is expanded. Dividing an equation of one unknown loses no digits, whatever the divisor.
    // Without this, setting up Verlet on a chain of 20,000 takes 1.8 times as long.
    bool give_family(const Component& lhs, const Component& rhs) {
        Component residual = lhs;
        residual.value = lhs.value - rhs.value;
        if (!residual.family || !residual.value.graph()) return false;
        const Set needs = unknowns_of(residual.value);
        const auto u = static_cast<std::size_t>(std::find(needs.begin(), needs.end(), true) - needs.begin());
        if (std::count(needs.begin(), needs.end(), true) != 1 || !stands_for_itself(residual.value, u)) return false;
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
        choose(u, formula, Set(unknowns_.size(), 0));
        return true;
    }
    // Whether a formula contains no substituted unknowns, and u in no condition.
    bool stands_for_itself(const Expr& formula, std::size_t u) const {
        const std::vector<NodeId> nodes = reachable(graph_, std::array{formula.id()}, true);
        std::vector<NodeId> conditions;
        for (NodeId id : nodes) {
            if (const auto w = unknown(id); w && formula_[*w]) return false;
            const Op op = graph_.node(id).op;
            if (op == Op::sign || (op >= Op::lt && op <= Op::either)) conditions.push_back(id);
        }
        const std::vector<NodeId> seen = reachable(graph_, conditions, true);
        return std::none_of(seen.begin(), seen.end(), [&](NodeId id) { return unknown(id) == u; });
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
        System result{
            system_.graph,  system_.given,   {},           {},          rewritten(system_.results), system_.carried,
            system_.steady, system_.typical, system_.sums, divides_by_, system_.functional,         system_.restarts};
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
    std::vector<std::optional<Component>> formula_; // of eliminated unknowns
    std::vector<std::size_t> order_;
    std::vector<bool> used_; // components of equations that gave an unknown
    std::vector<const Unknown*> group_;
    std::vector<NodeId> steady_;  // parameters and the step size
    std::set<NodeId> divides_by_; // of these
    std::unordered_set<NodeId> given_;
    std::optional<Sample> sample_;
};

} // namespace

System eliminate(const System& system, bool divide) { return Eliminator(system).run(divide); }

} // namespace rattleback::solve
