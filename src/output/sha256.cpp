#include "output/sha256.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace rattleback {
namespace {

// The first 32 bits of the fractional parts of roots of the first primes: square roots start the state, cube roots
// feed the rounds.
template <int power> std::vector<std::uint32_t> root_bits(int count) {
    std::vector<std::uint32_t> bits;
    for (int n = 2; static_cast<int>(bits.size()) < count; ++n) {
        bool prime = true;
        for (int d = 2; d * d <= n; ++d) prime = prime && n % d != 0;
        if (!prime) continue;
        const long double root =
            power == 2 ? std::sqrt(static_cast<long double>(n)) : std::cbrt(static_cast<long double>(n));
        bits.push_back(static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L));
    }
    return bits;
}

class Digest {
  public:
    void block(const unsigned char* at) {
        std::array<std::uint32_t, 64> w{};
        for (std::size_t i = 0; i < 16; ++i)
            w[i] = std::uint32_t{at[4 * i]} << 24 | std::uint32_t{at[4 * i + 1]} << 16 |
                   std::uint32_t{at[4 * i + 2]} << 8 | at[4 * i + 3];
        for (std::size_t i = 16; i < 64; ++i)
            w[i] = w[i - 16] + w[i - 7] + (turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ (w[i - 15] >> 3)) +
                   (turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ (w[i - 2] >> 10));
        std::vector<std::uint32_t> s = state_; // a .. h
        for (std::size_t i = 0; i < 64; ++i) {
            const std::uint32_t one = s[7] + (turn(s[4], 6) ^ turn(s[4], 11) ^ turn(s[4], 25)) +
                                      ((s[4] & s[5]) ^ (~s[4] & s[6])) + rounds_[i] + w[i];
            const std::uint32_t two =
                (turn(s[0], 2) ^ turn(s[0], 13) ^ turn(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
            s = {one + two, s[0], s[1], s[2], s[3] + one, s[4], s[5], s[6]};
        }
        for (std::size_t i = 0; i < 8; ++i) state_[i] += s[i];
    }
    const std::vector<std::uint32_t>& state() const { return state_; }

  private:
    static std::uint32_t turn(std::uint32_t x, int by) { return std::rotr(x, by); }
    std::vector<std::uint32_t> state_ = root_bits<2>(8);
    const std::vector<std::uint32_t> rounds_ = root_bits<3>(64);
};

} // namespace

std::string sha256(std::string_view bytes) {
    std::string padded(bytes);
    padded += '\x80';
    while (padded.size() % 64 != 56) padded += '\0';
    const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
    for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift & 0xff);
    Digest digest;
    for (std::size_t at = 0; at < padded.size(); at += 64)
        digest.block(reinterpret_cast<const unsigned char*>(padded.data()) + at);
    std::string text;
    for (std::uint32_t word : digest.state())
        for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[word >> shift & 15];
    return text;
}

} // namespace rattleback
