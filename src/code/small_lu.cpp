#include "code/small_lu.hpp"

#include "solve/outcome.hpp"

namespace rattleback::code {

SmallLu::SmallLu(Listing& listing, int n) : listing_(listing), n_(n) {
    const auto numbers = [&](std::vector<Variable<Number>>& to, int count) {
        for (int i = 0; i < count; ++i) to.emplace_back(listing, number(listing, 0));
    };
    numbers(lu_, n * n), numbers(inverse_, n), numbers(scale_, n);
    for (int i = 0; i < n * (n - 1); ++i) masks_.emplace_back(listing, nowhere(listing));
}

// The row that has the largest number of column k comes to place k, as a swap of two rows.
void SmallLu::exchange(std::vector<Number>& a, int k, std::vector<Mask>& masks) {
    const std::size_t first = masks.size();
    Number largest = magnitude(a[place(k, k)]);
    for (int i = k + 1; i < n_; ++i) {
        const Number candidate = magnitude(a[place(i, k)]);
        masks.push_back(candidate > largest);
        if (i + 1 < n_) largest = select(masks.back(), candidate, largest);
    }
    const int count = n_ - k - 1;
    for (int i = 0; i < count; ++i) { // the last one that was larger than all before it
        Mask is_largest = masks[first + static_cast<std::size_t>(i)];
        for (int later = i + 1; later < count; ++later)
            is_largest = is_largest & ~masks[first + static_cast<std::size_t>(later)];
        masks.push_back(is_largest);
    }
    for (int j = 0; j < n_; ++j) {
        const Number old = a[place(k, j)];
        for (int i = 0; i < count; ++i) {
            Number &pivot = a[place(k, j)], &other = a[place(k + 1 + i, j)];
            pivot = select(masks[first + static_cast<std::size_t>(i)], other, pivot);
            other = select(masks[first + static_cast<std::size_t>(count + i)], old, other);
        }
    }
}

void SmallLu::factor(std::vector<Number> a, const Mask& renew, bool mixed, const Variable<Mask>& trouble) {
    std::vector<Number> inverse, scale;
    std::vector<Mask> masks;
    Mask bad = nowhere(listing_);
    if (n_ == 1) {
        bad = ~(magnitude(a[0]) <= Real<double>::largest) | (a[0] == 0.0);
    } else {
        for (int i = 0; i < n_; ++i) { // the power of two that brings the largest number of a row into [1, 2)
            Number largest = magnitude(a[place(i, 0)]);
            for (int j = 1; j < n_; ++j) {
                const Number next = magnitude(a[place(i, j)]);
                largest = select(next > largest, next, largest);
            }
            bad = bad | ~((largest >= 0x1p-1000) & (largest <= 0x1p1000)); // rare: left to the tape
            constexpr std::uint64_t exponent = std::uint64_t(0x7ff) << 52, twice_bias = std::uint64_t(2046) << 52;
            scale.push_back(number_of(pattern_like(largest, twice_bias) - (bits_of(largest) & exponent)));
            for (int j = 0; j < n_; ++j) a[place(i, j)] = a[place(i, j)] * scale.back();
        }
        for (int k = 0; k < n_; ++k) {
            exchange(a, k, masks);
            const Number pivot = a[place(k, k)];
            bad = bad | ~(magnitude(pivot) > solve::smallest_pivot<double>(n_));
            inverse.push_back(1.0 / pivot);
            for (int i = k + 1; i < n_; ++i) {
                const Number l = a[place(i, k)] * inverse.back();
                a[place(i, k)] = l;
                for (int j = k + 1; j < n_; ++j) a[place(i, j)] = a[place(i, j)] - l * a[place(k, j)];
            }
        }
    }
    trouble.set(trouble.get() | (bad & renew));
    const auto keep = [&](const std::vector<Variable<Number>>& to, const std::vector<Number>& from) {
        for (std::size_t i = 0; i < from.size(); ++i) to[i].set(mixed ? select(renew, from[i], to[i].get()) : from[i]);
    };
    keep(lu_, a), keep(inverse_, inverse), keep(scale_, scale);
    for (std::size_t i = 0; i < masks.size(); ++i)
        masks_[i].set(mixed ? (renew & masks[i]) | (~renew & masks_[i].get()) : masks[i]);
}

std::vector<Number> SmallLu::solve(std::vector<Number> b) const {
    if (n_ == 1) return {b[0] / lu_[0].get()};
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    for (int i = 0; i < n_; ++i) b[at(i)] = b[at(i)] * scale_[at(i)].get();
    std::size_t mask = 0;
    for (int k = 0; k + 1 < n_; ++k) {
        const Number old = b[at(k)];
        const int count = n_ - k - 1;
        for (int i = 0; i < count; ++i) {
            Number &pivot = b[at(k)], &other = b[at(k + 1 + i)];
            pivot = select(masks_[mask + at(i)].get(), other, pivot);
            other = select(masks_[mask + at(count + i)].get(), old, other);
        }
        mask += at(2 * count);
    }
    for (int i = 0; i < n_; ++i)
        for (int j = 0; j < i; ++j) b[at(i)] = b[at(i)] - lu_[place(i, j)].get() * b[at(j)];
    for (int i = n_ - 1; i >= 0; --i) {
        for (int j = n_ - 1; j > i; --j) b[at(i)] = b[at(i)] - lu_[place(i, j)].get() * b[at(j)];
        b[at(i)] = b[at(i)] * inverse_[at(i)].get();
    }
    return b;
}

} // namespace rattleback::code
