#include "code/keyed_hash.hpp"

#include <bit>
#include <cstring>

namespace rattleback::code {
namespace {

struct State {
    std::uint64_t a, b, c, d;

    void rounds(int count) {
        for (int i = 0; i < count; ++i) {
            a += b, b = std::rotl(b, 13), b ^= a, a = std::rotl(a, 32);
            c += d, d = std::rotl(d, 16), d ^= c;
            a += d, d = std::rotl(d, 21), d ^= a;
            c += b, b = std::rotl(b, 17), b ^= c, c = std::rotl(c, 32);
        }
    }
    void take(std::uint64_t word) {
        d ^= word;
        rounds(2);
        a ^= word;
    }
    std::uint64_t give() {
        rounds(4);
        return a ^ b ^ c ^ d;
    }
};

// The words of the reference are little-endian; an object never leaves the machine that made it.
std::uint64_t word_at(std::string_view bytes, std::size_t at, std::size_t count = sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, count);
    return word;
}

} // namespace

HashValue keyed_hash(const HashKey& key, std::string_view bytes) {
    State s{key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du ^ 0xee, key[0] ^ 0x6c7967656e657261u,
            key[1] ^ 0x7465646279746573u};
    const std::size_t whole = bytes.size() / 8 * 8;
    for (std::size_t at = 0; at < whole; at += 8) s.take(word_at(bytes, at));
    s.take(static_cast<std::uint64_t>(bytes.size()) << 56 | word_at(bytes, whole, bytes.size() - whole));
    s.c ^= 0xee;
    const std::uint64_t first = s.give();
    s.b ^= 0xdd;
    return {first, s.give()};
}

} // namespace rattleback::code
