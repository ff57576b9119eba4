// The cheapest method and constant step for an accuracy: what RunOptions::accuracy asks for.
#pragma once

#include <rattleback/run.hpp>

namespace rattleback {

struct Picked {
    std::string method;
    double step = 0, until = 0;
    Accuracy accuracy;
    double seconds = 0; // that it took
};
// Methods are tried on the first part of the span and ranked by counted operations (src/run/effort.hpp), not by time:
// the same command picks the same anywhere. The step is then checked on the whole span, or on as much of it as some
// 1e10 operations reach. options.method: it alone is tried. Throws BadRun, Unsuitable, BadMethod.
Picked pick_for_accuracy(const Model& model, const RunOptions& options);

// The run with what was picked; options.step: a shorter one, which meets wanted times.
Run integrate_picked(const Model& model, const RunOptions& options, const Picked& picked);

// For Summary: what is known of the error, after the run; a warning where it is too large.
void note_accuracy(const Picked& picked, Run& run);

// The method alone, by the first part of the span: what `compare` sets beside the others. None fits: empty.
std::string method_for_accuracy(const Model& model, const RunOptions& options);

// Methods to try, by kind of model: "gauss:stages=*:iteration=fixed" stands for all numbers of stages.
std::vector<std::string> accurate_methods(const Model& model);

} // namespace rattleback
