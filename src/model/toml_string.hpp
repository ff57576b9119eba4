// TOML strings: what one says, and which bytes of the file said it.
#pragma once

#include "source.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace rattleback::model {

inline bool is_quote(char c) { return c == '"' || c == '\''; }

inline bool is_multi_line(std::string_view text, std::size_t begin) { // a string that begins there
    const std::string_view three = text.substr(begin, 3);
    return three == "\"\"\"" || three == "'''";
}

// All take a whole string that is legal TOML, with its quotes.
std::optional<std::string_view> verbatim(std::string_view raw); // the content, if it says exactly what is written
std::string decode(std::string_view raw);

// The raw bytes that wrote the decoded bytes [begin, end). Walks over the whole string: for messages.
Range raw_range(std::string_view raw, std::size_t begin, std::size_t end);

} // namespace rattleback::model
