#include "formulation/independent_rows.hpp"

#include <algorithm>
#include <cmath>

namespace rattleback {
namespace {

double length(const std::vector<double>& x) {
    double sum = 0;
    for (double a : x) sum += a * a;
    return std::sqrt(sum);
}

} // namespace

// Gram and Schmidt's, twice: the second time takes away what rounding left of the first.
std::vector<std::size_t> independent_rows(const std::vector<double>& a, std::size_t rows, std::size_t columns) {
    constexpr double round_off = 1e-12, negligible = 1e-8;
    double most = 0;
    for (double x : a) most = std::max(most, std::abs(x));
    std::vector<std::size_t> kept;
    std::vector<std::vector<double>> basis;
    for (std::size_t i = 0; i < rows; ++i) {
        std::vector<double> x(a.begin() + static_cast<std::ptrdiff_t>(i * columns),
                              a.begin() + static_cast<std::ptrdiff_t>((i + 1) * columns));
        const double size = length(x);
        if (!(size > round_off * most)) continue;
        for (double& e : x) e /= size;
        for (int again = 0; again < 2; ++again)
            for (const std::vector<double>& b : basis) {
                double product = 0;
                for (std::size_t k = 0; k < columns; ++k) product += b[k] * x[k];
                for (std::size_t k = 0; k < columns; ++k) x[k] -= product * b[k];
            }
        const double left = length(x);
        if (!(left > negligible)) continue;
        for (double& e : x) e /= left;
        kept.push_back(i), basis.push_back(x);
    }
    return kept;
}

} // namespace rattleback
