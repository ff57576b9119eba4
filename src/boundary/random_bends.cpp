#include "boundary/random_bends.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace rattleback::boundary {

constexpr int waves = 3;

RandomBends::RandomBends(const Problem& problem, unsigned long long seed)
    : problem_(problem), random_(seed * 0x9E3779B97F4A7C15ULL + 1) {}

// SplitMix64 (Steele, Lea and Flood 2014), then Box and Muller: the same numbers with every library.
double RandomBends::normal() {
    const auto uniform = [&] {
        std::uint64_t z = random_ += 0x9E3779B97F4A7C15ULL;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL, z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return (static_cast<double>((z ^ (z >> 31)) >> 11) + 0.5) * 0x1p-53;
    };
    const double r = std::sqrt(-2 * std::log(uniform()));
    return r * std::cos(2 * std::numbers::pi * uniform());
}

std::function<void(double, double*, double*)> RandomBends::path(int number) {
    const std::size_t n = problem_.from.value.size();
    std::vector<double> begin(n), end(n), bends(n * waves);
    double size = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const auto &a = problem_.from.value[i], &b = problem_.to.value[i];
        begin[i] = a ? *a : b ? *b : 0, end[i] = b ? *b : begin[i];
        size = std::max(size, std::abs(end[i] - begin[i]));
    }
    const double scale = number % 2 == 1 || size == 0 ? 1 : size; // of angles; of lengths
    for (std::size_t i = 0; i < problem_.coordinates; ++i)
        for (int j = 0; j < waves && number > 0; ++j)
            bends[i * waves + static_cast<std::size_t>(j)] = 0.7 * scale * normal() / (j + 1);
    for (std::size_t k = 0; k < problem_.guess.size(); ++k) {
        const std::size_t i = n - problem_.guess.size() + k;
        begin[i] = end[i] = problem_.guess[k] * (number > 0 ? std::exp(normal()) : 1);
    }
    return [=](double s, double* q, double* slope) {
        for (std::size_t i = 0; i < n; ++i) {
            q[i] = begin[i] + s * (end[i] - begin[i]), slope[i] = end[i] - begin[i];
            for (int j = 0; j < waves; ++j) {
                const double bend = bends[i * waves + static_cast<std::size_t>(j)], w = (j + 1) * std::numbers::pi;
                q[i] += bend * std::sin(w * s), slope[i] += bend * w * std::cos(w * s);
            }
        }
    };
}

} // namespace rattleback::boundary
