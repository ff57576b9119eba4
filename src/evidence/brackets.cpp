// Dirac's algorithm on a model, as objects to look at: brackets, hidden constraints, what is invariant and how.
#include <rattleback/evidence.hpp>

#include <cmath>

#include "evidence/studies.hpp"
#include "expr/graph.hpp"
#include "formulation/chain.hpp"
#include "formulation/dirac.hpp"
#include "model/copy.hpp"

namespace rattleback {
namespace {

using Kind = BracketStudy::Kind;

constexpr double negligible = 1e-8;

double largest(const std::vector<std::vector<double>>& rows, std::size_t column) {
    double result = 0;
    for (const auto& r : rows) result = std::max(result, std::abs(r[column]));
    return result;
}

// Equations of motion in all of (q, p) that have the constraint set as an invariant set, by method.
struct Motion {
    std::string name;
    Vec field; // (q', p')
};

std::vector<Motion> motions(const Model& model, const DiracChain& chain) {
    std::vector<Motion> all{{"H alone", chain.field(chain.H)}};
    if (model.kind != Model::general && model.phase.empty()) {
        const Dirac sys(model);
        const Vec none = zeros_like(sys.psi), eta = sys.eta();
        all.push_back({"underlying", sys.field(sys.mu(none), none)});
        all.push_back({"dirac", sys.field(sys.total())});
        all.push_back({"dirac_simplified", sys.field(sys.simplified())});
        all.push_back({"dirac_weak", sys.field(sys.mu(eta), eta)});
        return all;
    }
    all.push_back({"dirac", chain.hamiltonian().rate});
    const FirstOrder weak = chain.weak();
    all.push_back({"dirac_weak", weak.y.empty() ? weak.rate : substitute(weak.rate, {{weak.y, chain.mu()}})});
    return all;
}

// Its rate along the motion, on the constraint set and off it, beside the size of what it is made of.
Kind kind_of(const DiracChain& chain, const Expr& f, const Motion& motion) {
    const Vec x = concat({chain.w, chain.time}), one({{"t", Expr(1)}});
    const Vec slope = gradient(f, x), field = concat({motion.field, one}), alone = concat({chain.field(chain.H), one});
    Vec parts({{"", derivative_along(f, x, field)}});
    Expr size = 0;
    for (std::size_t i = 0; i < slope.size(); ++i)
        size = size + fn::abs(slope[i].value * field[i].value) + fn::abs(slope[i].value * alone[i].value);
    parts.push_back({"", size});
    const auto on = chain.values(parts, chain.points()), off = chain.values(parts, chain.around());
    if (largest(off, 0) <= negligible * largest(off, 1)) return Kind::strong;
    return largest(on, 0) <= negligible * largest(off, 1) ? Kind::weak : Kind::none;
}

} // namespace

BracketStudy study_brackets(const Model& given) {
    const Model model = deep_copy(given);
    const DiracChain chain(model);
    BracketStudy study;
    study.graph = model.graph;
    study.hidden_at_start = chain.off_start;
    const std::size_t count = chain.phi.size();
    for (std::size_t i = 0; i < count; ++i) {
        const DiracChain::Link& l = chain.links[i];
        study.chain.push_back({l.name, l.origin, chain.phi[i].value, l.level, l.second_class, l.combined});
    }
    for (const DiracChain::Level& l : chain.levels) study.levels.push_back({l.dimension, l.constraints, l.conditions});
    study.arbitrary = chain.arbitrary;
    const auto vanishes = [&](const Expr& value) {
        const auto on = chain.values(Vec({{"", value}}), chain.points()),
                   off = chain.values(Vec({{"", value}}), chain.around());
        return largest(on, 0) <= negligible * std::max(largest(off, 0), 1e-300);
    };
    const auto add = [&](const std::string& left, const std::string& right, const Expr& value) {
        study.brackets.push_back({left, right, value, vanishes(value)});
    };
    const Vec rates = chain.rate(chain.phi);
    const std::vector<Expr> matrix = chain.matrix(chain.phi, chain.phi);
    for (std::size_t i = 0; i < count; ++i) add(chain.links[i].name, "H", rates[i].value);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t j = i + 1; j < count; ++j)
            add(chain.links[i].name, chain.links[j].name, matrix[i * count + j]);
    if (!chain.second_class().empty())
        for (const Component& c : chain.written_mu()) study.multipliers.push_back({c.name, c.value, vanishes(c.value)});
    std::vector<NamedFormula> candidates;
    for (std::size_t i = 0; i < count; ++i) candidates.push_back({chain.links[i].name, chain.phi[i].value});
    candidates.push_back({"H", chain.H});
    for (const NamedFormula& m : momentum_maps(model)) candidates.push_back(m);
    for (const Motion& motion : motions(model, chain))
        for (const NamedFormula& f : candidates)
            study.invariants.push_back({f.name, motion.name, kind_of(chain, f.formula, motion)});
    return study;
}

} // namespace rattleback
