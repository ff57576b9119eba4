// The keys of model files: one table for the reader, which refuses all others, and for the schema that editors read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback::model {

enum class KeyKind {
    text,     // a string
    formula,  // a string with a formula, or a number
    whole,    // a whole number
    names,    // a list of strings
    formulas, // a table of formulas by name, or a list of them
    matrix,   // a list of lists of numbers or formulas
    table,    // a table with keys of its own, which are below
    named,    // a table whose keys are names that the model chooses
    anything  // what its help says
};

struct KeyInfo {
    std::string_view table; // empty: at the top of a model
    std::string_view key;
    KeyKind kind;
    std::string_view help;
};

std::span<const KeyInfo> all_keys();
std::vector<std::string> keys_of(std::string_view table); // in the order in which messages list them

} // namespace rattleback::model
