// CSV as `run` writes it, read again.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <unordered_set>

#include "output/report.hpp"

namespace rattleback {
namespace {

// A model of 100,000 sites has 300,000 columns, in lines of 8 MB.
constexpr std::size_t longest_line = std::size_t(64) << 20, most_columns = 1'000'000;

// Reads a line; throws where it does not end within the limit. A number that lost its last digits is still a number, so
// a line without a line break behind it is told apart.
enum class Line { whole, cut_short, none };
Line next_line(std::streambuf& from, std::string& line, const std::string& file) {
    constexpr int end = std::streambuf::traits_type::eof();
    line.clear();
    for (int c = from.sbumpc(); c != '\n'; c = from.sbumpc()) {
        if (c == end) return line.empty() ? Line::none : Line::cut_short;
        if (line.size() == longest_line) throw BadRun(file + " is no result: a line has more than 64 MiB");
        line += static_cast<char>(c);
    }
    return Line::whole;
}

// Names may be quoted. Empty: a quotation mark is not closed.
std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells{""};
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
            cells.back() += line[i++];
        else if (line[i] == '"')
            quoted = !quoted;
        else if (line[i] == ',' && !quoted)
            cells.emplace_back();
        else if (line[i] != '\r')
            cells.back() += line[i];
    }
    if (quoted) cells.clear();
    return cells;
}

// Groups and roles are guessed from names; what has a velocity is a coordinate.
ColumnGroup group_of(const std::string& name, const std::unordered_set<std::string>& all) {
    if (name == "t") return {name, ColumnGroup::time, {name}};
    if (name == "energy") return {name, ColumnGroup::invariant, {name}};
    if (name == "constraint") return {name, ColumnGroup::residual, {name}};
    if (name.rfind("lambda_h_", 0) == 0) return {"lambda_h", ColumnGroup::multiplier, {name}, {1}};
    if (name.rfind("lambda_", 0) == 0) return {"lambda", ColumnGroup::multiplier, {name}, {1}};
    const bool moves = all.contains(name + "'");
    const char* group = name.rfind("p_", 0) == 0               ? "p"
                        : !name.empty() && name.back() == '\'' ? "v"
                        : moves                                ? "q"
                                                               : "other";
    return {group, ColumnGroup::state, {name}, {1}};
}

} // namespace

StoredRows read_rows(const std::string& file) {
    std::ifstream from(file, std::ios::binary);
    if (!from) throw BadRun("cannot read " + file + ": " + std::strerror(errno));
    std::string line;
    if (next_line(*from.rdbuf(), line, file) == Line::none) throw BadRun(file + " is no result: it is empty");
    if (std::count(line.begin(), line.end(), ',') >= static_cast<std::ptrdiff_t>(most_columns))
        throw BadRun(file + " is no result: it has more than 1,000,000 columns");
    const std::vector<std::string> names = cells_of(line);
    if (names.size() < 2 || names[0] != "t")
        throw BadRun(file + " is no result: its first line must name columns, 't' before all others");
    Layout layout;
    const std::unordered_set<std::string> all(names.begin(), names.end());
    for (const std::string& name : names) layout.add(group_of(name, all));
    Record record(std::make_shared<const Layout>(std::move(layout)));
    std::vector<double> row(names.size());
    Line last = Line::whole;
    for (std::size_t number = 2; (last = next_line(*from.rdbuf(), line, file)) == Line::whole; ++number) {
        const auto where = [&] { return file + ":" + std::to_string(number) + ": "; };
        const auto count = static_cast<std::size_t>(std::count(line.begin(), line.end(), ',')) + 1;
        if (count != names.size())
            throw BadRun(where() + std::to_string(count) + " numbers, the first line names " +
                         std::to_string(names.size()) + "; is the file cut short?");
        const std::vector<std::string> cells = cells_of(line);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (i >= cells.size()) throw BadRun(where() + "a comma in quotes, or quotes that do not end");
            const char* end = cells[i].data() + cells[i].size();
            const auto [at, error] = std::from_chars(cells[i].data(), end, row[i]);
            if (error != std::errc() || at != end || !std::isfinite(row[i]))
                throw BadRun(where() + "'" + cells[i] + "' is no finite number");
        }
        record.append(row);
    }
    if (record["t"].rows() == 0) throw BadRun(file + " is no result: it has no rows");
    return {std::move(record), last == Line::cut_short};
}

ReportRun read_csv(const std::string& file) {
    const StoredRows stored = read_rows(file);
    ReportRun run;
    run.file = file, run.status = "read from " + file;
    if (stored.cut_short)
        run.note = "The last line of " + file + " is cut short and left out; " +
                   std::to_string(stored.record["t"].rows()) + " whole rows are read.";
    add_columns(stored.record, run);
    return run;
}

} // namespace rattleback
