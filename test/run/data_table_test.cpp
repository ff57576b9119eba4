// [tables]: values, derivatives, ends, and what is said of wrong ones. Against SciPy: test/oracle/tables.py.
#include <gtest/gtest.h>
#include <rattleback/rattleback.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace rattleback {
namespace {

class DataTables : public testing::Test {
  protected:
    DataTables() { std::filesystem::create_directories(folder_); }
    ~DataTables() override { std::filesystem::remove_all(folder_); }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }
    static std::string model(const std::string& table, const std::string& force = "u(t)") {
        return "coordinates = [\"x\"]\n[tables]\nu = " + table +
               "\n[mechanics]\nlagrangian = \"x'^2/2\"\nforce = { x = \"" + force + "\" }\n[observables]\nvalue = \"" +
               force + "\"\n[initial]\nq = [0]\nv = [0]\n";
    }
    std::filesystem::path folder_ =
        std::filesystem::temp_directory_path() / ("rattleback_tables." + std::to_string(::getpid()));
};

TEST_F(DataTables, AreStraightLinesBetweenThePoints) {
    const auto run =
        integrate(read_model(model("[[0, 1], [1, 3], [4, 0]]"), "m.toml"), {.method = "rk4", .step = 0.25, .until = 4});
    ASSERT_TRUE(run.report().ok()) << run.report().text();
    for (std::size_t k = 0; k < run.t.rows(); ++k) {
        const double t = run.t[k], y = t < 1 ? 1 + 2 * t : 4 - t;
        EXPECT_NEAR(run["observables"](k, 0), y, 1e-15) << t;
    }
    EXPECT_NEAR(run.summary().end["v"][0], 2 + 4.5, 1e-14); // the integral, exact since the kink is a node
}

TEST_F(DataTables, CubicsThroughAPolynomialAreThePolynomial) {
    std::string points;
    for (double x : {-1.0, 0.0, 0.5, 2.0, 3.5, 4.0})
        points +=
            (points.empty() ? "[" : ", [") + std::to_string(x) + ", " + std::to_string(x * x * x - 2 * x * x + 1) + "]";
    const std::string table = "{ points = [" + points + "], between = \"cubic\" }";
    const auto run =
        integrate(read_model(model(table), "m.toml"), {.method = "gauss:stages=3", .step = 0.1, .until = 4});
    ASSERT_TRUE(run.report().ok()) << run.report().text();
    for (std::size_t k = 0; k < run.t.rows(); ++k) {
        const double t = run.t[k];
        EXPECT_NEAR(run["observables"](k, 0), t * t * t - 2 * t * t + 1, 4e-14) << t; // measured: 1.4e-14
    }
}

// A potential from a table: the force is its derivative, and energy is kept.
TEST_F(DataTables, HaveDerivatives) {
    std::string csv = "angle;potential\n# measured\n";
    for (int k = -40; k <= 40; ++k) {
        const double x = 0.05 * k;
        csv += std::to_string(x) + ";" + std::to_string(0.5 * x * x) + "\n";
    }
    write("v.csv", csv);
    const std::string file =
        write("m.toml", "coordinates = [\"x\"]\n[tables]\nV = { file = \"v.csv\", x = \"angle\", y = \"potential\", "
                        "between = \"cubic\" }\n[mechanics]\nkinetic = \"x'^2/2\"\npotential = \"V(x)\"\n"
                        "[initial]\nq = [1]\nv = [0]\n");
    const auto run = integrate(load(file), {.method = "gauss:stages=3", .step = 0.1, .until = 10});
    ASSERT_TRUE(run.report().ok()) << run.report().text();
    EXPECT_NEAR(run.summary().end["q"][0], std::cos(10.0), 2e-3); // six digits in the file
    EXPECT_LT(run.energy_error_max(), 1e-5);
}

TEST_F(DataTables, EndWhereTheyEnd) {
    const std::string points = "[[0, 0], [1, 2]]";
    const auto at_2 = [&](const std::string& table) {
        return integrate(read_model(model(table), "m.toml"), {.method = "rk4", .step = 0.5, .until = 2});
    };
    EXPECT_FALSE(at_2(points).report().ok());
    EXPECT_DOUBLE_EQ(at_2("{ points = " + points + ", outside = \"hold\" }").summary().end["observables"][0], 2);
    EXPECT_DOUBLE_EQ(at_2("{ points = " + points + ", outside = \"extrapolate\" }").summary().end["observables"][0], 4);
    // Where the last time is computed, it may miss the end by some digits.
    const auto thirds =
        integrate(read_model(model("[[0, 0], [0.3, 2]]"), "m.toml"), {.method = "midpoint", .step = 0.1, .steps = 3});
    EXPECT_TRUE(thirds.report().ok()) << thirds.report().text();
}

TEST_F(DataTables, AreRefusedWordForWord) {
    write("bad.csv", "t,u\n0,1\n1,one\n");
    write("back.csv", "0 1\n2 1\n1 3\n");
    const auto refusal = [&](const std::string& table, const std::string& force = "u(t)") {
        try {
            load(write("m.toml", model(table, force)));
            return std::string("no complaint");
        } catch (const BadModel& e) {
            std::string what = e.what();
            const std::string folder = folder_.string() + "/";
            for (std::size_t at; (at = what.find(folder)) != std::string::npos;) what.erase(at, folder.size());
            const std::size_t quoted = what.find("\n   "), remedy = what.find("\n     = ");
            return what.substr(0, quoted) + (remedy == std::string::npos ? "" : what.substr(remedy + 5));
        }
    };
    EXPECT_EQ(refusal("\"none.csv\""),
              "m.toml:3:5: none.csv: cannot open the file = check the name and the permissions");
    EXPECT_EQ(refusal("\"bad.csv\""), "m.toml:3:5: bad.csv:3: column 2 is no number: 'one'");
    EXPECT_EQ(refusal("\"back.csv\""),
              "m.toml:3:5: the points of a table must ascend: 1 follows 2 = sort them, and keep "
              "one of those with the same argument");
    EXPECT_EQ(refusal("{ file = \"bad.csv\", y = \"v\" }"),
              "m.toml:3:14: bad.csv has no column 'v' = columns are t, u");
    EXPECT_EQ(refusal("[[0, 1]]"), "m.toml:3:5: a table needs at least two points");
    EXPECT_EQ(refusal("[[0, 1], [1]]"),
              "m.toml:3:14: a point of a table is a list of two numbers = write [[0, 1], [1, 3]]");
    EXPECT_EQ(refusal("3"),
              "m.toml:3:5: a table is a file, or a list of points = write u = \"u.csv\" or u = [[0, 1], [1, 3]]");
    EXPECT_EQ(refusal("{ points = [[0, 1], [1, 3]], between = \"spline\" }"),
              "m.toml:3:44: between = \"spline\" is not known = choose one of linear, cubic");
    EXPECT_EQ(refusal("[[0, 1], [1, 3]]", "u"),
              "m.toml:6:16: 'u' is a table: it is a function of one argument, like u(t)");
}

} // namespace
} // namespace rattleback
