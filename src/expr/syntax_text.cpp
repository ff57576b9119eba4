// Error messages of formulas, and their canonical text.
#include "syntax.hpp"

#include <iterator>

namespace rattleback::syntax {
namespace {

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

constexpr bool in_order() {
    for (std::size_t k = 0; k < std::size(fault_texts); ++k)
        if (fault_texts[k].fault != static_cast<Fault>(k)) return false;
    return std::size(fault_texts) == static_cast<std::size_t>(Fault::LoopIn) + 1;
}
static_assert(in_order());

// Writes what stands before the first child of a node, between two children, or after the last.
void write_around_child(const Tree& tree, const Node& n, std::uint32_t next, std::string& out) {
    const bool begins = next == 0, ends = next == n.count;
    switch (n.kind) {
    case Kind::Number: out += tree.text_of(n); break;
    case Kind::Name: out += tree.name_of(n); break;
    case Kind::Prime: out += begins ? "" : "'"; break;
    case Kind::Index: out += begins ? tree.name_of(n) + "[" : ends ? "]" : ", "; break;
    case Kind::Call: out += begins ? tree.name_of(n) + "(" : ends ? ")" : ", "; break;
    case Kind::List: out += begins ? "[" : ends ? "]" : ", "; break;
    case Kind::Minus: out += begins ? "(-" : ")"; break;
    case Kind::Sum: out += begins ? "sum(" + tree.name_of(n) + " in " : ends ? ")" : next == 1 ? " .. " : ": "; break;
    default: // two sides
        if (begins || ends)
            out += begins ? "(" : ")";
        else
            out.append(" ").append(spelling(n.op)).append(" ");
    }
}

void write(const Tree& tree, std::uint32_t root, std::string& out) {
    struct Visit {
        std::uint32_t node, next;
    };
    std::vector<Visit> visits{{root, 0}};
    while (!visits.empty()) {
        auto& [node, next] = visits.back();
        const Node& n = tree.nodes[node];
        write_around_child(tree, n, next, out);
        if (next == n.count)
            visits.pop_back();
        else
            visits.push_back({tree.children[n.first + next++], 0});
    }
}

} // namespace

SyntaxError::SyntaxError(Fault what_is_wrong, Range where, std::string_view text0, std::string_view text1)
    : Error(filled(fault_texts[static_cast<std::size_t>(what_is_wrong)].message, text0, text1)), fault(what_is_wrong),
      begin(where.begin), end(where.end),
      remedy(filled(fault_texts[static_cast<std::size_t>(fault)].remedy, text0, text1)) {}

std::string_view spelling(Op op) {
    constexpr std::string_view words[] = {"", "or", "and", "<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "/", "^"};
    return words[static_cast<std::size_t>(op)];
}

std::string to_text(const Tree& tree) {
    std::string out;
    write(tree, tree.root(), out);
    if (!tree.loop) return out;
    out += " for " + tree.names[tree.loop->name] + " in ";
    write(tree, tree.loop->lo, out);
    out += " .. ";
    write(tree, tree.loop->hi, out);
    return out;
}

} // namespace rattleback::syntax
