// A place in the text of a TOML file: how to pass over blanks and strings, and how to complain about what stands there.
#pragma once

#include "source.hpp"
#include "toml_string.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback::model {

inline constexpr std::string_view in_quotes = "formulas and text stand in quotes: \"...\"";
inline constexpr std::string_view write_header = "write the header as [name]";

inline bool is_one_of(char c, std::string_view characters) { return characters.find(c) != std::string_view::npos; }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_bare(char c) { // may stand in a name without quotes
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}
inline bool ends_line(char c) { return c == '\n' || c == '\r'; }
inline bool ends_value(char c) { return is_one_of(c, "\r\n,]}#"); }
inline bool ends_word(char c) { return ends_value(c) || is_one_of(c, " \t\"'[{="); }

inline std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

class TomlCursor {
  protected:
    explicit TomlCursor(const Source& source) : source_(source), text_(source.text()) {}

    char peek() const { return at_ < text_.size() ? text_[at_] : '\n'; } // a file ends like a line
    void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size()); }
    void skip_lines() { // and comments
        for (;;) {
            at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
            if (peek() != '#') return;
            at_ = std::min(text_.find('\n', at_), text_.size());
        }
    }
    std::string_view view(Range range) const { return text_.substr(range.begin, range.end - range.begin); }

    // Passes over a string and returns it with its quotes.
    std::string_view string();

    [[noreturn]] void fail(Range range, const std::string& message, std::string_view remedy = {}) const {
        throw ModelError(source_, range, message, remedy);
    }
    // What stands here is not what was expected.
    [[noreturn]] void refuse(const std::string& expected, std::string_view remedy = {}) const;
    [[noreturn]] void refuse_after_value(const std::string& expected) const;
    [[noreturn]] void refuse_unclosed() const;       // the last bracket of open_
    [[noreturn]] void refuse_letter() const;         // outside ASCII
    void check_end_of_word(std::size_t begin) const; // no quote or bracket right behind it

    const Source& source_;
    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<std::size_t> open_;               // brackets that are not closed yet
    std::size_t header_ = std::string_view::npos; // where the last header begins

  private:
    Range word_here() const; // one character at least
    [[noreturn]] void refuse_closing(char c) const;
    bool at_end_of_string(std::size_t begin, bool lines);
    std::size_t escape(bool lines); // the length of the one that begins here
};

} // namespace rattleback::model
