#include "expr/written_out.hpp"

#include "expr/elaborate.hpp"

namespace rattleback::syntax {
namespace {

constexpr std::size_t most_nodes = 20'000'000;

// Where the text of each node's subtree begins among the nodes: children stand right before their parents.
std::vector<std::uint32_t> starts_of(const Tree& tree) {
    std::vector<std::uint32_t> start(tree.nodes.size());
    for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
        const auto children = tree.children_of(tree.nodes[i]);
        start[i] = children.empty() ? i : start[children[0]];
    }
    return start;
}

bool names(const Tree& tree, const Node& n, const std::string& name) {
    return n.kind == Kind::Name && tree.name_of(n) == name;
}

bool has_row_index(const Tree& tree, const std::vector<std::uint32_t>& start, std::uint32_t from, std::uint32_t to,
                   const std::string& index, const HasRows& has_rows) {
    for (std::uint32_t i = from; i <= to; ++i) {
        const Node& n = tree.nodes[i];
        if (n.kind != Kind::Index || !has_rows(tree.name_of(n), n.count)) continue;
        const std::uint32_t first = tree.children_of(n)[0];
        for (std::uint32_t k = start[first]; k <= first; ++k)
            if (names(tree, tree.nodes[k], index)) return true;
    }
    return false;
}

// Marks the nodes in from..to at which the name has the meaning it has outside.
std::vector<bool> free_places(const Tree& tree, const std::vector<std::uint32_t>& start, std::uint32_t from,
                              std::uint32_t to, const std::string& name) {
    std::vector<bool> free(to - from + 1, true);
    for (std::uint32_t i = from; i <= to; ++i) {
        const Node& n = tree.nodes[i];
        if (n.kind != Kind::Sum || tree.name_of(n) != name) continue;
        const std::uint32_t body = tree.children_of(n)[2];
        for (std::uint32_t k = start[body]; k <= body; ++k) free[k - from] = false;
    }
    return free;
}

// A tree under construction, from pieces of another.
class Copy {
  public:
    explicit Copy(const Tree& from) : from_(from) {
        tree_.text = from.text, tree_.names = from.names, tree_.numbers = from.numbers;
        tree_.loop = from.loop, tree_.inner = from.inner;
    }

    std::uint32_t number(const Node& like, int value) {
        Node n{.begin = like.begin, .end = like.end, .kind = Kind::Number};
        n.name = static_cast<std::uint32_t>(tree_.numbers.size());
        tree_.numbers.push_back(static_cast<quad>(value));
        return add(n);
    }
    // One node, with children at their places in the copy.
    template <class Place> std::uint32_t node(const Node& n, const Place& place) {
        Node copy = n;
        copy.first = static_cast<std::uint32_t>(tree_.children.size());
        for (std::uint32_t child : from_.children_of(n)) tree_.children.push_back(place(child));
        return add(copy);
    }
    std::uint32_t sum_of_two(const Node& like, std::uint32_t x, std::uint32_t y) {
        Node n{.begin = like.begin, .end = like.end, .kind = Kind::Binary, .op = Op::Add};
        n.first = static_cast<std::uint32_t>(tree_.children.size());
        n.count = 2;
        tree_.children.push_back(x), tree_.children.push_back(y);
        return add(n);
    }
    std::uint32_t size() const { return static_cast<std::uint32_t>(tree_.nodes.size()); }
    Tree take() { return std::move(tree_); }

  private:
    std::uint32_t add(const Node& n) {
        tree_.nodes.push_back(n);
        return size() - 1;
    }
    const Tree& from_;
    Tree tree_;
};

// The sum at `at` in place of its terms, one for each number lo..hi.
Tree written_out(const Tree& tree, const std::vector<std::uint32_t>& start, std::uint32_t at, int lo, int hi) {
    const Node& sum = tree.nodes[at];
    const std::uint32_t body = tree.children_of(sum)[2], from = start[body], begin = start[at];
    const double size = (static_cast<double>(hi) - lo + 1) * (body - from + 2) + static_cast<double>(tree.nodes.size());
    if (size > static_cast<double>(most_nodes)) throw SyntaxError(Fault::TooLong, {sum.begin, sum.end});
    const std::vector<bool> free = free_places(tree, start, from, body, tree.name_of(sum));
    Copy copy(tree);
    for (std::uint32_t i = 0; i < begin; ++i) copy.node(tree.nodes[i], [](std::uint32_t child) { return child; });
    std::uint32_t total = 0;
    for (int value = lo; value <= hi; ++value) {
        const std::uint32_t offset = copy.size();
        for (std::uint32_t i = from; i <= body; ++i) {
            const Node& n = tree.nodes[i];
            if (free[i - from] && names(tree, n, tree.name_of(sum)))
                copy.number(n, value);
            else
                copy.node(n, [&](std::uint32_t child) { return child - from + offset; });
        }
        const std::uint32_t term = copy.size() - 1;
        total = value == lo ? term : copy.sum_of_two(sum, total, term);
    }
    if (hi < lo) total = copy.number(sum, 0);
    for (std::uint32_t i = at + 1; i < tree.nodes.size(); ++i)
        copy.node(tree.nodes[i], [&](std::uint32_t child) {
            return child < begin ? child : child == at ? total : child - at + total;
        });
    return copy.take();
}

} // namespace

bool is_row_index(const Tree& tree, const std::string& index, const HasRows& has_rows) {
    return has_row_index(tree, starts_of(tree), 0, tree.root(), index, has_rows);
}

Tree with_number(const Tree& tree, const std::string& name, int number) {
    const std::vector<bool> free = free_places(tree, starts_of(tree), 0, tree.root(), name);
    Copy copy(tree);
    for (std::uint32_t i = 0; i <= tree.root(); ++i) {
        if (free[i] && names(tree, tree.nodes[i], name))
            copy.number(tree.nodes[i], number);
        else
            copy.node(tree.nodes[i], [](std::uint32_t child) { return child; });
    }
    return copy.take();
}

Tree with_rows_written_out(const Tree& from, const HasRows& has_rows, const WholeNumber& value) {
    Copy same(from);
    for (const Node& n : from.nodes) same.node(n, [](std::uint32_t child) { return child; });
    Tree tree = same.take();
    for (;;) {
        const std::vector<std::uint32_t> start = starts_of(tree);
        std::optional<std::uint32_t> found, unknown; // the innermost with known bounds; the outermost without
        std::optional<int> lo, hi;
        for (std::uint32_t i = 0; i < tree.nodes.size() && !found; ++i) {
            const Node& n = tree.nodes[i];
            if (n.kind != Kind::Sum) continue;
            const auto children = tree.children_of(n);
            if (!has_row_index(tree, start, start[children[2]], children[2], tree.name_of(n), has_rows)) continue;
            lo = value(tree, children[0]), hi = value(tree, children[1]);
            (lo && hi ? found : unknown) = i;
        }
        if (found) {
            tree = written_out(tree, start, *found, *lo, *hi);
            continue;
        }
        if (!unknown) return tree;
        const Node& n = tree.nodes[*unknown];
        throw FormulaError(n.begin, n.end,
                           "the range of '" + tree.name_of(n) + "' must be of numbers: '" + tree.name_of(n) +
                               "' is the first index of a family with two",
                           "sum over it outside, with bounds that are numbers and parameters");
    }
}

} // namespace rattleback::syntax
