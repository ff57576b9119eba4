#include "run/momentum.hpp"
#include "run/initial.hpp"

#include <algorithm>

namespace rattleback {
namespace {

constexpr std::size_t most_rates = 200;

} // namespace

template <class T> MomentumEquation<T>::MomentumEquation(const Formulas& formulas) {
    const auto& [model, method] = formulas;
    const bool inside_the_action = model.variational && !model.velocity.empty();
    if (model.symmetries.empty() || inside_the_action || !model.phase.empty()) return;
    if (method.substeps.size() > 1 || method.controls_step) return;
    if (!model.groups.empty() && !model.force.empty()) return; // its work is taken from differences of q
    const Nonholonomic sys(model);
    const auto constraints = static_cast<std::size_t>(sys.phi.count());
    const std::size_t count = model.symmetries.size();
    if (constraints * count > most_rates || (constraints == 0 && model.sections.empty())) return;

    const Vec& arrival = method.step.arrival.empty() ? model.p : method.step.arrival;
    std::vector<Expr> rates, coefficients, arrived;
    bool idle = true; // all are horizontal by their formulas: there is nothing to say but that momenta are conserved
    for (const Symmetry& s : model.symmetries) {
        symmetries_.push_back(s.name);
        for (const Expr& e : expand(derivative_along(sys.phi, model.v, s.generator)))
            rates.push_back(e), idle = idle && e.is(0);
        arrived.push_back(dot(s.generator, arrival));
    }
    shape_ = {constraints, count, model.sections.size(), model.sections.empty() && !idle};
    most_ = MomentumResiduals<T>(shape_);
    for (const SymmetrySection& s : model.sections) {
        sections_.push_back(s.name);
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
    std::vector<T> values;
    for (const Expr& e : rates) {
        if (!e.constant()) return false;
        values.push_back(static_cast<T>(*e.constant()));
    }
    std::vector<T> none(symmetries_.size(), T(0));
    if (shape_.all_of_g && most_.remove_rows(none, values.data()) < static_cast<T>(none.size())) return false;
    most_.look(values.data(), nullptr);
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
    now_.shown.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(formulas_.size()));
    now_.shown.insert(now_.shown.end(), node.momenta.begin(),
                      node.momenta.begin() + static_cast<std::ptrdiff_t>(symmetries_.size()));
    now_.q = node.q, now_.t = t;
    if (!last_.shown.empty()) compare();
    most_.look(now_.shown.data(), now_.shown.data() + shape_.rates());
    std::swap(last_, now_);
}

template <class T> void MomentumEquation<T>::compare() {
    const std::size_t count = symmetries_.size();
    change_.resize(count);
    for (std::size_t a = 0; a < count; ++a)
        change_[a] = now_.shown[shape_.before_arrived() + a] - last_.shown[shape_.formulas() + a];
    if (subtract_work()) // else a force has no value there
        most_.compare(change_, last_.shown.data(), last_.shown.data() + shape_.rates());
}

template <class T>
void MomentumEquation<T>::go_to(const MomentumResiduals<T>& residuals, const std::function<T(std::size_t)>& shown,
                                T t) {
    most_.take(residuals);
    last_.shown.resize(columns());
    for (std::size_t i = 0; i < last_.shown.size(); ++i) last_.shown[i] = shown(i);
    last_.t = t;
    most_.look(last_.shown.data(), last_.shown.data() + shape_.rates());
}

template <class T> std::vector<std::pair<std::string, T>> MomentumEquation<T>::largest_residuals() const {
    std::vector<std::pair<std::string, T>> result;
    for (std::size_t s = 0; s < sections_.size(); ++s) result.emplace_back(sections_[s], most_.sections[s]);
    if (shape_.all_of_g && most_.dimension > 0) result.emplace_back("g^q", most_.whole);
    return result;
}

template <class T> std::vector<std::string> MomentumEquation<T>::horizontal() const {
    std::vector<std::string> names;
    for (std::size_t a = 0; a < symmetries_.size() && shape_.constraints > 0; ++a)
        if (most_.rates[a] <= static_cast<T>(most_.allowed)) names.push_back(symmetries_[a]);
    return names;
}

template <class T> std::vector<std::string> MomentumEquation<T>::outside() const {
    std::vector<std::string> names;
    for (std::size_t s = 0; s < sections_.size(); ++s)
        if (!(most_.along[s] <= static_cast<T>(most_.allowed))) names.push_back(sections_[s]);
    return names;
}

template class MomentumEquation<double>;
template class MomentumEquation<quad>;

} // namespace rattleback
