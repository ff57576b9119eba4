#include "toml_string.hpp"

#include <algorithm>

namespace rattleback::model {
namespace {

// What stands between the quotes; a line break right after three quotes does not count.
Range content_of(std::string_view raw) {
    if (!is_multi_line(raw, 0)) return {1, raw.size() - 1};
    std::size_t begin = 3;
    if (raw.substr(begin, 2) == "\r\n")
        begin += 2;
    else if (raw[begin] == '\n')
        begin += 1;
    return {begin, raw.size() - 3};
}

void append_utf8(std::string& out, std::uint32_t c) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80u | (c >> shift & 0x3Fu)); };
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0u | c >> 6);
        tail(0);
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0u | c >> 12);
        tail(6), tail(0);
    } else {
        out += static_cast<char>(0xF0u | c >> 18);
        tail(12), tail(6), tail(0);
    }
}

std::uint32_t hexadecimal(std::string_view digits) {
    std::uint32_t value = 0;
    for (const char c : digits)
        value = value * 16 + static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
    return value;
}

// Appends what the escape at raw[at] means; returns its length. A backslash before blanks means nothing, and neither do
// the blanks and line breaks after it.
std::size_t append_escape(std::string& out, std::string_view raw, std::size_t at, std::size_t end) {
    const char c = raw[at + 1];
    switch (c) {
    case 'b': out += '\b'; return 2;
    case 'f': out += '\f'; return 2;
    case 'n': out += '\n'; return 2;
    case 'r': out += '\r'; return 2;
    case 't': out += '\t'; return 2;
    case 'u': append_utf8(out, hexadecimal(raw.substr(at + 2, 4))); return 6;
    case 'U': append_utf8(out, hexadecimal(raw.substr(at + 2, 8))); return 10;
    case ' ':
    case '\t':
    case '\r':
    case '\n': return std::min(raw.find_first_not_of(" \t\r\n", at + 1), end) - at;
    default: out += c; return 2; // a quote or a backslash
    }
}

// Walks over a string: f(text, range) for each stretch of the decoded text and the bytes that wrote it. Of equal size:
// verbatim, byte for byte. Otherwise one escape, or a line break of two bytes that reads as one.
template <class F> void each_stretch(std::string_view raw, F&& f) {
    const Range content = content_of(raw);
    const char escape = raw[0] == '"' ? '\\' : '\r'; // literal strings have none
    std::string text;
    for (std::size_t at = content.begin; at < content.end;) {
        const std::size_t begin = at;
        text.clear();
        if (raw[at] == '\r') {
            f("\n", Range{begin, at += 2});
        } else if (raw[at] == escape) {
            at += append_escape(text, raw, at, content.end);
            f(text, Range{begin, at});
        } else {
            while (at < content.end && raw[at] != escape && raw[at] != '\r') ++at;
            f(raw.substr(begin, at - begin), Range{begin, at});
        }
    }
}

} // namespace

std::optional<std::string_view> verbatim(std::string_view raw) {
    const Range content = content_of(raw);
    const std::string_view text = raw.substr(content.begin, content.end - content.begin);
    const auto has = [&](char c) { return text.find(c) != std::string_view::npos; };
    if (has('\r') || (raw[0] == '"' && has('\\'))) return {};
    return text;
}

std::string decode(std::string_view raw) {
    std::string out;
    each_stretch(raw, [&](std::string_view text, Range) { out += text; });
    return out;
}

Range raw_range(std::string_view raw, std::size_t begin, std::size_t end) {
    const std::size_t start = content_of(raw).begin;
    Range found{start, start};
    std::size_t at = 0; // where the stretch begins in the decoded text
    each_stretch(raw, [&](std::string_view text, Range from) {
        const bool copied = text.size() == from.end - from.begin;
        const auto place = [&](std::size_t byte) { // of the decoded text, before the byte
            if (byte - at >= text.size()) return from.end;
            return copied ? from.begin + (byte - at) : from.begin;
        };
        if (!text.empty() && at <= begin) found = {place(begin), place(begin)};
        if (!text.empty() && at < end) found.end = std::max(found.begin, copied ? place(end) : from.end);
        at += text.size();
    });
    return found;
}

} // namespace rattleback::model
