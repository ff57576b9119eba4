// Dense LU of a few unknowns as lines, number for number what src/solve/dense.hpp computes.
//
// Pivots are chosen lane by lane without a branch: rows are exchanged by selection, and the masks that exchanged them
// are kept for the right hand sides.
#pragma once

#include <vector>

#include "code/listing.hpp"

namespace rattleback::code {

class SmallLu {
  public:
    static constexpr int most = 8; // unknowns: the selections grow like n^3

    SmallLu(Listing& listing, int n);

    // Factors the matrix (row-major) in the lanes `renew`; the others keep what they have, if `mixed`. Adds the lanes
    // without a usable pivot to `trouble`.
    void factor(std::vector<Number> a, const Mask& renew, bool mixed, const Variable<Mask>& trouble);
    std::vector<Number> solve(std::vector<Number> b) const;

  private:
    void exchange(std::vector<Number>& a, int k, std::vector<Mask>& masks);
    std::size_t place(int i, int j) const { return static_cast<std::size_t>(i * n_ + j); }

    Listing& listing_;
    int n_;
    std::vector<Variable<Number>> lu_, inverse_, scale_;
    std::vector<Variable<Mask>>
        masks_; // of column k: for i > k, whether row i was the largest so far; then, whether of all
};

} // namespace rattleback::code
