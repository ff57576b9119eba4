// Nothing that was computed is lost, and nothing that was there before: killed runs, lost pipes, full disks, signals,
// outputs with the name of an input.
#include "app/program.hpp"

#include <sys/stat.h>

#include <rattleback/rattleback.hpp>

namespace app_test {
namespace {

using Strings = std::vector<std::string>;

const std::string& model() {
    static const std::string path = write_file("pendulum.toml", pendulum);
    return path;
}

Strings long_run(const std::string& file) {
    return {"run", model(), "-s", "0.5", "--steps", "2000000000", "-o", file, "--quiet"};
}

// The rows of a CSV file of long_run, all of them whole and none of them missing in between.
void expect_whole_rows(const std::string& text, const std::string& what) {
    ASSERT_FALSE(text.empty()) << what;
    EXPECT_EQ(text.back(), '\n') << what << " ends with " << text.substr(text.rfind('\n') + 1);
    const Strings lines = split(text, '\n');
    ASSERT_GT(lines.size(), 10u) << what;
    EXPECT_EQ(lines[0].rfind("t,theta,", 0), 0u) << what;
    for (std::size_t k = 1; k < lines.size(); ++k) {
        const Strings words = split(lines[k], ',');
        ASSERT_EQ(words.size(), 9u) << what << ", line " << k;
        ASSERT_EQ(std::strtod(words[0].c_str(), nullptr), 0.5 * static_cast<double>(k - 1)) << what;
    }
}

// NOTE: a kill in the middle of a write may leave a line without its end, at a page of the file: the kernel copies page
// by page, and no call writes over the border of two at once. Measured: 2 of 400, and 5 of 200 on a busy machine.
TEST(Streams, AKilledRunLeavesWholeRows) {
    int cut = 0;
    for (int kill = 0; kill < 60; ++kill) {
        const std::string file = folder() / "killed.csv";
        std::filesystem::remove(file);
        const Outcome o = rattleback(
            long_run(file), {.interrupt_after = 0.0007 * (kill * 37 % 60), .once_there = file, .signal = SIGKILL});
        EXPECT_EQ(o.code, -SIGKILL);
        std::string text = read_file(file);
        cut += !text.ends_with('\n');
        text.erase(text.rfind('\n') + 1);
        expect_whole_rows(text, "kill " + std::to_string(kill));
    }
    EXPECT_LE(cut, 6);
}

TEST(Streams, SignalsFinishTheFile) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        const std::string file = folder() / "signalled.csv";
        std::filesystem::remove(file);
        const Outcome o = rattleback(long_run(file), {.interrupt_after = 0, .once_there = file, .signal = signal});
        EXPECT_EQ(o.code, 3) << signal;
        EXPECT_NE(o.err.find("results up to there are in " + file), std::string::npos) << o.err;
        expect_whole_rows(read_file(file), "signal " + std::to_string(signal));
    }
}

// Nothing has been written yet, and nobody looks at a flag: the program just ends.
TEST(Streams, SignalsEndTheSetUp) {
    const std::string chain = write_file("long_chain.toml", R"-(coordinates = ["x[1..n]"]
[parameters]
n = 100000
[definitions]
"x[0]" = "0"
"x[n+1]" = "0"
[mechanics]
lagrangian = "sum(i in 1..n: x[i]'^2/2) - sum(i in 0..n: (x[i+1] - x[i])^4)"
[initial]
q = { "x[i]" = "sin(pi*i/(n+1))" }
v = { "x[i]" = "0" }
)-");
    const Strings run = {"-m", "gauss:stages=3", "-s", "0.01", "--steps", "1000000000"};
    for (const char* verb : {"run", "verify", "compare", "order", "check"}) {
        Strings words{verb, chain};
        if (words[0] != "check") words.insert(words.end(), run.begin(), run.end());
        const Outcome o = rattleback(words, {.interrupt_after = 0.15, .signal = SIGTERM, .memory = RLIM_INFINITY});
        EXPECT_EQ(o.code, 3) << verb << o.err;
        EXPECT_NE(o.err.find("rattleback: interrupted\n"), std::string::npos) << verb << o.err;
    }
}

TEST(Streams, AReaderGetsRowsWhileTheRunGoesOn) {
    const Outcome o = rattleback(long_run("-"), {.reads = 200000});
    EXPECT_EQ(o.code, 1);
    EXPECT_EQ(o.err, "rattleback: cannot write to standard output: Broken pipe\n");
    ASSERT_GE(o.out.size(), 200000u);
    expect_whole_rows(o.out.substr(0, o.out.rfind('\n') + 1), "what was read");
}

TEST(Streams, AFullDiskLeavesWholeRows) {
    const std::string file = folder() / "full.csv";
    const Outcome o = rattleback(long_run(file), {.file_size = 1234567});
    EXPECT_EQ(o.code, 1);
    EXPECT_EQ(o.err, "rattleback: cannot write " + file + ": File too large\n");
    const std::string text = read_file(file);
    EXPECT_GT(text.size(), 1234567u - 1000);
    expect_whole_rows(text, "a full disk");
    const std::string first = folder() / "first.csv"; // not even the first block fits
    EXPECT_EQ(rattleback(long_run(first), {.file_size = 12345}).code, 1);
    expect_whole_rows(read_file(first), "a small disk");
}

TEST(Streams, NodesAreKeptInNoMemory) {
    const auto megabytes = [](const char* steps) {
        const std::string file = folder() / "memory.csv";
        const Outcome o =
            rattleback({"run", model(), "--steps", steps, "-o", file, "--quiet", "--backend", "interpret"});
        EXPECT_EQ(o.code, 0) << o.err;
        return o.megabytes;
    };
    EXPECT_LT(megabytes("400000"), megabytes("100") + 8) << "a record of them would take 29 MB and more";
}

// Wherever memory ends, in the set-up, in the thread that compiles or in LLVM: a message, or the tape.
TEST(Streams, OutOfMemoryIsAMessage) {
    const std::string cache = folder() / "empty_cache";
    setenv("RATTLEBACK_CACHE", cache.c_str(), 1);
    int done = 0;
    for (rlim_t megabytes = 12; megabytes < 100; megabytes += 4) {
        std::filesystem::remove_all(cache); // so that there is something to compile
        const Outcome o =
            rattleback({"run", model(), "--steps", "100000", "--every", "1000", "-o", folder() / "short.csv"},
                       {.memory = megabytes << 20});
        if (o.err.find("error while loading shared libraries") != std::string::npos) continue; // not yet ours
        EXPECT_TRUE(o.code == 0 || o.code == 1) << megabytes << " MB: " << o.code << "\n" << o.err;
        EXPECT_EQ(o.code == 1, o.err.rfind("rattleback: out of memory: ", 0) == 0) << megabytes << " MB: " << o.err;
        done += o.code == 0;
    }
    EXPECT_GT(done, 10);
    unsetenv("RATTLEBACK_CACHE");
    const Outcome page = rattleback({"run", model(), "--steps", "1000000000000", "--report", folder() / "never.html"});
    EXPECT_EQ(page.code, 2);
    EXPECT_EQ(page.err.rfind("rattleback: out of memory: a record of 1e+12 nodes with 9 columns takes 7.2e+04 GB", 0),
              0u)
        << page.err;
}

TEST(Streams, ARunThatDoesNotBeginLeavesTheOlderFile) {
    const std::string fails = write_file("fails.toml", R"-(coordinates = ["x"]
[mechanics]
lagrangian = "x'^2/2 - sqrt(x)"
[initial]
q = [-1]
v = [0]
)-");
    for (const char* name : {"older.csv", "older.h5"}) {
        const std::string file = write_file(name, "older\n");
        const Outcome o = rattleback({"run", fails, "-m", "rk4", "-s", "0.1", "--steps", "5", "-o", file});
        EXPECT_NE(o.code, 0);
        EXPECT_EQ(o.err.find("results up to there"), std::string::npos) << o.err;
        EXPECT_EQ(read_file(file), "older\n");
    }
}

TEST(Outputs, NeverReplaceInputs) {
    const std::string mine = write_file("mine.toml", pendulum), hard = folder() / "hard.html",
                      soft = folder() / "soft.html";
    std::filesystem::create_hard_link(mine, hard);
    std::filesystem::create_symlink("mine.toml", soft);
    const std::string csv = folder() / "mine.csv", page = folder() / "one.html", same = folder() / "." + "/./one.html";
    ASSERT_EQ(rattleback({"run", mine, "-o", csv, "--quiet"}).code, 0);
    const std::string rows = read_file(csv);
    const auto refused = [](const Strings& words, const std::string& says) {
        const Outcome o = rattleback(words);
        EXPECT_EQ(o.code, 2) << words.back();
        EXPECT_NE(o.err.find(says), std::string::npos) << o.err;
    };
    for (const std::string& to : {mine, hard, soft}) {
        refused({"run", mine, "--report", to}, "--report " + to + ": that would replace " + mine);
        refused({"verify", mine, "-o", to}, "-o " + to + ": that would replace " + mine);
        refused({"compare", mine, "-m", "rk4", "--report", to}, "that would replace");
    }
    refused({"report", csv, "-o", csv}, csv + ": a page is an HTML file");
    refused({"run", mine, "-o", csv, "--report", csv}, "--report " + csv + ": -o writes to the same file");
    refused({"verify", mine, "-o", page, "--report", same}, "-o writes to the same file");
    EXPECT_EQ(read_file(mine), pendulum);
    EXPECT_EQ(read_file(csv), rows);
    EXPECT_FALSE(std::filesystem::exists(page));
    const std::string model_c = write_file("model.c", pendulum), model_h = write_file("model.h", pendulum);
    refused({"export", model_c, "-m", "midpoint", "-o", model_c}, "that would replace");
    refused({"export", model_h, "-m", "midpoint", "-o", model_c}, "that would replace");
    EXPECT_EQ(read_file(model_c) + read_file(model_h), std::string(pendulum) + std::string(pendulum));
}

TEST(Outputs, ReplaceOlderFilesWhole) {
    const std::string page = write_file("page.html", "older\n"), link = folder() / "link.html";
    std::filesystem::create_symlink("page.html", link);
    ASSERT_EQ(chmod(page.c_str(), 0640), 0);
    const Outcome o = rattleback({"run", model(), "--report", link, "--quiet"}, {.file_size = 20000});
    EXPECT_EQ(o.code, 1);
    EXPECT_EQ(o.err, "rattleback: cannot write " + link + ": File too large\n");
    EXPECT_EQ(read_file(page), "older\n") << "it stays until the new one is whole";
    EXPECT_EQ(rattleback({"run", model(), "--report", link, "--quiet"}).code, 0);
    EXPECT_GT(read_file(page).size(), 20000u);
    EXPECT_TRUE(std::filesystem::is_symlink(link));
    struct stat now = {};
    ASSERT_EQ(stat(page.c_str(), &now), 0);
    EXPECT_EQ(now.st_mode & 0777, 0640u);
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(page).parent_path()))
        EXPECT_EQ(entry.path().filename().string().rfind(".page.html", 0), std::string::npos) << entry.path();
    EXPECT_EQ(rattleback({"run", model(), "--report", "/dev/null", "--quiet"}).code, 0);
    EXPECT_FALSE(std::filesystem::is_regular_file("/dev/null"));
    const std::string redirected = folder() / "redirected.html";
    EXPECT_GT(rattleback({"run", model(), "--report", "/dev/stdout", "--quiet"}).out.size(), 20000u) << "a pipe";
    EXPECT_EQ(rattleback({"run", model(), "--report", "/dev/stdout", "--quiet"}, {.out_file = redirected}).code, 0);
    EXPECT_GT(read_file(redirected).size(), 20000u);
}

TEST(Outputs, OfACutFileAreTheWholeRows) {
    const std::string file = write_file("cut.csv", "t,x,energy\n0,1,2\n0.1,1,2\n0.2,1,2.0"),
                      page = folder() / "cut.html";
    const Outcome o = rattleback({"report", file, "-o", page});
    EXPECT_EQ(o.code, 0);
    const std::string says = "The last line of " + file + " is cut short and left out; 2 whole rows are read.";
    EXPECT_EQ(o.err, "rattleback: warning: " + file +
                         ".json, which has its model, is not there\n"
                         "  the page has the columns alone; --model MODEL draws the motion, too\n"
                         "rattleback: warning: " +
                         says + "\n");
    EXPECT_NE(read_file(page).find(says), std::string::npos);
}

TEST(Options, AreReadWhole) {
    const auto refused = [](const Strings& words, const std::string& says) {
        Strings all{"run", model()};
        all.insert(all.end(), words.begin(), words.end());
        const Outcome o = rattleback(all);
        EXPECT_EQ(o.code, 2) << words[0];
        EXPECT_EQ(o.err, "rattleback: " + says + "\n");
    };
    refused({"--steps", "9223372036854775808"},
            "--steps 9223372036854775808: whole numbers go up to 9223372036854775807");
    refused({"--steps", "12x"}, "--steps 12x: a whole number is needed");
    refused({"--every", "1.5"}, "--every 1.5: a whole number is needed");
    refused({"--threads", "two"}, "--threads two: a whole number is needed");
    for (const char* option : {"--steps", "--every", "--step", "--until", "--tol", "--output", "--columns", "--report",
                               "--method", "--lambda", "--backend", "--force", "--threads"})
        refused({option, ""}, std::string(option) + " needs a value; the one that is given is empty");
    refused({"--step", "1e999"}, "--step 1e999: 1e+999 is not a finite number");
    refused({"--step", "0.1 0.2"}, "--step 0.1 0.2: an operator is missing before '0.2': write '*' for a product");
}

} // namespace
} // namespace app_test
