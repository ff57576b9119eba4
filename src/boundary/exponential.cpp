#include "boundary/exponential.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "boundary/path.hpp"
#include "boundary/small_lu.hpp"

namespace rattleback::boundary {

ExponentialMap::ExponentialMap(const Model& model, const std::string& method)
    : parts_(canonical_formulas(model, method).method.substeps), step_(canonical_formulas(model, method), false),
      n_(step_.states() / 2), m_(step_.unknowns()), t0_(static_cast<double>(model.t0)), x_(lanes * 2 * n_),
      y_(lanes * m_), t_(lanes, t0_), lu_(lanes * m_ * m_), dy_(m_), inside_(m_ * 2 * n_), order_(lanes * m_),
      good_(lanes) {
    step_.use_machine_code();
}

ExponentialMap::Point ExponentialMap::start(const std::vector<double>& q, const std::vector<double>& p) const {
    Point point{q, std::vector<double>(4 * n_ * n_, 0.0)};
    point.x.insert(point.x.end(), p.begin(), p.end());
    for (std::size_t i = 0; i < 2 * n_; ++i) point.by_start[i * 2 * n_ + i] = 1;
    return point;
}

void ExponentialMap::advance(std::vector<Point*> points, const std::vector<double>& h, std::vector<double>* tangents) {
    const std::size_t size = 4 * n_ * n_;
    if (tangents) tangents->assign(points.size() * size, 0.0);
    std::vector<double> sizes(lanes);
    for (quad part : parts_)
        for (std::size_t first = 0; first < points.size(); first += lanes) {
            const std::size_t count = std::min(lanes, points.size() - first);
            for (std::size_t i = 0; i < count; ++i) sizes[i] = static_cast<double>(part) * h[first + i];
            step(&points[first], sizes.data(), count, tangents ? tangents->data() + first * size : nullptr);
        }
}

// Newton's method for the unknowns inside the steps, with the first matrix as long as it does well. Each geodesic stops
// when its own increments are small.
bool ExponentialMap::solve(std::size_t count, const double* h) {
    constexpr int most_iterations = 40;
    const std::size_t w = 2 * n_;
    const StepEquations::Steps steps{x_.data(), y_.data(), t_.data(), h, count};
    std::array<double, lanes> length{};
    std::array<bool, lanes> going{}, refresh{};
    for (std::size_t i = 0; i < count; ++i) {
        good_[i] = step_.guess_unknowns(&x_[i * w], t_[i], h[i], y_.data() + i * m_);
        going[i] = refresh[i] = m_ > 0 && good_[i];
    }
    for (int k = 0; std::find(going.begin(), going.end(), true) != going.end(); ++k) {
        const bool matrices = std::find(refresh.begin(), refresh.end(), true) != refresh.end();
        const double* values = matrices ? step_.derivatives(steps) : step_.residuals(steps);
        if (!values) return false;
        const std::size_t width = matrices ? step_.places().end : step_.places().C + 1;
        for (std::size_t i = 0; i < count; ++i) {
            if (!going[i]) continue;
            const double* const v = values + i * width;
            double *const lu = lu_.data() + i * m_ * m_, *const y = y_.data() + i * m_;
            int* const order = order_.data() + i * m_;
            if (refresh[i]) std::copy_n(v + step_.places().F_y, m_ * m_, lu);
            if (k == most_iterations || (refresh[i] && !lu_factor(lu, order, m_))) {
                good_[i] = going[i] = refresh[i] = false;
                continue;
            }
            std::copy_n(v + step_.places().F, m_, dy_.data());
            lu_solve<1>(lu, order, m_, dy_.data(), 1);
            double now = 0, size = 1;
            for (std::size_t c = 0; c < m_; ++c) {
                y[c] -= dy_[c];
                now = std::max(now, std::abs(dy_[c])), size = std::max(size, std::abs(y[c]));
            }
            const bool slow = k > 0 && !refresh[i] && now > 0.1 * length[i];
            going[i] = !(now <= 1e-14 * size || (slow && now <= 1e-11 * size)); // the latter: rounding
            refresh[i] = going[i] && slow;
            length[i] = now;
        }
    }
    return true;
}

// dx_next = (1 + D_x - D_y F_y^-1 F_x) dx
bool ExponentialMap::differentiate(const double* v, double* A) {
    const std::size_t w = 2 * n_;
    const auto& at = step_.places();
    std::copy_n(v + at.D_x, w * w, A);
    for (std::size_t i = 0; i < w; ++i) A[i * w + i] += 1;
    if (m_ == 0) return true;
    std::copy_n(v + at.F_y, m_ * m_, lu_.data()), std::copy_n(v + at.F_x, m_ * w, inside_.data());
    if (!lu_factor(lu_.data(), order_.data(), m_)) return false;
    lu_solve(lu_.data(), order_.data(), m_, inside_.data(), w);
    for (std::size_t i = 0; i < w; ++i)
        for (std::size_t c = 0; c < m_; ++c)
            if (const double d = v[at.D_y + i * m_ + c]; d != 0)
                for (std::size_t j = 0; j < w; ++j) A[i * w + j] -= d * inside_[c * w + j];
    return true;
}

void ExponentialMap::step(Point* const* points, const double* h, std::size_t count, double* tangents) {
    const std::size_t w = 2 * n_, size = w * w;
    for (std::size_t i = 0; i < count; ++i) std::copy_n(points[i]->x.data(), w, &x_[i * w]);
    const bool finite = solve(count, h);
    const double* values = finite ? step_.derivatives({x_.data(), y_.data(), t_.data(), h, count}) : nullptr;
    if (!values && count > 1) { // one of them spoils all: each by itself
        for (std::size_t i = 0; i < count; ++i) step(points + i, h + i, 1, tangents ? tangents + i * size : nullptr);
        return;
    }
    std::vector<double> A(size), all(size);
    for (std::size_t i = 0; i < count; ++i) {
        Point& p = *points[i];
        p.good = p.good && values && good_[i] && differentiate(values + i * step_.places().end, A.data());
        if (!p.good) continue;
        const double* const D = values + i * step_.places().end + step_.places().D;
        for (std::size_t k = 0; k < w; ++k) p.x[k] += D[k];
        const auto multiply = [&](const double* by) { // A by
            std::fill(all.begin(), all.end(), 0.0);
            for (std::size_t r = 0; r < w; ++r)
                for (std::size_t k = 0; k < w; ++k)
                    for (std::size_t c = 0; c < w; ++c) all[r * w + c] += A[r * w + k] * by[k * w + c];
        };
        multiply(p.by_start.data());
        p.by_start = all;
        if (!tangents) continue;
        double* const own = tangents + i * size;
        if (std::all_of(own, own + size, [](double e) { return e == 0; })) // the first part of the step
            std::copy(A.begin(), A.end(), own);
        else
            multiply(own), std::copy(all.begin(), all.end(), own);
    }
}

} // namespace rattleback::boundary
