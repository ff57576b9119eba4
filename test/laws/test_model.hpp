// A small nonlinear model with the traits on which the conditions of claims depend.
#pragma once

#include <rattleback/rattleback.hpp>

#include <string>
#include <vector>

namespace rattleback::laws {

struct TestModel {
    std::string name, text;
    bool forces = false, time = false; // has them
    bool even = true;                  // L even in v or H even in p, forces even in v: motions can be run backwards
    bool even_phase = true;            // each phase constraint is even or odd in p
    bool quadratic = false;            // H quadratic
    bool affine = false;               // all declared symmetries have generators affine in q
    bool linear = false;               // and their momenta are linear in (q, v) and in (q, p)
    bool horizontal = true;            // and they lie in the constraint distribution
    bool homogeneous = true;           // velocity constraints are homogeneous in v
    bool quadratic_g = false;          // holonomic constraints and their rates are quadratic in (q, p)
    double step = 0.1;                 // for symplecticity, symmetry, momentum: large, so that errors would show
    double until = 1;     // for orders, so short that 8 steps are in the asymptotic range; 0: not for these
    bool typical = false; // the orders of all methods are measured on it, not only those of Gauss methods
    double long_step = 0; // for long runs of a method of order 2; 0: not for these

    Model read() const { return read_model(text, name + ".toml"); }
};

} // namespace rattleback::laws
