// Listings as C99, one lane.
#pragma once

#include <string>

#include "code/listing.hpp"

namespace rattleback::code {

// The body of `static int NAME(double* const* arrays)`: 0 if the step was taken, 1 if it was left.
std::string c99_function(const Listing& listing, const std::string& name);
// What such functions need to stand in front of them.
std::string c99_preamble();

} // namespace rattleback::code
