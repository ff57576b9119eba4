// Statements of TOML, arrays and inline tables.
#include "toml.hpp"

namespace rattleback::model {
namespace {

constexpr std::size_t deepest = 64; // brackets and dots around a value: arrays and tables are read recursively
constexpr std::size_t most_values = 2'000'000; // about 200 bytes of memory each while reading

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

} // namespace

Value TomlParser::run() {
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

void TomlParser::header(Value& root) {
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

TomlParser::Path TomlParser::key(std::size_t depth) {
    Path path{name()};
    for (skip_blanks(); peek() == '.'; skip_blanks()) {
        ++at_;
        skip_blanks();
        path.push_back(name());
        check_depth(depth + path.size() - 1, {path[0].range.begin, at_});
    }
    return path;
}

TomlParser::Name TomlParser::name() {
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

void TomlParser::key_value(Value& table, std::size_t depth) {
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

Value TomlParser::value(std::size_t depth) {
    if (peek() == '[') return array(depth + 1);
    if (peek() == '{') return inline_table(depth + 1);
    if (!is_quote(peek())) return word();
    Value made = begun(Kind::String);
    made.raw_ = string();
    made.text_ = meaning_of(made.raw_);
    return made;
}

std::string_view TomlParser::meaning_of(std::string_view string) {
    const auto content = verbatim(string);
    return content ? *content : keep(decode(string));
}

Value TomlParser::begun(Kind kind) const {
    Value made;
    made.kind_ = kind, made.begin_ = at_;
    return made;
}

Value TomlParser::array(std::size_t depth) {
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

Value TomlParser::inline_table(std::size_t depth) {
    Value made = make_table({at_, at_}, Made::as_value);
    open(depth);
    skip_blanks();
    for (bool first = true; peek() != '}' || !first; first = false) {
        if (peek() == '}')
            fail({at_, at_ + 1}, "a comma before '}'", "remove the comma, or add another 'name = value'");
        if (peek() == ',') refuse("'name = value' or '}'");
        if (!is_bare(peek()) && !is_quote(peek())) refuse("a name or '}'", "inline tables are { name = value, ... }");
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

void TomlParser::open(std::size_t depth) {
    check_depth(depth, {at_, at_ + 1});
    open_.push_back(at_++);
}

void TomlParser::close(Value& made) {
    open_.pop_back();
    made.raw_ = view({made.begin_, ++at_});
}

void TomlParser::check_depth(std::size_t depth, Range range) const {
    if (depth > deepest)
        fail(range, "nested too deeply: at most " + std::to_string(deepest) + " brackets and dots around a value");
}

void TomlParser::count_value(Range range) {
    if (++values_ > most_values)
        fail(range, "a model file has at most " + std::to_string(most_values) + " values",
             "give the values by a formula of their index");
}

Document Document::parse(Source given) {
    Document document(std::move(given));
    check_bytes(document.source());
    document.owned_->root = TomlParser(document.source(), document.owned_->pool).run();
    return document;
}

} // namespace rattleback::model
