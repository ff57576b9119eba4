#include "solve/angles.hpp"

#include <array>
#include <map>

#include "expr/rewrite.hpp"

namespace rattleback::solve {
namespace {

bool has_families(const System& system) {
    const auto any = [](const Vec& v) {
        for (const Component& c : v)
            if (c.family) return true;
        return false;
    };
    for (const Equation& e : system.equations)
        if (any(e.lhs) || any(e.rhs)) return true;
    return any(system.results);
}

class Angles {
  public:
    explicit Angles(System& system) : system_(system), graph_(*system.graph), rewrite_(graph_, false) {}

    void run() {
        std::vector<NodeId> roots;
        for_each_formula([&](Expr& e) {
            if (e.graph()) roots.push_back(e.id());
        });
        for (NodeId id : reachable(graph_, roots)) {
            const Node& n = graph_.node(id);
            if (n.rolled) return;
            if (n.op == Op::sin || n.op == Op::cos) ++asked_[n.a][n.op == Op::cos];
        }
        bool any = false;
        for (const auto& [angle, functions] : asked_) any |= share(angle, functions);
        if (any) for_each_formula([&](Expr& e) { e = rewrite_(e); });
    }

  private:
    using Functions = std::array<int, 2>; // sine, cosine: asked for or not

    template <class F> void for_each_formula(F&& f) {
        const auto each = [&](Vec& v) {
            for (std::size_t i = 0; i < v.size(); ++i) f(v[i].value);
        };
        for (Equation& e : system_.equations) each(e.lhs), each(e.rhs);
        each(system_.results);
    }

    bool share(NodeId angle, const Functions& functions) {
        const Node n = graph_.node(angle);
        if ((n.op != Op::add && n.op != Op::sub) || !asked_.contains(n.a) || !asked_.contains(n.b)) return false;
        const Functions &a = asked_.at(n.a), &b = asked_.at(n.b);
        if (4 - (a[0] + a[1] + b[0] + b[1]) > functions[0] + functions[1]) return false;
        const Expr x(graph_, n.a), y(graph_, n.b);
        const Expr sx = rewrite_(fn::sin(x)), cx = rewrite_(fn::cos(x)), sy = rewrite_(fn::sin(y)),
                   cy = rewrite_(fn::cos(y));
        const bool plus = n.op == Op::add;
        const Expr whole(graph_, angle);
        rewrite_.replace(fn::sin(whole).id(), plus ? sx * cy + cx * sy : sx * cy - cx * sy);
        rewrite_.replace(fn::cos(whole).id(), plus ? cx * cy - sx * sy : cx * cy + sx * sy);
        return true;
    }

    System& system_;
    Graph& graph_;
    Rewriter rewrite_;
    std::map<NodeId, Functions> asked_; // by angle, parts before sums
};

} // namespace

System share_angles(System system) {
    if (!has_families(system)) Angles(system).run();
    return system;
}

} // namespace rattleback::solve
