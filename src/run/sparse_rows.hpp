// The directions of constraints, rows of a matrix with few entries: how far they are from being dependent. Over one
// number, or the lanes of a listing. What rounding does to pivots and volumes is far below the margins; NaN, where an
// elimination fails, is not clear.
#pragma once

#include <vector>

#include "expr/graph.hpp"
#include "run/lanes.hpp"

namespace rattleback {

class SparseRows {
  public:
    SparseRows() = default;
    SparseRows(const std::vector<ScalarEntry>& entries, int rows)
        : rows_(static_cast<std::size_t>(rows)), count_(entries.size()) {
        for (std::size_t i = 0; i < count_; ++i)
            for (std::size_t j = 0; j < count_; ++j)
                if (entries[i].column == entries[j].column)
                    products_.push_back({i, j, entries[i].row * rows_ + entries[j].row});
    }
    std::size_t entries() const { return count_; }

    // Whether the volume of the unit rows is larger than that of rows that ConstraintWatch looks at; by their products.
    template <class N> auto are_apart(const std::vector<N>& now) const {
        std::vector<N> gram = products(now, now);
        N volume = 1.0, sizes = 1.0;
        for (std::size_t i = 0; i < rows_; ++i) sizes = sizes * gram[i * rows_ + i];
        eliminate(gram, [&](const N& pivot, std::size_t) { volume = volume * pivot; });
        return (N(clearly_not_flat) * sizes < volume) & (N(0.0) < sizes);
    }

    // Whether they have turned so little from one node to the next that the determinant of their products is positive:
    // no pivot comes close to 0.
    template <class N> auto turn_little(const std::vector<N>& before, const std::vector<N>& now) const {
        std::vector<N> both = products(before, now);
        const std::vector<N> from = products(before, before), to = products(now, now);
        auto positive = rows_ <= most_turning ? N(0.0) < N(1.0) : N(1.0) < N(0.0);
        eliminate(both, [&](const N& pivot, std::size_t i) {
            const N sizes = from[i * rows_ + i] * to[i * rows_ + i];
            positive = positive & (N(0.0) < pivot) & (N(least_pivot * least_pivot) * sizes < pivot * pivot);
        });
        return positive;
    }

    static constexpr double flat = 0.1; // squared volume of unit rows below which they may have passed through a plane

  private:
    static constexpr double clearly_not_flat = 0.11;
    // With four rows the determinant is 1e-12 at least of what it could be, rounding 1e-15.
    static constexpr double least_pivot = 1e-3;
    static constexpr std::size_t most_turning = 4;

    struct Product { // of two entries in the same column; place: of their rows
        std::size_t i, j, place;
    };
    template <class N> std::vector<N> products(const std::vector<N>& a, const std::vector<N>& b) const {
        std::vector<N> all(rows_ * rows_, N(0.0));
        for (const Product& p : products_) all[p.place] = all[p.place] + a[p.i] * b[p.j];
        return all;
    }
    // In the order of the rows; see(pivot, row).
    template <class N, class See> void eliminate(std::vector<N>& a, const See& see) const {
        for (std::size_t p = 0; p < rows_; ++p) {
            const N pivot = a[p * rows_ + p];
            see(pivot, p);
            for (std::size_t i = p + 1; i < rows_; ++i) {
                const N factor = a[i * rows_ + p] / pivot;
                for (std::size_t j = p + 1; j < rows_; ++j)
                    a[i * rows_ + j] = a[i * rows_ + j] - factor * a[p * rows_ + j];
            }
        }
    }

    std::size_t rows_ = 0, count_ = 0;
    std::vector<Product> products_;
};

} // namespace rattleback
