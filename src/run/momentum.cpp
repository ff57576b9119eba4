#include "run/momentum.hpp"
#include "run/initial.hpp"

#include <algorithm>

namespace rattleback {
namespace {

constexpr double allowed = 1e-9; // as for initial data: what counts as being on a constraint
constexpr std::size_t most_rates = 200;

// The part of d that the rows leave free: d minus its projection on their span. Returns the dimension of what is left.
template <class T> std::size_t remove_rows(std::vector<T>& d, const std::vector<T>& rates, std::size_t rows) {
    const std::size_t n = d.size();
    const auto dot = [](const std::vector<T>& a, const std::vector<T>& b) {
        T sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
        return sum;
    };
    const auto take_from = [&](std::vector<T>& x, const std::vector<T>& unit) {
        const T part = dot(x, unit);
        for (std::size_t i = 0; i < n; ++i) x[i] -= part * unit[i];
    };
    std::vector<std::vector<T>> basis;
    for (std::size_t r = 0; r < rows; ++r) {
        std::vector<T> row(n);
        for (std::size_t a = 0; a < n; ++a) row[a] = rates[a * rows + r];
        const T size = real::sqrt(dot(row, row));
        for (int again = 0; again < 2; ++again) // Gram and Schmidt, twice for the last digits
            for (const std::vector<T>& unit : basis) take_from(row, unit);
        const T left = real::sqrt(dot(row, row));
        if (!(left > static_cast<T>(allowed) * std::max(size, T(1)))) continue;
        for (T& x : row) x /= left;
        basis.push_back(std::move(row));
    }
    for (const std::vector<T>& unit : basis) take_from(d, unit);
    return n - basis.size();
}

} // namespace

template <class T> MomentumEquation<T>::MomentumEquation(const Formulas& formulas) {
    const auto& [model, method] = formulas;
    const bool inside_the_action = model.variational && !model.velocity.empty();
    if (model.symmetries.empty() || inside_the_action || !model.phase.empty()) return;
    if (method.substeps.size() > 1 || method.controls_step) return;
    if (!model.groups.empty() && !model.force.empty()) return; // its work is taken from differences of q
    const Nonholonomic sys(model);
    constraints_ = static_cast<std::size_t>(sys.phi.count());
    const std::size_t count = model.symmetries.size();
    if (constraints_ * count > most_rates || (constraints_ == 0 && model.sections.empty())) return;

    const Vec& arrival = method.step.arrival.empty() ? model.p : method.step.arrival;
    std::vector<Expr> rates, coefficients, arrived;
    bool idle = true; // all are horizontal by their formulas: there is nothing to say but that momenta are conserved
    for (const Symmetry& s : model.symmetries) {
        symmetries_.push_back(s.name);
        for (const Expr& e : expand(derivative_along(sys.phi, model.v, s.generator)))
            rates.push_back(e), idle = idle && e.is(0);
        arrived.push_back(dot(s.generator, arrival));
    }
    horizontal_.assign(count, constraints_ > 0);
    all_of_g_ = model.sections.empty() && !idle;
    for (const SymmetrySection& s : model.sections) {
        sections_.push_back({s.name});
        const std::size_t first = coefficients.size();
        coefficients.resize(first + count, Expr(0));
        for (const auto& [name, value] : s.coefficients) {
            const auto a =
                static_cast<std::size_t>(std::find(symmetries_.begin(), symmetries_.end(), name) - symmetries_.begin());
            coefficients[first + a] = value;
        }
    }
    if (sections_.empty() && settled(rates)) return;
    add_forces(model);
    for (const auto* part : {&rates, &coefficients, &arrived})
        formulas_.insert(formulas_.end(), part->begin(), part->end());
}

// Where the constraints are the same all along the symmetries, one look is enough: nodes have nothing to show if no
// combination is allowed, or if all are.
template <class T> bool MomentumEquation<T>::settled(const std::vector<Expr>& rates) {
    for (const Expr& e : rates) {
        if (!e.constant()) return now_.rates.clear(), false;
        now_.rates.push_back(static_cast<T>(*e.constant()));
    }
    std::vector<T> none(symmetries_.size(), T(0));
    if (all_of_g_ && remove_rows(none, now_.rates, constraints_) > 0) return now_.rates.clear(), false;
    place();
    return true;
}

template <class T> void MomentumEquation<T>::add_forces(const Model& model) {
    if (model.force.empty()) return;
    Vec powers;
    bool none = true;
    for (const Symmetry& s : model.symmetries) {
        powers.push_back({s.name, dot(s.generator, model.force)});
        none = none && powers[powers.size() - 1].value.is(0);
    }
    if (none) return;
    const Vec given = concat({model.q, model.v, time_and_parameter_leaves(model)});
    work_.emplace(compile(System{model.graph, given, {}, {}, powers}));
    const std::vector<T> parameters = parameter_values<T>(model);
    std::copy(parameters.begin(), parameters.end(), work_->given() + model.q.count() + model.v.count() + 1);
}

// The forces' work in the step from last_ to now_.
template <class T> bool MomentumEquation<T>::subtract_work() {
    if (!work_) return true;
    const std::size_t n = now_.q.size();
    const T h = now_.t - last_.t;
    for (std::size_t i = 0; i < n; ++i) {
        work_->given()[i] = (last_.q[i] + now_.q[i]) / 2;
        work_->given()[n + i] = (now_.q[i] - last_.q[i]) / h;
    }
    work_->given()[2 * n] = last_.t + h / 2;
    Report ignored;
    if (!work_->solve(ignored)) return false;
    for (std::size_t a = 0; a < change_.size(); ++a) change_[a] -= h * work_->result(a);
    return true;
}

template <class T> void MomentumEquation<T>::at_node(std::span<const T> values, const NodeValues<T>& node, T t) {
    if (formulas_.empty()) return;
    const std::size_t count = symmetries_.size(), rates = constraints_ * count, coefficients = sections_.size() * count;
    const auto take = [&](std::vector<T>& to, std::size_t size) {
        to.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size));
        values = values.subspan(size);
    };
    take(now_.rates, rates), take(now_.coefficients, coefficients), take(now_.arrived, count);
    now_.momenta.assign(node.momenta.begin(), node.momenta.begin() + static_cast<std::ptrdiff_t>(count));
    now_.q = node.q, now_.t = t;
    if (!last_.momenta.empty()) compare();
    place();
    std::swap(last_, now_);
}

template <class T> void MomentumEquation<T>::compare() {
    const std::size_t count = symmetries_.size();
    change_.resize(count);
    for (std::size_t a = 0; a < count; ++a) change_[a] = now_.arrived[a] - last_.momenta[a];
    if (!subtract_work()) return; // a force without a value there
    for (std::size_t s = 0; s < sections_.size(); ++s) {
        T sum = 0;
        for (std::size_t a = 0; a < count; ++a) sum += last_.coefficients[s * count + a] * change_[a];
        sections_[s].residual = std::max(sections_[s].residual, real::abs(sum));
    }
    if (!all_of_g_) return;
    dimension_ = std::max(dimension_, remove_rows(change_, last_.rates, constraints_));
    for (const T& x : change_) residual_ = std::max(residual_, real::abs(x));
}

template <class T> void MomentumEquation<T>::place() {
    const std::size_t count = symmetries_.size();
    const auto vanishes = [](const T& x) { return real::abs(x) <= static_cast<T>(allowed); };
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t i = 0; i < constraints_; ++i)
            if (!vanishes(now_.rates[a * constraints_ + i])) horizontal_[a] = false;
    for (std::size_t s = 0; s < sections_.size(); ++s)
        for (std::size_t i = 0; i < constraints_; ++i) {
            T sum = 0;
            for (std::size_t a = 0; a < count; ++a)
                sum += now_.coefficients[s * count + a] * now_.rates[a * constraints_ + i];
            if (!vanishes(sum)) sections_[s].inside = false;
        }
}

template <class T> std::vector<std::pair<std::string, T>> MomentumEquation<T>::largest_residuals() const {
    std::vector<std::pair<std::string, T>> result;
    for (const Section& s : sections_) result.emplace_back(s.name, s.residual);
    if (all_of_g_ && dimension_ > 0) result.emplace_back("g^q", residual_);
    return result;
}

template <class T> std::vector<std::string> MomentumEquation<T>::horizontal() const {
    std::vector<std::string> names;
    for (std::size_t a = 0; a < horizontal_.size(); ++a)
        if (horizontal_[a]) names.push_back(symmetries_[a]);
    return names;
}

template <class T> std::vector<std::string> MomentumEquation<T>::outside() const {
    std::vector<std::string> names;
    for (const Section& s : sections_)
        if (!s.inside) names.push_back(s.name);
    return names;
}

template class MomentumEquation<double>;
template class MomentumEquation<quad>;

} // namespace rattleback
