// How a computation went, and matrices of its results.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace rattleback {

// How a computation went. Never just "failed": what, when, which equation, what to try.
struct Report {
    enum Status { finished, newton_failed, singular, not_finite, interrupted, stopped };
    Status status = finished;
    std::string what;    // one sentence
    std::string culprit; // the equation, unknown, constraint or sub-formula
    std::string remedy;  // what to try
    long long step = 0;  // the step in which it happened (0: the start)
    double time = 0;
    long long newton_iterations = 0, newton_solves = 0, fallbacks = 0;
    // Of a step with a generating function S and forces alpha: det(D12 S - d alpha_0/d q1), without which p0 does not
    // determine q1. Of every step; a change of sign from one to the next counts as 0.
    struct Regularity {
        double start = 0, smallest = 0, time = 0, end = 0; // time: of the smallest; end: of the last step taken
    };
    std::optional<Regularity> regularity = {};

    bool ok() const { return status == finished; }
    // Takes over how another computation ended; where this one is and what it has counted stays.
    void fail(const Report& other) {
        status = other.status, what = other.what, culprit = other.culprit, remedy = other.remedy;
    }
    std::string text() const; // the whole message, one or more lines
};

template <class T> struct Matrix {
    std::size_t rows = 0, columns = 0;
    std::vector<T> entries; // row-major
    Matrix() = default;
    Matrix(std::size_t r, std::size_t c) : rows(r), columns(c), entries(r * c, T(0)) {}
    T& operator()(std::size_t i, std::size_t j) { return entries[i * columns + j]; }
    const T& operator()(std::size_t i, std::size_t j) const { return entries[i * columns + j]; }
};

} // namespace rattleback
