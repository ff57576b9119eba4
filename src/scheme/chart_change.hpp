// Another chart for an element of SO(3) or SE(3) that has turned far from the centre of its own.
#pragma once

#include "group/group.hpp"

namespace rattleback {

// The chart whose centre is the old one turned by exp(turn). The turn is taken from a grid of rotation vectors, hence
// is the same for all states nearby: the coordinates of a chart are changed as any coordinates of a configuration space
// are, and momenta with them, so that the change is canonical. The new chart is turned and not shifted.
//
// The new centre lies ahead, such that w becomes about -w: a body enters a chart as far from the centre as it leaves
// it. A method keeps a modified energy in each chart, another one in the next. As far as it is even in w, what a chart
// adds to the energy vanishes from one change to the next.
class ChartChange {
  public:
    // 1 where a step from w = before to w = after has gone outwards, to more than half a radian from the centre.
    static Expr is_due(const Numbers& before, const Numbers& after);

    ChartChange(const LieGroup& group, const Numbers& w); // from coordinates w, turned by less than pi
    ChartChange of(const Numbers& other) const;           // the same change for another element nearby
    const Numbers& turn() const { return turn_; }         // what exp(turn) adds to the identity: see LieGroup::turn
    const Numbers& w() const { return new_w_; }           // turned by at most 1.1
    Numbers velocity(const Numbers& rate) const;
    Numbers momentum(const Numbers& p) const;

  private:
    void move(); // finds new_w_
    const LieGroup& group_;
    Numbers w_, turn_, new_w_;
};

} // namespace rattleback
