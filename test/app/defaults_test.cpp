// What is taken where nothing was said, and that it is said.
#include "program.hpp"

namespace app_test {
namespace {

std::string with_mechanics(const std::string& header, const std::string& rest) {
    return header + "\n[mechanics]\n" + rest;
}

struct Kind {
    std::string name, text, method;
};

const Kind kinds[] = {
    {"unconstrained",
     with_mechanics("coordinates = [\"x\"]", "lagrangian = \"x'^2/2 - x^4/4\"\n[initial]\nq = [1]\nv = [0]\n"),
     "gauss:stages=2"},
    {"hamiltonian",
     with_mechanics("coordinates = [\"x\"]", "hamiltonian = \"p_x^2/2 - cos(x)\"\n[initial]\nq = [1]\np = [0]\n"),
     "gauss:stages=2"},
    {"holonomic",
     with_mechanics("coordinates = [\"x\", \"y\"]",
                    "lagrangian = \"(x'^2 + y'^2)/2 - 9.81*y\"\n[constraints]\nholonomic = [\"x^2 + y^2 - 1\"]\n"
                    "[initial]\nq = [1, 0]\nv = [0, 1]\n"),
     "lobatto:stages=3"},
    {"nonholonomic",
     with_mechanics("coordinates = [\"x\", \"y\", \"theta\"]",
                    "lagrangian = \"(x'^2 + y'^2 + theta'^2)/2\"\n[constraints]\n"
                    "velocity = [\"x'*sin(theta) - y'*cos(theta)\"]\n[initial]\nq = [0, 0, 0]\nv = [1, 0, 1]\n"),
     "nh_gauss:stages=2"},
    {"variational",
     with_mechanics("coordinates = [\"x\", \"y\", \"theta\"]",
                    "lagrangian = \"(x'^2 + y'^2 + theta'^2)/2\"\n[constraints]\nprinciple = \"variational\"\n"
                    "velocity = [\"x'*sin(theta) - y'*cos(theta)\"]\n[initial]\nq = [0, 0, 0]\nv = [1, 0, 1]\n"
                    "lambda = [0.1]\n"),
     "gauss:stages=2"},
    {"general",
     "variables = [\"x\", \"y\"]\n[hamiltonian]\nformula = \"(x^2 + y^2)/2\"\nstructure = [[0, -1], [1, 0]]\n"
     "[initial]\nz = [1, 0]\n",
     "gauss:stages=2"},
    {"body",
     with_mechanics("coordinates = [\"R in SO(3)\"]",
                    "lagrangian = \"dot(body(R), body(R))/2 + body(R)[1]^2\"\n[initial]\nq = { R = \"rotx(0.1)\" }\n"
                    "v = { R = [1, 0.1, 0] }\n"),
     "gauss:stages=2"},
};

TEST(Defaults, RunsOfEveryKindOfModelNeedNeitherMethodNorStep) {
    for (const Kind& kind : kinds) {
        const std::string file = write_file(kind.name + ".toml", kind.text);
        const Outcome o = rattleback({"run", file, "--until", "2"});
        EXPECT_EQ(o.code, 0) << kind.name << o.err;
        EXPECT_NE(o.err.find("no method is given: " + kind.method + " is taken"), std::string::npos) << o.err;
        EXPECT_NE(o.err.find("no step is given: "), std::string::npos) << o.err;
        EXPECT_NE(o.out.find(kind.method), std::string::npos) << o.out;
        EXPECT_EQ(rattleback({"run", file, "--quiet"}).err, "") << kind.name;
    }
}

TEST(Defaults, StepsFollowTheScalesOfTheMotion) {
    const auto step_with = [](const std::string& stiffness) {
        const std::string file = write_file(
            "spring.toml", "coordinates = [\"x\"]\n[parameters]\nk = " + stiffness +
                               "\n[mechanics]\nlagrangian = \"x'^2/2 - k*x^2/2\"\n[initial]\nq = [1]\nv = [0]\n");
        const std::string text = rattleback({"run", file, "--json", "--steps", "1"}).out;
        return std::stod(text.substr(text.find("\"step\":") + 7));
    };
    EXPECT_EQ(step_with("1"), 0.2); // 31 a period; the difference that chose it was 6e-7
    EXPECT_EQ(step_with("1e4"), 0.002);
    EXPECT_NEAR(step_with("1e26"), 2e-14, 1e-28); // atoms in SI units
}

TEST(Defaults, CompareTakesMethodsThatFit) {
    const std::string file = write_file(kinds[3].name + ".toml", kinds[3].text);
    const Outcome o = rattleback({"compare", file, "--until", "1"});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_NE(o.err.find("no methods are given: nh_gauss:stages=2, gni,"), std::string::npos) << o.err;
    const Outcome misfit = rattleback({"compare", file, "--until", "1", "--step", "0.1", "-m", "nh_gauss,rattle"});
    EXPECT_EQ(misfit.code, 0) << misfit.err;
    EXPECT_NE(misfit.err.find("rattle is left out: "), std::string::npos) << misfit.err;
}

TEST(Defaults, OtherNamesOfMethods) {
    const std::string file = write_file("pendulum.toml", pendulum);
    const auto end = [&](const std::string& method) {
        return rattleback({"run", file, "-o", "-", "--quiet", "-m", method}).out;
    };
    const std::string verlet = end("del:ld=verlet");
    EXPECT_FALSE(verlet.empty());
    for (const char* name : {"verlet", "leapfrog", "stormer_verlet"}) EXPECT_EQ(end(name), verlet) << name;
    EXPECT_EQ(end("implicit_midpoint"), end("midpoint"));
    EXPECT_EQ(end("compose:order=4:base=verlet"), end("compose:order=4:base=del:ld=verlet"));
    EXPECT_NE(rattleback({"methods"}).out.find("verlet"), std::string::npos);
}

TEST(Defaults, DegreesAndAnotherNameOfTheStep) {
    const std::string file = write_file("pendulum.toml", pendulum);
    const auto run = [&](std::vector<std::string> more) {
        std::vector<std::string> all{"run", file, "-o", "-", "--quiet"};
        all.insert(all.end(), more.begin(), more.end());
        return rattleback(all).out;
    };
    const std::string expected = run({"--q", "theta=pi/2", "--step", "0.05"});
    EXPECT_NE(expected.find("\n0,1.5707963267948966,"), std::string::npos);
    EXPECT_EQ(run({"--q", "theta=90deg", "--dt", "0.05"}), expected);
    EXPECT_EQ(run({"--q", "theta=90*deg", "--dt=0.05"}), expected);
    // A parameter of that name is the parameter.
    std::string own(pendulum);
    own.replace(own.find("g = 9.81"), 8, "g = 9.81\ndeg = 2");
    own.replace(own.find("theta = 1 }\nv"), 11, "theta = \"deg/2\" }");
    EXPECT_EQ(rattleback({"run", write_file("own.toml", own), "-o", "-", "--quiet"}).out, run({}));
}

TEST(Defaults, ModelsAreFoundWithAndWithoutTheirEnding) {
    const std::string file = write_file("mine.toml", pendulum);
    const std::string bare = file.substr(0, file.size() - 5);
    EXPECT_EQ(rattleback({"run", bare, "-o", "-", "--quiet"}).out, rattleback({"run", file, "-o", "-", "--quiet"}).out);
    const Outcome gallery = rattleback({"run", "double_pendulum.toml", "--steps", "1"});
    EXPECT_EQ(gallery.code, 0);
    EXPECT_NE(gallery.err.find("there is no file double_pendulum.toml: the gallery's double_pendulum is taken"),
              std::string::npos);
}

} // namespace
} // namespace app_test
