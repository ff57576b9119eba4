// Runs: where they start, how they end, what they keep.
#include <gtest/gtest.h>

#include <cmath>
#include <rattleback/rattleback.hpp>

#include <algorithm>

namespace rattleback {
namespace {

Model model_of(const std::string& mechanics, const std::string& initial) {
    return read_model("coordinates = [\"x\"]\n[mechanics]\n" + mechanics + "\n[initial]\n" + initial + "\n", "m.toml");
}
Model quartic(const std::string& initial = "q = [1]\nv = [0.2]") {
    return model_of("lagrangian = \"x'^2/2 - x^4/4\"", initial);
}

TEST(Runs, StartAtTheirTime) {
    // x(t) driven by cos(t), started at 2; and the same motion with its clock set back to 0
    const Model late = model_of("lagrangian = \"x'^2/2 - x^4/4 + x*cos(t)\"", "t = 2\nq = [1]\nv = [0.2]"),
                early = model_of("lagrangian = \"x'^2/2 - x^4/4 + x*cos(t + 2)\"", "q = [1]\nv = [0.2]");
    for (const char* method : {"rk4", "gauss:stages=2", "del:ld=verlet", "compose:order=6", "dop853"}) {
        const auto a = integrate(late, {.method = method, .step = 0.125, .until = 4.0}),
                   b = integrate(early, {.method = method, .step = 0.125, .until = 2.0});
        ASSERT_EQ(a.t.size(), 17u) << method;
        EXPECT_EQ(a.t.front(), 2);
        EXPECT_EQ(a.t.back(), 4);
        EXPECT_NEAR(a.q(16, 0), b.q(16, 0), 2e-15) << method;
        EXPECT_NEAR(a.v(16, 0), b.v(16, 0), 4e-15) << method;
    }
}

TEST(Runs, TimesAreMultipliedNotAdded) {
    const auto run = integrate(quartic(), {.method = "rk4", .step = 0.1, .steps = 1000});
    for (int k = 0; k <= 1000; ++k) EXPECT_EQ(run.t[static_cast<std::size_t>(k)], k * 0.1);
}

TEST(Runs, WithNegativeStepsReturnToTheStart) {
    const Model model = model_of("lagrangian = \"x'^2/2*(1 + x^2) - x^4/4 + x*cos(t)\"", "t = 0.5\nq = [1]\nv = [0.2]");
    struct Row {
        const char* method;
        double tolerance; // twice the measured distance
    };
    for (const auto& [method, tolerance] :
         {Row{"gauss:stages=1", 5.5e-15}, Row{"gauss:stages=3", 5e-15}, Row{"del:ld=verlet", 5e-15},
          Row{"compose:order=4", 7.7e-15}, Row{"rk4", 3e-3}, Row{"dop853", 3.3e-11}}) {
        const auto there = integrate(model, {.method = method, .step = 0.1, .until = 10.5});
        Model turned = model;
        turned.t0 = there.summary().t_end;
        turned.q0 = {there.summary().end["q"][0]}, turned.v0.clear(), turned.p0 = {there.summary().end["p"][0]};
        const auto back = integrate(turned, {.method = method, .step = -0.1, .until = 0.5});
        ASSERT_TRUE(back.report().ok()) << back.report().text();
        EXPECT_EQ(back.summary().steps, 100);
        EXPECT_DOUBLE_EQ(back.summary().t_end, 0.5);
        EXPECT_NEAR(back.summary().end["q"][0], 1, tolerance) << method;
        EXPECT_NEAR(back.summary().end["v"][0], 0.2, tolerance) << method;
    }
}

TEST(Runs, RecordEveryKthNodeAndTheLast) {
    const auto all = integrate(quartic(), {.method = "gauss", .step = 0.1, .steps = 10}),
               some = integrate(quartic(), {.method = "gauss", .step = 0.1, .steps = 10, .every = 4}),
               rare = integrate(quartic(), {.method = "gauss", .step = 0.1, .steps = 10, .every = 1000});
    ASSERT_EQ(all.q.rows(), 11u);
    ASSERT_EQ(some.q.rows(), 4u); // 0, 4, 8 and 10
    ASSERT_EQ(rare.q.rows(), 2u);
    const std::size_t kept[] = {0, 4, 8, 10};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(some.t[i], all.t[kept[i]]);
        EXPECT_EQ(some.q(i, 0), all.q(kept[i], 0)); // the same bits
        EXPECT_EQ(some.energy()[i], all.energy()[kept[i]]);
    }
    EXPECT_EQ(rare.energy_error_max(), all.energy_error_max()); // measured at every node all the same
    EXPECT_EQ(rare.summary().energy_drift_per_time, all.summary().energy_drift_per_time);
}

TEST(Runs, MeasureTheDriftOfTheEnergyByLeastSquares) {
    const auto run = integrate(quartic(), {.method = "rk4", .step = 0.2, .steps = 200});
    double t = 0, e = 0, te = 0, tt = 0, worst = 0;
    const double n = static_cast<double>(run.t.size());
    for (std::size_t i = 0; i < run.t.size(); ++i) t += run.t[i] / n, e += run.energy()[i] / n;
    for (std::size_t i = 0; i < run.t.size(); ++i) {
        te += (run.t[i] - t) * (run.energy()[i] - e), tt += (run.t[i] - t) * (run.t[i] - t);
        worst = std::max(worst, std::abs(run.energy()[i] - run.energy()[0]));
    }
    EXPECT_NEAR(run.summary().energy_drift_per_time / (te / tt), 1, 1e-12);
    EXPECT_LT(te / tt, -1e-7);
    EXPECT_EQ(run.energy_error_max(), worst);
    EXPECT_EQ(run.summary().energy_initial, run.energy()[0]);
}

TEST(Runs, AreStoppedByTheirCallback) {
    std::vector<long long> seen;
    const auto run = integrate(
        quartic(), {.method = "gauss", .step = 0.5, .steps = 100, .every = 2, .at_node = [&](const NodeView& n) {
                        seen.push_back(n.step);
                        EXPECT_EQ(n.t, 0.5 * static_cast<double>(n.step));
                        EXPECT_EQ(n["q"].size(), 1u);
                        EXPECT_TRUE(n["z"].empty());
                        return n.step < 6;
                    }});
    EXPECT_EQ(seen, (std::vector<long long>{0, 2, 4, 6}));
    EXPECT_EQ(run.report().status, Report::stopped);
    EXPECT_EQ(run.report().what, "stopped by the caller");
    EXPECT_EQ(run.t.values(), (std::vector<double>{0, 1, 2, 3})); // what was computed is kept, the last node too
    EXPECT_EQ(run.summary().steps, 6);
    EXPECT_EQ(run.summary().t_end, 3);
}

TEST(Runs, AreInterruptedAndReportProgress) {
    volatile int flag = 0;
    std::vector<long long> done;
    const auto run = integrate(quartic(), {.method = "rk4",
                                           .step = 0.01,
                                           .steps = 5000,
                                           .interrupt = &flag,
                                           .progress = [&](long long k, long long total) {
                                               done.push_back(k);
                                               EXPECT_EQ(total, 5000);
                                               if (k == 2048) flag = 1;
                                           }});
    ASSERT_FALSE(done.empty()); // after as many steps as were taken at once, and after every 1024
    EXPECT_EQ(done.back(), 2048);
    EXPECT_EQ(std::count(done.begin(), done.end(), 1024), 1);
    EXPECT_EQ(run.report().status, Report::interrupted);
    EXPECT_EQ(run.report().text(), "interrupted\n  in step 2049, at t = 20.490000000000002");
    EXPECT_EQ(run.t.size(), 2050u);
}

// 1e6 additions of 1e-7 to 1: the sum is right to the last bit; adding them plainly is off by 4e-11.
TEST(CompensatedSums, KeepWhatIsSmall) {
    const Model model = model_of("lagrangian = \"x'^2/2\"", "q = [1]\nv = [1]");
    const double h = 1e-7;
    double plain = 1;
    for (int k = 0; k < 1000000; ++k) plain += h;
    const double exact = static_cast<double>(1 + static_cast<quad>(h) * 1000000);
    for (const char* method : {"rk4", "midpoint", "del:ld=verlet"}) {
        const auto run = integrate(model, {.method = method, .step = h, .steps = 1000000, .every = 1000000});
        EXPECT_EQ(run.q(1, 0), exact) << method;
    }
    EXPECT_GT(std::abs(plain - exact), 1e-11);
}

// A NaN born inside a step: the step, the time, the sub-formula; what was computed before is kept.
TEST(Failures, OfDomainNameTheSubFormula) {
    const Model model = model_of("lagrangian = \"x'^2/2 - x*log(x)\"", "q = [1]\nv = [-1]");
    const std::pair<const char*, const char*> rows[] = {
        {"rk4", "log(x + 0.5*(x'*step size h)) (the argument must be positive)"},
        {"gauss", "log(x + stage 1 of x'*(0.5*step size h)) (the argument must be positive)"},
        {"compose:order=4", "log(x + stage 1 of x'*(0.5*step size h)) (the argument must be positive)"},
    };
    for (const auto& [method, culprit] : rows) {
        const auto run = integrate(model, {.method = method, .step = 0.1, .steps = 30});
        const Report& report = run.report();
        EXPECT_EQ(report.status, Report::not_finite) << method;
        EXPECT_EQ(report.culprit, culprit);
        EXPECT_EQ(report.step, 9);
        EXPECT_EQ(report.time, 0.8);
        EXPECT_EQ(report.text(), std::string("a value is not finite: ") + culprit +
                                     "\n  in step 9, at t = 0.8\n  the motion has left the domain of the formulas; try "
                                     "a smaller step, or check the model there");
        EXPECT_EQ(run.t.size(), 9u); // nodes 0 to 8
        EXPECT_EQ(run.q.rows(), 9u);
        EXPECT_EQ(run.summary().steps, 8);
        for (double x : run.energy().values()) EXPECT_TRUE(std::isfinite(x));
    }
}

TEST(Failures, OfNewtonNameTheUnknown) {
    const Model model = model_of("lagrangian = \"x'^2/2 + 50*cos(x)\"", "q = [2]\nv = [3]");
    const auto run = integrate(model, {.method = "midpoint", .step = 1, .steps = 100});
    const Report& report = run.report();
    EXPECT_EQ(report.status, Report::newton_failed);
    EXPECT_EQ(report.culprit, "unknown stage 1 of x'");
    EXPECT_EQ(report.remedy, "try a smaller step");
    EXPECT_EQ(report.step, 10);
    EXPECT_EQ(report.time, 9);
    EXPECT_EQ(report.text().substr(0, 59), "Newton's method did not converge (last relative increment 0");
    EXPECT_EQ(report.text().substr(report.text().find(')')),
              "): unknown stage 1 of x'\n  in step 10, at t = 9\n  try a smaller step");
    EXPECT_EQ(run.t.size(), 10u);
}

// Born at the node, in the energy.
TEST(Failures, AtNodesHaveTheTimeOfTheNode) {
    const Model model = model_of("lagrangian = \"x'^2/2 + log(x)\"", "q = [0.1]\nv = [-3]");
    const auto run = integrate(model, {.method = "rk4", .step = 0.1, .steps = 3});
    EXPECT_EQ(run.report().status, Report::not_finite);
    EXPECT_EQ(run.report().culprit, "log(x) (the argument must be positive)");
    EXPECT_EQ(run.report().step, 1);
    EXPECT_EQ(run.report().time, 0.1);
    EXPECT_EQ(run.t.size(), 1u);
}

// Where a trial step leaves the domain, a shorter one is tried; the time is that of the last that was accepted.
TEST(Failures, OfStepControlHaveTheTimeThatWasReached) {
    const Model model = model_of("lagrangian = \"x'^2/2 - x*log(x)\"", "q = [1]\nv = [-1]");
    const auto run = integrate(model, {.method = "dop853", .step = 0.1, .steps = 30});
    EXPECT_EQ(run.report().what, "the step became too small to reach the tolerance");
    EXPECT_EQ(run.summary().steps, 8);
    EXPECT_EQ(run.report().step, 9);
    EXPECT_GT(run.report().time, 0.8);
    EXPECT_LT(run.report().time, 0.9);
}

// In every method, whether the start is given by velocities or by momenta, and where the rank is lost by the pattern of
// L_vv or by its numbers.
TEST(Failures, OfSingularLagrangiansNameTheVelocity) {
    const auto answer = [](const std::string& lagrangian, const std::string& initial, const char* method) {
        const Model model = read_model("coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"" + lagrangian +
                                           "\"\n[initial]\n" + initial + "\n",
                                       "m.toml");
        try {
            return integrate(model, {.method = method, .step = 0.1, .steps = 1}).report().text();
        } catch (const Unsuitable& e) { return std::string("Unsuitable: ") + e.what(); }
    };
    const std::string
        head = "the Lagrangian is singular: the momenta do not determine ",
        tail = "\n  in step 0, at t = 0\n  every velocity must enter the kinetic energy; --force index runs it as "
               "it is";
    for (const char* method : {"gauss", "del", "rk4", "dop853"})
        for (const char* initial : {"q = [1, 0]\nv = [0, 0]", "q = [1, 0]\np = [0, 0]"}) {
            EXPECT_EQ(answer("(x' + y')^2/2 - y^2/2 - x*y", initial, method),
                      head + "the velocities: unknown y'" + tail)
                << method << initial;
            EXPECT_EQ(answer("x'^2/2 - y^2/2 - x*y", initial, method),
                      "Unsuitable: " + head +
                          "y'\n  every velocity must enter the kinetic energy; --force index runs it as it is")
                << method << initial;
        }
    // L_vv is diagonal and 0 at this start alone
    EXPECT_EQ(answer("x'^2/2 + y*y'^2/2", "q = [1, 0]\nv = [0, 0]", "gauss"), head + "the velocities" + tail);
}

TEST(Failures, AtTheStartSayThatTheStartIsOutside) {
    const Model model = model_of("lagrangian = \"x'^2/2 + log(x)\"", "q = [-1]\nv = [0]");
    for (const char* method : {"rk4", "gauss", "del"}) {
        const auto run = integrate(model, {.method = method, .step = 0.1, .steps = 3});
        EXPECT_EQ(run.report().text(),
                  "a value is not finite: log(x) (the argument must be positive)\n  in step 0, at t = 0\n"
                  "  the start lies outside the domain of the formulas; check [initial]")
            << method;
    }
}

// p = x'^3 has no slope at rest, where the search begins.
TEST(Starts, AreSearchedFromSeveralPlaces) {
    const Model model = model_of("lagrangian = \"x'^4/4 - x^2/2\"", "q = [1]\np = [8]");
    const auto run = integrate(model, {.method = "gauss", .step = 0.1, .steps = 0});
    EXPECT_TRUE(run.report().ok()) << run.report().text();
    EXPECT_NEAR(run.v(0, 0), 2, 1e-15);
}

TEST(Runs, ThatAreInterruptedKeepTheirLastState) {
    volatile int interrupt = 1; // before the first step: it is finished all the same
    const auto run =
        integrate(quartic(), {.method = "rk4", .step = 0.1, .steps = 100, .every = 10, .interrupt = &interrupt});
    EXPECT_EQ(run.report().status, Report::interrupted);
    EXPECT_EQ(run.t.values(), (std::vector<double>{0, 0.1}));
    EXPECT_EQ(run.q(1, 0), run.summary().end["q"][0]);
}

// What is written on the way ends where the record does.
TEST(Runs, ThatAreInterruptedShowTheirLastNode) {
    volatile int interrupt = 1;
    std::vector<double> times;
    const auto run = integrate(quartic(), {.method = "rk4",
                                           .step = 0.1,
                                           .steps = 100,
                                           .every = 10,
                                           .at_node =
                                               [&](const NodeView& node) {
                                                   times.push_back(node.t);
                                                   return true;
                                               },
                                           .interrupt = &interrupt});
    EXPECT_EQ(times, (std::vector<double>{0, 0.1}));
    EXPECT_EQ(run.t.values(), times);
}

TEST(Runs, KeepNoRecordWhereNoneIsWanted) {
    long long nodes = 0;
    const auto run = integrate(
        quartic(), {.method = "rk4", .step = 0.1, .steps = 100, .keep_record = false, .at_node = [&](const NodeView&) {
                        return ++nodes > 0;
                    }});
    EXPECT_EQ(nodes, 101);
    EXPECT_EQ(run.t.rows(), 0u);
    EXPECT_EQ(run.summary().steps, 100);
    EXPECT_EQ(run.summary().end["q"].size(), 1u);
}

TEST(Runs, ThatCannotBeKeptInMemorySaySoFirst) {
    try {
        integrate(quartic(), {.method = "rk4", .step = 0.1, .steps = 1'000'000'000'000'000});
        FAIL();
    } catch (const BadRun& e) {
        EXPECT_EQ(std::string(e.what()).rfind("out of memory: a record of 1e+15 nodes with 6 columns takes ", 0), 0u)
            << e.what();
    }
    EXPECT_EQ(integrate(quartic(), {.method = "rk4", .step = 0.1, .steps = 100, .every = 10}).t.rows(), 11u);
}

// Of a spring with a period of 0.006, which takes about five sub-steps of 5e-4: the time of the failure tells how many.
TEST(Failures, OfStepControlTellTheLimitOfSubSteps) {
    const auto report = [](double step) {
        return integrate(model_of("lagrangian = \"x'^2/2 - 1e6*x^2/2\"", "q = [1]\nv = [0]"),
                         {.method = "dop853", .step = step, .steps = 1})
            .report();
    };
    const Report late = report(1e4), early = report(1e6);
    EXPECT_EQ(late.status, Report::stopped);
    EXPECT_EQ(late.what.rfind("the limit of 1000000 sub-steps in a step of 10000 was reached", 0), 0u) << late.text();
    EXPECT_GT(late.time, 100);
    EXPECT_EQ(early.status, Report::stopped); // hopeless, after 10,000
    EXPECT_EQ(early.what.rfind("a step of 1e+06 would take ", 0), 0u) << early.text();
    EXPECT_NE(early.what.find("and at most 1000000 are taken"), std::string::npos) << early.text();
    EXPECT_GT(early.time, 1);
    EXPECT_LT(early.time, 10);
}

} // namespace
} // namespace rattleback
