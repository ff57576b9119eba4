// Products and inverses, exponential, logarithm, Cayley's map, and the brackets of the algebra.
#include "group/group.hpp"

namespace rattleback {
namespace {

Numbers part(const Numbers& x, int first, int count) { return {x.begin() + first, x.begin() + first + count}; }
Numbers joined(Numbers x, const Numbers& y) {
    x.insert(x.end(), y.begin(), y.end());
    return x;
}
Numbers scaled(const Expr& s, Numbers x) {
    for (Expr& e : x) e = s * e;
    return x;
}
Numbers sum(Numbers x, const Numbers& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + y[i];
    return x;
}

// omega x v in the plane and in space.
Numbers turning(const Numbers& omega, const Numbers& v) {
    if (v.size() == 2) return {-omega[0] * v[1], omega[0] * v[0]};
    return cross(omega, v);
}

// A carried element as a turn (what it adds to the identity) and a shift.
Numbers turn_of(const LieGroup& g, const Numbers& c) {
    if (g.space == 2) return {c.back()};
    return {c[0] - 1, c[1], c[2], c[3]};
}
Numbers shift_of(const LieGroup& g, const Numbers& c) {
    return g.shifts ? part(c, g.space == 2 ? 0 : 4, g.space) : Numbers();
}
Numbers element(const LieGroup& g, const Numbers& turn, const Numbers& shift) {
    if (g.space == 2) return joined(shift, turn);
    return joined({1 + turn[0], turn[1], turn[2], turn[3]}, shift);
}

// The mean of exp(s rho) over 0 <= s <= 1, applied to u: the way of a body that turns evenly while it moves. In the
// plane rho x (rho x u) = -rho^2 u.
Numbers mean_turn(const Numbers& rho, const Numbers& u) {
    const Expr r = dot(rho, rho);
    const Numbers once = turning(rho, u), twice = turning(rho, once);
    return sum(u, sum(scaled(fn::stumpff(2, r), once), scaled(fn::stumpff(3, r), twice)));
}

// Its inverse: u - rho x u / 2 + k rho x (rho x u), with k as in chart_rate; |rho| < 2 pi.
Numbers unmean_turn(const Numbers& rho, const Numbers& u) {
    const Expr r = dot(rho, rho);
    const Expr k = (fn::stumpff(3, r) - 2 * fn::stumpff(4, r)) / (2 * fn::stumpff(2, r));
    const Numbers once = turning(rho, u), twice = turning(rho, once);
    return sum(u, sum(scaled(-0.5, once), scaled(k, twice)));
}

// atan(x)/x as a formula of u = x^2 <= 1 that is smooth at 0: angles are halved thrice, x -> x/(1 + sqrt(1 + x^2)), to
// u <= 0.0097; there 17 terms of the series are exact in quad.
Expr atan_over(Expr u) {
    Expr factor = 1;
    for (int i = 0; i < 3; ++i) {
        const Expr below = 1 + fn::sqrt(1 + u);
        factor = 2 * factor / below, u = u / (below * below);
    }
    Expr series = 0;
    for (int k = 16; k >= 0; --k) series = 1 / Expr(2 * k + 1) - u * series;
    return factor * series;
}

} // namespace

Numbers LieGroup::times(const Numbers& a, const Numbers& b) const {
    return after(a, turn_of(*this, b), shift_of(*this, b));
}

Numbers LieGroup::inverse(const Numbers& a) const {
    Numbers turn = turn_of(*this, a), shift;
    for (std::size_t i = space == 2 ? 0 : 1; i < turn.size(); ++i) turn[i] = -turn[i];
    if (shifts) shift = scaled(-1, transposed_product(rotation(shown_of(a)), shift_of(*this, a)));
    return element(*this, turn, shift);
}

Numbers LieGroup::exp(const Numbers& xi) const {
    const Numbers rho = part(xi, 0, turns());
    return element(*this, turn(rho), shifts ? mean_turn(rho, part(xi, turns(), space)) : Numbers());
}

Numbers LieGroup::log(const Numbers& a) const {
    Numbers rho = {a.back()};
    if (space == 3) { // the turn's vector e = sin(r/2) n, tan(r/4) = |e|/(1 + s), with the sign for which s >= 0
        const Expr sign = fn::choose(fn::lt(a[0], Expr(0)), Expr(-1), Expr(1)), s = 1 + sign * a[0];
        const Numbers e = part(a, 1, 3);
        rho = scaled(4 * sign * atan_over(dot(e, e) / (s * s)) / s, e);
    }
    return shifts ? joined(rho, unmean_turn(rho, shift_of(*this, a))) : rho;
}

// The shift is (1 - omega x/2)^-1 u = (u + omega x u/2 + <omega, u> omega/4)/(1 + |omega|^2/4); in the plane the third
// term vanishes.
Numbers LieGroup::cayley(const Numbers& xi) const {
    const Numbers omega = part(xi, 0, turns());
    const Expr square = 1 + dot(omega, omega) / 4, s = 1 / fn::sqrt(square);
    const Numbers turn = space == 2 ? Numbers{2 * fn::atan(xi[0] / 2)} : joined({s - 1}, scaled(s / 2, omega));
    if (!shifts) return element(*this, turn, {});
    const Numbers u = part(xi, turns(), space);
    Numbers shift = sum(u, scaled(0.5, turning(omega, u)));
    if (space == 3) shift = sum(shift, scaled(dot(omega, u) / 4, omega));
    return element(*this, turn, scaled(1 / square, shift));
}

Numbers LieGroup::body_velocity_of(const Numbers& g, const Numbers& velocity) const {
    const Numbers omega = part(velocity, 0, turns());
    if (!shifts) return space == 2 ? omega : transposed_product(rotation(g), omega);
    const Numbers at_origin = sum(part(velocity, turns(), space), turning(omega, position(g)));
    return joined(space == 2 ? omega : transposed_product(rotation(g), omega),
                  transposed_product(rotation(g), at_origin));
}

Numbers LieGroup::ad(const Numbers& xi, const Numbers& eta) const {
    const Numbers a = part(xi, 0, turns()), b = part(eta, 0, turns());
    const Numbers turn = space == 2 ? Numbers{0} : cross(a, b);
    if (!shifts) return turn;
    const Numbers u = part(xi, turns(), space), v = part(eta, turns(), space);
    return joined(turn, sum(turning(a, v), scaled(-1, turning(b, u))));
}

Numbers LieGroup::ad_dual(const Numbers& xi, const Numbers& mu) const {
    const Numbers a = part(xi, 0, turns()), m = part(mu, 0, turns());
    Numbers about = space == 2 ? Numbers{0} : cross(m, a);
    if (!shifts) return about;
    const Numbers u = part(xi, turns(), space), f = part(mu, turns(), space);
    about = sum(about, space == 2 ? Numbers{f[0] * u[1] - f[1] * u[0]} : cross(f, u));
    return joined(about, scaled(-1, turning(a, f)));
}

} // namespace rattleback
