// The stages of a pair of Runge-Kutta methods, a for q and its symplectic partner a^ for p, with holonomic constraints
// at the stages (Lobatto IIIA-IIIB), found by iteration: no matrix couples stages, so that machine code gives each of
// them a lane of a vector (src/code/pairs.hpp). With V_j the slopes of q, R_j those of p, Lambda_j the multipliers:
//
//     Q_i = q + h sum_j a_ij V_j,   P_i = p + h sum_j a^_ij R_j,   V_i from (Q_i, P_i),   R_j(Q_j, P_j, V_j, Lambda_j)
//     0 = g(Q_i), i = 2 .. s
//
// lambda_j acts on all Q_i. If a change of Lambda_k alone changes velocities by v_k, where these follow from momenta at
// stage k, constraints change there by u_k = G v_k, and g(Q_i) by h^2 sum_k W_ik u_k to the order of a stage's
// distance, W_ik = sum_j a_ij a^_jk, i = 2 .. s, k = 1 .. s-1. Each iteration asks for u_k = -h^-2 sum_i (W^-1)_ki
// g(Q_i): weights that are data, and a linear system at each stage.
#pragma once

#include "solve/collocation.hpp"

namespace rattleback {

struct PairWeights {
    std::vector<std::vector<quad>> mu;      // a_ij/b_j; that of p is 1 - mu_ji
    std::vector<std::vector<quad>> inverse; // W^-1: row k, column i; 0 where there is no such k or i
    std::vector<std::vector<quad>> ahead;   // see StageWeights
    std::vector<quad> b, c;
    std::size_t stages() const { return b.size(); }
};
// Of the method for q; rule: b, c and `ahead` of both.
PairWeights pair_weights(const std::vector<std::vector<quad>>& a, const StageWeights& rule);
// mu of q, and that of p computed from it: they make 1 to the last digit, so that the method stays symplectic.
template <class T> struct RoundedPair { std::vector<std::vector<T>> of_q, of_p; };
template <class T> RoundedPair<T> rounded_pair(const PairWeights& weights);

// Slopes are multiplied by this, and divided by it with the weight that the step size is multiplied by: see
// src/solve/slope_factor.hpp. Here that is needed with any number of stages where the step size is a decimal fraction.
constexpr double pair_slope_factor = 1 + 5.0 / (1 << 22);

struct CompiledPairs {
    PairWeights weights;
    // At a stage; all are given the constants first, and t, h and parameters last.
    // Given: q where the step begins, how far the stage is from there, its change. Results: g; how that changes it.
    std::shared_ptr<const CompiledSystem> constraints;
    // Given: q, p, v, multipliers and, if there are any, p' of the last iteration and u. Results: multipliers with
    // which p' differs from that so that velocities change g at the rate u; p' with them.
    std::shared_ptr<const CompiledSystem> forces;
    // Given: q, p, v to start from. Results: v.
    std::shared_ptr<const CompiledSystem> velocities;
    // At the end. Given: q and p where the step begins, by how much q and, without the last stage's part, p advance; p,
    // v and multipliers of the last stage; h b of that stage, over pair_slope_factor. Results: by how much p advances
    // with the multipliers that keep what the constraints hide; these; p' at the last stage with them.
    std::shared_ptr<const CompiledSystem> end;
    std::size_t constants = 0, n = 0, m = 0; // components of the state before q; of q; of the multipliers
    std::size_t hints = 0, parameters = 0;   // of Newton's hint: v and multipliers, stage by stage
    // What is carried from step to step: rows of v, p' and the multipliers.
    std::size_t rows() const { return 2 * n + m; }
    std::size_t states() const { return constants + 2 * n; }
    std::set<NodeId> divides_by() const;
    std::vector<std::shared_ptr<const CompiledSystem>> systems() const;
    // Newton's hint, from what is carried.
    template <class T> void give_newton(T* hint, std::size_t lanes) const;
};

// Solves them on the tape; see StageIteration. Compositions take methods of two stages, which are no pairs here: steps
// have one size, and what is carried is led on as if they did.
template <class T> class PairSolver : public StageIteration<T> {
  public:
    explicit PairSolver(std::shared_ptr<const CompiledStages> compiled);

    void reset(T* hint) const override;
    bool solve(const T* state, T t, T h, const T* parameters, bool steady, T* hint, Report& report) override;
    const std::vector<T>& increment() const override { return increment_; }
    void end_iterations_at(double) override {} // constraints at nodes are found with the stages
    void help_newton(const T*, T, T, const T*, T*) override {}

  private:
    using Rows = std::vector<T>; // of stages
    struct Place {               // of a step
        const T* state;
        T t, h;
        const T* parameters;
    };
    void begin(const Place& at, const T* hint);
    bool iterate(const Place& at, bool follows, bool scales);
    bool meet_constraints(const Place& at, bool follows);
    bool find_forces(const Place& at);
    bool find_velocities(const Place& at);
    void advance_momenta(const Place& at);
    void set_factors(const Place& at);
    bool meet_end(const Place& at);
    void carry(T* hint) const;
    bool solve_at(SystemSolver<T>& system, T* to, T t, const Place& at) const;
    T* begin_given(SystemSolver<T>& system, const Place& at) const;
    T position(const Place& at, std::size_t k, std::size_t i) const {
        return at.state[compiled_.constants + k] + move_[k * s_ + i];
    }

    const std::shared_ptr<const CompiledStages> stages_;
    const CompiledPairs& compiled_;
    std::size_t s_, n_, m_, lanes_;
    RoundedPair<T> mu_;
    std::vector<std::vector<T>> inverse_, ahead_;
    std::vector<T> b_, c_;
    Rows q_advance_, change_, p_advance_,
        move_; // h b v, its last change, h b p', how far a stage is from the beginning
    Rows v_, p_, rate_, lambda_, residual_;
    T size_[2], factor_[2]; // of q and p: largest change of advances; one over what it is compared with
    std::vector<T> increment_;
    std::optional<SystemSolver<T>> constraints_, end_;
    SystemSolver<T> forces_, velocities_;
};

} // namespace rattleback
