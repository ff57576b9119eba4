// CSV: the text of a number, and rows that are on disk while the run still goes on.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>
#include <thread>
#include <unistd.h>

#include <rattleback/rattleback.hpp>

namespace rattleback {
namespace {

std::string read(const std::string& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

struct File {
    std::string name = std::filesystem::temp_directory_path() / ("rattleback_csv_" + std::to_string(getpid()) + ".csv");
    ~File() { std::filesystem::remove(name); }
};

Run with_column() {
    auto layout = std::make_shared<Layout>();
    layout->add({"t", ColumnGroup::time, {"t"}});
    layout->add({"x", ColumnGroup::state, {"x"}, {1}});
    return Run(layout);
}

TEST(Csv, NumbersReadAsPrintfWritesThem) {
    constexpr double inf = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    std::vector<double> numbers{0.0,
                                -0.0,
                                inf,
                                -inf,
                                nan,
                                std::copysign(nan, -1.0),
                                5e-324,
                                1e-310,
                                1e16,
                                1e17,
                                0.1,
                                1e-4,
                                1e-5,
                                123456789012345678.0,
                                1e22,
                                1e23,
                                -2.5,
                                1e300,
                                1.0,
                                2.2250738585072014e-308,
                                1.7976931348623157e308,
                                99999999999999984.0};
    std::mt19937_64 random(7);
    for (int i = 0; i < 200000; ++i) numbers.push_back(std::bit_cast<double>(random()));
    for (int i = 0; i < 100000; ++i) // subnormals
        numbers.push_back(std::bit_cast<double>(random() & 0x800fffffffffffffULL));
    std::normal_distribution<double> usual;
    for (int i = 0; i < 100000; ++i) numbers.push_back(usual(random));
    rattleback::Run run = with_column();
    std::string wanted = "t,x\n";
    for (double x : numbers) {
        run.record.append(std::vector<double>{0.25, x});
        char text[64];
        std::snprintf(text, sizeof text, "0.25,%.17g\n", x);
        wanted += text;
    }
    const File file;
    write_csv(run, file.name);
    EXPECT_TRUE(read(file.name) == wanted);
}

TEST(Csv, RowsAreOnDiskWithinASecond) {
    const rattleback::Run run = with_column();
    const File file;
    std::ofstream(file.name) << "older\n";
    CsvWriter writer(file.name, run, {"x"});
    const Row row{nullptr, {0.5, 2}};
    writer.add({0, 0.5, row});
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    writer.add({1, 0.5, row});
    EXPECT_EQ(read(file.name), "x\n2\n2\n");
    writer.add({2, 0.5, row});
    writer.finish();
    EXPECT_EQ(read(file.name), "x\n2\n2\n2\n");
    EXPECT_EQ(writer.rows(), 3);
}

TEST(Csv, WithoutRowsAnOlderFileStays) {
    const rattleback::Run run = with_column();
    const File file;
    std::ofstream(file.name) << "older\n";
    CsvWriter(file.name, run).finish();
    EXPECT_EQ(read(file.name), "older\n");
    EXPECT_THROW(CsvWriter(file.name, run, {"y"}), BadRun);
    EXPECT_THROW(CsvWriter("/nowhere/a.csv", run), CannotWrite);
}

} // namespace
} // namespace rattleback
