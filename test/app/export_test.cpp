// Exported C: it compiles without a warning, takes Rattleback's steps to the bit, and has its tangent map.
#include <rattleback/rattleback.hpp>

#include "app/program.hpp"
#include "run/compiled.hpp"

namespace rattleback {
namespace {

using app_test::folder, app_test::write_file;

constexpr const char* harness = R"(
#include "step.h"
#include <stdio.h>

int main(void)
{
    step_carried c;
    double jacobian[step_states * step_states];
    int i, k;
    step_start(&c);
    for (k = 0; k < 200; ++k) {
        if (step_jacobian(&c, step_default, T0 + k * 0.03125, 0.03125, jacobian)) return 1;
        if (step_step(&c, step_default, T0 + k * 0.03125, 0.03125)) return 1;
    }
    for (i = 0; i < step_states; ++i) printf("%a\n", c.state[i]);
    for (i = 0; i < step_states * step_states; ++i) printf("%a\n", jacobian[i]);
    return 0;
}
)";

TEST(Export, SaysWhereAStepIsTooLarge) {
    const auto tried = [](const char* name, const char* method) {
        return app_test::rattleback({"export", name, "-m", method, "-s", "0.01", "-o", folder() / "large.c"});
    };
    EXPECT_EQ(tried("bricard", "shake").code, 0);
    EXPECT_EQ(
        tried("rattleback", "nh_gauss:stages=3").err,
        "rattleback: the Jacobian of a step of 'nh_gauss:stages=3' on this model takes 95,188 operations: at most "
        "40,000 are exported as straight-line C\n");
    EXPECT_EQ(
        tried("bricard", "lobatto:stages=3").err,
        "rattleback: a step of 'lobatto:stages=3' on this model has equations that need pivots chosen at run time: "
        "not for export\n");
    // Before its Jacobian is derived, which took 70 s and 5 GB. Measured 3.0 s and 440 MB, nearly all to make the step.
    const auto large = tried("bricard", "dirac");
    EXPECT_EQ(large.err, "rattleback: a step of 'dirac' on this model takes 1,826,177 operations: at most 40,000 are "
                         "exported as straight-line C\n");
    EXPECT_LT(large.cpu_seconds, 8);
    EXPECT_LT(large.megabytes, 900);
}

TEST(Export, TakesTheSameStepsAndHasTheirJacobian) {
    const std::pair<const char*, const char*> cases[] = {{"double_pendulum", "gauss:stages=2"},
                                                         {"double_pendulum", "compose:order=4"},
                                                         {"kepler", "gauss:stages=6"},
                                                         {"cartesian_pendulum", "rattle"},
                                                         {"nonholonomic_particle", "nh_rattle"},
                                                         {"kepler", "del:ld=verlet"},
                                                         {"henon_heiles", "rk4"},
                                                         {"appell_hamel", "nh_gauss:stages=2"},
                                                         {"cartesian_pendulum", "shake"},
                                                         {"nonholonomic_particle", "nh_shake"},
                                                         {"massive_photon", "midpoint"},
                                                         {"free_rigid_body", "rattle"}};
    for (const auto& [name, method_text] : cases) {
        const Model model = load(std::string(RATTLEBACK_SOURCE_DIR "/models/") + name + ".toml");
        const auto exported =
            app_test::rattleback({"export", name, "-m", method_text, "-s", "1/32", "-o", folder() / "step.c"});
        ASSERT_EQ(exported.code, 0) << exported.err;
        write_file("main.c", harness);
        const std::string compile = "cc -std=c99 -O2 -Wall -Wextra -Wpedantic -Werror -DT0=" + real::to_text(model.t0) +
                                    " '" + (folder() / "step.c") + "' '" + (folder() / "main.c") + "' -lm -o '" +
                                    (folder() / "main") + "' && '" + (folder() / "main") + "' > '" +
                                    (folder() / "out") + "'";
        ASSERT_EQ(std::system(compile.c_str()), 0) << name << " " << method_text;

        const bool on_stages = rattleback::compile(model, method_text).parts().stages != nullptr;
        const std::string by_newton = std::string(method_text) + (on_stages ? ":iteration=newton" : "");
        const Method method = build_method(model, parse_methods(by_newton)[0]);
        Stepper<double> stepper(model, method), twin(model, method);
        Tangent<double> tangent(model, method);
        Report report;
        ASSERT_TRUE(stepper.start(report, 0.03125) && twin.start(report, 0.03125));
        for (int k = 0; k < 200; ++k) {
            if (k == 199) twin.set_state(stepper.state(), stepper.low()), twin.set_hint(stepper.hint());
            ASSERT_TRUE(stepper.advance(k, 0.03125, report)) << report.text();
        }
        ASSERT_TRUE(tangent.advance(twin, 199, 0.03125, report));
        std::ifstream out(folder() / "out");
        std::string word;
        for (double x : stepper.state()) {
            ASSERT_TRUE(out >> word);
            EXPECT_EQ(std::strtod(word.c_str(), nullptr), x) << name << " " << method_text;
        }
        for (double x : tangent.state().entries) { // measured: 1.2e-14 at most
            ASSERT_TRUE(out >> word);
            EXPECT_NEAR(std::strtod(word.c_str(), nullptr), x, 1e-12) << name << " " << method_text;
        }
    }
}

// Stages that a run finds by fixed-point iteration are written for Newton's method, which a run can be asked for.
TEST(Export, WritesNewtonsMethodWhereNoIterationIsAskedFor) {
    const auto tried = [](const std::string& method) {
        return app_test::rattleback({"export", "kepler", "-m", method, "-o", folder() / "step.c"});
    };
    const auto note = tried("gauss:stages=6");
    EXPECT_EQ(note.code, 0);
    EXPECT_EQ(note.err, "rattleback: note: exported C solves its equations by Newton's method: run with -m "
                        "gauss:stages=6:iteration=newton has its bits\n");
    const std::string source = app_test::read_file(folder() / "step.c");
    EXPECT_TRUE(source.starts_with("/* gauss:stages=6:iteration=newton on "));
    EXPECT_EQ(tried("gauss:stages=6:iteration=newton").err, "");
    EXPECT_EQ(app_test::read_file(folder() / "step.c"), source);
    for (const char* option : {"iteration=fixed", "iteration=kronecker", "iteration=auto", "iteration_tol=1e-12"}) {
        const auto refused = tried(std::string("gauss:stages=6:") + option);
        EXPECT_NE(refused.code, 0);
        EXPECT_NE(refused.err.find("leave out "), std::string::npos) << refused.err;
        EXPECT_NE(refused.err.find(std::string(option).substr(0, 9)), std::string::npos) << refused.err;
    }
}

TEST(Export, SaysWhatTheStateIsAndWhichStepTheStartBelongsTo) {
    const auto header = [](const std::vector<std::string>& words) {
        std::vector<std::string> all{"export", "-o", folder() / "step.c"};
        all.insert(all.end(), words.begin(), words.end());
        const auto outcome = app_test::rattleback(all);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        return app_test::read_file(folder() / "step.h");
    };
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != text.npos; };
    EXPECT_TRUE(has(header({"kepler", "-m", "midpoint"}), "/* The state: x, y, p_x, p_y */"));
    EXPECT_FALSE(has(header({"kepler", "-m", "midpoint"}), "step_start_h"));
    EXPECT_TRUE(has(header({"cartesian_pendulum", "-m", "shake"}), "extern const double step_start_h;"));
    EXPECT_TRUE(
        has(header({"massive_photon_skewed", "-m", "midpoint"}), "linear combinations of the model's variables"));
    write_file("no_step.toml", "coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2+y'^2)/2 - y\"\n"
                               "[constraints]\nholonomic = [\"x^2+y^2-1\"]\n[initial]\nq = [1, 0]\nv = [0, 1]\n");
    const auto outcome =
        app_test::rattleback({"export", folder() / "no_step.toml", "-m", "shake", "-o", folder() / "a.c"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err,
              "rattleback: the start of 'shake' belongs to one step size: use --step STEP, or step in [run]\n");
}

TEST(Export, SaysWhatItCannotDo) {
    const std::pair<std::vector<std::string>, const char*> cases[] = {
        {{"export", "pendulum", "-m", "dop853", "-o", folder() / "a.c"}, "chooses its own steps"},
        {{"export", "pendulum", "-m", "midpoint", "-o", folder() / "a.txt"}, "ends in .c"},
        {{"export", "pendulum", "-m", "midpoint", "-o", folder() / "1st.c"}, "cannot be a name in C"},
        {{"export", "pendulum", "-m", "midpoint,rk4", "-o", folder() / "a.c"}, "one method is needed"},
        {{"export", "pendulum", "-m", "midpoint", "-o", "/nowhere/a.c"}, "cannot write /nowhere/a.c"}};
    for (const auto& [arguments, message] : cases) {
        const auto outcome = app_test::rattleback(arguments);
        EXPECT_NE(outcome.code, 0) << message;
        EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    }
}

} // namespace
} // namespace rattleback
