// A compiled system in machine code, on the lanes of one shape, beside what the tests compare it by.
#pragma once

#include "solve/system.hpp"

#include <bit>
#include <gtest/gtest.h>

#include "code/engine.hpp"
#include "code/step.hpp"

namespace rattleback::test {

class OnLanes {
  public:
    OnLanes(const std::shared_ptr<const CompiledSystem>& system, const code::Shape& shape, bool quick = false)
        : lanes_(static_cast<std::size_t>(shape.lanes())), given_(system->given * lanes_),
          results_(system->results.size() * lanes_), active_(lanes_, 1), left_(lanes_), iterations_(lanes_) {
        const code::Compiled compiled = code::compile(code::write_solve(*system, shape), shape, quick);
        if (!compiled.native) throw std::runtime_error(compiled.why_not);
        native_ = compiled.native;
    }

    void give(std::size_t lane, std::size_t i, double x) { given_[i * lanes_ + lane] = x; }
    void run() {
        double none = 0;
        std::fill(left_.begin(), left_.end(), 0);
        std::fill(iterations_.begin(), iterations_.end(), 0);
        double* const arrays[code::array_count] = {given_.data(),  results_.data(), &none,
                                                   &none,          &none,           &none,
                                                   active_.data(), left_.data(),    iterations_.data()};
        native_->entry()(arrays, 1, code::function_table());
    }
    bool left(std::size_t lane) const { return left_[lane] != 0; }
    double result(std::size_t lane, std::size_t i) const { return results_[i * lanes_ + lane]; }
    double iterations(std::size_t lane) const { return iterations_[lane]; }
    std::size_t lanes() const { return lanes_; }

  private:
    std::size_t lanes_;
    std::vector<double> given_, results_, active_, left_, iterations_;
    std::shared_ptr<const code::Native> native_;
};

inline bool same_bits(double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); }

} // namespace rattleback::test
