#include "scheme/chart_change.hpp"

namespace rattleback {
namespace {

// The multiple of 1/16 that is nearest to x, |x| < 8 - 1/32: bit by bit.
Expr on_grid(const Expr& x) {
    Expr rest = fn::abs(x) + Expr(0x1p-5), sum = 0;
    for (double bit = 4; bit >= 0x1p-4; bit /= 2) {
        const Expr part = Expr(bit) * fn::ge(rest, Expr(bit));
        rest = rest - part, sum = sum + part;
    }
    return fn::sign(x) * sum;
}

// The rotation vector of a unit quaternion that turns by r <= 1.2: 4 atan(x) e/|e| with x = tan(r/4) = |e|/(1 + s). As
// atan(x) = 2 atan(x/(1 + sqrt(1 + x^2))) the series is summed at a square below 0.023, where 21 terms are exact in
// quad.
Numbers rotation_vector(const std::array<Expr, 4>& q) {
    const Expr scale = 1 / (1 + q[0]), tangent = (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) * (scale * scale);
    const Expr below = 1 + fn::sqrt(1 + tangent), u = tangent / (below * below);
    Expr series = 0;
    for (int k = 20; k >= 0; --k) series = 1 / Expr(2 * k + 1) - u * series;
    const Expr factor = 8 * scale * series / below;
    return {factor * q[1], factor * q[2], factor * q[3]};
}

} // namespace

Expr ChartChange::is_due(const Numbers& before, const Numbers& after) {
    const auto square = [](const Numbers& w) { return w[0] * w[0] + w[1] * w[1] + w[2] * w[2]; };
    return fn::both(fn::gt(square(after), Expr(0.25)), fn::gt(square(after), square(before)));
}

ChartChange::ChartChange(const LieGroup& group, const Numbers& w) : group_(group), w_(w) {
    const Numbers rho(w.begin(), w.begin() + 3);
    const Expr ahead = 1 + fn::min(Expr(1), 1 / fn::sqrt(dot(rho, rho)));
    turn_ = group.turn({on_grid(ahead * rho[0]), on_grid(ahead * rho[1]), on_grid(ahead * rho[2])});
    move();
}

ChartChange ChartChange::of(const Numbers& other) const {
    ChartChange change = *this;
    change.w_ = other;
    change.move();
    return change;
}

void ChartChange::move() {
    const Numbers rho(w_.begin(), w_.begin() + 3), shift(w_.begin() + 3, w_.end());
    const Numbers here = group_.turn(rho);
    new_w_ = rotation_vector(
        quaternion_product({1 + turn_[0], -turn_[1], -turn_[2], -turn_[3]}, {1 + here[0], here[1], here[2], here[3]}));
    if (!shift.empty())
        for (const Expr& e : transposed_product(group_.matrix_of_turn(turn_), shift)) new_w_.push_back(e);
}

Numbers ChartChange::velocity(const Numbers& rate) const {
    return group_.chart_rate(new_w_, group_.body_velocity(w_, rate));
}

Numbers ChartChange::momentum(const Numbers& p) const {
    return group_.chart_momentum(new_w_, group_.body_momentum(w_, p));
}

} // namespace rattleback
