// Writes the simplified Newton method of src/solve/kronecker.hpp for stages on lanes: a lane a pair of eigenvalues,
// those that are left over repeat the last.
#pragma once

#include <functional>

#include "code/block_writer.hpp"
#include "code/stage_rows.hpp"
#include "solve/collocation.hpp"
#include "solve/kronecker.hpp"

namespace rattleback::code {

// Rows of the table, from `first` on, and of Array::slots.
struct KroneckerRows {
    KroneckerRows(const CompiledStages& stages, std::size_t first_row)
        : first(first_row), s(stages.weights.stages()),
          pairs(stages.kronecker ? stages.kronecker->spectrum.pairs() : 0) {}
    std::size_t first, s, pairs;
    std::size_t into(std::size_t j) const { return first + j; }         // real parts; imaginary ones s rows on
    std::size_t from(std::size_t r) const { return first + 2 * s + r; } // imaginary ones `pairs` rows on
    std::size_t shift() const { return first + 2 * (s + pairs); }
    std::size_t low_mu(std::size_t j) const { return shift() + 2 + j; } // see LowWeights
    std::size_t low_b() const { return shift() + 2 + s; }
    std::size_t count() const { return pairs == 0 ? 0 : low_b() + 1 - first; }
    static std::size_t slots(const CompiledStages& stages) { return stages.kronecker ? 4 * stages.n : 0; }
};
// Calls set(row, lane, number).
void fill_table(const CompiledStages& stages, const KroneckerRows& rows,
                const std::function<void(std::size_t, std::size_t, double)>& set);

class KroneckerWriter {
  public:
    // `slots`: the first of its rows of Array::slots.
    KroneckerWriter(Listing& listing, const CompiledStages& stages, const StageRows& lines, const KroneckerRows& rows,
                    std::size_t slots, const Variable<Mask>& trouble)
        : listing_(listing), lines_(lines), rows_(rows), compiled_(*stages.kronecker), n_(stages.n), slots_(slots),
          moves_(stages.moves), trouble_(trouble),
          slopes_(listing, *compiled_.slopes, trouble, static_cast<int>(stages.lanes())) {}

    void declare() { slopes_.declare(); }
    // Before the iterations: the factors, from what the right-hand side is given, and the step size.
    void prepare(const std::vector<Number>& given, const Number& h);
    const std::vector<Number>& rounding() const { return rounding_; } // see KroneckerSolver
    // As KroneckerSolver; the advances are in the rows that begin here.
    void find_low(std::size_t L);
    Number low(std::size_t k) { return lines_.load(Array::slots, low_row(k)); }
    void begin_step(const Number& h, const Number& b, const Number& weight);
    Number residual(const Number& weight, const Number& slope, const Number& L) const {
        return fused(low_weight_, slope, fused(weight, slope, -L));
    }
    std::vector<Number> correct(const std::vector<Number>& L, const std::vector<Number>& residuals);

  private:
    std::size_t residual_row(std::size_t k) const { return slots_ + k; }
    std::size_t re(std::size_t k) const { return slots_ + n_ + k; }
    std::size_t im(std::size_t k) const { return slots_ + 2 * n_ + k; }
    std::size_t low_row(std::size_t k) const { return slots_ + 3 * n_ + k; }

    Listing& listing_;
    StageRows lines_;
    KroneckerRows rows_;
    const CompiledKronecker& compiled_;
    std::size_t n_, slots_;
    bool moves_;
    Variable<Mask> trouble_;
    BlockWriter slopes_;
    std::vector<solve::Complex<Number>> factors_, inverse_;
    std::vector<Number> rounding_;
    Number low_weight_; // what rounding takes from h b
};

} // namespace rattleback::code
