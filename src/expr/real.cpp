#include <rattleback/real.hpp>

#include <cstdio>
#include <cstdlib>

namespace rattleback::real {

quad parse(const char* digits) { return strtof128(digits, nullptr); }

std::string to_text(quad x, int significant) {
    char buffer[64];
    if (significant > 0) {
        char format[16];
        std::snprintf(format, sizeof format, "%%.%dg", significant);
        strfromf128(buffer, sizeof buffer, format, x);
        return buffer;
    }
    const double d = static_cast<double>(x);
    // At least as many digits as stand before the point, so that 20 is not written 2e+01.
    const double size = std::fabs(d);
    const int whole = size >= 1 && size < 1e15 ? static_cast<int>(std::log10(size)) + 1 : 1;
    for (int digits = whole; digits <= 17; ++digits) {
        std::snprintf(buffer, sizeof buffer, "%.*g", digits, d);
        if (std::strtod(buffer, nullptr) == d) break;
    }
    return buffer;
}

} // namespace rattleback::real
