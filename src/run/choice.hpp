// A method and a step for those who name none.
#pragma once

#include <rattleback/run.hpp>

namespace rattleback {

// Methods that fit the model, the recommended one first; a few of different character, not all that fit.
std::vector<std::string> recommended_methods(const Model& model);

// A step with which the first steps of the method are resolved, a round number: one step and two of half its size agree
// to `resolved_to` of what they change. `longest`: no longer than that; its sign is the direction of time.
struct ChosenStep {
    double step = 0;
    double difference = 0; // of one step and two halves, relative
    bool beside = false;   // measured beside the start, where nothing moves
};
inline constexpr double resolved_to =
    1e-6; // a pendulum at 90 degrees: step 0.05, energy to 9e-6 of its swing over 50 periods
ChosenStep recommended_step(const Model& model, const std::string& method, double longest);

} // namespace rattleback
