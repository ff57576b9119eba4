// A checksum of the numbers of one dataset, in their order. The indices of HDF5's chunks have none of their own: a
// changed address may lead to zeros, whose Fletcher checksum is right.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace rattleback {

inline constexpr const char* checksum_attribute = "checksum";

inline constexpr std::uint64_t checksum_of_nothing = 1;
inline void add_to_checksum(std::uint64_t& sum, const void* number) { // of 64 bits
    std::uint64_t bits = 0;
    std::memcpy(&bits, number, sizeof bits);
    sum = (sum ^ bits) * 0xff51afd7ed558ccdu; // both steps are bijections of `sum`
    sum ^= sum >> 32;
}
inline std::uint64_t checksum_of(std::uint64_t before, const void* numbers, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) add_to_checksum(before, static_cast<const char*>(numbers) + i * 8);
    return before;
}

// Several datasets, four at a time: a single one is bound by the latency of its multiplications, 6 cycles a number.
struct NumberChecksum {
    const char* numbers;
    std::uint64_t left; // numbers still to be added
    std::uint64_t* sum;
};
inline void add_to_checksums(std::vector<NumberChecksum> of) {
    constexpr std::size_t at_once = 4;
    const auto drop_finished = [&] { std::erase_if(of, [](const NumberChecksum& c) { return c.left == 0; }); };
    for (drop_finished(); of.size() >= at_once; drop_finished()) {
        std::uint64_t count = of[0].left;
        for (std::size_t k = 1; k < at_once; ++k) count = std::min(count, of[k].left);
        const char *const p = of[0].numbers, *const q = of[1].numbers, *const r = of[2].numbers,
                          *const s = of[3].numbers;
        std::uint64_t a = *of[0].sum, b = *of[1].sum, c = *of[2].sum, d = *of[3].sum; // no array: it would not be kept
        for (std::uint64_t i = 0; i < 8 * count; i += 8) {                            // in registers
            add_to_checksum(a, p + i), add_to_checksum(b, q + i);
            add_to_checksum(c, r + i), add_to_checksum(d, s + i);
        }
        *of[0].sum = a, *of[1].sum = b, *of[2].sum = c, *of[3].sum = d;
        for (std::size_t k = 0; k < at_once; ++k) of[k].numbers += count * 8, of[k].left -= count;
    }
    for (const NumberChecksum& c : of) *c.sum = checksum_of(*c.sum, c.numbers, c.left);
}

} // namespace rattleback
