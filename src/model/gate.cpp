#include "gate.hpp"

#include "toml_string.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace rattleback::model {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_bare(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-'; }
bool ends_word(char c) { return std::string_view(" \t\r\n#\"'[]{},=").find(c) != std::string_view::npos; }

std::string quoted(std::string_view text) { return "'" + std::string(text) + "'"; }

std::string code(unsigned value) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    return {digits[value >> 4 & 15u], digits[value & 15u]};
}

// Bytes first: size, UTF-8, control characters.
void check_bytes(const Source& source) {
    const std::string_view text = source.text();
    if (text.size() > Source::max_bytes) throw ModelError(source.name(), Source::too_large(text.size()));
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
        throw ModelError(source.name(), "the file is empty", "'rattleback gallery' lists models to start from");
    if (code_point_at(text, 0).value == 0xFEFF) // the first one is gone; toml++ would swallow this one and miscount
        throw ModelError(source, {0, 3}, "a second byte-order mark");
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        const Range here{i, i + 1};
        if (byte >= 0x80) {
            const CodePoint c = code_point_at(text, i);
            if (!c.valid)
                throw ModelError(source, here, "byte 0x" + code(byte) + " is not UTF-8", "save the file as UTF-8");
            i += c.bytes - 1;
        } else if (byte == '\r' && text.substr(i + 1, 1) != "\n") {
            throw ModelError(source, here, "carriage return without line feed",
                             "save the file with Unix or Windows line ends");
        } else if (byte == 0x7F || (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r')) {
            throw ModelError(source, here, "control character U+00" + code(byte),
                             "in a string write \"\\u00" + code(byte) + "\"");
        }
    }
}

// Then structure, as far as toml++ depends on it: strings, brackets, keys, numbers.
//
// NOTE: this is not a parser. It agrees with toml++ about where strings and comments are as long as the text is legal,
// and toml++ stops at the first thing that is not.
class Structure {
  public:
    Structure(const Source& source, std::vector<Mention>* mentions)
        : source_(source), text_(source.text()), mentions_(mentions) {}

    void check() {
        while (at_ < text_.size()) step();
        if (!open_.empty()) unclosed(open_.back());
    }

  private:
    struct Open {
        std::size_t at = 0;
        std::size_t depth = 0;
        bool header = false;
    };

    std::string_view view(Range range) const { return text_.substr(range.begin, range.end - range.begin); }

    [[noreturn]] void fail(Range range, const std::string& message, const std::string& remedy = {}) const {
        throw ModelError(source_, range, message, remedy);
    }

    [[noreturn]] void unclosed(const Open& open) const {
        const bool table = text_[open.at] == '{';
        const std::string one_line = "an inline table stays on one line; longer ones are written as [name]";
        fail({open.at, open.at + 1},
             quoted(text_.substr(open.at, 1)) + " is not closed" + (open.header || table ? " on its line" : ""),
             table         ? one_line
             : open.header ? "write the header as [name]"
                           : "add the closing ']'");
    }

    void step() {
        const char c = text_[at_];
        switch (c) {
        case ' ':
        case '\t':
        case '\r': ++at_; return;
        case '\n': line_break(); return;
        case '#': at_ = std::min(text_.find('\n', at_), text_.size()); return;
        case '"':
        case '\'': string(); break;
        case '[':
        case '{': opening(); break;
        case ']':
        case '}': closing(); break;
        case '=': assignment(); break;
        case ',': separator(); break;
        default: word(); break;
        }
        line_start_ = false;
    }

    void line_break() {
        if (!open_.empty() && (open_.back().header || text_[open_.back().at] == '{')) unclosed(open_.back());
        ++at_;
        forget_key();
        line_start_ = open_.empty();
    }

    void forget_key() {
        dots_ = value_dots_ = 0;
        key_ = {};
        in_value_ = false;
    }

    void extend_key(std::size_t begin, std::size_t end) {
        if (key_.end == 0) key_.begin = begin;
        key_.end = end;
    }

    void string() {
        check_touching(at_ + 1);
        const auto end = end_of_string(text_, at_);
        const bool three = text_.substr(at_, 3) == "\"\"\"" || text_.substr(at_, 3) == "'''";
        if (!end) {
            const std::size_t shown = three ? at_ + 3 : std::min(text_.find('\n', at_), text_.size());
            const std::string quote(three ? 3 : 1, text_[at_]);
            fail({at_, shown}, "the string is not closed", "add the closing " + quote);
        }
        extend_key(at_, *end);
        at_ = string_end_ = *end;
    }

    // 'm*x'^2' is a string, a word and half a string.
    void check_touching(std::size_t end) const {
        if (string_end_ == at_ && at_ > 0 && text_[at_] != '.')
            fail({at_, end}, "text right after a string", "formulas with primes stand in double quotes: \"m/2*x'^2\"");
    }

    // A name, a number, a dot, or whatever else stands outside quotes and brackets.
    void word() {
        const std::size_t begin = at_;
        check_touching(begin + 1);
        while (at_ < text_.size() && !ends_word(text_[at_])) {
            if (static_cast<unsigned char>(text_[at_]) >= 0x80) outside_quotes();
            dots_ += text_[at_] == '.' ? 1 : 0;
            ++at_;
        }
        const Range word{begin, at_};
        check_end(word);
        check_number(word);
        check_pair(word);
        extend_key(begin, at_);
    }

    // For toml++ a quote or bracket that follows directly belongs to the word; it is wrong in any case.
    void check_end(Range range) const {
        const std::string_view word = view(range);
        const char next = at_ < text_.size() ? text_[at_] : ' ';
        const std::string rule = "names with other characters than letters, digits, '_' and '-' stand in quotes: ";
        if (is_quote(next) && word.back() != '.')
            fail({range.begin, at_ + 1}, "a quote right after " + quoted(word), rule + "\"x'\"");
        if (next == '[' || next == '{')
            fail({range.begin, at_ + 1}, "a bracket right after " + quoted(word), rule + "\"x[1]\"");
    }

    void check_number(Range range) const {
        const std::string_view word = view(range);
        if (!is_digit(word[0]) && word[0] != '+' && word[0] != '-') return;
        if (word.size() > Limits::number)
            fail(range, "a number has at most " + std::to_string(Limits::number) + " characters");
        // toml++ aborts if no digit follows the T of a date.
        const bool date = word.size() > 10 && word[4] == '-' && word[7] == '-' && (word[10] | 0x20) == 't';
        if (date && (word.size() == 11 || !is_digit(word[11])))
            fail(range, "cannot read the value " + quoted(word), "write dates as 1979-05-27T07:32:00");
    }

    [[noreturn]] void outside_quotes() const {
        const CodePoint c = code_point_at(text_, at_);
        fail({at_, at_ + c.bytes}, quoted(text_.substr(at_, c.bytes)) + " is not allowed outside quotes",
             "put names, text and formulas in quotes");
    }

    // Two numbers with only blanks between are a mistake, save for "2024-05-01 07:32:00": toml++ takes any second digit
    // for a time and aborts if nothing follows it.
    void check_pair(Range word) {
        const std::string_view first = view(last_word_), between = view({last_word_.end, word.begin});
        const bool pair = !first.empty() && is_digit(first[0]) && first.back() != '.' && is_digit(text_[word.begin]) &&
                          std::all_of(between.begin(), between.end(), is_blank);
        const bool date = first.size() == 10 && word.end - word.begin >= 5;
        if (pair && !date)
            fail(word, "two values with nothing between them", "separate the values of an array with ','");
        last_word_ = word;
    }

    void opening() {
        const bool header = line_start_ && text_[at_] == '[';
        if (header) {
            header_name();
        } else {
            const std::size_t depth = (open_.empty() ? table_depth_ : open_.back().depth) + 1 + value_dots_;
            check_depth(depth, {at_, at_ + 1});
            open_.push_back({at_, depth, false});
            ++at_;
        }
        forget_key();
    }

    void header_name() {
        const bool array = text_.substr(at_, 2) == "[[";
        std::size_t name = at_ + (array ? 2 : 1);
        while (name < text_.size() && is_blank(text_[name])) ++name;
        const std::string_view next = text_.substr(name, 1);
        if (next.empty() || next == "\n" || next == "\r") unclosed({at_, 0, true});
        if (!is_bare(next[0]) && !is_quote(next[0]) && next != "]")
            fail({name, name + code_point_at(text_, name).bytes},
                 "expected the name of a table after '[', saw " + quoted(next), "write the header as [name]");
        for (int i = 0; i < (array ? 2 : 1); ++i) open_.push_back({at_++, 0, true});
        table_depth_ = array ? 1 : 0;
        count_tables(1, {open_.front().at, at_});
    }

    void closing() {
        const Range here{at_, at_ + 1};
        const char c = text_[at_];
        if (open_.empty()) fail(here, quoted(text_.substr(at_, 1)) + " closes nothing");
        const Open last = open_.back();
        const char wanted = text_[last.at] == '[' ? ']' : '}';
        if (c != wanted)
            fail(here, std::string("expected '") + wanted + "', saw '" + c + "'",
                 "the " + quoted(text_.substr(last.at, 1)) + " of line " +
                     std::to_string(source_.place_of(last.at).line) + " is still open");
        open_.pop_back();
        ++at_;
        if (last.header && open_.empty()) close_header({last.at, at_});
        forget_key();
    }

    void close_header(Range range) {
        table_depth_ += 1 + dots_;
        check_depth(table_depth_, range);
        count_tables(dots_, range);
        if (mentions_) mentions_->push_back({range, true, true});
    }

    void assignment() {
        if (in_value_ || (!open_.empty() && !open_.back().header && text_[open_.back().at] == '['))
            fail({at_, at_ + 1}, "'=' inside a value", "formulas and text stand in quotes: \"...\"");
        const Range key = key_.end ? key_ : Range{at_, at_ + 1};
        check_depth((open_.empty() ? table_depth_ : open_.back().depth) + dots_, key);
        count_tables(dots_, key);
        count_value(key);
        if (mentions_) mentions_->push_back({key, false, open_.empty()});
        const std::size_t dots = dots_;
        forget_key();
        value_dots_ = dots;
        in_value_ = true;
        ++at_;
    }

    void separator() {
        count_value({at_, at_ + 1});
        forget_key();
        ++at_;
    }

    void check_depth(std::size_t depth, Range range) const {
        if (depth > Limits::depth)
            fail(range,
                 "nested too deeply: at most " + std::to_string(Limits::depth) + " brackets and dots around a value");
    }

    void count_tables(std::size_t more, Range range) {
        tables_ += more;
        if (tables_ > Limits::tables)
            fail(range, "a model file has at most " + std::to_string(Limits::tables) + " headers and dots in keys",
                 "write inline tables: q = { x = 0, y = 0 }");
    }

    void count_value(Range range) {
        if (++values_ > Limits::values)
            fail(range, "a model file has at most " + std::to_string(Limits::values) + " values",
                 "give the values by a formula of their index");
    }

    const Source& source_;
    std::string_view text_;
    std::vector<Mention>* mentions_;
    std::size_t at_ = 0;
    std::vector<Open> open_;
    bool line_start_ = true;      // only blanks so far, and no bracket is open
    std::size_t table_depth_ = 0; // of the last header
    Range key_;                   // what may turn out to be a key; end == 0: nothing yet
    std::size_t dots_ = 0;        // in it
    std::size_t value_dots_ = 0;  // in the key whose value this is
    bool in_value_ = false;       // an '=' was met, and no separator since
    Range last_word_;
    std::size_t string_end_ = 0;
    std::size_t tables_ = 0;
    std::size_t values_ = 0;
};

} // namespace

void pass_gate(const Source& source, std::vector<Mention>* mentions) {
    check_bytes(source);
    Structure(source, mentions).check();
}

} // namespace rattleback::model
