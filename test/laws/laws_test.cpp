// Every claim of every scheme, measured: one test for each (scheme, options, claim) of the registry.
//
// yes      holds on all test models that meet its condition, at least two of them nonlinear; and a condition in words
// is
//          needed: some model that does not meet it shows the violation
// no       the violation is visible on at least one model on which other methods keep the property
// unknown  nothing is promised
#include <gtest/gtest.h>

#include "evidence/defects.hpp"
#include "evidence/preserved.hpp"
#include "laws/measure.hpp"
#include "laws/variants.hpp"

namespace rattleback::laws {
namespace {

// Twice the largest value measured over all schemes and models, in double. Nonholonomic leapfrogs carry the multiplier,
// which round-off reaches divided by the step.
double limit(Property property, const Variant& variant, const Model& model) {
    const bool composed = variant.text.starts_with("compose");
    const bool nonholonomic = !model.velocity.empty() && !model.variational, constrained = model.constrained();
    switch (property) {
    case Property::symplectic:
        return constrained ? 1.1e-14 : 2.5e-15; // 5.4e-15: compose6 of rattle, magnetic on a sphere
                                                // 1.1e-15: compose8 of verlet, relativistic Kepler
    case Property::symmetric:
    case Property::reversible:
        if (nonholonomic) return composed ? 1.6e-13 : 3.5e-14;    // 7.7e-14 and 1.7e-14: skate on a sphere
        if (constrained) return 1.3e-14;                          // 6.3e-15: underlying, 3 stages, spherical pendulum
        return property == Property::symmetric ? 4e-15 : 1.2e-15; // 1.8e-15: compose6; 5.8e-16: triple jump
    case Property::constraint_at_stages:
    case Property::holonomic_at_stages: return 2.2e-13; // 1.1e-13: dla, blade on a moving sheet
    case Property::constraint_exact:
    case Property::holonomic_exact:
        return 2.5e-12; // 1.2e-12: nh_gauss, 2 stages, blade on a moving sheet, which gets faster and faster
    case Property::energy_exact: return 1.5e-15;                         // 7.2e-16 in 100 steps: dirac_weak on two rods
    case Property::momentum_exact: return constrained ? 4e-15 : 1.6e-15; // 2.0e-15: dop853; 7.8e-16: triple jump
    case Property::energy_bounded: return 0.5;                           // it is 0 or 1
    }
    return 0;
}
// What a violation must reach to be called visible: beyond every limit.
double visible(Property property) { return property == Property::energy_bounded ? 0.5 : 1e-11; }

struct Case {
    Variant variant;
    Claim claim;
    friend void PrintTo(const Case& c, std::ostream* out) {
        *out << c.variant.text << ": " << to_text(c.claim.property) << " " << to_text(c.claim.answer);
    }
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const Scheme* scheme : all_schemes())
        for (const Variant& variant : variants_of(*scheme))
            for (const Claim& claim : scheme->claims(parse_methods(variant.text)[0].options))
                all.push_back({variant, claim});
    return all;
}

// Of the methods that move elements of groups themselves, and of all on other models: what the others do in charts is
// in groups_test.cpp.
std::optional<Method> build(const Model& model, const Variant& variant) {
    if (!model.groups.empty() && variant.text.find("lie_") == std::string::npos) return {};
    try {
        return build_method(model, parse_methods(variant.text)[0]);
    } catch (const Unsuitable&) { return {}; }
}

// Runs that are too short to measure anything, and why that is no fault; empty: there is no such reason.
std::string why_it_ends_early(const Variant& variant, const TestModel& test) {
    struct Known {
        std::string variant, model, why;
    };
    static const Known all[] = {
        {"dirac_simplified", "nonseparable on a curve", "it has left the curve by 0.48 at t = 1.1, in step 12"},
        {"state_space:A=fixed", "nonseparable on a curve", "its chart ends at t = 0.8, where the curve turns in y"},
    };
    for (const Known& k : all)
        if (k.variant == variant.text && k.model == test.name) return k.why;
    return "";
}

class Claims : public testing::TestWithParam<Case> {};

TEST_P(Claims, AreMeasured) {
    const auto& [variant, claim] = GetParam();
    if (claim.answer == Answer::unknown) return;
    int held = 0, nonlinear = 0;
    bool shown = false; // the violation, where the claim says no or does not apply
    for (const TestModel& test : models()) {
        const Model model = test.read();
        const auto method = build(model, variant);
        if (!method || !applies(claim.property, test, model, *method)) continue;
        const bool promised =
            claim.answer == Answer::yes &&
            std::all_of(claim.conditions.begin(), claim.conditions.end(), [&](Condition c) { return holds(c, test); });
        if (claim.answer == Answer::no && !keepable(claim.property, test)) continue;
        if (!promised) { // also with a large step, where good methods show it
            for (double stretch : {1, 3})
                shown = shown || measure(claim.property, test, model, *method, stretch) > visible(claim.property);
            continue;
        }
        const auto value = measure(claim.property, test, model, *method);
        const std::string expected = why_it_ends_early(variant, test);
        EXPECT_EQ(value.has_value(), expected.empty()) << test.name << ": its run ends early, or should; " << expected;
        if (!value) continue;
        ++held;
        nonlinear += !test.quadratic;
        EXPECT_LE(*value, limit(claim.property, variant, model)) << test.name;
    }
    if (claim.answer == Answer::yes) {
        const bool mixed =
            claim.property == Property::holonomic_exact || claim.property == Property::holonomic_at_stages;
        const int needed = mixed ? 1 : 2; // few models mix the kinds
        EXPECT_GE(claim.property == Property::energy_exact ? held : nonlinear, needed)
            << "a claim without a measurement";
        EXPECT_TRUE(shown || claim.conditions.empty())
            << "the condition '" << to_text(claim.conditions) << "' is not needed";
    } else {
        EXPECT_TRUE(shown) << "the claim is no, yet the property holds on every model";
    }
}

INSTANTIATE_TEST_SUITE_P(Registry, Claims, testing::ValuesIn(cases()), [](const auto& c) {
    return c.param.variant.name + "_" + std::string(to_text(c.param.claim.property)) + "_" +
           std::string(to_text(c.param.claim.answer));
});

// What is read off a model's formulas, as `check` and `verify` do, against what the test models say of themselves. A
// test model's `even` asks for more than L: there one implies the other.
TEST(Conditions, HoldWhereTheTraitsOfTheTestModelsSay) {
    using enum Condition;
    for (const TestModel& test : models()) {
        const Model model = test.read();
        if (model.kind == Model::general) continue; // of J z' = grad H only H is looked at
        const Preserved preserved{Sample(model)};
        for (Condition c : {no_forces, no_time, constraints_homogeneous})
            EXPECT_EQ(preserved.holds(c), holds(c, test)) << test.name << ": " << to_text(c);
        for (Condition c : {L_even, L_even_in_v, forces_even_in_v})
            EXPECT_TRUE(preserved.holds(c) || !holds(c, test)) << test.name << ": " << to_text(c);
    }
}

TEST(Registry, EverySchemeMakesClaimsAboutEveryKindOfProperty) {
    for (const Scheme* scheme : all_schemes())
        for (const Variant& variant : variants_of(*scheme)) {
            std::vector<Property> made;
            for (const Claim& c : scheme->claims(parse_methods(variant.text)[0].options)) made.push_back(c.property);
            for (Property p : {Property::symplectic, Property::energy_bounded, Property::momentum_exact,
                               Property::symmetric, Property::reversible})
                EXPECT_EQ(std::count(made.begin(), made.end(), p), 1) << variant.text << " " << to_text(p);
        }
}

// In quad the same defects are 1e-33: they are round-off, not small errors of the methods.
TEST(Quad, LeavesNothingButRoundOff) {
    for (const char* text : {"gauss:stages=3", "del:ld=galerkin:stages=2", "del:ld=verlet", "compose:order=6"})
        for (const TestModel& test : models()) {
            if (!test.typical || test.forces) continue;
            const Model model = test.read();
            const auto method = build(model, {text, text});
            if (!method) continue;
            Report report;
            const auto symplectic = symplectic_defect<quad>(compile(model, *method), test.step, 3, report);
            const auto symmetric = symmetry_defect<quad>(compile(model, *method), test.step, 3, report);
            ASSERT_TRUE(symplectic && symmetric) << text << test.name;
            EXPECT_LE(static_cast<double>(*symplectic), 1e-33) << text << test.name;
            EXPECT_LE(static_cast<double>(*symmetric), 1e-33) << text << test.name;
        }
}

// 1e6 steps: what 1e4 cannot tell from a small drift. Rows: largest relative errors of the two halves, slope.
//   gauss1  3.61e-4    gauss2  9.82e-6    gauss3  5.50e-7, relative to the largest term of the energy, which is 0.1
TEST(LongRuns, OfGaussMethodsDoNotDrift) {
    const TestModel& henon = models()[1];
    for (const auto& [text, step, size] :
         {std::tuple("gauss:stages=1", 0.1, 7.2e-4), std::tuple("gauss:stages=2", 0.3, 2e-5),
          std::tuple("gauss:stages=3", 0.5, 1.1e-6)}) {
        const Model model = henon.read();
        const auto drift = energy_drift(compile(model, build_method(model, parse_methods(text)[0])), step, 1000000);
        ASSERT_TRUE(drift);
        EXPECT_LE(drift->second, 1.05 * drift->first) << text;
        EXPECT_LE(drift->second, size) << text;
        EXPECT_LE(std::abs(drift->slope), 2e-5 * drift->first) << text;
    }
}

} // namespace
} // namespace rattleback::laws
