// Where parts of the program that are loaded on first use may be.
#pragma once

#include <string>
#include <vector>

namespace rattleback::code {

// Beside the program or library that this code is part of, or in the library folder next to it; never where the user
// happens to be, and nothing that another user put there.
std::vector<std::string> module_places(const std::string& file);

} // namespace rattleback::code
