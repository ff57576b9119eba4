// Formulas that a step shares with the next one: their values are those of the state, whoever computed them.
#include <rattleback/batch.hpp>

#include <gtest/gtest.h>

#include "run/stepper.hpp"
#include "solve/system.hpp"

namespace rattleback {
namespace {

Model gallery(const std::string& name) { return load(RATTLEBACK_SOURCE_DIR "/models/" + name + ".toml"); }

const char* const two_wells = R"toml(
name = "two wells"
coordinates = ["x", "y"]
[parameters]
k = 0.7
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - k*(x^2 - 1)^2 - sin(x*y) - exp(k*y)"
[initial]
q = [0.3, 0.1]
v = [0.2, -0.4]
)toml";

struct Case {
    Model model;
    std::string method;
};

std::vector<Case> cases() {
    return {{read_model(two_wells, "two_wells"), "del:ld=verlet"},
            {gallery("outer_solar_system"), "del:ld=verlet"},
            {gallery("toda"), "del:ld=verlet"},
            {gallery("cartesian_spherical_pendulum"), "rattle"},
            {gallery("chaotic_oscillator"), "nh_rattle"}};
}

template <class T> void starts_anywhere(const Case& c) {
    const Method method = build_method(c.model, parse_methods(c.method)[0]);
    Stepper<T> through(c.model, method), anew(c.model, method);
    ASSERT_FALSE(through.parts().solver().compiled().ends.values.empty()) << c.model.name;
    const T h = static_cast<T>(c.model.run.step.value_or(0.05));
    Report report;
    ASSERT_TRUE(through.start(report, h));
    for (int k = 0; k < 50; ++k) {
        Stepper<T> fresh(c.model, method);
        ASSERT_TRUE(fresh.start(report, h));
        for (Stepper<T>* other : {&fresh, &anew})
            other->set_state(through.state(), through.low()), other->set_hint(through.hint());
        if (k % 7 == 3) { // something else in between
            std::vector<T> away = through.state();
            for (T& x : away) x += T(1) / 64;
            anew.set_state(away);
            ASSERT_TRUE(anew.advance(k, h / 2, report));
            anew.set_state(through.state(), through.low()), anew.set_hint(through.hint());
        }
        ASSERT_TRUE(through.advance(k, h, report) && fresh.advance(k, h, report) && anew.advance(k, h, report));
        for (const Stepper<T>* other : {&fresh, &anew}) {
            ASSERT_EQ(other->state(), through.state()) << c.model.name << " " << k;
            ASSERT_EQ(other->low(), through.low()) << c.model.name << " " << k;
        }
    }
}

TEST(BothEnds, AStepMayStartAnywhere) {
    for (const Case& c : cases()) starts_anywhere<double>(c);
    starts_anywhere<quad>(cases()[0]);
}

// Else the forces that are kept would not be those of the state.
TEST(BothEnds, TheStateAtTheEndIsTheNextOneToTheBit) {
    for (const Case& c : cases()) {
        Stepper<double> stepper(c.model, build_method(c.model, parse_methods(c.method)[0]));
        const double h = static_cast<double>(c.model.run.step.value_or(0.05));
        Report report;
        ASSERT_TRUE(stepper.start(report, h));
        for (int k = 0; k < 2000; ++k) {
            ASSERT_TRUE(stepper.advance(k, h, report)) << report.text();
            for (const auto& m : stepper.parts().solver().compiled().ends.moved)
                ASSERT_EQ(stepper.parts().solver().slots()[m.next], stepper.state()[m.state])
                    << c.model.name << " " << k;
        }
    }
}

TEST(BothEnds, OtherParametersGiveOtherForces) {
    const Case c = cases()[0];
    const Method method = build_method(c.model, parse_methods(c.method)[0]);
    Stepper<double> changed(c.model, method), fresh(c.model, method);
    Report report;
    ASSERT_TRUE(changed.start(report) && fresh.start(report));
    ASSERT_TRUE(changed.advance(0, 0.05, report));
    fresh.set_state(changed.state(), changed.low()), fresh.set_hint(changed.hint());
    changed.set_parameters({0.9}), fresh.set_parameters({0.9});
    ASSERT_TRUE(changed.advance(1, 0.05, report) && fresh.advance(1, 0.05, report));
    EXPECT_EQ(changed.state(), fresh.state());
}

// The forces are evaluated once a step: what is left of them besides is the start.
TEST(BothEnds, ForcesAreNotWrittenTwice) {
    const Case c = cases()[0];
    const Stepper<double> stepper(c.model, build_method(c.model, parse_methods(c.method)[0]));
    const CompiledSystem& s = const_cast<Stepper<double>&>(stepper).parts().solver().compiled();
    std::size_t functions = 0;
    for (const Section& section : s.program.sections)
        for (NodeId id : section.nodes) functions += s.formulas->graph().node(id).op >= Op::sin;
    EXPECT_EQ(functions, 2u); // cos(x*y), exp(k*y)
}

// In the midst of a call of machine code, lanes of which take all steps or none.
TEST(BothEnds, AMemberThatFailsDoesSoInItsStep) {
    const Model model = read_model(R"toml(
name = "falls in"
coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2 - x^1.5"
[initial]
q = [1]
v = [0]
)toml",
                                   "falls_in");
    const Method method = build_method(model, parse_methods("del:ld=verlet")[0]);
    constexpr int members = 16;
    Batch batch(model, method, members), tape(model, method, members, {.machine_code = false});
    for (int i = 0; i < members; ++i)
        for (Batch* b : {&batch, &tape})
            ASSERT_TRUE(b->start(static_cast<std::size_t>(i), {.q = {1.0 + 0.37 * i}, .v = {0.0}}, 0));
    for (Batch* b : {&batch, &tape}) b->advance(0, 400, 0.05);
    int failed = 0;
    for (std::size_t i = 0; i < members; ++i) {
        EXPECT_EQ(batch.report(i).text(), tape.report(i).text()) << i;
        EXPECT_EQ(batch.state(i), tape.state(i)) << i;
        failed += !batch.report(i).ok();
    }
    EXPECT_GT(batch.lanes(), 1) << batch.why_on_tape();
    EXPECT_GT(failed, 3);
}

} // namespace
} // namespace rattleback
