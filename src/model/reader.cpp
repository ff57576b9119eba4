#include "model/reader.hpp"
#include "expr/graph.hpp"
#include "expr/shown.hpp"
#include "model/copy.hpp"
#include "model/keys.hpp"

#include <algorithm>

namespace rattleback::model {
Reader::Reader(Document document, const LoadOptions& options)
    : document_(std::move(document)), options_(options), graph_(*model_.graph), scope_(graph_) {}

void Reader::fail(Range range, const std::string& message, const std::string& remedy) const {
    throw ModelError(document_.source(), range, message, remedy);
}

void Reader::fail(const FormulaText& at, const std::string& message, const std::string& remedy) const {
    if (at.value) fail(at.value->range(), message, remedy);
    throw ModelError(at.origin, message, remedy);
}

const Value* Reader::table(const char* name) const {
    const Entry* e = document_.root().find(name);
    if (!e) return nullptr;
    if (!e->value.is(Value::Kind::Table))
        fail(e->key_range, std::string(name) + " must be a table, not " + std::string(e->value.kind_name()),
             "write [" + std::string(name) + "] on a line of its own, and its entries below");
    return &e->value;
}

namespace {

// Words that others use for a key of ours; nearness would propose 'holonomic' for 'nonholonomic'.
std::string_view usual_key(std::string_view key) {
    static constexpr std::pair<std::string_view, std::string_view> words[] = {{"damping", "dissipation"},
                                                                              {"friction", "dissipation"},
                                                                              {"rayleigh", "dissipation"},
                                                                              {"forces", "force"},
                                                                              {"nonholonomic", "velocity"},
                                                                              {"pfaffian", "velocity"},
                                                                              {"T", "kinetic"},
                                                                              {"V", "potential"},
                                                                              {"L", "lagrangian"},
                                                                              {"H", "hamiltonian"},
                                                                              {"kinetic_energy", "kinetic"},
                                                                              {"potential_energy", "potential"},
                                                                              {"constants", "parameters"},
                                                                              {"variables", "coordinates"},
                                                                              {"dt", "step"},
                                                                              {"t_end", "until"},
                                                                              {"tmax", "until"}};
    for (const auto& [word, ours] : words)
        if (word == key) return ours;
    return {};
}

} // namespace

void Reader::allow_keys(const Value& table, const std::vector<std::string>& keys, const std::string& where) const {
    const auto is_known = [&](std::string_view key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); };
    for (const Entry& e : table.entries()) {
        if (is_known(e.key)) continue;
        const std::string ours(usual_key(e.key));
        fail(e.key_range, "unknown key '" + std::string(e.key) + "' " + where,
             is_known(ours) ? "did you mean '" + ours + "'?" : suggestion(e.key, keys, "known keys: "));
    }
}

const std::vector<Value>& Reader::names_in(const Entry& list, const std::string& example) const {
    const std::string key(list.key);
    if (!list.value.is(Value::Kind::Array) || list.value.items().empty())
        fail(list.value.range(), key + " must be a list of names", "write " + key + " = " + example);
    return list.value.items();
}

// --- header, parameters, coordinates ---------------------------------------------------------------------------------

// What belongs into a table is often written above all tables.
namespace {
std::string home_of(std::string_view key) {
    static const std::pair<const char*, std::vector<std::string_view>> tables[] = {
        {"mechanics", {"lagrangian", "kinetic", "potential", "force", "dissipation"}},
        {"constraints", {"velocity", "holonomic", "phase", "principle"}},
        {"initial", {"q", "v", "p", "z", "g", "xi", "t"}},
        {"run", {"method", "step", "until", "steps"}},
        {"control", {"inputs", "dynamics", "cost", "bounds", "path"}},
        {"boundary", {"from", "to", "time", "periodic"}}};
    for (const auto& [table, keys] : tables)
        if (std::find(keys.begin(), keys.end(), key) != keys.end()) return table;
    return {};
}
} // namespace

void Reader::check_keys() {
    const Value& root = document_.root();
    for (const Entry& e : root.entries())
        if (const std::string table = home_of(e.key); !table.empty())
            fail(e.key_range, std::string(e.key) + " belongs in [" + table + "]",
                 "write [" + table + "] on a line of its own, and " + std::string(e.key) + " below");
    allow_keys(root, keys_of(""), "at the top of a model");
}

void Reader::read_header() {
    const Value& root = document_.root();
    if (const Entry* e = root.find("format")) {
        if (!e->value.is(Value::Kind::Integer) || e->value.integer() < 1)
            fail(e->value.range(), "format must be a whole number", "write format = 1");
        if (e->value.integer() > 1)
            fail(e->value.range(),
                 "this file has format " + std::to_string(e->value.integer()) + "; this version reads format 1",
                 "install a newer version of Rattleback");
    }
    for (auto [key, to] : {std::pair{"name", &model_.name}, std::pair{"reference", &model_.reference}})
        if (const Entry* e = root.find(key)) {
            if (!e->value.is(Value::Kind::String))
                fail(e->value.range(), std::string(key) + " must be a text in quotes",
                     "write " + std::string(key) + " = \"...\"");
            *to = e->value.text();
            require_printable(*to, e->value.range());
        }
    model_.t = graph_.symbol("t");
}

// Names come back in files, on terminals and in pages.
void Reader::require_printable(const std::string& text, Range range) const {
    if (!is_printable(text))
        fail(range, "'" + text + "' has characters that cannot be shown",
             "leave out control characters, line breaks, direction marks and invisible characters");
}

void Reader::require_free(const std::string& name, Range range) const {
    if (!is_name(name))
        fail(range, "'" + name + "' is not a name",
             "names are made of letters, digits and _, and begin with a letter; and, or, in, for, sum are none");
    if (name == "t" || name == "pi")
        fail(range, "'" + name + "' is the " + (name == "t" ? "time" : "number pi"), "choose another name");
    if (scope_.taken(name))
        fail(range, "the name '" + name + "' is used twice",
             name.rfind("p_", 0) == 0 ? "p_x is the momentum of x" : "choose another name");
}

// Results carry what they hold by name, so no name may stand for two things.
void Reader::claim_column(const std::string& name, Range range) {
    if (name.empty()) fail(range, "a name is missing", "write a name before the '='");
    require_printable(name, range);
    const bool multiplier = name.rfind("lambda_", 0) == 0 && name.size() > 7 &&
                            name.find_first_not_of("0123456789", 7) == std::string::npos;
    if (name == "t" || name == "energy" || name == "constraint" || multiplier)
        fail(range, "results have a column '" + name + "' already", "choose another name");
    if (!columns_.insert(name).second) fail(range, "the name '" + name + "' is used twice", "choose another name");
}

void Reader::read_parameters() {
    std::vector<std::string> names;
    std::vector<FormulaText> texts;
    if (const Value* entries = table("parameters"))
        for (const Entry& e : entries->entries()) {
            require_free(std::string(e.key), e.key_range);
            names.emplace_back(e.key), texts.push_back(text_of(e.value, "a parameter"));
        }
    for (const auto& [name, value] : options_.set) {
        const auto it = std::find(names.begin(), names.end(), name);
        if (it == names.end())
            throw ModelError("--set " + name + "=" + value, "the model has no parameter '" + name + "'",
                             suggestion(name, names, "parameters are "));
        texts[static_cast<std::size_t>(it - names.begin())] = {nullptr, value, "--set " + name + "=" + value};
    }
    // Each may use the others, in any order.
    std::vector<std::vector<std::string>> uses;
    for (const FormulaText& text : texts) uses.push_back(free_names(parse(text).tree));
    const Order order = order_of_use(names, uses);
    if (!order.circle.empty())
        fail(texts[order.in_circle], "parameters refer to each other in a circle: " + order.circle,
             "give one of them a value of its own");
    std::vector<quad> values(names.size());
    for (std::size_t i : order.places) {
        values[i] = number(texts[i]);
        scope_.add_parameter(names[i], graph_.symbol(names[i]), values[i]);
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        model_.parameters.push_back({names[i], graph_.symbol(names[i]), values[i]});
        parameter_uses_[names[i]] = uses[i];
    }
}

// With those that they were computed from.
void Reader::note_structure_parameters() {
    std::set<std::string> fixed;
    std::vector<std::string> stack;
    for (const Parameter& p : model_.parameters)
        if (scope_.is_fixed(p.symbol)) stack.push_back(p.name);
    while (!stack.empty()) {
        const std::string name = stack.back();
        stack.pop_back();
        if (!fixed.insert(name).second) continue;
        for (const std::string& used : parameter_uses_[name])
            if (parameter_uses_.contains(used)) stack.push_back(used);
    }
    for (const Parameter& p : model_.parameters)
        if (fixed.contains(p.name)) model_.structure_parameters.push_back(p.name);
}

Component Reader::read_coordinate_name(const Value& value) {
    if (!value.is(Value::Kind::String)) fail(value.range(), "a coordinate is a name in quotes", "write \"x\"");
    return read_coordinate_name(value, std::string(value.text()));
}

Component Reader::read_coordinate_name(const Value& value, const std::string& text) {
    const std::size_t bracket = text.find('['), dots = text.find("..", std::min(bracket, text.size()));
    const bool family = bracket != std::string::npos;
    if (family && (text.back() != ']' || dots == std::string::npos))
        fail(value.range(), "'" + text + "' is neither a name nor a family", "a family is written x[1..n]");
    Component c{text.substr(0, bracket), 0.0};
    const Range name = value.in_file(0, c.name.size());
    require_free(c.name, name);
    if (scope_.taken("p_" + c.name))
        fail(name, "the name 'p_" + c.name + "' is used twice", "it is the momentum of '" + c.name + "'");
    claim_column(c.name, name);
    if (!family) return c;
    const auto bound = [&](std::size_t from, std::size_t to) {
        const Range at = value.in_file(from, to);
        quad x = 0;
        try {
            x = structural_number({nullptr, text.substr(from, to - from), {}});
        } catch (const ModelError& e) { fail(at, e.message(), e.remedy()); }
        return whole(x, at, "a bound of a family");
    };
    c.family = true;
    c.lo = bound(bracket + 1, dots), c.hi = bound(dots + 2, text.size() - 1);
    const std::string written = c.name + "[" + std::to_string(c.lo) + ".." + std::to_string(c.hi) + "]";
    if (c.hi < c.lo) fail(value.range(), "the family has no members: " + written, "it ends before it begins");
    if (c.hi - c.lo >= reading_limits.members)
        fail(value.range(), "a model has at most " + grouped(reading_limits.members) + " coordinates");
    if (auto it = borders_.find(c.name); it != borders_.end()) {
        for (const Border& b : it->second) {
            if (b.index >= c.lo && b.index <= c.hi)
                fail(b.entry->key_range,
                     c.name + "[" + std::to_string(b.index) + "] is a coordinate: a definition cannot give it a value",
                     "border values lie outside " + std::to_string(c.lo) + ".." + std::to_string(c.hi));
            c.border.emplace_back(b.index, b.value);
        }
        borders_.erase(it);
    }
    return c;
}

void Reader::read_coordinates() {
    const Value& root = document_.root();
    const Entry* e = root.find("coordinates");
    if (root.find("group")) {
        if (e)
            fail(e->key_range, "a model has coordinates or [group], not both",
                 "a coordinate on a group is written \"R in SO(3)\"");
        return read_group_factors();
    }
    if (!e) {
        if (root.find("variables")) return;
        throw ModelError(document_.source().name(), "the model has no coordinates",
                         "write coordinates = [\"x\", \"y\"]");
    }
    int members = 0;
    for (const Value& item : names_in(*e, "[\"x\", \"y\"]")) {
        const std::size_t before = static_cast<std::size_t>(model_.q.count());
        const std::string text(item.is(Value::Kind::String) ? item.text() : "");
        const std::size_t in = text.find(" in ");
        const bool two = text.find('[') != std::string::npos && text.find(',') != std::string::npos;
        if (two && in != std::string::npos)
            fail(item.range(), "families of coordinates on groups have one index", "write \"R[1..n] in SO(3)\"");
        if (two)
            read_grid(item, text);
        else if (in != std::string::npos)
            add_group_coordinate(read_coordinate_name(item, text.substr(0, in)), read_group_name(item, in + 4));
        else
            add_coordinate(read_coordinate_name(item));
        members += static_cast<int>(static_cast<std::size_t>(model_.q.count()) - before);
        if (members > reading_limits.members)
            fail(item.range(), "a model has at most " + grouped(reading_limits.members) + " coordinates");
    }
    set_motion();
}

// Of the scope: d/dt of formulas of (q, t).
void Reader::set_motion() {
    scope_.set_motion(concat({model_.q, model_.time_vec()}), concat({chart_rates(), Vec({{"t", Expr(1)}})}));
}

void Reader::add_coordinate(const Component& shape) {
    columns_.insert(shape.name + "'"), columns_.insert("p_" + shape.name);
    places_[shape.name] = model_.q.size();
    Component rate = shape, momentum = shape;
    for (auto& [k, value] : rate.border) value = derivative_along(value, model_.time_vec(), Vec({{"t", Expr(1)}}));
    momentum.border.clear();
    rate.name += "'", momentum.name = "p_" + shape.name;
    const auto leaf = [&](const Component& c) { return symbols_like(graph_, "", Vec({c}))[0]; };
    const Component q = leaf(shape), v = leaf(rate), p = leaf(momentum);
    scope_.add_coordinate(q, v, p);
    model_.q.push_back(q), model_.v.push_back(v), model_.p.push_back(p);
}

void Reader::read_variables() {
    const Entry* e = document_.root().find("variables");
    if (!e) return;
    if (const Entry* c = document_.root().find("coordinates"))
        fail(c->key_range, "a model has coordinates or variables, not both",
             "coordinates go with [mechanics], variables with [hamiltonian]");
    for (const Value& item : names_in(*e, "[\"x\", \"y\"]")) {
        Component c = read_coordinate_name(item);
        if (c.family) fail(item.range(), "variables are single names, not families", "name each variable");
        c.value = graph_.symbol(c.name);
        places_[c.name] = model_.z.size();
        scope_.add_variable(c);
        model_.z.push_back(c);
    }
}

// --- the whole
// --------------------------------------------------------------------------------------------------------

Model Reader::read() {
    model_.file = document_.source().name();
    model_.text = document_.source().text();
    check_keys();
    read_header();
    read_parameters();
    read_tables();
    read_borders();
    read_coordinates();
    read_variables();
    read_inputs();
    read_definitions();
    if (!grid_borders_.empty())
        fail(grid_borders_.begin()->second[0].entry->key_range,
             "'" + grid_borders_.begin()->first + "' is no family with two indices, it has no border values",
             "write coordinates = [\"u[1..n,1..n]\"]");
    if (!borders_.empty())
        fail(borders_.begin()->second[0].entry->key_range,
             "'" + borders_.begin()->first + "' is no family of coordinates, it has no border values",
             "a definition for every index is written \"r[i]\" = \"...\"");
    if (document_.root().find("control"))
        read_control();
    else if (document_.root().find("group"))
        read_group_mechanics();
    else if (model_.z.empty())
        read_mechanics();
    else
        read_general_hamiltonian();
    if (!model_.control) read_constraints();
    read_symmetries();
    read_sections();
    read_observables();
    put_in_inputs();
    note_structure_parameters();
    read_view();
    read_boundary();
    put_in_left_velocities();
    read_initial();
    read_run();
    read_parametrization();
    read_discrete();
    return std::move(model_);
}

} // namespace rattleback::model

namespace rattleback {

namespace {

// What the file says without the options, but for those that its structure depends on. Where that is no model, the
// options' values are the typical ones.
void note_typical_values(Model& model, const LoadOptions& options) {
    LoadOptions structure;
    const auto& fixed = model.structure_parameters;
    for (const auto& set : options.set)
        if (std::find(fixed.begin(), fixed.end(), set.first) != fixed.end()) structure.set.push_back(set);
    const bool same_start = options.q.empty() && options.v.empty() && options.p.empty() && options.z.empty();
    if (same_start && structure.set.size() == options.set.size()) return;
    try {
        const Model written =
            model::Reader(model::Document::parse(model::Source(model.file, model.text)), structure).read();
        for (std::size_t i = 0; i < model.parameters.size(); ++i)
            model.parameters[i].typical = written.parameters[i].value;
        model.typical_start = start_of(written);
    } catch (const model::ModelError&) {
    } catch (const ExprError&) {}
}

Model read_document(model::Document document, const LoadOptions& options) {
    const std::string file = document.source().name();
    try {
        Model model = model::Reader(std::move(document), options).read();
        note_typical_values(model, options);
        return model;
    } catch (const ExprError& e) { throw model::ModelError(file, e.what()); }
}

} // namespace

Model read_model(const std::string& text, const std::string& file_name, const LoadOptions& options) {
    try {
        return read_document(model::Document::parse(model::Source(file_name, text)), options);
    } catch (const model::ModelError& e) { throw BadModel(e.what()); }
}

Model load(const std::string& file, const LoadOptions& options) {
    try {
        return read_document(model::Document::parse(model::Source::open(file)), options);
    } catch (const model::ModelError& e) { throw BadModel(e.what()); }
}

} // namespace rattleback
