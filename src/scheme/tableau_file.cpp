#include "scheme/tableau_file.hpp"

#include "expr/constant.hpp"
#include "model/document.hpp"

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

Tableau read(const Document& document) {
    const Value& root = document.root();
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
    if (c)
        t.c = row(document, c->value, t.b.size());
    else
        for (const auto& r : t.a) {
            quad sum = 0;
            for (quad x : r) sum += x;
            t.c.push_back(sum);
        }
    if (order_of(t, 1) < 1) throw ModelError(document.source(), b->value.range(), "the weights b must add up to 1");
    return t;
}

} // namespace

Tableau read_tableau(const std::string& file) {
    try {
        return read(Document::parse(model::Source::open(file)));
    } catch (const ModelError& e) { throw BadMethod(e.what()); }
}

} // namespace rattleback
