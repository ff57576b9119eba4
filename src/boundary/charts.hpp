// Coordinates on groups along a path. In the plane the angle is a coordinate everywhere, and one chart does for all. In
// space every node of a path has a chart of its own, whose centre stays where it is while equations are solved; a step
// ends in the chart of the next node. Centres are parameters of the model: those of the node where a step begins, then
// those of the next.
#pragma once

#include <memory>
#include <vector>

#include "group/group.hpp"
#include "solve/implicit.hpp"
#include <rattleback/model.hpp>

namespace rattleback::boundary {

// What an element and a momentum are in another chart, as formulas.
struct InChart {
    Numbers w, p;
};
InChart in_chart(const LieGroup& group, const Numbers& from, const Numbers& to, const Numbers& w, const Numbers& p);

class Charts {
  public:
    struct Group {
        const LieGroup* group;
        std::size_t first, count; // its components of q
        std::size_t centre;       // where its centre begins in those of a node
    };
    explicit Charts(std::vector<Group> groups);

    const std::vector<Group>& groups() const { return groups_; }
    std::size_t width() const { return width_; } // numbers of the centres of a node
    // A node (q, p) of the chart at `from`, seen in that at `to`. `slope`: the derivative of that, row-major.
    void carry(const double* from, const double* to, double* x, std::size_t states, double* slope = nullptr);
    // Moves the centre to the node itself.
    void centre_at(double* centre, double* x, std::size_t states);
    double turned(const double* x) const; // the largest turn from a centre
    // Coordinates of charts among q.
    bool is_turn(std::size_t component) const;
    bool is_shift(std::size_t component) const;
    // The place of a node's centres among the parameters.
    void put(const double* own, std::vector<double>& parameters) const;

  private:
    struct Maps {
        const LieGroup* group;
        solve::Jacobians slopes;
        std::optional<SystemSolver<double>> carry, slope, centre;
    };
    Maps& maps_of(const Group& g);
    std::vector<Group> groups_;
    std::size_t width_ = 0;
    std::vector<std::unique_ptr<Maps>> maps_;
};

// Takes the groups out of a model: their coordinates become ordinary ones, centres parameters at the end of the list,
// each twice. None: there is no group in space.
std::shared_ptr<Charts> take_out_groups(Model& model);

// The numbers of an element as charts carry them; in the plane as coordinates of the chart at the identity.
std::vector<double> carried_numbers(const LieGroup& group, const std::vector<quad>& shown);
std::vector<quad> planar_coordinates(const std::vector<quad>& shown);

} // namespace rattleback::boundary
