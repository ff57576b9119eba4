// The `own` rows of functions.def in C: as src/expr/real_functions.hpp has them, operation by operation.
#include "code/c99.hpp"

#include <cstdio>

#include "expr/elementary.hpp"

namespace rattleback::code {
namespace {

// A function of elementary.hpp, by the C library's of the same name where it is out of range.
template <class F, class Near> std::string in_range(const std::string& name, F&& f, Near&& near) {
    Listing listing;
    listing.put(Do::begin_steps);
    const Number x(listing, listing.put(Do::load, 0, 0));
    listing.put(Do::stop_if, (~near(x)).line());
    listing.put(Do::store, 1, 0, f(x).line());
    listing.put(Do::end_steps);
    return c99_function(listing, name + "_lines") + "static double own_" + name + "(double x)\n{\n" +
           "    double y = 0;\n    double* const arrays[2] = {&x, &y};\n    return " + name + "_lines(arrays) ? " +
           name + "(x) : y;\n}\n";
}

std::string coefficients() {
    std::string text = "static const double stumpff_coefficients[" + std::to_string(elementary::most_stumpff + 1) +
                       "][" + std::to_string(elementary::stumpff_terms) + "] = {\n";
    for (const auto& row : elementary::stumpff_coefficients) {
        text += "    {";
        for (double c : row) {
            char digits[40];
            std::snprintf(digits, sizeof digits, "%a, ", c);
            text += digits;
        }
        text.replace(text.size() - 2, 2, "},\n");
    }
    return text + "};\n";
}

} // namespace

std::string c99_own_functions() {
    return in_range(
               "sin", [](const Number& x) { return elementary::sin(x); },
               [](const Number& x) { return elementary::sin_near(x); }) +
           in_range(
               "cos", [](const Number& x) { return elementary::cos(x); },
               [](const Number& x) { return elementary::cos_near(x); }) +
           coefficients() + R"(
static double stumpff_series(const double* c, double u)
{
    const double v = u * u, w = v * v;
    const double p0 = fma(u, c[1], c[0]), p1 = fma(u, c[3], c[2]), p2 = fma(u, c[5], c[4]);
    const double p3 = fma(u, c[7], c[6]), p4 = fma(u, c[9], c[8]), p5 = fma(u, c[11], c[10]);
    return fma(w, fma(w, fma(v, p5, p4), fma(v, p3, p2)), fma(v, p1, p0));
}

static double rattleback_stumpff(double order, double u)
{
    double factorial = 1;
    int j;
    if (!(order >= 0 && order <= 64) || order != floor(order)) return NAN;
    const int k = (int)order;
    if (k <= )" +
           std::to_string(elementary::most_stumpff) +
           R"( && fabs(u) <= 2) return stumpff_series(stumpff_coefficients[k], u);
    for (j = 2; j <= k; ++j) factorial *= j;
    if (fabs(u) <= (k + 1) * (k + 2)) {
        double term = 1 / factorial, sum = term;
        for (j = k + 1; j < k + 2000; j += 2) {
            term *= -u / ((double)j * (j + 1));
            const double next = sum + term;
            if (next == sum) break;
            sum = next;
        }
        return sum;
    }
    const double root = sqrt(fabs(u));
    double value = k % 2 == 0 ? (u > 0 ? own_cos(root) : cosh(root)) : (u > 0 ? own_sin(root) : sinh(root)) / root;
    factorial = 1;
    for (j = k % 2; j < k; j += 2) {
        value = (1 / factorial - value) / u;
        factorial *= (double)(j + 1) * (j + 2);
    }
    return value;
}
)";
}

} // namespace rattleback::code
