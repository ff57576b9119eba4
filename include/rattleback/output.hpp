// Results as CSV and JSON, steps as C.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include <rattleback/run.hpp>

namespace rattleback {

// A result that cannot be stored: what() says where and why.
struct CannotWrite : Error {
    using Error::Error;
};

// The nodes in run.record. Throws BadRun for a column that does not exist, CannotWrite when the file cannot be written.
void write_csv(const Run& run, std::FILE* to, const std::vector<std::string>& columns = {});
void write_csv(const Run& run, const std::string& file, const std::vector<std::string>& columns = {});

// A run as CSV while it goes on. Rows are written about once a second, or when 64 kB of them have come together, and
// only whole ones, so that a run which is killed leaves a file that can be read. An older file of that name stays until
// the first rows are written: a run that does not begin leaves it as it was.
class CsvWriter {
  public:
    // `file` "-" is standard output. Throws BadRun for a column that does not exist, CannotWrite.
    // `plain`: with names that programming languages take, x_dot for x'.
    CsvWriter(const std::string& file, const Run& run, const std::vector<std::string>& columns = {},
              bool plain = false);
    ~CsvWriter(); // writes what is left, and keeps quiet about errors
    CsvWriter(const CsvWriter&) = delete;
    CsvWriter& operator=(const CsvWriter&) = delete;

    void add(const NodeView& node); // call it from RunOptions::at_node
    void finish();                  // the last rows
    long long rows() const;         // that were added

  private:
    struct Rows;
    std::unique_ptr<Rows> rows_;
};

std::string summary_json(const Run& run); // one object

// A step of a method on a model, and its Jacobian, as C99; all names begin with `name`. Throws Unsuitable.
struct CSource {
    std::string header, source;
    std::string note; // where the method's own iteration is not what is written
};
// `step`: of methods whose start depends on it, such as shake; left out: the model's.
CSource export_c(const CompiledMethod& method, const std::string& name, const std::optional<double>& step = {});

} // namespace rattleback
