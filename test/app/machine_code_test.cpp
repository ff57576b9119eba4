// Where machine code cannot be kept, or not be had, a run says so and goes on.
#include "app/program.hpp"

namespace {

using app_test::folder, app_test::write_file;

class Environment {
  public:
    Environment(const char* name, const std::string& value) : name_(name) {
        if (const char* const old = std::getenv(name)) before_ = old, was_set_ = true;
        setenv(name, value.c_str(), 1);
    }
    ~Environment() { was_set_ ? setenv(name_, before_.c_str(), 1) : unsetenv(name_); }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    const char* name_;
    std::string before_;
    bool was_set_ = false;
};

app_test::Outcome run() {
    return app_test::rattleback(
        {"run", "pendulum", "-m", "midpoint", "--step", "0.01", "--steps", "100", "--backend", "jit"});
}

TEST(MachineCode, ThatCannotBeKeptIsSaid) {
    const std::string file = write_file("in_the_way", "");
    const Environment cache("RATTLEBACK_CACHE", file + "/objects");
    const auto outcome = run();
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out.find("machine code could not be kept in " + file +
                               "/objects/rattleback-objects: Not a directory\n"),
              std::string::npos)
        << outcome.out;
}

TEST(MachineCode, ThatCannotBeMadeIsSaid) {
    const Environment cache("RATTLEBACK_CACHE", ""), backend("RATTLEBACK_BACKEND", "/nowhere");
    const auto outcome = run();
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out.find("on the tape, since the LLVM back end is not installed\n"), std::string::npos)
        << outcome.out;
}

// What somebody's cache holds is not believed: the run is the same whatever lies there.
TEST(MachineCode, OfADamagedCacheIsMadeAnew) {
    const std::string objects = folder() / "objects";
    const Environment cache("RATTLEBACK_CACHE", objects);
    const std::string first = run().out.substr(0, 200);
    int damaged = 0;
    for (const auto& entry : std::filesystem::directory_iterator(objects + "/rattleback-objects")) {
        if (entry.path().extension() != ".object") continue;
        std::fstream object(entry.path(), std::ios::binary | std::ios::in | std::ios::out);
        object.seekp(static_cast<std::streamoff>(entry.file_size()) / 2);
        object << "damaged!";
        ++damaged;
    }
    EXPECT_GE(damaged, 1); // steps and what nodes show are one function
    const auto again = run();
    EXPECT_EQ(again.code, 0);
    EXPECT_EQ(again.out.substr(0, 200), first);
}

} // namespace
