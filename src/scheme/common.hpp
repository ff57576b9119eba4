// What several of our methods share, besides the operators that all schemes are written with.
#pragma once

#include <rattleback/operators.hpp>

namespace rattleback {

Vec evaluate(const Vec& f, const Model& model, const FirstOrder& system, const At& at); // f there

// The step of a Runge-Kutta method on (q, v), or (q, p) of a Hamiltonian, with constraints through the derivative that
// determines lambda: the baselines do that, and drift.
Step index_reduced_step(const Model& model, const Tableau& tableau, std::vector<Vec>* slopes = nullptr);

// The same step from another point: `from` stands in for the carried `x` in all that the step says so far, but not
// where Newton starts: `from` may be an unknown.
void begin_at(Step& step, const Vec& x, const Vec& from);

// Asks for the velocity with this momentum, by the unknown v; of a Hamiltonian p is one, too.
void require_momentum(std::vector<Unknown>& find, std::vector<Equation>& equations, const Mechanics& mechanics,
                      const Vec& momentum);

// A discrete Lagrangian L_d(q0, q1) as an action of the end points and of slopes W_i with q1 = q0 + h sum b_i W_i.
struct QuadraturePoint {
    quad weight;             // the action has the term weight h L there
    std::vector<quad> along; // dQ/dW_i = h along[i]
    Point at;                // in q0, q1, slopes, h, t; of a Hamiltonian with leaves for the momentum there
};
struct GroupAction; // src/scheme/group_action.hpp
struct DiscreteLagrangian {
    std::vector<Vec> slopes; // leaves
    std::vector<quad> weights;
    Vec q0, q1; // leaves
    Expr mean;  // of L over the step, in q0, q1, slopes, h, t and momenta: the action is h times that
    std::vector<QuadraturePoint> points;
    int order;
    bool symmetric;
    std::shared_ptr<const GroupAction> action = {}; // of elements of groups, in place of q0 and q1
    bool given = false;                             // by the model's [discrete] table
};
DiscreteLagrangian discrete_lagrangian(const Mechanics& mechanics, const Options& options); // ld, alpha, stages
DiscreteLagrangian discrete_lagrangian(const Mechanics& mechanics, const std::string& ld, quad alpha, int stages = 1);

// A force acting at a point, as virtual work weight h F . dQ.
struct PointForce {
    QuadraturePoint point;
    Vec force;
};
// The model's forces, at the midpoint of the step; at the stages of a Galerkin method; as [discrete] gives them.
std::vector<PointForce> applied_forces(const Mechanics& mechanics, const DiscreteLagrangian& Ld);

// The two momenta of a step from q: left = -D1 L_d - F_d^- as each slope says it (all must agree), and the one at the
// right end, D2 L_d + F_d^+ = left + change. The unknowns are the slopes, so q and p advance by increments and no
// difference of nearby numbers is formed.
struct DiscreteMomenta {
    Vec dq, q1;
    std::vector<Vec> left; // one for each slope
    Vec change;            // right - left
    Vec right;             // as the first slope says it
    Vec centre1 = {};      // where the charts of group coordinates are centred at the right end; empty: as before
};
DiscreteMomenta discrete_momenta(const Mechanics& mechanics, const DiscreteLagrangian& Ld,
                                 const std::vector<PointForce>& forces, const Vec& q);

// Of a Hamiltonian: the momenta at the points of L_d in a step to q1 are unknowns, too, with v = H_p there.
void find_point_momenta(Step& step, const Mechanics& mechanics, const DiscreteLagrangian& Ld, const Vec& q1);

// The momenta at the points of L_d in a step from q to q1, which a Hamiltonian needs: v = H_p there, since L_d is
// stationary in them. A Lagrangian has none.
struct PointMomenta {
    Vec unknowns, first; // first: where Newton starts in the first step
    std::vector<Equation> equations;
    void add(std::vector<Unknown>& find, std::vector<Equation>& to, const Vec& guess) const;
};
PointMomenta point_momenta(const Mechanics& mechanics, const DiscreteLagrangian& Ld, const Vec& q, const Vec& q1);
// The momenta at the points of L_d in the step that led to q, where its slope was u.
PointMomenta last_point_momenta(const Mechanics& mechanics, const DiscreteLagrangian& Ld, const Vec& u);
// The momentum with which that step arrives, D2 L_d, as a formula of u and of these momenta.
Vec momentum_of_last_step(const Mechanics& mechanics, const DiscreteLagrangian& Ld, const Vec& u);

// Of a Hamiltonian in positions and velocities: the momentum that the last stage of a step found, which is where
// Newton starts; an unknown for the momentum at a point, with v = H_p there.
Vec last_stage_momentum(const Step& step, const Nonholonomic& system);
Vec find_momentum(Step& step, const Mechanics& mechanics, const std::string& label, Point at, const Vec& guess);

// iteration=newton|functional of methods whose equations determine slopes also for h = 0.
OptionInfo iteration_option();
void choose_iteration(Step& step, const Options& options);

// Throws BadMethod where an option is given that the other options make idle.
void require_effect(const Options& options, const std::string& option, const std::string& ld, bool used,
                    const std::string& settings);

bool is_affine(const Nonholonomic& system); // its constraints, in the velocities
void require_no_multipliers_but_variational(const Model& model, const std::string& method);

// A discrete Lagrangian with another function of (t, q, v) in place of L.
DiscreteLagrangian discrete_action(const Mechanics& mechanics, const Expr& integrand, const std::string& ld, quad alpha,
                                   int stages = 1);
inline constexpr std::string_view discrete_lagrangians[] = {"midpoint", "alpha",    "sym_alpha",
                                                            "verlet",   "galerkin", "model"};

// The claims of a method with ld=model, from those with an L_d that is symmetric and made from L.
std::vector<Claim> claims_of_given(const std::vector<Claim>& claims);

// A point of the discrete Lagrangian, in a step from q to q1.
Point placed(const DiscreteLagrangian& Ld, const Point& point, const Vec& q, const Vec& q1);

// Steps of methods that are there in coordinates and on groups.
Step del_step(const Mechanics& sys, const DiscreteLagrangian& Ld);
Step constrained_del_step(const Nonholonomic& sys, const DiscreteLagrangian& Ld);
Step dla_step(const Nonholonomic& sys, const DiscreteLagrangian& Ld);

QuadraturePoint midpoint_of(const Mechanics& mechanics, const DiscreteLagrangian& Ld);

} // namespace rattleback
