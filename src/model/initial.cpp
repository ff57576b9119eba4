// [initial] and [run]: where a run starts and how it is run by default.
#include <algorithm>

#include "expr/constant.hpp"
#include "model/reader.hpp"

namespace rattleback::model {
namespace {

std::string list_of(const std::vector<std::string>& names, std::size_t most = 6) {
    std::string s;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) s += (i ? ", " : "") + names[i];
    return names.size() > most ? s + ", ..." : s;
}

} // namespace

// A table by name: single members ("x", "x[3]") and whole families ("x[i]" with any index name).
void Reader::fill_from_table(const Value& table, const Vec& shape, const char* what,
                             std::vector<std::optional<quad>>& values) {
    const std::vector<std::string> names = expanded_names(shape);
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < names.size(); ++i) place[names[i]] = i;
    std::vector<const Entry*> single;
    for (const Entry& e : table.entries()) { // families first: single members override them
        const std::string key(e.key);
        const std::size_t bracket = key.find('[');
        std::size_t first = 0;
        const Component* family = nullptr;
        for (const Component& c : shape) {
            if (c.family && bracket != std::string::npos && key.substr(0, bracket) == c.name) {
                family = &c;
                break;
            }
            first += static_cast<std::size_t>(c.count());
        }
        if (!family || place.contains(key)) {
            single.push_back(&e);
            continue;
        }
        const std::string index = key.substr(bracket + 1, key.size() - bracket - 2);
        const Parsed p = parse(text_of(e.value, what));
        scope_.parameters_as_numbers(true);
        const Tensor t = located(p, [&] { return elaborate(graph_, p.tree, scope_, index, graph_.free_index()); });
        scope_.parameters_as_numbers(false);
        if (!t.is_scalar()) fail(p.from, "a number is needed here, not " + t.shape());
        const std::vector<Expr> members = located(p, [&] {
            return expand(Vec({{"", t.scalar(), true, family->lo, family->hi}}));
        });
        for (std::size_t k = 0; k < members.size(); ++k)
            values[first + k] = located(p, [&] { return require_number(members[k]); });
    }
    for (const Entry* e : single) {
        const auto it = place.find(std::string(e->key));
        if (it == place.end()) {
            const std::string near = nearest(e->key, names);
            fail(e->key_range, "'" + std::string(e->key) + "' is not a name of " + what,
                 near.empty() ? "names: " + list_of(names) : "did you mean '" + near + "'?");
        }
        values[it->second] = number(text_of(e->value, what));
    }
}

std::vector<quad> Reader::read_vector(const Value& value, const Vec& shape, const char* what,
                                      const std::vector<std::pair<std::string, std::string>>& overrides) {
    const std::vector<std::string> names = expanded_names(shape);
    std::vector<std::optional<quad>> values(names.size());
    if (value.is(Value::Kind::Array)) {
        if (value.items().size() != names.size())
            fail(value.range(),
                 std::string(what) + " has " + std::to_string(value.items().size()) + " values, " +
                     std::to_string(names.size()) + " are needed",
                 "in the order " + list_of(names));
        for (std::size_t i = 0; i < names.size(); ++i) values[i] = number(text_of(value.items()[i], what));
    } else if (value.is(Value::Kind::Table)) {
        fill_from_table(value, shape, what, values);
    } else {
        fail(value.range(), std::string(what) + " must be a table by name or an array");
    }
    for (const auto& [name, text] : overrides) {
        const auto it = std::find(names.begin(), names.end(), name);
        const std::string origin = std::string("--") + what[0] + " " + name + "=" + text;
        if (it == names.end()) {
            const std::string near = nearest(name, names);
            throw ModelError(origin, "the model has no coordinate '" + name + "'",
                             near.empty() ? "" : "did you mean '" + near + "'?");
        }
        values[static_cast<std::size_t>(it - names.begin())] = number({nullptr, text, origin});
    }
    std::vector<std::string> missing;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (!values[i]) missing.push_back(names[i]);
    if (!missing.empty())
        fail(value.range(), std::string(what) + " does not give " + list_of(missing), "a table names every coordinate");
    std::vector<quad> result;
    for (const auto& v : values) result.push_back(*v);
    return result;
}

void Reader::read_initial_variables(const Value& table) {
    const Entry* z = table.find("z");
    if (!z) fail(table.range(), "[initial] needs z", "write z = [...] in the order of the variables");
    const std::size_t n = static_cast<std::size_t>(model_.z.count());
    model_.z_given.assign(n, std::nullopt);
    if (z->value.is(Value::Kind::Table))
        fill_from_table(z->value, model_.z, "z", model_.z_given);
    else {
        const std::vector<quad> all = read_vector(z->value, model_.z, "z", {});
        for (std::size_t i = 0; i < n; ++i) model_.z_given[i] = all[i];
    }
    for (const auto& v : model_.z_given) model_.z0.push_back(v.value_or(0));
}

void Reader::read_initial() {
    const Entry* entry = document_.root().find("initial");
    if (!entry) throw ModelError(document_.source().name(), "the model has no [initial]", "give q and v (or p)");
    const Value& table = entry->value;
    if (!table.is(Value::Kind::Table)) fail(table.range(), "[initial] must be a table");
    allow_keys(table,
               model_.kind == Model::general ? std::initializer_list<std::string_view>{"z", "t"}
                                             : std::initializer_list<std::string_view>{"q", "v", "p", "lambda", "t"},
               "in [initial]");
    if (const Entry* t = table.find("t")) model_.t0 = number(text_of(t->value, "t"));
    if (model_.kind == Model::general) return read_initial_variables(table);
    const Entry *q = table.find("q"), *v = table.find("v"), *p = table.find("p");
    if (!q) fail(entry->key_range, "[initial] needs q", "write q = { x = 0, ... } or an array in coordinate order");
    model_.q0 = read_vector(q->value, model_.q, "q", options_.q);
    if ((v != nullptr) == (p != nullptr)) fail(entry->key_range, "[initial] needs v or p, one of them");
    // Names in the tables v and p are the coordinates' names.
    Vec shape = model_.q;
    if (v)
        model_.v0 = read_vector(v->value, shape, "v", options_.v);
    else {
        if (!options_.v.empty())
            throw ModelError("--v " + options_.v[0].first + "=" + options_.v[0].second,
                             "the model starts from momenta p, not from velocities");
        model_.p0 = read_vector(p->value, shape, "p", {});
    }
    if (const Entry* l = table.find("lambda")) {
        if (!l->value.is(Value::Kind::Array))
            fail(l->value.range(), "lambda must be an array, one number a constraint");
        const auto wanted = static_cast<std::size_t>(model_.velocity.count());
        if (!model_.variational || wanted == 0)
            fail(l->key_range, "lambda is for variational problems with velocity constraints");
        if (l->value.items().size() != wanted)
            fail(l->value.range(),
                 "lambda has " + std::to_string(l->value.items().size()) + " values, " + std::to_string(wanted) +
                     " are needed",
                 "one a velocity constraint");
        for (const Value& x : l->value.items()) model_.lambda0.push_back(number(text_of(x, "lambda")));
    }
}

void Reader::read_run() {
    const Entry* entry = document_.root().find("run");
    if (!entry) return;
    const Value& table = entry->value;
    if (!table.is(Value::Kind::Table)) fail(table.range(), "[run] must be a table");
    allow_keys(table, {"method", "step", "until", "steps"}, "in [run]");
    if (const Entry* e = table.find("method")) {
        if (!e->value.is(Value::Kind::String))
            fail(e->value.range(), "method must be a name in quotes", "'rattleback methods' lists them");
        model_.run.method = e->value.text();
    }
    if (const Entry* e = table.find("step")) {
        model_.run.step = static_cast<double>(number(text_of(e->value, "step")));
        if (*model_.run.step == 0) fail(e->value.range(), "the step must not be 0");
    }
    if (const Entry* e = table.find("until"))
        model_.run.until = static_cast<double>(number(text_of(e->value, "until")));
    if (const Entry* e = table.find("steps")) {
        const quad n = number(text_of(e->value, "steps"));
        if (n < 0 || real::floor(n) != n || n > static_cast<quad>(1e15))
            fail(e->value.range(), "steps must be a whole number, not negative");
        model_.run.steps = static_cast<long long>(n);
        if (model_.run.until) fail(e->key_range, "[run] takes until or steps, not both");
    }
}

} // namespace rattleback::model
