// The tables of a model file after its definitions: mechanics, constraints, symmetries, observables.
#include <algorithm>

#include "model/keys.hpp"
#include "model/reader.hpp"

namespace rattleback::model {
namespace {

bool is_list(const Value& v) { return v.is(Value::Kind::Array); }

constexpr std::size_t most_symmetries = 1000;

} // namespace

void Reader::read_mechanics() {
    const Value* m = table("mechanics");
    for (const char* other : {"hamiltonian", "structure"})
        if (const Entry* e = document_.root().find(other))
            fail(e->key_range, std::string(other) + " goes with variables; this model has coordinates",
                 "a Hamiltonian of q and p is given in [mechanics]");
    if (!m)
        throw ModelError(document_.source().name(), "the model has no [mechanics]",
                         "give lagrangian, or kinetic and potential, or hamiltonian");
    allow_keys(*m, keys_of("mechanics"), "in [mechanics]");
    const Entry *L = m->find("lagrangian"), *T = m->find("kinetic"), *V = m->find("potential"),
                *H = m->find("hamiltonian");
    const char* wanted = "one of: lagrangian; kinetic with potential; hamiltonian";
    const Entry *first = L ? L : T ? T : H, *second = first == L && T ? T : first != H ? H : nullptr;
    if (V && !T) fail(V->key_range, "potential goes with kinetic", first ? "remove it" : "write kinetic = \"...\"");
    if (!first)
        fail(document_.root().find("mechanics")->key_range, "[mechanics] gives no mechanics",
             std::string("write ") + wanted);
    if (second)
        fail(second->key_range, "[mechanics] gives " + std::string(first->key) + " and " + std::string(second->key),
             std::string("give ") + wanted);
    const auto read = [&](const Entry& entry, Contents forbidden, const char* message, const char* remedy) {
        return formula(entry.value, std::string(entry.key).c_str(), forbidden, message, remedy);
    };
    model_.kind = H ? Model::hamiltonian : Model::lagrangian;
    model_.function = H ? read(*H, {.velocity = true}, "a Hamiltonian depends on q, p and t, not on velocities",
                               "write momenta as p_x, or give a lagrangian")
                        : read(*first, {.momentum = true}, "a Lagrangian depends on q, q' and t, not on momenta",
                               "write velocities as x', or give a hamiltonian");
    if (V)
        model_.function =
            model_.function - read(*V, {.velocity = true, .momentum = true}, "a potential depends on q and t only",
                                   "give the whole lagrangian instead");
    if (const Entry* force = m->find("force")) read_force(force->value);
    if (const Entry* R = m->find("dissipation")) {
        const Expr rayleigh =
            read(*R, {.momentum = true}, "a dissipation function depends on q, q' and t, not on momenta",
                 "write velocities as x'");
        if (!scope_.contents(rayleigh).velocity)
            fail(R->value.range(), "a dissipation function without a velocity in it", "write \"c/2*x'^2\"");
        const Expr by_rates = in_chart_rates(rayleigh);
        if (model_.force.empty()) model_.force = zeros_like(model_.q);
        model_.force = model_.force - gradient(by_rates, model_.v);
    }
}

// A force or a generator: a formula for each coordinate, zero where there is none.
Vec Reader::read_components(const Value& from, const char* what, Contents forbidden, const char* message,
                            const char* remedy) {
    Vec result = zeros_like(model_.q);
    by_coordinate(from, model_.q, [&](const Entry& e, const Target& target) {
        const Parsed p = parse(text_of(e.value, what));
        const Expr value = scalar(p, target.index);
        forbid(value, forbidden, p, message, remedy);
        const Component& c = model_.q[target.place];
        check_size(value, c.lo, target.member ? c.lo : c.hi, p);
        Expr& old = result[target.place].value;
        old = target.member ? fn::choose(fn::eq(graph_.free_index(), *target.member), value, old) : value;
    });
    const bool force = std::string_view(what) == "a force";
    for (const GroupEntry& entry : group_entries(from)) {
        const Parsed p = parse({&entry.entry->value, "0", {}, 0});
        const GroupCoordinate& g = *entry.group;
        const Numbers body = read_group_vector(entry, what);
        Numbers w;
        for (std::size_t k = 0; k < g.count; ++k) w.push_back(model_.q[g.first + k].value);
        for (const Expr& e : body) {
            if ((forbidden.velocity && scope_.contents(e).velocity) ||
                (forbidden.momentum && scope_.contents(e).momentum))
                fail(entry.entry->value.range(), message, remedy);
            check_size(e, model_.q[g.first].lo, model_.q[g.first].hi, p);
        }
        const LieGroup& group = *find_group(g.group);
        const Numbers chart = force ? group.chart_momentum(w, body) : group.chart_rate(w, body);
        for (std::size_t k = 0; k < g.count; ++k) {
            Expr& old = result[g.first + k].value;
            old = entry.member ? fn::choose(fn::eq(graph_.free_index(), *entry.member), chart[k], old) : chart[k];
        }
    }
    return result;
}

void Reader::read_force(const Value& from) {
    if (!from.is(Value::Kind::Table))
        fail(from.range(), "force must be a table of coordinates", "write force = { x = \"-c*x'\" }");
    model_.force = read_components(from, "a force", {.momentum = true},
                                   "a force depends on q, q' and t, not on momenta", "write velocities as x'");
}

void Reader::read_general_hamiltonian() {
    model_.kind = Model::general;
    const Value& root = document_.root();
    if (const Entry* m = root.find("mechanics"))
        fail(m->key_range, "[mechanics] goes with coordinates; this model has variables",
             "give formula and structure in [hamiltonian]");
    const Value* h = table("hamiltonian");
    if (!h)
        throw ModelError(document_.source().name(), "a model with variables needs [hamiltonian]",
                         "give formula = \"...\" and structure = [[...], ...]");
    const Range header = root.find("hamiltonian")->key_range;
    allow_keys(*h, keys_of("hamiltonian"), "in [hamiltonian]");
    const Entry* H = h->find("formula");
    if (!H) fail(header, "[hamiltonian] has no formula", "write formula = \"...\"");
    model_.function = formula(H->value, "the Hamiltonian");
    const Entry *inside = h->find("structure"), *outside = root.find("structure");
    if (inside && outside) fail(outside->key_range, "structure is given twice", "it belongs in [hamiltonian]");
    if (!inside && !outside)
        fail(header, "[hamiltonian] has no structure, the matrix J of J z' = grad H",
             "write structure = [[0, -1], [1, 0]]");
    read_structure((inside ? inside : outside)->value);
}

void Reader::read_structure(const Value& rows) {
    const auto n = static_cast<std::size_t>(model_.z.count());
    const std::string wanted = "structure must be a " + std::to_string(n) + " x " + std::to_string(n) + " matrix: ";
    if (!is_list(rows) || rows.items().size() != n)
        fail(rows.range(), wanted + "one row a variable",
             is_list(rows) ? "it has " + count_of(rows.items().size(), "row") : "write [[0, -1], [1, 0]]");
    for (const Value& row : rows.items()) {
        if (!is_list(row) || row.items().size() != n)
            fail(row.range(), wanted + "this row is " + (is_list(row) ? "of another length" : "no list"),
                 "a row has " + count_of(n, "number"));
        for (const Value& v : row.items())
            model_.structure.push_back(structural_number(text_of(v, "an entry of the structure")));
    }
    const auto entry = [&](std::size_t i, std::size_t j) { return model_.structure[i * n + j]; };
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j <= i; ++j) {
            if (entry(i, j) == -entry(j, i)) continue;
            const Range here = rows.items()[i].items()[j].range();
            const std::string text = real::to_text(entry(i, j)), wanted_text = real::to_text(-entry(j, i));
            const std::string rule = "structure must be antisymmetric: " + text;
            if (i == j) fail(here, rule + " stands where 0 belongs, on the diagonal", "write 0");
            fail(here,
                 rule + " is not minus the entry in row " + std::to_string(j + 1) + ", column " +
                     std::to_string(i + 1) + ", their sum is " + real::to_text(entry(i, j) + entry(j, i)),
                 text == wanted_text ? "write the same formula with the other sign" : "write " + wanted_text);
        }
}

namespace {

// Multipliers are told apart by the names of their constraints: one that is given again needs another name.
std::string name_beside(const Vec& others, const std::string& text) {
    std::string name = text;
    const auto taken = [&] {
        return std::any_of(others.begin(), others.end(), [&](const Component& c) { return c.name == name; });
    };
    for (int number = 2; taken(); ++number) name = text + " (no. " + std::to_string(number) + ")";
    return name;
}

} // namespace

Vec Reader::read_constraint_list(const Value& list, const char* kind, Contents forbidden, const char* message,
                                 const char* remedy) {
    if (!is_list(list))
        fail(list.range(), std::string(kind) + " must be a list of formulas",
             "write " + std::string(kind) + " = [\"...\"]; each is = 0");
    Vec result;
    for (const Value& item : list.items()) {
        if (!item.is(Value::Kind::String))
            fail(item.range(), "a constraint is a formula in quotes", "write \"x - y\" for x = y");
        const Parsed p = parse({&item, {}, {}});
        const auto add = [&](const std::string& name, const std::optional<syntax::Loop>& loop) {
            Component c{name_beside(result, name), 0.0};
            if (loop) {
                const IndexRange range = range_of(p, *loop);
                c.family = true, c.lo = range.lo, c.hi = range.hi;
                c.value = scalar(p, p.tree.names[loop->name], range);
            } else {
                c.value = scalar(p, {}, IndexRange{1, 1});
            }
            forbid(c.value, forbidden, p, message, remedy);
            if (kind == std::string_view("velocity") && !scope_.contents(c.value).velocity)
                fail(item.range(), "a velocity constraint without a velocity in it",
                     "write it under holonomic = [...]");
            check_size(c.value, c.lo, c.hi, p);
            result.push_back(std::move(c));
        };
        const std::string text(item.text());
        if (!p.tree.inner && !has_rows(p)) {
            add(text, p.tree.loop);
            continue;
        }
        const IndexRange rows = range_of(p, *p.tree.loop); // of families with two indices: row by row
        const std::string& name = p.tree.names[p.tree.loop->name];
        for (int k = rows.lo; k <= rows.hi; ++k) {
            row_ = Row{name, k};
            add(text + " (" + name + " = " + std::to_string(k) + ")", p.tree.inner);
            row_.reset();
        }
    }
    return result;
}

// Of 'for i in lo..hi'.
IndexRange Reader::range_of(const Parsed& p, const syntax::Loop& l) {
    const auto in_file = [&](std::uint32_t begin, std::uint32_t end) { return p.from.value->in_file(begin, end); };
    const auto bound = [&](std::uint32_t node) {
        return located(p, [&] {
            const syntax::Node& n = p.tree.nodes[node];
            const quad x = value(scope_.with_numbers(elaborate_node(graph_, p.tree, node, scope_)), p);
            return whole(x, in_file(n.begin, n.end), "a bound of 'for'");
        });
    };
    const IndexRange range{bound(l.lo), bound(l.hi)};
    if (range.hi < range.lo) fail(in_file(l.begin, l.end), "the range of 'for' is empty", "it ends before it begins");
    if (range.hi - range.lo >= reading_limits.members)
        fail(in_file(l.begin, l.end), "a range has at most " + grouped(reading_limits.members) + " members");
    return range;
}

void Reader::read_constraints() {
    const Value* all = table("constraints");
    if (!all) return;
    if (model_.kind == Model::general)
        for (const Entry& e : all->entries())
            if (e.key != "phase")
                fail(e.key_range, "constraints of a general Hamiltonian are phase constraints, of z and t",
                     "write phase = [...]");
    allow_keys(*all, keys_of("constraints"), "in [constraints]");
    if (const Entry* e = all->find("velocity"))
        model_.velocity = read_constraint_list(e->value, "velocity", {.momentum = true},
                                               "a velocity constraint depends on q, q' and t, not on momenta",
                                               "put it under phase = [...]");
    if (const Entry* e = all->find("holonomic"))
        model_.holonomic = read_constraint_list(e->value, "holonomic", {.velocity = true, .momentum = true},
                                                "a holonomic constraint depends on q and t only",
                                                "with velocities it belongs under velocity, with momenta under phase");
    if (const Entry* e = all->find("phase"))
        model_.phase = read_constraint_list(e->value, "phase", {.velocity = true},
                                            "a phase constraint depends on q, p and t, not on velocities",
                                            "put it under velocity = [...]");
    if (const Entry* e = all->find("principle")) {
        const bool text = e->value.is(Value::Kind::String);
        if (!text || (e->value.text() != "nonholonomic" && e->value.text() != "variational"))
            fail(e->value.range(), "principle must be \"nonholonomic\" or \"variational\"",
                 "nonholonomic is d'Alembert's principle, variational the vakonomic one");
        model_.variational = e->value.text() == "variational";
    }
}

void Reader::read_symmetries() {
    const Value* all = table("symmetries");
    if (!all) return;
    if (model_.kind == Model::general)
        fail(document_.root().find("symmetries")->key_range,
             "[symmetries] goes with coordinates; this model has variables",
             "observe what it preserves: [observables]");
    if (all->entries().size() > most_symmetries) fail(all->range(), "a model has at most 1000 symmetries");
    for (const Entry& e : all->entries()) {
        claim_column(std::string(e.key), e.key_range);
        if (!e.value.is(Value::Kind::Table))
            fail(e.value.range(), "a symmetry is a table of coordinates", "write name = { x = \"-y\", y = \"x\" }");
        model_.symmetries.push_back(
            {std::string(e.key),
             read_components(e.value, "a generator", {.velocity = true, .momentum = true},
                             "a generator depends on q and t only", "velocities and momenta follow the coordinates")});
    }
}

void Reader::read_sections() {
    const Value* all = table("sections");
    if (!all) return;
    std::vector<std::string> names;
    for (const Symmetry& s : model_.symmetries) names.push_back(s.name);
    if (all->entries().size() > most_symmetries) fail(all->range(), "a model has at most 1000 sections");
    for (const Entry& e : all->entries()) {
        claim_column(std::string(e.key), e.key_range);
        if (!e.value.is(Value::Kind::Table))
            fail(e.value.range(), "a section is a table of symmetries", "write name = { rotation = \"x\" }");
        if (e.value.entries().empty())
            fail(e.value.range(), "a section without symmetries", "write name = { rotation = \"x\" }");
        SymmetrySection section{std::string(e.key), {}};
        for (const Entry& part : e.value.entries()) {
            if (std::find(names.begin(), names.end(), part.key) == names.end())
                fail(part.key_range, "'" + std::string(part.key) + "' is no symmetry",
                     suggestion(part.key, names, "symmetries are "));
            section.coefficients.emplace_back(part.key,
                                              formula(part.value, "a section", {.velocity = true, .momentum = true},
                                                      "a section depends on q and t only", "use coordinates only"));
        }
        model_.sections.push_back(std::move(section));
    }
}

void Reader::read_observables() {
    const auto add = [&](const std::string& name, const FormulaText& text) {
        const Parsed p = parse(text);
        model_.observables.push_back({name, scalar(p)});
        check_size(model_.observables.back().formula, 1, 1, p);
    };
    if (const Value* all = table("observables"))
        for (const Entry& e : all->entries()) {
            claim_column(std::string(e.key), e.key_range);
            add(std::string(e.key), text_of(e.value, "an observable"));
        }
    for (const auto& [name, formula] : options_.observables) {
        if (!columns_.insert(name).second) throw ModelError(name, "the name '" + name + "' is used twice");
        add(name, {nullptr, formula, name + " = " + formula});
    }
}

} // namespace rattleback::model
