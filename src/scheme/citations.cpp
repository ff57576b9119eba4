// Where the methods come from.
#include <rattleback/scheme.hpp>

#include <array>

namespace rattleback {
namespace {

constexpr std::array table = {
    Citation{"butcher1964", "J. C. Butcher", "Implicit Runge-Kutta processes", "Mathematics of Computation 18, 50-64",
             1964},
    Citation{"hairer1993", "E. Hairer, S. P. Norsett, G. Wanner", "Solving Ordinary Differential Equations I",
             "Springer, 2nd edition", 1993},
    Citation{"hairer2006", "E. Hairer, C. Lubich, G. Wanner", "Geometric Numerical Integration",
             "Springer, 2nd edition", 2006},
    Citation{
        "kahan1997", "W. Kahan, R.-C. Li",
        "Composition constants for raising the orders of unconventional schemes for ordinary differential equations",
        "Mathematics of Computation 66, 1089-1099", 1997},
    Citation{"kutta1901", "W. Kutta", "Beitrag zur naherungsweisen Integration totaler Differentialgleichungen",
             "Zeitschrift fur Mathematik und Physik 46, 435-453", 1901},
    Citation{"marsden2001", "J. E. Marsden, M. West", "Discrete mechanics and variational integrators",
             "Acta Numerica 10, 357-514", 2001},
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
