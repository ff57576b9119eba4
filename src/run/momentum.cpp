#include "run/momentum.hpp"
#include "run/initial.hpp"
#include "run/lanes.hpp"

#include <algorithm>

namespace rattleback {
namespace {

constexpr double allowed = 1e-9; // as for initial data: what counts as being on a constraint
constexpr std::size_t most_rates = 200;

// The part of d that the rows leave free: d minus its projection on their span. N: one number, or those of eight nodes.
// Returns the dimension of the span; `basis` is scratch memory.
template <class N, class T>
[[gnu::always_inline]] inline N remove_rows(std::vector<N>& d, const N* rates, std::size_t rows,
                                            std::vector<N>& basis) {
    using in_lanes::larger, in_lanes::root, in_lanes::select;
    const std::size_t n = d.size();
    const auto dot = [n](const N* a, const N* b) RATTLEBACK_LANES {
        N sum = T(0);
        for (std::size_t i = 0; i < n; ++i) sum = sum + a[i] * b[i];
        return sum;
    };
    const auto take_from = [n, &dot](N* x, const N* unit) RATTLEBACK_LANES {
        const N part = dot(x, unit);
        for (std::size_t i = 0; i < n; ++i) x[i] = x[i] - part * unit[i];
    };
    N dimension = T(0);
    for (std::size_t r = 0; r < rows; ++r) {
        N* const row = basis.data() + r * n;
        for (std::size_t a = 0; a < n; ++a) row[a] = rates[a * rows + r];
        const N size = root(dot(row, row));
        for (int again = 0; again < 2; ++again) // Gram and Schmidt, twice for the last digits
            for (std::size_t before = 0; before < r; ++before) take_from(row, basis.data() + before * n);
        const N left = root(dot(row, row));
        const auto good = N(static_cast<T>(allowed)) * larger(size, N(T(1))) < left; // else it is spanned already
        for (std::size_t i = 0; i < n; ++i) row[i] = select(good, row[i] / left, N(T(0)));
        dimension = dimension + select(good, N(T(1)), N(T(0)));
    }
    for (std::size_t r = 0; r < rows; ++r) take_from(d.data(), basis.data() + r * n);
    return dimension;
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
    std::vector<T> none(symmetries_.size(), T(0)), basis(now_.rates.size());
    if (all_of_g_ && remove_rows<T, T>(none, now_.rates.data(), constraints_, basis) < static_cast<T>(none.size()))
        return now_.rates.clear(), false;
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
    Residuals<T> here = none<T>();
    compare(change_, last_.rates.data(), last_.coefficients.data(), here);
    take(here);
}

template <class T> template <class N> auto MomentumEquation<T>::none() const -> Residuals<N> {
    const std::vector<N> of_sections(sections_.size(), N(T(0))), of_symmetries(symmetries_.size(), N(T(0)));
    const std::size_t basis = constraints_ * symmetries_.size(),
                      scratch = basis + sections_.size() * symmetries_.size();
    return {of_sections,
            of_sections,
            of_symmetries,
            T(0),
            T(0),
            std::vector<N>(basis, N(T(0))),
            std::vector<N>(scratch, N(T(0))),
            of_symmetries};
}

// change: of the momenta, which it overwrites; rates and coefficients: those of the node before.
template <class T>
template <class N>
[[gnu::always_inline]] inline void MomentumEquation<T>::compare(std::vector<N>& change, const N* rates,
                                                                const N* coefficients, Residuals<N>& most) const {
    using in_lanes::larger, in_lanes::magnitude;
    const std::size_t count = symmetries_.size();
    for (std::size_t s = 0; s < sections_.size(); ++s) {
        N sum = T(0);
        for (std::size_t a = 0; a < count; ++a) sum = sum + coefficients[s * count + a] * change[a];
        most.sections[s] = larger(most.sections[s], magnitude(sum));
    }
    if (!all_of_g_) return;
    const N free = N(static_cast<T>(count)) - remove_rows<N, T>(change, rates, constraints_, most.basis);
    most.dimension = larger(most.dimension, free);
    for (const N& x : change) most.whole = larger(most.whole, magnitude(x));
}

template <class T> void MomentumEquation<T>::take(const Residuals<T>& of) {
    for (std::size_t s = 0; s < sections_.size(); ++s) {
        sections_[s].residual = std::max(sections_[s].residual, of.sections[s]);
        sections_[s].inside = sections_[s].inside && of.along[s] <= static_cast<T>(allowed);
    }
    for (std::size_t a = 0; a < symmetries_.size(); ++a)
        horizontal_[a] = horizontal_[a] && of.rates[a] <= static_cast<T>(allowed);
    dimension_ = std::max(dimension_, static_cast<std::size_t>(of.dimension));
    residual_ = std::max(residual_, of.whole);
}

template <class T>
void MomentumEquation<T>::at_nodes(std::size_t count, const Column& wanted, const Column& momentum, T t) {
    if constexpr (std::is_same_v<T, double>) {
        if (formulas_.empty() || count == 0) return;
        const std::size_t n = symmetries_.size(), arrived = formulas_.size() - n, columns = formulas_.size() + n;
        // All of them one after the other, with the node before in front.
        const std::size_t stride = count + 1;
        columns_.resize(columns * stride);
        const std::vector<T>* const before[] = {&last_.rates, &last_.coefficients, &last_.arrived, &last_.momenta};
        std::size_t c = 0;
        for (const std::vector<T>* group : before)
            for (std::size_t i = 0; i < group->size(); ++i, ++c) {
                const NodeColumn from = c < formulas_.size() ? wanted(c) : momentum(i);
                T* const to = columns_.data() + c * stride;
                to[0] = (*group)[i];
                std::copy_n(from, count, to + 1);
            }
        const auto walk = [&](std::size_t k, auto& most, const auto& load) RATTLEBACK_LANES {
            auto& x = most.scratch;
            for (std::size_t i = 0; i < arrived; ++i) x[i] = load(columns_.data() + i * stride + k);
            for (std::size_t a = 0; a < n; ++a)
                most.change[a] = load(columns_.data() + (arrived + a) * stride + k + 1) -
                                 load(columns_.data() + (arrived + n + a) * stride + k);
            look(x.data(), x.data() + constraints_ * n, most);
            compare(most.change, x.data(), x.data() + constraints_ * n, most);
        };
        std::size_t k = 0;
        Residuals<T> rest = none<T>();
        solve::in_vectors([&](auto vector) RATTLEBACK_LANES {
            using Eight = in_lanes::Eight<decltype(vector)>;
            if (count < in_lanes::count) return;
            Residuals<Eight> most = none<Eight>();
            for (; k + in_lanes::count <= count; k += in_lanes::count)
                walk(k, most, [](const T* from) RATTLEBACK_LANES { return Eight(from); });
            const auto take_largest = [](std::vector<T>& to, const std::vector<Eight>& from) RATTLEBACK_LANES {
                for (std::size_t i = 0; i < to.size(); ++i) to[i] = largest(from[i]);
            };
            take_largest(rest.sections, most.sections), take_largest(rest.along, most.along);
            take_largest(rest.rates, most.rates);
            rest.whole = largest(most.whole), rest.dimension = largest(most.dimension);
        });
        for (; k < count; ++k) walk(k, rest, [](const T* from) { return *from; });
        take(rest);
        end_at(count, stride, t);
    }
}

// What place() looks at, of the nodes with these rates and coefficients.
template <class T>
template <class N>
[[gnu::always_inline]] inline void MomentumEquation<T>::look(const N* rates, const N* coefficients,
                                                             Residuals<N>& most) const {
    using in_lanes::larger, in_lanes::magnitude;
    const std::size_t count = symmetries_.size();
    for (std::size_t a = 0; a < count; ++a)
        for (std::size_t i = 0; i < constraints_ && horizontal_[a]; ++i)
            most.rates[a] = larger(most.rates[a], magnitude(rates[a * constraints_ + i]));
    for (std::size_t s = 0; s < sections_.size(); ++s)
        for (std::size_t i = 0; i < constraints_ && sections_[s].inside; ++i) {
            N sum = T(0);
            for (std::size_t a = 0; a < count; ++a)
                sum = sum + coefficients[s * count + a] * rates[a * constraints_ + i];
            most.along[s] = larger(most.along[s], magnitude(sum));
        }
}

// The last of these nodes becomes the last.
template <class T> void MomentumEquation<T>::end_at(std::size_t node, std::size_t stride, T t) {
    std::size_t c = 0;
    const std::pair<std::vector<T>*, std::size_t> groups[] = {{&now_.rates, last_.rates.size()},
                                                              {&now_.coefficients, last_.coefficients.size()},
                                                              {&now_.arrived, last_.arrived.size()},
                                                              {&now_.momenta, last_.momenta.size()}};
    for (const auto& [group, size] : groups) {
        group->resize(size);
        for (T& x : *group) x = columns_[c++ * stride + node];
    }
    now_.t = t;
    place();
    std::swap(last_, now_);
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
