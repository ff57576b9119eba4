// TOML strings: where one ends, what it says, and which bytes of the file said it.
#pragma once

#include "source.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback::model {

// A stretch of a decoded string and the bytes it was written as. Of equal size: verbatim, byte for byte. Otherwise one
// escape, or a line break of two bytes that reads as one.
struct Piece {
    std::uint32_t text = 0; // where it begins in the decoded string
    std::uint32_t text_bytes = 0;
    std::uint32_t raw = 0; // where it begins in the raw string, quotes included
    std::uint32_t raw_bytes = 0;
};

inline bool is_quote(char c) { return c == '"' || c == '\''; }

// One past the closing quote of the string whose opening quote is at `begin`; nothing if it is not closed, which for
// strings of one quote means on its line.
std::optional<std::size_t> end_of_string(std::string_view text, std::size_t begin);

// Both take a whole string that is legal TOML, with its quotes.
std::optional<std::string_view> verbatim(std::string_view raw); // the content, if it says exactly what is written
std::string decode(std::string_view raw, std::vector<Piece>* pieces = nullptr);

// The raw bytes that wrote the decoded bytes [begin, end).
Range raw_range(const std::vector<Piece>& pieces, std::string_view raw, std::size_t begin, std::size_t end);

} // namespace rattleback::model
