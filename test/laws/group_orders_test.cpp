// Orders on groups, fitted in quad: every method that fits, on every group, with free, driven and constrained bodies.
#include <gtest/gtest.h>

#include "laws/measure.hpp"
#include "laws/variants.hpp"
#include "scheme/build.hpp"

namespace rattleback::laws {
namespace {

// A body on a group, with b = body(g): kinetic energy, potential; a constraint of each kind with velocities that obey
// it.
struct Body {
    std::string group, others, kinetic, potential, start, free, velocity, rolling, holonomic, held;
};

const Body bodies[] = {
    {.group = "SO(2)",
     .others = R"(, "x")",
     .kinetic = "0.8*b^2 + x'^2/2 + 0.3*cos(angle(g))*b*x'",
     .potential = "cos(angle(g)) + x^2*angle(g)",
     .start = "g = 0.2, x = \"sin(0.2)\"",
     .free = "g = 0.9, x = 0.7",
     .velocity = "x' - (1 + angle(g))*b",
     .rolling = "g = 0.5, x = 0.6",
     .holonomic = "x - sin(angle(g))",
     .held = "g = 0.9, x = \"0.9*cos(0.2)\""},
    {.group = "SE(2)",
     .kinetic = "(1.2*b[1]^2 + b[2]^2 + 1.5*b[3]^2)/2 + 0.3*b[1]*b[3]",
     .potential = "position(g)[1]^2 + cos(angle(g))*position(g)[2]",
     .start = "g = [0.6, 0.8, 0.3]",
     .free = "g = [0.9, 0.5, -0.4]",
     .velocity = "b[3]",
     .rolling = "g = [0.9, 0.5, 0]",
     .holonomic = "position(g)[1]^2 + position(g)[2]^2 - 1",
     .held = "g = [0.7, \"0.8*cos(0.3) - 0.6*sin(0.3)\", \"-0.8*sin(0.3) - 0.6*cos(0.3)\"]"},
    {.group = "SO(3)",
     .kinetic = "(b[1]^2 + 1.5*b[2]^2 + 2*b[3]^2)/2 + 0.1*b[1]*b[2]",
     .potential = "0.1*g[3,1] + 0.2*g[3,2] + 0.7*g[3,3]",
     .start = "g = \"rotz(0.3)*rotx(0.6)\"",
     .free = "g = [0.5, -0.3, 0.8]",
     .velocity = "b[3]",
     .rolling = "g = [0.5, -0.3, 0]",
     .holonomic = "g[3,1]",
     .held = "g = [0.5, \"0.8*sin(0.6)\", \"0.8*cos(0.6)\"]"},
    {.group = "SE(3)",
     .kinetic = "(b[1]^2 + 1.5*b[2]^2 + 2*b[3]^2 + b[4]^2 + b[5]^2 + 1.2*b[6]^2)/2 + 0.2*b[1]*b[5]",
     .potential = "position(g)[3] + position(g)[1]*g[1,2]",
     .start = "g = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1]",
     .free = "g = [0.5, -0.3, 0.8, 0.2, 0.1, -0.3]",
     .velocity = "b[6] - 0.5*b[1]",
     .rolling = "g = [0.5, -0.3, 0.8, 0.2, 0.1, 0.25]",
     .holonomic = "dot(position(g), position(g)) - 1",
     .held = "g = [0.5, -0.3, 0.8, 0.2, 0.1, 0]"},
};

std::string text_of(const Body& body, const std::string& kind) {
    std::string text = "coordinates = [\"g in " + body.group + "\"" + body.others +
                       "]\n[definitions]\nb = \"body(g)\"\n" + "[mechanics]\nkinetic = \"" + body.kinetic +
                       "\"\npotential = \"" + (kind == "free" ? "0" : body.potential) + "\"\n";
    std::string rate = body.free;
    if (kind == "velocity" || kind == "variational") rate = body.rolling;
    if (rate == body.rolling) text += "[constraints]\nvelocity = [\"" + body.velocity + "\"]\n";
    if (kind == "variational") text += "principle = \"variational\"\n";
    if (kind == "holonomic") rate = body.held, text += "[constraints]\nholonomic = [\"" + body.holonomic + "\"]\n";
    text += "[initial]\nq = { " + body.start + " }\nv = { " + rate + " }\n";
    if (kind == "variational") text += "lambda = [0.3]\n";
    return text;
}

struct Case {
    const Body* body;
    std::string kind;
    friend void PrintTo(const Case& c, std::ostream* out) { *out << c.body->group << ", " << c.kind; }
};

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const Body& body : bodies)
        for (const char* kind : {"free", "potential", "velocity", "holonomic", "variational"})
            all.push_back({&body, kind});
    return all;
}

// All that the laws sweep; on SE(3), whose steps take longest, each scheme with its first options and what has the
// highest order.
std::vector<std::string> methods(const std::string& group) {
    std::vector<std::string> all = {"nh_gauss:stages=5",
                                    "nh_gauss:stages=6",
                                    "compose:base=lie_del:order=4",
                                    "compose:base=lie_del:order=6",
                                    "compose:base=lie_del:order=8",
                                    "compose:base=lie_rattle:order=6",
                                    "compose:base=lie_gni:order=4"};
    if (group == "SE(3)") all.insert(all.end(), {"gauss:stages=6", "lobatto:stages=5"});
    for (const Scheme* scheme : all_schemes()) {
        const std::vector<Variant> variants = variants_of(*scheme);
        const std::size_t count = group == "SE(3)" ? 1 : variants.size();
        for (std::size_t i = 0; i < count; ++i) all.push_back(variants[i].text);
    }
    return all;
}

// With finer and finer steps until it is the claimed one, thrice at most: coarse steps are not asymptotic yet, and the
// errors of fine ones are round-off.
double order_of(const Model& model, const Method& method, const std::vector<quad>& exact) {
    const CompiledMethod compiled = compile(model, method);
    const int claimed = method.order;
    int coarsest = claimed <= 2 ? 16 : claimed <= 4 ? 8 : claimed <= 8 ? 4 : claimed <= 10 ? 5 : 3;
    double order = 0;
    for (int i = 0; i < 3 && std::abs(order - claimed) > 0.1; ++i, coarsest *= 2)
        order = observed_order(compiled, {.until = 1, .coarsest = coarsest, .most_halvings = 2, .exact = exact}).order;
    return order;
}

class GroupOrders : public testing::TestWithParam<Case> {};

TEST_P(GroupOrders, AreThoseOfTheMethods) {
    const auto& [body, kind] = GetParam();
    const Model model = read_model(text_of(*body, kind), "body.toml");
    const std::vector<quad> exact = exact_end(model, 1);
    const bool in_space = body->group.find('3') != std::string::npos;
    int measured = 0;
    for (const std::string& text : methods(body->group)) {
        // Dirac's methods take a minute in space: with more stages than one they are measured in the plane.
        if (in_space && text.starts_with("dirac") && text.find("stages=1") == std::string::npos) continue;
        std::optional<Method> method;
        try {
            method = fixed_step(build_method(model, parse_methods(text)[0]));
        } catch (const Unsuitable&) { continue; } catch (const BadMethod&) { // ld=cay in the plane
            continue;
        }
        EXPECT_NEAR(order_of(model, *method, exact), method->order, 0.1) << text;
        ++measured;
    }
    EXPECT_GE(measured, 10);
}

INSTANTIATE_TEST_SUITE_P(Registry, GroupOrders, testing::ValuesIn(cases()), [](const auto& c) {
    std::string name = c.param.body->group + "_" + c.param.kind;
    std::erase_if(name, [](char x) { return x == '(' || x == ')'; });
    return name;
});

// The mutant: momenta that are a little wrong after a step, by h^2 and by h^3, lower
// the order.
TEST(GroupOrdersMutant, HasAnother) {
    const Model model = read_model(text_of(bodies[2], "potential"), "body.toml");
    const std::vector<quad> exact = exact_end(model, 1);
    for (const int power : {1, 2}) {
        Method method = build_in_graph(model, parse_methods("gauss:stages=2")[0]);
        Expr& last = method.step.increment[method.step.increment.size() - 1].value;
        last = last + (power == 1 ? method.step.h : method.step.h * method.step.h) * last;
        EXPECT_LE(order_of(model, method, exact), 3); // 1.44 and 2.44, where 4 is claimed
    }
}

} // namespace
} // namespace rattleback::laws
