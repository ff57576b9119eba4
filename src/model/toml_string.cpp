#include "toml_string.hpp"

#include <algorithm>

namespace rattleback::model {
namespace {

bool is_multi_line(std::string_view text, std::size_t begin) {
    const std::string_view three = text.substr(begin, 3);
    return three == "\"\"\"" || three == "'''";
}

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

} // namespace

std::optional<std::size_t> end_of_string(std::string_view text, std::size_t begin) {
    const char quote = text[begin];
    const bool multi_line = is_multi_line(text, begin);
    std::size_t at = begin + (multi_line ? 3 : 1);
    while (at < text.size()) {
        if (text[at] == '\\' && quote == '"') {
            at += 2;
        } else if (text[at] == '\n' && !multi_line) {
            return {};
        } else if (text[at] != quote) {
            ++at;
        } else if (!multi_line) {
            return at + 1;
        } else {
            // Three quotes close; up to two more before them belong to the string.
            std::size_t run = 1;
            while (run < 5 && at + run < text.size() && text[at + run] == quote) ++run;
            at += run;
            if (run >= 3) return at;
        }
    }
    return {};
}

std::optional<std::string_view> verbatim(std::string_view raw) {
    const Range content = content_of(raw);
    const std::string_view text = raw.substr(content.begin, content.end - content.begin);
    const auto has = [&](char c) { return text.find(c) != std::string_view::npos; };
    if (has('\r') || (raw[0] == '"' && has('\\'))) return {};
    return text;
}

std::string decode(std::string_view raw, std::vector<Piece>* pieces) {
    const Range content = content_of(raw);
    const char escape = raw[0] == '"' ? '\\' : '\r'; // literal strings have none
    std::string out;
    for (std::size_t at = content.begin; at < content.end;) {
        const std::size_t text_begin = out.size(), raw_begin = at;
        if (raw[at] == '\r') {
            out += '\n';
            at += 2;
        } else if (raw[at] == escape) {
            at += append_escape(out, raw, at, content.end);
        } else {
            while (at < content.end && raw[at] != escape && raw[at] != '\r') ++at;
            out += raw.substr(raw_begin, at - raw_begin);
        }
        if (pieces && out.size() > text_begin)
            pieces->push_back({static_cast<std::uint32_t>(text_begin),
                               static_cast<std::uint32_t>(out.size() - text_begin),
                               static_cast<std::uint32_t>(raw_begin), static_cast<std::uint32_t>(at - raw_begin)});
    }
    return out;
}

Range raw_range(const std::vector<Piece>& pieces, std::string_view raw, std::size_t begin, std::size_t end) {
    if (pieces.empty()) return {content_of(raw).begin, content_of(raw).begin};
    const auto piece_of = [&](std::size_t byte) -> const Piece& {
        const auto above = std::upper_bound(pieces.begin(), pieces.end(), byte,
                                            [](std::size_t b, const Piece& piece) { return b < piece.text; });
        return *(above - 1); // the first piece begins at 0
    };
    const auto inside = [](const Piece& piece, std::size_t byte) -> std::size_t {
        if (byte >= piece.text + piece.text_bytes) return piece.raw_bytes;
        return piece.text_bytes == piece.raw_bytes ? byte - piece.text : 0;
    };
    const Piece& first = piece_of(begin);
    const std::size_t raw_begin = first.raw + inside(first, begin);
    if (end <= begin) return {raw_begin, raw_begin};
    const Piece& last = piece_of(end - 1);
    const bool copied = last.text_bytes == last.raw_bytes;
    const std::size_t raw_end =
        last.raw + (copied ? std::min<std::size_t>(end - last.text, last.raw_bytes) : last.raw_bytes);
    return {raw_begin, std::max(raw_begin, raw_end)};
}

} // namespace rattleback::model
