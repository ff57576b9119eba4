// Numbers as text and back, in quad, whatever the locale.
#include "expr/real_functions.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <locale.h>
#if __has_include(<xlocale.h>)
#include <xlocale.h> // macOS
#endif

#if !defined(RATTLEBACK_QUAD_IS_LONG_DOUBLE) && !defined(RATTLEBACK_LIBQUADMATH)
extern "C" int rattleback_strfromf128(char*, std::size_t, const char*, rattleback::quad) noexcept
    __asm__("strfromf128");
extern "C" rattleback::quad rattleback_strtof128(const char*, char**) noexcept __asm__("strtof128");
#endif

namespace rattleback::real {
namespace {

// While one exists, this thread writes and reads numbers with a decimal point: a host program may have set a locale
// with a comma.
class DecimalPoint {
  public:
    DecimalPoint() {
        static const locale_t plain = newlocale(LC_ALL_MASK, "C", locale_t{});
        before_ = uselocale(plain);
    }
    ~DecimalPoint() { uselocale(before_); }
    DecimalPoint(const DecimalPoint&) = delete;
    DecimalPoint& operator=(const DecimalPoint&) = delete;

  private:
    locale_t before_;
};

std::string formatted(quad x, int digits) {
    const DecimalPoint point;
    char buffer[64];
    digits = std::min(digits, 50);
#if defined(RATTLEBACK_QUAD_IS_LONG_DOUBLE)
    std::snprintf(buffer, sizeof buffer, "%.*Lg", digits, x);
#elif defined(RATTLEBACK_LIBQUADMATH)
    quadmath_snprintf(buffer, sizeof buffer, "%.*Qg", digits, x);
#else
    char format[16];
    std::snprintf(format, sizeof format, "%%.%dg", digits);
    rattleback_strfromf128(buffer, sizeof buffer, format, x);
#endif
    return buffer;
}

} // namespace

quad parse(const char* digits) {
    const DecimalPoint point;
#if defined(RATTLEBACK_QUAD_IS_LONG_DOUBLE)
    return std::strtold(digits, nullptr);
#elif defined(RATTLEBACK_LIBQUADMATH)
    return strtoflt128(digits, nullptr);
#else
    return rattleback_strtof128(digits, nullptr);
#endif
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
