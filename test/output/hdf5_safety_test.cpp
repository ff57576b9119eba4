// HDF5 files of others, of runs that were killed, and on disks that are full: an error or what was written, never a
// crash.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "output/hdf5.hpp"
#include "output/hdf5_stream.hpp"
#include "output/hdf5_trailer.hpp"

#include "../../backend/number_checksum.hpp"

#if defined(__linux__)
#include <sys/syscall.h>

namespace {
long long pages_before_kill = -1; // negative: as many as there are
}

// What the module that writes HDF5 calls: the system's own, which a kill may end between two pages of the file.
extern "C" ssize_t pwrite(int fd, const void* from, std::size_t size, off_t at) {
    constexpr std::size_t page = 4096;
    std::size_t done = 0;
    while (done < size) {
        if (pages_before_kill == 0) ::raise(SIGKILL);
        if (pages_before_kill > 0) --pages_before_kill;
        const off_t to = at + static_cast<off_t>(done);
        const std::size_t part = std::min(size - done, page - static_cast<std::size_t>(to) % page);
        const auto written = ::syscall(SYS_pwrite64, fd, static_cast<const char*>(from) + done, part, to);
        if (written < 0) return done > 0 ? static_cast<ssize_t>(done) : -1;
        done += static_cast<std::size_t>(written);
    }
    return static_cast<ssize_t>(size);
}
#endif

namespace rattleback {
namespace {

namespace fs = std::filesystem;

constexpr const char* wide = R"-(coordinates = ["x[1..n]"]
[parameters]
n = 1000
[mechanics]
lagrangian = "sum(i in 1..n: x[i]'^2/2)"
[initial]
q = { "x[i]" = "1/i" }
v = { "x[i]" = "1" }
)-";
constexpr const char* narrow = "coordinates = [\"x\"]\n[mechanics]\nlagrangian = \"x'^2/2 - x^2/2\"\n[initial]\n"
                               "q = [1]\nv = [0]\n[observables]\ndouble = \"2*x\"\n";

class Hdf5Safety : public testing::Test {
  protected:
    void SetUp() override {
        folder = fs::temp_directory_path() / ("rattleback_safety_" + std::to_string(::getpid()));
        fs::create_directory(folder);
        file = folder / "a.h5";
    }
    void TearDown() override { fs::remove_all(folder); }

    // Rows of numbers, each of which says where it stands, instead of those of the motion.
    void add_row(const rattleback::Run& run, Hdf5Writer& writer, std::size_t k) const {
        Row row;
        row.values.assign(run.record.layout().width, static_cast<double>(k));
        writer.add({static_cast<long long>(k), 0, row});
    }
    void add_rows(const rattleback::Run& run, Hdf5Writer& writer, std::size_t rows) const {
        for (std::size_t k = 0; k < rows; ++k) add_row(run, writer, k);
    }
    // A run without steps, and what is done with it before them.
    rattleback::Run prepared(const char* model, const std::function<void(const rattleback::Run&)>& work) const {
        RunOptions options{.method = "midpoint", .step = 1, .steps = 0};
        options.prepared = work;
        return integrate(read_model(model, "m.toml"), options);
    }
    void write(const char* model, std::size_t rows, bool finish = true) const {
        std::unique_ptr<Hdf5Writer> writer;
        const rattleback::Run run = prepared(model, [&](const rattleback::Run& begun) {
            writer = std::make_unique<Hdf5Writer>(file, begun);
            add_rows(begun, *writer, rows);
        });
        if (finish) writer->finish(run);
    }
    void write(std::size_t rows, bool finish = true) const { write(narrow, rows, finish); }
    std::string bytes() const {
        std::ifstream from(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(from), {}};
    }
    void put(const std::string& contents) const { std::ofstream(file, std::ios::binary) << contents; }
    std::string complaint(std::size_t* rows = nullptr, bool* finished = nullptr) const {
        // empty: it was read, and its numbers are those of write()
        try {
            const StoredRun run = read_hdf5(file);
            if (rows) *rows = run.record.table(0).rows();
            if (finished) *finished = run.finished;
            for (std::size_t g = 0; g < run.record.layout().groups.size(); ++g)
                for (std::size_t k = 0; k < run.record.table(g).rows(); ++k)
                    for (const double x : run.record.table(g).row(k))
                        if (x != static_cast<double>(k)) return "WRONG NUMBERS";
            return "";
        } catch (const BadRun& e) { return e.what(); }
    }

    fs::path folder, file;
};

TEST_F(Hdf5Safety, AChangedByteOfAFinishedFileIsSeen) {
    write(50);
    EXPECT_EQ(complaint(), "");
    const std::string whole = bytes();
    std::mt19937 random(1);
    std::size_t damaged = 0, read = 0;
    for (int i = 0; i < 700; ++i) {
        std::string changed = whole;
        changed[random() % changed.size()] ^= static_cast<char>(1 << random() % 8);
        put(changed);
        const std::string why = complaint();
        damaged += why == file.string() + " is damaged: checksum differs; make it again, or take it from a copy";
        read += why.empty();
    }
    EXPECT_GE(damaged, 698u); // but for changes of the words of the trailer
    EXPECT_EQ(damaged + read, 700u);
}

// Without the trailer nothing tells a changed byte of the numbers but the checksum of their chunk.
TEST_F(Hdf5Safety, AChangedByteOfAFileThatWasKilledIsSeenOrHarmless) {
    write(300, false);
    EXPECT_EQ(complaint(), "");
    EXPECT_FALSE(read_hdf5(file).finished);
    const std::string whole = bytes();
    std::mt19937 random(2);
    std::size_t refused = 0, read = 0;
    for (int i = 0; i < 300; ++i) {
        std::string changed = whole;
        const std::size_t most = i % 2 ? 16384 : changed.size(); // half of them where headers are
        changed[random() % most] ^= static_cast<char>(1 << random() % 8);
        if (i % 10 == 0) changed.resize(random() % changed.size());
        put(changed);
        const std::string why = complaint();
        EXPECT_NE(why, "WRONG NUMBERS") << i;
        ++(why.empty() ? read : refused);
    }
    EXPECT_GT(refused, 100u);
    EXPECT_EQ(read + refused, 300u);
}

TEST_F(Hdf5Safety, AFileCutShortIsRefused) {
    write(50);
    const std::string whole = bytes();
    for (const std::size_t size : {0ul, 1ul, 8ul, 100ul, 3000ul, whole.size() / 2, whole.size() - 5000}) {
        put(whole.substr(0, size));
        EXPECT_EQ(complaint(), file.string() + " is no result: it is no HDF5 file, or it was cut short") << size;
    }
    put(whole.substr(0, whole.size() - 1)); // the trailer is not whole, but the numbers are
    EXPECT_EQ(complaint(), "");
    EXPECT_EQ(read_hdf5(file).status, "not finished");
}

TEST_F(Hdf5Safety, WhatIsNoFileIsRefusedAtOnce) {
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0); // opening it would wait for somebody to write
    EXPECT_EQ(complaint(), "cannot read " + file.string() + ": it is no file");
}

// Blocks of 8 MB as fast as they go, so that most kills come while one is written.
TEST_F(Hdf5Safety, AKillLeavesWholeBlocks) {
    std::mt19937 random(3);
    prepared(wide, [&](const rattleback::Run& run) { // the set-up, once
        for (int i = 0; i < 100; ++i) {
            fs::remove(file);
            const pid_t child = ::fork();
            ASSERT_GE(child, 0);
            if (child == 0) {
                Hdf5Writer writer(file, run);
                add_rows(run, writer, 1'000'000);
                ::_exit(0);
            }
            int status = 0;
            while (!fs::exists(file) && ::waitpid(child, &status, WNOHANG) == 0) ::usleep(500);
            ::usleep(static_cast<useconds_t>(random() % 15'000));
            ::kill(child, SIGKILL);
            ::waitpid(child, &status, 0);
            ASSERT_EQ(complaint(), "") << i;
        }
    });
}

#if defined(__linux__)
// The same for every page that the second block, the end and the trailer write: the kill comes before it.
TEST_F(Hdf5Safety, AKillBetweenAnyTwoPagesLeavesWholeBlocks) {
    constexpr std::size_t first = 101, second = 50;
    const rattleback::Run whole = prepared(narrow, [](const rattleback::Run&) {});
    prepared(narrow, [&](const rattleback::Run& run) {
        Hdf5Writer writer(file, run);
        add_rows(run, writer, first - 1);
        ::usleep(1'010'000); // a block is written every second
        add_row(run, writer, first - 1);
        const std::string before = bytes();
        std::size_t old_rows = 0, new_rows = 0;
        for (int pages = 0;; pages += 3) { // all of them pass, too, in 14 s
            put(before);
            const pid_t child = ::fork();
            ASSERT_GE(child, 0);
            if (child == 0) {
                pages_before_kill = pages;
                for (std::size_t k = first; k < first + second; ++k) add_row(run, writer, k);
                writer.finish(whole);
                ::_exit(0);
            }
            int status = 0;
            ::waitpid(child, &status, 0);
            std::size_t rows = 0;
            bool finished = false;
            ASSERT_EQ(complaint(&rows, &finished), "") << pages;
            ASSERT_TRUE(rows >= first && rows <= first + second) << pages << ": " << rows;
            old_rows += rows == first, new_rows += rows == first + second; // a second may pass meanwhile: then between
            ASSERT_EQ(finished, WIFEXITED(status)) << pages;
            if (WIFEXITED(status)) break;
        }
        EXPECT_GT(old_rows, 10u);
        EXPECT_GT(new_rows, 10u);
        put(before);
    });
}
#endif

// A journal with its checksum can be made by anybody; it leads nowhere but into the pages of the file.
TEST_F(Hdf5Safety, AJournalOfOthersIsReadWithinTheFile) {
    write(50, false);
    const std::string whole = bytes();
    const auto journal = [&](std::uint64_t number, std::uint64_t count, const std::string& page, std::uint64_t flip) {
        std::string text(reinterpret_cast<const char*>(&number), sizeof number);
        text += page;
        std::uint64_t ends[2] = {count, checksum_of(checksum_of_nothing, text.data(), text.size() / 8) ^ flip};
        text += std::string("rb journal 1\n\0\0\0", 16);
        return text + std::string(reinterpret_cast<const char*>(ends), sizeof ends);
    };
    const std::string first = whole.substr(0, 4096), zeros(4096, '\0');
    put(whole + journal(0, 1, first, 0)); // what is there already
    EXPECT_EQ(complaint(), "");
    put(whole + journal(0, 1, zeros, 0));
    EXPECT_EQ(complaint(), file.string() + " is no result: it is no HDF5 file, or it was cut short");
    put(std::string(4096, '\0') + whole.substr(4096) + journal(0, 1, first, 0)); // a kill in the first page
    EXPECT_EQ(complaint(), "");
    put(whole + journal(0, 1, zeros, 1)); // not whole: it does not count
    EXPECT_EQ(complaint(), "");
    for (const std::uint64_t number : {1ull << 20, 1ull << 52, ~0ull}) {
        put(whole + journal(number, 1, zeros, 0));
        EXPECT_EQ(complaint(), "") << number;
    }
    for (const std::uint64_t count : {2ull, 1ull << 51, ~0ull}) {
        put(whole + journal(0, count, zeros, 0));
        EXPECT_EQ(complaint(), "") << count;
    }
}

// Runs `work` where no file may be longer than `most` bytes, as on a disk that is full; returns its exit code.
int with_file_limit(rlim_t most, const std::function<int()>& work) {
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit limit{most, most};
        std::signal(SIGXFSZ, SIG_IGN);
        ::setrlimit(RLIMIT_FSIZE, &limit);
        ::_exit(work());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(Hdf5Safety, AFullDiskKeepsWhatIsThere) {
    const auto fill = [&] {
        try {
            write(wide, 5000);
        } catch (const CannotWrite& e) { return std::strstr(e.what(), "File too large; ") ? 7 : 8; }
        return 0;
    };
    EXPECT_EQ(with_file_limit(rlim_t{30} << 20, fill), 7);
    EXPECT_EQ(complaint(), "");
    const StoredRun run = read_hdf5(file);
    EXPECT_FALSE(run.finished);
    EXPECT_GT(run.record["t"].rows(), 100u);
    EXPECT_LT(run.record["t"].rows(), 5000u);
    EXPECT_FALSE(fs::exists(file.string() + ".partial"));
}

TEST_F(Hdf5Safety, AnOldResultStaysUntilTheNewOneHasRows) {
    write(20);
    const std::string old = bytes();
    const auto fail = [&] {
        try {
            write(50);
        } catch (const CannotWrite& e) { return std::strcmp(e.what() + std::strlen(e.what()) - 4, "arge") ? 8 : 7; }
        return 0;
    };
    EXPECT_EQ(with_file_limit(20000, fail), 7);
    EXPECT_EQ(bytes(), old);
    EXPECT_FALSE(fs::exists(file.string() + ".partial"));
    prepared(narrow, [&](const rattleback::Run& run) {
        const Hdf5Writer writer(file, run);
        EXPECT_EQ(bytes(), old);
        EXPECT_THROW(Hdf5Writer(file, run), CannotWrite) << "two writers at once";
    });
    EXPECT_EQ(bytes(), old) << "a writer without rows leaves no trace";
    write(30);
    EXPECT_EQ(read_hdf5(file).record["t"].rows(), 30u);
}

TEST_F(Hdf5Safety, FollowsALinkAndKeepsPermissions) {
    write(20);
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink(file, folder / "link.h5");
    const fs::path real = file;
    file = folder / "link.h5";
    write(30);
    EXPECT_TRUE(fs::is_symlink(file));
    EXPECT_EQ(read_hdf5(real).record["t"].rows(), 30u);
    EXPECT_EQ(fs::status(real).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

// The stream of the program that reads, as somebody who took it over could make it.
class Stream {
  public:
    Stream() : bytes_(stream_magic) {}
    Stream& add(std::uint32_t kind, const std::string& name, std::uint64_t rows, std::uint64_t width,
                const std::string& contents = "") {
        const StreamRecord record{kind, static_cast<std::uint32_t>(name.size()), rows, width};
        bytes_.append(reinterpret_cast<const char*>(&record), sizeof record);
        bytes_ += name + contents;
        return *this;
    }
    std::string complaint(std::uint64_t file_size = 1000) const {
        std::size_t at = 0;
        try {
            stored_run("f.h5", read_stream("f.h5", file_size, [&](char* to, std::size_t size) {
                           if (bytes_.size() - at < size) return false;
                           std::memcpy(to, bytes_.data() + at, size);
                           at += size;
                           return true;
                       }));
            return "";
        } catch (const BadRun& e) { return e.what(); }
    }

  private:
    std::string bytes_;
};

TEST(Hdf5Stream, EverySizeIsChecked) {
    const std::string no = "f.h5 is no result: ", much = no + "it says to hold more than fits into its size";
    EXPECT_EQ(Stream().complaint(), no + "reading it ended early");
    EXPECT_EQ(Stream().add(9, "", 0, 0).complaint(), no + "what reads HDF5 files answers in another format");
    EXPECT_EQ(Stream().add(StreamRecord::failure, "", 3, 1, "why").complaint(), no + "why");
    EXPECT_EQ(Stream().add(StreamRecord::text, "a", ~0ull, 1).complaint(), much);
    EXPECT_EQ(Stream().add(StreamRecord::numbers, "t", 1ull << 61, 8).complaint(), much);
    EXPECT_EQ(Stream().add(StreamRecord::numbers, "t", 1ull << 32, 1ull << 32).complaint(), much);
    EXPECT_EQ(Stream().add(StreamRecord::numbers, "t", 10, 0).complaint(), much);
    EXPECT_EQ(Stream().add(StreamRecord::numbers, "t", 100, 1).complaint(), no + "reading it ended early");
    const std::string numbers(80, '\0');
    EXPECT_EQ(Stream().add(StreamRecord::text, "a", 1, 1, "x").add(StreamRecord::text, "a", 1, 1, "x").complaint(),
              no + "it has an attribute twice");
    EXPECT_EQ(Stream()
                  .add(StreamRecord::numbers, "t", 10, 1, numbers)
                  .add(StreamRecord::numbers, "t", 10, 1, numbers)
                  .complaint(),
              no + "it has a dataset twice");
}

TEST(Hdf5Stream, LayoutsThatDoNotFitAreRefused) {
    const auto with = [](const std::string& layout, std::uint64_t rows = 2) {
        return Stream()
            .add(StreamRecord::text, "layout", layout.size(), 1, layout)
            .add(StreamRecord::numbers, "t", 2, 1, std::string(16, '\0'))
            .add(StreamRecord::end, "", rows, 0)
            .complaint();
    };
    const std::string no = "f.h5 is no result: ",
                      time = R"({"group": "t", "role": "time", "shape": [], "columns": ["t"]})";
    EXPECT_EQ(with("[" + time + "]"), no + "its attribute 'step' is missing"); // so far it is well
    EXPECT_EQ(with("[" + time + "]", 3), no + "'t' does not have 3 rows of 1");
    EXPECT_EQ(with("[" + time + "]", 0), no + "it has no rows");
    EXPECT_EQ(with("[]"), no + "its layout has no time 't'");
    EXPECT_EQ(with("[" + time + "," + time + "]"), no + "the group 't' is there twice");
    EXPECT_EQ(with(R"([{"group": "q", "role": "state", "shape": [], "columns": ["q"]}])"),
              no + "the first group of its layout must be the time 't'");
    for (const char* shape : {"-1", "1.5", "1e300", "3", "0"})
        EXPECT_NE(with("[" + time + R"(, {"group": "q", "role": "state", "shape": [)" + shape +
                       R"(], "columns": ["a", "b"]}])")
                      .find("the shape of 'q'"),
                  std::string::npos)
            << shape;
    EXPECT_EQ(with("[" + time + R"(, {"group": "q", "role": "state", "shape": [1], "columns": ["a"]}])"),
              no + "'q' does not have 2 rows of 1");
}

} // namespace
} // namespace rattleback
