#include "code/kronecker.hpp"

#include <algorithm>

namespace rattleback::code {

void fill_table(const CompiledStages& stages, const KroneckerRows& rows,
                const std::function<void(std::size_t, std::size_t, double)>& set) {
    if (!stages.kronecker) return;
    const StageSpectrum& spectrum = stages.kronecker->spectrum;
    const LowWeights<double> low(stages);
    const auto set_number = [&](std::size_t row, std::size_t apart, std::size_t lane, const StageSpectrum::Number& x) {
        set(row, lane, static_cast<double>(x.re)), set(row + apart, lane, static_cast<double>(x.im));
    };
    for (std::size_t lane = 0; lane < stages.lanes(); ++lane) {
        const std::size_t pair = std::min(lane, rows.pairs - 1), stage = std::min(lane, rows.s - 1);
        for (std::size_t j = 0; j < rows.s; ++j) set_number(rows.into(j), rows.s, lane, spectrum.into[pair][j]);
        for (std::size_t r = 0; r < rows.pairs; ++r)
            set_number(rows.from(r), rows.pairs, lane, spectrum.from[stage][r]);
        set_number(rows.shift(), 1, lane, spectrum.shift[pair]);
        for (std::size_t j = 0; j < rows.s; ++j) set(rows.low_mu(j), lane, low.mu[stage][j]);
        set(rows.low_b(), lane, low.b[stage]);
    }
}

void KroneckerWriter::prepare(const std::vector<Number>& given, const Number& h) {
    Formulas& formulas = slopes_.formulas();
    for (std::size_t i = 0; i < given.size(); ++i) formulas.give(static_cast<Slot>(i), given[i]);
    const Variable<Number> inner(listing_, lines_.constant(0));
    slopes_.write(~nowhere(listing_), inner);
    formulas.write(compiled_.slopes->after);
    std::vector<Number> entries;
    for (Slot slot : compiled_.slopes->results) entries.push_back(h * formulas.at(slot));
    rounding_.clear();
    for (std::size_t k = 0; k < n_; ++k) rounding_.push_back(moves_ ? magnitude(given[k]) : lines_.constant(0));
    add_rounding(compiled_.entries, entries, given.data(), rounding_);
    const Number re = lines_.load(StageRows::table, rows_.shift()),
                 im = lines_.load(StageRows::table, rows_.shift() + 1);
    factors_.resize(compiled_.elimination.places()), inverse_.resize(n_);
    const Mask bad = compiled_.elimination.factor({re, im}, entries.data(), factors_.data(), inverse_.data());
    trouble_.set(trouble_.get() | bad);
}

void KroneckerWriter::find_low(std::size_t L) {
    const std::vector<Number> weights = lines_.weights([&](std::size_t j) { return rows_.low_mu(j); });
    for (std::size_t k = 0; k < n_; ++k) lines_.store(Array::slots, low_row(k), lines_.weighted_sum(weights, L + k));
}

void KroneckerWriter::begin_step(const Number& h, const Number& b, const Number& weight) {
    low_weight_ = fused(h, lines_.load(StageRows::table, rows_.low_b()), fused(h, b, -weight));
}

std::vector<Number> KroneckerWriter::correct(const std::vector<Number>& L, const std::vector<Number>& residuals) {
    const std::vector<Number> into_re = lines_.weights([&](std::size_t j) { return rows_.into(j); }),
                              into_im = lines_.weights([&](std::size_t j) { return rows_.into(j) + rows_.s; });
    std::vector<solve::Complex<Number>> z;
    for (std::size_t k = 0; k < n_; ++k) lines_.store(Array::slots, residual_row(k), residuals[k]);
    for (std::size_t k = 0; k < n_; ++k)
        z.push_back({lines_.weighted_sum(into_re, residual_row(k)), lines_.weighted_sum(into_im, residual_row(k))});
    compiled_.elimination.solve(factors_.data(), inverse_.data(), z.data());
    for (std::size_t k = 0; k < n_; ++k)
        lines_.store(Array::slots, re(k), z[k].re), lines_.store(Array::slots, im(k), z[k].im);
    std::vector<Number> from_re, from_im, result;
    for (std::size_t r = 0; r < rows_.pairs; ++r) {
        from_re.push_back(lines_.load(StageRows::table, rows_.from(r)));
        from_im.push_back(lines_.load(StageRows::table, rows_.from(r) + rows_.pairs));
    }
    for (std::size_t k = 0; k < n_; ++k) {
        Number sum = from_re[0] * lines_.of_stage(re(k), 0);
        sum = fused(from_im[0], lines_.of_stage(im(k), 0), sum);
        for (std::size_t r = 1; r < rows_.pairs; ++r) {
            sum = fused(from_re[r], lines_.of_stage(re(k), r), sum);
            sum = fused(from_im[r], lines_.of_stage(im(k), r), sum);
        }
        result.push_back(L[k] + sum);
    }
    return result;
}

} // namespace rattleback::code
