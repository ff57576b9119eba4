// What a text must be before toml++ sees it.
//
// toml++ 3.3 aborts on some wrong files, overflows the stack on deeply nested ones, and takes quadratic time or
// gigabytes for some legal ones. The gate is one pass over the text that refuses all of these, with a place and a
// remedy. What it lets through, toml++ reads or rejects in about linear time.
#pragma once

#include "source.hpp"

#include <cstddef>
#include <vector>

namespace rattleback::model {

struct Limits {
    static constexpr std::size_t depth = 64;         // brackets and dots around a value
    static constexpr std::size_t number = 120;       // characters: toml++ looks back 127 at most
    static constexpr std::size_t tables = 50'000;    // headers and dots in keys: toml++ searches them one by one
    static constexpr std::size_t values = 2'000'000; // about 200 bytes of memory each while reading
};

// A key or a header as it stands in the file, in order.
struct Mention {
    Range range; // [name] with its brackets, or a key up to its '='
    bool header = false;
    bool top = false; // not inside an inline table
};

// Throws ModelError. If asked, notes every key and header on the way.
void pass_gate(const Source& source, std::vector<Mention>* mentions = nullptr);

} // namespace rattleback::model
