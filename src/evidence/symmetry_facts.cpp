#include "evidence/constraint_facts.hpp"

#include <algorithm>
#include <cmath>

#include "evidence/group_facts.hpp"
#include "expr/graph.hpp"
#include "expr/terms.hpp"

namespace rattleback {
namespace {

// The largest of formulas over the sample, and relative to their own terms or to others.
struct Sizes {
    double value = 0, relative = 0;
    bool vanishes() const { return relative <= 1e-9; }
};

Sizes sizes(const Sample& sample, const Vec& formulas, const Vec& scale = {}) {
    Sizes s;
    const auto k = static_cast<std::size_t>(formulas.count());
    for (const auto& point : sample.at_all(concat({formulas, largest_terms(formulas), scale}))) {
        double size = 0;
        for (std::size_t i = 2 * k; i < point.size(); ++i) size = std::max(size, std::abs(point[i]));
        for (std::size_t i = 0; i < k && i < point.size(); ++i) {
            const double value = std::abs(point[i]), beside = std::max(size, std::abs(point[k + i]));
            s.value = std::max(s.value, value);
            if (value > 0) s.relative = std::max(s.relative, beside > 0 ? value / beside : 1);
        }
    }
    return s;
}

class SymmetryInspector {
  public:
    SymmetryInspector(const Sample& sample, const Symmetry& symmetry)
        : sample_(sample), model_(sample.model()), symmetry_(symmetry) {}

    // Whether the motion keeps its momentum.
    bool conserved() const { return leaves_unchanged().vanishes() && consequence().ends_with(conserved_words); }
    bool leaves_everything() const { return leaves_unchanged().vanishes() && keeps_constraints() && keeps_forces(); }
    bool affine() const { // so that discrete Lagrangians have it, too
        const std::vector<JacobianTerm> terms = jacobian(symmetry_.generator, model_.q);
        return std::none_of(terms.begin(), terms.end(), [&](const JacobianTerm& t) {
            return contains(*model_.graph, {t.value}, concat({model_.q, model_.time_vec()}));
        });
    }

    void run(Inspection& result) {
        const Sizes change = leaves_unchanged();
        const bool lagrangian = model_.kind == Model::lagrangian;
        std::string words = ": does NOT leave the formulas unchanged";
        if (change.vanishes()) words = ": leaves the formulas unchanged; " + consequence();
        result.facts.emplace_back("symmetry", symmetry_.name + words);
        if (!change.vanishes())
            result.warnings.push_back("'" + symmetry_.name + "' is declared a symmetry, but changes the " +
                                      (lagrangian ? "Lagrangian" : "Hamiltonian") + " at a rate of " +
                                      real::to_text(static_cast<quad>(change.value), 3));
    }

    Sizes change_of(const Expr& f) const { return sizes(sample_, Vec({{"", along(f)}}), Vec({{"", f}})); }
    Sizes leaves_unchanged() const { return change_of(model_.function); }

    // The rates of the constraints along it vanish, or are combinations of the constraints.
    bool keeps_constraints() const {
        Vec changes;
        for (const Expr& phi : expand(model_.velocity)) changes.push_back({"", along(phi)});
        const Vec one({{"", Expr(1)}}); // rows of constraints are of any size: their changes count from this one on
        if (sizes(sample_, changes, one).vanishes()) return true;
        const Vec at_rest = substitute(concat({model_.velocity, changes}), {{model_.v, zeros_like(model_.v)}});
        if (!sizes(sample_, at_rest, one).vanishes()) return false;
        const auto constraints = sample_.matrices(model_.velocity, model_.v);
        const auto both = sample_.matrices(concat({model_.velocity, changes}), model_.v);
        for (std::size_t i = 0; i < both.size(); ++i)
            if (!both[i].entries.empty() && rank_of(both[i]) != rank_of(constraints[i])) return false;
        return true;
    }

  private:
    static constexpr const char* conserved_words = "its momentum is conserved";

    // The rate along the generator, lifted to velocities (or momenta).
    Expr along(const Expr& f) const {
        const bool lagrangian = model_.kind == Model::lagrangian;
        const Vec lifted = lagrangian ? derivative_along(symmetry_.generator, model_.q, model_.v)
                                      : -gradient(dot(symmetry_.generator, model_.p), model_.q);
        return derivative_along(f, concat({model_.q, lagrangian ? model_.v : model_.p}),
                                concat({symmetry_.generator, lifted}));
    }

    std::string consequence() const {
        if (!model_.force.empty() && !dot(symmetry_.generator, model_.force).is(0)) return "a force acts along it";
        const char* conserved = conserved_words;
        if (!model_.holonomic.empty() &&
            !sizes(sample_, derivative_along(model_.holonomic, model_.q, symmetry_.generator)).vanishes())
            return "but it changes the holonomic constraints, whose forces change its momentum";
        if (model_.velocity.empty()) return conserved;
        if (model_.variational)
            return keeps_constraints() ? conserved : "but it changes the constraints: its momentum is not conserved";
        if (sizes(sample_, derivative_along(model_.velocity, model_.v, symmetry_.generator)).vanishes())
            return std::string("horizontal: ") + conserved;
        return "not horizontal: the constraint forces change its momentum";
    }

    // Forces are a one-form of (q, v): its rate along the generator has the term F_j dxi_j/dq.
    bool keeps_forces() const {
        if (model_.force.empty()) return true;
        Vec rates;
        for (const Expr& f : expand(model_.force)) rates.push_back({"", along(f)});
        const Vec fixed = symbols_like(*model_.graph, "force on ", model_.q);
        const Vec turned = substitute(gradient(dot(fixed, symmetry_.generator), model_.q), {{fixed, model_.force}});
        return sizes(sample_, rates + turned, model_.force).vanishes();
    }

    const Sample& sample_;
    const Model& model_;
    const Symmetry& symmetry_;
};

// g^q: the combinations of symmetries whose directions the constraints allow, and the sections declared of it.
class SectionInspector {
  public:
    explicit SectionInspector(const Sample& sample) : sample_(sample), model_(sample.model()) {
        const Vec phi = Nonholonomic(model_).phi;
        for (const Symmetry& s : model_.symmetries) rates_.push_back(derivative_along(phi, model_.v, s.generator));
    }

    void run(Inspection& result) const {
        for (const SymmetrySection& s : model_.sections) section(s, result);
        if (model_.sections.empty()) dimension(result);
    }

  private:
    void section(const SymmetrySection& s, Inspection& result) const {
        Vec rate = zeros_like(rates_[0]);
        for (const auto& [name, coefficient] : s.coefficients)
            for (std::size_t a = 0; a < rates_.size(); ++a)
                if (model_.symmetries[a].name == name) rate = rate + coefficient * rates_[a];
        const bool allowed = sizes(sample_, rate).vanishes();
        result.facts.emplace_back("section",
                                  s.name + (allowed ? ": the constraints allow it; its momentum equation holds"
                                                    : ": the constraints do NOT allow it"));
        if (!allowed)
            result.warnings.push_back("'" + s.name +
                                      "' is declared a section, but the constraints do not allow its "
                                      "direction: its momentum equation does not hold");
    }

    void dimension(Inspection& result) const {
        Vec all;
        for (const Vec& rate : rates_)
            for (const Expr& e : expand(rate)) all.push_back({"", e});
        if (all.count() > 1000 || sizes(sample_, all).vanishes()) return;
        Dense m(rates_.size(), all.size() / rates_.size()); // a row for each symmetry
        m.entries = sample_.at(all);
        const int symmetries = static_cast<int>(rates_.size());
        result.facts.emplace_back("allowed symmetries", "a space g^q of dimension " +
                                                            std::to_string(symmetries - rank_of(transposed(m))) +
                                                            " of " + std::to_string(symmetries) + " at the start");
    }

    const Sample& sample_;
    const Model& model_;
    std::vector<Vec> rates_; // of the constraints along the symmetries
};

} // namespace

bool is_symmetry(const Sample& sample, const Symmetry& symmetry) {
    return SymmetryInspector(sample, symmetry).leaves_everything();
}

bool leaves_alone(const Sample& sample, const Symmetry& symmetry, const Expr& formula) {
    return SymmetryInspector(sample, symmetry).change_of(formula).vanishes();
}

bool keeps_velocity_constraints(const Sample& sample, const Symmetry& symmetry) {
    return SymmetryInspector(sample, symmetry).keeps_constraints();
}

std::vector<ConservedMomentum> conserved_momenta(const Sample& sample) {
    std::vector<ConservedMomentum> found;
    for (const Symmetry& s : sample.model().symmetries)
        if (const SymmetryInspector inspector(sample, s); inspector.conserved())
            found.push_back({s.name, inspector.affine(), is_translation(sample, s)});
    return found;
}

void inspect_symmetries(const Sample& sample, Inspection& result) {
    const Model& model = sample.model();
    for (const Symmetry& s : model.symmetries) SymmetryInspector(sample, s).run(result);
    const bool inside_the_action = model.variational || model.velocity.empty() || !model.phase.empty();
    if (!model.symmetries.empty() && !inside_the_action) SectionInspector(sample).run(result);
    // In charts the subgroups that are looked for would be translations of their coordinates, which mean nothing.
    if (!inside_the_action && model.groups.empty()) inspect_chaplygin(sample, result);
}

} // namespace rattleback
