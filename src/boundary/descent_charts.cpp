// Descent on groups: a step of the midpoint rule is taken in the chart of the node where it begins.
#include "boundary/descent.hpp"

#include <algorithm>

namespace rattleback::boundary {

constexpr double far_from_centre = 0.7; // a turn, beyond which a node gets another chart

const double* Descent::next(const Point& at, std::size_t k) const {
    const std::size_t w = 2 * functions_.n;
    return problem_.charts ? &at.ends_of_steps[k * w] : &at.x[(k + 1) * w];
}

void Descent::see_from_steps(Point& a) {
    const std::size_t w = 2 * functions_.n, N = a.x.size() / w - 1, width = problem_.charts->width();
    a.ends_of_steps.assign(a.x.begin() + static_cast<std::ptrdiff_t>(w), a.x.end());
    a.slopes.resize(N * w * w);
    std::vector<double> back(w);
    for (std::size_t k = 0; k < N; ++k) {
        const double *const here = &a.centres[k * width], *const there = here + width;
        double* const x = &a.ends_of_steps[k * w];
        problem_.charts->carry(there, here, x, w);
        std::copy_n(x, w, back.data());
        problem_.charts->carry(here, there, back.data(), w, &a.slopes[k * w * w]);
    }
}

// Tangent map and offset of step k end in the chart of the next node. How its coordinates bend is part of the curvature
// of the dynamics.
void Descent::to_next_chart(const Point& a, double curvature, std::size_t k) {
    const std::size_t n = functions_.n, w = 2 * n;
    const double* const S = &a.slopes[k * w * w];
    double *const A = &tangents_[k * w * w], *const b = &offsets_[k * w];
    std::vector<double> product(w * (w + 1), 0.0);
    for (std::size_t i = 0; i < w; ++i)
        for (std::size_t l = 0; l < w; ++l) {
            const double s = i >= n && l < n ? curvature * S[i * w + l] : S[i * w + l];
            if (s == 0) continue;
            for (std::size_t j = 0; j < w; ++j) product[i * (w + 1) + j] += s * A[l * w + j];
            product[i * (w + 1) + w] += s * b[l];
        }
    for (std::size_t i = 0; i < w; ++i) {
        std::copy_n(&product[i * (w + 1)], w, A + i * w);
        b[i] = product[i * (w + 1) + w];
    }
}

// False: nothing is finite there.
bool Descent::recentre(Point& a) {
    if (!problem_.charts) return true;
    const std::size_t w = 2 * functions_.n, width = problem_.charts->width();
    bool moved = false;
    for (std::size_t k = 0; k * w < a.x.size(); ++k) {
        if (!(problem_.charts->turned(&a.x[k * w]) > far_from_centre)) continue;
        problem_.charts->centre_at(&a.centres[k * width], &a.x[k * w], w);
        moved = true;
    }
    return !moved || evaluate(a);
}

// The node after step k in the chart of the step; `slope`: of the way back.
std::vector<double> Descent::next_of(const Nodes& nodes, std::size_t k, double* slope) {
    const std::size_t w = 2 * functions_.n;
    std::vector<double> x(&nodes.x[(k + 1) * w], &nodes.x[(k + 1) * w] + w);
    if (!problem_.charts) return x;
    const std::size_t width = problem_.charts->width();
    const double *const here = &nodes.centres[k * width], *const there = here + width;
    problem_.charts->carry(there, here, x.data(), w);
    if (slope) {
        std::vector<double> back = x;
        problem_.charts->carry(here, there, back.data(), w, slope);
    }
    functions_.set_centre(*problem_.charts, here);
    return x;
}

} // namespace rattleback::boundary
