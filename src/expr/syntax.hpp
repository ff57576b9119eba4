// The syntax of one formula: text in, flat tree out. What the names mean is decided later.
//
//     formula   = or [ "for" name "in" or ".." or ]
//     or        = and { "or" and }                     and     = compare { "and" compare }
//     compare   = sum [ ( < | <= | > | >= | == | != ) sum ]      not chained
//     sum       = product { ( + | - ) product }        product = unary { ( * | / ) unary }
//     unary     = ( - | + ) unary | power              power   = postfix [ ^ unary ]
//     postfix   = primary { ' }
//     primary   = number | name | name "[" or [ "," or ] "]" | name "(" or { "," or } ")" | "(" or ")"
//               | "[" or { "," or } "]" | "sum" "(" name "in" or ".." or ":" or ")"
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

enum class Kind : std::uint8_t { Number, Name, Prime, Index, Call, Minus, Binary, Compare, And, Or, List, Sum };

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
    std::uint32_t first = 0;          // Tree::children[first .. first + count); of a Sum: lo, hi, body
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
    std::optional<Loop> loop;

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

Tree parse(std::string text);          // throws SyntaxError, at the first error in the text
std::string to_text(const Tree& tree); // one form for each tree, all brackets written, which parses to the same tree
std::string_view spelling(Op op);      // "+", "<=", "and"

// Everything that can be wrong with a formula.
enum class Fault : std::uint8_t {
    TooLong,
    Empty,
    UnknownCharacter,
    ForeignCharacter,
    AssignmentSign,
    ForeignOperator,
    ForeignLogic,
    Negation,
    BadNumber,
    NumberTooLarge,
    NumberTooSmall,
    ValueAfter,
    ValueBefore,
    PrimeAlone,
    MissingClose,
    WrongClose,
    Unexpected,
    MissingOperator,
    IndexOfValue,
    TooManyIndices,
    EmptyIndex,
    EmptyList,
    NeedsArgument,
    ChainedComparison,
    RangeElsewhere,
    RangeMissing,
    ColonMissing,
    InElsewhere,
    ForInside,
    ForTwice,
    LoopName,
    LoopIn
};

struct FaultText {
    Fault fault;
    std::string_view message, remedy; // {0} and {1} stand for the texts in question
};

inline constexpr FaultText fault_texts[] = {
    // in the order of Fault
    {Fault::TooLong, "the formula is longer than 16 MiB", "name its parts, or write sum(i in 1..n: ...)"},
    {Fault::Empty, "empty formula", "write a value, for example 0"},
    {Fault::UnknownCharacter, "unknown character '{0}'", "names are made of A-Z, a-z, 0-9 and _"},
    {Fault::ForeignCharacter, "unknown character '{0}'", "write {1}"},
    {Fault::AssignmentSign, "'=' is not a comparison: write '=='", "an equation a = b is written a - b"},
    {Fault::ForeignOperator, "'{0}' is not an operator: write '{1}'", "operators are + - * / ^ < <= > >= == != and or"},
    {Fault::ForeignLogic, "'{0}' is not known: write '{1}'", "operators are + - * / ^ < <= > >= == != and or"},
    {Fault::Negation, "'{0}' is not known: write the opposite comparison", "a >= b is the opposite of a < b"},
    {Fault::BadNumber, "number '{0}' is malformed", "write it like 2, 0.5 or 1e-3"},
    {Fault::NumberTooLarge, "number is too large", "the largest number is about 1.18e4932"},
    {Fault::NumberTooSmall, "number is too small", "the smallest number above 0 is about 6.5e-4966"},
    {Fault::ValueAfter, "expected a value after '{0}'",
     "write a number, a name or a bracket there; and, or, in, for are no names"},
    {Fault::ValueBefore, "expected a value before '{0}'",
     "write a number, a name or a bracket there; and, or, in, for are no names"},
    {Fault::PrimeAlone, "a prime needs a name in front of it", "write x' for the velocity of x"},
    {Fault::MissingClose, "'{0}' is missing for this '{1}'", "add the '{0}'"},
    {Fault::WrongClose, "'{0}' does not close '{1}'", "close every bracket with its like"},
    {Fault::Unexpected, "unexpected '{0}'", "remove it, or add what belongs in front of it"},
    {Fault::MissingOperator, "an operator is missing before '{0}': write '*' for a product", "write 2*x, not 2x"},
    {Fault::IndexOfValue, "only a name can be indexed", "write x[i]', not x'[i]; A[i, j], not A[i][j]"},
    {Fault::TooManyIndices, "an index has at most two parts", "write x[i] or A[i, j]"},
    {Fault::EmptyIndex, "'{0}' needs an index", "write {0}[1]"},
    {Fault::EmptyList, "empty list", "write the components: [a, b]"},
    {Fault::NeedsArgument, "'{0}' needs an argument", "write {0}(x)"},
    {Fault::ChainedComparison, "comparisons cannot be chained: use 'and'", "write a < b and b < c"},
    {Fault::RangeElsewhere, "unexpected '..'", "ranges are for sum(i in 1..n: ...) and for i in 1..n"},
    {Fault::RangeMissing, "expected '..' after this lower bound", "write the range as 1..n"},
    {Fault::ColonMissing, "expected ':' before '{0}'", "write sum(i in 1..n: ...), and put sums inside sums"},
    {Fault::InElsewhere, "unexpected 'in'", "a name and 'in' begin a sum(i in 1..n: ...) or follow 'for'"},
    {Fault::ForInside, "'for' must end the whole formula", "inside a formula write sum(i in 1..n: ...)"},
    {Fault::ForTwice, "only one 'for' is allowed", "give each index its own formulas"},
    {Fault::LoopName, "expected a name after 'for'", "write for i in 1..n"},
    {Fault::LoopIn, "expected 'in' after 'for {0}'", "write for {0} in 1..n"},
};

struct SyntaxError : Error {
    SyntaxError(Fault what_is_wrong, Range where, std::string_view text0 = {}, std::string_view text1 = {});

    Fault fault;
    std::uint32_t begin, end; // the bytes in question
    std::string remedy;
};

} // namespace rattleback::syntax
