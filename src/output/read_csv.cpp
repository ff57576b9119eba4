// CSV as `run` writes it, read again.
#include <cerrno>
#include <charconv>
#include <cmath>
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

const char* group_of(const std::string& name) {
    if (name == "energy") return "energy";
    if (name == "constraint") return "constraint";
    if (name.rfind("lambda_", 0) == 0) return "lambda";
    if (name.rfind("p_", 0) == 0) return "p";
    if (!name.empty() && name.back() == '\'') return "v";
    return "other";
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
    ReportRun run;
    run.file = file, run.status = "read from " + file;
    for (std::size_t i = 1; i < names.size(); ++i) run.columns.push_back({names[i], group_of(names[i]), {}});
    // What has a velocity is a coordinate.
    for (ReportColumn& c : run.columns)
        for (const ReportColumn& other : run.columns)
            if (other.name == c.name + "'") c.group = "q";
    for (std::size_t number = 2; std::getline(from, line); ++number) {
        const std::vector<std::string> cells = cells_of(line);
        const auto where = [&] { return file + ":" + std::to_string(number) + ": "; };
        if (cells.size() != names.size())
            throw BadRun(where() + std::to_string(cells.size()) + " numbers, the first line names " +
                         std::to_string(names.size()) + "; is the file cut short?");
        for (std::size_t i = 0; i < cells.size(); ++i) {
            double x = 0;
            const char* end = cells[i].data() + cells[i].size();
            const auto [at, error] = std::from_chars(cells[i].data(), end, x);
            if (error != std::errc() || at != end) throw BadRun(where() + "'" + cells[i] + "' is no number");
            (i == 0 ? run.t : run.columns[i - 1].values).push_back(x);
        }
    }
    if (run.t.empty()) throw BadRun(file + " is no result: it has no rows");
    for (ReportColumn& c : run.columns)
        if (c.name == "energy") {
            const double first = c.values[0];
            c.name = "energy error";
            for (double& e : c.values) e -= first;
        } else if (c.name == "constraint") {
            c.name = "constraint residual";
        }
    return run;
}

} // namespace rattleback
