// x = m 2^e with 17 digits is the integer D next to m 2^e 10^p, for the p that gives it 17 digits. The power of ten is
// taken to 128 bits, rounded down, so that the product is known but for 2 units of its last place of 128 bits, some 70
// of them behind the point. Where these two units hide on which side of a half it lies, std::to_chars decides: hardly
// ever, but for numbers that are halves.
#include "output/number_text.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace rattleback {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr int digits = 17, least_power = -293, most_power = 342; // of ten, by which doubles are multiplied
constexpr std::uint64_t ten_to_16 = 10'000'000'000'000'000, ten_to_17 = 10 * ten_to_16;

struct Power { // 10^p = (high 2^64 + low + something below 1) 2^exponent, with the highest bit set
    std::uint64_t high, low;
    int exponent;
};

// A long integer, by its limbs of 64 bits, the lowest first.
class Long {
  public:
    explicit Long(std::size_t bit) { limbs_[bit / 64] = std::uint64_t{1} << bit % 64; }
    void times_5() {
        std::uint64_t carry = 0;
        for (std::uint64_t& x : limbs_) {
            const Wide product = Wide{x} * 5 + carry;
            x = static_cast<std::uint64_t>(product), carry = static_cast<std::uint64_t>(product >> 64);
        }
    }
    void over_5() { // rounded down
        std::uint64_t rest = 0;
        for (std::size_t i = limbs_.size(); i-- > 0;) {
            const Wide part = Wide{rest} << 64 | limbs_[i];
            limbs_[i] = static_cast<std::uint64_t>(part / 5), rest = static_cast<std::uint64_t>(part % 5);
        }
    }
    // Its first 128 bits; exponent: of the last of them.
    Power top() const {
        std::size_t i = limbs_.size() - 1;
        while (limbs_[i] == 0) --i;
        const int gap = std::countl_zero(limbs_[i]);
        const auto limb = [&](std::size_t back) { return back > i ? std::uint64_t{0} : limbs_[i - back]; };
        const auto from = [&](std::size_t back) {
            return gap == 0 ? limb(back) : limb(back) << gap | limb(back + 1) >> (64 - gap);
        };
        return {from(0), from(1), static_cast<int>(64 * i) + 63 - gap - 127};
    }

  private:
    std::array<std::uint64_t, 20> limbs_{};
};

std::array<Power, most_power - least_power + 1> powers_of_ten() {
    std::array<Power, most_power - least_power + 1> all{};
    const auto put = [&](int p, const Power& five, int unit) { // 5^p = five 2^unit
        all[static_cast<std::size_t>(p - least_power)] = {five.high, five.low, five.exponent + unit + p};
    };
    Long up(0);
    for (int p = 0; p <= most_power; ++p, up.times_5()) put(p, up.top(), 0);
    constexpr int unit = 1200; // bits behind the point: 5^-293 has 520 significant ones left
    Long down(unit);
    for (int p = 0; p >= least_power; --p, down.over_5())
        if (p < 0) put(p, down.top(), -unit);
    return all;
}

// D for 10^p; false: it is not known on which side of a half the number lies. D may be too long by a digit.
bool decimal(std::uint64_t mantissa, int exponent, int p, std::uint64_t& D) {
    static const std::array<Power, most_power - least_power + 1> powers = powers_of_ten();
    const Power& ten = powers[static_cast<std::size_t>(p - least_power)];
    const Wide low = Wide{mantissa} * ten.low;
    const Wide product = Wide{mantissa} * ten.high + static_cast<std::uint64_t>(low >> 64); // without its last 64 bits
    const int behind = -(exponent + ten.exponent + 64);                                     // the point: bits
    const Wide half = Wide{1} << (behind - 1), fraction = product & ((half << 1) - 1);
    D = static_cast<std::uint64_t>(product >> behind);
    if (fraction > half) ++D;
    return fraction > half || fraction + 2 <= half;
}

void write_digits(char* to, std::uint64_t D) { // 17 of them
    static constexpr auto pairs = [] {
        std::array<char, 200> all{};
        for (std::size_t i = 0; i < 100; ++i)
            all[2 * i] = static_cast<char>('0' + i / 10), all[2 * i + 1] = static_cast<char>('0' + i % 10);
        return all;
    }();
    const auto eight = [&](char* at, std::uint32_t x) {
        const std::uint32_t high = x / 10000, low = x % 10000;
        std::memcpy(at, &pairs[2 * (high / 100)], 2), std::memcpy(at + 2, &pairs[2 * (high % 100)], 2);
        std::memcpy(at + 4, &pairs[2 * (low / 100)], 2), std::memcpy(at + 6, &pairs[2 * (low % 100)], 2);
    };
    const std::uint64_t first = D / 100'000'000; // nine digits
    const auto rest = static_cast<std::uint32_t>(D % 100'000'000), nine = static_cast<std::uint32_t>(first);
    *to = static_cast<char>('0' + nine / 100'000'000);
    eight(to + 1, nine % 100'000'000), eight(to + 9, rest);
}

// The digits d_1 d_2 ... as %g shows d_1.d_2... 10^k.
char* lay_out(char* to, const char* d, int count, int k) {
    if (k >= 0 && k < digits) {
        const int whole = k + 1;
        std::memcpy(to, d, digits);            // more than is needed, of a fixed length
        if (count <= whole) return to + whole; // the digits behind `count` are zeros
        std::memcpy(to + whole + 1, d + whole, static_cast<std::size_t>(count - whole));
        to[whole] = '.';
        return to + count + 1;
    }
    if (k < 0 && k >= -4) {
        std::memcpy(to, "0.000", 5);
        to += 1 - k;
        std::memcpy(to, d, static_cast<std::size_t>(count));
        return to + count;
    }
    *to++ = d[0];
    if (count > 1) {
        *to++ = '.';
        std::memcpy(to, d + 1, static_cast<std::size_t>(count - 1));
        to += count - 1;
    }
    *to++ = 'e', *to++ = k < 0 ? '-' : '+';
    const int size = k < 0 ? -k : k;
    if (size >= 100) *to++ = static_cast<char>('0' + size / 100);
    *to++ = static_cast<char>('0' + size / 10 % 10), *to++ = static_cast<char>('0' + size % 10);
    return to;
}

char* with_to_chars(char* to, double x) {
    return std::to_chars(to, to + longest_number, x, std::chars_format::general, digits).ptr;
}

} // namespace

char* write_number(char* to, double x) {
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const auto biased = static_cast<int>(bits >> 52 & 0x7ff);
    std::uint64_t mantissa = bits & ((std::uint64_t{1} << 52) - 1);
    if (biased == 0x7ff || (biased == 0 && mantissa == 0)) return with_to_chars(to, x); // no digits to find
    if (biased != 0) mantissa |= std::uint64_t{1} << 52;
    const int gap = std::countl_zero(mantissa), exponent = (biased ? biased : 1) - 1075 - gap;
    mantissa <<= gap;
    // floor(log10(2) E) of 2^E <= |x| < 2^(E + 1): the place of the first digit, or the one behind it.
    int k = static_cast<int>((exponent + 63) * 1262611LL >> 22);
    std::uint64_t D = 0;
    if (!decimal(mantissa, exponent, digits - 1 - k, D)) return with_to_chars(to, x);
    if (D >= ten_to_17) {
        ++k;
        if (!decimal(mantissa, exponent, digits - 1 - k, D)) return with_to_chars(to, x);
        if (D >= ten_to_17) D = ten_to_16, ++k; // it was rounded up to the next power of ten
    }
    char d[digits];
    write_digits(d, D);
    int count = digits;
    while (d[count - 1] == '0') --count;
    if (bits >> 63) *to++ = '-';
    return lay_out(to, d, count, k);
}

} // namespace rattleback
