#include <rattleback/output.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "output/coarse_clock.hpp"
#include "output/number_text.hpp"
#include "output/output_file.hpp"
#include "output/plain_name.hpp"

#include "expr/shown.hpp"

namespace rattleback {
namespace {

// NOTE: files of 1e6 rows take as long with 1 MB as with 64 kB; a reader of a pipe gets rows sooner with less.
constexpr std::size_t bytes_at_once = 64 * 1024;
constexpr std::chrono::seconds between_writes(1);

std::vector<std::string_view> names_of(const Layout& layout) {
    std::vector<std::string_view> names;
    for (const ColumnGroup& g : layout.groups) names.insert(names.end(), g.columns.begin(), g.columns.end());
    return names;
}

// Places in a row of all columns.
std::vector<std::size_t> chosen_columns(const Layout& layout, const std::vector<std::string>& wanted) {
    const std::vector<std::string_view> names = names_of(layout);
    std::vector<std::size_t> chosen;
    if (wanted.empty())
        for (std::size_t i = 0; i < names.size(); ++i) chosen.push_back(i);
    for (const std::string& name : wanted) {
        const auto it = std::find(names.begin(), names.end(), name);
        if (it == names.end()) {
            std::string list;
            for (std::size_t i = 0; i < names.size() && i < 12; ++i) list += (i ? ", " : "") + std::string(names[i]);
            throw BadRun("there is no column '" + name + "'; columns are " + list + (names.size() > 12 ? ", ..." : ""));
        }
        chosen.push_back(static_cast<std::size_t>(it - names.begin()));
    }
    return chosen;
}

std::string quoted(std::string_view name) { // names may hold commas or quotes
    const std::string s = shown(name);
    if (s.find_first_of(",\"") == s.npos) return s;
    std::string r = "\"";
    for (char c : s) r += c == '"' ? std::string("\"\"") : std::string(1, c);
    return r + "\"";
}

std::string head_line(const Layout& layout, const std::vector<std::size_t>& columns, bool plain = false) {
    const std::vector<std::string_view> names = names_of(layout);
    std::string line;
    for (std::size_t i : columns) line += (line.empty() ? "" : ",") + (plain ? plain_name(names[i]) : quoted(names[i]));
    return line + "\n";
}

// Lines in memory that stays.
class Lines {
  public:
    explicit Lines(std::string_view head) : text_(head.begin(), head.end()), size_(head.size()) {}

    void add(const std::vector<std::size_t>& columns, const std::vector<double>& row) {
        const std::size_t most = size_ + columns.size() * (longest_number + 1);
        if (most > text_.size()) text_.resize(2 * most);
        char* end = text_.data() + size_;
        for (std::size_t i : columns) {
            end = write_number(end, row[i]);
            *end++ = ',';
        }
        end[-1] = '\n';
        size_ = static_cast<std::size_t>(end - text_.data());
    }
    std::size_t size() const { return size_; }
    std::string_view take() { return {text_.data(), std::exchange(size_, 0)}; } // until the next line is added

  private:
    std::vector<char> text_;
    std::size_t size_;
};

std::vector<double> row_of(const Record& record, std::size_t k) {
    std::vector<double> row;
    for (std::size_t g = 0; g < record.layout().groups.size(); ++g) {
        const auto part = record.table(g).row(k);
        row.insert(row.end(), part.begin(), part.end());
    }
    return row;
}

} // namespace

struct CsvWriter::Rows {
    OutputFile file;
    std::vector<std::size_t> columns;
    Lines lines; // that are still to be written
    CoarseClock::time_point last_write = CoarseClock::now();
    long long count = 0;

    void add(const std::vector<double>& row) {
        lines.add(columns, row);
        ++count;
    }
    void write() {
        last_write = CoarseClock::now();
        if (lines.size() > 0) file.append(lines.take()); // not again, should it fail
    }
};

CsvWriter::CsvWriter(const std::string& file, const Run& run, const std::vector<std::string>& columns, bool plain) {
    const Layout& layout = run.record.layout();
    const std::vector<std::size_t> chosen = chosen_columns(layout, columns);
    rows_.reset(new Rows{OutputFile(file), chosen, Lines(head_line(layout, chosen, plain))});
}

CsvWriter::~CsvWriter() {
    try {
        finish();
    } catch (const std::exception&) {} // NOLINT(bugprone-empty-catch): the error that ends the run is on its way
}

long long CsvWriter::rows() const { return rows_->count; }

void CsvWriter::add(const NodeView& node) {
    rows_->add(node.row.values);
    if (rows_->lines.size() >= bytes_at_once || CoarseClock::now() - rows_->last_write >= between_writes)
        rows_->write();
}

// A run without rows leaves an older file as it is.
void CsvWriter::finish() {
    if (rows_->count > 0) rows_->write();
}

namespace {

// The whole record, in pieces of whole lines.
template <class Put> void write_record(const Run& run, const std::vector<std::string>& wanted, const Put& put) {
    const std::vector<std::size_t> columns = chosen_columns(run.record.layout(), wanted);
    Lines lines(head_line(run.record.layout(), columns));
    for (std::size_t k = 0; k < run.t.rows(); ++k) {
        lines.add(columns, row_of(run.record, k));
        if (lines.size() >= bytes_at_once) put(lines.take());
    }
    put(lines.take());
}

} // namespace

void write_csv(const Run& run, std::FILE* to, const std::vector<std::string>& columns) {
    bool ok = true;
    write_record(run, columns, [&](std::string_view lines) {
        ok = ok && std::fwrite(lines.data(), 1, lines.size(), to) == lines.size();
    });
    if (!ok || std::fflush(to) != 0)
        throw CannotWrite(std::string("cannot write the results: ") + std::strerror(errno));
}

void write_csv(const Run& run, const std::string& file, const std::vector<std::string>& columns) {
    OutputFile to(file);
    write_record(run, columns, [&](std::string_view lines) { to.append(lines); });
}

} // namespace rattleback
