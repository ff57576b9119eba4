// Continuation: a problem that is easier for a longer time, nearer ends or another value of a parameter is solved from
// many starts, and its paths are led from there to the problem itself, as far as Newton's method follows.
#pragma once

#include <rattleback/boundary.hpp>

#include "boundary/search.hpp"

namespace rattleback::boundary {

// What changes on the way: a parameter, the time, or how far the ends are apart (`ends`, as a part of what is asked).
struct Continuation {
    std::string name;
    double from = 0, to = 0;
    std::string text() const;
};

// As the user asks for it; throws BadRun where there is no such parameter, or it is part of the structure.
Continuation continuation_of(const Model& model, const std::string& name, double from);
// What may make a problem easier that could not be solved.
std::vector<Continuation> easier(const Model& model);

struct Continued {
    std::vector<Found> found; // paths of the problem itself
    int starts = 0;
    long long iterations = 0;
    std::optional<double> reached; // how far the best of the paths was led, from 0 to 1; none: there were no paths
};
Continued lead(const Model& model, const Continuation& along, const std::string& method, std::size_t steps,
               const SolveOptions& options);

} // namespace rattleback::boundary
