#include "run/watch.hpp"

#include <cmath>

#include "run/initial.hpp"
#include "solve/rank.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

// Determinant of a b^T, both with unit rows, by elimination.
double overlap(const std::vector<double>& a, const std::vector<double>& b, int rows, int columns) {
    const auto row = [&](const std::vector<double>& m, int i) {
        return m.data() + static_cast<std::ptrdiff_t>(i) * columns;
    };
    const auto dot = [&](const double* x, const double* y) {
        double sum = 0;
        for (int k = 0; k < columns; ++k) sum += x[k] * y[k];
        return sum;
    };
    std::vector<double> g(static_cast<std::size_t>(rows) * static_cast<std::size_t>(rows));
    const auto at = [&](int i, int j) -> double& {
        return g[static_cast<std::size_t>(i) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(j)];
    };
    for (int i = 0; i < rows; ++i)
        for (int j = 0; j < rows; ++j)
            at(i, j) = dot(row(a, i), row(b, j)) / std::sqrt(dot(row(a, i), row(a, i)) * dot(row(b, j), row(b, j)));
    double determinant = 1;
    for (int k = 0; k < rows; ++k) {
        int pivot = k;
        for (int i = k + 1; i < rows; ++i)
            if (std::abs(at(i, k)) > std::abs(at(pivot, k))) pivot = i;
        if (!(std::abs(at(pivot, k)) > 0)) return 0;
        if (pivot != k) {
            for (int j = 0; j < rows; ++j) std::swap(at(k, j), at(pivot, j));
            determinant = -determinant;
        }
        determinant *= at(k, k);
        for (int i = k + 1; i < rows; ++i) {
            const double factor = at(i, k) / at(k, k);
            for (int j = k; j < rows; ++j) at(i, j) -= factor * at(k, j);
        }
    }
    return determinant;
}

// Residuals of a constraint that should follow from the others, and of those, that tell that it no longer does.
constexpr double left_alone = 1e-7, beside_the_others = 100;
constexpr double dependent = 1e-8, nearly_dependent = 1e-2;
constexpr double flat = 0.1; // squared volume of unit rows below which they may have passed through a plane

} // namespace

ConstraintWatch::ConstraintWatch(const Model& model) : model_(model) {
    if (model.holonomic.empty() && model.velocity.empty()) return;
    const Vec rates = derivative_along(model.holonomic, concat({model.q, model.time_vec()}),
                                       concat({model.v, Vec({{"t", Expr(1)}})}));
    const Vec phi = concat({model.velocity, model.holonomic});
    rows_ = phi.count(), columns_ = model.v.count();
    small_ = static_cast<long long>(rows_) * columns_ <= 100000;
    if (!small_) return;
    names_ = expanded_names(phi);
    const Vec all = concat({model.velocity, rates});
    entries_ = expand(jacobian(all, model.v), all, model.v);
    for (const ScalarEntry& e : entries_) formulas_.push_back(e.value);
    // NOTE: holonomic constraints alone are not watched: linkages pass through positions where some are dependent.
    watched_ = !model.velocity.empty() && rows_ > 1 && entries_.size() <= 200;
}

std::vector<Expr> ConstraintWatch::wanted() const {
    std::vector<Expr> shown = watched_ ? formulas_ : std::vector<Expr>();
    if (!model_.redundant.empty())
        for (const Component& c : concat({model_.redundant, model_.holonomic})) shown.push_back(c.value);
    return shown;
}

bool ConstraintWatch::still_redundant(const NodeValues<double>& node, double t, Report& report) const {
    if (model_.redundant.empty()) return true;
    const std::size_t first = watched_ ? formulas_.size() : 0, redundant = model_.redundant.size();
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

std::vector<double> ConstraintWatch::matrix(const std::vector<double>& values) const {
    std::vector<double> m(static_cast<std::size_t>(rows_) * static_cast<std::size_t>(columns_), 0.0);
    for (std::size_t i = 0; i < entries_.size(); ++i)
        m[entries_[i].row * static_cast<std::size_t>(columns_) + entries_[i].column] = values[i];
    return m;
}

bool ConstraintWatch::evaluate(const std::vector<double>& q, const std::vector<double>& v, double t,
                               std::vector<double>& m) const {
    Vec formulas;
    for (const Expr& e : formulas_) formulas.push_back({"", e});
    std::vector<double> others{t}, values;
    for (const Parameter& p : model_.parameters) others.push_back(static_cast<double>(p.value));
    const Vec given = concat({model_.q, model_.v, model_.time_vec(), model_.parameter_vec()});
    Report ignored;
    if (!solve_once(System{model_.graph, given, {}, {}, formulas}, {q, v, others}, values, ignored)) return false;
    m = matrix(values);
    return true;
}

std::string ConstraintWatch::implied(const std::vector<double>& m, double threshold) const {
    std::string s;
    for (int i : solve::row_rank(m, rows_, columns_, threshold).dependent_rows)
        s += (s.empty() ? "" : ", ") + names_[static_cast<std::size_t>(i)] + " = 0";
    return s;
}

std::string ConstraintWatch::incompatible(const std::vector<double>& q, const std::vector<double>& v, double t,
                                          const std::vector<double>& A) const {
    if (model_.kind != Model::lagrangian || model_.variational || columns_ + rows_ > 300) return "";
    const Vec p = Mechanics(model_).momentum();
    Vec formulas;
    const std::vector<ScalarEntry> entries = expand(jacobian(p, model_.v), p, model_.v);
    for (const ScalarEntry& e : entries) formulas.push_back({"", e.value});
    std::vector<double> others{t}, values;
    for (const Parameter& parameter : model_.parameters) others.push_back(static_cast<double>(parameter.value));
    const Vec given = concat({model_.q, model_.v, model_.time_vec(), model_.parameter_vec()});
    Report ignored;
    if (!solve_once(System{model_.graph, given, {}, {}, formulas}, {q, v, others}, values, ignored)) return "";
    const int n = columns_ + rows_;
    std::vector<double> all(static_cast<std::size_t>(n) * static_cast<std::size_t>(n), 0.0);
    const auto at = [&](std::size_t i, std::size_t j) -> double& { return all[i * static_cast<std::size_t>(n) + j]; };
    for (std::size_t i = 0; i < entries.size(); ++i) at(entries[i].row, entries[i].column) = values[i];
    const auto columns = static_cast<std::size_t>(columns_), rows = static_cast<std::size_t>(rows_);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) at(columns + i, j) = at(j, columns + i) = A[i * columns + j];
    std::string s;
    for (int i : solve::row_rank(all, n, n, dependent).dependent_rows)
        if (i >= columns_) s += (s.empty() ? "" : ", ") + names_[static_cast<std::size_t>(i - columns_)] + " = 0";
    return s;
}

void ConstraintWatch::require_independent(const std::vector<double>& m) const {
    const std::string which = implied(m, dependent);
    if (!which.empty())
        throw BadRun("dependent constraints: at the start " + which +
                     " follows from the others\n  leave it out, or start elsewhere");
}

void ConstraintWatch::begin(const NodeValues<double>& node) {
    if (!small_ || model_.velocity.empty()) return; // with_independent_constraints has looked at holonomic ones
    std::vector<double> m;
    if (watched_)
        m = matrix(node.extra);
    else if (!evaluate(node.q, node.v, static_cast<double>(model_.t0), m))
        return;
    require_independent(m);
    last_ = m, last_time_ = static_cast<double>(model_.t0), last_volume_ = overlap(m, m, rows_, columns_);
}

bool ConstraintWatch::pass(const NodeValues<double>& node, double t, Report& report) {
    if (!still_redundant(node, t, report)) return false;
    if (!watched_) {
        last_time_ = t;
        return true;
    }
    now_ = matrix(node.extra);
    const double volume = overlap(now_, now_, rows_, columns_);
    if (volume < flat && last_volume_ < flat && overlap(last_, now_, rows_, columns_) < 0) {
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

void ConstraintWatch::explain(const std::vector<double>& q, const std::vector<double>& v, double t,
                              Report& report) const {
    if (!small_ || rows_ == 0) return;
    std::vector<double> m;
    if (!evaluate(q, v, t, m)) return;
    const std::string which = implied(m, nearly_dependent);
    if (!which.empty()) {
        report.remedy = "the constraints are nearly dependent there: " + which;
        return;
    }
    if (!model_.redundant.empty()) {
        report.remedy = "constraints that were set aside may be needed here; a run from this state chooses anew";
        return;
    }
    const std::string against = incompatible(q, v, t, m);
    if (!against.empty()) report.remedy = "A M^-1 A^T is nearly singular there, by " + against;
}

void ConstraintWatch::explain_start(const Model& model) const {
    if (!small_ || rows_ == 0) return;
    InitialData<double> data;
    Report ignored;
    std::vector<double> m;
    if (!complete_in_place(model, data, ignored) || !evaluate(data.q, data.v, static_cast<double>(model.t0), m)) return;
    require_independent(m);
    const std::string which = incompatible(data.q, data.v, static_cast<double>(model.t0), m);
    if (!which.empty())
        throw BadRun(
            "incompatible constraints: A M^-1 A^T is singular at the start, by " + which +
            "\n  the kinetic energy vanishes on what the constraints take away; change it, or start elsewhere");
}

} // namespace rattleback
