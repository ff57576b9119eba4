// Models that are unusual, and right: they say the same as the plain ones.
#include "messages/complaints.hpp"

#include <functional>

namespace rattleback {
namespace {

// What a model means: its function with families unrolled, its start, its parameters.
std::string meaning(const Model& model) {
    std::string text = to_text(expand(model.function));
    const auto add = [&](const char* what, const std::vector<quad>& values) {
        text += std::string("; ") + what;
        for (quad x : values) text += " " + real::to_text(x);
    };
    add("t", {model.t0}), add("q", model.q0), add("v", model.v0), add("p", model.p0), add("z", model.z0);
    text += "; with";
    for (const Parameter& p : model.parameters) text += " " + p.name + " = " + real::to_text(p.value);
    return text;
}

std::string read(std::string_view text, const LoadOptions& options = {}) {
    try {
        return meaning(read_model(std::string(text), "odd.toml", options));
    } catch (const BadModel& e) { return e.what(); }
}

std::string read_changed(std::string_view model, std::string_view right, std::string_view odd) {
    return read(changed(model, right, odd));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

struct Same {
    std::string_view model, right, odd;
};

TEST(Accepted, OtherWordsForTheSameModel) {
    const std::vector<Same> list = {
        // numbers
        {spring, "m = 2", "m = 2.0"},
        {spring, "m = 2", "m = +2"},
        {spring, "m = 2", "m = 0x2"},
        {spring, "m = 2", "m = 2e0"},
        {spring, "m = 2", "m = \"2\""},
        {spring, "m = 2", "m = \" +1 + 1 \""},
        {spring, "m = 2", "m = '2'"},
        {spring, "m = 2", "m = \"\"\"\n  2\n\"\"\""},
        {spring, "m = 2", "m = \"sum(m in 1..2: 1)\""}, // the index has a name of its own
        {spring, "m = 2", "m = \"\\u0032\""},
        {spring, "m = 2", "m = \"sum(i in 1..2: sum(j in 2*i-3..-i+1: 1))\""}, // bounds made of another index
        // arrays and tables
        {spring, "q = { x = 1, y = 0 }", "q = [1, 0]"},
        {spring, "q = { x = 1, y = 0 }", "q = [\n  1, # x\n  0, # y\n]"},
        {spring, "q = { x = 1, y = 0 }", "q.x = 1\nq.y = 0"},
        {spring, "q = { x = 1, y = 0 }", "\"q\".\"y\" = 0\n'q' . x = 1"},
        {spring, "q = { x = 1, y = 0 }", "q = { y = \"m - 2\", x = \"k/6\" }"},
        {spring, "[initial]\nq = { x = 1, y = 0 }\nv = { x = 0, y = 1 }",
         "[initial.q]\nx = 1\ny = 0\n[initial.v]\ny = 1\nx = 0"},
        {spring, "[parameters]\nm = 2\nk = \"3*m\"\n\n", "parameters = { m = 2, k = \"3*m\" }\n"},
        {spring, "[parameters]", "[ \"parameters\" ]  # how heavy, how stiff"},
        // order and empty tables
        {spring, "m = 2\nk = \"3*m\"", "m = \"k/3\"\nk = 6"},
        {spring, "", "[definitions]\n[constraints]\n[symmetries]\n[sections]\n[observables]\n[run]\n"},
        {spring, the_lagrangian,
         "lagrangian = \"L\"\n[definitions]\nL = \"T - V\"\nV = \"k/2*dot(r, r)\"\n"
         "T = \"m/2*dot(r', r')\"\nr = [\"x\", \"y\"]"},
        {spring, the_lagrangian, "kinetic = \"m/2*(x'^2 + y'^2)\"\npotential = \"k/2*(x^2 + y^2)\""},
        {spring, "coordinates =", "format = 1\ncoordinates ="},
        // families
        {chain, "\"x[i]\" = \"i\"", "\"x[1]\" = 1, \"x[n]\" = \"n\", \"x[2]\" = 2"},
        {chain, "\"x[i]\" = \"i\"",
         "\"x[2]\" = 2, \"x[other]\" = \"other^2 - 2*(other - 1)*(other - 2)\", \"x[3]\" = 3"},
        {chain, "{ \"x[i]\" = \"i\" }", "[1, 2, 3]"},
        {chain, "\"x[0]\" = 0", "\"x[ n - 3 ]\" = \"0\""},
        {chain, "(x[i] - x[i-1])^2/2", "r[i]^2/2"},
    };
    const std::string with_r = changed(chain, "\"x[0]\"", "\"r[k]\" = \"x[k] - x[k-1]\"\n\"x[0]\"");
    for (const Same& s : list) {
        const std::string_view base = s.odd == "r[i]^2/2" ? std::string_view(with_r) : s.model;
        EXPECT_EQ(read_changed(base, s.right, s.odd), read(s.model)) << s.odd;
    }
}

TEST(Accepted, AnyEditorsFile) {
    const std::string plain(spring);
    EXPECT_EQ(read("\xef\xbb\xbf" + plain), read(plain)) << "a byte-order mark";
    EXPECT_EQ(read(replaced(plain, "\n", "\r\n")), read(plain)) << "Windows line ends";
    EXPECT_EQ(read(replaced(plain, " ", "\t")), read(plain)) << "tabs";
    EXPECT_EQ(read(plain.substr(0, plain.size() - 1)), read(plain)) << "no line end at the end";
    EXPECT_EQ(read(replaced(plain, "\n", "   # größer ∂ 字\n")), read(plain)) << "comments";
    const std::string many = "\"\"\"\r\nm/2*(x'^2 +\r\n  y'^2)\r\n\r\n- k/2*(x^2 + y^2)\"\"\"";
    EXPECT_EQ(read(changed(plain, the_lagrangian, "lagrangian = " + many)), read(plain)) << "a formula of many lines";
}

TEST(Accepted, NamesThatFunctionsHaveToo) {
    const std::string odd = changed(spring, "m = 2", "sin = \"sin(1)\"\nif = 4\ndot = \"if(if > 3, if, sin)\"\nm = 2");
    EXPECT_EQ(read(odd).substr(read(odd).find("; with")), "; with sin = 0.8414709848078965 if = 4 dot = 4 m = 2 k = 6");
}

TEST(Accepted, AFamilyOfOne) {
    const std::string one = read(chain, {.set = {{"n", "1"}}});
    const std::string single = read("coordinates = [\"x\"]\n[parameters]\nn = 1\n[mechanics]\n"
                                    "lagrangian = \"x'^2/2 - (x^2/2 + (sin(t) - x)^2/2)\"\n"
                                    "[initial]\nq = [1]\nv = [0]\n");
    EXPECT_EQ(replaced(replaced(one, "x'[1]", "x'"), "x[1]", "x"), single);
}

TEST(Accepted, BordersThatMove) { // and their rates
    const Model model =
        read_model(changed(chain, "x[i]'^2/2", "(x[i+1]' - x[i]')^2/2"), "odd.toml", {.set = {{"n", "1"}}});
    EXPECT_EQ(to_text(expand(model.function)), "0.5*(cos(t) - x'[1])^2 - (0.5*x[1]^2 + 0.5*(sin(t) - x[1])^2)");
}

TEST(Accepted, MembersThatDoNotExistBehindACondition) {
    const std::string guarded = changed(chain, "(x[i] - x[i-1])^2/2", "if(i > 1, (x[i] - x[i-1])^2/2, x[1]^2/2)");
    EXPECT_EQ(read(changed(guarded, "\"x[0]\" = 0\n", "")).substr(0, 4), "0.5*");
}

TEST(Accepted, ForcesOnSingleMembers) {
    const Model model = read_model(
        changed(chain, "[initial]", "force = { \"x[n]\" = \"t\", \"x[i]\" = \"-x[i]'\" }\n[initial]"), "odd.toml");
    std::string text;
    for (const Expr& e : expand(model.force)) text += to_text(e) + "; ";
    EXPECT_EQ(text, "-x'[1]; -x'[2]; t; ");
}

TEST(Accepted, VariablesLeftOut) {
    const Model model = read_model(changed(field, "z = [1, 0]", "z = { y = 3 }"), "odd.toml");
    EXPECT_FALSE(model.z_given[0].has_value());
    EXPECT_TRUE(model.z_given[1] == quad(3));
}

TEST(Accepted, ConstraintsOfManyAlike) {
    const Model model =
        read_model(changed(chain, "[initial]",
                           "[constraints]\nholonomic = [\"x[i] - x[i-1] - t for i in 1..n\", \"x[2]\"]\n"
                           "[initial]"),
                   "odd.toml");
    std::string text;
    for (const Expr& e : expand(model.holonomic)) text += to_text(e) + "; ";
    EXPECT_EQ(text, "x[1] - t; x[2] - x[1] - t; x[3] - x[2] - t; x[2]; ");
}

TEST(Accepted, AnyNameOfAnObservable) {
    const Model model =
        read_model(changed(spring, "", "[observables]\n\"speed, in m/s\" = \"x'\"\n\"θ\" = 1\n"), "odd.toml");
    ASSERT_EQ(model.observables.size(), 2u);
    EXPECT_EQ(model.observables[0].name, "speed, in m/s");
}

TEST(Accepted, RunsThatGoBack) {
    const Model model = read_model(changed(spring, "", "[run]\nstep = \"-1/8\"\nsteps = \"2^3\"\n"), "odd.toml");
    EXPECT_EQ(model.run.step, -0.125);
    EXPECT_EQ(model.run.steps, 8);
}

} // namespace
} // namespace rattleback
