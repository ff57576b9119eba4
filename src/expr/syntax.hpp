// The syntax of one formula: text in, flat tree out. What the names mean is decided later.
//
//     formula   = or [ "for" name "in" or ".." or [ "," name "in" or ".." or ] ]
//     or        = and { "or" and }                     and     = compare { "and" compare }
//     compare   = sum [ ( < | <= | > | >= | == | != ) sum ]      not chained
//     sum       = product { ( + | - ) product }        product = unary { ( * | / ) unary }
//     unary     = ( - | + ) unary | power              power   = postfix [ ^ unary ]
//     postfix   = primary { ' } [ "[" or [ "," or ] "]" ]           indexed like this: calls and brackets, and members
//                                                                   x[i] of families of matrices, by two indices
//     primary   = number | name | name "[" or [ "," or ] "]" | name "(" or { "," or } ")" | "(" or ")"
//               | "[" or { "," or } "]" | "sum" "(" range { "," range } ":" or ")"
//     range     = name "in" or ".." or
//
// So -x^2 = -(x^2), 2^-3 = 2^(-3), a^b^c = a^(b^c). Plus signs in front and brackets leave no node. Nothing here
// recurses: depth costs heap, never stack, and time is linear in the length of the text.
#pragma once

#include "expr/graph.hpp"
#include "expr/growing.hpp"
#include "expr/real_functions.hpp"
#include <rattleback/error.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback::syntax {

inline constexpr std::uint32_t longest_text = 16u << 20; // bytes (16 MiB); a longer formula is refused

enum class Kind : std::uint8_t { Number, Name, Prime, Index, Entry, Call, Minus, Binary, Compare, And, Or, List, Sum };

enum class Op : std::uint8_t { // loosest first
    None,
    Or,
    And,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power
};

struct Range { // bytes [begin, end) of the text
    std::uint32_t begin = 0, end = 0;
    bool operator==(const Range&) const = default;
};

struct Node {
    std::uint32_t begin = 0, end = 0; // its text, without brackets around it
    std::uint32_t name = 0;           // Name; Index and Call: what is indexed or called; Sum: the bound name; Number
    std::uint32_t first =
        0; // Tree::children[first .. first + count); of a Sum: lo, hi, body; of an Entry: the value first
    std::uint32_t count : 24 = 0;
    Kind kind : 4 = Kind::Number;
    Op op : 4 = Op::None; // Binary, Compare, And, Or
};
static_assert(sizeof(Node) == 20); // a sum of a million terms has six million of them
static_assert(longest_text <= 1u << 24, "a node has fewer children than the text has bytes");

struct Loop { // "for name in lo..hi", at the end of the text
    std::uint32_t name = 0, name_begin = 0;
    std::uint32_t lo = 0, hi = 0;     // nodes
    std::uint32_t begin = 0, end = 0; // from "for" on
};

struct Tree {
    std::string text;
    Growing<Node> nodes; // children before parents, the root last, the bounds of the loop first
    Growing<std::uint32_t> children;
    std::vector<std::string> names; // each once
    Growing<quad> numbers;
    std::optional<Loop> loop, inner; // for i in 1..n, j in 1..m: inner is that of j

    std::uint32_t root() const { return static_cast<std::uint32_t>(nodes.size()) - 1; }
    std::span<const std::uint32_t> children_of(const Node& n) const { return {children.data() + n.first, n.count}; }
    const Node& child(const Node& n, std::uint32_t k) const { return nodes[children[n.first + k]]; }
    std::string_view text_of(const Node& n) const { return std::string_view(text).substr(n.begin, n.end - n.begin); }
    const std::string& name_of(const Node& n) const { return names[n.name]; }
    quad number_of(const Node& n) const { return n.kind == Kind::Number ? numbers[n.name] : 0; }
    Range name_range(const Node& n) const { // of a Name, an Index or a Call
        return {n.begin, n.begin + static_cast<std::uint32_t>(names[n.name].size())};
    }
};

Tree parse(std::string text); // throws SyntaxError, at the first error in the text

enum class Fault : std::uint8_t { // everything that can be wrong with a formula
#define FAULT(name, message, remedy) name,
#include "faults.def"
#undef FAULT
};

struct SyntaxError : Error {
    SyntaxError(Fault what_is_wrong, Range where, std::string_view text0 = {}, std::string_view text1 = {});

    Fault fault;
    std::uint32_t begin, end; // the bytes in question
    std::string remedy;
};

} // namespace rattleback::syntax
