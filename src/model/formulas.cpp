// What the tables of a model file have in common: formulas, numbers, keys with an index.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "expr/graph.hpp"
#include "model/reader.hpp"

namespace rattleback::model {
namespace {

bool names_something(const syntax::Node& n) { return n.kind == syntax::Kind::Name || n.kind == syntax::Kind::Index; }

} // namespace

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
    if (from.value && !from.part)
        text = from.value->is(Value::Kind::String) ? from.value->text() : from.value->literal();
    if (from.value && from.value->is(Value::Kind::Float) && !std::isfinite(from.value->real()))
        fail(from.value->range(), "the number must be finite", "write a number");
    // TOML numbers may have a sign, which formulas have too, and forms like 0x10, which they do not.
    if (from.value && from.value->is(Value::Kind::Integer)) text = std::to_string(from.value->integer());
    p.tree = located(p, [&] { return syntax::parse(std::move(text)); });
    return p;
}

Tensor Reader::meaning(const Parsed& given, const std::string& index, std::optional<IndexRange> loop) {
    if (scope_.has_grids() || row_) {
        const Parsed formula = of_rows(given);
        return meaning_of(formula, index, loop);
    }
    return meaning_of(given, index, loop);
}

Tensor Reader::meaning_of(const Parsed& formula, const std::string& index, std::optional<IndexRange> loop) {
    return located(formula, [&] {
        if (const auto& l = formula.tree.loop; l && !loop)
            throw FormulaError(l->begin, l->end, "'for' is for constraints", "write sum(i in 1..n: ...) to add up");
        Tensor t = index.empty() ? elaborate(graph_, formula.tree, scope_)
                                 : elaborate(graph_, formula.tree, scope_, index, graph_.free_index(), loop);
        if (graph_.size() > reading_limits.nodes) throw ExprError("the formulas of this model are too large");
        return t;
    });
}

Expr Reader::scalar(const Parsed& formula, const std::string& index, std::optional<IndexRange> loop) {
    const Tensor t = meaning(formula, index, loop);
    if (!t.is_scalar())
        located(formula, [&]() -> int { throw ExprError("a number is needed here, not " + t.shape()); });
    return t.scalar();
}

Expr Reader::formula(const Value& from, const char* what, Contents forbidden, const char* message, const char* remedy) {
    const Parsed parsed = parse(text_of(from, what));
    Expr e = scalar(parsed);
    forbid(e, forbidden, parsed, message, remedy);
    check_size(e, 1, 1, parsed);
    return e;
}

// Every formula that will be unrolled one day passes here, before anything is unrolled.
void Reader::check_size(const Expr& e, int lo, int hi, const Parsed& formula) {
    const bool doubtful = located(formula, [&] {
        const auto refuse = [&](const std::string& message, const std::string& remedy) {
            throw FormulaError(0, static_cast<std::uint32_t>(formula.tree.text.size()), message, remedy);
        };
        if (scope_.contents(e).sums > reading_limits.sums)
            refuse("sums stand in sums, through definitions, more than " + std::to_string(reading_limits.sums) +
                       " deep",
                   "write fewer sums");
        if (scope_.contents(e).nesting > reading_limits.nesting)
            refuse("more than " + grouped(reading_limits.nesting) + " operations are nested in each other",
                   "write a shorter formula");
        const Unrolling u = unrolling(graph_, e, lo, hi, reading_limits.unrolled);
        unrolled_ += u.size;
        if (unrolled_ >= reading_limits.unrolled)
            refuse("the sums and families of this model unroll into more than " +
                       grouped(static_cast<long long>(reading_limits.unrolled)) + " terms",
                   "shorten the ranges");
        return u.outside;
    });
    if (doubtful) unroll(e, lo, hi, formula);
}

// To be sure that every member exists that is used, and to point at the one that does not.
void Reader::unroll(const Expr& e, int lo, int hi, const Parsed& formula) const {
    std::string message;
    try {
        expand(Vec({{"", e, true, lo, hi}}));
        return;
    } catch (const ExprError& error) { message = error.what(); }
    const std::string name = message.substr(0, message.find_first_of("['"));
    const syntax::Node *first = nullptr, *last = nullptr; // by their shift: x[i-2] before x[i+1]
    const auto shift = [&](const syntax::Node& n) -> quad {
        const syntax::Node& index = formula.tree.child(n, 0);
        const bool plus = index.op == syntax::Op::Add, minus = index.op == syntax::Op::Subtract;
        if (!plus && !minus) return 0;
        const quad by = formula.tree.number_of(formula.tree.child(index, 1));
        return plus ? by : -by;
    };
    bool indirect = false; // through a definition, perhaps
    for (const syntax::Node& n : formula.tree.nodes) {
        if (n.kind != syntax::Kind::Index) continue;
        indirect |= !places_.contains(formula.tree.name_of(n));
        if (formula.tree.name_of(n) != name) continue;
        if (!first || shift(n) < shift(*first)) first = &n;
        if (!last || shift(n) > shift(*last)) last = &n;
    }
    const Component* family = places_.contains(name) ? &model_.q[places_.at(name)] : nullptr;
    const int member = std::atoi(message.c_str() + std::min(message.find('['), message.size() - 1) + 1);
    const syntax::Node* at = indirect ? nullptr : family && member > family->hi ? last : first;
    located(formula, [&]() -> int {
        throw FormulaError(at ? at->begin : 0, at ? at->end : static_cast<std::uint32_t>(formula.tree.text.size()),
                           message, "shorten the range, or give a border value in [definitions]");
    });
}

quad Reader::number(const FormulaText& from) {
    if (from.value && from.value->is(Value::Kind::Integer)) return static_cast<quad>(from.value->integer());
    const Parsed formula = parse(from);
    const Expr e = located(formula, [&] { return scope_.with_numbers(scalar(formula)); });
    check_size(e, 1, 1, formula);
    return located(formula, [&] { return value(expand(e), formula); });
}

quad Reader::structural_number(const FormulaText& from) {
    const quad x = number(from);
    scope_.fix_parameters_of(scalar(parse(from)));
    return x;
}

quad Reader::value(const Expr& e, const Parsed& formula) const {
    const auto x = e.constant();
    if (x && real::is_finite(static_cast<double>(*x))) return *x;
    if (x) throw ExprError("the value is out of the range of a double, which ends at 1.8e308");
    std::set<std::string> unknown;
    for (NodeId id : reachable(graph_, std::array{e.id()}))
        if (graph_.node(id).op == Op::symbol) {
            const std::string& name = graph_.name(id);
            unknown.insert(name.substr(0, name.find_first_of("['")));
        }
    for (const syntax::Node& n : formula.tree.nodes)
        if (names_something(n) && unknown.contains(formula.tree.name_of(n)))
            throw FormulaError(n.begin, n.end, "a number is needed here, and '" + formula.tree.name_of(n) + "' is none",
                               "use numbers and parameters");
    if (!unknown.empty()) throw ExprError("a number is needed here; this depends on '" + *unknown.begin() + "'");
    throw ExprError(to_text(e, 60) + " is not a finite number");
}

// The message points at the first name that brings in what is forbidden.
void Reader::forbid(const Expr& e, Contents what, const Parsed& formula, const std::string& message,
                    const std::string& remedy) {
    const auto meets = [&](const Contents& c) {
        return (what.velocity && c.velocity) || (what.momentum && c.momentum) || (what.now && c.now);
    };
    if (!meets(scope_.contents(e))) return;
    const auto& nodes = formula.tree.nodes;
    std::vector<const syntax::Node*> prime(nodes.size(), nullptr);
    for (const syntax::Node& n : nodes)
        if (n.kind == syntax::Kind::Prime) prime[formula.tree.children_of(n)[0]] = &n;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!names_something(nodes[i])) continue;
        if (!meets(scope_.contents(formula.tree.name_of(nodes[i]), prime[i] != nullptr))) continue;
        const syntax::Node& n = prime[i] ? *prime[i] : nodes[i];
        located(formula, [&]() -> int { throw FormulaError(n.begin, n.end, message, remedy); });
    }
    fail(formula.from, message, remedy);
}

// --- keys ------------------------------------------------------------------------------------------------------------

Reader::Key Reader::key_of(const Entry& entry) const {
    const std::string key(entry.key);
    const std::size_t bracket = key.find('[');
    if (bracket == std::string::npos) return {key, {}, false, 0};
    if (key.back() != ']' || bracket == 0 || bracket + 2 >= key.size())
        fail(entry.key_range, "'" + key + "' is neither a name nor a name with an index",
             "write x, \"x[3]\", \"x[n+1]\" or \"x[i]\"");
    return {key.substr(0, bracket), key.substr(bracket + 1, key.size() - bracket - 2), true, bracket + 1};
}

std::optional<int> Reader::index_of(const Entry& entry, const Key& key) {
    if (is_name(key.index) && !scope_.taken(key.index)) return {};
    const Range at = entry.in_file(key.index_begin, key.index_begin + key.index.size());
    quad x = 0;
    try {
        x = number({nullptr, key.index, {}});
    } catch (const ModelError& e) {
        fail(at, "the index '" + key.index + "' cannot be read: " + e.message(),
             "an index is a whole number, or a new name, which stands for every index");
    }
    return whole(x, at, "the index");
}

int Reader::whole(quad x, Range at, const std::string& what) const {
    const std::string number = real::to_text(x);
    if (real::floor(x) != x) fail(at, what + " must be a whole number, not " + number);
    if (real::abs(x) > static_cast<quad>(1e8)) fail(at, what + " must lie within 100,000,000, unlike " + number);
    return static_cast<int>(x);
}

Reader::Target Reader::target_of(const Entry& entry, const Vec& shape) {
    const Key key = key_of(entry);
    const auto it = places_.find(key.name);
    const std::string quoted = "'" + std::string(entry.key) + "'";
    if (it == places_.end()) {
        const std::string thing = model_.kind == Model::general ? "variable" : "coordinate";
        fail(entry.key_range, quoted + " is no " + thing,
             suggestion(entry.key, names_in_tables(shape), thing + "s are "));
    }
    const Component& c = shape[it->second];
    if (key.indexed && !c.family)
        fail(entry.key_range, "'" + c.name + "' is not a family, it takes no index", "write " + c.name);
    if (!key.indexed && c.family)
        fail(entry.key_range, quoted + " is a family",
             "write \"" + c.name + "[i]\" for all its members, \"" + c.name + "[" + std::to_string(c.lo) +
                 "]\" for one of them");
    Target target{it->second, key.index, {}};
    if (key.indexed) target.member = index_of(entry, key);
    if (target.member && (*target.member < c.lo || *target.member > c.hi))
        fail(entry.key_range, c.name + "[" + std::to_string(*target.member) + "] does not exist",
             c.name + " has members " + std::to_string(c.lo) + ".." + std::to_string(c.hi));
    if (target.member) target.index.clear();
    return target;
}

} // namespace rattleback::model
