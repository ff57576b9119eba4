#include "source.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <utility>

#include "expr/shown.hpp"

namespace rattleback::model {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool begins_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }

// One cell on the screen for one code point.
void append_cell(std::string& out, std::string_view text, std::size_t offset, const CodePoint& c) {
    if (c.value == '\t' && c.valid)
        out += ' ';
    else if (c.valid && is_printable(c.value))
        out += text.substr(offset, c.bytes);
    else
        out += '?';
}

// Names and strings of the file may end up in a message: whatever they hold, it stays one line of bearable length.
std::string clean(std::string_view text) { return shown_message(shown(text), 1000); }

std::size_t forward(std::string_view text, std::size_t at, std::size_t cells) {
    for (; cells > 0 && at < text.size(); --cells) at += code_point_at(text, at).bytes;
    return std::min(at, text.size());
}

std::size_t back(std::string_view text, std::size_t at, std::size_t cells) {
    for (; cells > 0 && at > 0; --cells) {
        --at;
        for (int i = 0; i < 3 && at > 0 && !begins_code_point(text[at]); ++i) --at;
    }
    return at;
}

// The part of a line that is shown: all of it, or about 100 code points around the caret.
Range window(std::string_view line, std::size_t caret) {
    constexpr std::size_t widest = 120, shown = 100;
    if (forward(line, 0, widest) == line.size()) return {0, line.size()};
    std::size_t begin = back(line, caret, shown / 2);
    if (forward(line, 0, 3) >= begin) begin = 0; // "..." would save nothing
    const std::size_t end = forward(line, begin, shown);
    if (end == line.size()) begin = back(line, end, shown);
    return {begin, end};
}

void strip_trailing_blanks(std::string& text) { text.erase(text.find_last_not_of(' ') + 1); }

// The quoted line and the line with the caret.
std::string quote(std::string_view line, std::size_t number, std::size_t begin, std::size_t end) {
    std::string gutter = std::to_string(number);
    gutter.insert(0, gutter.size() < 4 ? 4 - gutter.size() : 0, ' ');
    const Range shown = window(line, begin);
    std::string text = gutter + " | " + (shown.begin > 0 ? "..." : "");
    std::string marks = std::string(gutter.size(), ' ') + " | " + (shown.begin > 0 ? "   " : "");
    for (std::size_t i = shown.begin; i < shown.end;) {
        const CodePoint c = code_point_at(line, i);
        append_cell(text, line, i, c);
        if (i < begin)
            marks += ' ';
        else if (i > begin && i < end)
            marks += '~';
        else if (i == begin)
            marks += '^';
        i += c.bytes;
    }
    if (begin >= shown.end) marks += '^'; // just behind the end of the line
    if (shown.end < line.size()) text += "...";
    strip_trailing_blanks(text);
    return "\n" + text + "\n" + marks;
}

std::string render(const Source* source, Range range, const std::string& file, const std::string& message,
                   const std::string& remedy) {
    std::string out = file + ":";
    std::size_t gutter = 4;
    if (source) {
        const Place place = source->place_of(range.begin, range.end - range.begin);
        const Range line = source->line(place.line);
        const std::size_t begin = std::min(range.begin, line.end) - line.begin;
        const std::size_t end = std::min(range.end, line.end) - line.begin;
        out += std::to_string(place.line) + ":" + std::to_string(place.column) + ": " + message;
        out += quote(source->text().substr(line.begin, line.end - line.begin), place.line, begin, end);
        gutter = std::max(gutter, std::to_string(place.line).size());
    } else {
        out += " " + message;
    }
    if (!remedy.empty()) out += "\n" + std::string(gutter, ' ') + " = " + remedy;
    return out;
}

Range ordered(const Source& source, Range range) {
    const std::size_t size = source.text().size();
    range.begin = std::min(range.begin, size);
    return {range.begin, std::clamp(range.end, range.begin, size)};
}

} // namespace

Source::Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
    if (text_.starts_with(byte_order_mark)) text_.erase(0, byte_order_mark.size());
    line_starts_.push_back(0);
    for (std::size_t i = 0; i < text_.size(); ++i)
        if (text_[i] == '\n') line_starts_.push_back(i + 1);
}

Source Source::open(const std::string& path) {
    std::error_code none;
    if (std::filesystem::is_directory(path, none)) throw ModelError(path, "is a folder, not a model file");
    if (std::filesystem::is_regular_file(path, none)) {
        const std::uintmax_t bytes = std::filesystem::file_size(path, none);
        if (!none && bytes > max_bytes) throw ModelError(path, too_large(bytes));
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) throw ModelError(path, "cannot open the file", "check the name and the permissions");
    // By blocks and only up to the limit: a pipe or a device need not end.
    std::string text;
    std::array<char, 1 << 16> block{};
    while (text.size() <= max_bytes && (file.read(block.data(), block.size()) || file.gcount() > 0))
        text.append(block.data(), static_cast<std::size_t>(file.gcount()));
    if (file.bad()) throw ModelError(path, "cannot read the file");
    return Source(path, std::move(text));
}

std::string Source::too_large(std::size_t bytes) {
    const std::size_t tenths = bytes / (std::size_t{1} << 20) * 10 + bytes % (std::size_t{1} << 20) * 10 / (1 << 20);
    return "a model file has at most 64 MiB; this one has " +
           (tenths == 640 ? std::to_string(bytes) + " bytes"
                          : std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " MiB");
}

Place Source::place_of(std::size_t offset, std::size_t length) const {
    const Range range = ordered(*this, {offset, offset + std::min(length, text_.size())});
    const auto above = std::upper_bound(line_starts_.begin(), line_starts_.end(), range.begin);
    const auto number = static_cast<std::size_t>(above - line_starts_.begin());
    const Range here = line(number);
    const auto code_points = [&](std::size_t from, std::size_t to) {
        const std::string_view between = text().substr(from, to - from);
        return static_cast<std::size_t>(std::count_if(between.begin(), between.end(), begins_code_point));
    };
    const std::size_t end = std::max(range.begin, std::min(range.end, here.end));
    return {number, code_points(here.begin, range.begin) + 1, code_points(range.begin, end)};
}

Range Source::line(std::size_t number) const {
    number = std::clamp<std::size_t>(number, 1, line_starts_.size());
    Range range{line_starts_[number - 1], number < line_starts_.size() ? line_starts_[number] - 1 : text_.size()};
    if (range.end > range.begin && text_[range.end - 1] == '\r') --range.end;
    return range;
}

ModelError::ModelError(const Source* source, Range range, std::string file, std::string message, std::string remedy)
    : Error(render(source, range, file, message, remedy)), file_(std::move(file)),
      place_(source ? source->place_of(range.begin, range.end - range.begin) : Place{}), message_(std::move(message)),
      remedy_(std::move(remedy)) {}

ModelError::ModelError(const Source& source, Range range, std::string_view message, std::string_view remedy)
    : ModelError(&source, ordered(source, range), clean(source.name()), clean(message), clean(remedy)) {}

ModelError::ModelError(std::string_view file, std::string_view message, std::string_view remedy)
    : ModelError(nullptr, {}, clean(file), clean(message), clean(remedy)) {}

} // namespace rattleback::model
