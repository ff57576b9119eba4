// Constraints on the command line: projected starts, refusals, what a summary shows.
#include "app/program.hpp"
#include "output/json.hpp"

namespace app_test {
namespace {

using ::rattleback::Json;

const std::string& off_constraint() {
    static const std::string path = write_file("skew.toml", R"(coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
[constraints]
velocity = ["z' - y*x'"]
[initial]
q = [0, 1, 0]
v = [1, 1, 0]
[run]
method = "gni"
step = 0.1
steps = 4
)");
    return path;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Projection, IsOfferedAndDone) {
    const std::vector<std::vector<std::string>> verbs{
        {"run", off_constraint()}, {"compare", off_constraint(), "-m", "gni,gf"}, {"check", off_constraint()}};
    for (std::vector<std::string> arguments : verbs) {
        const Outcome refused = rattleback(arguments);
        EXPECT_EQ(refused.code, 2) << arguments[0];
        EXPECT_TRUE(
            has(refused.err,
                "off the constraint z' - y*x' = 0: the residual is -1, 1 of its largest term\n  correct them, or use "
                "--project to move them onto the constraints"))
            << refused.err;
        arguments.push_back("--project");
        const Outcome done = rattleback(arguments);
        EXPECT_EQ(done.code, 0) << done.err;
        EXPECT_EQ(done.err, "") << arguments[0];
    }
    // The velocity nearest to (1, 1, 0) with z' = x'.
    const Outcome csv =
        rattleback({"run", off_constraint(), "--project", "--quiet", "-o", "-", "--columns", "x',y',z'"});
    EXPECT_TRUE(has(csv.out, "\n0.5,1,0.5\n")) << csv.out;
    const Outcome order = rattleback({"order", off_constraint(), "--project", "-m", "nh_rattle"});
    EXPECT_EQ(order.code, 0) << order.err;
}

TEST(Projection, NeedsConstraints) {
    const Outcome o = rattleback({"run", "pendulum", "--project"});
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(o.err, "rattleback: --project: the model has no holonomic or velocity constraints\n");
}

TEST(Summaries, ShowConstraints) {
    const Outcome mixed = rattleback({"run", "sleigh_with_tow", "--steps", "1"});
    EXPECT_TRUE(has(mixed.out, "\nconstraint  on velocities, largest residual ")) << mixed.out;
    EXPECT_TRUE(has(mixed.out, "\nconstraint  holonomic, largest residual ")) << mixed.out;
    EXPECT_FALSE(has(rattleback({"run", "pendulum", "--steps", "1"}).out, "constraint"));
}

TEST(Summaries, ShowMomentumEquationsAndHorizontalSymmetries) {
    const Outcome disk = rattleback({"run", "rolling_disk", "-m", "gni", "--steps", "20"});
    EXPECT_TRUE(has(disk.out, "\nmomentum    turn (horizontal) 0.04375, largest error ")) << disk.out;
    EXPECT_TRUE(has(disk.out, "\nmomentum    equation of rolling, largest residual ")) << disk.out;
    const Json json = Json::read(rattleback({"run", "rolling_disk", "-m", "gni", "--steps", "20", "--json"}).out);
    EXPECT_EQ(json["horizontal"].items().at(0).string(), "turn");
    EXPECT_LT(json["momentum_equation_max"]["rolling"].number(), 1e-15);
    EXPECT_LT(json["momentum_error_max"]["rolling"].number(), 1e-15) << "likewise";
    const Json board = Json::read(rattleback({"run", "snakeboard", "--steps", "20", "--json"}).out);
    EXPECT_LT(board["momentum_equation_max"]["g^q"].number(), 1e-15);
}

TEST(Summaries, WarnOfAlternatingMultipliers) {
    const Outcome o = rattleback({"run", "chaplygin_sleigh", "-m", "gni", "--until", "20"});
    EXPECT_EQ(o.code, 0);
    EXPECT_EQ(o.err,
              "rattleback: warning: the multipliers alternate from step to step, with a growing amplitude: a mode "
              "of the method, not of the motion; smaller steps delay it, nh_gauss and gf do not have it\n");
    EXPECT_TRUE(has(o.out, "\nmultiplier  alternating part ")) << o.out;
    EXPECT_EQ(rattleback({"run", "chaplygin_sleigh", "-m", "gni", "--until", "20", "--quiet"}).err, "");
}

TEST(Singularities, EndARunWithWhatWasComputed) {
    const Outcome o = rattleback({"run", "snakeboard", "--until", "8", "--quiet", "-o", "-", "--columns", "t"});
    EXPECT_EQ(o.code, 1);
    EXPECT_TRUE(has(o.err, "rattleback: the constraints become dependent before t = 5.1")) << o.err;
    EXPECT_TRUE(has(o.out, "\n5.0800000000000001\n")) << "the last regular state is kept";
    EXPECT_FALSE(has(o.out, "\n5.1"));
}

const std::string& pendulum_with_a_multiplier() {
    static const std::string path = write_file("index_3.toml", R"(variables = ["x", "y", "p", "r", "l"]
[hamiltonian]
formula = "(p^2 + r^2)/2 + y + l*(x^2 + y^2 - 1)/2"
structure = [[0, 0, -1, 0, 0], [0, 0, 0, -1, 0], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 0, 0]]
[initial]
z = [1, 0, 0, -0.5, 0.25]
[run]
method = "midpoint"
step = 0.1
steps = 5
)");
    return path;
}

TEST(Forced, Index) {
    const std::string& model = pendulum_with_a_multiplier();
    const std::string why =
        "the system is not of index 1: H_lambda_lambda has rank 0 of 1 at the start, and H_lambda = "
        "0 does not determine the multipliers\n";
    const std::vector<std::vector<std::string>> verbs{{"run", model}, {"compare", model, "-m", "midpoint,gauss"}};
    for (std::vector<std::string> arguments : verbs) {
        const Outcome refused = rattleback(arguments);
        EXPECT_EQ(refused.code, 2);
        EXPECT_EQ(refused.err, "rattleback: " + why +
                                   "  dirac and dirac_weak take it, with the constraints hidden in it; "
                                   "a holonomic constraint belongs under holonomic = [...] of a "
                                   "mechanical model; --force index runs it as it is\n");
        arguments.insert(arguments.end(), {"--force", "index"});
        const Outcome done = rattleback(arguments);
        EXPECT_EQ(done.code, 0);
        EXPECT_EQ(done.err, "rattleback: warning: --force index: " + why);
    }
    EXPECT_EQ(rattleback({"run", model, "--force", "index", "--quiet"}).err, "");
    EXPECT_EQ(rattleback({"run", model, "--force", "index", "--quiet", "-m", "rk4"}).err,
              "rattleback: explicit methods need equations of index 1; under --force index try midpoint or gauss\n");
}

TEST(Forced, OnlyWhatIsRefused) {
    const Outcome unknown = rattleback({"run", "pendulum", "--force", "entropy"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_EQ(unknown.err, "rattleback: --force entropy: what can be forced is index\n");
    const Outcome idle = rattleback({"run", "heisenberg", "--steps", "3", "--force", "index"});
    EXPECT_EQ(idle.code, 0);
    EXPECT_EQ(idle.err, "rattleback: warning: --force index: nothing to force, the equations are of index 1\n");
}

TEST(Principles, AreComparedOnOneFile) {
    const Outcome o = rattleback({"compare", "rolling_disk", "--principles", "nonholonomic,variational", "--lambda",
                                  "0.3,1/10", "--until", "2"});
    EXPECT_EQ(o.code, 0) << o.err;
    for (const char* part : {"vertical rolling disk: 40 steps of 0.05, from the same positions and velocities\n",
                             "\nnonholonomic  nh_gauss:stages=3  ", "\nvariational   gauss:stages=3     ",
                             "\ncoordinate  largest difference  at t\nx           ",
                             "\nThey differ, by 1e-6 from t = 0.05 on; the methods' ",
                             "\nThe constraints: nonholonomic: growth vector (2, 3, 4).\nInside the action the "
                             "multipliers act through lambda "
                             ". (d/dt phi_v - phi_q), a force along allowed directions: 0.4041 at the start, at most ",
                             "D'Alembert's principle has no such force.\n"})
        EXPECT_TRUE(has(o.out, part)) << part << "\n" << o.out;
    const Outcome json = rattleback({"compare", "heisenberg", "--principles", "variational,nonholonomic", "--json"});
    EXPECT_TRUE(has(json.out, "\"verdict\":\"differ\"")) << json.out;
    const std::string& integrable = write_file("disguised.toml", R"(coordinates = ["x", "y", "z"]
[mechanics]
lagrangian = "(x'^2 + y'^2 + z'^2)/2 - z"
[constraints]
velocity = ["x*x' + y*y' + 2*z*z'"]
principle = "variational"
[initial]
q = [1, 0, 0.5]
v = [1, 0, -1]
lambda = [0.5]
[run]
step = 0.02
until = 1
)");
    const Outcome same = rattleback({"compare", integrable, "--principles", "nonholonomic,variational"});
    EXPECT_TRUE(has(same.out, "\nThey coincide: the largest difference, ")) << same.out;
    EXPECT_TRUE(has(same.out,
                    "\nThe constraints: integrable: holonomic in disguise. Brackets of allowed directions are "
                    "allowed.\nWhere constraints are integrable both principles say the same: "))
        << same.out;
}

TEST(Principles, AndMultipliersAreNotGuessed) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> refused{
        {{"compare", "heisenberg", "--principles", "variational"},
         "--principles variational: write --principles nonholonomic,variational"},
        {{"compare", "rolling_disk", "--principles", "nonholonomic,variational"},
         "the variational motion needs multipliers to start with, 2 numbers: they are part of its initial data\n  give "
         "them: --lambda 0,0"},
        {{"run", "rolling_disk", "--lambda", "0,0"},
         "--lambda 0,0: it is for variational problems with velocity constraints"},
        {{"run", "heisenberg", "--lambda", "0,0"}, "--lambda 0,0: 2 given, the model has 1 multiplier"},
        {{"run", "heisenberg", "--lambda", "0x"}, "option lambda=0x: "},
    };
    for (const auto& [arguments, message] : refused) {
        const Outcome o = rattleback(arguments);
        EXPECT_EQ(o.code, 2);
        EXPECT_EQ(o.err.substr(0, 12 + message.size()), "rattleback: " + message);
    }
    const Outcome other = rattleback({"run", "heisenberg", "--lambda", "1/2", "--steps", "0", "--json"});
    EXPECT_TRUE(has(other.out, "\"lambda\":[0.5]")) << other.out;
}

TEST(Redundant, ConstraintsAreNamedByEveryVerb) {
    const std::string warning = "rattleback: warning: redundant constraints: last[3] = 0 follows from the others";
    const Outcome run = rattleback({"run", "bricard", "--steps", "5"});
    EXPECT_EQ(run.code, 0);
    EXPECT_EQ(run.err, warning + "; of all multipliers with the same reaction the shortest are shown\n");
    const Outcome check = rattleback({"check", "bricard"});
    EXPECT_EQ(check.code, 0);
    EXPECT_EQ(check.err, warning + "\n");
    EXPECT_TRUE(
        has(check.out, "4 of 5 constraints are independent at the start; these follow from the others: last[3]"));
    EXPECT_EQ(rattleback({"order", "bricard", "-m", "rattle"}).code, 0);
    EXPECT_EQ(rattleback({"verify", "bricard", "-m", "rattle", "--steps", "100"}).code, 0);
    EXPECT_EQ(rattleback({"compare", "bricard", "-m", "rattle,shake", "--steps", "5"}).code, 0);
}

TEST(Contradictory, ConstraintsAreRefusedByEveryVerb) {
    const std::string model = write_file("both.toml", R"(coordinates = ["x", "y"]
[mechanics]
lagrangian = "(x'^2 + y'^2)/2"
[constraints]
holonomic = ["x - y", "x - y - 1"]
[initial]
q = [0, 0]
v = [0, 0]
)");
    for (const char* verb : {"run", "check", "order"}) {
        std::vector<std::string> arguments{verb, model};
        if (verb != std::string("check"))
            arguments.insert(arguments.end(), {"-m", "rattle", "--step", "0.1", "--steps", "2"});
        const Outcome o = rattleback(arguments);
        EXPECT_EQ(o.code, 2) << verb;
        EXPECT_EQ(o.err,
                  "rattleback: contradictory constraints: no place was found near the start where x - y = 0, x - y "
                  "- 1 = 0 hold together\n  none of them can be left out of this set; correct one\n")
            << verb;
    }
}

TEST(Brackets, ArePrinted) {
    const Outcome o = rattleback({"check", "cartesian_pendulum", "--brackets"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_TRUE(has(o.out, "  g1 = 0.5*(x^2 + y^2 - l^2)\n      given, second class\n")) << o.out;
    EXPECT_TRUE(has(o.out, "      {g1, H}, hidden, level 1, second class\n")) << o.out;
    EXPECT_TRUE(has(o.out, "\n  {g1, psi1} = ")) << o.out;
    EXPECT_TRUE(has(o.out, "\ninvariant  H alone  underlying  dirac  dirac_simplified  dirac_weak\n")) << o.out;
    EXPECT_TRUE(has(o.out, "\npsi1       no       strong      weak   weak              strong\n")) << o.out;
    EXPECT_FALSE(has(o.out, "solve")) << "multipliers are written out";
    const Json json = Json::read(rattleback({"check", "cartesian_pendulum", "--brackets", "--json"}).out);
    EXPECT_EQ(json["constraints"].items().size(), 2u);
    const Outcome none = rattleback({"check", "kepler", "--brackets"});
    EXPECT_EQ(none.code, 2);
    EXPECT_EQ(none.err, "rattleback: Dirac's algorithm needs holonomic or phase constraints\n");
}

TEST(Stability, IsPrinted) {
    const Outcome o = rattleback({"check", "cartesian_pendulum", "--stability", "--set", "g=0", "--v", "y=-2", "--step",
                                  "0.01", "--until", "2"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_TRUE(has(o.out, "\ndirac             centre  ")) << o.out;
    EXPECT_TRUE(has(o.out, "\ndirac_simplified  saddle  ")) << o.out;
    EXPECT_TRUE(has(o.out, "\ndirac_weak        neutral  ")) << o.out;
    EXPECT_TRUE(has(o.out, "\nunderlying        neutral, with linear growth  ")) << o.out;
    const Outcome none = rattleback({"check", "pendulum", "--stability"});
    EXPECT_EQ(none.code, 2);
    EXPECT_EQ(none.err, "rattleback: stability is that of residuals of holonomic constraints; this model has none\n");
    const Outcome other = rattleback({"check", "cartesian_pendulum", "--stability", "-m", "rattle"});
    EXPECT_EQ(other.code, 2);
    EXPECT_EQ(other.err, "rattleback: --stability looks at underlying, dirac, dirac_simplified, dirac_weak and "
                         "dirac_linear, not at rattle\n");
}

// A tableau is a file of its own; which models it takes is known without.
TEST(Check, SaysThatATableauIsNeeded) {
    const Outcome fits = rattleback({"check", "pendulum", "--all"}),
                  not_here = rattleback({"check", "cartesian_pendulum", "--all"});
    EXPECT_NE(fits.out.find("\n  rk:tableau=FILE: the tableau tells its order and what it keeps\n"), std::string::npos)
        << fits.out;
    EXPECT_NE(fits.out.find("\n  not dirac: method 'dirac' needs holonomic constraints\n"), std::string::npos);
    EXPECT_NE(not_here.out.find("\n  not rk: method 'rk' takes models without constraints; this model has holonomic "
                                "constraints: try rattle or lobatto\n"),
              std::string::npos)
        << not_here.out;
}

TEST(Reduced, IsWrittenOrRefused) {
    const Outcome particle = rattleback({"check", "nonholonomic_particle", "--reduced", "-"});
    EXPECT_EQ(particle.code, 0) << particle.err;
    EXPECT_TRUE(has(particle.out, "force = { x = \"x'*y*y'\", y = \"-x'^2*y\" }")) << particle.out;
    EXPECT_EQ(particle.err, "");
    const std::string file = write_file("knife_reduced.toml", "");
    const Outcome knife = rattleback({"check", "knife_edge", "--reduced", file});
    EXPECT_EQ(knife.code, 0);
    EXPECT_EQ(knife.err, "rattleback: warning: the reduced model holds where cos(theta) is not 0\n");
    const Outcome run = rattleback({"run", file, "--until", "0.5", "--json"});
    EXPECT_EQ(run.code, 0) << run.err;
    const Outcome kepler = rattleback({"check", "kepler", "--reduced", "-"});
    EXPECT_EQ(kepler.code, 2);
    EXPECT_EQ(kepler.err, "rattleback: this model is not reduced to a shape space: that needs a Lagrangian, and "
                          "velocity constraints that are linear and without time, under d'Alembert's principle\n");
}

TEST(Equations, ShowTheConnectionAndTheShapeSpace) {
    const Outcome text = rattleback({"check", "nonholonomic_particle", "--equations"});
    EXPECT_EQ(text.code, 0);
    for (const char* part : {"  Gammabar^x_{y x} = 2*y/(y^2 + 1)^2\n", "  G_x = x'*y*y'\n", "one step of nh_rattle\n"})
        EXPECT_TRUE(has(text.out, part)) << part << text.out;
    const Outcome latex = rattleback({"check", "nonholonomic_particle", "--equations", "--latex"});
    EXPECT_TRUE(has(latex.out, "  \\bar{\\Gamma}^{x}_{y\\,x} = \\frac{2 \\, {y}}{\\left(y^{2} + 1\\right)^{2}}\n"))
        << latex.out;
}

} // namespace
} // namespace app_test
