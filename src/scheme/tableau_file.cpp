#include "scheme/tableau_file.hpp"

#include "expr/constant.hpp"
#include "expr/real_functions.hpp"
#include "model/document.hpp"
#include "scheme/tableau.hpp"

namespace rattleback {
namespace {

using model::Document;
using model::ModelError;
using model::Value;

quad entry(const Document& document, const Value& v) {
    if (!v.is(Value::Kind::String) && !v.is_number())
        throw ModelError(document.source(), v.range(), "a coefficient is a number or a formula in quotes");
    try {
        return constant_value(std::string(v.is(Value::Kind::String) ? v.text() : v.literal()));
    } catch (const ModelError&) { throw; } catch (const std::exception& e) {
        throw ModelError(document.source(), v.range(), e.what());
    }
}

std::vector<quad> row(const Document& document, const Value& v, std::size_t size) {
    if (!v.is(Value::Kind::Array))
        throw ModelError(document.source(), v.range(), "a list of coefficients is needed here");
    if (size && v.items().size() != size)
        throw ModelError(document.source(), v.range(),
                         "this list has " + std::to_string(v.items().size()) + " coefficients; b has " +
                             std::to_string(size));
    std::vector<quad> r;
    for (const Value& x : v.items()) r.push_back(entry(document, x));
    return r;
}

// Order and symmetry are told from A and b, which is right only where c are the row sums of A: where they are not,
// even a method of order 1 on x' = f(t, x) is not sure.
void check_nodes(const Document& document, const Value& given, const Tableau& t) {
    const std::vector<quad> c = row(document, given, t.b.size());
    for (std::size_t i = 0; i < c.size(); ++i)
        if (real::abs(c[i] - t.c[i]) > static_cast<quad>(1e-13))
            throw ModelError(document.source(), given.items()[i].range(),
                             "c must be the row sums of A; row " + std::to_string(i + 1) + " adds up to " +
                                 real::to_text(static_cast<double>(t.c[i])),
                             "leave c out, and it is computed");
}

Tableau read(const Document& document) {
    const Value& root = document.root();
    for (const char* key : {"name", "reference"})
        if (const model::Entry* e = root.find(key); e && !e->value.is(Value::Kind::String))
            throw ModelError(document.source(), e->value.range(), std::string(key) + " must be a text in quotes",
                             "write " + std::string(key) + " = \"...\"");
    for (const model::Entry& e : root.entries())
        if (e.key != "A" && e.key != "b" && e.key != "c" && e.key != "name" && e.key != "reference")
            throw ModelError(document.source(), e.key_range, "unknown key '" + std::string(e.key) + "' in a tableau",
                             "known keys: A, b, c, name, reference");
    const model::Entry *A = root.find("A"), *b = root.find("b"), *c = root.find("c");
    if (!A || !b)
        throw ModelError(document.source().name(), "a tableau needs A and b", "write A = [[0.5]] and b = [1]");
    Tableau t;
    t.b = row(document, b->value, 0);
    if (t.b.empty() || t.b.size() > 64)
        throw ModelError(document.source(), b->value.range(), "a tableau has 1 to 64 stages");
    if (!A->value.is(Value::Kind::Array) || A->value.items().size() != t.b.size())
        throw ModelError(document.source(), A->value.range(),
                         "A must have " + std::to_string(t.b.size()) + " rows, as many as b has coefficients");
    for (const Value& r : A->value.items()) t.a.push_back(row(document, r, t.b.size()));
    for (const auto& r : t.a) {
        quad sum = 0;
        for (quad x : r) sum += x;
        t.c.push_back(sum);
    }
    if (c) check_nodes(document, c->value, t);
    if (order_of(t, 1) < 1) throw ModelError(document.source(), b->value.range(), "the weights b must add up to 1");
    return t;
}

} // namespace

Tableau read_tableau(const std::string& file) {
    try {
        model::Source source = model::Source::open(file);
        if (source.text().find_first_not_of(" \t\r\n") == std::string_view::npos)
            throw ModelError(source.name(), "the file is empty; a tableau needs A and b",
                             "write A = [[0.5]] and b = [1]");
        return read(Document::parse(std::move(source)));
    } catch (const ModelError& e) { throw BadMethod(e.what()); }
}

} // namespace rattleback
