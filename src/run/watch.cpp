#include "run/watch.hpp"

#include <algorithm>
#include <cmath>

#include "expr/graph.hpp"
#include "run/initial.hpp"
#include "solve/determinant.hpp"
#include "solve/rank.hpp"
#include <rattleback/operators.hpp>

namespace rattleback {
namespace {

double dot(const Matrix<double>& x, std::size_t i, const Matrix<double>& y, std::size_t j) {
    double sum = 0;
    for (std::size_t k = 0; k < x.columns; ++k) sum += x(i, k) * y(j, k);
    return sum;
}

// Residuals of a constraint that should follow from the others, and of those, that tell that it no longer does.
constexpr double left_alone = 1e-7, beside_the_others = 100;
constexpr double dependent = 1e-8, nearly_dependent = 1e-2;
constexpr int most_coordinates = 30; // of a generating function that is looked at

} // namespace

double ConstraintWatch::overlap(const Matrix<double>& a, const Matrix<double>& b) {
    const std::size_t n = a.rows;
    if (product_.rows != n) product_ = Matrix<double>(n, n), sizes_.resize(2 * n);
    for (std::size_t i = 0; i < n; ++i) sizes_[i] = dot(a, i, a, i), sizes_[n + i] = dot(b, i, b, i);
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) product_(i, j) = dot(a, i, b, j) / std::sqrt(sizes_[i] * sizes_[n + j]);
    return solve::determinant_of_complement(product_, 0);
}

ConstraintWatch::ConstraintWatch(const Model& model) : model_(model) {
    if (model.holonomic.empty() && model.velocity.empty()) return;
    phi_ = concat({model.velocity, rates_of(model.holonomic, model)});
    rows_ = phi_.count(), columns_ = model.v.count();
    small_ = static_cast<long long>(rows_) * columns_ <= 100000;
    if (!small_) return;
    names_ = expanded_names(concat({model.velocity, model.holonomic}));
    entries_ = expand(jacobian(phi_, model.v), phi_, model.v);
    // NOTE: holonomic constraints alone are not watched: linkages pass through positions where some are dependent.
    watched_ = !model.velocity.empty() && rows_ > 1 && entries_.size() <= 200;
    if (watched_) sparse_ = SparseRows(entries_, rows_);
}

std::vector<Expr> ConstraintWatch::wanted() const {
    std::vector<Expr> all;
    if (watched_)
        for (const ScalarEntry& e : entries_) all.push_back(e.value);
    if (!model_.redundant.empty())
        for (const Component& c : concat({model_.redundant, model_.holonomic})) all.push_back(c.value);
    return all;
}

bool ConstraintWatch::still_redundant(const NodeValues<double>& node, double t, Report& report) const {
    if (model_.redundant.empty()) return true;
    const std::size_t first = watched_ ? entries_.size() : 0, redundant = model_.redundant.size();
    double others = 0;
    for (std::size_t i = 0; i < model_.holonomic.size(); ++i)
        others = std::max(others, std::abs(node.extra[first + redundant + i]));
    for (std::size_t i = 0; i < redundant; ++i)
        if (!(std::abs(node.extra[first + i]) <= std::max(left_alone, beside_the_others * others))) {
            report.status = Report::singular;
            report.what = "the rank of the constraints changes before t = " + real::to_text(t) + ": " +
                          model_.redundant[i].name + " = 0 no longer follows from the others";
            report.remedy = "the last state before that is kept; start behind it, or choose other constraints";
            report.time = last_time_;
            return false;
        }
    return true;
}

// What is not among the entries is 0 and stays so.
void ConstraintWatch::show(const NodeValues<double>& node, Matrix<double>& A) const {
    if (A.entries.empty()) A = Matrix<double>(static_cast<std::size_t>(rows_), static_cast<std::size_t>(columns_));
    for (std::size_t i = 0; i < entries_.size(); ++i) A(entries_[i].row, entries_[i].column) = node.extra[i];
}

Matrix<double> ConstraintWatch::at(const std::vector<double>& q, const std::vector<double>& v, double t) const {
    return jacobian_at(model_, phi_, model_.v, concat({model_.q, model_.v}), {q, v}, t);
}

std::string ConstraintWatch::implied(const Matrix<double>& A, double threshold) const {
    std::string s;
    for (int i : solve::row_rank(A.entries, rows_, columns_, threshold).dependent_rows)
        s += (s.empty() ? "" : ", ") + names_[static_cast<std::size_t>(i)] + " = 0";
    return s;
}

std::string ConstraintWatch::incompatible(const std::vector<double>& q, const std::vector<double>& v, double t,
                                          const Matrix<double>& A) const {
    const int n = columns_ + rows_;
    if (model_.kind != Model::lagrangian || model_.variational || n > 300 || !model_.groups.empty()) return "";
    const Matrix<double> M =
        jacobian_at(model_, Mechanics(model_).momentum(), model_.v, concat({model_.q, model_.v}), {q, v}, t);
    if (M.entries.empty()) return "";
    Matrix<double> all(static_cast<std::size_t>(n), static_cast<std::size_t>(n));
    for (std::size_t j = 0; j < M.columns; ++j) {
        for (std::size_t i = 0; i < M.rows; ++i) all(i, j) = M(i, j);
        for (std::size_t i = 0; i < A.rows; ++i) all(M.rows + i, j) = all(j, M.rows + i) = A(i, j);
    }
    std::string s;
    for (int i : solve::row_rank(all.entries, n, n, dependent).dependent_rows)
        if (i >= columns_) s += (s.empty() ? "" : ", ") + names_[static_cast<std::size_t>(i - columns_)] + " = 0";
    return s;
}

void ConstraintWatch::require_independent(const Matrix<double>& A) const {
    const std::string which = implied(A, dependent);
    if (!which.empty())
        throw BadRun("dependent constraints: at the start " + which +
                     " follows from the others\n  leave it out, or start elsewhere");
}

void ConstraintWatch::begin(const NodeValues<double>& node) {
    if (!small_ || model_.velocity.empty()) return; // with_independent_constraints has looked at holonomic ones
    last_time_ = static_cast<double>(model_.t0);
    if (watched_)
        show(node, last_);
    else
        last_ = at(from_shown(model_, node.q).first, node.v, last_time_);
    if (last_.entries.empty()) return;
    require_independent(last_);
    last_volume_ = overlap(last_, last_);
}

bool ConstraintWatch::pass(const NodeValues<double>& node, double t, Report& report) {
    if (!still_redundant(node, t, report)) return false;
    if (!watched_) {
        last_time_ = t;
        return true;
    }
    show(node, now_);
    const double volume = overlap(now_, now_);
    if (volume < SparseRows::flat && last_volume_ < SparseRows::flat && overlap(last_, now_) < 0) {
        report.status = Report::singular;
        report.what = "the constraints become dependent before t = " + real::to_text(t);
        report.culprit = implied(volume < last_volume_ ? now_ : last_, 0.5);
        report.remedy = "the last state before that is kept; start behind it, or choose other constraints";
        report.time = last_time_;
        return false;
    }
    std::swap(now_, last_);
    last_time_ = t, last_volume_ = volume;
    return true;
}

void ConstraintWatch::go_to(const std::function<double(std::size_t)>& shown, double t) {
    last_time_ = t;
    if (!watched_) return;
    for (std::size_t i = 0; i < entries_.size(); ++i) last_(entries_[i].row, entries_[i].column) = shown(i);
    last_volume_ = overlap(last_, last_);
}

void ConstraintWatch::explain(const std::vector<double>& q, const std::vector<double>& v, double t,
                              Report& report) const {
    if (!small_ || rows_ == 0 || !model_.groups.empty()) return;
    const Matrix<double> A = at(q, v, t);
    if (A.entries.empty()) return;
    const std::string which = implied(A, nearly_dependent);
    if (!which.empty()) {
        report.remedy = "the constraints are nearly dependent there: " + which;
        return;
    }
    if (!model_.redundant.empty()) {
        report.remedy = "constraints that were set aside may be needed here; a run from this state chooses anew";
        return;
    }
    const std::string against = incompatible(q, v, t, A);
    if (!against.empty()) report.remedy = "A M^-1 A^T is nearly singular there, by " + against;
}

void ConstraintWatch::explain_start(const Model& model) const {
    if (!small_ || rows_ == 0) return;
    InitialData<double> data;
    Report ignored;
    if (!complete_in_graph(model, data, ignored)) return;
    const auto t0 = static_cast<double>(model.t0);
    const Matrix<double> A = at(data.q, data.v, t0);
    if (A.entries.empty()) return;
    require_independent(A);
    const std::string which = incompatible(data.q, data.v, t0, A);
    if (!which.empty())
        throw BadRun(
            "incompatible constraints: A M^-1 A^T is singular at the start, by " + which +
            "\n  the kinetic energy vanishes on what the constraints take away; change it, or start elsewhere");
}

RegularityWatch::RegularityWatch(const Formulas& formulas) {
    const auto& [model, method] = formulas;
    const Step& step = method.step;
    if (!step.generating || model.velocity.empty()) return; // without constraint forces: see verify
    if (model.q.count() > most_coordinates || method.substeps.size() > 1) return;
    // What has a warm start finds q1; what has none belongs to a projection, and finds p1.
    const Vec& unknowns = step.next_hint;
    Vec projecting, equations;
    for (const Unknown& u : step.find)
        if (jacobian(unknowns, u.symbols).empty()) projecting = concat({projecting, u.symbols});
    for (const Equation& e : step.equations)
        if (const Vec f = e.lhs - e.rhs; jacobian(f, projecting).empty()) equations = concat({equations, f});
    const Vec dq = first_components(step.increment, model.q.size()), both = concat({equations, dq});
    const Vec by = concat({unknowns, model.p});
    unknowns_ = static_cast<std::size_t>(unknowns.count());
    matrix_ = Matrix<double>(static_cast<std::size_t>(by.count()), static_cast<std::size_t>(by.count()));
    // A node has the unknowns of the step that led to it in its hint.
    const Vec q0 = model.q - substitute(dq, {{unknowns, step.hint}}), t0({{"t", step.t - step.h}});
    std::vector<JacobianTerm> terms = jacobian(both, by);
    for (JacobianTerm& term : terms)
        term.value =
            substitute(substitute(term.value, {{unknowns, step.hint}}), {{model.q, q0}, {model.time_vec(), t0}});
    entries_ = expand(terms, both, by);
    for (const ScalarEntry& e : entries_) wanted_.push_back(e.value);
}

void RegularityWatch::at_node(long long k, std::span<const double> values, double t, Report& report) {
    if (k > 0 && !entries_.empty()) look(values, report);
    last_time_ = t;
}

void RegularityWatch::look(std::span<const double> values, Report& report) {
    std::fill(matrix_.entries.begin(), matrix_.entries.end(), 0.0);
    for (std::size_t i = 0; i < entries_.size(); ++i) matrix_(entries_[i].row, entries_[i].column) = values[i];
    const double inverse = solve::determinant_of_complement(matrix_, unknowns_);
    const double sign = (matrix_.rows - unknowns_) % 2 ? -1 : 1;
    if (inverse == 0 || !std::isfinite(inverse)) return;
    const double value = sign / inverse;
    if (!report.regularity) report.regularity = {value, value, last_time_, value};
    Report::Regularity& r = *report.regularity;
    if (value * r.end < 0) r.smallest = 0, r.time = last_time_;
    if (std::abs(value) < std::abs(r.smallest)) r.smallest = value, r.time = last_time_;
    r.end = value;
}

} // namespace rattleback
