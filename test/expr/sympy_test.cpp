// Values, gradients and Hessians against SymPy's, computed once by make_sympy_cases.py.
#include <gtest/gtest.h>

#include "expr/formulas.hpp"
#include "expr/graph.hpp"

namespace rattleback {
namespace {

struct Case {
    const char* formula;
    std::array<const char*, 3> point;
    const char* value;
    std::array<const char*, 3> gradient;
    std::array<const char*, 6> hessian;
};

constexpr Case cases[] = {
#include "expr/sympy_cases.inc"
};

TEST(Sympy, values_gradients_and_hessians) {
    static_assert(std::size(cases) == 30);
    for (const Case& c : cases) {
        Graph g;
        test::TestScope scope(g);
        const std::array<Expr, 3> xyz{scope.add("x"), scope.add("y"), scope.add("z")};
        const Vec leaves({{"x", xyz[0]}, {"y", xyz[1]}, {"z", xyz[2]}});
        const Expr f = scope(c.formula);
        const Vec first = gradient(f, leaves);
        std::vector<Expr> formulas{f};
        std::vector<const char*> expected{c.value};
        for (std::size_t i = 0; i < 3; ++i) formulas.push_back(first[i].value), expected.push_back(c.gradient[i]);
        std::array<std::array<Expr, 3>, 3> second;
        for (const JacobianTerm& t : jacobian(first, leaves)) second[t.row][t.column] = t.value;
        for (std::size_t i = 0, k = 0; i < 3; ++i)
            for (std::size_t j = i; j < 3; ++j) formulas.push_back(second[i][j]), expected.push_back(c.hessian[k++]);
        std::array<quad, 3> point;
        for (std::size_t i = 0; i < 3; ++i) point[i] = real::parse(c.point[i]);
        const std::vector<quad> got = test::evaluate<quad>(g, formulas, xyz, point);
        for (std::size_t i = 0; i < got.size(); ++i) { // measured 1.3e-32
            const quad e = test::magnitude(got[i] - real::parse(expected[i]));
            const quad size = test::magnitude(real::parse(expected[i]));
            EXPECT_LE(static_cast<double>(size == 0 ? e : e / size), 2.6e-32)
                << c.formula << ", number " << i << ": " << real::to_text(got[i], 36) << ", not " << expected[i];
        }
    }
}

} // namespace
} // namespace rattleback
