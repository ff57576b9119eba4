#include "group/group.hpp"

namespace rattleback {
namespace {

constexpr std::array all = {LieGroup{"SO(2)", 2, false}, LieGroup{"SO(3)", 3, false}, LieGroup{"SE(2)", 2, true},
                            LieGroup{"SE(3)", 3, true}};

using Quaternion = std::array<Expr, 4>;

Numbers part(const Numbers& x, int first, int count) { return {x.begin() + first, x.begin() + first + count}; }
Numbers joined(Numbers x, const Numbers& y) {
    x.insert(x.end(), y.begin(), y.end());
    return x;
}
Numbers operator+(Numbers x, const Numbers& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = x[i] + y[i];
    return x;
}
Numbers operator*(const Expr& s, Numbers x) {
    for (Expr& e : x) e = s * e;
    return x;
}
Numbers operator-(const Numbers& x) { return Expr(-1) * x; }

Tensor planar_rotation(const Expr& angle) {
    const Expr c = fn::cos(angle), s = fn::sin(angle);
    return {{c, -s, s, c}, 2, 2};
}

// I + 2 s hat(e) + 2 hat(e)^2 of the unit quaternion (s, e).
Tensor spatial_rotation(const Quaternion& q) {
    const auto& [s, a, b, c] = q;
    const Expr two = 2;
    return {{1 - two * (b * b + c * c), two * (a * b - s * c), two * (a * c + s * b), two * (a * b + s * c),
             1 - two * (a * a + c * c), two * (b * c - s * a), two * (a * c - s * b), two * (b * c + s * a),
             1 - two * (a * a + b * b)},
            3,
            3};
}

// exp(hat(rho)) x = x + c1 rho x x + c2 rho x (rho x x).
Numbers turned(const Numbers& rho, const Numbers& x) {
    if (x.size() == 2) return product(planar_rotation(rho[0]), x);
    const Expr u = dot(rho, rho);
    const Numbers once = cross(rho, x), twice = cross(rho, once);
    return x + fn::stumpff(1, u) * once + fn::stumpff(2, u) * twice;
}

// Omega of exp(rho): rho' - c2 rho x rho' + c3 rho x (rho x rho').
Numbers angular_velocity(const Numbers& rho, const Numbers& rate) {
    if (rho.size() == 1) return rate;
    const Expr u = dot(rho, rho);
    const Numbers once = cross(rho, rate), twice = cross(rho, once);
    return rate + (-fn::stumpff(2, u)) * once + fn::stumpff(3, u) * twice;
}

// The inverse: omega + rho x omega / 2 + k rho x (rho x omega), k = (1 - (r/2) cot(r/2))/r^2 with r = |rho|.
Numbers rotation_rate(const Numbers& rho, const Numbers& omega) {
    if (rho.size() == 1) return omega;
    const Expr u = dot(rho, rho);
    const Expr k = (fn::stumpff(3, u) - 2 * fn::stumpff(4, u)) / (2 * fn::stumpff(2, u));
    const Numbers once = cross(rho, omega), twice = cross(rho, once);
    return omega + Expr(0.5) * once + k * twice;
}

Quaternion quaternion(const Numbers& four) { return {four[0], four[1], four[2], four[3]}; }

} // namespace

std::span<const LieGroup> groups() { return all; }

const LieGroup* find_group(std::string_view name) {
    for (const LieGroup& g : all)
        if (g.name == name) return &g;
    return nullptr;
}

Numbers cross(const Numbers& x, const Numbers& y) {
    return {x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]};
}

Expr dot(const Numbers& x, const Numbers& y) {
    Expr sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum = sum + x[i] * y[i];
    return sum;
}

Numbers product(const Tensor& m, const Numbers& x) {
    Numbers y;
    for (int i = 0; i < m.rows; ++i) {
        Expr sum = 0;
        for (int j = 0; j < m.cols; ++j) sum = sum + m.at(i, j) * x[static_cast<std::size_t>(j)];
        y.push_back(sum);
    }
    return y;
}

Numbers transposed_product(const Tensor& m, const Numbers& x) {
    Numbers y;
    for (int j = 0; j < m.cols; ++j) {
        Expr sum = 0;
        for (int i = 0; i < m.rows; ++i) sum = sum + m.at(i, j) * x[static_cast<std::size_t>(i)];
        y.push_back(sum);
    }
    return y;
}

Quaternion quaternion_product(const Quaternion& x, const Quaternion& y) {
    return {
        x[0] * y[0] - x[1] * y[1] - x[2] * y[2] - x[3] * y[3], x[0] * y[1] + x[1] * y[0] + x[2] * y[3] - x[3] * y[2],
        x[0] * y[2] + x[2] * y[0] + x[3] * y[1] - x[1] * y[3], x[0] * y[3] + x[3] * y[0] + x[1] * y[2] - x[2] * y[1]};
}

std::vector<std::string> LieGroup::shown_names() const {
    std::vector<std::string> names;
    if (space == 3)
        for (int i = 1; i <= 3; ++i)
            for (int j = 1; j <= 3; ++j) names.push_back(std::to_string(i) + std::to_string(j));
    if (shifts) names.insert(names.end(), {"x", "y"});
    if (shifts && space == 3) names.emplace_back("z");
    if (space == 2) names.emplace_back("theta");
    return names;
}

Expr LieGroup::angle(const Numbers& g) const { return g.back(); }
Tensor LieGroup::rotation(const Numbers& g) const {
    return space == 2 ? planar_rotation(angle(g)) : Tensor(part(g, 0, 9), 3, 3);
}
Numbers LieGroup::position(const Numbers& g) const { return part(g, space == 2 ? 0 : 9, space); }

Tensor LieGroup::matrix(const Numbers& g) const {
    const Tensor R = rotation(g);
    if (!shifts) return R;
    const Numbers x = position(g);
    Tensor m({}, space + 1, space + 1);
    for (int i = 0; i < space; ++i) {
        for (int j = 0; j < space; ++j) m.e.push_back(R.at(i, j));
        m.e.push_back(x[static_cast<std::size_t>(i)]);
    }
    for (int j = 0; j < space; ++j) m.e.emplace_back(0);
    m.e.emplace_back(1);
    return m;
}

Numbers LieGroup::space_velocity(const Numbers& g, const Numbers& body) const {
    const Numbers omega = part(body, 0, turns());
    if (space == 2 && !shifts) return omega;
    const Tensor R = rotation(g);
    const Numbers turn = space == 2 ? omega : product(R, omega);
    if (!shifts) return turn;
    const Numbers x = position(g), v = product(R, part(body, turns(), space));
    // The velocity of the point of the body that is at the origin of space.
    if (space == 2) return {turn[0], v[0] + turn[0] * x[1], v[1] - turn[0] * x[0]};
    return joined(turn, v + cross(x, turn));
}

Numbers LieGroup::moved(const Numbers& g, const Numbers& w) const {
    const Numbers rho = part(w, 0, turns());
    const Tensor R = rotation(g);
    const Numbers x = shifts ? position(g) + product(R, part(w, turns(), space)) : Numbers();
    if (space == 2) return joined(x, {angle(g) + rho[0]});
    Numbers rows; // row i of R exp(rho) is exp(-rho) applied to row i of R
    for (int i = 0; i < 3; ++i) rows = joined(rows, turned(-rho, {R.at(i, 0), R.at(i, 1), R.at(i, 2)}));
    return joined(rows, x);
}

Numbers LieGroup::body_velocity(const Numbers& w, const Numbers& rate) const {
    const Numbers rho = part(w, 0, turns()), omega = angular_velocity(rho, part(rate, 0, turns()));
    return shifts ? joined(omega, turned(-rho, part(rate, turns(), space))) : omega;
}

Numbers LieGroup::chart_rate(const Numbers& w, const Numbers& body) const {
    const Numbers rho = part(w, 0, turns()), rate = rotation_rate(rho, part(body, 0, turns()));
    return shifts ? joined(rate, turned(rho, part(body, turns(), space))) : rate;
}

// Transposed, the formulas of rho are those of -rho, and a turn is the turn back.
Numbers LieGroup::chart_momentum(const Numbers& w, const Numbers& body) const {
    const Numbers rho = part(w, 0, turns()), about = angular_velocity(-rho, part(body, 0, turns()));
    return shifts ? joined(about, turned(rho, part(body, turns(), space))) : about;
}

// The transpose of rotation_rate(rho, .) is rotation_rate(-rho, .), and that of a turn is the turn back.
Numbers LieGroup::body_momentum(const Numbers& w, const Numbers& p) const {
    const Numbers rho = part(w, 0, turns()), about = rotation_rate(-rho, part(p, 0, turns()));
    return shifts ? joined(about, turned(-rho, part(p, turns(), space))) : about;
}

Numbers LieGroup::turn(const Numbers& rho) const {
    if (space == 2) return rho;
    const Expr u = dot(rho, rho) / 4; // of half the angle
    return joined({-u * fn::stumpff(2, u)}, (Expr(0.5) * fn::stumpff(1, u)) * rho);
}

Numbers LieGroup::no_turn() const { return Numbers(space == 2 ? 1 : 4, Expr(0)); }

Tensor LieGroup::matrix_of_turn(const Numbers& turn) const {
    if (space == 2) return planar_rotation(turn[0]);
    return spatial_rotation({1 + turn[0], turn[1], turn[2], turn[3]});
}

Numbers LieGroup::shown_of(const Numbers& c) const {
    if (space == 2) return c;
    return joined(spatial_rotation(quaternion(c)).e, part(c, 4, shifts ? 3 : 0));
}

// The quaternion of a rotation from the largest of its four numbers, which is at least 1/2.
Numbers LieGroup::carried_of(const Numbers& g) const {
    if (space == 2) return g;
    const Tensor R = rotation(g);
    const Expr x = R.at(0, 0), y = R.at(1, 1), z = R.at(2, 2);
    const std::array<Expr, 4> squares = {1 + x + y + z, 1 + x - y - z, 1 - x + y - z, 1 - x - y + z}; // times 4
    const Expr sa = R.at(2, 1) - R.at(1, 2), sb = R.at(0, 2) - R.at(2, 0), sc = R.at(1, 0) - R.at(0, 1),
               ab = R.at(0, 1) + R.at(1, 0), ac = R.at(0, 2) + R.at(2, 0), bc = R.at(1, 2) + R.at(2, 1);
    const std::array<std::array<Expr, 4>, 4> rows = {
        {{squares[0], sa, sb, sc}, {sa, squares[1], ab, ac}, {sb, ab, squares[2], bc}, {sc, ac, bc, squares[3]}}};
    Numbers best(rows[0].begin(), rows[0].end());
    Expr largest = squares[0];
    for (std::size_t i = 1; i < 4; ++i) {
        const Expr better = fn::gt(squares[i], largest);
        for (std::size_t j = 0; j < 4; ++j) best[j] = fn::choose(better, rows[i][j], best[j]);
        largest = fn::choose(better, squares[i], largest);
    }
    return joined((1 / fn::sqrt(dot(best, best))) * best, part(g, 9, shifts ? 3 : 0));
}

Numbers LieGroup::increment(const Numbers& c, const Numbers& turn, const Numbers& shift) const {
    Numbers d;
    if (space == 2) {
        d = turn;
    } else {
        const Quaternion q = quaternion(c), dq = quaternion_product(q, quaternion(turn));
        // (1 - |q|^2)/2 is what is missing of the length, of the order of the rounding errors.
        const Expr missing = (1 - dot(part(c, 0, 4), part(c, 0, 4))) / 2;
        for (std::size_t i = 0; i < 4; ++i) d.push_back(dq[i] + missing * q[i]);
    }
    if (!shifts) return d;
    const Numbers dx = product(rotation(shown_of(c)), shift);
    return space == 2 ? joined(dx, d) : joined(d, dx);
}

Numbers LieGroup::after(const Numbers& c, const Numbers& turn, const Numbers& shift) const {
    Numbers d = turn;
    if (space == 3) {
        const Quaternion dq = quaternion_product(quaternion(c), quaternion(turn));
        d.assign(dq.begin(), dq.end());
    }
    if (shifts) {
        const Numbers dx = product(rotation(shown_of(c)), shift);
        d = space == 2 ? joined(dx, d) : joined(d, dx);
    }
    return c + d;
}

// Omega = 2 times the vector part of conj(q) q', the origin moves with R times its velocity in the body.
Numbers LieGroup::one_form(const Numbers& c, const Numbers& p) const {
    Numbers f;
    if (space == 2) {
        f = {p[0]};
    } else {
        const Quaternion b = quaternion_product(quaternion(c), {Expr(0), p[0], p[1], p[2]});
        for (const Expr& e : b) f.push_back(2 * e);
    }
    if (!shifts) return f;
    const Numbers linear = product(rotation(shown_of(c)), part(p, turns(), space));
    return space == 2 ? joined(linear, f) : joined(f, linear);
}

Expr LieGroup::off_group(const Numbers& c) const {
    return space == 2 ? Expr(0) : dot(part(c, 0, 4), part(c, 0, 4)) - 1;
}

} // namespace rattleback
