// The stages of a collocation method, found by fixed-point iteration: slopes from the right-hand side at stages that
// the slopes of the last iteration lead to. Nothing is factored, and all stages are alike, so that machine code gives
// each of them a lane of a vector (src/code/stages.hpp).
//
// With L_j = h b_j K_j the stages are X_i = begin + sum_j mu_ij L_j, mu_ij = a_ij/b_j, and the step advances by the sum
// of the L_j. A method is symplectic where mu_ij + mu_ji = 1. That holds to the last digit: of such a pair one weight
// is rounded and the other computed from it, so that what rounding does to the weights leaves a symplectic method
// (Antonana, Makazaga and Murua 2017).
#pragma once

#include "solve/system.hpp"

namespace rattleback {

struct CompiledKronecker;
struct CompiledPairs;                     // src/solve/pairs.hpp
template <class T> class KroneckerSolver; // both: src/solve/kronecker.hpp

struct StageWeights {
    std::vector<std::vector<quad>> mu;
    std::vector<std::vector<quad>>
        ahead; // values at the next step's stages of the polynomial through those at this one's
    std::vector<quad> b, c;
    std::size_t stages() const { return b.size(); }
};
// Rounded to T such that pairs that make 1 still do.
template <class T> std::vector<std::vector<T>> rounded_mu(const StageWeights& weights);
// The weights with which the L_j of a step lead to those of the next; values at stages are led there by `ahead`.
template <class T> std::vector<std::vector<T>> advances_ahead(const StageWeights& weights);

// What the last iteration may leave, of the largest slope of its kind; tolerance: see CompiledStages.
template <class T> T left_over_by(double tolerance);

struct CompiledStages {
    StageWeights weights;
    // Given: x, constants, y to start from, t, h, parameters. Results: the rate of x; y.
    std::shared_ptr<const CompiledSystem> rate;
    // What is solved beside the stages. Given: the state, its advance, where it moves the tilt, the hint of Newton's
    // method, t, h, parameters. Results: begin, increment, tilt. None: the stages begin at the state, and the increment
    // is the advance.
    std::shared_ptr<const CompiledSystem> ends;
    // The simplified Newton method, which acts on what the right-hand side gives; none: that is the next iteration.
    std::shared_ptr<const CompiledKronecker> kronecker;
    // Where coordinates are those of charts, with centres among the constants. Given: the state, the increment of x in
    // the step's own charts, x at the stages (of each the components `looked_at`), t, h, parameters. Results: the
    // increment of the state; whether charts change, 1 or 0. None: constants stay.
    std::shared_ptr<const CompiledSystem> arrival;
    std::vector<std::size_t> looked_at;
    // Where charts change: what a change of x somewhere is in the new ones. Given: the state, the increment of x, x
    // there, its change, t, h, parameters. None: charts stay.
    std::shared_ptr<const CompiledSystem> recentred;
    bool moves = false;        // `begin` is found with the stages: it is not the state;
                               // tilt: by how much more it is moved than the end
    std::size_t constants = 0; // components of the state before x, which stages see as they are
    std::size_t n = 0, y = 0, hints = 0, parameters = 0; // components of x and y, of Newton's hint
    bool carries_y = false;                              // from step to step, since the rate searches for y
    std::vector<std::uint32_t> kind;                     // of each component of x: what is small is so beside its kind
    std::uint32_t kinds = 1;
    double tolerance = 0; // of the iteration: what it may leave of the largest slope; 0: nothing that adds up
    // Stages of a pair of methods, for q and p: they are found with these, and all above but weights.b, weights.c and
    // numbers of components is left out.
    std::shared_ptr<const CompiledPairs> pairs;

    // What is carried from step to step, after Newton's hint: rows of `lanes` numbers (a stage each, the last repeated)
    // for each L and maybe each y; then the size of the step they belong to, and begin - state.
    std::size_t lanes() const;
    std::size_t carried_y() const { return carries_y ? y : 0; }
    std::size_t first_row() const { return (hints + lanes() - 1) / lanes(); } // where rows begin, in rows
    std::size_t size_place() const { return (first_row() + n + carried_y()) * lanes(); }
    std::size_t states() const { return constants + n; }
    std::size_t all_hints() const;
    std::set<NodeId> divides_by() const;
};

// Solves stages on the tape.
template <class T> class StageIteration {
  public:
    virtual ~StageIteration() = default;
    // Forgets slopes: the next step starts from none, or from what Newton's hint says.
    virtual void reset(T* hint) const = 0;
    // One step; `hint` is all that is carried. steady: the next one has another size or direction. False: iterations do
    // not contract, or a formula fails; nothing has changed, and the report is as it was.
    virtual bool solve(const T* state, T t, T h, const T* parameters, bool steady, T* hint, Report& report) = 0;
    virtual const std::vector<T>& increment() const = 0;  // of the last solution
    virtual void end_iterations_at(double tolerance) = 0; // as in CompiledStages
    // Before Newton's method takes a step instead: its hint from what is known.
    virtual void help_newton(const T* state, T t, T h, const T* parameters, T* hint) = 0;
};
template <class T> std::unique_ptr<StageIteration<T>> make_stage_solver(std::shared_ptr<const CompiledStages> compiled);

// Those of one method for all components.
template <class T> class StageSolver : public StageIteration<T> {
  public:
    explicit StageSolver(std::shared_ptr<const CompiledStages> compiled);

    void reset(T* hint) const override;
    bool solve(const T* state, T t, T h, const T* parameters, bool steady, T* hint, Report& report) override;
    const std::vector<T>& increment() const override { return increment_; }
    void end_iterations_at(double tolerance) override { left_over_ = left_over_by<T>(tolerance); }
    void help_newton(const T* state, T t, T h, const T* parameters, T* hint) override;

  private:
    bool prepare(const T* constants, T t, T h, const T* parameters);
    bool evaluate(const T* constants, T t, T h, const T* parameters);
    bool meet_ends(const T* state, const T* hint, T t, T h, const T* parameters);
    bool arrive(const T* state, T t, T h, const T* parameters);
    bool changes_charts() const { return compiled_->recentred && arrival_->result(compiled_->states()) != T(0); }
    void recentre(const T* state, T t, T h, const T* parameters, T* rows);
    T stage_value(std::size_t k, std::size_t i, const T* L) const;
    void begin(const T* state, T h, const T* hint);
    T change(bool scales);
    T relative_change() const;
    void carry(const T* state, T t, T h, const T* parameters, bool steady, T* hint);
    T* at(std::vector<T>& rows, std::size_t row) const { return rows.data() + row * s_; }
    const T* at(const std::vector<T>& rows, std::size_t row) const { return rows.data() + row * s_; }

    std::shared_ptr<const CompiledStages> compiled_;
    std::size_t s_, n_;
    std::vector<std::vector<T>> mu_, ahead_, values_ahead_;
    std::vector<T> b_, c_;
    std::vector<T> L_, next_, y_;                      // rows of stages
    std::vector<T> begin_, begin_next_, moved_, tilt_; // of x; moved_: its increment in the step's own charts
    std::vector<T> increment_;                         // of the state
    std::vector<T> size_, factor_; // of each kind: largest change, one over what it is compared with
    SystemSolver<T> rate_;
    std::optional<SystemSolver<T>> ends_, arrival_, recentred_;
    std::shared_ptr<KroneckerSolver<T>> kronecker_; // if any
    T left_over_;
};
extern template class StageSolver<double>;
extern template class StageSolver<long double>;
extern template class StageSolver<quad>;

} // namespace rattleback
