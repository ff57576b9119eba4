#include "model/reader.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "expr/constant.hpp"

namespace rattleback::model {
namespace {

bool is_name(std::string_view s) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    if (s.empty() || !letter(s[0])) return false;
    return std::all_of(s.begin(), s.end(), [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; });
}

bool is_keyword(std::string_view s) { return s == "and" || s == "or" || s == "in" || s == "for" || s == "sum"; }

} // namespace

Reader::Reader(Document document, const LoadOptions& options)
    : document_(std::move(document)), options_(options), graph_(*model_.graph), scope_(graph_) {}

void Reader::fail(Range range, const std::string& message, const std::string& remedy) const {
    throw ModelError(document_.source(), range, message, remedy);
}

void Reader::fail(const FormulaText& at, const std::string& message, const std::string& remedy) const {
    if (at.value) fail(at.value->range(), message, remedy);
    throw ModelError(at.origin, message, remedy);
}

void Reader::allow_keys(const Value& table, std::initializer_list<std::string_view> keys,
                        std::string_view where) const {
    for (const Entry& e : table.entries()) {
        if (std::find(keys.begin(), keys.end(), e.key) != keys.end()) continue;
        const std::string near = nearest(e.key, std::vector<std::string>(keys.begin(), keys.end()));
        std::string list;
        for (std::string_view k : keys) list += (list.empty() ? "" : ", ") + std::string(k);
        fail(e.key_range, "unknown key '" + std::string(e.key) + "' " + std::string(where),
             near.empty() ? "known keys: " + list : "did you mean '" + near + "'?");
    }
}

// --- formulas -------------------------------------------------------------------------------------------------------

FormulaText Reader::text_of(const Value& value, const char* what) const {
    if (!value.is(Value::Kind::String) && !value.is_number())
        fail(value.range(),
             std::string(what) + " must be a formula in quotes or a number, not " + std::string(value.kind_name()));
    return {&value, {}, {}};
}

Reader::Parsed Reader::parse(const FormulaText& from) const {
    Parsed p{{}, from};
    std::string text = from.text;
    if (from.value) text = from.value->is(Value::Kind::String) ? from.value->text() : from.value->literal();
    p.tree.text = text;
    if (from.value && from.value->is(Value::Kind::Float) && !std::isfinite(from.value->real()))
        fail(from.value->range(), "the number must be finite");
    // TOML numbers may have a sign, which formulas have too, and forms like 0x10, which they do not.
    if (from.value && from.value->is(Value::Kind::Integer)) text = std::to_string(from.value->integer());
    p.tree = located(p, [&] { return syntax::parse(text); });
    return p;
}

Tensor Reader::meaning(const Parsed& formula) {
    if (formula.tree.loop) {
        const syntax::Loop& l = *formula.tree.loop;
        located(formula, [&]() -> int {
            throw FormulaError(l.begin, l.end, "'for' is for constraints", "write sum(i in 1..n: ...) to add up");
        });
    }
    return located(formula, [&] { return elaborate(graph_, formula.tree, scope_); });
}

Expr Reader::scalar(const Parsed& formula) {
    const Tensor t = meaning(formula);
    if (!t.is_scalar()) fail(formula.from, "a number is needed here, not " + t.shape());
    return t.scalar();
}

quad Reader::number(const FormulaText& from) {
    const Parsed formula = parse(from);
    scope_.parameters_as_numbers(true);
    const Expr e = scalar(formula);
    scope_.parameters_as_numbers(false);
    return located(formula, [&] { return require_number(e); });
}

void Reader::forbid(const Expr& e, const Vec& leaves, const Parsed& formula, const std::string& message,
                    const std::string& remedy) const {
    if (!e.graph()) return;
    for (NodeId id : reachable(graph_, std::array{e.id()}, true))
        for (const Component& c : leaves) {
            const Node &n = graph_.node(id), &leaf = graph_.node(c.value.id());
            if (c.family ? n.op == Op::element && n.a == leaf.a : id == c.value.id()) {
                const std::string name = c.name;
                const std::size_t at = formula.tree.text.find(name);
                if (at != std::string::npos && formula.from.value && formula.from.value->is(Value::Kind::String))
                    fail(formula.from.value->in_file(at, at + name.size()), message, remedy);
                fail(formula.from, message, remedy);
            }
        }
}

// --- header, parameters, coordinates
// ----------------------------------------------------------------------------------

void Reader::check_keys() {
    const Value& root = document_.root();
    allow_keys(root,
               {"format",    "name",        "reference", "coordinates", "variables",  "parameters", "definitions",
                "mechanics", "hamiltonian", "structure", "constraints", "symmetries", "sections",   "observables",
                "initial",   "run",         "view",      "control",     "boundary",   "group",      "parametrization"},
               "at the top of a model");
    for (const char* later : {"control", "boundary", "group", "parametrization"})
        if (const Entry* e = root.find(later))
            fail(e->key_range, "models with [" + std::string(later) + "] are not supported by this version");
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
                fail(e->value.range(), std::string(key) + " must be a text in quotes");
            *to = e->value.text();
        }
    model_.t = graph_.symbol("t");
}

void Reader::require_free(const std::string& name, Range range) const {
    if (!is_name(name) || is_keyword(name))
        fail(range, "'" + name + "' is not a name", "names are made of letters, digits and _, and begin with a letter");
    if (scope_.taken(name))
        fail(range, "the name '" + name + "' is used twice", "t, pi and p_... of coordinates are names too");
    if (name == "t") fail(range, "'t' is the time", "choose another name");
}

void Reader::read_parameters() {
    std::vector<std::pair<std::string, FormulaText>> all;
    if (const Entry* table = document_.root().find("parameters")) {
        if (!table->value.is(Value::Kind::Table)) fail(table->value.range(), "[parameters] must be a table");
        for (const Entry& e : table->value.entries()) {
            require_free(std::string(e.key), e.key_range);
            all.emplace_back(e.key, text_of(e.value, "a parameter"));
        }
    }
    for (const auto& [name, value] : options_.set) {
        const auto it = std::find_if(all.begin(), all.end(), [&, &key = name](auto& p) { return p.first == key; });
        std::vector<std::string> names;
        for (auto& p : all) names.push_back(p.first);
        const std::string near = nearest(name, names);
        if (it == all.end())
            throw ModelError("--set " + name + "=" + value, "the model has no parameter '" + name + "'",
                             near.empty() ? "" : "did you mean '" + near + "'?");
        it->second = {nullptr, value, "--set " + name + "=" + value};
    }
    // Each may use the others, in any order.
    std::map<std::string, std::pair<Parsed, std::vector<std::string>>> waiting;
    for (auto& [name, text] : all) {
        Parsed p = parse(text);
        waiting.try_emplace(name, p, p.tree.names);
    }
    while (!waiting.empty()) {
        bool progress = false;
        for (auto& [name, text] : all) {
            const auto it = waiting.find(name);
            if (it == waiting.end()) continue;
            const auto& uses = it->second.second;
            if (std::any_of(uses.begin(), uses.end(), [&](const std::string& u) { return waiting.contains(u); }))
                continue;
            const quad value = number(it->second.first.from);
            const Expr symbol = graph_.symbol(name);
            scope_.add_parameter(name, symbol, value);
            waiting.erase(it);
            progress = true;
        }
        if (!progress) {
            std::string cycle;
            for (auto& [name, w] : waiting) cycle += (cycle.empty() ? "" : ", ") + name;
            fail(waiting.begin()->second.first.from, "parameters are defined in a circle: " + cycle);
        }
    }
    for (auto& [name, text] : all)
        model_.parameters.push_back({name, graph_.symbol(name), number({nullptr, name, name})});
}

// "x[0]" = "0" in [definitions]: values of a family outside its range. They may use parameters and t.
void Reader::read_borders() {
    scope_.add_time(model_.t);
    const Entry* table = document_.root().find("definitions");
    if (!table || !table->value.is(Value::Kind::Table)) return;
    for (const Entry& e : table->value.entries()) {
        const std::size_t bracket = e.key.find('[');
        if (bracket == std::string_view::npos || e.key.back() != ']') continue;
        const std::string name(e.key.substr(0, bracket)), index(e.key.substr(bracket + 1, e.key.size() - bracket - 2));
        bool names_known = true; // "r[i]" with a new name i is a definition for every i, not a border
        try {
            for (const std::string& n : syntax::parse(index).names) names_known &= scope_.name(n, false).has_value();
        } catch (const std::exception& error) {
            fail(e.key_range, std::string("this index cannot be read: ") + error.what());
        }
        if (!names_known) continue;
        const quad at = number({nullptr, index, "\"" + std::string(e.key) + "\""});
        if (real::floor(at) != at || real::abs(at) > static_cast<quad>(1e9))
            fail(e.key_range, "the index must be a whole number");
        borders_[name].emplace_back(static_cast<int>(at), scalar(parse(text_of(e.value, "a border value"))));
    }
}

Component Reader::read_coordinate_name(const Value& value) {
    if (!value.is(Value::Kind::String)) fail(value.range(), "a coordinate is a name in quotes");
    const std::string text(value.text());
    const std::size_t bracket = text.find('[');
    Component c{text.substr(0, bracket), 0.0};
    require_free(c.name, value.range());
    if (bracket == std::string::npos) return c;
    const std::size_t dots = text.find("..", bracket);
    if (text.back() != ']' || dots == std::string::npos)
        fail(value.range(), "a family of coordinates is written x[1..n]");
    const auto bound = [&](std::size_t from, std::size_t to) {
        const FormulaText part{nullptr, text.substr(from, to - from), text};
        quad x = 0;
        try {
            x = number(part);
        } catch (const ModelError& e) { fail(value.in_file(from, to), e.message(), e.remedy()); }
        if (real::floor(x) != x || real::abs(x) > static_cast<quad>(1e8))
            fail(value.in_file(from, to), "the bounds of a family must be whole numbers");
        return static_cast<int>(x);
    };
    c.family = true;
    c.lo = bound(bracket + 1, dots), c.hi = bound(dots + 2, text.size() - 1);
    if (c.hi < c.lo)
        fail(value.range(),
             "the family " + c.name + "[" + std::to_string(c.lo) + ".." + std::to_string(c.hi) + "] is empty");
    if (c.hi - c.lo >= 1000000) fail(value.range(), "a family has at most 1,000,000 members");
    if (auto it = borders_.find(c.name); it != borders_.end()) {
        c.border = it->second;
        for (auto& [k, e] : c.border)
            if (k >= c.lo && k <= c.hi)
                fail(value.range(),
                     c.name + "[" + std::to_string(k) + "] is a coordinate; [definitions] gives it a value too");
        borders_.erase(it);
    }
    return c;
}

void Reader::read_coordinates() {
    const Value& root = document_.root();
    const Entry* e = root.find("coordinates");
    if (!e) {
        if (root.find("variables")) return;
        throw ModelError(document_.source().name(), "the model has no coordinates",
                         "write coordinates = [\"x\", \"y\"]");
    }
    if (!e->value.is(Value::Kind::Array) || e->value.items().empty())
        fail(e->value.range(), "coordinates must be a list of names", "write coordinates = [\"x\", \"y\"]");
    const Vec one({{"t", Expr(1)}});
    for (const Value& item : e->value.items()) {
        const Component shape = read_coordinate_name(item);
        Component rate = shape, momentum = shape;
        for (auto& [k, value] : rate.border) value = derivative_along(value, model_.time_vec(), one);
        momentum.border.clear();
        rate.name += "'", momentum.name = "p_" + shape.name;
        const auto leaf = [&](const Component& c) { return symbols_like(graph_, "", Vec({c}))[0]; };
        const Component q = leaf(shape), v = leaf(rate), p = leaf(momentum);
        scope_.add_coordinate(q, v, p);
        model_.q.push_back(q), model_.v.push_back(v), model_.p.push_back(p);
    }
    scope_.set_motion(concat({model_.q, model_.time_vec()}), concat({model_.v, one}));
}

void Reader::read_variables() {
    const Entry* e = document_.root().find("variables");
    if (!e) return;
    if (const Entry* c = document_.root().find("coordinates"))
        fail(c->key_range, "a model has either coordinates or variables");
    if (!e->value.is(Value::Kind::Array) || e->value.items().empty())
        fail(e->value.range(), "variables must be a list of names", "write variables = [\"x\", \"y\"]");
    for (const Value& item : e->value.items()) {
        Component c = read_coordinate_name(item);
        if (c.family) fail(item.range(), "variables of J z' = grad H are single names, not families");
        c.value = graph_.symbol(c.name);
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
    read_borders();
    read_coordinates();
    read_variables();
    read_definitions();
    if (!borders_.empty())
        throw ModelError(document_.source().name(), "[definitions] gives border values of '" + borders_.begin()->first +
                                                        "', which is no family of coordinates");
    if (model_.z.empty())
        read_mechanics();
    else
        read_general_hamiltonian();
    read_constraints();
    read_symmetries();
    read_observables();
    read_initial();
    read_run();
    return std::move(model_);
}

} // namespace rattleback::model

namespace rattleback {

Model read_model(const std::string& text, const std::string& file_name, const LoadOptions& options) {
    try {
        return model::Reader(model::Document::parse(model::Source(file_name, text)), options).read();
    } catch (const model::ModelError& e) { throw BadModel(e.what()); }
}

Model load(const std::string& file, const LoadOptions& options) {
    try {
        return model::Reader(model::Document::parse(model::Source::open(file)), options).read();
    } catch (const model::ModelError& e) { throw BadModel(e.what()); }
}

} // namespace rattleback
