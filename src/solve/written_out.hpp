// A system with the members of its families as scalars.
#pragma once

#include "solve/system.hpp"

namespace rattleback::solve {

System written_out(const System& system);

} // namespace rattleback::solve
