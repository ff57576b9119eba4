// Geodesics of a fan of costates, followed node by node, with all that the search for conjugate and cut points asks
// for.
#pragma once

#include "boundary/exponential.hpp"
#include "boundary/metric.hpp"
#include "boundary/wavefront.hpp"

namespace rattleback::boundary {

struct Ray {
    std::vector<double> w, h, p0;
    std::vector<double> x, by_p; // node by node: (q, p), and its derivatives by p0, row-major
    std::optional<double> conjugate, cut;
    std::vector<double> q_conjugate, q_cut, p0_other;
    bool good = true;
};

struct Fan {
    std::size_t n = 0;                // coordinates
    std::vector<double> start, nodes; // nodes: times, the first is 0
    std::vector<Ray> rays;
    std::vector<bool> is_angle; // of coordinates
    double w_unit = 1;          // how far apart neighbours are
    std::vector<double> h_unit;

    const double* x(const Ray& ray, std::size_t node) const { return &ray.x[node * 2 * n]; }
    const double* by_p(const Ray& ray, std::size_t node) const { return &ray.by_p[node * 2 * n * n]; }
    // a - b; of angles, the shortest way round.
    std::vector<double> apart(const double* a, const double* b) const;
    // dq/dt at a time after 0: geodesics with costates s p0 are s times as fast, so t q' is dq/dp0 p0.
    std::vector<double> velocity(const double* by_p, const std::vector<double>& p0, double time) const;
    double last() const { return nodes.back(); }
};

// All rays to all nodes; their first conjugate points. False: interrupted.
bool follow(Fan& fan, ExponentialMap& map, double sign, const volatile int* interrupt,
            const std::function<void(std::size_t)>& progress = {});
// Where other rays meet them first, or neighbours do: cut and what belongs to it.
bool find_cuts(Fan& fan, ExponentialMap& map, const UnitCostates& unit, const volatile int* interrupt,
               const std::function<void(std::size_t)>& progress = {});

} // namespace rattleback::boundary
