// Lines of a listing whose lanes are stages: numbers of all stages are rows of Array::slots, and sums over stages read
// them one by one.
#pragma once

#include "code/listing.hpp"

#include <vector>

namespace rattleback::code {

class StageRows {
  public:
    // The weights of the method: Array::active, since its one member always takes part.
    static constexpr Array table = Array::active;

    StageRows(Listing& listing, std::size_t stages, std::size_t lanes) : listing_(listing), s_(stages), lanes_(lanes) {}

    Number constant(double x) { return number(listing_, x); }
    Number load(Array array, std::size_t row) { return put(Do::load, array, row); }
    Number one(Array array, std::size_t place) { return put(Do::load_one, array, place); }
    Number of_stage(std::size_t row, std::size_t stage) { return one(Array::slots, row * lanes_ + stage); }
    void store(Array array, std::size_t row, const Number& x) {
        listing_.put(Do::store, array, static_cast<std::uint32_t>(row), x.line());
    }
    template <class Row> std::vector<Number> weights(Row&& row) {
        std::vector<Number> all;
        for (std::size_t j = 0; j < s_; ++j) all.push_back(load(table, row(j)));
        return all;
    }
    // sum_j weights_j x_j, x_j the value of a row at stage j, added to `first`, if any.
    Number weighted_sum(const std::vector<Number>& weights, std::size_t row, const Number* first = nullptr) {
        Number sum = first ? fused(weights[0], of_stage(row, 0), *first) : weights[0] * of_stage(row, 0);
        for (std::size_t j = 1; j < s_; ++j) sum = fused(weights[j], of_stage(row, j), sum);
        return sum;
    }
    // The largest of all stages, in all lanes; through this row.
    Number largest_across(const Number& x, std::size_t row) {
        const auto larger = [](const Number& a, const Number& b) { return select(a < b, b, a); };
        store(Array::slots, row, x);
        std::vector<Number> all;
        for (std::size_t j = 0; j < s_; ++j) all.push_back(of_stage(row, j));
        for (std::size_t n = s_; n > 1; n = (n + 1) / 2)
            for (std::size_t i = 0; i < n / 2; ++i) all[i] = larger(all[i], all[n - 1 - i]);
        return all[0];
    }

  private:
    Number put(Do what, Array array, std::size_t place) {
        return {listing_, listing_.put(what, array, static_cast<std::uint32_t>(place))};
    }

    Listing& listing_;
    std::size_t s_, lanes_;
};

} // namespace rattleback::code
