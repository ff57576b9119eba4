// verify must see what is wrong with a method: each mutant turns the claim it breaks into a failure, and only such.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include "scheme/build.hpp"

#include <set>

namespace rattleback {
namespace {

Model from_gallery(const std::string& name) {
    for (const GalleryItem& item : gallery())
        if (item.name == name) return read_model(item.text, name + ".toml");
    throw std::runtime_error(name);
}

std::set<std::string> failures(const std::string& model_name, const std::string& text,
                               const std::function<void(Method&)>& change) {
    const Model model = from_gallery(model_name);
    const MethodName name = parse_methods(text)[0];
    Method method = build_in_graph(model, name);
    change(method);
    std::set<std::string> failed;
    for (const MeasuredClaim& c :
         verify(model, method, find_scheme(name.id).claims(name.options), {.step = {}, .steps = 2000}).claims)
        if (c.verdict == MeasuredClaim::fail) failed.insert(c.name);
    return failed;
}

void scale_increment(Method& method, std::size_t component, double by) {
    method.step.increment[component].value = by * method.step.increment[component].value;
}

using Names = std::set<std::string>;

TEST(Verify, PassesWhatWasNotChanged) {
    const auto nothing = [](Method&) {};
    EXPECT_EQ(failures("henon_heiles", "gauss:stages=2", nothing), Names{});
    EXPECT_EQ(failures("rolling_disk", "gni", nothing), Names{});
    EXPECT_EQ(failures("cartesian_pendulum", "rattle", nothing), Names{});
}

TEST(Verify, SeesALeakInASymplecticMethod) {
    const Names failed = failures("henon_heiles", "midpoint", [](Method& m) { scale_increment(m, 2, 1 + 1e-6); });
    EXPECT_TRUE(failed.contains("symplectic"));
    EXPECT_TRUE(failed.contains("symmetric"));
    EXPECT_TRUE(failed.contains("reversible"));
}

TEST(Verify, SeesAnOrderThatIsTooHigh) {
    EXPECT_EQ(failures("henon_heiles", "gauss:stages=2", [](Method& m) { m.order = 5; }), Names{"order"});
    EXPECT_TRUE(failures("pendulum", "rk4", [](Method& m) { scale_increment(m, 0, 1 + 1e-5); }).contains("order"));
}

TEST(Verify, SeesALostConstraint) {
    const Names failed = failures("cartesian_pendulum", "rattle", [](Method& m) { scale_increment(m, 0, 1 + 1e-9); });
    EXPECT_TRUE(failed.contains("holonomic_exact"));
}

// The constraint of the middle stage of Lobatto IIIA with three stages is missed by 1e-12: nodes do not show it.
TEST(Verify, SeesAConstraintLostAtAStage) {
    const auto miss = [](Method& m) {
        for (Equation& e : m.step.equations)
            if (e.rhs[0].value.is(0)) {
                e.rhs[0].value = Expr(1e-12);
                return;
            }
    };
    const Names failed = failures("cartesian_pendulum", "lobatto:stages=3", miss);
    EXPECT_TRUE(failed.contains("holonomic_at_stages"));
    EXPECT_FALSE(failed.contains("holonomic_exact"));
    EXPECT_TRUE(failures("heisenberg", "gauss:stages=2", miss).contains("constraint_at_stages"));
    EXPECT_EQ(failures("heisenberg", "gauss:stages=2", [](Method&) {}), Names{});
}

// What has no stages is said to have none; what promises nothing is measured all the same.
TEST(Verify, SaysWhereStagesHaveNoConstraints) {
    const auto remark = [](const std::string& text) {
        const Model model = from_gallery("chaplygin_sleigh");
        for (const MeasuredClaim& c : verify(model, parse_methods(text)[0], {.step = {}, .steps = 100}).claims)
            if (c.name == "constraint_at_stages") return std::string(to_text(c.verdict)) + ": " + c.remark;
        return std::string();
    };
    EXPECT_EQ(remark("gni"), "not applicable: the method has no stages");
    EXPECT_EQ(remark("gf"), "not applicable: nothing is promised; it does not hold here");
    EXPECT_EQ(remark("nh_gauss"), "pass: not kept, as said");
    EXPECT_EQ(remark("dla"), "pass: ");
}

// Laws that a step obeys by what it is: each breaks where what it speaks of is changed.
TEST(Verify, SeesABrokenDiscreteLaw) {
    const auto add_to_the_last = [](Method& m) {
        Expr& last = m.step.increment[m.step.increment.size() - 1].value;
        last = last + 1e-9 * m.step.state[0].value;
    };
    EXPECT_EQ(failures("chaplygin_sleigh", "gf", [](Method& m) { m.step.generating = 1.001 * *m.step.generating; }),
              Names{"one_form"});
    const Names lopsided =
        failures("rolling_disk", "gf_sym", [](Method& m) { m.step.work[0].force = 1.001 * m.step.work[0].force; });
    EXPECT_TRUE(lopsided.contains("one_form") && lopsided.contains("two_form"));
    EXPECT_TRUE(failures("kepler", "del", add_to_the_last).contains("discrete_form"));
    EXPECT_TRUE(failures("kepler", "del", [](Method& m) {
                    m.step.generating = *m.step.generating + 1e-9 * m.step.state[0].value;
                }).contains("discrete_momentum"));
    EXPECT_TRUE(failures("chaplygin_sleigh", "gf", [](Method& m) { m.order = 3; }).contains("constraint_order"));
    EXPECT_TRUE(failures("snakeboard", "gni",
                         [](Method& m) { // the multiplier
                             Expr& last = m.step.increment[m.step.increment.size() - 1].value;
                             last = 1.001 * last;
                         })
                    .contains("energy_of_p_minus"));
    for (const auto& [model, method] : {std::pair("chaplygin_sleigh", "gf"), std::pair("kepler", "del"),
                                        std::pair("snakeboard", "gni"), std::pair("snakeboard", "gf:alpha=1/4")})
        EXPECT_EQ(failures(model, method, [](Method&) {}), Names{}) << model << " " << method;
}

// L is even, but y' = x'^2/2 + 0.1 run backwards is another constraint: what is claimed of reversals does not apply.
TEST(Verify, KnowsThatConstraintsEnterTheHamiltonian) {
    const Model model = read_model(R"toml(
coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2 - x^2/2"
[constraints]
velocity = ["y' - x'^2/2 - 0.1"]
principle = "variational"
[initial]
q = [0.5, 0]
v = [0.2, 0.12]
lambda = [0.3]
)toml",
                                   "bent.toml");
    for (const auto& [method, remark] : {std::pair("gauss:stages=2", "needs: H even in p"),
                                         std::pair("lobatto:stages=3", "needs: constraints homogeneous")})
        for (const MeasuredClaim& c : verify(model, parse_methods(method)[0], {.step = 0.05, .steps = 100}).claims) {
            EXPECT_NE(c.verdict, MeasuredClaim::fail) << method << ": " << c.name;
            if (c.name == "reversible") { EXPECT_EQ(c.remark, remark); }
        }
}

} // namespace
} // namespace rattleback
