// Where the methods come from.
#include "scheme/citations.hpp"

#include <array>

namespace rattleback {
namespace {

constexpr std::array table = {
    Citation{"andersen1983", "H. C. Andersen",
             "Rattle: a \"velocity\" version of the Shake algorithm for molecular dynamics calculations",
             "Journal of Computational Physics 52, 24-34", 1983},
    Citation{"baumgarte1972", "J. Baumgarte",
             "Stabilization of constraints and integrals of motion in dynamical systems",
             "Computer Methods in Applied Mechanics and Engineering 1, 1-16", 1972},
    Citation{"benito2005", "R. Benito, D. Martin de Diego", "Discrete vakonomic mechanics",
             "Journal of Mathematical Physics 46, 083521", 2005},
    Citation{"butcher1964", "J. C. Butcher", "Implicit Runge-Kutta processes", "Mathematics of Computation 18, 50-64",
             1964},
    Citation{"cortes2001", "J. Cortes, S. Martinez", "Non-holonomic integrators", "Nonlinearity 14, 1365-1392", 2001},
    Citation{"deleon2004", "M. de Leon, D. Martin de Diego, A. Santamaria-Merino",
             "Geometric integrators and nonholonomic mechanics", "Journal of Mathematical Physics 45, 1042-1064", 2004},
    Citation{"deleon2004b", "M. de Leon, D. Martin de Diego, A. Santamaria-Merino",
             "Geometric numerical integration of nonholonomic systems and optimal control problems",
             "European Journal of Control 10, 515-521", 2004},
    Citation{"fedorov2005", "Y. N. Fedorov, D. V. Zenkov", "Discrete nonholonomic LL systems on Lie groups",
             "Nonlinearity 18, 2211-2241", 2005},
    Citation{"ferraro2008", "S. Ferraro, D. Iglesias, D. Martin de Diego",
             "Momentum and energy preserving integrators for nonholonomic dynamics", "Nonlinearity 21, 1911-1928",
             2008},
    Citation{"gear1971", "C. W. Gear", "Simultaneous numerical solution of differential-algebraic equations",
             "IEEE Transactions on Circuit Theory 18, 89-95", 1971},
    Citation{"hairer1993", "E. Hairer, S. P. Norsett, G. Wanner", "Solving Ordinary Differential Equations I",
             "Springer, 2nd edition", 1993},
    Citation{"hairer2000", "E. Hairer", "Symmetric projection methods for differential equations on manifolds",
             "BIT 40, 726-734", 2000},
    Citation{"hairer2006", "E. Hairer, C. Lubich, G. Wanner", "Geometric Numerical Integration",
             "Springer, 2nd edition", 2006},
    Citation{"jay1996", "L. O. Jay", "Symplectic partitioned Runge-Kutta methods for constrained Hamiltonian systems",
             "SIAM Journal on Numerical Analysis 33, 368-387", 1996},
    Citation{
        "kahan1997", "W. Kahan, R.-C. Li",
        "Composition constants for raising the orders of unconventional schemes for ordinary differential equations",
        "Mathematics of Computation 66, 1089-1099", 1997},
    Citation{"kutta1901", "W. Kutta", "Beitrag zur naherungsweisen Integration totaler Differentialgleichungen",
             "Zeitschrift fur Mathematik und Physik 46, 435-453", 1901},
    Citation{"leimkuhler1994", "B. Leimkuhler, S. Reich", "Symplectic integration of constrained Hamiltonian systems",
             "Mathematics of Computation 63, 589-605", 1994},
    Citation{"marsden1999", "J. E. Marsden, S. Pekarsky, S. Shkoller",
             "Discrete Euler-Poincare and Lie-Poisson equations", "Nonlinearity 12, 1647-1662", 1999},
    Citation{"marsden2001", "J. E. Marsden, M. West", "Discrete mechanics and variational integrators",
             "Acta Numerica 10, 357-514", 2001},
    Citation{"mclachlan2013", "R. I. McLachlan, K. Modin, O. Verdier, M. Wilkins",
             "Symplectic integrators for index one constraints", "SIAM Journal on Scientific Computing 35, A2150-A2162",
             2013},
    Citation{"ryckaert1977", "J.-P. Ryckaert, G. Ciccotti, H. J. C. Berendsen",
             "Numerical integration of the Cartesian equations of motion of a system with constraints",
             "Journal of Computational Physics 23, 327-341", 1977},
    Citation{"sanzserna1988", "J. M. Sanz-Serna", "Runge-Kutta schemes for Hamiltonian systems", "BIT 28, 877-883",
             1988},
};

} // namespace

std::span<const Citation> citations() { return table; }

const Citation* find_citation(std::string_view key) {
    for (const Citation& c : table)
        if (c.key == key) return &c;
    return nullptr;
}

} // namespace rattleback
