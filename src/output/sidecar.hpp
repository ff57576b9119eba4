// What a CSV file cannot say: FILE.csv.json beside it has the model, its parameters and start, the method and the
// summary. CSV itself stays a line of names and rows of numbers, since readers of CSV do not agree on comments.
#pragma once

#include <optional>

#include <rattleback/run.hpp>

namespace rattleback {

std::string sidecar_of(const std::string& csv);             // its name
void write_sidecar(const std::string& csv, const Run& run); // throws CannotWrite
// What is beside a CSV file; empty: nothing is, or what belongs to an older file of that name. Throws BadRun where that
// is no such file.
struct Sidecar {
    Origin origin;
    std::string summary; // as summary_json writes it
};
std::optional<Sidecar> read_sidecar(const std::string& csv);

} // namespace rattleback
