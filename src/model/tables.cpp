// The tables of a model file after its names: definitions, mechanics, constraints, symmetries, observables.
#include <algorithm>
#include <array>

#include "expr/constant.hpp"
#include "model/reader.hpp"

namespace rattleback::model {
namespace {

// A TOML array of formulas is a vector, an array of arrays a matrix.
bool is_list(const Value& v) { return v.is(Value::Kind::Array); }

} // namespace

void Reader::read_definitions() {
    const Entry* table = document_.root().find("definitions");
    if (!table) return;
    if (!table->value.is(Value::Kind::Table)) fail(table->value.range(), "[definitions] must be a table");
    struct Pending {
        const Entry* entry;
        std::vector<Parsed> parts;
        int rows = 0, cols = 0;
        std::string name, index;
    };
    std::vector<Pending> pending;
    for (const Entry& e : table->value.entries()) {
        Pending p{&e, {}, 0, 0, std::string(e.key), {}};
        if (const std::size_t bracket = p.name.find('['); bracket != std::string::npos) {
            p.index = p.name.substr(bracket + 1, p.name.size() - bracket - 2);
            p.name.resize(bracket);
            const bool is_template =
                p.name.size() && !scope_.taken(p.index) &&
                p.index.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") ==
                    std::string::npos &&
                !p.index.empty();
            if (!is_template) continue; // a border value, read before
        }
        require_free(p.name, e.key_range);
        const auto add = [&](const Value& v) { p.parts.push_back(parse(text_of(v, "a definition"))); };
        if (!is_list(e.value)) {
            add(e.value);
        } else {
            p.rows = static_cast<int>(e.value.items().size());
            if (p.rows == 0) fail(e.value.range(), "an empty list defines nothing");
            for (const Value& row : e.value.items()) {
                const int width = is_list(row) ? static_cast<int>(row.items().size()) : 0;
                if (&row != &e.value.items()[0] && width != p.cols)
                    fail(row.range(), "the rows of a matrix must have one length");
                p.cols = width;
                if (is_list(row))
                    for (const Value& v : row.items()) add(v);
                else
                    add(row);
            }
        }
        if (std::any_of(pending.begin(), pending.end(), [&](auto& other) { return other.name == p.name; }))
            fail(e.key_range, "the name '" + p.name + "' is used twice");
        pending.push_back(std::move(p));
    }
    // In any order: a definition waits until those it uses are known. Kahn's order, so that long chains stay linear.
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < pending.size(); ++i) place[pending[i].name] = i;
    std::vector<std::vector<std::size_t>> users(pending.size());
    std::vector<std::size_t> missing(pending.size(), 0), ready;
    for (std::size_t i = 0; i < pending.size(); ++i) {
        std::set<std::size_t> uses;
        for (const Parsed& p : pending[i].parts)
            for (const std::string& n : p.tree.names)
                if (auto it = place.find(n); it != place.end()) uses.insert(it->second);
        for (std::size_t u : uses) users[u].push_back(i), ++missing[i];
    }
    for (std::size_t i = 0; i < pending.size(); ++i)
        if (missing[i] == 0) ready.push_back(i);
    std::size_t done = 0;
    for (; done < ready.size(); ++done) {
        Pending& p = pending[ready[done]];
        if (!p.index.empty()) {
            const Tensor t = located(
                p.parts[0], [&] { return elaborate(graph_, p.parts[0].tree, scope_, p.index, graph_.free_index()); });
            if (p.rows || !t.is_scalar())
                fail(p.entry->value.range(), "a definition for every " + p.index + " must be a number");
            scope_.add_template(p.name, t.scalar());
        } else if (p.rows == 0) {
            scope_.add_definition(p.name, meaning(p.parts[0]));
        } else {
            Tensor t({}, p.rows, p.cols);
            for (const Parsed& part : p.parts) t.e.push_back(scalar(part));
            scope_.add_definition(p.name, std::move(t));
        }
        for (std::size_t user : users[ready[done]])
            if (--missing[user] == 0) ready.push_back(user);
    }
    if (done == pending.size()) return;
    std::string circle;
    const Entry* first = nullptr;
    for (std::size_t i = 0; i < pending.size(); ++i)
        if (missing[i] > 0) {
            if (!first) first = pending[i].entry;
            if (circle.size() < 60) circle += (circle.empty() ? "" : ", ") + pending[i].name;
        }
    fail(first->key_range, "definitions refer to each other in a circle: " + circle, "break the circle");
}

void Reader::read_mechanics() {
    const Entry* table = document_.root().find("mechanics");
    if (!table)
        throw ModelError(document_.source().name(), "the model has no [mechanics]",
                         "give lagrangian, or kinetic and potential, or hamiltonian");
    if (!table->value.is(Value::Kind::Table)) fail(table->value.range(), "[mechanics] must be a table");
    const Value& m = table->value;
    allow_keys(m, {"lagrangian", "kinetic", "potential", "hamiltonian", "force"}, "in [mechanics]");
    const Entry *L = m.find("lagrangian"), *T = m.find("kinetic"), *V = m.find("potential"), *H = m.find("hamiltonian");
    if (int(L != nullptr) + int(T != nullptr) + int(H != nullptr) != 1 || (V && !T))
        fail(table->key_range, "[mechanics] needs exactly one of: lagrangian; kinetic with potential; hamiltonian");
    const auto formula = [&](const Entry& e) { return parse(text_of(e.value, "this")); };
    if (H) {
        model_.kind = Model::hamiltonian;
        const Parsed f = formula(*H);
        model_.function = scalar(f);
        forbid(model_.function, model_.v, f, "a Hamiltonian depends on q, p and t, not on velocities",
               "write momenta as p_x, or give a lagrangian");
    } else {
        const Parsed f = formula(L ? *L : *T);
        model_.function = scalar(f);
        forbid(model_.function, model_.p, f, "a Lagrangian depends on q, q' and t, not on momenta",
               "write velocities as x', or give a hamiltonian");
        if (V) {
            const Parsed g = formula(*V);
            const Expr potential = scalar(g);
            forbid(potential, concat({model_.v, model_.p}), g, "a potential depends on q and t only",
                   "give the whole lagrangian instead");
            model_.function = model_.function - potential;
        }
    }
    if (const Entry* f = m.find("force")) read_force(f->value);
}

void Reader::read_force(const Value& table) {
    if (!table.is(Value::Kind::Table))
        fail(table.range(), "force must be a table of coordinates", "write force = { x = \"-c*x'\" }");
    model_.force = zeros_like(model_.q);
    for (const Entry& e : table.entries()) {
        const auto fill = [&](std::size_t i, const Expr& value, const Parsed& p) {
            forbid(value, model_.p, p, "a force depends on q, q' and t, not on momenta", "write velocities as x'");
            model_.force[i].value = value;
        };
        const std::string key(e.key);
        const std::size_t bracket = key.find('[');
        const std::string name = key.substr(0, bracket);
        std::size_t i = 0;
        while (i < model_.q.size() && model_.q[i].name != name) ++i;
        if (i == model_.q.size() || (bracket != std::string::npos) != model_.q[i].family) {
            std::vector<std::string> names;
            for (const Component& c : model_.q) names.push_back(c.family ? c.name + "[i]" : c.name);
            const std::string near = nearest(key, names);
            fail(e.key_range, "'" + key + "' is no coordinate", near.empty() ? "" : "did you mean '" + near + "'?");
        }
        const Parsed p = parse(text_of(e.value, "a force"));
        if (bracket == std::string::npos) {
            fill(i, scalar(p), p);
            continue;
        }
        const std::string index = key.substr(bracket + 1, key.size() - bracket - 2);
        const Tensor t = located(p, [&] { return elaborate(graph_, p.tree, scope_, index, graph_.free_index()); });
        if (!t.is_scalar()) fail(p.from, "a number is needed here, not " + t.shape());
        fill(i, t.scalar(), p);
    }
}

void Reader::read_general_hamiltonian() {
    model_.kind = Model::general;
    const Value& root = document_.root();
    const Entry* table = root.find("hamiltonian");
    if (!table || !table->value.is(Value::Kind::Table))
        throw ModelError(document_.source().name(), "a model with variables needs [hamiltonian]",
                         "give formula = \"...\" and structure = [[...], ...]");
    if (const Entry* m = root.find("mechanics"))
        fail(m->key_range, "[mechanics] goes with coordinates; this model has variables");
    allow_keys(table->value, {"formula", "structure"}, "in [hamiltonian]");
    const Entry* formula = table->value.find("formula");
    if (!formula) fail(table->key_range, "[hamiltonian] needs formula = \"...\"");
    model_.function = scalar(parse(text_of(formula->value, "the Hamiltonian")));
    const Entry* structure = table->value.find("structure");
    if (!structure) structure = root.find("structure");
    if (!structure)
        fail(table->key_range, "[hamiltonian] needs structure = [[...], ...], the matrix J of J z' = grad H");
    read_structure(structure->value);
}

void Reader::read_structure(const Value& rows) {
    const auto n = static_cast<std::size_t>(model_.z.count());
    const std::string wanted = std::to_string(n) + " x " + std::to_string(n);
    if (!is_list(rows) || rows.items().size() != n)
        fail(rows.range(), "structure must be a " + wanted + " matrix: one row a variable");
    for (const Value& row : rows.items()) {
        if (!is_list(row) || row.items().size() != n)
            fail(row.range(), "structure must be a " + wanted + " matrix: this row has another length");
        for (const Value& v : row.items()) model_.structure.push_back(number(text_of(v, "an entry of the structure")));
    }
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j)
            if (model_.structure[i * n + j] != -model_.structure[j * n + i])
                fail(rows.items()[i].items()[j].range(),
                     "structure must be antisymmetric: entry (" + std::to_string(i + 1) + ", " + std::to_string(j + 1) +
                         ") is not minus entry (" + std::to_string(j + 1) + ", " + std::to_string(i + 1) + ")");
}

Vec Reader::read_constraint_list(const Value& list, const char* kind) {
    if (!is_list(list))
        fail(list.range(), std::string(kind) + " must be a list of formulas",
             "write " + std::string(kind) + " = [\"...\"]; each is = 0");
    Vec result;
    for (const Value& item : list.items()) {
        if (!item.is(Value::Kind::String)) fail(item.range(), "a constraint is a formula in quotes; it is set to 0");
        const Parsed p = parse({&item, {}, {}});
        Component c{std::string(item.text()), 0.0};
        if (!p.tree.loop) {
            c.value = scalar(p);
        } else {
            const syntax::Loop& l = *p.tree.loop;
            scope_.parameters_as_numbers(true);
            const auto bound = [&](std::uint32_t node) {
                return located(
                    p, [&] { return static_cast<int>(require_number(elaborate_node(graph_, p.tree, node, scope_))); });
            };
            c.family = true, c.lo = bound(l.lo), c.hi = bound(l.hi);
            scope_.parameters_as_numbers(false);
            if (c.hi < c.lo) fail(item.range(), "the range of 'for' is empty");
            const Tensor t = located(
                p, [&] { return elaborate(graph_, p.tree, scope_, p.tree.names[l.name], graph_.free_index()); });
            if (!t.is_scalar()) fail(item.range(), "a number is needed here, not " + t.shape());
            c.value = t.scalar();
        }
        const std::string what = kind;
        if (what == "holonomic")
            forbid(c.value, concat({model_.v, model_.p}), p, "a holonomic constraint depends on q and t only",
                   "put it under velocity = [...]");
        if (what == "velocity")
            forbid(c.value, model_.p, p, "a velocity constraint depends on q, q' and t", "put it under phase = [...]");
        if (what == "phase")
            forbid(c.value, model_.v, p, "a phase constraint depends on q and p", "put it under velocity = [...]");
        result.push_back(std::move(c));
    }
    return result;
}

void Reader::read_constraints() {
    const Entry* table = document_.root().find("constraints");
    if (!table) return;
    if (!table->value.is(Value::Kind::Table)) fail(table->value.range(), "[constraints] must be a table");
    if (model_.kind == Model::general && !table->value.entries().empty())
        fail(table->key_range, "a general Hamiltonian has no [constraints]",
             "constraints are components of z in the kernel of the structure");
    allow_keys(table->value, {"velocity", "holonomic", "phase", "principle"}, "in [constraints]");
    if (const Entry* e = table->value.find("velocity")) model_.velocity = read_constraint_list(e->value, "velocity");
    if (const Entry* e = table->value.find("holonomic")) model_.holonomic = read_constraint_list(e->value, "holonomic");
    if (const Entry* e = table->value.find("phase")) model_.phase = read_constraint_list(e->value, "phase");
    if (const Entry* e = table->value.find("principle")) {
        const bool text = e->value.is(Value::Kind::String);
        if (!text || (e->value.text() != "nonholonomic" && e->value.text() != "variational"))
            fail(e->value.range(), "principle must be \"nonholonomic\" or \"variational\"");
        model_.variational = e->value.text() == "variational";
    }
}

void Reader::read_symmetries() {
    const Entry* table = document_.root().find("symmetries");
    if (!table) return;
    if (!table->value.is(Value::Kind::Table)) fail(table->value.range(), "[symmetries] must be a table");
    if (model_.kind == Model::general)
        fail(table->key_range, "[symmetries] goes with coordinates; this model has variables");
    for (const Entry& e : table->value.entries()) {
        if (!e.value.is(Value::Kind::Table))
            fail(e.value.range(), "a symmetry is a table of coordinates", "write name = { x = \"-y\", y = \"x\" }");
        Symmetry s{std::string(e.key), zeros_like(model_.q)};
        for (const Entry& part : e.value.entries()) {
            const std::string key(part.key), name = key.substr(0, key.find('['));
            std::size_t i = 0;
            while (i < model_.q.size() && model_.q[i].name != name) ++i;
            const bool indexed = key.find('[') != std::string::npos;
            if (i == model_.q.size() || indexed != model_.q[i].family)
                fail(part.key_range, "'" + key + "' is no coordinate");
            const Parsed p = parse(text_of(part.value, "a generator"));
            const std::string index = indexed ? key.substr(name.size() + 1, key.size() - name.size() - 2) : "";
            const Tensor t =
                indexed ? located(p, [&] { return elaborate(graph_, p.tree, scope_, index, graph_.free_index()); })
                        : meaning(p);
            if (!t.is_scalar()) fail(p.from, "a number is needed here, not " + t.shape());
            forbid(t.scalar(), concat({model_.v, model_.p}), p, "a generator depends on q only");
            s.generator[i].value = t.scalar();
        }
        model_.symmetries.push_back(std::move(s));
    }
}

void Reader::read_observables() {
    const Entry* table = document_.root().find("observables");
    if (!table) return;
    if (!table->value.is(Value::Kind::Table)) fail(table->value.range(), "[observables] must be a table");
    for (const Entry& e : table->value.entries())
        model_.observables.push_back({std::string(e.key), scalar(parse(text_of(e.value, "an observable")))});
}

} // namespace rattleback::model
