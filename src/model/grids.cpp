// Families with two indices: u[1..n,1..m]. Each row is a family of its own, u[3,*], whose index is the second one: so a
// model of n rows is derived n times, not n m times. The first index is a number wherever a formula gets its meaning.
#include <algorithm>

#include "expr/written_out.hpp"
#include "model/reader.hpp"

namespace rattleback::model {

Reader::Parsed Reader::of_rows(const Parsed& formula) {
    Parsed p{{}, formula.from};
    located(formula, [&] {
        if (row_) p.tree = syntax::with_number(formula.tree, row_->name, row_->number);
        const auto number = [&](const syntax::Tree& tree, std::uint32_t node) -> std::optional<int> {
            try {
                const Expr e = scope_.structural(elaborate_node(graph_, tree, node, scope_));
                const auto at = affine_index(graph_, e.in(graph_));
                return at && !at->variable ? std::optional(at->shift) : std::nullopt;
            } catch (const FormulaError&) { // it has the index of another sum
                return {};
            }
        };
        p.tree = syntax::with_rows_written_out(
            row_ ? p.tree : formula.tree,
            [&](const std::string& name, std::size_t indices) { return scope_.has_rows(name, indices); }, number);
        return true;
    });
    return p;
}

bool Reader::has_rows(const Parsed& formula) const {
    const auto& loop = formula.tree.loop;
    return loop && names_row(formula, formula.tree.names[loop->name]);
}

bool Reader::names_row(const Parsed& formula, const std::string& index) const {
    return scope_.has_grids() &&
           syntax::is_row_index(formula.tree, index, [&](const std::string& name, std::size_t indices) {
               return scope_.has_rows(name, indices);
           });
}

Expr Reader::of_row(const Parsed& formula, const Row& row, const std::string& column) {
    struct Restored { // also when a formula is refused
        std::optional<Row>&place, value;
        ~Restored() { place = value; }
    } const restored{row_, row_};
    row_ = row;
    return scalar(formula, column);
}

// Definitions for every index. Where an index names rows it must be a number, and each row is read when it is needed:
// "d[i,j]" = "u[i,j] - u[i-1,j]", "s[i]" = "sum(j in 1..m: u[i,j])".
void Reader::add_indexed(Definition& definition) {
    const auto kept = std::make_shared<const Definition>(std::move(definition));
    const Definition& d = *kept;
    const bool two = !d.first.empty();
    const std::string &row = two ? d.first : d.index, column = two ? d.index : "";
    if (two && names_row(d.parts[0], column))
        fail(d.entry->value.range(),
             "the second index of '" + d.name + "' is the first of another: here '" + column + "' must be a number",
             "rows come first: write \"" + d.name + "[" + column + "," + row + "]\", or numbers for " + column);
    if (names_row(d.parts[0], row)) {
        require_a_row(d, row, column);
        scope_.add_by_row(d.name, two ? 2 : 1, [this, kept, row, column](int k) {
            try {
                return of_row(kept->parts[0], {row, k}, column);
            } catch (const ModelError& e) {
                throw ExprError(kept->name + "[" + std::to_string(k) + (column.empty() ? "" : ",j") +
                                "]: " + e.message());
            }
        });
    } else if (two) {
        const Expr i = graph_.fresh_index(), j = graph_.fresh_index();
        const Parsed formula = of_rows(d.parts[0]);
        const Tensor value = located(formula, [&] {
            return elaborate(graph_, formula.tree, scope_, IndexNames{{d.first, i}, {d.index, j}});
        });
        if (!value.is_scalar()) fail(d.entry->value.range(), "a number is needed here, not " + value.shape());
        scope_.add_template(d.name, value.scalar(), i, j);
    } else {
        scope_.add_template(d.name, scalar(d.parts[0], d.index));
    }
}

// A definition must have a meaning in one row at least, used or not.
void Reader::require_a_row(const Definition& d, const std::string& row, const std::string& column) {
    std::exception_ptr first;
    for (const auto& [name, grid] : grids_)
        for (int k = grid.lo; k <= grid.hi; ++k) {
            try {
                of_row(d.parts[0], {row, k}, column);
                return;
            } catch (const ModelError&) {
                if (!first) first = std::current_exception();
            }
        }
    std::rethrow_exception(first);
}

// The two indices of a key like "u[i,j]", "u[0,j]" or "u[3,4]".
Reader::GridKey Reader::grid_key(const Entry& entry, const Key& key) {
    const std::size_t comma = key.index.find(',');
    if (comma == std::string::npos)
        fail(entry.key_range, "'" + key.name + "' has two indices",
             "write \"" + key.name + "[i,j]\" for all members, \"" + key.name + "[1,j]\" for a row");
    if (key.index.find(',', comma + 1) != std::string::npos)
        fail(entry.key_range, "'" + std::string(entry.key) + "' has more than two indices",
             "families and definitions have one or two: \"" + key.name + "[i,j]\"");
    const auto part = [&](std::size_t from, std::size_t to) {
        while (from < to && key.index[from] == ' ') ++from;
        while (to > from && key.index[to - 1] == ' ') --to;
        return Key{key.name, key.index.substr(from, to - from), true, key.index_begin + from};
    };
    const Key first = part(0, comma), second = part(comma + 1, key.index.size());
    GridKey result{index_of(entry, first), index_of(entry, second), first.index, second.index};
    if (!result.row && !result.column && first.index == second.index)
        fail(entry.key_range, "both indices are called '" + first.index + "'", "write \"" + key.name + "[i,j]\"");
    return result;
}

void Reader::read_grid_border(const Entry& entry, const Key& key) {
    if (!is_declared(key.name))
        fail(entry.key_range, "'" + key.name + "' is no family with two indices, it has no border values",
             "a definition for every i and j is written \"" + key.name + "[i,j]\" = \"...\"");
    const GridKey at = grid_key(entry, key);
    Parsed formula = parse(text_of(entry.value, "a border value"));
    forbid_coordinates(formula);
    std::vector<GridBorder>& known = grid_borders_[key.name];
    if (std::any_of(known.begin(), known.end(),
                    [&](const GridBorder& b) { return b.row == at.row && b.column == at.column; }))
        fail(entry.key_range, "'" + std::string(entry.key) + "' is given twice", "give each value once");
    known.push_back({at.row, at.column, at.row_name, at.column_name, std::move(formula), &entry});
}

// Border values of rows that are none, and of single members of these. Those of rows that are there go with the rows.
void Reader::add_grid_borders(const std::string& name, ModelScope::Grid& grid) {
    const auto it = grid_borders_.find(name);
    if (it == grid_borders_.end()) return;
    for (const GridBorder& b : it->second) {
        const auto inside = [](const std::optional<int>& k, int lo, int hi) { return !k || (*k >= lo && *k <= hi); };
        if (inside(b.row, grid.lo, grid.hi) && inside(b.column, grid.first, grid.last))
            fail(b.entry->key_range,
                 "'" + std::string(b.entry->key) + "' has coordinates: a definition cannot give them",
                 "border values lie outside " + std::to_string(grid.lo) + ".." + std::to_string(grid.hi) + "," +
                     std::to_string(grid.first) + ".." + std::to_string(grid.last));
        if (inside(b.row, grid.lo, grid.hi)) continue;
        if (b.column) {
            grid.points[{*b.row, *b.column}] = scalar(b.formula);
        } else {
            grid.rows[*b.row] = scalar(b.formula, b.column_name);
            check_size(grid.rows[*b.row], grid.first, grid.last, b.formula);
        }
    }
}

void Reader::read_grid(const Value& value, const std::string& text) {
    const std::size_t bracket = text.find('['), comma = text.find(','), end = text.size() - 1;
    if (text.back() != ']' || bracket == 0 || text.find(',', comma + 1) != std::string::npos)
        fail(value.range(), "'" + text + "' is neither a name nor a family",
             "a family is written x[1..n] or u[1..n,1..m]");
    const std::string name = text.substr(0, bracket);
    const auto range = [&](std::size_t from, std::size_t to) {
        const std::size_t dots = text.find("..", from);
        if (dots == std::string::npos || dots >= to)
            fail(value.range(), "'" + text + "' is neither a name nor a family",
                 "a family is written x[1..n] or u[1..n,1..m]");
        const auto bound = [&](std::size_t a, std::size_t b) {
            try {
                return whole(structural_number({nullptr, text.substr(a, b - a), {}}), value.in_file(a, b),
                             "a bound of a family");
            } catch (const ModelError& e) { fail(value.in_file(a, b), e.message(), e.remedy()); }
        };
        const IndexRange r{bound(from, dots), bound(dots + 2, to)};
        if (r.hi < r.lo) fail(value.range(), "the family has no members: " + text, "it ends before it begins");
        if (r.hi - r.lo >= reading_limits.members)
            fail(value.range(), "a model has at most " + grouped(reading_limits.members) + " coordinates");
        return r;
    };
    const IndexRange rows = range(bracket + 1, comma), columns = range(comma + 1, end);
    require_free(name, value.in_file(0, name.size()));
    claim_column(name, value.in_file(0, name.size()));
    if (static_cast<double>(rows.hi - rows.lo + 1) * (columns.hi - columns.lo + 1) > reading_limits.members)
        fail(value.range(), "a model has at most " + grouped(reading_limits.members) + " coordinates");
    ModelScope::Grid grid{rows.lo, rows.hi, columns.lo, columns.hi};
    add_grid_borders(name, grid);
    for (int k = rows.lo; k <= rows.hi; ++k) {
        Component row{name + "[" + std::to_string(k) + ",*]", 0.0, true, columns.lo, columns.hi};
        for (const GridBorder& b : grid_borders_[name]) {
            if (!b.column || (b.row && *b.row != k)) continue;
            if (!b.row) row_ = Row{b.row_name, k};
            row.border.emplace_back(*b.column, scalar(b.formula));
            row_.reset();
        }
        add_coordinate(row);
    }
    grid_borders_.erase(name);
    grids_[name] = grid;
    scope_.add_grid(name, std::move(grid));
}

// An entry of a table for members of such a family: one target a row.
void Reader::add_grid_targets(const Entry& entry, const Key& key, std::vector<std::pair<const Entry*, Target>>& all) {
    if (!key.indexed)
        fail(entry.key_range, "'" + key.name + "' is a family with two indices",
             "write \"" + key.name + "[i,j]\" for all its members");
    const GridKey at = grid_key(entry, key);
    const ModelScope::Grid& grid = grids_.at(key.name);
    if ((at.row && (*at.row < grid.lo || *at.row > grid.hi)) ||
        (at.column && (*at.column < grid.first || *at.column > grid.last)))
        fail(entry.key_range, "'" + std::string(entry.key) + "' does not exist",
             key.name + " has members " + std::to_string(grid.lo) + ".." + std::to_string(grid.hi) + "," +
                 std::to_string(grid.first) + ".." + std::to_string(grid.last));
    for (int k = at.row.value_or(grid.lo); k <= at.row.value_or(grid.hi); ++k) {
        Target target{places_.at(key.name + "[" + std::to_string(k) + ",*]"), at.column ? "" : at.column_name,
                      at.column};
        if (!at.row) target.row = Row{at.row_name, k};
        target.special = at.row ? 1 : 0;
        all.emplace_back(&entry, target);
    }
}

} // namespace rattleback::model
