// Results as CSV and JSON, steps as C.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include <rattleback/run.hpp>

namespace rattleback {

// A result that cannot be stored: what() says where and why.
struct CannotWrite : Error {
    using Error::Error;
};

// Throws BadRun for a column that does not exist.
void check_columns(const Run& run, const std::vector<std::string>& columns);
// Throws BadRun for a column that does not exist, CannotWrite when the file cannot be written.
void write_csv(const Run& run, std::FILE* to, const std::vector<std::string>& columns = {});
void write_csv(const Run& run, const std::string& file, const std::vector<std::string>& columns = {});

std::string summary_json(const Run& run); // one object

// A step of a method on a model, and its Jacobian, as C99; all names begin with `name`. Throws Unsuitable.
struct CSource {
    std::string header, source;
};
CSource export_c(const CompiledMethod& method, const std::string& name);

} // namespace rattleback
