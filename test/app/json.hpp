// Just enough JSON to check that the program writes it: the whole text must be one value.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace app_test {

struct JsonValue {
    enum Kind { null, boolean, number, text, array, object } kind = null;
    double real = 0;
    std::string string;
    std::vector<JsonValue> items;
    std::vector<std::pair<std::string, JsonValue>> members;

    std::vector<std::string> keys() const {
        std::vector<std::string> all;
        for (const auto& [key, value] : members) all.push_back(key);
        return all;
    }
    const JsonValue& operator[](std::string_view key) const {
        for (const auto& [k, value] : members)
            if (k == key) return value;
        throw std::runtime_error("no member " + std::string(key));
    }
};

class JsonReader {
  public:
    static JsonValue read(std::string_view text) {
        JsonReader reader(text);
        JsonValue value = reader.value();
        reader.blanks();
        if (reader.at_ != text.size()) reader.fail("text after the value");
        return value;
    }

  private:
    explicit JsonReader(std::string_view text) : text_(text) {}
    [[noreturn]] void fail(const std::string& what) const {
        throw std::runtime_error("not JSON at byte " + std::to_string(at_) + ": " + what);
    }
    void blanks() { at_ = std::min(text_.find_first_not_of(" \n\r\t", at_), text_.size()); }
    char peek() {
        blanks();
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    void expect(char c) {
        if (peek() != c) fail(std::string("expected ") + c);
        ++at_;
    }
    bool takes(char c) { return peek() == c && ++at_; }
    bool takes(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return false;
        at_ += word.size();
        return true;
    }

    JsonValue value() {
        JsonValue v;
        const char c = peek();
        if (c == '{') {
            v.kind = JsonValue::object;
            for (++at_; !takes('}');) {
                if (!v.members.empty()) expect(',');
                peek();
                std::string key = string();
                expect(':');
                v.members.emplace_back(std::move(key), value());
            }
        } else if (c == '[') {
            v.kind = JsonValue::array;
            for (++at_; !takes(']');) {
                if (!v.items.empty()) expect(',');
                v.items.push_back(value());
            }
        } else if (c == '"') {
            v.kind = JsonValue::text, v.string = string();
        } else if (takes("true") || takes("false")) {
            v.kind = JsonValue::boolean;
        } else if (!takes("null")) {
            v.kind = JsonValue::number, v.real = real();
        }
        return v;
    }

    std::string string() {
        std::string s;
        expect('"');
        while (at_ < text_.size() && text_[at_] != '"') {
            if (static_cast<unsigned char>(text_[at_]) < 0x20) fail("a control character in a string");
            if (text_[at_] == '\\') {
                const std::size_t length = text_.substr(at_, 2) == "\\u" ? 6 : 2;
                s += text_.substr(at_, length);
                at_ += length;
            } else {
                s += text_[at_++];
            }
        }
        if (at_ >= text_.size()) fail("a string that does not end");
        ++at_;
        return s;
    }

    double real() {
        const std::string rest(text_.substr(at_, 40));
        char* end = nullptr;
        const double x = std::strtod(rest.c_str(), &end);
        const bool plain = rest.find_first_not_of("0123456789+-.eE") >= static_cast<std::size_t>(end - rest.c_str());
        if (end == rest.c_str() || !plain || rest[0] == '+' || rest[0] == '.') fail("not a number");
        at_ += static_cast<std::size_t>(end - rest.c_str());
        return x;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

} // namespace app_test
