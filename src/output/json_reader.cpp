#include "output/json_reader.hpp"

#include <charconv>

namespace rattleback {
namespace {

class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}

    JsonValue whole() {
        JsonValue v = value(0);
        if (peek() != '\0' || at_ < text_.size()) fail("text after the value");
        return v;
    }

  private:
    static constexpr int deepest = 64;

    [[noreturn]] void fail(const std::string& what) const {
        throw BadJson("no JSON at byte " + std::to_string(at_) + ": " + what);
    }
    char peek() {
        at_ = std::min(text_.find_first_not_of(" \n\r\t", at_), text_.size());
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    void expect(char c) {
        if (peek() != c) fail(std::string("expected ") + c);
        ++at_;
    }
    bool takes(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    JsonValue value(int depth) {
        if (depth > deepest) fail("nested too deeply");
        JsonValue v;
        const char c = peek();
        if (c == '{') {
            v.kind = JsonValue::object, ++at_;
            for (bool first = true; peek() != '}'; first = false) {
                if (!first) expect(',');
                if (peek() != '"') fail("a name in quotes is missing");
                v.keys.push_back(string());
                expect(':');
                v.items.push_back(value(depth + 1));
            }
            ++at_;
        } else if (c == '[') {
            v.kind = JsonValue::array, ++at_;
            for (bool first = true; peek() != ']'; first = false) {
                if (!first) expect(',');
                v.items.push_back(value(depth + 1));
            }
            ++at_;
        } else if (c == '"') {
            v.kind = JsonValue::text, v.string = string();
        } else if (takes("true")) {
            v.kind = JsonValue::boolean, v.truth = true;
        } else if (takes("false")) {
            v.kind = JsonValue::boolean;
        } else if (!takes("null")) {
            v.kind = JsonValue::number, v.real = real();
        }
        return v;
    }

    std::string string() {
        std::string s;
        for (++at_; at_ < text_.size() && text_[at_] != '"';) {
            const char c = text_[at_++];
            if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a string");
            if (c == '\\')
                s += escape();
            else
                s += c;
        }
        if (at_ >= text_.size()) fail("a string that does not end");
        ++at_;
        return s;
    }

    std::string escape() {
        const char c = at_ < text_.size() ? text_[at_++] : '\0';
        if (c == 'u') return utf8(code_unit());
        constexpr std::string_view from = "\"\\/bfnrt", to = "\"\\/\b\f\n\r\t";
        const std::size_t i = c ? from.find(c) : std::string_view::npos;
        if (i == std::string_view::npos) fail("an unknown escape");
        return {to[i]};
    }

    unsigned code_unit() {
        unsigned code = 0;
        const std::string_view digits = text_.substr(std::min(at_, text_.size()), 4);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
        if (error != std::errc() || end != digits.data() + 4) fail("four hexadecimal digits are missing");
        at_ += 4;
        if (code >= 0xd800 && code < 0xdc00 && takes("\\u"))
            return 0x10000 + ((code - 0xd800) << 10) + ((code_unit() - 0xdc00) & 0x3ff);
        return code;
    }

    static std::string utf8(unsigned code) {
        const auto byte = [](unsigned x) { return static_cast<char>(x); };
        if (code < 0x80) return {byte(code)};
        if (code < 0x800) return {byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f))};
        if (code < 0x10000)
            return {byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f))};
        return {byte(0xf0 | code >> 18), byte(0x80 | (code >> 12 & 0x3f)), byte(0x80 | (code >> 6 & 0x3f)),
                byte(0x80 | (code & 0x3f))};
    }

    double real() {
        double x = 0;
        const char* begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), x);
        if (error != std::errc() || end == begin) fail("a value is missing");
        at_ += static_cast<std::size_t>(end - begin);
        return x;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace

const JsonValue* JsonValue::find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (keys[i] == key) return &items[i];
    return nullptr;
}

const JsonValue& JsonValue::at(std::string_view key, Kind wanted) const {
    const JsonValue* found = find(key);
    if (!found) throw BadJson("'" + std::string(key) + "' is missing");
    if (found->kind != wanted) throw BadJson("'" + std::string(key) + "' is of another kind");
    return *found;
}

JsonValue read_json(std::string_view text) { return Parser(text).whole(); }

} // namespace rattleback
