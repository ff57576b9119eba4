#include "solve/rank.hpp"

#include "solve/outcome.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace rattleback::solve {

namespace {

// The rows of a matrix under Householder reflections.
class Reflected {
  public:
    Reflected(const std::vector<double>& a, int rows, int cols) : a_(a), rows_(rows), cols_(cols), reflector_(cols) {}

    // Length one for every row but zero rows. A power of two first, so that no square can overflow or vanish.
    bool normalize() {
        for (int i = 0; i < rows_; ++i) {
            double scale = 0;
            double* const r = row(i);
            if (!equilibrate(r, r, cols_, scale) && !std::all_of(r, r + cols_, [](double x) { return x == 0; }))
                return false;
            const double length = rest(i, 0);
            for (int j = 0; j < cols_ && length > 0; ++j) r[j] /= length;
        }
        return true;
    }

    // The distance of row i from the span of the first k rows taken.
    double rest(int i, int k) const {
        double sum = 0;
        for (int j = k; j < cols_; ++j) sum += row(i)[j] * row(i)[j];
        return std::sqrt(sum);
    }

    // Makes what is left of row i the k-th axis, by reflecting the rows of `others`.
    void reflect(int i, int k, const std::vector<int>& others) {
        const double length = rest(i, k);
        std::copy(row(i) + k, row(i) + cols_, reflector_.begin() + k);
        reflector_[k] += std::copysign(length, reflector_[k]); // away from cancellation
        const double half_square = length * std::fabs(reflector_[k]);
        for (const int other : others) {
            double* const r = row(other);
            double dot = 0;
            for (int j = k; j < cols_; ++j) dot += reflector_[j] * r[j];
            dot /= half_square;
            for (int j = k; j < cols_; ++j) r[j] -= dot * reflector_[j];
        }
    }

  private:
    double* row(int i) { return a_.data() + static_cast<std::size_t>(i) * cols_; }
    const double* row(int i) const { return a_.data() + static_cast<std::size_t>(i) * cols_; }

    std::vector<double> a_;
    int rows_, cols_;
    std::vector<double> reflector_;
};

constexpr double tie = 1e-6; // rows whose lengths differ by less are tied: the first is taken, not what round-off says

} // namespace

Rank row_rank(const std::vector<double>& a, int rows, int cols, double threshold) {
    Reflected matrix(a, rows, cols);
    if (!matrix.normalize()) return {-1, {}, {}, 0, 0};
    Rank result;
    std::vector<int> left(rows);
    for (int i = 0; i < rows; ++i) left[i] = i;
    double first = 0;
    for (int k = 0; !left.empty(); ++k) {
        std::size_t best = 0;
        double largest = 0; // lengths anew in every step: updating them loses the small ones, which decide
        for (std::size_t l = 0; l < left.size(); ++l) {
            const double length = matrix.rest(left[l], k);
            if (length > largest * (1 + tie)) {
                largest = length;
                best = l;
            }
        }
        if (k == 0) first = largest;
        if (k == cols || !(largest > threshold * first)) {
            result.largest_dropped = first > 0 ? largest / first : 0;
            break;
        }
        const int taken = left[best];
        left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
        matrix.reflect(taken, k, left);
        result.independent_rows.push_back(taken);
        result.smallest_kept = largest / first;
    }
    std::sort(result.independent_rows.begin(), result.independent_rows.end());
    result.dependent_rows = left;
    result.rank = static_cast<int>(result.independent_rows.size());
    return result;
}

} // namespace rattleback::solve
