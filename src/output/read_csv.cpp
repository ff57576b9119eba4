// CSV as `run` writes it, read again.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include "output/report.hpp"

namespace rattleback {
namespace {

std::vector<std::string> cells_of(const std::string& line) { // names may be quoted
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
    return cells;
}

// Groups and roles are guessed from names; what has a velocity is a coordinate.
ColumnGroup group_of(const std::string& name, const std::vector<std::string>& all) {
    if (name == "t") return {name, ColumnGroup::time, {name}};
    if (name == "energy") return {name, ColumnGroup::invariant, {name}};
    if (name == "constraint") return {name, ColumnGroup::residual, {name}};
    if (name.rfind("lambda_", 0) == 0) return {"lambda", ColumnGroup::multiplier, {name}, {1}};
    const bool moves = std::find(all.begin(), all.end(), name + "'") != all.end();
    const char* group = name.rfind("p_", 0) == 0               ? "p"
                        : !name.empty() && name.back() == '\'' ? "v"
                        : moves                                ? "q"
                                                               : "other";
    return {group, ColumnGroup::state, {name}, {1}};
}

} // namespace

ReportRun read_csv(const std::string& file) {
    std::ifstream from(file, std::ios::binary);
    if (!from) throw BadRun("cannot read " + file + ": " + std::strerror(errno));
    std::string line;
    if (!std::getline(from, line)) throw BadRun(file + " is no result: it is empty");
    const std::vector<std::string> names = cells_of(line);
    if (names[0] != "t" || names.size() < 2)
        throw BadRun(file + " is no result: its first line must name columns, 't' before all others");
    Layout layout;
    for (const std::string& name : names) layout.add(group_of(name, names));
    Record record(std::make_shared<const Layout>(std::move(layout)));
    std::vector<double> row(names.size());
    bool cut_short = false; // a number that lost its last digits is still a number
    for (std::size_t number = 2; std::getline(from, line); ++number) {
        cut_short = from.eof(); // no newline behind it
        if (cut_short) break;
        const std::vector<std::string> cells = cells_of(line);
        const auto where = [&] { return file + ":" + std::to_string(number) + ": "; };
        if (cells.size() != names.size())
            throw BadRun(where() + std::to_string(cells.size()) + " numbers, the first line names " +
                         std::to_string(names.size()) + "; is the file cut short?");
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const char* end = cells[i].data() + cells[i].size();
            const auto [at, error] = std::from_chars(cells[i].data(), end, row[i]);
            if (error != std::errc() || at != end) throw BadRun(where() + "'" + cells[i] + "' is no number");
        }
        record.append(row);
    }
    if (record["t"].rows() == 0) throw BadRun(file + " is no result: it has no rows");
    ReportRun run;
    run.file = file, run.status = "read from " + file;
    if (cut_short)
        run.note = "The last line of " + file + " is cut short and left out; " + std::to_string(record["t"].rows()) +
                   " whole rows are read.";
    add_columns(record, run);
    return run;
}

} // namespace rattleback
