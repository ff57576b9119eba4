// SHA-256 (FIPS 180-4), to tell whether a model is the one a certificate speaks of.
#pragma once

#include <string>
#include <string_view>

namespace rattleback {

std::string sha256(std::string_view bytes); // 64 hexadecimal digits

} // namespace rattleback
