// `new`: a commented model to begin with.
#include "common.hpp"

#include <cstdio>
#include <filesystem>
#include <memory>

#include "expr/shown.hpp"
#include "output/output_file.hpp"

namespace app {
namespace {

using namespace rattleback;

constexpr const char* beginning =
    R"-(# A model of Rattleback. Formulas stand in quotes; x' is the velocity of x, t the time.
# Reference: 'rattleback schema' for editors, docs/models.md for people; 'rattleback gallery' has examples.

name        = "a bead on a rotating hoop"
coordinates = ["theta"]                # several: ["x", "y"]; many alike: ["x[1..n]"]; a body: ["R in SO(3)"]

[parameters]                           # numbers, or formulas of others; --set l=2 gives other values
m     = 1.0
l     = 1.0
g     = 9.81
omega = 4.0
c     = 0.1

[definitions]                          # optional: names for parts of formulas, in any order
height = "-l*cos(theta)"

[mechanics]                            # lagrangian | kinetic and potential | hamiltonian
kinetic   = "m*l^2*(theta'^2 + omega^2*sin(theta)^2)/2"
potential = "m*g*height"
force     = { theta = "-c*theta'" }    # optional: generalized forces
# dissipation = "c/2*theta'^2"         # the same, as Rayleigh's function

# [constraints]                        # optional; each formula is 0
# holonomic = ["x^2 + y^2 - l^2"]      # on positions
# velocity  = ["x'*sin(theta) - y'*cos(theta)"]   # on velocities

# [tables]                             # optional: measured data as functions
# u = "u.csv"                          # two columns; then u(t) in formulas

[observables]                          # optional: more columns of the results
height = "height"

[initial]
q = { theta = "20*deg" }               # or an array in the order of the coordinates
v = { theta = 0 }                      # or p = { ... }

[run]                                  # optional: without it, what fits is chosen, and said
until = 10.0                           # or steps = 1000
# step   = 0.01
# method = "gauss:stages=2"            # 'rattleback check FILE' tells which fit
)-";

int new_verb(const std::string& given, bool quiet) {
    std::filesystem::path path(given);
    if (path.extension().empty()) path.replace_extension(".toml");
    if (path.extension() != ".toml") throw BadCommand(given + ": a model file ends in .toml");
    if (std::filesystem::exists(path)) throw BadCommand(path.string() + " exists already; choose another name");
    OutputFile(path.string()).write_whole(beginning);
    if (!quiet)
        std::printf("written  %s: change it, then 'rattleback run %s'\n", shown(path.string()).c_str(),
                    shown(path.string()).c_str());
    return done;
}

} // namespace

Verb make_new() {
    struct Arguments {
        std::string file;
        bool quiet = false;
    };
    auto a = std::make_shared<Arguments>();
    return {"new",
            "write a commented model to begin with",
            {{"file", &a->file, "FILE.toml", true}, {"--quiet", &a->quiet, "print only errors"}},
            [a] { return new_verb(a->file, a->quiet); }};
}

} // namespace app
