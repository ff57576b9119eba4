// Any bytes are a formula or a SyntaxError that points into them.
//
//     clang++ -std=c++20 -O1 -g -fsanitize=fuzzer,address,undefined -Iinclude test/fuzz/syntax_fuzz.cpp
//             src/expr/syntax.cpp src/expr/lexer.cpp -o syntax_fuzz
//     ./syntax_fuzz -dict=test/fuzz/formula.dict new_corpus test/fuzz/corpus/syntax
// In every full test run: -runs=400000
#include "../expr/syntax_text.hpp"

#include <cstddef>
#include <cstdlib>

using namespace rattleback::syntax;

namespace {

void require(bool holds) {
    if (!holds) std::abort();
}

// Of each node: how many are its parent (every one but the root and the bounds of the loop has exactly one).
void check(const Tree& tree) {
    require(!tree.nodes.empty());
    std::vector<int> parents(tree.nodes.size(), 0);
    for (std::uint32_t k = 0; k < tree.nodes.size(); ++k) {
        const Node& n = tree.nodes[k];
        require(n.begin < n.end && n.end <= tree.text.size());
        require(n.first <= tree.children.size() && n.count <= tree.children.size() - n.first);
        for (const std::uint32_t c : tree.children_of(n)) {
            require(c < k);
            require(n.begin <= tree.nodes[c].begin && tree.nodes[c].end <= n.end);
            ++parents[c];
        }
        const bool named = n.kind == Kind::Name || n.kind == Kind::Index || n.kind == Kind::Call;
        if (!named) continue;
        const Range r = tree.name_range(n);
        require(tree.text.substr(r.begin, r.end - r.begin) == tree.name_of(n));
    }
    if (tree.loop) {
        require(tree.loop->begin < tree.loop->end && tree.loop->end <= tree.text.size());
        require(tree.loop->lo < tree.loop->hi && tree.loop->hi < tree.root());
        ++parents[tree.loop->lo];
        ++parents[tree.loop->hi];
    }
    ++parents[tree.root()];
    for (const int p : parents) require(p == 1);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    Tree tree;
    try {
        tree = parse(text);
    } catch (const SyntaxError& e) {
        require(e.begin <= e.end && e.end <= size);
        require(e.begin < e.end || size == 0);
        require(*e.what() != '\0' && !e.remedy.empty());
        return 0;
    }
    require(tree.text == text);
    check(tree);
    const std::string once = to_text(tree);
    const Tree again = parse(once); // must not throw
    check(again);
    require(to_text(again) == once);
    require(again.nodes.size() == tree.nodes.size());
    for (std::size_t k = 0; k < tree.nodes.size(); ++k) {
        const Node &a = tree.nodes[k], &b = again.nodes[k];
        require(a.kind == b.kind && a.op == b.op && a.count == b.count);
        require(tree.number_of(a) == again.number_of(b));
    }
    return 0;
}
