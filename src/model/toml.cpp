// TOML 1.0 in one pass: the text of a file becomes a tree of values, each with its bytes in the file. Whatever is wrong
// is refused at its place, in words for people who write models. Time is linear in the length of the text.
#include "document.hpp"
#include "toml_string.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

namespace rattleback::model {
namespace {

constexpr std::size_t deepest = 64; // brackets and dots around a value: arrays and tables are read recursively
constexpr std::size_t most_values = 2'000'000; // about 200 bytes of memory each while reading

constexpr std::string_view in_quotes = "formulas and text stand in quotes: \"...\"";
constexpr std::string_view write_header = "write the header as [name]";

bool is_one_of(char c, std::string_view characters) { return characters.find(c) != std::string_view::npos; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_bare(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-'; }
bool ends_line(char c) { return c == '\n' || c == '\r'; }
bool ends_value(char c) { return is_one_of(c, "\r\n,]}#"); }
bool ends_word(char c) { return ends_value(c) || is_one_of(c, " \t\"'[{="); }

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
    if (code_point_at(text, 0).value == 0xFEFF) throw ModelError(source, {0, 3}, "a second byte-order mark");
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

bool is_between_digits(std::string_view word, std::size_t at) {
    const std::string_view digits = word.starts_with("0x") ? "0123456789abcdefABCDEF" : "0123456789";
    return at > 0 && at + 1 < word.size() && is_one_of(word[at - 1], digits) && is_one_of(word[at + 1], digits);
}

bool begins_with_zero(std::string_view digits) { return digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]); }

} // namespace

class TomlParser {
  public:
    TomlParser(const Source& source, std::deque<std::string>& pool)
        : source_(source), text_(source.text()), pool_(pool) {}

    Value run() {
        Value root = make_table({0, text_.size()}, Made::by_header);
        table_ = &root;
        for (skip_lines(); at_ < text_.size(); skip_lines()) {
            const bool is_header = peek() == '[';
            if (!is_header && !is_bare(peek()) && !is_quote(peek())) refuse("a name or a [header]");
            is_header ? header(root) : key_value(*table_, depth_);
            skip_blanks();
            if (ends_line(peek()) || peek() == '#') continue;
            is_header ? refuse("the end of the line") : refuse_after_value("the end of the line");
        }
        return root;
    }

  private:
    using Kind = Value::Kind;
    using Made = Value::Made;
    struct Name { // one part of a dotted key
        std::string_view text;
        Range range;
    };
    using Path = std::vector<Name>;

    // --- characters ---------------------------------------------------------------------------------------------

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
    std::string_view keep(std::string text) { return pool_.emplace_back(std::move(text)); }

    // --- complaints ---------------------------------------------------------------------------------------------

    [[noreturn]] void fail(Range range, const std::string& message, std::string_view remedy = {}) const {
        throw ModelError(source_, range, message, remedy);
    }

    // The word that stands here, one character at least.
    Range word_here() const {
        std::size_t end = at_;
        while (end < text_.size() && !ends_word(text_[end])) ++end;
        return {at_, std::max(end, at_ + 1)};
    }

    [[noreturn]] void refuse(const std::string& expected, std::string_view remedy = {}) const {
        const char c = peek();
        if (ends_line(c) && !open_.empty()) refuse_unclosed();
        if (static_cast<unsigned char>(c) >= 0x80) refuse_letter();
        if (c == ']' || c == '}') refuse_closing(c);
        const std::string saw = ends_line(c) ? "the end of the line" : quoted(text_.substr(at_, 1));
        fail(word_here(), "expected " + expected + ", saw " + saw, remedy);
    }

    [[noreturn]] void refuse_after_value(const std::string& expected) const {
        if (peek() == '=') fail({at_, at_ + 1}, "'=' inside a value", in_quotes);
        if (is_digit(peek()))
            fail(word_here(), "two values with nothing between them", "separate the values of an array with ','");
        refuse(expected, in_quotes);
    }

    [[noreturn]] void refuse_unclosed() const {
        const std::size_t begin = open_.back();
        const bool table = text_[begin] == '{', header = begin == header_;
        fail({begin, begin + 1},
             quoted(text_.substr(begin, 1)) + " is not closed" + (header || table ? " on its line" : ""),
             table    ? "an inline table stays on one line; longer ones are written as [name]"
             : header ? write_header
                      : "add the closing ']'");
    }

    [[noreturn]] void refuse_closing(char c) const {
        const Range here{at_, at_ + 1};
        if (open_.empty()) fail(here, quoted(view(here)) + " closes nothing");
        const char opened = text_[open_.back()], wanted = opened == '[' ? ']' : '}';
        if (c == wanted) fail(here, "expected a value, saw " + quoted(view(here)));
        fail(here, std::string("expected '") + wanted + "', saw '" + c + "'",
             std::string("the '") + opened + "' of line " + std::to_string(source_.place_of(open_.back()).line) +
                 " is still open");
    }

    [[noreturn]] void refuse_letter() const {
        const Range letter{at_, at_ + code_point_at(text_, at_).bytes};
        fail(letter, quoted(view(letter)) + " is not allowed outside quotes", "put names, text and formulas in quotes");
    }

    // A word has no quote or bracket right behind it.
    void check_end_of_word(std::size_t begin) const {
        if (!is_one_of(peek(), "\"'[{")) return;
        const std::string word = quoted(view({begin, at_}));
        const std::string rule = "names with other characters than letters, digits, '_' and '-' stand in quotes: ";
        if (is_quote(peek())) fail({begin, at_ + 1}, "a quote right after " + word, rule + "\"x'\"");
        fail({begin, at_ + 1}, "a bracket right after " + word, rule + "\"x[1]\"");
    }

    [[noreturn]] void refuse_value(std::size_t begin) {
        std::size_t end = begin;
        while (end < text_.size() && !ends_value(text_[end])) ++end;
        while (end > begin + 1 && is_one_of(text_[end - 1], " \t")) --end;
        const std::string_view value = view({begin, end});
        if (const auto sign = value.find('='); sign != std::string_view::npos)
            fail({begin + sign, begin + sign + 1}, "'=' inside a value", in_quotes);
        const std::string message = "cannot read the value " + quoted(value);
        if (value.find_first_not_of("0123456789+-._eE") != std::string_view::npos)
            fail({begin, end}, message, in_quotes);
        if (begins_with_zero(value.substr(is_one_of(value[0], "+-") ? 1 : 0)))
            fail({begin, end}, message + ": numbers do not begin with 0");
        if (value.find('_') != std::string_view::npos) fail({begin, end}, message + ": '_' stands between digits only");
        fail({begin, end}, message,
             value.find('.') == std::string_view::npos ? in_quotes : "the point stands between digits: 0.5, 1.0");
    }

    // --- statements ---------------------------------------------------------------------------------------------

    void header(Value& root) {
        const std::size_t begin = header_ = at_;
        const bool array = text_.substr(at_, 2) == "[[";
        const std::size_t brackets = array ? 2 : 1;
        open_.push_back(begin);
        at_ += brackets;
        skip_blanks();
        if (peek() == ']') fail({at_, at_ + 1}, "a table without a name", write_header);
        if (!is_bare(peek()) && !is_quote(peek())) refuse("the name of a table after '['", write_header);
        const Path path = key(brackets);
        for (std::size_t i = 0; i < brackets; ++i, ++at_)
            if (peek() != ']') refuse("']'", write_header);
        open_.pop_back();
        depth_ = brackets + path.size() - 1;
        table_ = &open_table(root, path, {begin, at_}, array);
    }

    Path key(std::size_t depth) {
        Path path{name()};
        for (skip_blanks(); peek() == '.'; skip_blanks()) {
            ++at_;
            skip_blanks();
            path.push_back(name());
            check_depth(depth + path.size() - 1, {path[0].range.begin, at_});
        }
        return path;
    }

    Name name() {
        const std::size_t begin = at_;
        if (is_quote(peek())) {
            if (is_multi_line(text_, at_)) fail({at_, at_ + 3}, "a name cannot be a multi-line string");
            const std::string_view raw = string();
            return {meaning_of(raw), {begin, at_}};
        }
        while (is_bare(peek())) ++at_;
        if (at_ == begin) refuse("a name");
        check_end_of_word(begin);
        return {view({begin, at_}), {begin, at_}};
    }

    void key_value(Value& table, std::size_t depth) {
        const std::size_t begin = at_;
        const Path path = key(depth);
        if (peek() != '=') refuse("'='", "every line is a [header] or 'name = value'");
        const Range written{begin, path.back().range.end};
        ++at_;
        skip_blanks();
        if (ends_line(peek()) || peek() == '#') fail({at_, at_ + 1}, "a value is missing after '='");
        Value& parent = dotted_table(table, path);
        if (const Entry* first = parent.find(path.back().text)) refuse_again(written, *first);
        count_value(written);
        add(parent, path.back(), value(depth + path.size() - 1));
    }

    // --- values -------------------------------------------------------------------------------------------------

    Value value(std::size_t depth) {
        if (peek() == '[') return array(depth + 1);
        if (peek() == '{') return inline_table(depth + 1);
        if (!is_quote(peek())) return word();
        Value made = begun(Kind::String);
        made.raw_ = string();
        made.text_ = meaning_of(made.raw_);
        return made;
    }

    std::string_view meaning_of(std::string_view string) {
        const auto content = verbatim(string);
        return content ? *content : keep(decode(string));
    }

    Value begun(Kind kind) const {
        Value made;
        made.kind_ = kind, made.begin_ = at_;
        return made;
    }

    Value array(std::size_t depth) {
        Value made = begun(Kind::Array);
        made.children_ = std::make_unique<Value::Children>();
        open(depth);
        for (skip_lines(); peek() != ']' || at_ == text_.size(); skip_lines()) {
            if (at_ == text_.size()) refuse_unclosed();
            if (peek() == ',') refuse("a value or ']'");
            made.children_->items.push_back(value(depth));
            skip_lines();
            if (peek() == ']') break;
            if (peek() != ',') refuse_after_value("',' or ']'");
            count_value({at_, at_ + 1});
            ++at_;
        }
        close(made);
        return made;
    }

    Value inline_table(std::size_t depth) {
        Value made = make_table({at_, at_}, Made::as_value);
        open(depth);
        skip_blanks();
        for (bool first = true; peek() != '}' || !first; first = false) {
            if (peek() == '}')
                fail({at_, at_ + 1}, "a comma before '}'", "remove the comma, or add another 'name = value'");
            if (peek() == ',') refuse("'name = value' or '}'");
            if (!is_bare(peek()) && !is_quote(peek()))
                refuse("a name or '}'", "inline tables are { name = value, ... }");
            key_value(made, depth);
            skip_blanks();
            if (peek() == '}') break;
            if (peek() != ',') refuse_after_value("',' or '}'");
            ++at_;
            skip_blanks();
        }
        close(made);
        return made;
    }

    void open(std::size_t depth) {
        check_depth(depth, {at_, at_ + 1});
        open_.push_back(at_++);
    }
    void close(Value& made) {
        open_.pop_back();
        made.raw_ = view({made.begin_, ++at_});
    }

    // Passes over a string and returns it with its quotes.
    std::string_view string() {
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
            fail({at_, at_ + 1}, "text right after a string",
                 "formulas with primes stand in double quotes: \"m/2*x'^2\"");
        return view({begin, at_});
    }

    // Passes over the closing quotes. Of three to five quotes in a row the last three close.
    bool at_end_of_string(std::size_t begin, bool lines) {
        std::size_t run = 0;
        while (run < (lines ? 5u : 1u) && text_.substr(at_ + run, 1) == text_.substr(begin, 1)) ++run;
        at_ += lines && run < 3 ? 0 : run;
        return run >= (lines ? 3u : 1u);
    }

    // The length of the escape that begins here.
    std::size_t escape(bool lines) {
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

    // A number, true or false. No model has dates: they are refused.
    Value word() {
        Value made = begun(Kind::Boolean);
        for (; at_ < text_.size() && !ends_word(text_[at_]); ++at_)
            if (static_cast<unsigned char>(text_[at_]) >= 0x80) refuse_letter();
        if (at_ == made.begin_) refuse("a value");
        check_end_of_word(made.begin_);
        made.raw_ = made.text_ = view({made.begin_, at_});
        if (made.raw_ == "true" || made.raw_ == "false") return made;
        for (std::size_t i = 0; i < made.raw_.size(); ++i)
            if (made.raw_[i] == '_' && !is_between_digits(made.raw_, i)) refuse_value(made.begin_);
        if (made.raw_.find('_') != std::string_view::npos) {
            std::string digits(made.raw_);
            std::erase(digits, '_');
            made.text_ = keep(std::move(digits));
        }
        if (!read_number(made)) refuse_value(made.begin_);
        return made;
    }

    bool read_number(Value& made) const {
        const std::string_view word = made.text_, digits = word.substr(is_one_of(word[0], "+-") ? 1 : 0);
        const int base = word.starts_with("0x") ? 16 : word.starts_with("0o") ? 8 : word.starts_with("0b") ? 2 : 10;
        const bool spelled_out = digits == "inf" || digits == "nan";
        if (digits.empty() || !(is_digit(digits[0]) || spelled_out) || begins_with_zero(digits)) return false;
        if (base != 10 && word.find('-') != std::string_view::npos) return false;
        if (const std::size_t dot = digits.find('.'); dot != std::string_view::npos)
            if (dot + 1 == digits.size() || !is_digit(digits[dot + 1])) return false;
        const char* const begin = word.data() + (base != 10 ? 2 : word[0] == '+' ? 1 : 0);
        const char* const end = word.data() + word.size();
        const auto integer = std::from_chars(begin, end, made.integer_, base);
        made.kind_ = integer.ptr == end ? Kind::Integer : Kind::Float;
        const auto read = integer.ptr == end ? integer : std::from_chars(begin, end, made.real_);
        if (read.ptr != end || (base != 10 && integer.ptr != end)) return false;
        if (read.ec == std::errc()) return true;
        const std::string message = "cannot read the value " + quoted(made.raw_);
        if (made.is(Kind::Integer))
            fail(made.range(), message + ": it does not fit in 64 bits", "write it with a decimal point");
        fail(made.range(), message + ": it is out of the range of a double");
    }

    // --- tables -------------------------------------------------------------------------------------------------

    Value make_table(Range range, Made how) const {
        Value made;
        made.kind_ = Kind::Table, made.begin_ = range.begin, made.raw_ = view(range);
        made.children_ = std::make_unique<Value::Children>();
        made.children_->made = how, made.children_->statement = header_;
        return made;
    }

    static Value& add(Value& table, const Name& name, Value value) {
        std::vector<Entry>& entries = table.children_->entries;
        table.children_->by_name.emplace(name.text, static_cast<std::uint32_t>(entries.size()));
        entries.push_back({name.text, name.range, std::move(value)});
        return entries.back().value;
    }

    static Value* find(Value& table, const Name& name) {
        const auto it = table.children_->by_name.find(name.text);
        return it == table.children_->by_name.end() ? nullptr : &table.children_->entries[it->second].value;
    }

    // The table of a dotted key. Its dots may extend tables that dots below the same header have made.
    Value& dotted_table(Value& from, const Path& path) {
        Value* table = &from;
        for (std::size_t i = 0; i + 1 < path.size(); ++i) {
            Value* next = find(*table, path[i]);
            if (!next) next = &add(*table, path[i], make_table(path[i].range, Made::by_dots));
            const bool open = next->is(Kind::Table) &&
                              (next->children_->made == Made::by_deeper_header ||
                               (next->children_->made == Made::by_dots && next->children_->statement == header_));
            if (!open)
                fail(path[i].range, "this name is taken: it cannot be a table with dotted names",
                     "give the table in one place");
            table = next;
        }
        return *table;
    }

    // The table of [a.b.c] or [[a.b.c]]. Of an array of tables on the way, its last one.
    Value& open_table(Value& root, const Path& path, Range header, bool array) {
        Value* table = &root;
        for (std::size_t i = 0; i < path.size(); ++i) {
            const bool last = i + 1 == path.size();
            Value* next = find(*table, path[i]);
            const Made made = next && next->children_ ? next->children_->made : Made::as_value;
            if (!next && last && array) {
                next = &add(*table, path[i], make_table(header, Made::by_header));
                next->kind_ = Kind::Array;
            } else if (!next) {
                next = &add(*table, path[i], make_table(header, last ? Made::by_header : Made::by_deeper_header));
            } else if (last && !array && made == Made::by_deeper_header) {
                next->begin_ = header.begin, next->raw_ = view(header), next->children_->made = Made::by_header;
            } else if (made == Made::as_value || (last && !(array && next->is(Kind::Array)))) {
                refuse_again(header, *table->find(path[i].text));
            }
            if (last && array) next->children_->items.push_back(make_table(header, Made::by_header));
            table = next->is(Kind::Array) ? &next->children_->items.back() : next;
        }
        return *table;
    }

    [[noreturn]] void refuse_again(Range written, const Entry& first) const {
        const std::string name = quoted(view(written));
        if (!open_.empty()) fail(written, name + " is given twice", "give each name once");
        const bool header = text_[written.begin] == '[';
        const bool same_kind = header == (first.value.children_ && first.value.children_->made == Made::by_header);
        if (!same_kind)
            fail(written, name + " contradicts what was given before",
                 "a name is a value or a table, and an inline table is complete as it stands");
        const std::size_t place = header ? first.value.range().begin : first.key_range.begin;
        fail(written, name + " is given twice", "the first is on line " + std::to_string(source_.place_of(place).line));
    }

    void check_depth(std::size_t depth, Range range) const {
        if (depth > deepest)
            fail(range, "nested too deeply: at most " + std::to_string(deepest) + " brackets and dots around a value");
    }

    void count_value(Range range) {
        if (++values_ > most_values)
            fail(range, "a model file has at most " + std::to_string(most_values) + " values",
                 "give the values by a formula of their index");
    }

    const Source& source_;
    std::string_view text_;
    std::deque<std::string>& pool_;
    std::size_t at_ = 0;
    std::vector<std::size_t> open_;               // brackets that are not closed yet
    std::size_t header_ = std::string_view::npos; // where the last header begins
    Value* table_ = nullptr;                      // of the last header
    std::size_t depth_ = 0;                       // of that table
    std::size_t values_ = 0;
};

Document Document::parse(Source given) {
    Document document(std::move(given));
    check_bytes(document.source());
    document.owned_->root = TomlParser(document.source(), document.owned_->pool).run();
    return document;
}

} // namespace rattleback::model
