// Coordinates on groups: their names, values, forces and generators; the table [group], which is short for them.
#include <algorithm>

#include "expr/real_functions.hpp"
#include "model/copy.hpp"
#include "model/keys.hpp"
#include "model/reader.hpp"

namespace rattleback::model {
namespace {

constexpr double on_group = 1e-9; // R^T R - I of an element that counts as one

std::vector<std::string> group_names() {
    std::vector<std::string> names;
    for (const LieGroup& g : groups()) names.emplace_back(g.name);
    return names;
}

Numbers values(const Vec& of, std::size_t first, std::size_t count) {
    Numbers all;
    for (std::size_t i = first; i < first + count; ++i) all.push_back(of[i].value);
    return all;
}

std::vector<std::string> names_of(const Vec& of, std::size_t first, std::size_t count) {
    std::vector<std::string> names;
    for (std::size_t i = first; i < first + count; ++i) names.push_back(of[i].name);
    return names;
}

quad determinant(const std::vector<quad>& R) {
    return R[0] * (R[4] * R[8] - R[5] * R[7]) - R[1] * (R[3] * R[8] - R[5] * R[6]) + R[2] * (R[3] * R[7] - R[4] * R[6]);
}

// The largest entry of R^T R - I.
quad not_orthogonal(const std::vector<quad>& R) {
    quad worst = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            quad sum = i == j ? -1 : 0;
            for (std::size_t k = 0; k < 3; ++k) sum += R[3 * k + i] * R[3 * k + j];
            worst = std::max(worst, real::abs(sum));
        }
    return worst;
}

} // namespace

// --- coordinates -----------------------------------------------------------------------------------------------------

const LieGroup& Reader::read_group_name(const Value& value, std::size_t from) const {
    from = std::min(value.text().find_first_not_of(' ', from), value.text().size());
    const std::string text(value.text().substr(from));
    if (const LieGroup* g = find_group(text)) return *g;
    fail(value.in_file(from, from + text.size()), "'" + text + "' is no group that coordinates can be on",
         suggestion(text, group_names(), "groups are "));
}

void Reader::add_group_coordinate(const Component& shape, const LieGroup& group) {
    if (!shape.border.empty())
        fail(document_.root().find("coordinates")->key_range,
             "'" + shape.name + "' is on a group: such families have no border values", "write the end bodies' terms");
    const auto leaves = [&](const std::string& stem, const std::vector<std::string>& names) {
        Vec all;
        for (const std::string& name : names) {
            Component c = shape;
            c.name = stem + name;
            columns_.insert(c.name);
            all.push_back(symbols_like(graph_, "", Vec({c}))[0]);
        }
        return all;
    };
    std::vector<std::string> numbers;
    for (int i = 1; i <= group.dimension(); ++i) numbers.push_back("_" + std::to_string(i));
    std::vector<std::string> entries = group.shown_names();
    for (std::string& e : entries) e.insert(0, "_");
    const bool as_coordinates = velocities_become_coordinates();
    if (as_coordinates && shape.family)
        fail(document_.root().find("coordinates")->key_range,
             "control of mechanics takes single coordinates, '" + shape.name + "' is a family", "name each body");
    const Vec body = as_coordinates ? leaves(shape.name + "'", numbers) : Vec();
    const Vec w = leaves(shape.name, numbers),
              rate = leaves(as_coordinates ? "rate of " + shape.name : shape.name + "'", numbers),
              p = leaves("p_" + shape.name, numbers), centre = leaves(shape.name, entries);
    body_ = concat({body_, body});
    model_.groups.push_back(
        {shape.name, std::string(group.name), model_.q.size(), w.size(), model_.centre.size(), centre.size()});
    model_.q = concat({model_.q, w}), model_.v = concat({model_.v, rate}), model_.p = concat({model_.p, p});
    model_.centre = concat({model_.centre, centre});
    scope_.add_group_coordinate(shape.name, group, w, rate, p, centre, body);
}

const GroupCoordinate* Reader::group_of(const std::string& name) const {
    for (const GroupCoordinate& g : model_.groups)
        if (g.name == name) return &g;
    return nullptr;
}

// What tables may give: coordinates on groups as a whole.
std::vector<std::string> Reader::names_in_tables(const Vec& shape) const {
    std::vector<std::string> names;
    auto group = model_.groups.begin();
    for (std::size_t i = 0; i < shape.size();) {
        const bool chart = group != model_.groups.end() && i == group->first;
        names.push_back((chart ? group->name : shape[i].name) + (shape[i].family ? "[i]" : ""));
        i += chart ? group->count : 1;
        if (chart) ++group;
    }
    return names;
}

// --- entries of tables -----------------------------------------------------------------------------------------------

// Whole families before single members, which override them.
std::vector<Reader::GroupEntry> Reader::group_entries(const Value& table) {
    std::vector<GroupEntry> all;
    std::set<std::pair<const GroupCoordinate*, std::optional<int>>> given;
    for (const Entry& e : table.entries()) {
        const Key key = key_of(e);
        const GroupCoordinate* g = group_of(key.name);
        if (!g) continue;
        const Component& c = model_.q[g->first];
        if (key.indexed != c.family)
            fail(e.key_range, "'" + g->name + (c.family ? "' is a family" : "' is not a family, it takes no index"),
                 c.family ? "write \"" + g->name + "[i]\" for all its members" : "write " + g->name);
        GroupEntry entry{&e, g, key.index, {}};
        if (key.indexed) entry.member = index_of(e, key);
        if (entry.member && (*entry.member < c.lo || *entry.member > c.hi))
            fail(e.key_range, g->name + "[" + std::to_string(*entry.member) + "] does not exist",
                 g->name + " has members " + std::to_string(c.lo) + ".." + std::to_string(c.hi));
        if (entry.member) entry.index.clear();
        if (!given.emplace(g, entry.member).second)
            fail(e.key_range, "'" + std::string(e.key) + "' is given twice", "give each value once");
        all.push_back(std::move(entry));
    }
    std::stable_partition(all.begin(), all.end(), [](const GroupEntry& e) { return !e.member; });
    return all;
}

// A list of formulas, or one formula of a vector: one for each component of a velocity.
Numbers Reader::read_group_vector(const GroupEntry& entry, const char* what) {
    const Value& value = entry.entry->value;
    Numbers all;
    if (value.is(Value::Kind::Array))
        for (const Value& v : value.items()) all.push_back(scalar(parse(text_of(v, what)), entry.index));
    else
        all = meaning(parse(text_of(value, what)), entry.index).e;
    if (all.size() != entry.group->count)
        fail(value.range(),
             std::string(what) + " of '" + entry.group->name + "' has " + count_of(all.size(), "component") + ", " +
                 std::to_string(entry.group->count) + " are needed",
             "it is a vector seen from the body: [\"...\", \"...\", \"...\"]");
    return all;
}

// Numbers for each member, one after the other.
std::vector<std::vector<quad>> Reader::read_group_numbers(const GroupEntry& entry, int count, const char* what) {
    const Value& value = entry.entry->value;
    const Component& c = model_.q[entry.group->first];
    const bool each = c.family && !entry.member;
    const int lo = each ? c.lo : 1, hi = each ? c.hi : 1;
    using Read = std::pair<Expr, std::shared_ptr<const Parsed>>;
    std::vector<Read> formulas;
    const auto add = [&](const Value& v) {
        const auto p = std::make_shared<const Parsed>(parse(text_of(v, what)));
        for (const Expr& e : meaning(*p, entry.index).e) formulas.emplace_back(e, p);
    };
    if (!value.is(Value::Kind::Array))
        add(value);
    else
        for (const Value& row : value.items())
            if (row.is(Value::Kind::Array))
                for (const Value& v : row.items()) add(v);
            else
                add(row);
    const LieGroup& g = *find_group(entry.group->group);
    if (g.shifts && count == g.shown() && static_cast<int>(formulas.size()) == (g.space + 1) * (g.space + 1) &&
        g.space == 3) { // the matrix (R, x; 0, 1)
        std::vector<Read> rotation, position;
        for (std::size_t i = 0; i < 12; ++i) (i % 4 == 3 ? position : rotation).push_back(formulas[i]);
        formulas = rotation;
        formulas.insert(formulas.end(), position.begin(), position.end());
    }
    if (static_cast<int>(formulas.size()) != count)
        fail(value.range(),
             std::string(what) + " of '" + entry.group->name + "' has " + count_of(formulas.size(), "number") + ", " +
                 std::to_string(count) + (count == 1 ? " is needed" : " are needed"),
             std::string_view(what) == "q"
                 ? "they are " + list_of(names_of(model_.centre, entry.group->centre, entry.group->centre_count), 12)
                 : "one for each component seen from the body");
    std::vector<std::vector<quad>> numbers(static_cast<std::size_t>(hi - lo + 1));
    for (const Read& read : formulas)
        located(*read.second, [&] {
            const Expr e = scope_.with_numbers(read.first);
            std::size_t member = 0;
            for (const Expr& x : expand(Vec({{"", e, true, lo, hi}})))
                numbers[member++].push_back(this->value(x, *read.second));
            return true;
        });
    return numbers;
}

// On the group to all digits of a quad.
std::vector<quad> Reader::group_element(const GroupCoordinate& of, const std::vector<quad>& numbers,
                                        const FormulaText& from) const {
    const LieGroup& g = *find_group(of.group);
    if (g.space == 3) {
        const quad off = not_orthogonal(numbers);
        if (!(off <= static_cast<quad>(on_group)))
            fail(from,
                 "'" + of.name + "' is off " + of.group + ": R^T R differs from the identity by " +
                     real::to_text(off, 3),
                 "give the rows of a rotation with all their digits, or a product of rotx, roty, rotz");
        if (determinant(numbers) < 0)
            fail(from, "'" + of.name + "' is a reflection, not a turn: the determinant of R is -1",
                 "change the sign of a row");
    }
    Numbers element(numbers.begin(), numbers.end());
    element = g.shown_of(g.carried_of(element));
    std::vector<quad> all;
    for (const Expr& e : element) all.push_back(*e.constant());
    return all;
}

// As the start.
void Reader::set_group_element(const GroupCoordinate& of, int member, const std::vector<quad>& numbers,
                               const FormulaText& from) {
    const std::vector<quad> element = group_element(of, numbers, from);
    std::size_t at = 0;
    for (std::size_t i = 0; i < of.centre; ++i) at += static_cast<std::size_t>(model_.centre[i].count());
    for (std::size_t k = 0; k < element.size(); ++k) {
        const Component& c = model_.centre[of.centre + k];
        const auto offset = static_cast<std::size_t>(c.family ? member - c.lo : 0);
        model_.centre0[at + offset] = element[k];
        at += static_cast<std::size_t>(c.count());
    }
}

// The numbers of --q R=..., --v R=... and --p R=...
std::vector<quad> Reader::group_override(const FormulaText& from, const std::string& name, int wanted) {
    const Parsed p = parse(from);
    std::vector<quad> numbers;
    for (const Expr& e : meaning(p).e)
        numbers.push_back(located(p, [&] { return value(expand(scope_.with_numbers(e)), p); }));
    if (static_cast<int>(numbers.size()) != wanted)
        fail(from, "'" + name + "' needs " + count_of(static_cast<std::size_t>(wanted), "number"),
             wanted == 1 ? "" : "write them as a list: [0.1, 0.2, ...]");
    return numbers;
}

void Reader::read_group_start(const Value& q) {
    model_.centre0.assign(static_cast<std::size_t>(model_.centre.count()), 0);
    if (model_.groups.empty()) return;
    std::set<std::pair<const GroupCoordinate*, int>> given;
    if (q.is(Value::Kind::Table))
        for (const GroupEntry& entry : group_entries(q)) {
            const Component& c = model_.q[entry.group->first];
            const auto members = read_group_numbers(entry, find_group(entry.group->group)->shown(), "q");
            const int first = entry.member.value_or(c.lo);
            for (std::size_t k = 0; k < members.size(); ++k) {
                const int member = first + static_cast<int>(k);
                set_group_element(*entry.group, member, members[k], {&entry.entry->value, {}, {}});
                given.emplace(entry.group, member);
            }
        }
    for (const auto& [name, text] : options_.q) {
        const GroupCoordinate* g = group_of(name);
        if (!g || model_.q[g->first].family) continue;
        const FormulaText from{nullptr, text, "--q " + name + "=" + text};
        const std::vector<quad> numbers = group_override(from, name, find_group(g->group)->shown());
        set_group_element(*g, 1, numbers, from), given.emplace(g, 1);
    }
    if (q.is(Value::Kind::Array)) return; // see read_group_array
    for (const GroupCoordinate& g : model_.groups)
        for (int k = model_.q[g.first].lo; k <= model_.q[g.first].hi; ++k)
            if (!given.contains({&g, k}))
                fail(q.range(),
                     "q does not give " + g.name + (model_.q[g.first].family ? "[" + std::to_string(k) + "]" : ""),
                     "write " + g.name + " = \"rotz(0.3)*rotx(0.6)\", or its numbers in a list");
}

// All of q in one list, in coordinate order, with the numbers of elements as results show them.
void Reader::read_group_array(const Value& list, const std::string& what, std::vector<std::optional<quad>>& values) {
    std::vector<const Value*> items; // the rows of a rotation may be lists of their own
    for (const Value& v : list.items()) {
        if (!v.is(Value::Kind::Array))
            items.push_back(&v);
        else
            for (const Value& x : v.items()) items.push_back(&x);
    }
    const Vec shown = shown_positions(model_);
    if (items.size() != static_cast<std::size_t>(shown.count()))
        fail(list.range(),
             what + " has " + count_of(items.size(), "value") + ", " + std::to_string(shown.count()) + " are needed",
             "in the order " + list_of(expanded_names(shown), 12));
    auto group = model_.groups.begin();
    std::size_t at = 0;
    for (std::size_t i = 0; i < model_.q.size();) {
        if (model_.q[i].family)
            fail(list.range(), "families beside coordinates on groups are given by name",
                 "write q = { \"R[i]\" = ... }");
        if (group == model_.groups.end() || i < group->first) {
            values[i] = number(text_of(*items[at], "q"));
            ++i, ++at;
            continue;
        }
        std::vector<quad> numbers;
        for (std::size_t k = 0; k < group->centre_count; ++k) numbers.push_back(number(text_of(*items[at + k], "q")));
        const std::size_t first = at;
        at += group->centre_count, i += group->count;
        set_group_element(*group, 1, numbers, {items[first], {}, {}});
        ++group;
    }
}

// Velocities or momenta of coordinates on groups, seen from the body; of q: 0 in the chart.
void Reader::read_group_rates(const Value& from, const char* what, std::vector<std::optional<quad>>& values) {
    if (model_.groups.empty()) return;
    const auto place = [&](const GroupCoordinate& g, std::size_t k, int member) -> std::optional<quad>& {
        std::size_t at = 0;
        for (std::size_t i = 0; i < g.first + k; ++i) at += static_cast<std::size_t>(model_.q[i].count());
        return values[at + static_cast<std::size_t>(model_.q[g.first].family ? member - model_.q[g.first].lo : 0)];
    };
    if (std::string_view(what) == "q") {
        for (const GroupCoordinate& g : model_.groups)
            for (std::size_t k = 0; k < g.count; ++k)
                for (int m = model_.q[g.first].lo; m <= model_.q[g.first].hi; ++m) place(g, k, m) = 0;
        return;
    }
    if (!from.is(Value::Kind::Table)) return;
    for (const GroupEntry& entry : group_entries(from)) {
        const auto members = read_group_numbers(entry, static_cast<int>(entry.group->count), what);
        const int first = entry.member.value_or(model_.q[entry.group->first].lo);
        for (std::size_t m = 0; m < members.size(); ++m)
            for (std::size_t k = 0; k < members[m].size(); ++k)
                place(*entry.group, k, first + static_cast<int>(m)) = members[m][k];
    }
    for (const GroupCoordinate& g : model_.groups)
        for (int m = model_.q[g.first].lo; m <= model_.q[g.first].hi; ++m) {
            const std::string name = g.name + (model_.q[g.first].family ? "[" + std::to_string(m) + "]" : "");
            if (!place(g, 0, m))
                fail(from.range(), std::string(what) + " does not give " + name,
                     "write " + name + " = [...], seen from the body: " + count_of(g.count, "number"));
        }
}

// --- the table [group] -----------------------------------------------------------------------------------------------

// name = "SO(3)", or a product: "SE(2) x R^2". Its factors are the coordinates g, or g1, g2, ...
void Reader::read_group_factors() {
    model_.is_group = true;
    const Value* table = this->table("group");
    const Entry* name = table->find("name");
    const std::string remedy = "write name = \"SO(3)\"; groups are " + list_of(group_names()) + ", R^n and products";
    if (!name || !name->value.is(Value::Kind::String))
        fail(document_.root().find("group")->key_range, "[group] has no name", remedy);
    const std::string text(name->value.text());
    std::vector<std::pair<std::string, Range>> factors;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t end = std::min(text.find(" x ", from), text.size());
        factors.emplace_back(text.substr(from, end - from), name->value.in_file(from, end));
        from = end + 3;
    }
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const auto& [factor, range] = factors[i];
        const std::string coordinate = factors.size() == 1 ? "g" : "g" + std::to_string(i + 1);
        require_free(coordinate, name->value.range());
        if (const LieGroup* g = find_group(factor)) {
            add_group_coordinate({coordinate, 0.0}, *g);
        } else if (factor.starts_with("R^") && factor.size() > 2 && factor.size() < 5 &&
                   factor.find_first_not_of("0123456789", 2) == std::string::npos && factor != "R^0") {
            for (int k = 1; k <= std::stoi(factor.substr(2)); ++k)
                add_coordinate({coordinate + "_" + std::to_string(k), 0.0});
        } else {
            fail(range, "'" + factor + "' is no group", suggestion(factor, group_names(), "groups are R^n, "));
        }
    }
    set_motion();
    const ShownCoordinates shown = shown_coordinates(model_);
    for (const Component& c : shown.q) { // names of its numbers: g_11, ..., and x, y, theta of a group in the plane
        if (!scope_.taken(c.name)) scope_.add_definition(c.name, c.value);
        const std::string last = c.name.substr(c.name.find('_') + 1);
        if (factors.size() == 1 && is_name(last) && !scope_.taken(last)) scope_.add_definition(last, c.value);
    }
}

std::vector<Expr> Reader::read_list(const Value& list, std::size_t count, const std::string& what) {
    if (!list.is(Value::Kind::Array) || list.items().size() != count)
        fail(list.range(), what + " must be a list of " + count_of(count, "formula"),
             "one for each component of the velocity xi");
    std::vector<Expr> all;
    for (const Value& v : list.items())
        all.push_back(formula(v, "an entry", {.velocity = true, .momentum = true}, "entries depend on g and t only"));
    return all;
}

// The kinetic energy is positive: in quad, without pivots, elimination has positive pivots.
void Reader::require_definite(const Entry& inertia, std::vector<quad> a) const {
    const auto n = static_cast<std::size_t>(model_.q.count());
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (a[i * n + j] != a[j * n + i])
                fail(inertia.value.items()[i].items()[j].range(),
                     "inertia must be symmetric: this is not the entry in row " + std::to_string(j + 1) + ", column " +
                         std::to_string(i + 1));
    quad largest = 0;
    for (const quad& x : a) largest = std::max(largest, real::abs(x));
    for (std::size_t k = 0; k < n; ++k) {
        const quad pivot = a[k * n + k];
        if (!(pivot > largest * static_cast<quad>(1e-28)))
            fail(inertia.key_range,
                 pivot < -largest * static_cast<quad>(1e-28)
                     ? "inertia is not positive: some motion has a negative energy"
                     : "inertia is singular: some motion has no energy",
                 "it is the matrix of the kinetic energy, <xi, inertia xi>/2");
        for (std::size_t i = k + 1; i < n; ++i) {
            const quad factor = a[i * n + k] / pivot;
            for (std::size_t j = k; j < n; ++j) a[i * n + j] -= factor * a[k * n + j];
        }
    }
}

Expr Reader::read_kinetic_energy(const Entry& inertia, const Numbers& xi) {
    const std::size_t n = xi.size();
    if (!inertia.value.is(Value::Kind::Array) || inertia.value.items().size() != n)
        fail(inertia.value.range(), "inertia must be a " + std::to_string(n) + " x " + std::to_string(n) + " matrix",
             "one row and one column for each component of the velocity xi");
    Expr twice = 0;
    std::vector<quad> numbers;
    for (std::size_t i = 0; i < n; ++i) {
        const std::vector<Expr> row = read_list(inertia.value.items()[i], n, "a row of inertia");
        for (std::size_t j = 0; j < n; ++j) {
            const Value& v = inertia.value.items()[i].items()[j];
            numbers.push_back(number(text_of(v, "an entry of inertia")));
            if (!row[j].is(0)) twice = twice + row[j] * xi[i] * xi[j];
        }
    }
    require_definite(inertia, std::move(numbers));
    return twice / 2;
}

Vec Reader::read_group_constraints(const Entry& rows, const Numbers& xi) {
    if (!rows.value.is(Value::Kind::Array))
        fail(rows.value.range(), "constraints must be a list of rows", "write constraints = [[0, 0, 1]]");
    Vec all;
    for (const Value& row : rows.value.items()) {
        const std::vector<Expr> a = read_list(row, xi.size(), "a row of constraints");
        Expr sum = 0;
        for (std::size_t i = 0; i < xi.size(); ++i) sum = sum + a[i] * xi[i];
        if (std::all_of(a.begin(), a.end(), [](const Expr& e) { return e.is(0); }))
            fail(row.range(), "a row of zeros constrains nothing", "remove it");
        all.push_back({"row " + std::to_string(all.size() + 1) + " of constraints", sum});
    }
    return all;
}

void Reader::read_group_mechanics() {
    const Value* table = this->table("group");
    for (const char* other : {"mechanics", "hamiltonian", "structure", "variables"})
        if (const Entry* e = document_.root().find(other))
            fail(e->key_range, std::string(other) + " does not go with [group], which has inertia and potential",
                 "write coordinates = [\"R in SO(3)\"] instead of [group]");
    allow_keys(*table, keys_of("group"), "in [group]");
    const Entry* inertia = table->find("inertia");
    if (!inertia)
        fail(document_.root().find("group")->key_range, "[group] has no inertia", "write inertia = [[...], ...]");
    const ShownCoordinates shown = shown_coordinates(model_);
    const Numbers xi = values(shown.v, 0, shown.v.size());
    model_.function = read_kinetic_energy(*inertia, xi);
    if (const Entry* V = table->find("potential"))
        model_.function = model_.function - formula(V->value, "the potential", {.velocity = true, .momentum = true},
                                                    "a potential depends on g and t only");
    if (const Entry* F = table->find("force")) {
        if (!F->value.is(Value::Kind::Array) || F->value.items().size() != xi.size())
            fail(F->value.range(), "force must be a list of " + count_of(xi.size(), "formula"),
                 "a torque, then a force, both seen from the body");
        Vec force = zeros_like(model_.q);
        for (std::size_t i = 0; i < xi.size(); ++i)
            force[i].value =
                formula(F->value.items()[i], "a force", {.momentum = true}, "a force depends on g, xi and t");
        for (const GroupCoordinate& g : model_.groups) {
            const Numbers chart = find_group(g.group)->chart_momentum(values(model_.q, g.first, g.count),
                                                                      values(force, g.first, g.count));
            for (std::size_t k = 0; k < g.count; ++k) force[g.first + k].value = chart[k];
        }
        model_.force = std::move(force);
    }
    if (const Entry* rows = table->find("constraints")) model_.velocity = read_group_constraints(*rows, xi);
}

} // namespace rattleback::model
