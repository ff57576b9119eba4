#include "output_times.hpp"

#include <algorithm>
#include <cmath>

#include "command_line.hpp"
#include "expr/constant.hpp"
#include "terminal.hpp"

namespace app {
namespace {

std::vector<double> times_in(const std::string& list) {
    std::vector<double> times;
    for (std::size_t from = 0; from <= list.size();) {
        const std::size_t comma = std::min(list.find(',', from), list.size());
        const std::string text = list.substr(from, comma - from);
        try {
            times.push_back(static_cast<double>(rattleback::constant_value(text)));
        } catch (const std::exception& e) { throw BadCommand("--at " + list + ": " + e.what()); }
        from = comma + 1;
    }
    return times;
}

constexpr double same = 1e-9; // of the largest time: times are written with a few digits

// The longest time of which both are multiples, by Euclid's algorithm.
double common_part(double x, double y, double tiny) {
    while (y > tiny) {
        const double rest = std::fmod(x, y);
        x = y;
        y = y - rest < tiny ? 0 : rest;
    }
    return x;
}

} // namespace

bool OutputTimes::has(long long node) const { return std::binary_search(nodes.begin(), nodes.end(), node); }

OutputTimes output_times(const std::string& list, double t0, double step) {
    std::vector<double> spans;
    for (double t : times_in(list)) spans.push_back(t - t0);
    const double sign = *std::max_element(spans.begin(), spans.end()) > 0 ? 1 : -1;
    double last = 0;
    for (double& s : spans) {
        s *= sign;
        if (s < 0)
            throw BadCommand("--at " + list + ": the times lie on both sides of the start, t = " + short_number(t0));
        last = std::max(last, s);
    }
    if (last == 0) throw BadCommand("--at " + list + ": a time other than the start is needed");
    double common = last;
    for (double s : spans) common = common_part(common, s, same * last);
    const double pieces = std::ceil(common / std::abs(step) * (1 - 1e-12));
    const double count = std::round(last / common) * pieces; // of all steps
    OutputTimes times{sign * last / count, t0 + sign * last, {}};
    if (std::abs(times.step) * 1000 < std::abs(step))
        throw BadCommand("--at " + list + ": no step above a thousandth of " + short_number(std::abs(step)) +
                         " meets all these times; write them with fewer digits, or ask for them in several runs");
    for (double s : spans) times.nodes.push_back(std::llround(s / std::abs(times.step)));
    std::sort(times.nodes.begin(), times.nodes.end());
    return times;
}

} // namespace app
