// The messages of what is wrong with a formula.
#include "expr/syntax.hpp"

namespace rattleback::syntax {
namespace {

constexpr struct {
    std::string_view message, remedy;
} fault_texts[] = {
#define FAULT(name, message, remedy) {message, remedy},
#include "faults.def"
#undef FAULT
};

std::string filled(std::string_view pattern, std::string_view text0, std::string_view text1) {
    constexpr std::size_t most = 40; // bytes of a long name or number to show
    std::string out;
    for (std::size_t k = 0; k < pattern.size(); ++k) {
        const std::string_view rest = pattern.substr(k);
        const bool zero = rest.starts_with("{0}");
        if (!zero && !rest.starts_with("{1}")) {
            out += pattern[k];
            continue;
        }
        out += zero ? text0.substr(0, most) : text1;
        if (zero && text0.size() > most) out += "...";
        k += 2;
    }
    return out;
}

} // namespace

SyntaxError::SyntaxError(Fault what_is_wrong, Range where, std::string_view text0, std::string_view text1)
    : Error(filled(fault_texts[static_cast<std::size_t>(what_is_wrong)].message, text0, text1)), fault(what_is_wrong),
      begin(where.begin), end(where.end),
      remedy(filled(fault_texts[static_cast<std::size_t>(fault)].remedy, text0, text1)) {}

} // namespace rattleback::syntax
