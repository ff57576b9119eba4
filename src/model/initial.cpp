// [initial] and [run]: where a run starts and how it is run by default.
#include <algorithm>

#include "expr/real_functions.hpp"
#include "model/keys.hpp"
#include "model/reader.hpp"

namespace rattleback::model {

// Those of a whole family, from the formula of each.
std::vector<quad> Reader::family_numbers(const Parsed& p, const Target& target, const Component& c) {
    const Expr each = located(p, [&] { return scope_.with_numbers(scalar(p, target.index)); });
    check_size(each, c.lo, c.hi, p);
    return located(p, [&] {
        std::vector<quad> all;
        for (const Expr& member : expand(Vec({{"", each, true, c.lo, c.hi}}))) all.push_back(this->value(member, p));
        return all;
    });
}

// A table by name: single members ("x", "x[3]") and whole families ("x[i]" with any index name).
void Reader::fill_from_table(const Value& from, const Vec& shape, const char* what,
                             std::vector<std::optional<quad>>& values) {
    std::vector<std::size_t> first(shape.size() + 1, 0);
    for (std::size_t i = 0; i < shape.size(); ++i) first[i + 1] = first[i] + static_cast<std::size_t>(shape[i].count());
    by_coordinate(from, shape, [&](const Entry& e, const Target& target) {
        const Component& c = shape[target.place];
        const FormulaText text = text_of(e.value, what);
        if (!c.family || target.member) {
            values[first[target.place] + static_cast<std::size_t>(target.member.value_or(c.lo) - c.lo)] = number(text);
            return;
        }
        const std::vector<quad> all = family_numbers(parse(text), target, c);
        std::copy(all.begin(), all.end(), values.begin() + static_cast<std::ptrdiff_t>(first[target.place]));
    });
}

// --q name=value and its like.
void Reader::override_values(const LoadOptions::Pairs& overrides, const Vec& shape, const char* what,
                             std::vector<std::optional<quad>>& values) {
    if (overrides.empty()) return;
    const std::vector<std::string> names = expanded_names(shape);
    const bool positions = std::string_view(what) == "q";
    const std::string kind = model_.kind == Model::general ? "variable" : "coordinate";
    for (const auto& [name, text] : overrides) {
        const GroupCoordinate* group = group_of(name);
        if (positions && group) continue; // see read_group_start
        const std::string origin = std::string("--") + what + " " + name + "=" + text;
        const auto it = std::find(names.begin(), names.end(), group ? name + "_1" : name);
        if (group && it != names.end()) {
            const auto numbers = group_override({nullptr, text, origin}, name, static_cast<int>(group->count));
            std::copy(numbers.begin(), numbers.end(), values.begin() + (it - names.begin()));
            continue;
        }
        if (it == names.end() || (positions && !places_.contains(name.substr(0, name.find('['))) &&
                                  !grids_.contains(name.substr(0, name.find('[')))))
            throw ModelError(origin, "the model has no " + kind + " '" + name + "'",
                             suggestion(name, model_.groups.empty() ? names : names_in_tables(shape), kind + "s are "));
        values[static_cast<std::size_t>(it - names.begin())] = number({nullptr, text, origin});
    }
}

void Reader::require_count(const Value& list, const std::string& what, std::size_t wanted,
                           const std::string& remedy) const {
    if (list.items().size() != wanted)
        fail(list.range(),
             what + " has " + count_of(list.items().size(), "value") + ", " + std::to_string(wanted) +
                 (wanted == 1 ? " is needed" : " are needed"),
             remedy);
}

std::vector<quad> Reader::read_vector(const Value& from, const Vec& shape, const char* what,
                                      const std::vector<std::pair<std::string, std::string>>& overrides) {
    std::vector<std::optional<quad>> values(static_cast<std::size_t>(shape.count()));
    const bool positions = std::string_view(what) == "q";
    if (positions) read_group_start(from);
    if (positions || std::string_view(what) == "v" || std::string_view(what) == "p")
        read_group_rates(from, what, values);
    if (positions && from.is(Value::Kind::Array) && !model_.groups.empty()) {
        read_group_array(from, "the start", values);
    } else if (from.is(Value::Kind::Array)) {
        require_count(from, model_.is_group ? "xi" : what, values.size(),
                      "in the order " + list_of(expanded_names(shape)));
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = number(text_of(from.items()[i], what));
    } else if (from.is(Value::Kind::Table)) {
        fill_from_table(from, shape, what, values);
    } else {
        fail(from.range(),
             std::string(what) + " must be a table by name or an array, not " + std::string(from.kind_name()),
             "write " + std::string(what) + " = { " + expanded_names(shape)[0] + " = 0, ... }");
    }
    override_values(overrides, shape, what, values);
    std::vector<std::string> names, missing; // only where they are needed: there may be a million
    if (std::find(values.begin(), values.end(), std::nullopt) != values.end()) names = expanded_names(shape);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i]) continue;
        std::string name = names[i];
        for (const GroupCoordinate& g : model_.groups) // by the name of the coordinate, not of its components
            for (std::size_t k = 0; k < g.count; ++k)
                if (name.starts_with(model_.q[g.first + k].name))
                    name.replace(0, model_.q[g.first + k].name.size(), g.name);
        if (std::find(missing.begin(), missing.end(), name) == missing.end()) missing.push_back(name);
    }
    if (!missing.empty())
        fail(from.range(), std::string(what) + " does not give " + list_of(missing),
             "a table names every coordinate, or whole families: \"x[i]\" = \"...\"");
    std::vector<quad> result;
    for (const auto& v : values) result.push_back(*v);
    return result;
}

void Reader::read_initial_variables(const Value& table) {
    const Entry* z = table.find("z");
    if (!z)
        fail(document_.root().find("initial")->key_range, "[initial] needs z",
             "write z = [...] in the order of the variables");
    for (const auto& [option, given] :
         {std::pair{"--q ", &options_.q}, std::pair{"--v ", &options_.v}, std::pair{"--p ", &options_.p}})
        if (!given->empty())
            throw ModelError(option + (*given)[0].first + "=" + (*given)[0].second,
                             "this model has variables z, neither coordinates nor velocities",
                             "write --z " + (*given)[0].first + "=" + (*given)[0].second);
    const std::size_t n = static_cast<std::size_t>(model_.z.count());
    model_.z_given.assign(n, std::nullopt);
    if (z->value.is(Value::Kind::Table))
        fill_from_table(z->value, model_.z, "z", model_.z_given);
    else {
        const std::vector<quad> all = read_vector(z->value, model_.z, "z", {});
        for (std::size_t i = 0; i < n; ++i) model_.z_given[i] = all[i];
    }
    override_values(options_.z, model_.z, "z", model_.z_given);
    for (const auto& v : model_.z_given) model_.z0.push_back(v.value_or(0));
}

void Reader::read_initial() {
    const Value* found = this->table("initial");
    const bool general = model_.kind == Model::general;
    if (!found && model_.boundary) return start_from_boundary();
    if (!found)
        throw ModelError(document_.source().name(), "the model has no [initial]",
                         general ? "give z" : "give q and v (or p)");
    const Value& table = *found;
    const Range header = document_.root().find("initial")->key_range;
    const bool group = document_.root().find("group") != nullptr;
    if (general)
        allow_keys(table, {"z", "t"}, "in [initial]");
    else if (group)
        allow_keys(table, {"g", "xi", "t"}, "in [initial] of a model with [group]");
    else
        allow_keys(table, {"q", "v", "p", "lambda", "t"}, "in [initial]");
    if (const Entry* t = table.find("t")) model_.t0 = number(text_of(t->value, "t"));
    if (model_.kind == Model::general) return read_initial_variables(table);
    const Entry *q = table.find(group ? "g" : "q"), *v = table.find(group ? "xi" : "v"), *p = table.find("p");
    if (group && (!q || !v))
        fail(header, std::string("[initial] needs ") + (q ? "xi" : "g"),
             q ? "write xi = [...], the velocity seen from the body" : "write g = [...], the element to start from");
    if (!q) fail(header, "[initial] needs q", "write q = { x = 0, ... } or an array in coordinate order");
    if (model_.control && model_.control->positions > 0) return read_initial_of_mechanics(table);
    model_.q0 = read_vector(q->value, model_.q, "q", options_.q);
    if ((v != nullptr) == (p != nullptr))
        fail(header, std::string("[initial] needs v or p, ") + (v ? "not both" : "it has neither"),
             v ? "remove one of them" : "write v = { x = 0, ... } or an array in coordinate order");
    // Names in the tables v and p are the coordinates' names.
    const Vec& shape = model_.q;
    const auto refuse = [](const char* option, const LoadOptions::Pairs& given, const char* why, const char* remedy) {
        if (!given.empty()) throw ModelError(option + given[0].first + "=" + given[0].second, why, remedy);
    };
    refuse("--z ", options_.z, "this model has coordinates, not variables z", "use --q, and --v or --p");
    if (v) {
        refuse("--p ", options_.p, "the model starts from velocities v, not from momenta",
               "use --v, or give p in [initial]");
        model_.v0 = read_vector(v->value, shape, "v", options_.v);
    } else {
        refuse("--v ", options_.v, "the model starts from momenta p, not from velocities",
               "use --p, or give v in [initial]");
        model_.p0 = read_vector(p->value, shape, "p", options_.p);
    }
    if (const Entry* l = table.find("lambda")) {
        if (!l->value.is(Value::Kind::Array))
            fail(l->value.range(), "lambda must be an array", "write one number a velocity constraint");
        const auto wanted = static_cast<std::size_t>(model_.velocity.count());
        if (!model_.variational || wanted == 0)
            fail(l->key_range, "lambda is for variational problems with velocity constraints",
                 "remove it, or set principle = \"variational\" in [constraints]");
        require_count(l->value, "lambda", wanted, "one a velocity constraint");
        for (const Value& x : l->value.items()) model_.lambda0.push_back(number(text_of(x, "lambda")));
    }
}

// Under control: positions and velocities, which together are the coordinates, and costates of both.
void Reader::read_initial_of_mechanics(const Value& table) {
    const Range header = document_.root().find("initial")->key_range;
    const Entry *q = table.find("q"), *v = table.find("v"), *p = table.find("p");
    if (!v || !p)
        fail(header, "[initial] of mechanics under control needs q, v and p",
             "p are the costates of q, then those of v; 'rattleback solve' finds them from [boundary]");
    const std::size_t n = model_.control->positions;
    Vec positions;
    for (std::size_t i = 0; i < n; ++i) positions.push_back(model_.q[i]);
    model_.q0 = read_vector(q->value, positions, "q", options_.q);
    std::vector<quad> velocities = read_vector(v->value, positions, "v", options_.v);
    if (!velocities_.empty()) velocities = left_velocities_at_start(model_.q0, velocities, v->value.range());
    model_.q0.insert(model_.q0.end(), velocities.begin(), velocities.end());
    model_.p0 = read_vector(p->value, model_.q, "p", options_.p);
}

void Reader::read_run() {
    const Value* found = this->table("run");
    if (!found) return;
    const Value& table = *found;
    allow_keys(table, keys_of("run"), "in [run]");
    if (const Entry* e = table.find("method")) {
        if (!e->value.is(Value::Kind::String))
            fail(e->value.range(), "method must be a name in quotes", "'rattleback methods' lists them");
        model_.run.method = e->value.text();
    }
    if (const Entry* e = table.find("step")) {
        model_.run.step = static_cast<double>(number(text_of(e->value, "step")));
        if (*model_.run.step == 0) fail(e->value.range(), "the step must not be 0", "write step = 0.01");
    }
    if (const Entry* e = table.find("until"))
        model_.run.until = static_cast<double>(number(text_of(e->value, "until")));
    if (const Entry* e = table.find("steps")) {
        const quad n = number(text_of(e->value, "steps"));
        if (n < 0 || real::floor(n) != n || n > static_cast<quad>(1e15))
            fail(e->value.range(), "steps must be a whole number, not negative", "write steps = 1000");
        model_.run.steps = static_cast<long long>(n);
        if (model_.run.until) fail(e->key_range, "[run] takes until or steps, not both", "remove one of them");
    }
}

} // namespace rattleback::model
