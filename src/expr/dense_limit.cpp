#include "expr/dense_limit.hpp"

#include <rattleback/expr.hpp>

#include <cstdio>
#include <cstdlib>

namespace rattleback {

double dense_limit() {
    static const double limit = [] {
        const char* const given = std::getenv("RATTLEBACK_DENSE_LIMIT");
        const double number = given ? std::strtod(given, nullptr) : 0;
        return number > 0 ? number : 1e7;
    }();
    return limit;
}

void require_below_dense_limit(double operations) {
    if (!(operations > dense_limit())) return;
    char text[400];
    std::snprintf(text, sizeof text,
                  "the derivatives of these equations have %.3g operations or more, the limit is %.3g: nearly all of "
                  "them depend on nearly all coordinates; take fewer coordinates, or raise the limit with "
                  "RATTLEBACK_DENSE_LIMIT=%.2g in the environment (10 million take about 1 GB)",
                  operations, dense_limit(), 2 * operations);
    throw ExprError(text);
}

} // namespace rattleback
