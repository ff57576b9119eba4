// Flags of distributions by numbers. With X_1, X_2, ... a basis of the directions that A(x) X = 0 allows,
//     (D Phi)^-1 Y(Phi(x)),     Phi = exp(t_2 X_b) o exp(t_1 X_a)
// has [X_a, .. [X_a, [X_b, .. [X_b, Y]]]] as the coefficient of t_1^k t_2^l/(k! l!): brackets are read from power
// series, and no formula is derived.
#pragma once

#include <optional>

#include "evidence/jets.hpp"
#include "evidence/sample.hpp"

namespace rattleback {

class NumericFlag {
  public:
    // `rows`: A, one row a constraint, independent ones; a basis has 1 in one of the columns that are no `pivots`.
    NumericFlag(const Sample& sample, const Vec& space, const std::vector<std::vector<Expr>>& rows,
                std::vector<std::size_t> pivots);

    // Dimensions with brackets of each level at a point of the sample, while they grow. It is taken as one around which
    // they do not change: brackets with what others of their level already span are left out. Empty: not decided.
    std::vector<int> growth(int point) const;

  private:
    struct Word { // [X_a, .. [X_b, .. Y]]: the outermost letter first
        std::vector<std::size_t> letters;
    };
    std::optional<std::vector<double>> bracket(const Word& word, const std::vector<double>& values) const;
    std::optional<std::vector<Jet>> field(const JetSpace& jets, std::size_t letter, const std::vector<Jet>& x,
                                          const std::vector<double>& values) const;

    const Sample& sample_;
    std::size_t dimension_, fields_ = 0;
    std::vector<std::size_t> pivots_, free_;
    std::vector<std::pair<std::size_t, std::size_t>> places_; // of the entries of A that are formulas
    std::vector<std::vector<double>> numbers_;                // of all others
    std::optional<JetFormulas> entries_;
    std::vector<std::optional<std::size_t>> coordinate_; // of each symbol in them: which of the space; else a number
    Vec symbols_;
};

} // namespace rattleback
