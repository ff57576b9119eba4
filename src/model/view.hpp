// What to draw, from [view]: shapes with the formulas of where they are.
#pragma once

#include <rattleback/model.hpp>

namespace rattleback {

struct ViewShape {
    std::string kind, name; // point, rod, wheel, disc, blade, frame or trail
    std::string colour;     // by name; empty: the page's own
    int members = 1;        // of shapes that are alike, as many as are drawn
    int first = 1;          // index of the first member
    int every = 1;          // members are so many indices apart: more than 1 where a picture would have too many
    int of = 1;             // members that the model asks for
    struct Part {
        std::string name;           // at, from, to, heading, ...
        int width;                  // numbers of each member
        std::vector<Expr> formulas; // member by member
    };
    std::vector<Part> parts;
};
struct View {
    int dimension = 0;    // 0: there is nothing to draw
    double snapshots = 0; // time between copies that stay; 0: none
    std::vector<ViewShape> shapes;
};

} // namespace rattleback
