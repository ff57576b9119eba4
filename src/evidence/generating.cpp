// Steps that a function S and forces f at places P generate: for the pairs (a, b) of the step's form,
//     b1 da1 - b0 da0 = dS - sum f . dP
// (de Leon, Martin de Diego and Santamaria 2004, (12) and (17)). Taking d of both sides, what the form omega = da ^ db
// gains in a step is what the forces do to it, the discrete form of (10) and (11):
//     D^T Omega D - Omega = sum df ^ dP
// Over several steps S and the forces' work add up, pulled back to the start (Theorems 2.1 and 3.1, (20)).
//
// With D = [A B; C E] as the derivative of (q1, p1) by (q0, p0), functions of (q0, q1) have D12 S = -B^-1 and, without
// forces, D21 S = C - E B^-1 A: the form omega_d = D12 S dq0 ^ dq1 on Q x Q is the same from both ends where they are
// transposed. A symmetry xi moves both ends, J_d is kept where (dS - sum f . dP)(xi(q0), xi(q1)) = 0.
#include <rattleback/evidence.hpp>

#include <algorithm>

#include "evidence/defects.hpp"
#include "run/compiled.hpp"
#include "run/stepper.hpp"
#include "solve/determinant.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

using solve::product;

template <class T> struct Pulled { // of one step, as functions of the state it starts from
    Matrix<T> D, dS;
    std::vector<std::vector<T>> f;
    std::vector<Matrix<T>> df, dP;
};

template <class T> class GeneratedStep {
  public:
    explicit GeneratedStep(const Formulas& formulas)
        : state_(static_cast<std::size_t>(formulas.method.step.state.count())), given_(step_inputs(formulas).size()) {
        const Step& step = formulas.method.step;
        const Vec given = step_inputs(formulas).values();
        Vec results = concat({step.increment, Vec({{"S", *step.generating}})});
        for (const Work& w : step.work) {
            counts_.push_back(static_cast<std::size_t>(w.force.count()));
            results = concat({results, w.force, w.place});
        }
        step_.emplace(System{step.graph, given, step.find, step.equations, results}, std::vector{step.state});
        Vec b;
        for (const auto& [a, momentum] : step.form) a_.add(a, step.state), b = concat({b, momentum});
        for (const Symmetry& symmetry : formulas.model.symmetries) b = concat({b, symmetry.generator});
        theta_.emplace(compile(System{step.graph, given, {}, {}, concat({a_.formulas, b})}));
    }

    bool at(const Stepper<T>& stepper, T t, T h, Pulled<T>& pulled, Report& report) {
        std::vector<T> given(given_);
        stepper.parts().give(t, h, given.data());
        std::vector<Matrix<T>> d;
        if (!step_->at(given, d, report)) return false;
        const std::vector<T> values = step_->values();
        std::size_t row = 0;
        const auto rows = [&](std::size_t count) {
            Matrix<T> m(count, state_);
            for (std::size_t i = 0; i < count; ++i, ++row)
                for (std::size_t j = 0; j < state_; ++j) m(i, j) = d[0](row, j);
            return m;
        };
        pulled = {};
        pulled.D = rows(state_);
        for (std::size_t i = 0; i < state_; ++i) pulled.D(i, i) += T(1);
        pulled.dS = rows(1);
        for (std::size_t count : counts_) {
            const auto first = values.begin() + static_cast<std::ptrdiff_t>(row);
            pulled.f.emplace_back(first, first + static_cast<std::ptrdiff_t>(count));
            pulled.df.push_back(rows(count)), pulled.dP.push_back(rows(count));
        }
        return true;
    }

    // b da at a state, as a row; the generators of the symmetries there, one after the other.
    bool theta(const Stepper<T>& stepper, T t, Matrix<T>& row, std::vector<T>& generators, Report& report) {
        stepper.parts().give(t, stepper.h(), theta_->given());
        if (!theta_->solve(report)) return false;
        row = Matrix<T>(1, state_);
        auto b = static_cast<std::size_t>(a_.formulas.count());
        for (const Matrix<T>& da : a_.read(*theta_))
            for (std::size_t i = 0; i < da.rows; ++i, ++b)
                for (std::size_t j = 0; j < state_; ++j) row(0, j) += theta_->result(b) * da(i, j);
        generators.clear();
        for (; b < theta_->result_count(); ++b) generators.push_back(theta_->result(b));
        return true;
    }

  private:
    std::size_t state_, given_;       // how many
    std::vector<std::size_t> counts_; // of each force
    std::optional<solve::Implicit<T>> step_;
    solve::Jacobians a_;
    std::optional<SystemSolver<T>> theta_;
};

// dS - sum f . dP
template <class T> Matrix<T> right_side(const Pulled<T>& p) {
    Matrix<T> row = p.dS;
    for (std::size_t k = 0; k < p.f.size(); ++k)
        for (std::size_t i = 0; i < p.f[k].size(); ++i)
            for (std::size_t j = 0; j < row.columns; ++j) row(0, j) -= p.f[k][i] * p.dP[k](i, j);
    return row;
}

// D^T after D - before - sum df ^ dP, relative to the terms it is made of.
template <class T> T form_defect(const Pulled<T>& p, const Matrix<T>& before, const Matrix<T>& after) {
    const std::size_t n = p.D.rows;
    const Matrix<T> moved = product(after, p.D);
    T worst = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            T sum = -before(i, j), size = std::max(real::abs(before(i, j)), T(1));
            const auto add = [&](const T& x, const T& y) { sum += x * y, size += real::abs(x * y); };
            for (std::size_t a = 0; a < n; ++a) add(p.D(a, i), moved(a, j));
            for (std::size_t k = 0; k < p.f.size(); ++k)
                for (std::size_t c = 0; c < p.f[k].size(); ++c)
                    add(-p.df[k](c, i), p.dP[k](c, j)), add(p.dP[k](c, i), p.df[k](c, j));
            worst = std::max(worst, real::abs(sum) / size);
        }
    return worst;
}

// The step as a function of (q0, q1).
template <class T> class OfPairs {
  public:
    explicit OfPairs(const Matrix<T>& D)
        : n_(D.rows / 2), A_(part(D, 0, 0)), B_(part(D, 0, n_)), C_(part(D, n_, 0)), E_(part(D, n_, n_)),
          inverse_(n_, n_), factors_(static_cast<int>(n_)) {
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j) factors_.at(static_cast<int>(i), static_cast<int>(j)) = B_(i, j);
        regular = factors_.factor().ok;
        std::vector<T> column(n_);
        for (std::size_t j = 0; j < n_ && regular; ++j) {
            for (std::size_t i = 0; i < n_; ++i) column[i] = T(i == j ? 1 : 0);
            factors_.solve(column.data());
            for (std::size_t i = 0; i < n_; ++i) inverse_(i, j) = column[i];
        }
    }
    bool regular = false;

    T regularity() const { return T(n_ % 2 ? -1 : 1) / solve::determinant(B_); } // det(-B^-1)

    T asymmetry() const {
        const Matrix<T> back = product(E_, product(inverse_, A_));
        T worst = 0, size = 1;
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j) {
                worst = std::max(worst, real::abs(-inverse_(j, i) - (C_(i, j) - back(i, j))));
                size = std::max({size, real::abs(inverse_(j, i)), real::abs(back(i, j))});
            }
        return worst / size;
    }

    // A one-form on the states, along the vector that moves q0 and q1 by these.
    T along(const Matrix<T>& row, const T* at_q0, const T* at_q1) const {
        T sum = 0;
        std::vector<T> dp(n_);
        for (std::size_t i = 0; i < n_; ++i) {
            dp[i] = at_q1[i];
            for (std::size_t j = 0; j < n_; ++j) dp[i] -= A_(i, j) * at_q0[j];
            sum += row(0, i) * at_q0[i];
        }
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j) sum += row(0, n_ + i) * inverse_(i, j) * dp[j];
        return sum;
    }

  private:
    Matrix<T> part(const Matrix<T>& D, std::size_t row, std::size_t column) const {
        Matrix<T> m(n_, n_);
        for (std::size_t i = 0; i < n_; ++i)
            for (std::size_t j = 0; j < n_; ++j) m(i, j) = D(row + i, column + j);
        return m;
    }
    std::size_t n_;
    Matrix<T> A_, B_, C_, E_, inverse_;
    solve::Dense<T> factors_;
};

template <class T>
void look_at_pairs(const Pulled<T>& pulled, const std::vector<T>& before, const std::vector<T>& after, bool first,
                   GeneratingDefect<T>& defect) {
    const OfPairs<T> pairs(pulled.D);
    if (!pairs.regular) return;
    const T value = pairs.regularity();
    if (first) defect.regularity = defect.smallest = value;
    if (value * defect.regularity < 0) defect.smallest = 0;
    if (real::abs(value) < real::abs(defect.smallest)) defect.smallest = value;
    defect.pairs = std::max(defect.pairs, pairs.asymmetry());
    const std::size_t n = pulled.D.rows / 2;
    defect.momenta.resize(before.size() / n);
    for (std::size_t k = 0; k < defect.momenta.size(); ++k)
        defect.momenta[k] =
            std::max(defect.momenta[k], real::abs(pairs.along(right_side(pulled), &before[k * n], &after[k * n])));
}

} // namespace

template <class T>
std::optional<GeneratingDefect<T>> generating_defect(const CompiledMethod& compiled, T h, int steps, Report& report) {
    const Method& method = compiled.method();
    if (!method.step.generating || method.controls_step || method.substeps.size() > 1) return {};
    Stepper<T> stepper(compiled);
    Tangent<T> forms(compiled);
    GeneratedStep<T> generated(compiled.parts().copy_of_formulas());
    if (!stepper.start(report, h)) return {};
    const std::size_t n = stepper.state().size();
    Matrix<T> flow(n, n), sum(1, n), first, last, before, after; // flow: d(state)/d(start); sum: of the right sides
    for (std::size_t i = 0; i < n; ++i) flow(i, i) = 1;
    Pulled<T> pulled;
    GeneratingDefect<T> defect;
    std::vector<T> xi, next_xi; // generators at the ends of the step
    const auto form = [&](T t, Matrix<T>& omega) { return forms.form(stepper, t, omega, report); };
    if (!form(stepper.t0(), before) || !generated.theta(stepper, stepper.t0(), first, xi, report)) return {};
    for (int k = 0; k < steps; ++k) {
        const T t = stepper.t0() + static_cast<T>(k) * h;
        if (!generated.at(stepper, t, h, pulled, report) || !stepper.advance(k, h, report) || !form(t + h, after) ||
            !generated.theta(stepper, t + h, last, next_xi, report))
            return {};
        look_at_pairs(pulled, xi, next_xi, k == 0, defect);
        xi = next_xi;
        defect.two_form = std::max(defect.two_form, form_defect(pulled, before, after));
        const Matrix<T> gained = product(right_side(pulled), flow);
        flow = product(pulled.D, flow);
        const Matrix<T> reached = product(last, flow);
        T size = 1, worst = 0;
        for (std::size_t j = 0; j < n; ++j) {
            sum(0, j) += gained(0, j);
            size = std::max({size, real::abs(reached(0, j)), real::abs(first(0, j))});
            worst = std::max(worst, real::abs(reached(0, j) - first(0, j) - sum(0, j)));
        }
        defect.one_form = std::max(defect.one_form, worst / size);
        before = after;
    }
    return defect;
}

template std::optional<GeneratingDefect<double>> generating_defect(const CompiledMethod&, double, int, Report&);
template std::optional<GeneratingDefect<quad>> generating_defect(const CompiledMethod&, quad, int, Report&);

} // namespace rattleback
