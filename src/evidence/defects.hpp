// More of what is measured along a run of `steps` steps of size h from the model's start: see evidence.hpp.
#pragma once

#include <algorithm>

#include <rattleback/evidence.hpp>

#include "expr/real_functions.hpp"

namespace rattleback {

// Of a step that a function S and forces generate: how far b1 da1 - b0 da0 is from dS - sum f . dP, all steps taken
// together, and D^T Omega D - Omega from sum df ^ dP in a single one.
template <class T> struct GeneratingDefect {
    T one_form = 0, two_form = 0;
    // As functions of (q0, q1): D12 S - (D21 S)^T, which is 0 where no forces act, relative to their size; and for each
    // symmetry xi what S and the forces' work gain along (xi(q0), xi(q1)).
    T pairs = 0;
    std::vector<T> momenta;
    T regularity = 0,
      smallest = 0; // det(D12 S - d alpha_0/d q1) of the first step, and the smallest; 0: changed its sign
};
template <class T>
std::optional<GeneratingDefect<T>> generating_defect(const CompiledMethod& method, T h, int steps, Report& report);

// How far the action of a Hamiltonian flow is from generating it, from the model's start for `steps` steps of a method
// that is accurate: d(p_h . q_h - A) against p_0 . dq_0 + q_h . dp_h. Its rate is p . H_p - H.
Expr action_rate(const Model& model);
template <class T>
std::optional<T> action_defect(const Model& model, const std::string& method, T h, int steps, Report& report,
                               const std::function<Expr(const Model&)>& rate = action_rate);

// H(q, p_minus) of methods whose multipliers of velocity constraints are carried: p_minus is the momentum with which a
// step leaves its node. The largest departure from the first, relative where that is > 1.
template <class T>
std::optional<T> energy_of_p_minus_defect(const CompiledMethod& method, T h, int steps, Report& report);

// `told`, which may be empty, hears every now and then how many steps are taken.
std::optional<Drift> energy_drift(const CompiledMethod& method, double h, long long steps,
                                  const std::function<void(long long)>& told = {});

// What residuals of constraints, one by one, are to be compared with: their largest terms, or what changes of the size
// of the state would do to them. Formulas of the model's own leaves.
Vec sizes_of_constraints(const Model& model, const Vec& constraints);

// What a run showed of one quantity: its largest departure, and the largest number that it can be compared with.
template <class T> struct Extremes {
    T departure = 0, size = 0;
    void add(T d, T s) { departure = std::max(departure, real::abs(d)), size = std::max(size, real::abs(s)); }
    T relative() const { return size > 0 ? departure / size : departure; }
};

// Largest departures of the energy and of each momentum map from their first values, relative to their largest terms;
// and largest residuals: of velocity constraints, of holonomic ones and of their rates, relative to their largest terms
// or to what changes of the state's size would do to them. Unstable formulations end early: what was seen until then
// counts, if it was more than 10 steps.
template <class T> struct Departures {
    T energy = 0, velocity = 0, holonomic = 0;
    std::vector<T> momenta; // of symmetries, then of sections
};
template <class T>
std::optional<Departures<T>> departures(const CompiledMethod& method, T h, int steps, Report& report);

// Largest residuals of the model's constraints at the stages of a method; empty: it has none. Runs that end early
// count as in departures.
template <class T> struct StageResiduals { T velocity = 0, holonomic = 0; };
template <class T>
std::optional<StageResiduals<T>> stage_residuals(const CompiledMethod& method, T h, int steps, Report& report);

// Where the motion is after this time: q and v, or z, to 1e-27 or better. Throws BadRun where it does not get there.
std::vector<quad> exact_end(const Model& model, double until);

} // namespace rattleback
