// Parking problems with random ends, the same on every machine. Also for test/boundary.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace parking {

struct Problem {
    std::string kind, text;
};

// Uniform numbers by SplitMix64 (Steele, Lea and Flood 2014), in thousandths, which are short to read.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    double between(double lo, double hi) {
        std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL, z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        const double x = lo + (hi - lo) * (static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53);
        return static_cast<double>(static_cast<long>(1000 * x)) / 1000;
    }

  private:
    std::uint64_t state_;
};

inline Problem random_problem(int number) {
    struct Kind {
        const char *name, *dynamics;
        int angles;
    };
    static constexpr Kind kinds[] = {
        {"unicycle", "\"v*cos(a1)\", y = \"v*sin(a1)\", a1 = \"w\"", 1},
        {"vehicle", "\"v*cos(a2)\", y = \"v*sin(a2)\", a1 = \"v*sin(a2 - a1)\", a2 = \"w\"", 2},
        {"trailer", "\"v*cos(a1)\", y = \"v*sin(a1)\", a1 = \"w\", a2 = \"v*sin(a1 - a2)\"", 2},
        {"two trailers",
         "\"v*cos(a1)\", y = \"v*sin(a1)\", a1 = \"w\", a2 = \"v*sin(a1 - a2)\", "
         "a3 = \"v*cos(a1 - a2)*sin(a2 - a3)\"",
         3}};
    static constexpr int order[] = {0, 1, 2, 1, 0, 1, 2, 1, 3, 0};
    const Kind& kind = kinds[order[number % 10]];
    Random random(2026 + static_cast<std::uint64_t>(number));
    std::string names = "\"x\", \"y\"", from = "0, 0",
                to = std::to_string(random.between(-2, 2)) + ", " + std::to_string(random.between(-2, 2));
    const double first = random.between(-1, 1), last = random.between(-1.5, 1.5);
    for (int i = 1; i <= kind.angles; ++i) {
        names += ", \"a" + std::to_string(i) + "\"";
        from += ", " + std::to_string(first);
        to += ", " + std::to_string(i == 1 ? last : last + random.between(-0.5, 0.5));
    }
    return {kind.name,
            "coordinates = [" + names + "]\n[control]\ninputs = [\"v\", \"w\"]\ndynamics = { x = " + kind.dynamics +
                " }\ncost = \"(v^2 + w^2)/2\"\n[boundary]\nfrom = [" + from + "]\nto = [" + to + "]\ntime = 1\n"};
}

} // namespace parking
