#include "lexer.hpp"
#include "expr/graph.hpp"
#include "expr/nearest.hpp"
#include "expr/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace rattleback::syntax {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// Characters that would not be seen, or would act on a terminal.
bool is_invisible(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0xAD || (c >= 0x2000 && c <= 0x200F) ||
           (c >= 0x2028 && c <= 0x202F) || (c >= 0x205F && c <= 0x206F) || c == 0x3000 || c == 0xFEFF || c >= 0xE0000;
}

// Ranges of characters that people paste (typographic minus signs, Greek letters, ...), and what to write instead.
struct Hint {
    char32_t first, last;
    std::string_view write;
};
constexpr Hint hints[] = {
    {'`', '`', "the apostrophe '"},
    {'{', '{', "'('"},
    {'}', '}', "')'"},
    {0xA0, 0xA0, "a plain space"},
    {0xB2, 0xB2, "'^2'"},
    {0xB3, 0xB3, "'^3'"},
    {0xB4, 0xB4, "the apostrophe '"},
    {0xB7, 0xB7, "'*'"},
    {0xD7, 0xD7, "'*'"},
    {0xF7, 0xF7, "'/'"},
    {0x2B9, 0x2BC, "the apostrophe '"},
    {0x3C0, 0x3C0, "'pi'"},
    {0x391, 0x3F5, "the letter's name, for example theta"},
    {0x2000, 0x200B, "a plain space"},
    {0x2010, 0x2015, "'-'"},
    {0x2018, 0x201B, "the apostrophe '"},
    {0x2022, 0x2022, "'*'"},
    {0x2026, 0x2026, "'..'"},
    {0x202F, 0x202F, "a plain space"},
    {0x2032, 0x2032, "the apostrophe '"},
    {0x2044, 0x2044, "'/'"},
    {0x2211, 0x2211, "sum(i in 1..n: ...)"},
    {0x2212, 0x2212, "'-'"},
    {0x2215, 0x2215, "'/'"},
    {0x2217, 0x2219, "'*'"},
    {0x221A, 0x221A, "sqrt(x)"},
    {0x2227, 0x2227, "'and'"},
    {0x2228, 0x2228, "'or'"},
    {0x2260, 0x2260, "'!='"},
    {0x2264, 0x2264, "'<='"},
    {0x2265, 0x2265, "'>='"},
    {0x22C5, 0x22C5, "'*'"},
};

struct Foreign {
    std::string_view written, write;
    Fault fault;
};
constexpr Foreign foreign_operators[] = {
    // longer ones before their prefixes
    {"===", "==", Fault::ForeignOperator}, {"!==", "!=", Fault::ForeignOperator}, {"=<", "<=", Fault::ForeignOperator},
    {"=>", ">=", Fault::ForeignOperator},  {"<>", "!=", Fault::ForeignOperator},  {"**", "^", Fault::ForeignOperator},
    {"&&", "and", Fault::ForeignLogic},    {"||", "or", Fault::ForeignLogic},     {"&", "and", Fault::ForeignLogic},
    {"|", "or", Fault::ForeignLogic},
};

} // namespace

Token Lexer::token(Token::Kind kind, std::uint32_t length, Op op) {
    const std::uint32_t begin = here_;
    here_ += length;
    return {kind, op, begin, here_};
}

Token Lexer::next() {
    using enum Token::Kind;
    while (here_ < text_.size() && (at(here_) == ' ' || at(here_) == '\t' || at(here_) == '\n' || at(here_) == '\r'))
        ++here_;
    if (here_ == text_.size()) return token(End, 0);
    const char c = at(here_);
    if (is_letter(c)) return word();
    if (is_digit(c) || (c == '.' && is_digit(at(here_ + 1)))) return token(Number, number_end() - here_);
    return sign();
}

Token Lexer::word() {
    using enum Token::Kind;
    std::uint32_t end = here_;
    while (is_letter(at(end)) || is_digit(at(end))) ++end;
    const std::uint32_t length = end - here_;
    const std::string_view name = text_.substr(here_, length);
    if (at(end) == '.' && is_letter(at(end + 1))) refuse_attribute(end);
    if (name == "and") return token(Infix, length, Op::And);
    if (name == "or") return token(Infix, length, Op::Or);
    if (name == "in") return token(In, length);
    if (name == "for") return token(For, length);
    return token(Name, length);
}

// np.cos, math.pi, theta.dot: a name with a dot in it, up to `dot`.
void Lexer::refuse_attribute(std::uint32_t dot) const {
    std::uint32_t end = dot + 1;
    while (is_letter(at(end)) || is_digit(at(end))) ++end;
    const std::string_view what = text_.substr(dot + 1, end - dot - 1);
    const bool rate = what == "dot" || what == "diff";
    throw SyntaxError(Fault::ForeignName, {here_, end}, text_.substr(here_, end - here_),
                      rate ? std::string(text_.substr(here_, dot - here_)) + "'" : std::string(usual_name(what)));
}

std::uint32_t Lexer::digits_end(std::uint32_t k) const {
    while (is_digit(at(k))) ++k;
    return k;
}

// NOTE: the dots of 1..n are a range, so a dot before a dot is no part of the number; and 2exp(x) lacks a '*' rather
// than digits of an exponent.
std::uint32_t Lexer::number_end() const {
    std::uint32_t end = digits_end(here_);
    if (at(end) == '.' && at(end + 1) != '.') end = digits_end(end + 1);
    bool bad = at(end) == '.' && at(end + 1) != '.'; // 1.2.3
    if (at(end) == 'e' || at(end) == 'E') {
        const std::uint32_t exponent = end + (at(end + 1) == '+' || at(end + 1) == '-' ? 2 : 1);
        if (is_digit(at(exponent))) {
            end = digits_end(exponent);
            bad = at(end) == '.' && at(end + 1) != '.';
        } else if (exponent == end + 2 || !is_letter(at(exponent))) {
            end = exponent;
            bad = true;
        }
    }
    const bool hexadecimal = end == here_ + 1 && at(here_) == '0' && (at(end) == 'x' || at(end) == 'X');
    bad = bad || (hexadecimal && is_digit(at(end + 1))) || at(end) == '_';
    if (!bad) return end;
    while (is_letter(at(end)) || is_digit(at(end)) || (at(end) == '.' && at(end + 1) != '.')) ++end;
    throw SyntaxError(Fault::BadNumber, {here_, end}, text_.substr(here_, end - here_));
}

Token Lexer::sign() {
    using enum Token::Kind;
    refuse_foreign_operator();
    const bool equals = at(here_ + 1) == '=';
    switch (at(here_)) {
    case '+': return token(Infix, 1, Op::Add);
    case '-': return token(Infix, 1, Op::Subtract);
    case '*': return token(Infix, 1, Op::Multiply);
    case '/': return token(Infix, 1, Op::Divide);
    case '^': return token(Infix, 1, Op::Power);
    case '<': return equals ? token(Infix, 2, Op::LessEqual) : token(Infix, 1, Op::Less);
    case '>': return equals ? token(Infix, 2, Op::GreaterEqual) : token(Infix, 1, Op::Greater);
    case '=':
        if (equals) return token(Infix, 2, Op::Equal);
        throw SyntaxError(Fault::AssignmentSign, {here_, here_ + 1});
    case '!':
        if (equals) return token(Infix, 2, Op::NotEqual);
        throw SyntaxError(Fault::Negation, {here_, here_ + 1}, "!");
    case '\'': return token(Prime, 1);
    case '(': return token(Open, 1);
    case ')': return token(Close, 1);
    case '[': return token(OpenList, 1);
    case ']': return token(CloseList, 1);
    case ',': return token(Comma, 1);
    case ':': return token(Colon, 1);
    case '?': throw SyntaxError(Fault::QuestionMark, {here_, here_ + 1});
    case '.':
        if (at(here_ + 1) == '.') return token(Dots, 2);
        throw SyntaxError(Fault::Unexpected, {here_, here_ + 1}, ".");
    default: refuse_character();
    }
}

void Lexer::refuse_foreign_operator() const {
    if (std::string_view("=!<*&|").find(at(here_)) == std::string_view::npos) return; // none of them begins like this
    const std::string_view rest = text_.substr(here_);
    for (const Foreign& f : foreign_operators)
        if (rest.starts_with(f.written))
            throw SyntaxError(f.fault, {here_, here_ + static_cast<std::uint32_t>(f.written.size())}, f.written,
                              f.write);
}

void Lexer::refuse_character() const {
    const CodePoint c = code_point_at(text_, here_);
    std::string shown_as(text_.substr(here_, c.bytes));
    std::array<char, 16> code{};
    if (!c.valid || c.value < 0x20 || c.value == 0x7F)
        std::snprintf(code.data(), code.size(), "\\x%02X",
                      static_cast<unsigned>(static_cast<unsigned char>(at(here_))));
    else if (is_invisible(c.value))
        std::snprintf(code.data(), code.size(), "U+%04X", static_cast<unsigned>(c.value));
    if (code[0] != '\0') shown_as = code.data();
    const auto* hint = std::find_if(std::begin(hints), std::end(hints),
                                    [&](const Hint& h) { return c.valid && c.value >= h.first && c.value <= h.last; });
    const bool known = hint != std::end(hints);
    throw SyntaxError(known ? Fault::ForeignCharacter : Fault::UnknownCharacter,
                      {here_, here_ + static_cast<std::uint32_t>(c.bytes)}, shown_as,
                      known ? hint->write : std::string_view{});
}

quad Lexer::value(const Token& number) const {
    const std::string_view written = text_of(number);
    if (written.size() < 19 && std::all_of(written.begin(), written.end(), is_digit)) { // as most numbers are
        std::int64_t whole = 0;
        for (char c : written) whole = 10 * whole + (c - '0');
        return static_cast<quad>(whole);
    }
    const std::string digits(written);
    const quad x = real::parse(digits.c_str());
    if (!real::is_finite(x)) throw SyntaxError(Fault::NumberTooLarge, {number.begin, number.end});
    const std::string_view mantissa = std::string_view(digits).substr(0, digits.find_first_of("eE"));
    if (x == 0 && mantissa.find_first_of("123456789") != std::string_view::npos)
        throw SyntaxError(Fault::NumberTooSmall, {number.begin, number.end});
    return x;
}

} // namespace rattleback::syntax
