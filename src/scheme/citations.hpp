// The papers that methods are from.
#pragma once

#include <span>
#include <string_view>

namespace rattleback {

struct Citation {
    std::string_view key, authors, title, where;
    int year;
};
std::span<const Citation> citations();
const Citation* find_citation(std::string_view key);

} // namespace rattleback
