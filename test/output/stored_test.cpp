// Runs that are stored and reopened: every number, and what they were made from.
#include <gtest/gtest.h>

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <memory>

#include "output/hdf5.hpp"
#include "run/columns.hpp"

namespace rattleback {
namespace {

constexpr const char* text = R"-(name = "Chain"
coordinates = ["x[1..n]"]
[parameters]
n = 3
k = "pi/3"
twice = "2*k"
[mechanics]
lagrangian = "sum(i in 1..n: x[i]'^2/2 - k*x[i]^2/2 - twice*x[i]^4)"
[observables]
"first/last" = "x[1]/x[n]"
[initial]
q = { "x[i]" = "1/(i + 2)" }
v = { "x[i]" = "sin(i)" }
[symmetries]
all = { "x[i]" = "1" }
)-";

struct Stored {
    explicit Stored(const std::string& name)
        : file(std::filesystem::temp_directory_path() / (name + std::to_string(::getpid()) + ".h5")) {}
    ~Stored() { std::filesystem::remove(file); }
    Stored(const Stored&) = delete;
    Stored& operator=(const Stored&) = delete;

    Run run(const Model& model, RunOptions options) const { // as the program does it
        std::unique_ptr<Hdf5Writer> writer;
        options.prepared = [&](const Run& run) { writer = std::make_unique<Hdf5Writer>(file, run); };
        options.at_node = [&](const NodeView& node) {
            writer->add(node);
            return true;
        };
        const Run run = integrate(model, options);
        writer->finish(run);
        return run;
    }
    const std::string file;
};

TEST(StoredRuns, HasTheBitsOfTheRun) {
    const Stored kept("rattleback_1_");
    const auto run = kept.run(read_model(text, "chain.toml"), {.method = "midpoint", .step = 0.1, .steps = 20});
    const StoredRun stored = read_hdf5(kept.file);
    const std::vector<ColumnGroup>&a = run.record.layout().groups, &b = stored.record.layout().groups;
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
        EXPECT_EQ(a[i].name, b[i].name);
        EXPECT_EQ(a[i].role, b[i].role);
        EXPECT_EQ(a[i].columns, b[i].columns);
        EXPECT_EQ(a[i].shape, b[i].shape);
        EXPECT_EQ(run.record.table(i).values(), stored.record.table(i).values()) << a[i].name;
    }
    EXPECT_EQ(stored.record.names("observables"), std::vector<std::string>{"first/last"});
    EXPECT_EQ(stored.record["q"].rows(), 21u);
    EXPECT_EQ(stored.record.column("x[2]")->table->column(1).back(), run.q(20, 1));
    EXPECT_EQ(stored.status, "finished");
}

TEST(StoredRuns, IsMadeAgainFromWhatItCarries) {
    const Stored kept("rattleback_2_");
    const Model model = read_model(text, "chain.toml", {.set = {{"n", "4"}, {"k", "0.3"}}, .q = {{"x[2]", "1/7"}}});
    const auto run =
        kept.run(model, {.method = "gauss:stages=2", .step = 0.1, .steps = 20, .command = "rattleback run chain.toml"});
    const Origin o = read_hdf5(kept.file).origin;
    using Pair = std::pair<std::string, double>;
    EXPECT_EQ(o.parameters, (std::vector<Pair>{{"n", 4}, {"k", 0.3}, {"twice", 0.6}}));
    EXPECT_EQ(o.start.q, (std::vector<double>{1.0 / 3, 1.0 / 7, 1.0 / 5, 1.0 / 6}));
    EXPECT_EQ(o.start.v[2], std::sin(3.0));
    EXPECT_TRUE(o.start.p.empty());
    EXPECT_EQ(o.model_text, text);
    EXPECT_EQ(o.model_file, "chain.toml");
    EXPECT_EQ(o.model, "Chain");
    EXPECT_EQ(o.method, "gauss:stages=2");
    EXPECT_EQ(o.step, 0.1);
    EXPECT_EQ(o.command, "rattleback run chain.toml");
    EXPECT_EQ(o.version, RATTLEBACK_VERSION);
    const auto again = integrate(model_of(o), {.method = o.method, .step = o.step, .steps = 20});
    for (std::size_t i = 0; i < run.record.layout().groups.size(); ++i)
        EXPECT_EQ(run.record.table(i), again.record.table(i)) << run.record.layout().groups[i].name;
    EXPECT_EQ(static_cast<double>(model_of(o, {{"k", "2"}}).parameters[1].value), 2);
}

TEST(StoredRuns, KeepsMomentaAndVariablesThatAreGiven) {
    const Stored kept("rattleback_3_");
    const Model by_p = read_model("coordinates = [\"x\"]\n[mechanics]\nhamiltonian = \"p_x^2/2 + x^2/2\"\n[initial]\n"
                                  "t = 2\nq = [1]\np = [0.1]\n",
                                  "p.toml");
    kept.run(by_p, {.method = "midpoint", .step = 0.1, .steps = 2});
    const Origin o = read_hdf5(kept.file).origin;
    EXPECT_TRUE(o.start.v.empty());
    EXPECT_EQ(o.start.p, std::vector<double>{0.1});
    EXPECT_EQ(o.t0, 2);
    EXPECT_EQ(model_of(o).p0.size(), 1u);

    const Model general =
        read_model("variables = [\"x\", \"y\", \"c\"]\n[hamiltonian]\n"
                   "formula = \"(x^2 + y^2)/2 + (c - x)^2/2\"\n"
                   "structure = [[0, -1, 0], [1, 0, 0], [0, 0, 0]]\n[initial]\nz = { x = 1, y = 0 }\n",
                   "z.toml");
    const auto run = kept.run(general, {.method = "midpoint", .step = 0.1, .steps = 2});
    const Origin z = read_hdf5(kept.file).origin;
    EXPECT_TRUE(std::isnan(z.start.z.at(2)));
    EXPECT_FALSE(model_of(z).z_given[2]);
    const auto again = integrate(model_of(z), {.method = z.method, .step = z.step, .steps = 2});
    EXPECT_EQ(run.z, again.z);
}

TEST(Origins, SayWhereProjectedDataWent) {
    const Model model = read_model("coordinates = [\"x\", \"y\"]\n[mechanics]\nlagrangian = \"(x'^2 + y'^2)/2 - y\"\n"
                                   "[constraints]\nholonomic = [\"x^2 + y^2 - 1\"]\n[initial]\n"
                                   "q = [0.5, -0.8]\nv = [1, 1]\n",
                                   "c.toml");
    const auto run = integrate(model, {.method = "rattle", .step = 0.1, .steps = 2, .project = true});
    const std::vector<double>& q = run.origin.start.q;
    EXPECT_NEAR(q.at(0) * q[0] + q.at(1) * q[1], 1, 1e-15);
    EXPECT_EQ(q[0], run.q(0, 0));
}

TEST(Tables, OutliveTheirRun) {
    const Table q = integrate(read_model(text, "chain.toml"), {.method = "rk4", .step = 0.1, .steps = 3}).q;
    EXPECT_EQ(q.rows(), 4u);
    EXPECT_EQ(q(0, 0), 1.0 / 3);
    const auto run = integrate(read_model(text, "chain.toml"), {.method = "rk4", .step = 0.1, .steps = 3});
    EXPECT_EQ(run["none"].columns(), 0u);
    EXPECT_FALSE(run.record.column("none"));
    EXPECT_EQ(run.energy().rows(), 4u);
    EXPECT_EQ(run.record.columns().size(), run.record.layout().width);
}

} // namespace
} // namespace rattleback
