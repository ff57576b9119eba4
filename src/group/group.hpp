// Groups of motions of the plane and of space, as formulas: turns SO(2), SO(3); turns and shifts SE(2), SE(3).
//
// An element g is a turn R and a shift x; it takes a point s of the body to R s + x in space. It is written in two
// ways:
//   shown    what a result shows of it: SO(2) the angle; SE(2) x, y and the angle; SO(3) R, row by row; SE(3) R, then x
//   carried  what a method carries: the same, with a unit quaternion in place of R, since it stays orthogonal
// Near g elements are g (exp(rho), u), with w = (rho, u) as coordinates: the chart that is centred at g. A velocity of
// the body is (omega, velocity of its origin, both seen from the body): at w = 0 it is w'.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "expr/tensor.hpp"

namespace rattleback {

using Numbers = std::vector<Expr>;

struct LieGroup {
    std::string_view name;
    int space;   // 2 or 3
    bool shifts; // SE

    int turns() const { return space == 2 ? 1 : 3; } // components of an angular velocity
    int dimension() const { return turns() + (shifts ? space : 0); }
    int shown() const { return (space == 2 ? 1 : 9) + (shifts ? space : 0); }
    int carried() const { return (space == 2 ? 1 : 4) + (shifts ? space : 0); }
    std::vector<std::string> shown_names() const; // what follows the coordinate's name and "_": "11", "12", ... or "x"

    // Of an element, shown.
    Tensor rotation(const Numbers& g) const;
    Numbers position(const Numbers& g) const;                            // of the groups with shifts
    Expr angle(const Numbers& g) const;                                  // in the plane
    Tensor matrix(const Numbers& g) const;                               // R; with shifts the matrix of (R, x; 0, 1)
    Numbers space_velocity(const Numbers& g, const Numbers& body) const; // Ad_g

    Numbers body_velocity_of(const Numbers& g, const Numbers& space) const; // the inverse of Ad_g

    // In the chart. B(w) takes w' to the body's velocity.
    Numbers moved(const Numbers& g, const Numbers& w) const;             // g (exp(rho), u), shown
    Numbers body_velocity(const Numbers& w, const Numbers& rate) const;  // B(w) w'
    Numbers chart_rate(const Numbers& w, const Numbers& body) const;     // the inverse of B(w)
    Numbers chart_momentum(const Numbers& w, const Numbers& body) const; // the transpose of B(w)
    Numbers body_momentum(const Numbers& w, const Numbers& p) const;     // the inverse of the transpose of B(w)

    // Turns as what they add to the identity: an angle in the plane, a unit quaternion less 1 in space.
    Numbers turn(const Numbers& rho) const; // exp(rho)
    Numbers no_turn() const;
    Tensor matrix_of_turn(const Numbers& turn) const;

    // Of a carried element.
    Numbers shown_of(const Numbers& carried) const;
    Numbers carried_of(const Numbers& shown) const;
    // What a turn and a shift, both seen from the body, add to it: no difference of nearby numbers is formed, and a
    // quaternion is drawn back to length 1.
    Numbers increment(const Numbers& carried, const Numbers& turn, const Numbers& shift) const;
    Numbers after(const Numbers& carried, const Numbers& turn, const Numbers& shift) const; // moved by them
    // One-form p . (velocity of the body), as its coefficients of the rates of the carried numbers.
    Numbers one_form(const Numbers& carried, const Numbers& momentum) const;
    Expr off_group(const Numbers& carried) const; // vanishes: the quaternion has length 1

    // The group and its algebra: elements are carried, xi and eta velocities of the body, mu a momentum of it.
    Numbers times(const Numbers& a, const Numbers& b) const;
    Numbers inverse(const Numbers& a) const;
    Numbers exp(const Numbers& xi) const;
    Numbers log(const Numbers& a) const;     // a turn by at most pi; in the plane the angle, on SE(2) below 2 pi
    Numbers cayley(const Numbers& xi) const; // (1 - xi/2)^-1 (1 + xi/2)
    Numbers ad(const Numbers& xi, const Numbers& eta) const;     // [xi, eta]
    Numbers ad_dual(const Numbers& xi, const Numbers& mu) const; // its transpose in eta: p' of a free body
};

std::span<const LieGroup> groups();
const LieGroup* find_group(std::string_view name); // null: there is none of this name

Numbers cross(const Numbers& x, const Numbers& y);
Expr dot(const Numbers& x, const Numbers& y);
Numbers product(const Tensor& matrix, const Numbers& x);
Numbers transposed_product(const Tensor& matrix, const Numbers& x);
std::array<Expr, 4> quaternion_product(const std::array<Expr, 4>& x, const std::array<Expr, 4>& y);

} // namespace rattleback
