// Writes listings of one lane as C99.
#pragma once

#include <string>

#include "code/listing.hpp"

namespace rattleback::code {

// The function `static int NAME(double* const* arrays)`, which returns 0 if the step was taken, 1 if it could not be.
std::string c99_function(const Listing& listing, const std::string& name);
// Includes and helpers that must precede such functions, and those of our own functions that `functions` call.
std::string c99_preamble(const std::string& functions);
std::string c99_own_functions();

} // namespace rattleback::code
