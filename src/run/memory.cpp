#include "run/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>

#include <rattleback/run.hpp>

namespace rattleback {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

// The number behind a word in a file of the kernel; an empty word: the first number. -1: there is none.
double number_in(const char* file, const std::string& word) {
    std::ifstream from(file);
    double value = -1;
    if (word.empty()) return from >> value ? value : -1;
    for (std::string name; from >> name;)
        if (name == word) return from >> value ? value : -1;
    return -1;
}

double free_on_machine() {
    const double memory = number_in("/proc/meminfo", "MemAvailable:"), swap = number_in("/proc/meminfo", "SwapFree:");
    return memory < 0 ? unknown : 1024 * (memory + std::max(0.0, swap));
}

double left_by_address_space() {
    rlimit limit{};
    const double pages = number_in("/proc/self/statm", "");
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY || pages < 0) return unknown;
    return static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

double left_by_container() {
    const double most = number_in("/sys/fs/cgroup/memory.max", ""),
                 taken = number_in("/sys/fs/cgroup/memory.stat", "anon"); // caches make way
    return most < 0 || taken < 0 ? unknown : most - taken;
}

std::string in_gigabytes(double bytes) {
    char text[32];
    std::snprintf(text, sizeof text, "%.3g GB", bytes * 1e-9);
    return text;
}

} // namespace

double available_memory() {
    return std::max(0.0, std::min({free_on_machine(), left_by_address_space(), left_by_container()}));
}

void require_memory(const Layout& layout, double nodes) {
    const double bytes = nodes * static_cast<double>(layout.width * sizeof(double));
    if (bytes < 1e7) return; // not worth a look
    const double available = available_memory();
    if (bytes <= available) return;
    char count[32];
    std::snprintf(count, sizeof count, "%.4g", nodes);
    throw BadRun("out of memory: a record of " + std::string(count) + " nodes with " + std::to_string(layout.width) +
                 " columns takes " + in_gigabytes(bytes) + ", and " + in_gigabytes(available) +
                 " are available\n  record fewer nodes with --every, or write them to a file and leave out --report");
}

} // namespace rattleback
