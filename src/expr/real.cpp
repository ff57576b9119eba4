#include <rattleback/real.hpp>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <locale.h>

// NOTE: a host program may have set a locale with a decimal comma; numbers of formulas have a point.
extern "C" rattleback::quad strtof128_l(const char*, char**, locale_t) noexcept;

namespace rattleback::real {
namespace {

std::string formatted(quad x, int digits) {
    char buffer[64], format[16];
    std::snprintf(format, sizeof format, "%%.%dg", std::min(digits, 50));
    strfromf128(buffer, sizeof buffer, format, x);
    std::string text = buffer;
    const std::string point = std::localeconv()->decimal_point;
    if (const auto at = text.find(point); point != "." && at != std::string::npos) {
        text[at] = '.';
        text.erase(at + 1, point.size() - 1);
    }
    return text;
}

} // namespace

quad parse(const char* digits) {
    static const locale_t plain = newlocale(LC_ALL_MASK, "C", locale_t{});
    return strtof128_l(digits, nullptr, plain);
}

std::string to_text(quad x, int significant) {
    if (significant > 0) return formatted(x, significant);
    const double d = static_cast<double>(x), size = std::fabs(d);
    const bool as_double = x == 0 || (size >= std::numeric_limits<double>::min() && is_finite(d)) || x - x != 0;
    // At least as many digits as stand before the point, so that 20 is not written 2e+01.
    int digits = size >= 1 && size < 1e15 ? static_cast<int>(std::log10(size)) + 1 : 1;
    std::string text = formatted(as_double ? d : x, digits);
    const auto reads_back = [&](quad y) { return as_double ? static_cast<double>(y) == d : y == x; };
    while (digits < Real<quad>::digits10 && x - x == 0 && !reads_back(parse(text.c_str())))
        text = formatted(as_double ? d : x, ++digits);
    return text;
}

} // namespace rattleback::real
