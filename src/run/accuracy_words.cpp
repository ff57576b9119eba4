#include <cmath>
#include <cstdio>

#include "run/accuracy.hpp"

namespace rattleback {
namespace {

std::string number(double x, int digits = 2) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    return text;
}

// Why the accuracy is not reached.
std::string reason(const Accuracy& a, double t0, double span) {
    const std::string grown = std::isfinite(a.estimated) ? number(a.estimated) : std::string("no known size"),
                      holds = "it holds up to t = " + number(a.holds_until, 4);
    if (a.holds_until == t0) return "no constant step that was tried resolves the first part of the motion";
    const std::string until = holds + " (" + number((a.holds_until - t0) / span * 100, 4) + " % of the span); beyond, ";
    if (a.holds_until == a.until)
        return holds + ", and farther runs were not affordable; from how errors grow until then, " + grown +
               " is to be expected at the end";
    if (a.rounding > a.asked / 2)
        return until +
               "the last digits of data and parameters and rounding in each step matter: whatever the step, "
               "about " +
               grown + " at the end";
    return until + "errors grow whatever the step, as those of chaotic motions and near singularities do, to " + grown +
           " at the end";
}

} // namespace

void note_accuracy(const Picked& picked, Run& run) {
    Summary& s = run.summary_;
    const Accuracy& a = picked.accuracy;
    s.accuracy = a;
    s.seconds_setup += picked.seconds;
    if (a.reached() || !run.report().ok()) return;
    const double t0 = run.origin.t0;
    s.warnings.push_back("the accuracy of " + number(a.asked) + " is not reached: " + reason(a, t0, picked.until - t0));
}

} // namespace rattleback
