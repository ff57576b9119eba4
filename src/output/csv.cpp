#include <rattleback/output.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>

namespace rattleback {
namespace {

struct Column {
    std::string name;
    const Table* table;                // or
    const std::vector<double>* single; // one number a row
    std::size_t index;
};

std::vector<Column> all_columns(const Run& run) {
    std::vector<Column> columns{{"t", nullptr, &run.t, 0}};
    const auto add = [&](const std::vector<std::string>& names, const Table& table) {
        for (std::size_t i = 0; i < names.size(); ++i) columns.push_back({names[i], &table, nullptr, i});
    };
    add(run.z_names, run.z);
    add(run.q_names, run.q), add(run.v_names, run.v), add(run.p_names, run.p);
    add(run.lambda_names, run.lambda);
    columns.push_back({"energy", nullptr, &run.energies, 0});
    columns.push_back({"constraint", nullptr, &run.constraints, 0});
    add(run.momentum_names, run.momenta);
    add(run.observable_names, run.observables);
    return columns;
}

std::vector<Column> chosen_columns(const Run& run, const std::vector<std::string>& wanted) {
    const std::vector<Column> columns = all_columns(run);
    if (wanted.empty()) return columns;
    std::vector<Column> chosen;
    for (const std::string& name : wanted) {
        const auto it = std::find_if(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; });
        if (it == columns.end()) {
            std::string list;
            for (std::size_t i = 0; i < columns.size() && i < 12; ++i) list += (i ? ", " : "") + columns[i].name;
            throw BadRun("there is no column '" + name + "'; columns are " + list +
                         (columns.size() > 12 ? ", ..." : ""));
        }
        chosen.push_back(*it);
    }
    return chosen;
}

std::string quoted(const std::string& s) { // names may hold commas or quotes
    if (s.find_first_of(",\"\n") == std::string::npos) return s;
    std::string r = "\"";
    for (char c : s) r += c == '"' ? std::string("\"\"") : std::string(1, c);
    return r + "\"";
}

} // namespace

void check_columns(const Run& run, const std::vector<std::string>& columns) { chosen_columns(run, columns); }

std::vector<std::string> csv_columns(const Run& run) {
    std::vector<std::string> names;
    for (const Column& c : all_columns(run)) names.push_back(c.name);
    return names;
}

void write_csv(const Run& run, std::FILE* to, const std::vector<std::string>& wanted) {
    const std::vector<Column> columns = chosen_columns(run, wanted);
    std::string line;
    for (std::size_t i = 0; i < columns.size(); ++i) line += (i ? "," : "") + quoted(columns[i].name);
    line += "\n";
    bool ok = std::fputs(line.c_str(), to) >= 0;
    char buffer[32];
    for (std::size_t row = 0; row < run.t.size() && ok; ++row) {
        line.clear();
        for (std::size_t i = 0; i < columns.size(); ++i) {
            const Column& c = columns[i];
            std::snprintf(buffer, sizeof buffer, "%.17g", c.single ? (*c.single)[row] : (*c.table)(row, c.index));
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
