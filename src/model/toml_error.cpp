#include "toml_error.hpp"

#include "gate.hpp"
#include "toml_string.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace rattleback::model {
namespace {

constexpr std::string_view in_quotes = "formulas and text stand in quotes: \"...\"";

// A reason of toml++ that begins so, and what we say. An empty message keeps toml++'s.
struct Rule {
    std::string_view begins;
    std::string_view message;
    std::string_view remedy;
};
constexpr std::array<Rule, 18> rules{{
    {"expected '='", "", "every line is a [header] or 'name = value'"},
    {"expected value, saw '\\", "a value is missing after '='", ""},
    {"expected value, saw ", "", ""},
    {"expected a comment or whitespace, saw ", "expected the end of the line, saw ", in_quotes},
    {"expected keys, tables, whitespace or comments, saw ", "expected a name or a [header], saw ", ""},
    {"expected bare key starting character or string delimiter, saw ", "expected a name, saw ", ""},
    {"expected value or closing ']', saw comma", "expected a value or ']', saw ','", ""},
    {"expected comma or closing ']', saw ", "expected ',' or ']', saw ", in_quotes},
    {"expected comma or closing '}', saw ", "expected ',' or '}', saw ", in_quotes},
    {"expected key-value pair or closing '}', saw comma", "expected 'name = value' or '}', saw ','", ""},
    {"expected key-value pair, saw closing '}' (dangling comma)", "a comma before '}'",
     "remove the comma, or add another 'name = value'"},
    {"expected key or closing '}', saw ", "expected a name or '}', saw ", "inline tables are { name = value, ... }"},
    {"tables with blank bare keys are explicitly prohibited", "a table without a name", "write the header as [name]"},
    {"unknown escape sequence ", "", "write \\\\ for a backslash, or put the text in '...'"},
    {"escape sequence ", "unknown escape sequence", "write \\\\ for a backslash, or put the text in '...'"},
    {"expected hex digit, saw ", "expected a hexadecimal digit, saw ", "write \\uXXXX with four digits"},
    {"multi-line strings are prohibited in", "a name cannot be a multi-line string", ""},
    {"line-ending backslashes must be", "text after the backslash that joins two lines",
     "write \\\\ for a backslash, or put the text in '''...'''"},
}};

bool ends_value(char c) { return std::string_view("\r\n,]}#").find(c) != std::string_view::npos; }
bool ends_word(char c) { return ends_value(c) || std::string_view(" \t\"'[{=").find(c) != std::string_view::npos; }

bool is_scope_of_value(std::string_view scope) {
    constexpr std::array<std::string_view, 11> scopes{"value",
                                                      "boolean",
                                                      "floating-point",
                                                      "hexadecimal floating-point",
                                                      "decimal integer",
                                                      "binary integer",
                                                      "octal integer",
                                                      "hexadecimal integer",
                                                      "date",
                                                      "time",
                                                      "date-time"};
    return std::find(scopes.begin(), scopes.end(), scope) != scopes.end();
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

// The unquoted value that `offset` is in or right behind, to the end of the line or the next separator.
Range value_around(std::string_view text, std::size_t offset) {
    Range range{offset, offset};
    while (range.begin > 0 && !ends_word(text[range.begin - 1])) --range.begin;
    while (range.end < text.size() && !ends_value(text[range.end])) ++range.end;
    while (range.end > range.begin + 1 && (text[range.end - 1] == ' ' || text[range.end - 1] == '\t')) --range.end;
    return range;
}

Range word_at(std::string_view text, std::size_t offset) {
    std::size_t end = std::min(offset, text.size());
    while (end < text.size() && !ends_word(text[end])) ++end;
    return {offset, std::max(end, offset + 1)};
}

ModelError bad_value(const Source& source, std::size_t offset, std::string_view reason) {
    const Range range = value_around(source.text(), offset);
    const std::string text(source.text().substr(range.begin, range.end - range.begin));
    const std::string message = "cannot read the value '" + text + "'";
    const bool numeric = text.find_first_not_of("0123456789+-._eE") == std::string::npos;
    if (numeric && contains(reason, "leading zeroes"))
        return {source, range, message + ": numbers do not begin with 0"};
    if (numeric && (contains(reason, "underscores") || text.ends_with('_')))
        return {source, range, message + ": '_' stands between digits only"};
    if (contains(reason, "representable")) {
        const bool integer = text.find_first_of(".eE") == std::string::npos || text.starts_with("0x");
        return {source, range,
                message + (integer ? ": it does not fit in 64 bits" : ": it is out of the range of a double"),
                integer ? "write it with a decimal point" : ""};
    }
    if (numeric && contains(text, ".")) return {source, range, message, "the point stands between digits: 0.5, 1.0"};
    return {source, range, message, in_quotes};
}

// A key without blanks and quotes, to compare by; good enough to find the first of two.
std::string bare(std::string_view text) {
    std::string out;
    for (const char c : text)
        if (!contains(" \t\"'[]", std::string_view(&c, 1))) out += c;
    return out;
}

std::string_view text_of(const Source& source, Range range) {
    return source.text().substr(range.begin, range.end - range.begin);
}

// The key or header that toml++ refused at `offset`, which for headers is the header or the statement after it.
std::size_t refused(const Source& source, const std::vector<Mention>& mentions, std::size_t offset,
                    std::string_view reason) {
    const auto after =
        std::find_if(mentions.begin(), mentions.end(), [&](const Mention& m) { return m.range.begin > offset; });
    const auto last = static_cast<std::size_t>(after - mentions.begin());
    const std::size_t name = reason.find('\'') + 1;
    const std::string wanted = bare(reason.substr(name, reason.rfind('\'') - name));
    for (std::size_t i = last; i > 0 && i + 2 > last; --i)
        if (bare(text_of(source, mentions[i - 1].range)) == wanted) return i - 1;
    return last - 1;
}

// Names that clash: `reason` is "cannot redefine existing TYPE 'NAME' ..." or "cannot insert 'NAME' into ...".
ModelError clash(const Source& source, std::size_t offset, std::string_view reason) {
    std::vector<Mention> mentions;
    pass_gate(source, &mentions);
    if (mentions.empty() || mentions[0].range.begin > offset) return {source, word_at(source.text(), offset), reason};
    const std::size_t culprit = refused(source, mentions, offset, reason);
    const Range range = mentions[culprit].range;
    const std::string name = "'" + std::string(text_of(source, range)) + "'";
    if (!mentions[culprit].top) return {source, range, name + " is given twice", "give each name once"};

    std::string header;
    std::vector<std::string> full_names;
    for (std::size_t i = 0; i <= culprit; ++i) {
        const std::string own = bare(text_of(source, mentions[i].range));
        if (mentions[i].header) header = own;
        full_names.push_back(mentions[i].header || header.empty() ? own : header + "." + own);
    }
    for (std::size_t i = culprit; i-- > 0;) // the last: in [[arrays of tables]] earlier ones are other tables
        if (mentions[i].top && full_names[i] == full_names[culprit])
            return {source, range, name + " is given twice",
                    "the first is on line " + std::to_string(source.place_of(mentions[i].range.begin).line)};
    return {source, range, name + " contradicts what was given before",
            "a name is a value or a table, and an inline table is complete as it stands"};
}

// "saw '\n'" is for programmers.
std::string say_end_of_line(std::string message) {
    for (const std::string_view sign : {"'\\n'", "'\\r'"})
        if (const auto at = message.find(sign); at != std::string::npos)
            message.replace(at, sign.size(), "the end of the line");
    return message;
}

} // namespace

ModelError toml_error(const Source& source, std::size_t offset, std::string_view description) {
    constexpr std::string_view boilerplate = "Error while parsing ";
    std::string_view scope, reason = description;
    if (description.starts_with(boilerplate)) {
        reason.remove_prefix(boilerplate.size());
        scope = reason.substr(0, reason.find(": "));
        reason.remove_prefix(std::min(reason.size(), scope.size() + 2));
    }
    if (is_scope_of_value(scope)) return bad_value(source, offset, reason);
    if (reason == "encountered end-of-file")
        return {source, {offset, offset}, "the file ends in the middle of a " + std::string(scope)};
    if (contains(reason, " as dotted "))
        return {source,
                {offset, std::min(word_at(source.text(), offset).end, source.text().find('.', offset))},
                "this name is taken: it cannot be a table with dotted names",
                "give the table in one place"};
    if (reason.starts_with("cannot redefine existing") || reason.starts_with("cannot insert"))
        return clash(source, offset, reason);

    Range range = word_at(source.text(), offset);
    if (contains(reason, "escape sequence") && range.begin > 0) --range.begin; // show the backslash too
    for (const Rule& rule : rules) {
        if (!reason.starts_with(rule.begins)) continue;
        if (rule.message.empty()) return {source, range, say_end_of_line(std::string(reason)), rule.remedy};
        const std::string_view rest = rule.message.ends_with(' ') ? reason.substr(rule.begins.size()) : "";
        return {source, range, say_end_of_line(std::string(rule.message) + std::string(rest)), rule.remedy};
    }
    return {source, range, say_end_of_line(std::string(reason))};
}

} // namespace rattleback::model
