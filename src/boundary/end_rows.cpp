#include "boundary/end_rows.hpp"

#include <algorithm>
#include <cmath>

#include "evidence/linear.hpp"

namespace rattleback::boundary {

constexpr double negligible = 1e-13;

StartRows::StartRows(const PathEnds& factored) {
    if (factored.from_by_nu.columns > 0) {
        basis_ = transposed(null_space(transposed(factored.from_by_nu)));
    } else { // all rows, as they are
        basis_ = Dense(factored.from.size(), factored.from.size());
        for (std::size_t i = 0; i < factored.from.size(); ++i) basis_(i, i) = 1;
    }
    rows = product(basis_, factored.from_by_state);
}

std::vector<double> StartRows::rhs(const PathEnds& ends) const {
    std::vector<double> all(basis_.rows, 0.0);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = 0; j < ends.from.size(); ++j) all[i] -= basis_(i, j) * ends.from[j];
    return all;
}

std::vector<double> StartRows::multipliers(const PathEnds& ends, const PathEnds& factored, const double* dx) const {
    if (factored.from_by_nu.columns == 0) return {};
    std::vector<double> left;
    for (std::size_t i = 0; i < ends.from.size(); ++i) {
        left.push_back(-ends.from[i]);
        for (std::size_t j = 0; j < factored.from_by_state.columns; ++j)
            left[i] -= factored.from_by_state(i, j) * dx[j];
    }
    return least_squares(factored.from_by_nu, left, negligible).x;
}

EndIncrement end_increment(const BlockSystem& blocks, const PathEnds& ends, const PathEnds& factored,
                           const std::vector<double>& weights, double cutoff) {
    const Matrix<double>& known = blocks.last_rows();
    const std::size_t n = weights.size(), nu = factored.to_by_nu.columns, rows = known.rows + ends.to.size();
    Dense last(rows, n + nu);
    std::vector<double> rhs;
    for (std::size_t i = 0; i < rows; ++i) {
        const bool is_known = i < known.rows;
        const std::size_t e = i - known.rows;
        double largest = 0;
        for (std::size_t j = 0; j < n + nu; ++j) {
            if (j < n)
                last(i, j) = (is_known ? known(i, j) : factored.to_by_state(e, j)) * weights[j];
            else
                last(i, j) = is_known ? 0 : factored.to_by_nu(e, j - n);
            largest = std::max(largest, std::abs(last(i, j)));
        }
        rhs.push_back(is_known ? blocks.last_rhs()[i] : -ends.to[e]);
        if (!(largest > 0)) continue;
        for (std::size_t j = 0; j < n + nu; ++j) last(i, j) /= largest;
        rhs.back() /= largest;
    }
    LeastSquares found = least_squares(last, rhs, cutoff);
    for (std::size_t j = 0; j < n; ++j) found.x[j] *= weights[j];
    const auto middle = found.x.begin() + static_cast<std::ptrdiff_t>(n);
    return {{found.x.begin(), middle}, {middle, found.x.end()}, found.rank < static_cast<int>(n + nu)};
}

} // namespace rattleback::boundary
