// What the benchmarks share: clocks, and summaries of repeated measurements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ctime>
#include <vector>

namespace bench {

// CPU time of this process: on a shared machine others cost us cache, but not time.
inline double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class F> double cpu_seconds_of(F&& f) {
    const double start = cpu_seconds();
    f();
    return cpu_seconds() - start;
}

template <class F> double least_of(int repeats, F&& seconds) {
    double best = seconds();
    for (int i = 1; i < repeats; ++i) best = std::min(best, seconds());
    return best;
}

inline double quantile(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

} // namespace bench
