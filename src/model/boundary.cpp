// [boundary]: where a path begins and ends, and how long it takes.
#include <algorithm>

#include "model/keys.hpp"
#include "model/reader.hpp"

namespace rattleback::model {

void Reader::read_boundary() {
    const Value* found = table("boundary");
    if (!found) return;
    const Range header = document_.root().find("boundary")->key_range;
    if (model_.kind == Model::general)
        fail(header, "[boundary] goes with coordinates; this model has variables", "write a Hamiltonian of q and p");
    for (const GroupCoordinate& g : model_.groups)
        if (model_.q[g.first].family)
            fail(header, "families of coordinates on groups have no boundary values, and '" + g.name + "' is one",
                 "name each body");
    allow_keys(*found, keys_of("boundary"), "in [boundary]");
    Boundary& b = model_.boundary.emplace();
    const auto n = static_cast<std::size_t>(model_.q.count() + model_.centre.count());
    b.from.resize(n), b.to.resize(n);
    if (const Entry* e = found->find("periodic")) {
        if (!e->value.is(Value::Kind::Boolean))
            fail(e->value.range(), "periodic is true or false", "write periodic = true");
        b.periodic = e->value.raw() == "true";
    }
    if (b.periodic && !model_.groups.empty())
        fail(header, "periodic paths with coordinates on groups are not supported", "write coordinates of a chart");
    const Entry *from = found->find("from"), *to = found->find("to"), *time = found->find("time");
    if (b.periodic && (from || to))
        fail((from ? from : to)->key_range, "a periodic path has no ends", "remove from and to; [initial] is a guess");
    if (from) read_end(from->value, "from", b.from, b.from_set);
    if (to) read_end(to->value, "to", b.to, b.to_set);
    if (!time) fail(header, "[boundary] does not say how long the path takes", "write time = 1, or time = \"free\"");
    const bool is_free = time->value.is(Value::Kind::String) && time->value.text() == "free";
    if (is_free) return;
    b.time = number(text_of(time->value, "time"));
    if (!(*b.time > 0)) fail(time->value.range(), "the time of a path must be positive", "write time = 1");
}

// An end: a table of coordinates, numbers or formulas of the others; of mechanics under control with q and v; a list of
// numbers, or of formulas that vanish there.
void Reader::read_end(const Value& from, const std::string& what, std::vector<std::optional<quad>>& values, Vec& set) {
    if (from.is(Value::Kind::Array)) return read_end_list(from, what, values, set);
    if (!from.is(Value::Kind::Table))
        fail(from.range(), what + " must be a table of coordinates", "write " + what + " = { x = 0 }");
    const std::size_t positions = model_.control ? model_.control->positions : 0;
    const Entry *q = from.find("q"), *v = from.find("v");
    if (positions == 0 || !(q || v)) return read_end_table(from, what, 0, values, set);
    allow_keys(from, {"q", "v"}, "in " + what + " of mechanics");
    for (const Entry* e : {q, v}) {
        if (!e) continue;
        if (!e->value.is(Value::Kind::Table))
            fail(e->value.range(), std::string(e->key) + " must be a table of coordinates", "write { x = 0 }");
        if (e == v && !velocities_.empty())
            read_end_velocities(e->value, what, values, set);
        else
            read_end_table(e->value, what, e == v ? positions : 0, values, set);
    }
}

void Reader::require_positions(const Parsed& formula, const Expr& e, const std::string& what) {
    const bool velocities = model_.control && model_.control->positions > 0;
    forbid(e, {.velocity = !velocities, .momentum = true}, formula, what + " is said of coordinates alone",
           "write formulas of q");
    for (const Component& slope : gradient(e, inputs_))
        if (!slope.value.is(0))
            fail(formula.from, what + " is said of coordinates alone, not of inputs", "write formulas of q");
}

// offset: the table names positions, and means their velocities.
void Reader::read_end_table(const Value& from, const std::string& what, std::size_t offset,
                            std::vector<std::optional<quad>>& values, Vec& set) {
    std::vector<std::size_t> first(model_.q.size() + 1, 0);
    for (std::size_t i = 0; i < model_.q.size(); ++i)
        first[i + 1] = first[i] + static_cast<std::size_t>(model_.q[i].count());
    by_coordinate(from, model_.q, [&](const Entry& e, const Target& target) {
        const std::size_t place = target.place + offset;
        const Component& c = model_.q[place];
        const FormulaText text = text_of(e.value, what.c_str());
        const Parsed p = parse(text);
        if (c.family && !target.member) {
            const std::vector<quad> all = family_numbers(p, target, c);
            std::copy(all.begin(), all.end(), values.begin() + static_cast<std::ptrdiff_t>(first[place]));
            return;
        }
        const Expr value = scalar(p);
        if (!scope_.contents(value).now) {
            values[first[place] + static_cast<std::size_t>(target.member.value_or(c.lo) - c.lo)] = number(text);
            return;
        }
        require_positions(p, value, what);
        const Expr q = c.family ? graph_.member(graph_.node(c.value.id()).a, *target.member) : c.value;
        set.push_back({std::string(e.key) + " - (" + p.tree.text + ")", q - value});
    });
    read_end_elements(from, offset, values);
}

// Elements of groups, whose charts are centred there; of velocities, those of the body.
void Reader::read_end_elements(const Value& from, std::size_t offset, std::vector<std::optional<quad>>& values) {
    for (const GroupEntry& entry : group_entries(from)) {
        const GroupCoordinate& g = *entry.group;
        const bool element = offset == 0;
        const int count = element ? find_group(g.group)->shown() : static_cast<int>(g.count);
        std::vector<quad> numbers = read_group_numbers(entry, count, element ? "q" : "v")[0];
        if (element) {
            numbers = group_element(g, numbers, {&entry.entry->value, {}, {}});
            std::fill_n(values.begin() + static_cast<std::ptrdiff_t>(g.first), g.count, quad(0));
        }
        const auto first = element ? static_cast<std::size_t>(model_.q.count()) + g.centre : offset + g.first;
        std::copy(numbers.begin(), numbers.end(), values.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

// All of q in one list, with the numbers of elements as results show them.
void Reader::read_end_numbers(const Value& list, const std::string& what, std::vector<std::optional<quad>>& values) {
    const auto n = static_cast<std::ptrdiff_t>(model_.q.count());
    model_.centre0.assign(static_cast<std::size_t>(model_.centre.count()), 0);
    std::vector<std::optional<quad>> q(static_cast<std::size_t>(n), quad(0)); // what no item gives is 0 in its chart
    read_group_array(list, what, q);
    std::copy(q.begin(), q.end(), values.begin());
    std::copy(model_.centre0.begin(), model_.centre0.end(), values.begin() + n);
}

void Reader::read_end_list(const Value& list, const std::string& what, std::vector<std::optional<quad>>& values,
                           Vec& set) {
    if (!model_.groups.empty() && std::any_of(list.items().begin(), list.items().end(), [](const Value& v) {
            return !v.is(Value::Kind::String); // rows of a matrix, or numbers
        }))
        return read_end_numbers(list, what, values);
    std::vector<std::pair<Parsed, Expr>> all;
    bool numbers = true;
    for (const Value& item : list.items()) {
        Parsed p = parse(text_of(item, what.c_str()));
        const Expr value = scalar(p);
        numbers &= !scope_.contents(value).now;
        all.emplace_back(std::move(p), value);
    }
    if (numbers && !model_.groups.empty()) return read_end_numbers(list, what, values);
    if (numbers && !all.empty()) {
        require_count(list, what, values.size(), "in the order " + list_of(expanded_names(model_.q)));
        for (std::size_t i = 0; i < all.size(); ++i) values[i] = number(all[i].first.from);
        return;
    }
    for (auto& [p, value] : all) {
        if (!scope_.contents(value).now)
            fail(p.from, "a formula that vanishes at an end depends on coordinates",
                 "write a table for numbers: { x = 0 }");
        require_positions(p, value, what);
        set.push_back({p.tree.text, value});
    }
}

// Without [initial], the beginning of a straight path stands for it: where pivots are chosen and ranks are looked at.
void Reader::start_from_boundary() {
    const Boundary& b = *model_.boundary;
    model_.has_start = false;
    const quad time = b.time.value_or(1);
    for (std::size_t i = 0; i < static_cast<std::size_t>(model_.q.count()); ++i) {
        const quad from = b.from[i].value_or(0), to = b.to[i].value_or(from);
        model_.q0.push_back(from);
        (model_.kind == Model::lagrangian ? model_.v0 : model_.p0)
            .push_back(model_.kind == Model::lagrangian ? (to - from) / time : quad(0));
    }
    start_on_groups();
}

// Charts are centred at the start, velocities of the body lead to the end along a one-parameter subgroup.
void Reader::start_on_groups() {
    const Boundary& b = *model_.boundary;
    model_.centre0.clear();
    for (const GroupCoordinate& c : model_.groups) {
        const LieGroup& g = *find_group(c.group);
        const auto at = [&](const std::vector<std::optional<quad>>& end) {
            Numbers element;
            const auto first = static_cast<std::size_t>(model_.q.count()) + c.centre;
            for (std::size_t k = first; k < first + c.centre_count && end[k]; ++k) element.emplace_back(*end[k]);
            return element;
        };
        Numbers from = at(b.from), to = at(b.to);
        if (from.empty()) from = to;
        if (from.empty()) from = g.shown_of(g.exp(Numbers(c.count, Expr(0))));
        if (to.empty()) to = from;
        for (const Expr& e : from) model_.centre0.push_back(*e.constant());
        const Numbers velocity = g.log(g.times(g.inverse(g.carried_of(from)), g.carried_of(to)));
        for (std::size_t k = 0; k < c.count && model_.kind == Model::lagrangian; ++k)
            model_.v0[c.first + k] = *velocity[k].constant() / b.time.value_or(1);
    }
}

} // namespace rattleback::model
