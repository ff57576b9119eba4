#include "output/plain_name.hpp"

namespace rattleback {

std::string plain_name(std::string_view name) {
    std::string plain;
    for (char c : name) {
        const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (c == '\'')
            plain += "_dot";
        else if (word)
            plain += c;
        else if (c != ']')
            plain += '_';
    }
    return plain.empty() || (plain[0] >= '0' && plain[0] <= '9') ? "_" + plain : plain;
}

} // namespace rattleback
