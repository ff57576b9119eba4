#include "expr/shown.hpp"

#include <algorithm>
#include <cstdio>

#include "expr/utf8.hpp"

namespace rattleback {
namespace {

constexpr std::size_t longest_word = 160; // most paths are shorter; quoted lines with their carets have 126

std::string escaped(const CodePoint& c) {
    if (c.valid && c.value == '\n') return "\\n";
    if (c.valid && c.value == '\t') return "\\t";
    char digits[16];
    const auto value = static_cast<unsigned>(c.value);
    std::snprintf(digits, sizeof digits, value < 0x100 ? "\\x%02X" : value < 0x10000 ? "\\u%04X" : "\\U%08X", value);
    return digits;
}

std::string escaped(std::string_view text, bool keep_lines) {
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size();) {
        const CodePoint c = code_point_at(text, i);
        if (c.valid && (is_printable(c.value) || (keep_lines && c.value == '\n')))
            out += text.substr(i, c.bytes);
        else
            out += escaped(c);
        i += c.bytes;
    }
    return out;
}

bool begins_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }

} // namespace

bool is_printable(char32_t c) {
    if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C) return false;
    if ((c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F)) return false;
    return c != 0xFEFF && (c < 0xFFF9 || c > 0xFFFB) && c < 0xE0000;
}

bool is_printable(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const CodePoint c = code_point_at(text, i);
        if (!c.valid || !is_printable(c.value)) return false;
        i += c.bytes;
    }
    return true;
}

std::string shown(std::string_view text) { return escaped(text, false); }

std::string shortened(std::string_view text, std::size_t most) {
    constexpr std::string_view dots = "...";
    const auto count = static_cast<std::size_t>(std::count_if(text.begin(), text.end(), begins_code_point));
    if (count <= most) return std::string(text);
    const std::size_t front = (most - dots.size() + 1) / 2, behind = count - (most - dots.size()) / 2;
    std::size_t begin = 0, end = 0; // bytes of the part that is left out
    for (std::size_t at = 0, number = 0; at < text.size(); ++at) {
        if (!begins_code_point(text[at])) continue;
        if (number == front) begin = at;
        if (number++ == behind) end = at;
    }
    return std::string(text.substr(0, begin)).append(dots).append(text.substr(end));
}

std::string shown_message(std::string_view text, std::size_t most) {
    const std::string all = escaped(text, true);
    std::string out;
    for (std::size_t at = 0; at < all.size() && out.size() <= most;) {
        const std::size_t end = std::min(all.find_first_of(" \n", at), all.size());
        const std::string_view word = std::string_view(all).substr(at, end - at);
        out += word.size() > longest_word ? shortened(word) : std::string(word);
        if (end < all.size()) out += all[end];
        at = end + 1;
    }
    if (out.size() <= most) return out;
    std::size_t end = most;
    while (end > 0 && !begins_code_point(out[end])) --end;
    return out.substr(0, end) + "...";
}

} // namespace rattleback
