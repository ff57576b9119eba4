// Formula text to tokens, one at a time.
#pragma once

#include "expr/graph.hpp"
#include "syntax.hpp"

namespace rattleback::syntax {

struct Token {
    enum class Kind : std::uint8_t {
        Start, // before the first one
        End,
        Number,
        Name,
        Infix,
        Prime,
        Open, // (
        Close,
        OpenList, // [
        CloseList,
        Comma,
        Colon,
        Dots, // ..
        In,
        For
    };
    Kind kind = Kind::Start;
    Op op = Op::None; // Infix
    std::uint32_t begin = 0, end = 0;
};

class Lexer {
  public:
    explicit Lexer(std::string_view text) : text_(text) {}

    Token next();
    std::string_view text_of(const Token& t) const { return text_.substr(t.begin, t.end - t.begin); }
    quad value(const Token& number) const;

  private:
    char at(std::size_t k) const { return k < text_.size() ? text_[k] : '\0'; }
    std::uint32_t digits_end(std::uint32_t k) const; // past the digits from k on
    std::uint32_t number_end() const;
    Token token(Token::Kind kind, std::uint32_t length, Op op = Op::None);
    Token word();
    Token sign();
    [[noreturn]] void refuse_attribute(std::uint32_t dot) const;
    void refuse_foreign_operator() const;
    [[noreturn]] void refuse_character() const;

    std::string_view text_;
    std::uint32_t here_ = 0;
};

} // namespace rattleback::syntax
