// Names of symbols as LaTeX: p_theta is p_{\theta}, and what schemes call "stage 2 of x'" is {{\dot x}^{(2)}}.
#pragma once

#include <string>

namespace rattleback {

std::string latex_name(const std::string& name);

} // namespace rattleback
