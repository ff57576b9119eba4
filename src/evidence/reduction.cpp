// The reduced equations of a Chaplygin system. The constraints give the velocities of the group coordinates s from
// those of the shape coordinates r: s' = sigma(r, s, r') = X(r, s) r'. With L*(r, r') = L(r, s, r', sigma) and p =
// L_s',
//     d/dt L*_r' - L*_r = F* + p_b (d/dt X_bi - d sigma_b/dr_i - d sigma_b/ds_c X_ci),   d/dt along (r', sigma)
// The last term is p times the curvature of the connection that D is; it does no work. F* = F_r + X^T F_s. All of
// it is the same along the orbits of the group, so that s may stand for any point of it.
#include "evidence/chaplygin.hpp"

#include <cmath>

#include "model/copy.hpp"
#include "run/initial.hpp"

namespace rattleback {
namespace {

Vec part(const Vec& v, const std::vector<std::size_t>& which) {
    Vec result;
    for (std::size_t i : which) result.push_back(v[i]);
    return result;
}

std::string named_table(const std::vector<std::pair<std::string, std::string>>& entries) {
    std::string s;
    for (const auto& [name, value] : entries) s += (s.empty() ? "{ " : ", ") + name + " = " + value;
    return s + " }";
}

class Reduction {
  public:
    Reduction(const Model& model, const Sample& sample, Tidy& tidy, const ChaplyginStudy& study)
        : model_(model), sample_(sample), tidy_(tidy), study_(study), r_(part(model.q, study.shape)),
          s_(part(model.q, study.group)), r_rate_(part(model.v, study.shape)), s_rate_(part(model.v, study.group)) {
        const FormulaMatrix mu = formula_jacobian(model.velocity, model.v);
        FormulaMatrix of_s, of_r;
        for (const auto& row : mu) {
            of_s.emplace_back(), of_r.emplace_back();
            for (std::size_t i : study.group) of_s.back().push_back(row[i]);
            for (std::size_t i : study.shape) of_r.back().push_back(-row[i]);
        }
        const auto solved = solved_as_formulas(sample, tidy, of_s, of_r);
        if (!solved) throw Unsuitable("the group velocities cannot be found from the constraints as formulas");
        X_ = *solved;
        for (std::size_t b = 0; b < s_.size(); ++b) {
            Expr sum(0);
            for (std::size_t i = 0; i < r_.size(); ++i) sum = sum + X_[b][i] * r_rate_[i].value;
            sigma_.push_back({s_rate_[b].name, tidy(sum)});
        }
        lagrangian_ = on_shape(on_constraints(model.function), "the reduced Lagrangian");
        const Vec p = gradient(model.function, s_rate_);
        for (std::size_t i = 0; i < r_.size(); ++i) {
            gyroscopic_.push_back({r_[i].name, on_shape(gyroscopic(p, i), "the gyroscopic force")});
            if (!model.force.empty()) applied_.push_back({r_[i].name, on_shape(applied(i), "the force")});
        }
    }

    ShownEquations equations() const {
        const auto line = [&](const std::string& left, const std::string& latex, const Expr& right) {
            return ShownEquations::Line{left, tidy_.text(right), latex, tidy_.text(right, true)};
        };
        ShownEquations::Section lagrangian{"reduced Lagrangian on the shape space", {line("L*", "L^*", lagrangian_)}};
        ShownEquations::Section forces{
            "gyroscopic forces: d/dt L*_r' - L*_r = " + std::string(applied_.empty() ? "G" : "G + F"), {}};
        ShownEquations::Section rates{"reconstruction", {}};
        for (std::size_t i = 0; i < r_.size(); ++i) {
            const std::string name = r_[i].name, latex = to_latex(r_[i].value);
            if (!gyroscopic_[i].value.is(0))
                forces.lines.push_back(line("G_" + name, "G_{" + latex + "}", gyroscopic_[i].value));
            if (!applied_.empty() && !applied_[i].value.is(0))
                forces.lines.push_back(line("F_" + name, "F_{" + latex + "}", applied_[i].value));
        }
        if (forces.lines.empty()) forces.lines.push_back({"G", "0", "G", "0"});
        for (std::size_t b = 0; b < s_.size(); ++b)
            rates.lines.push_back(line(to_text(s_rate_[b].value), to_latex(s_rate_[b].value), sigma_[b].value));
        return {{lagrangian, forces, rates}};
    }

    std::string file() const;

  private:
    // Velocities of the group coordinates as the constraints give them.
    Expr on_constraints(const Expr& f) const { return substitute(f, {{s_rate_, sigma_}}); }

    // Without the group coordinates, on which it does not depend: at the origin of the group or, where the formula has
    // no value there, at the start.
    Expr on_shape(const Expr& f, const std::string& what) const {
        for (const Vec& place : {s_, zeros_like(s_), start_of_group()}) { // s_: where it is
            const Expr moved = tidy_(substitute(tidy_(f), {{s_, place}}));
            if (!contains(*model_.graph, {moved}, s_) && same(moved, f)) return moved;
        }
        throw Unsuitable(what + " depends on the group coordinates");
    }
    Vec start_of_group() const {
        Vec values;
        for (std::size_t i : study_.group) values.push_back({"", Expr(model_.q0.at(i))});
        return values;
    }
    bool same(const Expr& a, const Expr& b) const {
        for (const auto& point : sample_.at_all(Vec({{"", a}, {"", b}})))
            if (point.size() != 2 || !(std::abs(point[0] - point[1]) <= 1e-9 * (1 + std::abs(point[1])))) return false;
        return true;
    }

    Expr gyroscopic(const Vec& p, std::size_t i) const {
        Expr sum(0);
        const Vec moving = concat({r_, s_}), rates = concat({r_rate_, sigma_});
        for (std::size_t b = 0; b < s_.size(); ++b) {
            Expr curvature = derivative_along(X_[b][i], moving, rates) - derivative(sigma_[b].value, r_[i].value);
            for (std::size_t c = 0; c < s_.size(); ++c)
                curvature = curvature - derivative(sigma_[b].value, s_[c].value) * X_[c][i];
            sum = sum + on_constraints(p[b].value) * tidy_(curvature);
        }
        return sum;
    }

    Expr applied(std::size_t i) const {
        Expr sum = model_.force[study_.shape[i]].value;
        for (std::size_t b = 0; b < s_.size(); ++b) sum = sum + X_[b][i] * model_.force[study_.group[b]].value;
        return on_constraints(sum);
    }

    const Model& model_;
    const Sample& sample_;
    Tidy& tidy_;
    const ChaplyginStudy& study_;
    Vec r_, s_, r_rate_, s_rate_;
    FormulaMatrix X_;
    Vec sigma_;
    Expr lagrangian_;
    Vec gyroscopic_, applied_; // on the shape coordinates
};

std::string Reduction::file() const {
    InitialData<double> start;
    Report report;
    if (!complete_in_graph(model_, start, report)) throw BadRun("the model cannot start: " + report.text());
    const auto number = [](double x) { return real::to_text(static_cast<quad>(x)); };
    const auto quoted = [](const std::string& s) { return "\"" + s + "\""; };
    std::string text = "# The motion on the shape space of a Chaplygin system, with its gyroscopic forces.\n";
    text +=
        "name        = " + quoted((model_.name.empty() ? "model" : model_.name) + ", reduced") + "\ncoordinates = [";
    std::vector<std::pair<std::string, std::string>> forces, q, v;
    for (std::size_t i = 0; i < r_.size(); ++i) {
        text += (i ? ", " : "") + quoted(r_[i].name);
        const Expr force = tidy_(gyroscopic_[i].value + (applied_.empty() ? Expr(0) : applied_[i].value));
        if (!force.is(0)) forces.emplace_back(r_[i].name, quoted(tidy_.text(force)));
        q.emplace_back(r_[i].name, number(start.q[study_.shape[i]]));
        v.emplace_back(r_[i].name, number(start.v[study_.shape[i]]));
    }
    text += "]\n\n";
    if (!model_.parameters.empty()) text += "[parameters]\n";
    for (const Parameter& p : model_.parameters) text += p.name + " = " + real::to_text(p.value) + "\n";
    text += "\n[mechanics]\nlagrangian = " + quoted(tidy_.text(lagrangian_)) + "\n";
    if (!forces.empty()) text += "force = " + named_table(forces) + "\n";
    text += "\n[observables]    # how fast the group coordinates change";
    if (contains(*model_.graph, values_of(sigma_), s_)) text += ", where all of them are 0";
    for (std::size_t b = 0; b < s_.size(); ++b)
        text +=
            "\nrate_of_" + s_[b].name + " = " + quoted(tidy_.text(substitute(sigma_[b].value, {{s_, zeros_like(s_)}})));
    text += "\n\n[initial]\nq = " + named_table(q) + "\nv = " + named_table(v) + "\n";
    if (model_.t0 != 0) text += "t = " + real::to_text(model_.t0) + "\n";
    text += "\n[run]\nmethod = \"gauss:stages=2\"\n";
    if (model_.run.step) text += "step = " + number(*model_.run.step) + "\n";
    if (model_.run.until) text += "until = " + number(*model_.run.until) + "\n";
    if (model_.run.steps) text += "steps = " + std::to_string(*model_.run.steps) + "\n";
    return text;
}

std::string refusal(const std::optional<ChaplyginStudy>& study) {
    const std::string no = "this model is not reduced to a shape space: ";
    if (!study)
        return no + "that needs a Lagrangian, and velocity constraints that are linear and without time, under "
                    "d'Alembert's principle";
    if (study->symmetries.empty()) return no + "it has no symmetries";
    if (!study->spanning || study->subgroup.empty())
        return no + "no group of its symmetries is transverse to the allowed directions; 'check' says more";
    return no + "the coordinates are not adapted to the group: " + study->not_adapted +
           "; choose coordinates of which it moves as many as the group has dimensions";
}

} // namespace

ChaplyginReduction reduce_chaplygin(const Model& given) {
    const Model model = deep_copy(given);
    const Sample sample(model);
    Tidy tidy(*model.graph);
    const auto study = study_chaplygin(sample, tidy);
    if (!study || !study->reducible()) throw Unsuitable(refusal(study));
    if (study->shape.empty()) throw Unsuitable("this model has no shape space to be reduced to: the group moves all");
    const Reduction reduction(model, sample, tidy, *study);
    if (tidy.exhausted()) throw Unsuitable("this model is not reduced to a shape space: the formulas get too long");
    return {*study, reduction.equations(), reduction.file()};
}

} // namespace rattleback
