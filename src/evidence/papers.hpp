// What the papers say, as text files that state what to run, what must come out and within which band.
//
//   seed = "003"
//   paper = "Leimkuhler, Reich: ..."
//   [[line]]
//   id = "fig-3"                      # asked for as 003-fig-3
//   what = "Fig. 3: ..."
//   errata = ["3.9"]                  # needed for it: "reproduced with a correction (3.9)"
//   data = "..."                      # chosen, where the paper gives none
//   not_reproduced = "..." | to_come = "..." | sketch = "..."   # the reason; checks then show what comes out instead
//   [[line.check]]
//   model = "cartesian_pendulum"      # or model_text = """..."""
//   method = "dirac"; step = 0.1; until = 100 | steps = 10; set, q, v, p = { x = "1" }; lambda = [..]; force = "index"
//   observe = "x*x' + y*y'"           # a formula, taken as `observed`
//   take = "max energy_error"         # see quantity()
//   against = "rk4"                   # the same of another method, to divide by
//   is = 0.0628, within = 0.05 | at_most = .. | at_least = .. | between = [.., ..]
#pragma once

#include <rattleback/evidence.hpp>

#include <map>

namespace rattleback::papers {

struct Check {
    std::string model, model_text, method, against, force;
    RunOptions run; // step, until, steps
    LoadOptions changes;
    std::vector<quad> lambda;
    std::string take;
    double lo = 0, hi = 0; // what must come out
};

struct Line {
    std::string seed, id, what, data;
    std::vector<std::string> errata;
    enum Kind { reproduced, not_reproduced, to_come, sketch } kind = reproduced;
    std::string reason; // of the others
    std::vector<Check> checks;
};

struct Paper {
    std::string seed, title;
    std::vector<Line> lines;
};

struct Result {
    bool as_expected = true;
    std::vector<double> values; // of each check; NaN where it could not be computed
    std::string trouble;        // the first check that is not as expected, in words
};

Paper read_paper(const std::string& text, const std::string& file); // throws BadModel
std::vector<Paper> all_papers();                                    // those that come with the program
Result evaluate(const Line& line);
// Values of the checks against what must come out; what kept a value from being computed is in `troubles`.
Result judge(const Line& line, const std::vector<double>& values, const std::vector<std::string>& troubles = {});
std::string verdict(const Line& line); // "reproduced", "reproduced with a correction (3.9)", ...
Model model_of(const Check& check);    // as it is run

} // namespace rattleback::papers
