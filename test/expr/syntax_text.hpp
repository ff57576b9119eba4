// The canonical text of a formula's tree: one form for each tree, all brackets written, which parses to the same tree.
#pragma once

#include "../../src/expr/syntax.hpp"

namespace rattleback::syntax {

inline std::string_view spelling(Op op) {
    constexpr std::string_view words[] = {"", "or", "and", "<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "/", "^"};
    return words[static_cast<std::size_t>(op)];
}

// Writes what stands before the first child of a node, between two children, or after the last.
inline void write_around_child(const Tree& tree, const Node& n, std::uint32_t next, std::string& out) {
    const bool begins = next == 0, ends = next == n.count;
    switch (n.kind) {
    case Kind::Number: out += tree.text_of(n); break;
    case Kind::Name: out += tree.name_of(n); break;
    case Kind::Prime: out += begins ? "" : "'"; break;
    case Kind::Index: out += begins ? tree.name_of(n) + "[" : ends ? "]" : ", "; break;
    case Kind::Entry: out += begins ? "(" : ends ? "]" : next == 1 ? ")[" : ", "; break;
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

inline void write(const Tree& tree, std::uint32_t root, std::string& out) {
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

inline std::string to_text(const Tree& tree) {
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
