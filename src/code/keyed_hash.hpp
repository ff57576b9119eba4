// SipHash-2-4 with 128 bits (Aumasson, Bernstein 2012): a hash that nobody can compute without the key. It signs the
// objects of the cache.
//
// NOTE: written here, so that whoever links the library needs no library of cryptography. The test has the vectors of
// the authors.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace rattleback::code {

using HashKey = std::array<std::uint64_t, 2>;
using HashValue = std::array<std::uint64_t, 2>;

HashValue keyed_hash(const HashKey& key, std::string_view bytes);

} // namespace rattleback::code
