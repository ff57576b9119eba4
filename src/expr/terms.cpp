#include "expr/terms.hpp"

#include "expr/graph.hpp"

namespace rattleback {
namespace {

constexpr std::size_t most_terms = 4096; // what a formula has beyond them counts as one

// The absolute value of a product, with 1 for sines and cosines.
Expr size_of(Graph& g, NodeId product) {
    Expr size = 1;
    for (std::vector<NodeId> factors{product}; !factors.empty();) {
        const NodeId id = factors.back();
        const Node n = g.node(id);
        factors.pop_back();
        if (n.op == Op::mul)
            factors.push_back(n.b), factors.push_back(n.a);
        else if (n.op == Op::neg)
            factors.push_back(n.a);
        else if (n.op == Op::div)
            factors.push_back(n.a), size = size / fn::abs(Expr(g, n.b));
        else if (n.op != Op::sin && n.op != Op::cos)
            size = size * fn::abs(Expr(g, id));
    }
    return size;
}

class Terms {
  public:
    explicit Terms(Graph& graph) : g_(graph) {}

    Expr largest(NodeId f) {
        open_.push_back({f, 1, true});
        while (!open_.empty()) {
            const Part part = open_.back();
            open_.pop_back();
            if (!split(part, g_.node(part.formula)))
                largest_ = fn::max(largest_, part.factor * size_of(g_, part.formula));
        }
        return largest_;
    }

  private:
    struct Part {
        NodeId formula;
        Expr factor; // not negative
        bool whole;  // not a term of a sum: it can vanish only where one of its factors does
    };

    bool split(const Part& part, const Node n) {
        if (seen_ > most_terms) return false;
        const auto open = [&](NodeId id, const Expr& factor, bool whole) {
            open_.push_back({id, factor, whole}), ++seen_;
        };
        const auto times = [&](NodeId id) { return part.factor * size_of(g_, id); };
        switch (n.op) {
        case Op::add:
        case Op::sub: open(n.b, part.factor, false), open(n.a, part.factor, false); return true;
        case Op::neg: open(n.a, part.factor, part.whole); return true;
        case Op::div:
            if (!part.whole && g_.node(n.b).op != Op::constant) return false;
            open(n.a, part.factor / fn::abs(Expr(g_, n.b)), part.whole);
            return true;
        case Op::mul: {
            const bool first = g_.node(n.a).op == Op::constant, second = g_.node(n.b).op == Op::constant;
            if (!part.whole && !first && !second) return false;
            if (!first) open(n.a, times(n.b), part.whole);
            if (!second) open(n.b, times(n.a), part.whole);
            return true;
        }
        case Op::sum: {
            const Expr inside = Terms(g_).largest(n.c);
            const Expr all = g_.sum(Expr(g_, n.d), Expr(g_, n.a), Expr(g_, n.b), inside);
            largest_ = fn::max(largest_, part.factor * all);
            return true;
        }
        default: return false;
        }
    }

    Graph& g_;
    std::vector<Part> open_;
    Expr largest_ = 0;
    std::size_t seen_ = 0;
};

} // namespace

Expr largest_term(const Expr& f) { return f.graph() ? Terms(*f.graph()).largest(f.id()) : fn::abs(f); }

Vec largest_terms(const Vec& f) {
    Vec sizes = f;
    for (std::size_t i = 0; i < f.size(); ++i) sizes[i].value = largest_term(f[i].value);
    return sizes;
}

} // namespace rattleback
