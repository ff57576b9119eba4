// A program built where neither npm nor HDF5 nor Ipopt were found: it does all but what these are for, and says so.
#include "app/program.hpp"

namespace app_test {
namespace {

Outcome bare(const std::vector<std::string>& arguments) {
    const std::string beside = std::filesystem::path(RATTLEBACK_PROGRAM).parent_path() / "test/bare/bin/rattleback";
    return rattleback(arguments, {.program = beside.c_str()});
}

TEST(Bare, RunsAndWritesCsv) {
    const std::string csv = folder() / "bare.csv";
    const Outcome o = bare({"run", "pendulum", "-m", "midpoint", "--steps", "10", "-o", csv});
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(read_file(csv).substr(0, 2), "t,");
}

TEST(Bare, RefusesAPageBeforeAnythingIsComputed) {
    const std::string page = folder() / "bare.html", csv = folder() / "bare.csv";
    const std::string why =
        ": this program was built without the report page; install nodejs and npm, and build it again\n";
    const std::vector<std::vector<std::string>> asked = {
        {"run", "pendulum", "-m", "midpoint", "--steps", "1000000000", "--report", page},
        {"compare", "pendulum", "-m", "midpoint,rk4", "--report", page},
        {"verify", "pendulum", "-m", "midpoint", "--report", page},
        {"papers", "001-psi", "--report", page}};
    for (const auto& words : asked) {
        const Outcome o = bare(words);
        EXPECT_EQ(o.code, 2) << words[0];
        EXPECT_EQ(o.err, "rattleback: " + page + why) << words[0];
    }
    bare({"run", "pendulum", "-m", "midpoint", "--steps", "10", "-o", csv});
    const Outcome o = bare({"report", csv, "-o", page});
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(o.err, "rattleback: " + page + why);
    EXPECT_FALSE(std::filesystem::exists(page));
}

TEST(Bare, RefusesHdf5) {
    const std::string file = folder() / "bare.h5";
    const Outcome o = bare({"run", "pendulum", "-m", "midpoint", "--steps", "1000000000", "-o", file});
    EXPECT_EQ(o.code, 1);
    EXPECT_EQ(o.err,
              "rattleback: " + file +
                  ": this program was built without HDF5; install libhdf5-dev and build it again, or use .csv\n");
    EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(Bare, RefusesBounds) {
    const std::string model = write_file("bounded.toml", R"(coordinates = ["x"]
[control]
inputs   = ["u"]
dynamics = { x = "u" }
cost     = "1"
bounds   = { u = [-1, 1] }
[boundary]
from = { x = 0 }
to   = { x = 1 }
time = "free"
)");
    const Outcome o = bare({"solve", model});
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(o.err, "rattleback: this program was built without Ipopt, which solves control problems with bounds; "
                     "install coinor-libipopt-dev and build it again\n");
}

TEST(Bare, RefusesToReadHdf5ByItself) {
    const std::string file = folder() / "own.h5", page = folder() / "own.html";
    rattleback({"run", "pendulum", "-m", "midpoint", "--steps", "10", "-o", file});
    const std::filesystem::path built = std::filesystem::path(RATTLEBACK_PROGRAM).parent_path();
    std::filesystem::copy_file(built / "rattleback", folder() / "alone"); // with the page, without its companions
    const Outcome o = rattleback({"report", file, "-o", page}, {.program = (folder() / "alone").c_str()});
    EXPECT_EQ(o.code, 2);
    EXPECT_EQ(o.err, "rattleback: cannot read " + file +
                         ": rattleback-read-hdf5, which reads HDF5 files, is not installed with this program; install "
                         "libhdf5-dev and build it again, or use .csv\n");
}

// A library that lies in the current folder is anybody's.
TEST(Bare, LoadsNothingFromWhereTheUserIs) {
    const std::filesystem::path here = std::filesystem::current_path(), built = RATTLEBACK_PROGRAM;
    const std::filesystem::path elsewhere = folder() / "elsewhere";
    std::filesystem::create_directory(elsewhere);
    std::filesystem::current_path(elsewhere);
    std::filesystem::copy_file(built.parent_path() / "librattleback_hdf5.so", "librattleback_hdf5.so");
    const Outcome none = bare({"run", "pendulum", "-m", "midpoint", "--steps", "10", "-o", "bare.h5"});
    std::filesystem::remove("librattleback_hdf5.so");
    const Outcome own = rattleback({"run", "pendulum", "-m", "midpoint", "--steps", "10", "-o", "own.h5"});
    std::filesystem::current_path(here);
    EXPECT_EQ(none.code, 1) << none.err;
    EXPECT_EQ(own.code, 0) << "a program finds its own: " << own.err;
}

} // namespace
} // namespace app_test
