#include "evidence/chaplygin.hpp"

#include <algorithm>
#include <cmath>

#include "evidence/constraint_facts.hpp"
#include "evidence/distribution.hpp"
#include "model/copy.hpp"

namespace rattleback {
namespace {

constexpr int most_coordinates = 12;      // of a model whose geometry is looked at
constexpr std::size_t most_choices = 500; // of subgroups

std::string list(const std::vector<std::string>& names) {
    std::string s;
    for (const std::string& name : names) s += (s.empty() ? "" : ", ") + name;
    return s;
}

class Directions {
  public:
    Directions(const Sample& sample, Tidy& tidy) : sample_(sample), model_(sample.model()), tidy_(tidy) {
        for (const Symmetry& s : model_.symmetries) add(s);
        for (std::size_t i = 0; i < model_.q.size(); ++i) {
            Symmetry s{"translation of " + model_.q[i].name, zeros_like(model_.q)};
            s.generator[i].value = Expr(1);
            const bool declared = std::any_of(found_.begin(), found_.end(),
                                              [&](const Symmetry& f) { return is_multiple(f.generator, i); });
            if (!declared) add(s);
        }
        for (const Symmetry& s : found_) along_.push_back(derivative_along(model_.velocity, model_.v, s.generator));
    }

    bool empty() const { return found_.empty(); }

    ChaplyginStudy study() const {
        ChaplyginStudy result;
        std::vector<std::size_t> all;
        for (const Symmetry& s : found_) result.symmetries.push_back(s.name), all.push_back(all.size());
        const int moving = rank_of(transposed(values(generators(all), all.size(), 0)));
        const int transverse = rank_of(transposed(values(rates(all), all.size(), 0)));
        result.directions = moving, result.allowed = moving - transverse;
        result.spanning = transverse == model_.velocity.count();
        if (result.spanning) choose(result);
        return result;
    }

  private:
    void add(const Symmetry& s) {
        if (is_symmetry(sample_, s)) found_.push_back(s);
    }

    static bool is_multiple(const Vec& generator, std::size_t i) {
        for (std::size_t j = 0; j < generator.size(); ++j)
            if (generator[j].value.constant().value_or(1) != 0 ? j != i : j == i) return false;
        return true;
    }

    Vec generators(const std::vector<std::size_t>& which) const {
        Vec all;
        for (std::size_t a : which) all = concat({all, found_[a].generator});
        return all;
    }
    Vec rates(const std::vector<std::size_t>& which) const {
        Vec all;
        for (std::size_t a : which) all = concat({all, along_[a]});
        return all;
    }
    Dense values(const Vec& formulas, std::size_t rows, int point) const {
        Dense m(rows, formulas.size() / rows);
        if (const std::vector<double> at = sample_.at(formulas, point); at.size() == m.entries.size()) m.entries = at;
        return m;
    }

    // Of all that are transverse to D: the one whose determinant phi_v xi varies least from point to point.
    void choose(ChaplyginStudy& result) const {
        const auto m = static_cast<std::size_t>(model_.velocity.count());
        std::vector<bool> chosen(found_.size(), false);
        std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(m), true);
        double best = 0;
        std::size_t tried = 0;
        do {
            std::vector<std::size_t> which;
            for (std::size_t a = 0; a < chosen.size(); ++a)
                if (chosen[a]) which.push_back(a);
            double steady = evenness(which);
            if (steady == 0 || !closed(which)) continue;
            if (!adapted(which)) steady *= 1e-9;
            if (steady > best * (1 + 1e-6)) best = steady, take(which, result);
        } while (std::prev_permutation(chosen.begin(), chosen.end()) && ++tried < most_choices);
    }

    // The smallest determinant on the sample by the largest; 0 where one vanishes.
    double evenness(const std::vector<std::size_t>& which) const {
        const Expr d = determinant(which);
        double smallest = HUGE_VAL, largest = 0;
        for (const auto& point : sample_.at_all(Vec({{"", d}}))) {
            if (point.empty()) return 0;
            smallest = std::min(smallest, std::abs(point[0])), largest = std::max(largest, std::abs(point[0]));
        }
        return smallest <= 1e-9 * std::max(1.0, largest) ? 0 : smallest / largest;
    }

    Expr determinant(const std::vector<std::size_t>& which) const {
        FormulaMatrix m;
        for (std::size_t a : which) m.push_back(expand(along_[a]));
        return rattleback::determinant(m, tidy_);
    }

    Vec bracket(const Vec& a, const Vec& b) const {
        return derivative_along(b, model_.q, a) - derivative_along(a, model_.q, b);
    }
    bool abelian(const std::vector<std::size_t>& which) const {
        for (std::size_t a : which)
            for (std::size_t b : which)
                for (const auto& point : sample_.at_all(bracket(found_[a].generator, found_[b].generator)))
                    for (double x : point)
                        if (std::abs(x) > 1e-9) return false;
        return true;
    }
    bool closed(const std::vector<std::size_t>& which) const { // brackets stay in the span
        Vec all = generators(which);
        for (std::size_t a : which)
            for (std::size_t b : which)
                if (a < b) all = concat({all, bracket(found_[a].generator, found_[b].generator)});
        for (int point = 0; point <= Sample::around; ++point)
            if (rank_of(values(all, all.size() / model_.q.size(), point)) > static_cast<int>(which.size()))
                return false;
        return true;
    }

    std::vector<std::size_t> moved(const std::vector<std::size_t>& which) const {
        std::vector<std::size_t> coordinates;
        for (std::size_t i = 0; i < model_.q.size(); ++i)
            if (std::any_of(which.begin(), which.end(),
                            [&](std::size_t a) { return !found_[a].generator[i].value.is(0); }))
                coordinates.push_back(i);
        return coordinates;
    }
    bool adapted(const std::vector<std::size_t>& which) const { return moved(which).size() == which.size(); }

    void take(const std::vector<std::size_t>& which, ChaplyginStudy& result) const {
        result.subgroup.clear(), result.shape.clear(), result.where.clear(), result.not_adapted.clear();
        for (std::size_t a : which) result.subgroup.push_back(found_[a].name);
        result.group = moved(which);
        for (std::size_t i = 0; i < model_.q.size(); ++i)
            if (std::find(result.group.begin(), result.group.end(), i) == result.group.end()) result.shape.push_back(i);
        result.abelian = abelian(which);
        if (evenness(which) < 1 - 1e-9) {
            result.where = tidy_.text(determinant(which));
            if (result.where[0] == '-') result.where = tidy_.text(-determinant(which));
        }
        if (!adapted(which)) {
            std::vector<std::string> names;
            for (std::size_t i : result.group) names.push_back(model_.q[i].name);
            result.not_adapted = "it moves " + list(names) + ", more coordinates than it has dimensions";
        }
    }

    const Sample& sample_;
    const Model& model_;
    Tidy& tidy_;
    std::vector<Symmetry> found_;
    std::vector<Vec> along_; // phi_v xi
};

std::vector<std::string> names_of(const Model& model, const std::vector<std::size_t>& which) {
    std::vector<std::string> names;
    for (std::size_t i : which) names.push_back(model.q[i].name);
    return names;
}

std::string in_words(const ChaplyginStudy& s, const Model& model) {
    std::string words = s.whole() ? "" : "for the subgroup " + list(s.subgroup) + ": ";
    words += s.not_adapted.empty()
                 ? (s.shape.empty() ? "no shape coordinates" : "shape coordinates " + list(names_of(model, s.shape))) +
                       ", group coordinates " + list(names_of(model, s.group))
                 : "the coordinates are not adapted to the group: " + s.not_adapted;
    words += s.abelian ? "; abelian group" : "; non-abelian group";
    if (!s.where.empty()) words += "; where " + s.where + " is not 0";
    return words;
}

} // namespace

bool has_linear_constraints(const Sample& sample) {
    const Model& model = sample.model();
    const bool families = static_cast<int>(model.q.size()) != model.q.count();
    if (model.kind != Model::lagrangian || model.variational || model.velocity.empty() || !model.holonomic.empty() ||
        !model.phase.empty() || families || model.q.count() > most_coordinates ||
        model.velocity.count() != static_cast<int>(model.velocity.size()))
        return false;
    if (contains(*model.graph, values_of(model.velocity), model.time_vec())) return false;
    const Distribution D(sample, model.velocity);
    return D.linear_in_v && D.homogeneous && D.rank == model.velocity.count();
}

std::optional<ChaplyginStudy> study_chaplygin(const Sample& sample, Tidy& tidy) {
    if (!has_linear_constraints(sample)) return {};
    const Directions directions(sample, tidy);
    if (directions.empty()) return ChaplyginStudy();
    return directions.study();
}

std::optional<ChaplyginStudy> study_chaplygin(const Model& given) {
    const Model model = deep_copy(given);
    const Sample sample(model);
    Tidy tidy(*model.graph);
    return study_chaplygin(sample, tidy);
}

void inspect_chaplygin(const Sample& sample, Inspection& result) {
    Tidy tidy(*sample.model().graph);
    const auto study = study_chaplygin(sample, tidy);
    if (!study || study->symmetries.empty()) return;
    const Model& model = sample.model();
    const int n = model.q.count(), m = model.velocity.count();
    if (!study->spanning) {
        result.facts.emplace_back("Chaplygin system", "no: the symmetries " + list(study->symmetries) +
                                                          " and the allowed directions together do not span all " +
                                                          std::to_string(n) + " directions");
        return;
    }
    if (!study->whole())
        result.facts.emplace_back("symmetry group", "the general case: of its " + std::to_string(study->directions) +
                                                        " directions the constraints allow " +
                                                        std::to_string(study->allowed) +
                                                        ", which have a generalised momentum" +
                                                        (study->directions == n ? "; its shape space is a point" : ""));
    if (study->subgroup.empty())
        result.facts.emplace_back("Chaplygin system", "no: no " + std::to_string(m) +
                                                          " of the symmetries form a group transverse to the allowed "
                                                          "directions");
    else
        result.facts.emplace_back("Chaplygin system", in_words(*study, model));
}

} // namespace rattleback
