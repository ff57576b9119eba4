// Names: what is one, which of them a formula uses, in which order they can be understood; and lists of them for
// people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expr/syntax.hpp"

namespace rattleback::model {

bool is_name(std::string_view s); // that a formula can read

// Names that a formula takes from outside: those of its functions and of the indices of its sums are not among them.
std::vector<std::string> free_names(const syntax::Tree& tree);

// Things that use each other by name, in an order in which each comes after those it uses.
struct Order {
    std::vector<std::size_t> places;
    std::string circle;        // if there is none: "a -> b -> a"
    std::size_t in_circle = 0; // and its first member
};
Order order_of_use(const std::vector<std::string>& names, const std::vector<std::vector<std::string>>& uses);

std::string grouped(long long number);                                            // 20,000,000
std::string list_of(const std::vector<std::string>& names, std::size_t most = 6); // "a, b, c, ..."
// What to write instead: the name most like this one, or the list of all.
std::string suggestion(std::string_view name, const std::vector<std::string>& known, const std::string& else_list);
std::string count_of(std::size_t n, const std::string& thing, const std::string& things = {}); // "1 value", "2 values"

} // namespace rattleback::model
