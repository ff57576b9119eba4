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
    if (!model_.groups.empty())
        fail(header, "coordinates on groups are not supported in [boundary]", "write coordinates of a chart");
    allow_keys(*found, keys_of("boundary"), "in [boundary]");
    Boundary& b = model_.boundary.emplace();
    const auto n = static_cast<std::size_t>(model_.q.count());
    b.from.resize(n), b.to.resize(n);
    if (const Entry* e = found->find("periodic")) {
        if (!e->value.is(Value::Kind::Boolean))
            fail(e->value.range(), "periodic is true or false", "write periodic = true");
        b.periodic = e->value.raw() == "true";
    }
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
}

void Reader::read_end_list(const Value& list, const std::string& what, std::vector<std::optional<quad>>& values,
                           Vec& set) {
    std::vector<std::pair<Parsed, Expr>> all;
    bool numbers = true;
    for (const Value& item : list.items()) {
        Parsed p = parse(text_of(item, what.c_str()));
        const Expr value = scalar(p);
        numbers &= !scope_.contents(value).now;
        all.emplace_back(std::move(p), value);
    }
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
    for (std::size_t i = 0; i < b.from.size(); ++i) {
        const quad from = b.from[i].value_or(0), to = b.to[i].value_or(from);
        model_.q0.push_back(from);
        (model_.kind == Model::lagrangian ? model_.v0 : model_.p0)
            .push_back(model_.kind == Model::lagrangian ? (to - from) / time : quad(0));
    }
}

} // namespace rattleback::model
