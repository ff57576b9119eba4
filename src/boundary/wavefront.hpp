// Wavefronts and spheres of a metric: where geodesics from one point are after times that are given, at speed 1, with
// the first conjugate point and the cut point of each.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <rattleback/model.hpp>

namespace rattleback::boundary {

struct CostateRange {
    std::string name; // p_z
    double from = 0, to = 0;
    int count = 1;
};

struct WavefrontOptions {
    std::string method = {};             // empty: gauss:stages=4
    std::vector<double> times = {};      // ascending; empty: the time of [boundary], else 1
    std::optional<long long> steps = {}; // to the last of them; none: as many as 1e-9 of the last places asks for
    std::optional<long long> directions = {};
    std::vector<CostateRange> fan = {};   // of costates that the metric does not bound; left out: found
    std::vector<std::string> angles = {}; // coordinates that are counted modulo 2 pi
    bool from_initial = false;            // where both are there: from [initial], not from [boundary]
    const volatile int* interrupt = nullptr;
    std::function<void(long long done, long long total)> progress = {};
};

struct Geodesic {
    std::vector<double> w, h;              // direction, costates that the metric does not bound: see UnitCostates
    std::vector<double> p0;                // with which it begins
    std::vector<std::vector<double>> q, p; // at the times asked for
    std::optional<double> conjugate;       // the first conjugate time, up to the last time; none: there is none
    // The time up to which it is shortest, of all geodesics that were looked at: another one as long meets it, or it
    // has a conjugate point. None: it is shortest up to the last time.
    std::optional<double> cut;
    std::vector<double> p0_other; // with which that other one begins; empty: the cut is a conjugate point
    std::vector<double> q_conjugate, q_cut;
    bool is_shortest(double time) const { return !cut || time <= *cut * (1 + 1e-9); }
};

struct Wavefront {
    enum class Status { finished, interrupted } status = Status::finished;
    std::string method;
    long long steps = 0;
    std::vector<double> start, times;
    int rank = 0; // of the metric at the start: directions that are allowed
    std::vector<CostateRange> fan;
    std::vector<Geodesic> geodesics; // without those that could not be followed to the last time
    int lost = 0;                    // how many those are
    double error = 0;                // of the last places: the largest of a few geodesics, with half the step
    double seconds_setup = 0, seconds_run = 0;
};

// Throws Unsuitable, BadRun.
Wavefront wavefront_of(const Model& model, const WavefrontOptions& options);

} // namespace rattleback::boundary
