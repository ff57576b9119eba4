// A checksum of the numbers of one dataset, in their order. The indices of HDF5's chunks have none of their own: a
// changed address may lead to zeros, whose Fletcher checksum is right.
#pragma once

#include <cstdint>
#include <cstring>

namespace rattleback {

inline constexpr const char* checksum_attribute = "checksum";

inline std::uint64_t checksum_of(std::uint64_t before, const void* numbers, std::uint64_t count) { // of 64 bits
    for (std::uint64_t i = 0; i < count; ++i) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, static_cast<const char*>(numbers) + i * sizeof bits, sizeof bits);
        before = (before ^ bits) * 0xff51afd7ed558ccdu; // both steps are bijections of `before`
        before ^= before >> 32;
    }
    return before;
}
inline constexpr std::uint64_t checksum_of_nothing = 1;

} // namespace rattleback
