// What a CSV file cannot say: FILE.csv.json beside it has the model, its parameters and start, the method and the
// summary. CSV itself stays a line of names and rows of numbers, since readers of CSV do not agree on comments.
#pragma once

#include <string>

#include <rattleback/run.hpp>

namespace rattleback {

std::string sidecar_of(const std::string& csv);             // its name
void write_sidecar(const std::string& csv, const Run& run); // throws CannotWrite
// What is beside a CSV file. Throws BadRun where that is no such file.
struct Sidecar {
    bool found = false;
    std::string why_not; // nothing is there, or what belongs to another file of that name
    Origin origin;
    std::string summary; // as summary_json writes it
};
Sidecar read_sidecar(const std::string& csv);

} // namespace rattleback
