// The operations of a group as things to exchange, numbers, and random elements: what the laws of groups work with.
#pragma once

#include <functional>
#include <random>

#include "expr/real_functions.hpp"
#include "group/group.hpp"

namespace rattleback::group_laws {

using Binary = std::function<Numbers(const Numbers&, const Numbers&)>;
using Unary = std::function<Numbers(const Numbers&)>;
using Move = std::function<Numbers(const Numbers&, const Numbers&, const Numbers&)>;

// The operations under test, to be exchanged by mutants.
struct Operations {
    const LieGroup& g;
    Unary turn = [this](const Numbers& x) { return g.turn(x); };
    Unary shown_of = [this](const Numbers& x) { return g.shown_of(x); };
    Unary carried_of = [this](const Numbers& x) { return g.carried_of(x); };
    Unary inverse = [this](const Numbers& x) { return g.inverse(x); };
    Unary exp = [this](const Numbers& x) { return g.exp(x); };
    Unary log = [this](const Numbers& x) { return g.log(x); };
    Unary cayley = [this](const Numbers& x) { return g.cayley(x); };
    Binary times = [this](const Numbers& x, const Numbers& y) { return g.times(x, y); };
    Binary ad = [this](const Numbers& x, const Numbers& y) { return g.ad(x, y); };
    Binary ad_dual = [this](const Numbers& x, const Numbers& y) { return g.ad_dual(x, y); };
    Binary space_velocity = [this](const Numbers& x, const Numbers& y) { return g.space_velocity(x, y); };
    Binary moved = [this](const Numbers& x, const Numbers& y) { return g.moved(x, y); };
    Binary body_velocity = [this](const Numbers& x, const Numbers& y) { return g.body_velocity(x, y); };
    Binary chart_rate = [this](const Numbers& x, const Numbers& y) { return g.chart_rate(x, y); };
    Binary chart_momentum = [this](const Numbers& x, const Numbers& y) { return g.chart_momentum(x, y); };
    Binary body_momentum = [this](const Numbers& x, const Numbers& y) { return g.body_momentum(x, y); };
    Binary one_form = [this](const Numbers& x, const Numbers& y) { return g.one_form(x, y); };
    Move increment = [this](const Numbers& x, const Numbers& y, const Numbers& z) { return g.increment(x, y, z); };
    Move after = [this](const Numbers& x, const Numbers& y, const Numbers& z) { return g.after(x, y, z); };

    explicit Operations(const LieGroup& group) : g(group) {}
    Operations(const Operations&) = delete; // the defaults refer to it
    Tensor matrix(const Numbers& carried) const { return g.matrix(shown_of(carried)); }
};

// --- numbers --------------------------------------------------------------------------------------------------------

inline quad value(const Expr& e) {
    const auto c = e.constant();
    return c ? *c : Real<quad>::nan;
}
inline Numbers operator+(Numbers x, const Numbers& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + y[i];
    return x;
}
inline Numbers operator*(const Expr& s, Numbers x) {
    for (Expr& e : x) e = s * e;
    return x;
}
inline Numbers part(const Numbers& x, int first, int count) { return {x.begin() + first, x.begin() + first + count}; }

// The largest difference; NaN counts as infinite.
inline quad apart(const Numbers& x, const Numbers& y) {
    quad worst = x.size() == y.size() ? 0 : 1;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
        const quad d = real::abs(value(x[i]) - value(y[i]));
        worst = d <= worst ? worst : d >= 0 ? d : quad(1e30);
    }
    return worst;
}
inline quad apart(const Expr& x, const Expr& y) { return apart(Numbers{x}, Numbers{y}); }
inline quad apart(const Tensor& x, const Tensor& y) { return apart(x.e, y.e); }

// The matrix of a velocity of the body: R^T R' and, with shifts, its last column.
inline Tensor hat(const LieGroup& g, const Numbers& xi) {
    const int n = g.space, size = n + (g.shifts ? 1 : 0);
    Tensor m(Numbers(static_cast<std::size_t>(size * size), Expr(0)), size, size);
    const auto set = [&](int i, int j, const Expr& x) { m.e[static_cast<std::size_t>(i * size + j)] = x; };
    const auto turn = [&](int i, int j, const Expr& x) { set(i, j, -x), set(j, i, x); };
    if (n == 2) {
        turn(0, 1, xi[0]);
    } else {
        turn(1, 2, xi[0]), turn(0, 1, xi[2]), set(0, 2, xi[1]), set(2, 0, -xi[1]);
    }
    for (int i = 0; g.shifts && i < n; ++i) set(i, n, xi[static_cast<std::size_t>(g.turns() + i)]);
    return m;
}

class Random {
  public:
    explicit Random(const LieGroup& g) : g_(g) {}
    Numbers vector(int count, double size = 1) {
        Numbers x;
        for (int i = 0; i < count; ++i) x.emplace_back(size * (2 * uniform_(engine_) - 1));
        return x;
    }
    Numbers velocity(double size = 1) { return vector(g_.dimension(), size); }
    // A turn of this angle about any axis, and a shift; carried.
    Numbers element(quad angle) {
        Numbers axis = vector(g_.turns());
        const Expr norm = fn::sqrt(dot(axis, axis));
        axis = (Expr(angle) / norm) * axis;
        return element_of(axis);
    }
    Numbers element_of(const Numbers& rho) {
        const Numbers e = g_.space == 2 ? Numbers{0} : Numbers{1, 0, 0, 0};
        const Numbers origin(g_.shifts ? static_cast<std::size_t>(g_.space) : 0, Expr(0));
        Numbers identity = g_.space == 2 ? origin : e;
        const Numbers& rest = g_.space == 2 ? e : origin;
        identity.insert(identity.end(), rest.begin(), rest.end());
        return g_.after(identity, g_.turn(rho), g_.shifts ? vector(g_.space) : Numbers());
    }
    // Of all kinds: small turns, turns near pi, half turns about the axes, where a quaternion has one number that is
    // largest, and no turn at all.
    std::vector<Numbers> elements() {
        std::vector<Numbers> all;
        const quad pi = real::acos(quad(-1));
        for (const quad& angle :
             {quad(0), quad(1e-20), quad(1e-3), quad(0.7), quad(2.1), pi - quad(1e-9), pi, quad(3.6)})
            all.push_back(element(angle));
        for (int axis = 0; axis < g_.turns(); ++axis) {
            Numbers rho(static_cast<std::size_t>(g_.turns()), Expr(0));
            rho[static_cast<std::size_t>(axis)] = Expr(pi);
            all.push_back(element_of(rho));
        }
        return all;
    }

  private:
    const LieGroup& g_;
    std::mt19937 engine_{7};
    std::uniform_real_distribution<double> uniform_;
};

} // namespace rattleback::group_laws
