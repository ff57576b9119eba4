// Vectors whose components may be whole families: elementwise algebra, dot products, new leaves, substitution.
#include "expr/graph.hpp"

#include "expr/rewrite.hpp"

namespace rattleback {
namespace {

void require_same_shape(const Vec& x, const Vec& y) {
    bool same = x.size() == y.size();
    for (std::size_t i = 0; same && i < x.size(); ++i)
        same = x[i].family == y[i].family && (!x[i].family || (x[i].lo == y[i].lo && x[i].hi == y[i].hi));
    if (!same) throw ExprError("vectors of different shape cannot be combined");
}

template <class F> Vec elementwise(Vec x, F&& f) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i].value = f(i, x[i].value);
    return x;
}

} // namespace

int Vec::count() const {
    int n = 0;
    for (const Component& c : components_) n += c.count();
    return n;
}

Vec operator+(const Vec& x, const Vec& y) {
    require_same_shape(x, y);
    return elementwise(x, [&](std::size_t i, const Expr& e) { return e + y[i].value; });
}
Vec operator-(const Vec& x, const Vec& y) {
    require_same_shape(x, y);
    return elementwise(x, [&](std::size_t i, const Expr& e) { return e - y[i].value; });
}
Vec operator-(const Vec& x) {
    return elementwise(x, [](std::size_t, const Expr& e) { return -e; });
}
Vec operator*(const Expr& s, const Vec& x) {
    return elementwise(x, [&](std::size_t, const Expr& e) { return s * e; });
}
Vec operator/(const Vec& x, const Expr& s) {
    return elementwise(x, [&](std::size_t, const Expr& e) { return e / s; });
}

Expr dot(const Vec& x, const Vec& y) {
    require_same_shape(x, y);
    Expr total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        Expr term = x[i].value * y[i].value;
        if (x[i].family && !term.is(0)) {
            Graph& g = *term.graph();
            const Expr j = g.fresh_index();
            term = g.sum(j, x[i].lo, x[i].hi, replace_index(term, g.free_index().id(), j));
        }
        total = total + term;
    }
    return total;
}

Vec concat(std::initializer_list<Vec> parts) {
    std::vector<Component> all;
    for (const Vec& p : parts) all.insert(all.end(), p.begin(), p.end());
    return Vec(std::move(all));
}

Vec zeros_like(const Vec& shape) {
    return zero_border(elementwise(shape, [](std::size_t, const Expr&) { return Expr(0); }));
}

Vec zero_border(Vec x) {
    for (std::size_t i = 0; i < x.size(); ++i)
        for (auto& [k, value] : x[i].border) value = 0.0;
    return x;
}

Vec named(Vec x, std::string_view prefix) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i].name = std::string(prefix) + x[i].name;
    return x;
}

Vec symbols_like(Graph& graph, std::string_view prefix, const Vec& shape) {
    Vec result;
    for (const Component& c : shape) {
        Component s{std::string(prefix) + c.name, 0.0, c.family, c.lo, c.hi, c.border};
        std::vector<std::pair<int, NodeId>> border;
        for (const auto& [k, value] : c.border) border.emplace_back(k, value.in(graph));
        s.value = c.family ? graph.element(graph.family({s.name, c.lo, c.hi, {}, border}), graph.free_index())
                           : graph.symbol(s.name);
        result.push_back(std::move(s));
    }
    return result;
}

namespace {

Rewriter rewriter_for(Graph& graph, std::span<const Substitution> rules) {
    Rewriter rewrite(graph, true);
    // Scalars first: the borders of families may depend on them (on time, say).
    for (const Substitution& r : rules) {
        require_same_shape(r.from, r.to);
        for (std::size_t i = 0; i < r.from.size(); ++i)
            if (!r.from[i].family) rewrite.replace(r.from[i].value.in(graph), r.to[i].value);
    }
    for (const Substitution& r : rules)
        for (std::size_t i = 0; i < r.from.size(); ++i) {
            if (!r.from[i].family) continue;
            const FamilyId from = family_of(graph, r.from[i]);
            Component to = r.to[i];
            to.border.clear();
            const auto border = graph.family(from).border;
            for (auto [k, value] : border) to.border.emplace_back(k, rewrite(Expr(graph, value)));
            rewrite.replace_family(from, family_of(graph, to));
        }
    return rewrite;
}

} // namespace

Expr substitute(const Expr& f, std::span<const Substitution> rules) {
    return f.graph() ? rewriter_for(*f.graph(), rules)(f) : f;
}

Vec substitute(const Vec& f, std::span<const Substitution> rules) {
    Graph* g = graph_of(f);
    if (!g) return f;
    Rewriter rewrite = rewriter_for(*g, rules);
    return elementwise(f, [&](std::size_t, const Expr& e) { return rewrite(e); });
}

Expr substitute(const Expr& f, std::initializer_list<Substitution> rules) {
    return substitute(f, std::span(rules.begin(), rules.size()));
}

Vec substitute(const Vec& f, std::initializer_list<Substitution> rules) {
    return substitute(f, std::span(rules.begin(), rules.size()));
}

} // namespace rattleback
