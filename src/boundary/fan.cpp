#include "boundary/fan.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "boundary/focal.hpp"

namespace rattleback::boundary {

std::vector<double> Fan::apart(const double* a, const double* b) const {
    std::vector<double> all(n);
    for (std::size_t i = 0; i < n; ++i) {
        all[i] = a[i] - b[i];
        if (is_angle[i]) all[i] = std::remainder(all[i], 2 * std::numbers::pi);
    }
    return all;
}

std::vector<double> Fan::velocity(const double* by_p, const std::vector<double>& p0, double time) const {
    std::vector<double> v(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j < n; ++j) v[i] += by_p[i * n + j] * p0[j];
        v[i] /= time;
    }
    return v;
}

namespace {

using Point = ExponentialMap::Point;

void keep(Ray& ray, const Point& at) {
    const std::size_t n = at.x.size() / 2;
    ray.x.insert(ray.x.end(), at.x.begin(), at.x.end());
    for (std::size_t i = 0; i < 2 * n; ++i)
        ray.by_p.insert(ray.by_p.end(), &at.by_start[i * 2 * n + n], &at.by_start[i * 2 * n + n] + n);
}

// A step with a conjugate point inside: where it begins.
struct Crossing {
    Ray* ray;
    Point before;
    ConjoinedBasis basis;
    double time, h;
};

// Near the start, neighbours are as near as rounding is; then focal points are seen in steps of any size.
bool is_noise(const Crossing& c, ExponentialMap& map, double sign) {
    Point at = c.before;
    std::vector<double> tangent;
    map.advance({&at}, {1e-6 * c.h}, &tangent);
    ConjoinedBasis basis = c.basis;
    return basis.advance(tangent.data(), sign) > 0;
}

// By bisection, as many side by side as there are lanes. A determinant would not do: it does not change its sign where
// conjugate points are double.
void refine(std::vector<Crossing>& all, ExponentialMap& map, double sign) {
    constexpr int halvings = 44;
    const std::size_t n = map.coordinates(), size = 4 * n * n;
    for (std::size_t first = 0; first < all.size(); first += ExponentialMap::lanes) {
        const std::size_t count = std::min(ExponentialMap::lanes, all.size() - first);
        std::vector<double> low(count, 0.0), high(count, 1.0), tangents, h(count);
        std::vector<Point> tried(count);
        for (int k = 0; k <= halvings; ++k) {
            std::vector<Point*> points;
            for (std::size_t i = 0; i < count; ++i) {
                tried[i] = all[first + i].before;
                points.push_back(&tried[i]);
                h[i] = (low[i] + high[i]) / 2 * all[first + i].h;
            }
            map.advance(points, h, &tangents);
            for (std::size_t i = 0; i < count; ++i) {
                ConjoinedBasis basis = all[first + i].basis;
                (basis.advance(&tangents[i * size], sign) > 0 ? high : low)[i] = h[i] / all[first + i].h;
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            const Crossing& c = all[first + i];
            c.ray->conjugate = c.time + h[i];
            c.ray->q_conjugate.assign(tried[i].x.begin(), tried[i].x.begin() + static_cast<long>(n));
        }
    }
}

void follow_group(Fan& fan, std::size_t first, std::size_t count, ExponentialMap& map, double sign,
                  std::vector<Crossing>& crossings) {
    const std::size_t n = fan.n;
    std::vector<Point> points;
    std::vector<Point*> places;
    std::vector<ConjoinedBasis> bases(count, from_one_point(n));
    std::vector<bool> crossed(count, false);
    for (std::size_t i = 0; i < count; ++i) points.push_back(map.start(fan.start, fan.rays[first + i].p0));
    for (Point& p : points) places.push_back(&p);
    for (std::size_t i = 0; i < count; ++i) keep(fan.rays[first + i], points[i]);
    std::vector<double> tangents;
    for (std::size_t k = 0; k + 1 < fan.nodes.size(); ++k) {
        const double h = fan.nodes[k + 1] - fan.nodes[k];
        const std::vector<Point> before = points;
        map.advance(places, std::vector<double>(count, h), &tangents);
        for (std::size_t i = 0; i < count; ++i) {
            Ray& ray = fan.rays[first + i];
            ray.good = points[i].good;
            keep(ray, points[i]);
            if (crossed[i] || !ray.good) continue;
            const ConjoinedBasis basis = bases[i];
            if (bases[i].advance(&tangents[i * 4 * n * n], sign) == 0) continue;
            crossings.push_back({&ray, before[i], basis, fan.nodes[k], h});
            crossed[i] = !is_noise(crossings.back(), map, sign);
            if (!crossed[i]) crossings.pop_back();
        }
    }
}

} // namespace

bool follow(Fan& fan, ExponentialMap& map, double sign, const volatile int* interrupt,
            const std::function<void(std::size_t)>& progress) {
    std::vector<Crossing> crossings;
    for (std::size_t first = 0; first < fan.rays.size(); first += ExponentialMap::lanes) {
        follow_group(fan, first, std::min(ExponentialMap::lanes, fan.rays.size() - first), map, sign, crossings);
        if (interrupt && *interrupt) return false;
        if (progress) progress(first);
    }
    refine(crossings, map, sign);
    return true;
}

} // namespace rattleback::boundary
