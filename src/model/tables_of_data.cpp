// [tables]: u = "u.csv", u = [[0, 1], [1, 3]], or u = { file = "u.csv", x = "t", y = "force", between = "cubic" }.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "model/reader.hpp"

namespace rattleback::model {
namespace {

constexpr std::size_t most_points = 10'000; // a formula has some 10 operations a point

struct Line {
    std::size_t number;
    std::vector<std::string> cells;
};

// Cells between commas, semicolons, tabs or blanks; what follows # is a comment.
std::vector<Line> lines_of(const Source& source) {
    std::vector<Line> lines;
    const std::string_view text = source.text();
    for (std::size_t from = 0, number = 1; from < text.size(); ++number) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        std::string_view line = text.substr(from, end - from);
        line = line.substr(0, line.find('#'));
        from = end + 1;
        Line cells{number, {}};
        while (!line.empty()) {
            const std::size_t begin = line.find_first_not_of(" \t\r\"");
            if (begin == std::string_view::npos) break;
            const std::size_t stop = std::min(line.find_first_of(",; \t\r\"", begin), line.size());
            cells.cells.emplace_back(line.substr(begin, stop - begin));
            const std::size_t next = std::min(line.find_first_not_of(" \t\r\"", stop), line.size());
            line.remove_prefix(next < line.size() && (line[next] == ',' || line[next] == ';') ? next + 1 : next);
        }
        if (!cells.cells.empty()) lines.push_back(std::move(cells));
    }
    return lines;
}

std::optional<quad> number_in(const std::string& cell) {
    char* end = nullptr;
    const double x = std::strtod(cell.c_str(), &end);
    if (end == cell.c_str() || *end || !std::isfinite(x)) return {};
    return real::parse(cell.c_str());
}

} // namespace

void Reader::read_tables() {
    const Value* all = table("tables");
    if (!all) return;
    for (const Entry& e : all->entries()) {
        require_free(std::string(e.key), e.key_range);
        DataTable data;
        if (e.value.is(Value::Kind::String))
            read_data_file(data, e.value, {}, {});
        else if (e.value.is(Value::Kind::Array))
            read_data_list(data, e.value);
        else if (e.value.is(Value::Kind::Table))
            read_data_table(data, e.value);
        else
            fail(e.value.range(), "a table is a file, or a list of points",
                 "write u = \"u.csv\" or u = [[0, 1], [1, 3]]");
        if (data.x.size() < 2) fail(e.value.range(), "a table needs at least two points");
        if (data.x.size() > most_points)
            fail(e.value.range(),
                 "a table has at most " + grouped(most_points) + " points, not " +
                     grouped(static_cast<long long>(data.x.size())),
                 "keep every second or tenth of them");
        for (std::size_t i = 1; i < data.x.size(); ++i)
            if (!(data.x[i] > data.x[i - 1]))
                fail(e.value.range(),
                     "the points of a table must ascend: " + real::to_text(data.x[i]) + " follows " +
                         real::to_text(data.x[i - 1]),
                     "sort them, and keep one of those with the same argument");
        scope_.add_table(std::string(e.key), std::move(data));
    }
}

void Reader::read_data_list(DataTable& data, const Value& list) {
    for (const Value& point : list.items()) {
        if (!point.is(Value::Kind::Array) || point.items().size() != 2)
            fail(point.range(), "a point of a table is a list of two numbers", "write [[0, 1], [1, 3]]");
        data.x.push_back(number(text_of(point.items()[0], "an argument")));
        data.y.push_back(number(text_of(point.items()[1], "a value")));
    }
}

void Reader::read_data_table(DataTable& data, const Value& table) {
    allow_keys(table, {"file", "points", "x", "y", "between", "outside"}, "of a table");
    const auto word = [&](const char* key) -> std::string {
        const Entry* e = table.find(key);
        if (!e) return {};
        if (e->value.is(Value::Kind::Integer)) return std::to_string(e->value.integer());
        if (!e->value.is(Value::Kind::String)) fail(e->value.range(), std::string(key) + " must be a text in quotes");
        return std::string(e->value.text());
    };
    const auto choice = [&](const char* key, const std::vector<std::string>& allowed) -> std::size_t {
        const std::string given = word(key);
        if (given.empty()) return 0;
        const auto it = std::find(allowed.begin(), allowed.end(), given);
        if (it == allowed.end())
            fail(table.find(key)->value.range(), std::string(key) + " = \"" + given + "\" is not known",
                 "choose one of " + list_of(allowed, allowed.size()));
        return static_cast<std::size_t>(it - allowed.begin());
    };
    data.cubic = choice("between", {"linear", "cubic"}) == 1;
    data.outside = static_cast<DataTable::Outside>(choice("outside", {"refuse", "hold", "extrapolate"}));
    const Entry *file = table.find("file"), *points = table.find("points");
    if ((file != nullptr) == (points != nullptr))
        fail(table.range(), "a table has a file or points, " + std::string(file ? "not both" : "it has neither"),
             "write u = { file = \"u.csv\" }");
    if (points && !points->value.is(Value::Kind::Array))
        fail(points->value.range(), "points must be a list", "write points = [[0, 1], [1, 3]]");
    if (points)
        read_data_list(data, points->value);
    else
        read_data_file(data, file->value, word("x"), word("y"));
}

// Beside the model, unless its path is absolute. The columns x and y are names of the first line, or numbers from 1.
void Reader::read_data_file(DataTable& data, const Value& file, const std::string& x, const std::string& y) {
    if (!file.is(Value::Kind::String)) fail(file.range(), "file must be a name in quotes", "write file = \"u.csv\"");
    const std::filesystem::path folder = std::filesystem::path(document_.source().name()).parent_path();
    const std::string path = (folder / std::string(file.text())).string();
    std::vector<Line> lines;
    try {
        lines = lines_of(Source::open(path));
    } catch (const ModelError& e) { fail(file.range(), path + ": " + e.message(), e.remedy()); }
    if (lines.empty()) fail(file.range(), path + " has no lines");
    const bool titled = !number_in(lines[0].cells[0]);
    const auto column = [&](const std::string& name, std::size_t otherwise) {
        if (name.empty()) return otherwise;
        const auto it = std::find(lines[0].cells.begin(), lines[0].cells.end(), name);
        if (titled && it != lines[0].cells.end()) return static_cast<std::size_t>(it - lines[0].cells.begin());
        const auto number = number_in(name);
        if (!number || *number < 1 || real::floor(*number) != *number)
            fail(file.range(), path + " has no column '" + name + "'",
                 titled ? suggestion(name, lines[0].cells, "columns are ") : "columns have the numbers 1, 2, ...");
        return static_cast<std::size_t>(*number) - 1;
    };
    const std::size_t at_x = column(x, 0), at_y = column(y, 1);
    for (std::size_t i = titled ? 1 : 0; i < lines.size(); ++i) {
        const auto& [number, cells] = lines[i];
        const auto value = [&, number = number, &row = cells](std::size_t at) {
            const auto found = at < row.size() ? number_in(row[at]) : std::nullopt;
            if (!found)
                fail(file.range(), path + ":" + std::to_string(number) + ": column " + std::to_string(at + 1) +
                                       (at < row.size() ? " is no number: '" + row[at] + "'" : " is missing"));
            return *found;
        };
        data.x.push_back(value(at_x)), data.y.push_back(value(at_y));
    }
}

} // namespace rattleback::model
