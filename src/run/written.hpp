// A number that lies on the lanes of a listing: templates that compute with it write what they compute.
#pragma once

#include "code/listing.hpp"

namespace rattleback {

class Written {
  public:
    // Where constants are written as long as this exists, in its thread.
    class Into {
      public:
        explicit Into(code::Listing& listing) { into_ = &listing; }
        ~Into() { into_ = nullptr; }
        Into(const Into&) = delete;
        Into& operator=(const Into&) = delete;
    };
    Written(double x) : number_(code::number(*into_, x)) {} // NOLINT: numbers mix with it
    explicit Written(const code::Number& number) : number_(number) {}
    const code::Number& number() const { return number_; }

    friend Written operator+(const Written& x, const Written& y) { return Written(x.number_ + y.number_); }
    friend Written operator-(const Written& x, const Written& y) { return Written(x.number_ - y.number_); }
    friend Written operator*(const Written& x, const Written& y) { return Written(x.number_ * y.number_); }
    friend Written operator/(const Written& x, const Written& y) { return Written(x.number_ / y.number_); }
    friend code::Mask operator<(const Written& x, const Written& y) { return x.number_ < y.number_; }
    friend Written select(const code::Mask& m, const Written& x, const Written& y) {
        return Written(code::select(m, x.number_, y.number_));
    }
    friend Written larger(const Written& x, const Written& y) { return select(x < y, y, x); }
    friend Written magnitude(const Written& x) { return Written(code::magnitude(x.number_)); }
    friend Written root(const Written& x) { return Written(code::root(x.number_)); }

  private:
    static thread_local code::Listing* into_;
    code::Number number_;
};
inline thread_local code::Listing* Written::into_ = nullptr;

} // namespace rattleback
