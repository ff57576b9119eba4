// The sum over the stages of a step, for methods whose weights are no doubles.
#pragma once

#include <rattleback/operators.hpp>

namespace rattleback {

// h (w_1 K_1 + w_2 K_2 + ...), without the bias of rounded weights: a double is off by 1e-17, always in the same
// direction, which is no longer a symplectic method and shows as a drift of energy and momenta after 1e6 steps. A
// weight is split in two, of which the first has so few digits that what its product loses is as good as random; and so
// is what the product with h loses, once the second part has been added to it. `symplectic`: of a symplectic tableau,
// whose weights get two parts also where they are all powers of two and there are several of them; whoever looks for
// the formula again in a step has to say the same.
Vec step_along(const Expr& h, const std::vector<quad>& weights, const std::vector<Vec>& K, bool symplectic = false);

} // namespace rattleback
