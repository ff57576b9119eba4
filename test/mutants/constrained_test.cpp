// Mutants of constrained methods, and of those on groups: each breaks the law it is aimed at, and the method as it is
// keeps it.
#include <gtest/gtest.h>

#include "laws/measure.hpp"
#include "scheme/build.hpp"
#include <rattleback/operators.hpp>

namespace rattleback::laws {
namespace {

struct Mutant {
    const char *law, *model, *method;
    Property property;
    void (*change_model)(Model&);   // before the method is built
    void (*change_method)(Method&); // afterwards
};

void nothing(Model&) {}
void nothing(Method&) {}

void bend_velocity_constraint(Model& m) {
    m.velocity[0].value = m.velocity[0].value + 1e-6 * m.v[1].value; // y'
}
void bend_holonomic_constraint(Model& m) { m.holonomic[0].value = m.holonomic[0].value + 1e-6 * m.q[0].value; }
void add_friction(Model& m) { m.force = Expr(-1e-6) * m.v; }
void forget_the_manifold(Method& m) { m.step.manifold = {}; }
void overshoot_the_last(Method& m) { // the multiplier of gni
    Expr& last = m.step.increment[m.step.increment.size() - 1].value;
    last = 1.001 * last;
}
void keep_the_multiplier_in_reversal(Method& m) { // of a constraint that is even in v its sign must change
    const std::size_t last = m.step.reverse.size() - 1;
    m.step.reverse[last].value = m.step.state[last].value;
}
void shift_the_last_momentum(Method& m) {
    Expr& last = m.step.increment[m.step.increment.size() - 1].value;
    last = last + 1e-6 * m.step.h;
}

// What dirac_weak with one stage adds to mu and eta over the step, used to move its end only: a projection.
void project_at_the_end(Method& m) {
    const Vec shift = last_components(m.step.find.back().symbols, 2), K = m.step.find[0].symbols;
    const Vec q = first_components(m.step.state, 3);
    const Vec moved = concat({shift[1].value * q, shift[0].value * q});
    for (Equation& e : m.step.equations)
        e = substitute(e.lhs, {{shift, zeros_like(shift)}}) == substitute(e.rhs, {{shift, zeros_like(shift)}});
    Equation& end = m.step.equations.back();
    end = substitute(end.lhs, {{K, K + moved / m.step.h}}) == end.rhs;
    m.step.increment = m.step.increment + moved;
}

// The last equation of a step on the side of a Hamiltonian: v = H_p at the last point.
void bend_the_legendre_transform(Method& m) {
    Expr& slope = m.step.equations.back().rhs[0].value;
    slope = slope + 1e-6 * m.step.state[1].value;
}

// Of all that is asked to vanish in a step: a constraint at its first stage that can obey. Nodes have their own.
void loosen_the_first_constraint(Method& m) {
    for (Equation& e : m.step.equations)
        if (e.rhs[0].value.is(0)) {
            e.rhs[0].value = 1e-6 * m.step.h;
            return;
        }
    FAIL() << "nothing is asked to vanish";
}

const std::vector<Mutant> mutants = {
    {"velocity_constraints", "nonholonomic particle", "nh_rattle", Property::constraint_exact, bend_velocity_constraint,
     nothing},
    {"velocity_constraints_of_any_order", "blade with inertia", "nh_gauss:stages=2", Property::constraint_exact,
     bend_velocity_constraint, nothing},
    {"nonlinear_constraints_of_gni", "nonlinear constraint, quartic L", "gni", Property::constraint_exact,
     bend_velocity_constraint, nothing},
    {"nonlinear_constraints_of_dla", "nonlinear constraint, quartic L", "dla", Property::constraint_exact,
     bend_velocity_constraint, nothing},
    {"nonlinear_constraints_of_gf_proj", "nonlinear constraint, quartic L", "gf_proj", Property::constraint_exact,
     bend_velocity_constraint, nothing},
    {"symmetry_with_nonlinear_constraints", "nonlinear constraint, quartic L", "gni", Property::symmetric, nothing,
     overshoot_the_last},
    {"reversal_of_the_multiplier", "nonlinear constraint, quartic L", "gni", Property::reversible, nothing,
     keep_the_multiplier_in_reversal},
    {"relativistic_constraints_of_nh_rattle", "relativistic, nonlinear velocity constraint", "nh_rattle",
     Property::constraint_exact, bend_velocity_constraint, nothing},
    {"relativistic_constraints_of_nh_shake", "relativistic, nonlinear velocity constraint", "nh_shake",
     Property::constraint_exact, bend_velocity_constraint, nothing},
    {"relativistic_constraints_of_dla", "relativistic, nonlinear velocity constraint", "dla",
     Property::constraint_exact, bend_velocity_constraint, nothing},
    {"relativistic_constraints_of_gf_proj", "relativistic, nonlinear velocity constraint", "gf_proj",
     Property::constraint_exact, bend_velocity_constraint, nothing},
    {"relativistic_constraints_of_gf_sym_proj", "relativistic, nonlinear velocity constraint", "gf_sym_proj",
     Property::constraint_exact, bend_velocity_constraint, nothing},
    {"relativistic_constraints_of_gf_geometric", "relativistic, nonlinear velocity constraint", "gf_geometric",
     Property::constraint_exact, bend_velocity_constraint, nothing},
    {"relativistic_symmetry_of_nh_rattle", "relativistic, nonlinear velocity constraint", "nh_rattle",
     Property::symmetric, nothing, overshoot_the_last},
    {"relativistic_reversal_of_nh_rattle", "relativistic, nonlinear velocity constraint", "nh_rattle",
     Property::reversible, nothing, keep_the_multiplier_in_reversal},
    {"relativistic_momentum_of_dla", "relativistic, nonlinear velocity constraint", "dla", Property::momentum_exact,
     add_friction, nothing},
    {"relativistic_momentum_of_nh_shake", "relativistic, nonlinear velocity constraint", "nh_shake",
     Property::momentum_exact, add_friction, nothing},
    {"relativistic_sphere_of_nh_rattle", "relativistic skate on a sphere", "nh_rattle", Property::holonomic_exact,
     bend_holonomic_constraint, nothing},
    {"velocity_constraints_inside_the_action", "Heisenberg with a potential", "gauss:stages=2",
     Property::constraint_exact, bend_velocity_constraint, nothing},
    {"holonomic_constraints", "spherical pendulum", "rattle", Property::holonomic_exact, bend_holonomic_constraint,
     nothing},
    {"rates_of_holonomic_constraints", "spherical pendulum", "rattle", Property::holonomic_exact, nothing,
     shift_the_last_momentum},
    {"velocity_constraints_at_stages", "Heisenberg with a potential", "gauss:stages=2", Property::constraint_at_stages,
     nothing, loosen_the_first_constraint},
    {"holonomic_constraints_at_stages", "spherical pendulum", "lobatto:stages=3", Property::holonomic_at_stages,
     nothing, loosen_the_first_constraint},
    {"velocity_constraints_in_the_middle", "nonholonomic particle", "dla", Property::constraint_at_stages, nothing,
     loosen_the_first_constraint},
    {"distances_in_the_weak_form", "spherical pendulum", "dirac_weak:correct=no", Property::holonomic_exact, nothing,
     shift_the_last_momentum},
    {"linear_constraints", "tied oscillators", "dirac_linear", Property::holonomic_exact, nothing,
     shift_the_last_momentum},
    {"the_form_of_one_chart", "spherical pendulum", "state_space:A=fixed", Property::symplectic, nothing,
     forget_the_manifold},
    {"the_form_on_the_manifold", "spherical pendulum", "rattle", Property::symplectic, add_friction, nothing},
    {"the_form_off_the_manifold", "spherical pendulum", "lobatto:stages=3", Property::symplectic, nothing,
     forget_the_manifold},
    {"the_form_of_phase_constraints", "drift across a field", "dirac", Property::symplectic, nothing,
     overshoot_the_last},
    {"symmetry_beside_a_structure", "J z' = grad H on a symplectic level set", "dirac_weak", Property::symmetric,
     nothing, overshoot_the_last},
    {"reversal_of_phase_constraints", "pendulum with its multiplier as a coordinate", "dirac", Property::reversible,
     nothing, shift_the_last_momentum},
    {"symmetry_of_the_multiplier", "blade with inertia", "gni", Property::symmetric, nothing, overshoot_the_last},
    {"symmetry_beside_a_moving_constraint", "bead on a swinging sphere", "dirac_weak", Property::symmetric, nothing,
     project_at_the_end},
    {"horizontal_momenta", "nonholonomic particle", "gf", Property::momentum_exact, bend_velocity_constraint, nothing},
    {"horizontal_momenta_of_the_box", "nonholonomic particle", "gf_geometric", Property::momentum_exact,
     bend_velocity_constraint, nothing},
    {"velocity_constraints_of_the_box", "blade with inertia", "gf_geometric", Property::constraint_exact, nothing,
     shift_the_last_momentum},
    {"the_form_of_a_hamiltonian", "nonseparable Hamiltonian", "del", Property::symplectic, nothing,
     bend_the_legendre_transform},
    {"the_form_of_a_constrained_hamiltonian", "relativistic bead", "del", Property::symplectic, nothing,
     bend_the_legendre_transform},
    {"symmetry_of_a_hamiltonian", "particle of a Hamiltonian", "nh_rattle", Property::symmetric, nothing,
     bend_the_legendre_transform},
    {"the_form_on_groups", "heavy top", "lie_del", Property::symplectic, add_friction, nothing},
    {"momenta_on_groups", "heavy top", "lie_del", Property::momentum_exact, nothing, shift_the_last_momentum},
    {"symmetry_on_groups", "satellite with a rotor", "lie_del:ld=log", Property::symmetric, nothing,
     shift_the_last_momentum},
    {"reversal_on_groups", "heavy top", "lie_del:ld=cay", Property::reversible, nothing, shift_the_last_momentum},
    {"joints", "body on a ball joint", "lie_rattle", Property::holonomic_exact, nothing, shift_the_last_momentum},
    {"the_form_of_joints", "body on a ball joint", "lie_rattle", Property::symplectic, add_friction, nothing},
    {"velocity_constraints_on_groups", "Suslov's body in a field", "lie_gni", Property::constraint_exact,
     bend_velocity_constraint, nothing},
    {"velocity_constraints_of_eps", "Suslov's body", "lie_eps", Property::constraint_exact, bend_velocity_constraint,
     nothing},
    {"horizontal_momenta_on_groups", "Suslov's body in a field", "lie_gni", Property::momentum_exact, add_friction,
     nothing},
    {"symmetry_of_the_multiplier_on_groups", "Suslov's body in a field", "lie_gni", Property::symmetric, nothing,
     overshoot_the_last},
    {"momenta_inside_the_action", "Heisenberg with a potential", "midpoint", Property::momentum_exact, add_friction,
     nothing},
};

class ConstrainedMutants : public testing::TestWithParam<Mutant> {};

TEST_P(ConstrainedMutants, AreSeen) {
    const Mutant& m = GetParam();
    const auto test =
        std::find_if(models().begin(), models().end(), [&](const TestModel& t) { return t.name == m.model; });
    ASSERT_NE(test, models().end());
    const Model model = test->read();
    const auto measured = [&](bool changed) {
        Model built_on = model; // shares its graph: the nodes are still those of the right model
        if (changed) m.change_model(built_on);
        Method method = build_in_graph(built_on, parse_methods(m.method)[0]);
        if (changed) m.change_method(method);
        return measure(m.property, *test, model, method);
    };
    const auto right = measured(false), wrong = measured(true);
    ASSERT_TRUE(right);
    EXPECT_LE(*right, 1e-12);
    EXPECT_GT(wrong.value_or(1), 1e-10) << "a law that nothing breaks";
}
INSTANTIATE_TEST_SUITE_P(All, ConstrainedMutants, testing::ValuesIn(mutants),
                         [](const auto& m) { return std::string(m.param.law); });

} // namespace
} // namespace rattleback::laws
