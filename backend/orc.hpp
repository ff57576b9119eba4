// LLVM's own loader.
#pragma once

#include "code/backend.hpp"

namespace rattleback::code {

std::unique_ptr<const Loaded> load_by_orc(std::string_view object); // throws Error

} // namespace rattleback::code
