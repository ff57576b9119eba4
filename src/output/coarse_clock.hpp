// A clock that is looked at after every row: it is some milliseconds late, and takes 3 ns where another takes 20.
#pragma once

#include <chrono>

#include <time.h>

namespace rattleback {

struct CoarseClock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<CoarseClock>;
    static constexpr bool is_steady = true;

    static time_point now() {
#ifdef CLOCK_MONOTONIC_COARSE
        constexpr clockid_t clock = CLOCK_MONOTONIC_COARSE;
#else
        constexpr clockid_t clock = CLOCK_MONOTONIC;
#endif
        timespec t{};
        clock_gettime(clock, &t);
        return time_point(std::chrono::seconds(t.tv_sec) + std::chrono::nanoseconds(t.tv_nsec));
    }
};

} // namespace rattleback
