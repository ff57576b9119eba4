// [definitions]: border values of families, and named formulas in any order.
#include <algorithm>

#include "model/reader.hpp"

namespace rattleback::model {
namespace {

constexpr std::size_t most_entries = 10'000; // of a vector or matrix

} // namespace

// "x[0]" = "0" in [definitions]: values of a family outside its range. They may use parameters and t.
void Reader::read_borders() {
    scope_.add_time(model_.t);
    const Value* entries = table("definitions");
    if (!entries) return;
    for (const Entry& e : entries->entries()) {
        const Key key = key_of(e);
        if (key.index.find(',') != std::string::npos) {
            const GridKey at = grid_key(e, key);
            if (at.row || at.column) read_grid_border(e, key); // "d[i,j]" is a definition for every i and j
            continue;
        }
        const auto index = key.indexed ? index_of(e, key) : std::nullopt;
        if (!index) continue; // "r[i]" with a new name i is a definition for every i
        if (!is_declared(key.name))
            fail(e.key_range, "'" + key.name + "' is no family of coordinates, it has no border values",
                 "a definition for every index is written \"" + key.name + "[i]\" = \"...\"");
        std::vector<Border>& known = borders_[key.name];
        if (std::any_of(known.begin(), known.end(), [&](const Border& b) { return b.index == *index; }))
            fail(e.key_range, key.name + "[" + std::to_string(*index) + "] is given twice", "give each value once");
        const Parsed p = parse(text_of(e.value, "a border value"));
        forbid_coordinates(p);
        known.push_back({*index, scalar(p), &e});
        check_size(known.back().value, 1, 1, p);
    }
}

// Borders are known before coordinates are.
bool Reader::is_declared(const std::string& name) const {
    const Entry* e = document_.root().find("coordinates");
    if (!e || !e->value.is(Value::Kind::Array)) return false;
    const std::vector<Value>& items = e->value.items();
    return std::any_of(items.begin(), items.end(), [&](const Value& item) {
        return item.is(Value::Kind::String) && item.text().substr(0, item.text().find('[')) == name;
    });
}

void Reader::forbid_coordinates(const Parsed& border) const {
    located(border, [&] {
        for (const syntax::Node& n : border.tree.nodes)
            if ((n.kind == syntax::Kind::Name || n.kind == syntax::Kind::Index) && is_declared(border.tree.name_of(n)))
                throw FormulaError(n.begin, n.end, "a border value cannot depend on coordinates",
                                   "of a ring, write the term that closes it on its own: sum(i in 1..n-1: (x[i+1] - "
                                   "x[i])^2/2) + (x[1] - x[n])^2/2");
        return true;
    });
}

// A TOML array of formulas is a vector, an array of arrays a matrix.
Reader::Definition Reader::read_definition(const Entry& entry, const Key& key) const {
    Definition d{&entry, key.name, key.index, {}, 0, 0, {}};
    const auto is_list = [](const Value& v) { return v.is(Value::Kind::Array); };
    const auto add = [&](const Value& v) { d.parts.push_back(parse(text_of(v, "a definition"))); };
    if (!is_list(entry.value)) {
        add(entry.value);
        return d;
    }
    const std::vector<Value>& rows = entry.value.items();
    if (key.indexed)
        fail(entry.value.range(), "a definition for every " + key.index + " must be a number, not a list",
             "give each component a definition of its own");
    const bool matrix = !rows.empty() && is_list(rows[0]);
    const std::size_t width = matrix ? rows[0].items().size() : 1;
    if (rows.empty() || width == 0) fail(entry.value.range(), "an empty list defines nothing", "write [\"x\", \"y\"]");
    if (width > most_entries / rows.size()) fail(entry.key_range, "a vector or matrix has at most 10,000 entries");
    for (const Value& row : rows) {
        if (is_list(row) != matrix || (matrix && row.items().size() != width))
            fail(row.range(), "the rows of a matrix must have one length",
                 matrix ? "the first has " + count_of(width, "entry", "entries") : "a vector has numbers as entries");
        if (matrix)
            for (const Value& v : row.items()) add(v);
        else
            add(row);
    }
    d.rows = static_cast<int>(rows.size()), d.cols = matrix ? static_cast<int>(width) : 0;
    return d;
}

void Reader::read_definitions() {
    const Value* entries = table("definitions");
    if (!entries) return;
    std::vector<Definition> all;
    std::vector<std::string> names;
    std::set<std::string> used;
    for (const Entry& e : entries->entries()) {
        const Key key = key_of(e);
        std::string first, last;
        if (key.index.find(',') != std::string::npos) {
            const GridKey at = grid_key(e, key);
            if (at.row || at.column) continue; // a border value, read before
            first = at.row_name, last = at.column_name;
        } else if (key.indexed && index_of(e, key)) {
            continue; // likewise
        }
        if (key.indexed && grids_.contains(key.name))
            fail(e.key_range, "'" + key.name + "' has its members as coordinates: a definition cannot give them",
                 "border values have numbers as indices: \"" + key.name + "[0,j]\"");
        if (key.indexed && places_.contains(key.name))
            fail(e.key_range, "'" + key.name + "' has its members as coordinates: a definition cannot give them",
                 "border values have numbers as indices: \"" + key.name + "[0]\"");
        require_free(key.name, e.in_file(0, key.name.size()));
        if (!used.insert(key.name).second)
            fail(e.key_range, "the name '" + key.name + "' is used twice", "choose another name");
        all.push_back(read_definition(e, key));
        if (!first.empty()) all.back().first = first, all.back().index = last;
        names.push_back(key.name);
    }
    std::vector<std::vector<std::string>> uses(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::set<std::string> found;
        for (const Parsed& p : all[i].parts)
            for (std::string& n : free_names(p.tree)) found.insert(std::move(n));
        uses[i].assign(found.begin(), found.end());
    }
    const Order order = order_of_use(names, uses);
    if (!order.circle.empty())
        fail(all[order.in_circle].entry->key_range, "definitions refer to each other in a circle: " + order.circle,
             "a definition uses others, never itself");
    for (std::size_t i : order.places) {
        Definition& d = all[i];
        if (!d.index.empty()) {
            add_indexed(d);
        } else if (d.rows == 0) {
            scope_.add_definition(d.name, meaning(d.parts[0]));
        } else {
            Tensor t({}, d.rows, d.cols);
            for (const Parsed& part : d.parts) t.e.push_back(scalar(part));
            scope_.add_definition(d.name, std::move(t));
        }
        d.parts.clear();
    }
}

} // namespace rattleback::model
