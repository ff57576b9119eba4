// The largest residuals of the discrete momentum equation (see momentum.hpp), from what nodes show. Over one number, or
// the lanes of a listing.
#pragma once

#include <vector>

#include "run/lanes.hpp"

namespace rattleback {

struct MomentumShape {
    std::size_t constraints = 0, symmetries = 0, sections = 0;
    bool all_of_g = false; // no section is declared

    // What nodes show: phi_v xi_a, constraints within symmetries; symmetries within sections; <p+, xi_a>; <p, xi_a>.
    std::size_t rates() const { return constraints * symmetries; }
    std::size_t before_arrived() const { return rates() + sections * symmetries; }
    std::size_t formulas() const { return before_arrived() + symmetries; }
    std::size_t all() const { return formulas() + symmetries; }
};

template <class N> class MomentumResiduals {
  public:
    static constexpr double allowed = 1e-9; // as for initial data: what counts as being on a constraint

    explicit MomentumResiduals(const MomentumShape& shape)
        : sections(shape.sections, N(0.0)), along(shape.sections, N(0.0)), rates(shape.symmetries, N(0.0)), whole(0.0),
          dimension(0.0), shape_(shape), basis_(shape.rates(), N(0.0)) {}

    std::vector<N> sections, along, rates; // along: rates of the constraints along sections
    N whole, dimension;                    // of g^q

    template <class F> void each(const F& f) {
        for (auto* all : {&sections, &along, &rates})
            for (N& x : *all) f(x);
        f(whole), f(dimension);
    }

    void take(const MomentumResiduals& of) {
        using in_lanes::larger;
        const auto take_all = [](std::vector<N>& to, const std::vector<N>& from) {
            for (std::size_t i = 0; i < to.size(); ++i) to[i] = larger(to[i], from[i]);
        };
        take_all(sections, of.sections), take_all(along, of.along), take_all(rates, of.rates);
        whole = larger(whole, of.whole), dimension = larger(dimension, of.dimension);
    }

    // The step between two nodes, from all they show.
    void add(const std::vector<N>& before, const std::vector<N>& now) {
        std::vector<N> change;
        for (std::size_t a = 0; a < shape_.symmetries; ++a)
            change.push_back(now[shape_.before_arrived() + a] - before[shape_.formulas() + a]);
        look(before.data(), before.data() + shape_.rates());
        compare(change, before.data(), before.data() + shape_.rates());
    }

    // change: of the momenta, which it overwrites; rates and coefficients: those of the node before.
    void compare(std::vector<N>& change, const N* rates_before, const N* coefficients) {
        using in_lanes::larger, in_lanes::magnitude;
        const std::size_t count = shape_.symmetries;
        for (std::size_t s = 0; s < shape_.sections; ++s) {
            N sum = 0.0;
            for (std::size_t a = 0; a < count; ++a) sum = sum + coefficients[s * count + a] * change[a];
            sections[s] = larger(sections[s], magnitude(sum));
        }
        if (!shape_.all_of_g) return;
        dimension = larger(dimension, N(static_cast<double>(count)) - remove_rows(change, rates_before));
        for (const N& x : change) whole = larger(whole, magnitude(x));
    }

    // How far symmetries and sections are from being horizontal.
    void look(const N* rates_there, const N* coefficients) {
        using in_lanes::larger, in_lanes::magnitude;
        const std::size_t count = shape_.symmetries, constraints = shape_.constraints;
        for (std::size_t a = 0; a < count; ++a)
            for (std::size_t i = 0; i < constraints; ++i)
                rates[a] = larger(rates[a], magnitude(rates_there[a * constraints + i]));
        for (std::size_t s = 0; s < shape_.sections; ++s)
            for (std::size_t i = 0; i < constraints; ++i) {
                N sum = 0.0;
                for (std::size_t a = 0; a < count; ++a)
                    sum = sum + coefficients[s * count + a] * rates_there[a * constraints + i];
                along[s] = larger(along[s], magnitude(sum));
            }
    }

    // The part of d that the rates of the constraints leave free: d minus its projection on their span. Returns the
    // dimension of the span.
    N remove_rows(std::vector<N>& d, const N* rates_there) {
        using in_lanes::larger, in_lanes::root, in_lanes::select;
        const std::size_t n = d.size(), rows = shape_.constraints;
        const auto dot = [n](const N* a, const N* b) {
            N sum = 0.0;
            for (std::size_t i = 0; i < n; ++i) sum = sum + a[i] * b[i];
            return sum;
        };
        const auto take_from = [n, &dot](N* x, const N* unit) {
            const N part = dot(x, unit);
            for (std::size_t i = 0; i < n; ++i) x[i] = x[i] - part * unit[i];
        };
        N dimension_of_span = 0.0;
        for (std::size_t r = 0; r < rows; ++r) {
            N* const row = basis_.data() + r * n;
            for (std::size_t a = 0; a < n; ++a) row[a] = rates_there[a * rows + r];
            const N size = root(dot(row, row));
            for (int again = 0; again < 2; ++again) // Gram and Schmidt, twice for the last digits
                for (std::size_t before = 0; before < r; ++before) take_from(row, basis_.data() + before * n);
            const N left = root(dot(row, row));
            const auto good = N(allowed) * larger(size, N(1.0)) < left; // else it is spanned already
            for (std::size_t i = 0; i < n; ++i) row[i] = select(good, row[i] / left, N(0.0));
            dimension_of_span = dimension_of_span + select(good, N(1.0), N(0.0));
        }
        for (std::size_t r = 0; r < rows; ++r) take_from(d.data(), basis_.data() + r * n);
        return dimension_of_span;
    }

  private:
    MomentumShape shape_;
    std::vector<N> basis_;
};

} // namespace rattleback
