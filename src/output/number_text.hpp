// Numbers as text.
#pragma once

#include <cstddef>

namespace rattleback {

inline constexpr std::size_t longest_number = 24; // "-2.2250738585072014e-308"

// What printf writes for %.17g in the locale "C": 17 significant digits of the exact value, halves to even, without
// zeros at the end. Returns where it ends; nothing follows it.
char* write_number(char* to, double x);

} // namespace rattleback
