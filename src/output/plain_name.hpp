// Names of columns as names of programming languages.
#pragma once

#include <string>
#include <string_view>

namespace rattleback {

// x' is x_dot, x[3]' x_3_dot, u[3,4] u_3_4, p_x p_x; what else is no letter, digit or _ becomes _.
std::string plain_name(std::string_view name);

} // namespace rattleback
