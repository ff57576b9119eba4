// The report page: one HTML file with the numbers of a few runs inside, and the program that draws them.
#pragma once

#include <rattleback/output.hpp>

namespace rattleback {

// A run as a page takes it: columns of numbers, whether they come from a run, a CSV file or an HDF5 file.
struct ReportColumn {
    std::string name, group; // of a record's group, or other
    ColumnGroup::Role role;
    std::vector<double> values;
};
struct ReportRun {
    std::string method, file, status; // file: where the full data are; may be empty
    std::string note = {};            // what is missing, as a sentence; mostly nothing
    std::vector<double> t;
    std::vector<ReportColumn> columns;
    std::vector<std::pair<std::string, std::string>> summary; // in words
};
ReportRun report_run(const Run& run);
// What a page shows of a record: first what should be kept, as errors, then the motion.
void add_columns(const Record& record, ReportRun& run);
// The numbers of a page. `json`: what summary_json wrote; empty: the run was not finished.
void add_facts(const std::string& json, const Origin& origin, ReportRun& run);

struct ReportTable {
    std::string title;
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows;
};
struct WorkPrecision { // of one method: seconds a unit of time, and the error they buy
    std::string method;
    std::vector<double> cost, error;
};

struct ReportPage {
    std::string kind;        // run, compare, verify, papers, report
    std::string title, note; // note: one sentence below the title
    std::string command;
    const Model* model = nullptr; // its text, and what to draw
    std::vector<ReportRun> runs;
    std::vector<ReportTable> tables;
    std::vector<WorkPrecision> work;
};

// What the page shows of it: series with at most `pairs` minima and maxima, paths and pictures with fewer nodes.
std::string report_json(const ReportPage& page);
// `script` and `style` are what web/ was bundled to.
std::string report_html(const ReportPage& page, std::string_view script, std::string_view style);

// A CSV file as `run` writes it; throws BadRun with its name and what is wrong.
struct StoredRows {
    Record record;
    bool cut_short = false; // its last line is, and is left out
};
StoredRows read_rows(const std::string& file);
ReportRun read_csv(const std::string& file);

// For each pair of numbers the smallest and the largest of as many nodes, in the order in which they came.
struct MinMax {
    std::vector<double> t;
    std::vector<std::vector<double>> values; // of each column
};
MinMax decimate(const std::vector<double>& t, const std::vector<const std::vector<double>*>& columns,
                std::size_t pairs);

} // namespace rattleback
