// What a step carries of coordinates on groups: an angle or a unit quaternion, and a position.
#pragma once

#include <optional>

#include "group/group.hpp"
#include <rattleback/operators.hpp>

namespace rattleback {

Numbers component_values(const Vec& of, std::size_t first, std::size_t count);
void set_components(Vec& of, std::size_t first, const Numbers& values);

// A turn and a shift, seen from the body: see LieGroup::increment.
struct GroupMove {
    Numbers turn, shift;
    Expr square = 0; // of the angle; a step is refused where that reaches pi
};

class GroupState {
  public:
    explicit GroupState(const Model& model);
    const LieGroup& group(std::size_t i) const { return *groups_[i]; }
    Numbers carried(std::size_t i) const; // leaves
    const Vec& leaves() const { return leaves_; }
    Vec centre() const; // Model::centre, as formulas of them
    Vec increment(const std::vector<GroupMove>& moves) const;
    static Expr unless_too_far(const Expr& chart_turn, const Expr& value);
    Vec of_start() const; // them, as formulas of Model::centre

  private:
    Vec each(const std::vector<Numbers>& values) const; // shaped like leaves_
    const Model& model_;
    std::vector<const LieGroup*> groups_;
    std::vector<std::size_t> first_; // in leaves_
    Vec leaves_;
};

// A step of any method in the coordinates of charts: it carries their centres, too. A chart that the body leaves is
// changed to one whose centre is turned by an element of a grid, the same one for all states nearby, so that steps of
// symplectic methods are symplectic: see ChartChange. Where a turn reaches pi inside a step, the step is refused.
// In a composition only its last substep changes charts: errors of substeps cancel where all of them are taken in the
// same coordinates.
void carry_charts(Step& step, const Model& model, int substeps);

// How a step that carries charts changes them at its end.
struct ChangeOfCharts {
    Vec increment;   // in the step's own charts
    Vec there, seen; // any state nearby, and what it is in the charts of the next step
    Expr due;        // 1 where a chart changes, else 0
};
// Read from the increments of these components of the state, as a step that carries charts has them. None: charts stay.
std::optional<ChangeOfCharts> change_of_charts(const Vec& state, const Vec& increment, const Model& model);

// A step that moves elements of groups itself: charts are centred at both of its ends.
void carry_elements(Step& step, const Model& model, const std::vector<GroupMove>& moves);

} // namespace rattleback
