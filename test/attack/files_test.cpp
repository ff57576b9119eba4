// Results that were damaged on their way, or made to do harm: refused with the name of the file, or read with the
// numbers that were written. A digit of a CSV file that became another digit cannot be seen, so there rows are counted.
// HDF5 has more of these in test/output/hdf5_safety_test.cpp and test/oracle/hdf5_crafted.py, objects of the cache
// theirs in test/code/hostile_cache_test.cpp; scripts/test attack runs them all.
#include <cmath>
#include <random>

#include "app/program.hpp"
#include "attack/campaign.hpp"
#include "output/hdf5.hpp"

namespace attack {
namespace {

using namespace app_test;
using ::rattleback::BadRun, ::rattleback::ReportRun;

enum Outcome { refused, whole, part_and_said_so };

std::string damaged(std::string bytes, std::mt19937_64& random) {
    const auto at = [&] { return random() % bytes.size(); };
    switch (random() % 6) {
    case 0: bytes.resize(at()); break;
    case 1: bytes.erase(at(), 1 + random() % 5000); break;
    case 2: bytes.insert(at(), bytes.substr(at(), random() % 5000)); break;
    case 3: bytes.replace(at(), 1 + random() % 4096, std::string(1 + random() % 4096, '\0')); break;
    default:
        for (std::size_t flips = 1 + random() % 3; flips > 0; --flips)
            bytes[at()] ^= static_cast<char>(1u << random() % 8);
    }
    return bytes;
}

// A CSV file, an HDF5 file of a finished run, and one of a run that was interrupted in the middle of a block.
struct Sources {
    std::string bytes[2];
    std::vector<double> t[2];

    Sources() {
        const char* const names[] = {"whole.csv", "whole.h5"};
        for (int i = 0; i < 2; ++i) {
            const std::string file = folder() / names[i];
            EXPECT_EQ(app_test::rattleback(
                          {"run", "pendulum", "-m", "midpoint", "-s", "0.125", "--steps", "400", "--quiet", "-o", file})
                          .code,
                      0);
            bytes[i] = read_file(file);
            t[i] = (i == 0 ? ::rattleback::read_csv(file) : report_run(::rattleback::read_hdf5(file))).t;
        }
    }
};
const Sources& sources() {
    static const Sources all;
    return all;
}

std::string damaged_file(long seed) {
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    return damaged(sources().bytes[seed % 2], random);
}

int judged(const std::string& bytes, long seed, std::string& violation) {
    const bool hdf5 = seed % 2;
    const std::string file = write_file(hdf5 ? "damaged.h5" : "damaged.csv", bytes);
    try {
        const ReportRun run = hdf5 ? report_run(::rattleback::read_hdf5(file)) : ::rattleback::read_csv(file);
        const std::vector<double>& t = sources().t[hdf5];
        const bool ends_with_a_line = !hdf5 && bytes.ends_with('\n'); // a CSV file does not say how long it was
        if (hdf5 && run.t != t) violation = "other times than were written";
        if (run.t.size() < t.size() && run.note.empty() && !ends_with_a_line) violation = "rows are lost in silence";
        return run.t.size() < t.size() ? part_and_said_so : whole;
    } catch (const BadRun& e) {
        if (std::string_view(e.what()).find(file) == std::string::npos) violation = "a message that names no file";
        return refused;
    }
}

TEST(Attack, DamagedResults) {
    ASSERT_FALSE(sources().t[0].empty());
    Campaign("damaged result files", {"refused", "read whole", "read in part"}, damaged_file, judged)
        .run(how_many(400, 2'000));
}

TEST(Attack, CraftedCsv) {
    const std::string nul("\0", 1);
    const std::vector<std::string> crafted = {"",
                                              "\n",
                                              "t",
                                              "t\n",
                                              "t,x",
                                              "t,x\n",
                                              ",\n",
                                              "t,x\n\n",
                                              "t,x\n0\n",
                                              "t,x\n0,1,2\n",
                                              "t,x\n0,\n",
                                              "t,x\n,1\n",
                                              "t,x\n0,one\n",
                                              "t,x\n0,0x10\n",
                                              "t,x\n0, 1\n",
                                              "t,x\n0,1 \n",
                                              "t,x\n0,1e999\n",
                                              "t,x\n0,+1\n",
                                              "t,x\n0,\"1\n",
                                              "t,x\n0,\"1,2\"\n",
                                              "x,t\n0,1\n",
                                              "t,t\n0,x\n",
                                              "\xef\xbb\xbft,x\n0,1\n",
                                              "t;x\n0;1\n",
                                              "t\tx\n0\t1\n",
                                              "t,\"x\n0,1\n",
                                              "t,x\r0,1\r",
                                              nul + "t,x\n0,1\n",
                                              "t,x\n0," + nul + "\n",
                                              "t,x\n0,1" + nul + "\n",
                                              "\x89HDF\r\n\x1a\n",
                                              "t,x\n0,nan\n",
                                              "t,x\n0,inf\n",
                                              "t,x\nnan,0\n",
                                              "t,x\n0,1\n1,-nan\n",
                                              "t,x\n0,infinity\n",
                                              "t,\x1b[2J\n0,oops\n",
                                              "t,x\n0,\x1b[31m\n",
                                              "t,x\n0,\u202e1\n",
                                              "t" + std::string(2'000'000, ',') + "\n",
                                              "t,x\n" + std::string(1'000'000, '9') + ",1\n",
                                              "t,x\n0,1." + std::string(1'000'000, '0') + "x\n",
                                              "t,x\n0,1\n0,1\n0,1",
                                              "t,x\n0,1\n0",
                                              "<html>\n",
                                              "t,x\n0,1\n\n\n",
                                              "t,x\n# no\n",
                                              "t,x\n0,--1\n",
                                              "t,x\n0,1e\n",
                                              "t,x\n0,1-1\n",
                                              "t,x\n0,\xff\n",
                                              "\xff\xfet\n",
                                              "t,x\n0,1,\n",
                                              "t,,\n0,\n"};
    long violations = 0;
    for (std::size_t i = 0; i < crafted.size(); ++i) {
        const std::string file = write_file("crafted.csv", crafted[i]), page = folder() / "crafted.html";
        const app_test::Outcome o = app_test::rattleback({"report", file, "-o", page});
        const bool part = crafted[i] == "t,x\n0,1\n0,1\n0,1" || crafted[i] == "t,x\n0,1\n0"; // said to be cut short
        const bool said = o.code == (part ? 0 : 2) && o.err.find("crafted.csv") != std::string::npos;
        if (said && o.err.find('\x1b') == std::string::npos && o.err.size() < 5000) continue;
        ++violations;
        keep("crafted_csv", static_cast<long>(i), crafted[i], "exit " + std::to_string(o.code) + ": " + o.err);
    }
    conclude(static_cast<long>(crafted.size()), "crafted CSV files", "", violations);
}

} // namespace
} // namespace attack
