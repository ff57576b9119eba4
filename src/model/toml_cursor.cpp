#include "toml_cursor.hpp"

#include <charconv>

namespace rattleback::model {

Range TomlCursor::word_here() const {
    std::size_t end = at_;
    while (end < text_.size() && !ends_word(text_[end])) ++end;
    return {at_, std::max(end, at_ + 1)};
}

void TomlCursor::refuse(const std::string& expected, std::string_view remedy) const {
    const char c = peek();
    if (ends_line(c) && !open_.empty()) refuse_unclosed();
    if (static_cast<unsigned char>(c) >= 0x80) refuse_letter();
    if (c == ']' || c == '}') refuse_closing(c);
    const std::string saw = ends_line(c) ? "the end of the line" : quoted(text_.substr(at_, 1));
    fail(word_here(), "expected " + expected + ", saw " + saw, remedy);
}

void TomlCursor::refuse_after_value(const std::string& expected) const {
    if (peek() == '=') fail({at_, at_ + 1}, "'=' inside a value", in_quotes);
    if (is_digit(peek()))
        fail(word_here(), "two values with nothing between them", "separate the values of an array with ','");
    refuse(expected, in_quotes);
}

void TomlCursor::refuse_unclosed() const {
    const std::size_t begin = open_.back();
    const bool table = text_[begin] == '{', header = begin == header_;
    fail({begin, begin + 1},
         quoted(text_.substr(begin, 1)) + " is not closed" + (header || table ? " on its line" : ""),
         table    ? "an inline table stays on one line; longer ones are written as [name]"
         : header ? write_header
                  : "add the closing ']'");
}

void TomlCursor::refuse_closing(char c) const {
    const Range here{at_, at_ + 1};
    if (open_.empty()) fail(here, quoted(view(here)) + " closes nothing");
    const char opened = text_[open_.back()], wanted = opened == '[' ? ']' : '}';
    if (c == wanted) fail(here, "expected a value, saw " + quoted(view(here)));
    fail(here, std::string("expected '") + wanted + "', saw '" + c + "'",
         std::string("the '") + opened + "' of line " + std::to_string(source_.place_of(open_.back()).line) +
             " is still open");
}

void TomlCursor::refuse_letter() const {
    const Range letter{at_, at_ + code_point_at(text_, at_).bytes};
    fail(letter, quoted(view(letter)) + " is not allowed outside quotes", "put names, text and formulas in quotes");
}

void TomlCursor::check_end_of_word(std::size_t begin) const {
    if (!is_one_of(peek(), "\"'[{")) return;
    const std::string word = quoted(view({begin, at_}));
    const std::string rule = "names with other characters than letters, digits, '_' and '-' stand in quotes: ";
    if (is_quote(peek())) fail({begin, at_ + 1}, "a quote right after " + word, rule + "\"x'\"");
    fail({begin, at_ + 1}, "a bracket right after " + word, rule + "\"x[1]\"");
}

std::string_view TomlCursor::string() {
    const std::size_t begin = at_;
    const bool lines = is_multi_line(text_, at_);
    at_ += lines ? 3 : 1;
    while (!at_end_of_string(begin, lines)) {
        if (at_ >= text_.size() || (peek() == '\n' && !lines)) {
            const std::size_t shown = lines ? begin + 3 : std::min(text_.find('\n', begin), text_.size());
            fail({begin, shown}, "the string is not closed",
                 "add the closing " + std::string(lines ? 3 : 1, text_[begin]));
        }
        at_ += peek() == '\\' && text_[begin] == '"' ? escape(lines) : 1;
    }
    if (!is_one_of(peek(), " \t\r\n#,=]}."))
        fail({at_, at_ + 1}, "text right after a string", "formulas with primes stand in double quotes: \"m/2*x'^2\"");
    return view({begin, at_});
}

// Passes over the closing quotes. Of three to five quotes in a row the last three close.
bool TomlCursor::at_end_of_string(std::size_t begin, bool lines) {
    std::size_t run = 0;
    while (run < (lines ? 5u : 1u) && text_.substr(at_ + run, 1) == text_.substr(begin, 1)) ++run;
    at_ += lines && run < 3 ? 0 : run;
    return run >= (lines ? 3u : 1u);
}

std::size_t TomlCursor::escape(bool lines) {
    constexpr std::string_view remedy = "write \\\\ for a backslash, or put the text in '...'";
    if (at_ + 1 == text_.size()) return 1;
    const char c = text_[at_ + 1];
    if (ends_line(c) && !lines) return 1; // the string is not closed
    if (is_one_of(c, "btnfr\"\\")) return 2;
    if (lines && is_one_of(c, " \t\r\n")) {
        const std::size_t next = text_.find_first_not_of(" \t\r", at_ + 1);
        if (next != std::string_view::npos && text_[next] != '\n')
            fail({at_, next + 1}, "text after the backslash that joins two lines",
                 "write \\\\ for a backslash, or put the text in '''...'''");
        return 2;
    }
    const std::size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0, backslash = at_++;
    const Range shown{backslash, word_here().end};
    if (digits == 0) fail(shown, "unknown escape sequence " + quoted(text_.substr(backslash, 2)), remedy);
    const std::string_view hex = text_.substr(at_ + 1, digits);
    std::uint32_t scalar = 0;
    const auto read = std::from_chars(hex.data(), hex.data() + hex.size(), scalar, 16);
    if (hex.size() < digits || read.ptr != hex.data() + digits)
        fail(shown, "expected a hexadecimal digit",
             c == 'u' ? "write \\uXXXX with four digits" : "write \\UXXXXXXXX with eight digits");
    if (scalar > 0x10FFFF || (scalar >= 0xD800 && scalar <= 0xDFFF)) fail(shown, "there is no such character");
    at_ = backslash;
    return digits + 2;
}

} // namespace rattleback::model
