#include <rattleback/output.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace rattleback {
namespace {

using Columns = std::vector<Record::Column>;

Columns chosen_columns(const Run& run, const std::vector<std::string>& wanted) {
    const Columns columns = run.record.columns();
    if (wanted.empty()) return columns;
    Columns chosen;
    for (const std::string& name : wanted) {
        const auto it = std::find_if(columns.begin(), columns.end(), [&](const auto& c) { return c.name == name; });
        if (it == columns.end()) {
            std::string list;
            for (std::size_t i = 0; i < columns.size() && i < 12; ++i)
                list += (i ? ", " : "") + std::string(columns[i].name);
            throw BadRun("there is no column '" + name + "'; columns are " + list +
                         (columns.size() > 12 ? ", ..." : ""));
        }
        chosen.push_back(*it);
    }
    return chosen;
}

std::string quoted(std::string_view s) { // names may hold commas or quotes
    if (s.find_first_of(",\"\n") == s.npos) return std::string(s);
    std::string r = "\"";
    for (char c : s) r += c == '"' ? std::string("\"\"") : std::string(1, c);
    return r + "\"";
}

} // namespace

void check_columns(const Run& run, const std::vector<std::string>& columns) { chosen_columns(run, columns); }

void write_csv(const Run& run, std::FILE* to, const std::vector<std::string>& wanted) {
    const Columns columns = chosen_columns(run, wanted);
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) line += (i ? "," : "") + quoted(columns[i].name);
    line += "\n";
    bool ok = std::fputs(line.c_str(), to) >= 0;
    char buffer[32];
    for (std::size_t row = 0; row < run.t.size() && ok; ++row) {
        line.clear();
        for (std::size_t i = 0; i < columns.size(); ++i) {
            std::snprintf(buffer, sizeof buffer, "%.17g", columns[i][row]);
            if (i) line += ',';
            line += buffer;
        }
        line += '\n';
        ok = std::fputs(line.c_str(), to) >= 0;
    }
    if (!ok || std::fflush(to) != 0)
        throw CannotWrite(std::string("cannot write the results: ") + std::strerror(errno));
}

void write_csv(const Run& run, const std::string& file, const std::vector<std::string>& columns) {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> to(std::fopen(file.c_str(), "w"), std::fclose);
    if (!to) throw CannotWrite("cannot write '" + file + "': " + std::strerror(errno));
    write_csv(run, to.get(), columns);
}

} // namespace rattleback
