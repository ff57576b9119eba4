// Inputs that make H least. Where H_u = 0 is not linear in u it may have several roots, and the minimum principle
// (Pontryagin) takes the one with the least H.
//
// H is searched along each input in turn: at places that grow by a quarter, around 0 and around a place that is given,
// H_u changes sign between two of them where a minimum is. So every minimum of an H that is a sum of functions of
// single inputs is found, unless two roots are nearer to each other than a quarter of their distance from both places.
// Where inputs meet in H, the search goes on from input to input, from several places; what no such line comes near
// is missed.
#pragma once

#include <optional>
#include <vector>

#include "solve/system.hpp"
#include <rattleback/scheme.hpp>

namespace rattleback {

class LeastInputs {
  public:
    explicit LeastInputs(const Model& model); // with inputs that H_u = 0 does not give outright

    // (q, p), and the time: where H is a function of u.
    void at(const double* q_and_p, double t);
    void set_parameters(const std::vector<double>& values) { parameters_ = values; }

    struct Minimum {
        std::vector<double> u;
        double H = 0;
        bool is_least = true; // false: H falls without end as an input grows, so this is a local minimum only
    };
    // The least one; of equals, the one from which `near` is followed. None: no minimum was found.
    std::optional<Minimum> find(const std::vector<double>& near);
    // The root of H_u = 0 that Newton's method finds from here; none: it does not.
    std::optional<std::vector<double>> follow(std::vector<double> u);
    double value(const std::vector<double>& u); // H; NaN where it has no value
    // The sum of |L| and |p_i Gamma_i|: what rounding errors of H are relative to. With a free time H is 0 on a path.
    double size(const std::vector<double>& u);

    std::size_t count() const { return inputs_; }

  private:
    bool evaluate(const std::vector<double>& u);
    double slope(std::vector<double>& u, std::size_t i, double value); // of H along input i
    std::vector<double> places(double here) const;
    bool search_along(std::vector<double>& u, std::size_t i, double& H);
    std::optional<Minimum> descend(std::vector<double> u);
    double refined(std::vector<double>& u, std::size_t i, double lo, double hi);

    std::size_t states_, inputs_;
    bool apart_ = true; // H is a sum of functions of single inputs
    std::vector<double> parameters_;
    std::optional<SystemSolver<double>> slopes_, curvature_; // H, H_u; and H_uu
    std::vector<double> given_;
    bool falls_ = false; // without end, as the last search has seen
};

// Of a step's hint, scalar by scalar: the input of which it is a value, from 0 on; none: something else.
std::vector<std::optional<std::size_t>> inputs_in_hint(const Step& step);
// Puts the inputs into all places of a hint that are inputs.
template <class T>
void set_inputs(std::vector<T>& hint, const std::vector<std::optional<std::size_t>>& which,
                const std::vector<double>& u) {
    for (std::size_t i = 0; i < which.size() && i < hint.size(); ++i)
        if (which[i]) hint[i] = static_cast<T>(u[*which[i]]);
}

} // namespace rattleback
