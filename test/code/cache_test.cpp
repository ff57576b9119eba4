// The object cache: what is damaged, foreign or not ours is made anew; what cannot be written is only said.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <thread>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

#include "code/backend.hpp"
#include "code/cache.hpp"
#include "code/engine.hpp"
#include "code/object.hpp"

namespace rattleback::code {
namespace {

namespace fs = std::filesystem;

// state + c, once.
Listing adds(double c) {
    Listing l;
    const Number x(l, l.put(Do::load, Array::state, 0)), sum = x + c;
    l.put(Do::begin_steps);
    l.put(Do::end_steps);
    l.put(Do::store, Array::state, 0, sum.line());
    return l;
}

double run(const Compiled& compiled, double x) {
    double* const arrays[array_count] = {&x};
    compiled.native->entry()(arrays, 1, function_table());
    return x;
}

class CacheTest : public testing::Test {
  protected:
    void SetUp() override {
        if (!backend()) GTEST_SKIP() << backend_missing();
        std::string name = fs::temp_directory_path() / "rattleback_cache_XXXXXX";
        folder = mkdtemp(name.data());
    }
    void TearDown() override { fs::remove_all(folder); }
    std::string file(const Listing& l) { return cache().path(cache_key(l, {}, false, backend_identity())); }
    Cache cache() const { return Cache(folder / "objects"); }
    static std::string contents(const std::string& path) {
        std::ifstream in(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    fs::path folder;
};

TEST_F(CacheTest, KeepsObjectsForTheUserAlone) {
    const Compiled first = compile(adds(1), {}, false, cache()), second = compile(adds(1), {}, false, cache());
    EXPECT_FALSE(first.from_cache);
    EXPECT_TRUE(second.from_cache);
    EXPECT_EQ(first.warning, "");
    EXPECT_EQ(run(first, 2), 3);
    EXPECT_EQ(run(second, 2), 3);
    struct stat about {};
    ASSERT_EQ(stat((folder / "objects").c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0700u);
    ASSERT_EQ(stat(file(adds(1)).c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0600u);
}

TEST_F(CacheTest, WhatDiffersHasAnotherKey) {
    compile(adds(1), {}, false, cache());
    EXPECT_FALSE(compile(adds(2), {}, false, cache()).from_cache);
    EXPECT_FALSE(compile(adds(1), {2, 1}, false, cache()).from_cache);
    EXPECT_FALSE(compile(adds(1), {1, 2}, false, cache()).from_cache);
    EXPECT_FALSE(compile(adds(1), {}, true, cache()).from_cache);
    EXPECT_NE(cache_key(adds(1), {}, false, "one"), cache_key(adds(1), {}, false, "other"));
}

// Code for one processor is not found on another, nor what another version made.
TEST_F(CacheTest, KeysNameVersionsAndTheProcessor) {
    const std::string key = cache_key(adds(1), {}, false, "maker");
    EXPECT_TRUE(key.starts_with(std::string(interface_version) + "\nmaker\n"));
#ifdef __x86_64__
    for (unsigned leaf : {1u, 7u}) { // model and stepping; what it can do
        std::array<unsigned, 4> r{};
        ASSERT_TRUE(__get_cpuid_count(leaf, 0, &r[0], &r[1], &r[2], &r[3]));
        const unsigned word = leaf == 1 ? r[0] : r[1];
        EXPECT_NE(key.find(std::string(reinterpret_cast<const char*>(&word), sizeof word)), std::string::npos) << leaf;
    }
#endif
    EXPECT_NE(backend_identity().find("librattleback_llvm.so"), std::string::npos);
}

// Nor what somebody else could have put there.
TEST_F(CacheTest, WhatOthersCouldHaveWrittenIsNotTaken) {
    const std::string path = file(adds(1));
    const auto taken = [&] { return compile(adds(1), {}, false, cache()).from_cache; };
    EXPECT_FALSE(taken());
    EXPECT_TRUE(taken());
    chmod(path.c_str(), 0620);
    EXPECT_FALSE(taken()) << "the group may write it";
    EXPECT_TRUE(taken()) << "and so it was made anew";
    fs::rename(path, path + ".moved");
    fs::create_symlink(path + ".moved", path);
    EXPECT_FALSE(taken()) << "a link";
    if (geteuid() != 0) return; // only root can give files away
    ASSERT_EQ(chown(path.c_str(), 1, 1), 0);
    EXPECT_FALSE(taken()) << "another user's";
}

TEST_F(CacheTest, EveryDamagedByteIsNoticed) {
    compile(adds(1), {}, false, cache());
    const std::string path = file(adds(1)), good = contents(path);
    ASSERT_GT(good.size(), 500u);
    for (std::size_t at = 0; at < good.size(); at += 7) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x10);
        std::ofstream(path, std::ios::binary) << bad;
        EXPECT_FALSE(cache().find(cache_key(adds(1), {}, false, backend_identity()))) << at;
    }
    for (std::size_t size : {std::size_t(0), std::size_t(10), good.size() / 2, good.size() - 1}) {
        std::ofstream(path, std::ios::binary) << good.substr(0, size);
        const Compiled again = compile(adds(1), {}, false, cache());
        EXPECT_FALSE(again.from_cache) << size;
        EXPECT_EQ(run(again, 2), 3);
        EXPECT_EQ(contents(path).size(), good.size()) << "made anew";
    }
}

TEST_F(CacheTest, AnotherKeysEntryIsNotTaken) {
    compile(adds(1), {}, false, cache()), compile(adds(2), {}, false, cache());
    fs::copy_file(file(adds(2)), file(adds(1)), fs::copy_options::overwrite_existing);
    const Compiled again = compile(adds(1), {}, false, cache());
    EXPECT_FALSE(again.from_cache);
    EXPECT_EQ(run(again, 2), 3);
}

// A checksum can be right and the object still not be one of ours.
TEST_F(CacheTest, AnObjectThatIsNoneIsRefused) {
    if (!RATTLEBACK_LOADS_OBJECTS) GTEST_SKIP() << "by our own loader, which is for x86-64 Linux";
    const std::string key = cache_key(adds(1), {}, false, backend_identity());
    EXPECT_EQ(cache().keep(key, "no object at all"), "");
    const Compiled again = compile(adds(1), {}, false, cache());
    EXPECT_FALSE(again.from_cache);
    EXPECT_EQ(run(again, 2), 3);
    const std::string object = backend()->compile(adds(1), {}, false);
    EXPECT_NO_THROW(Native{object});
    for (std::size_t size = 0; size < object.size(); size += 16)
        EXPECT_THROW(Native{std::string_view(object).substr(0, size)}, std::runtime_error) << size;
    for (std::size_t at = 0; at < 64; ++at) { // any header: refused or, where it does not matter, read
        std::string bad = object;
        bad[at] = static_cast<char>(~bad[at]);
        try {
            Native native(bad);
        } catch (const std::runtime_error&) {}
    }
}

// Nor one that wants more than its own constants, whoever made it.
TEST_F(CacheTest, ObjectsThatAskForMoreAreRefused) {
    if (!RATTLEBACK_LOADS_OBJECTS) GTEST_SKIP() << "by our own loader, which is for x86-64 Linux";
    const auto complaint = [&](const std::string& source) -> std::string {
        const std::string c = folder / "object.c", o = folder / "object.o";
        std::ofstream(c) << source;
        EXPECT_EQ(std::system(("cc -O1 -c -fPIC -o '" + o + "' '" + c + "'").c_str()), 0);
        try {
            Native{contents(o)};
        } catch (const std::runtime_error& e) { return e.what(); }
        return "taken";
    };
    EXPECT_EQ(complaint("double step(double x) { return x * 0.3 + 1; }"), "taken");
    EXPECT_EQ(complaint("int system(const char*); int step(void) { return system(\"true\") + 1; }"),
              "not a usable object: it asks for something from outside");
    EXPECT_EQ(complaint("static volatile int n = 1; int step(void) { return ++n; }"),
              "not a usable object: it has data of its own");
    EXPECT_EQ(complaint("int other(void) { return 1; }"), "not a usable object: it has no step");
    EXPECT_EQ(complaint("extern int elsewhere; int* step(void) { return &elsewhere; }"),
              "not a usable object: it asks for something from outside");
}

TEST_F(CacheTest, AFolderThatCannotBeUsedOnlyWarns) {
    std::ofstream(folder / "file") << "in the way";
    const Compiled here = compile(adds(1), {}, false, Cache(folder / "file" / "objects"));
    EXPECT_NE(here.warning, "");
    EXPECT_EQ(run(here, 2), 3);
    fs::create_directory(folder / "open");
    fs::permissions(folder / "open", fs::perms::all);
    const Compiled open = compile(adds(1), {}, false, Cache(folder / "open"));
    EXPECT_NE(open.warning.find("0700"), std::string::npos) << open.warning;
    EXPECT_EQ(run(open, 2), 3);
    const Compiled off = compile(adds(1), {}, false, Cache(""));
    EXPECT_EQ(off.warning, "");
    EXPECT_EQ(run(off, 2), 3);
}

TEST_F(CacheTest, StaysWithinItsLimit) {
    const Cache small((folder / "objects").string(), 200000);
    for (int i = 0; i < 60; ++i) small.keep("key " + std::to_string(i), std::string(10000, 'x'));
    std::uintmax_t total = 0;
    for (const auto& entry : fs::directory_iterator(folder / "objects")) total += entry.file_size();
    EXPECT_LE(total, 220000u);
    EXPECT_TRUE(small.find("key 59"));
    EXPECT_FALSE(small.find("key 0"));
}

// Processes that write, read and make room in one small cache.
TEST_F(CacheTest, EightProcessesAtOnce) {
    ASSERT_TRUE(backend()); // loaded before they part
    std::vector<pid_t> children;
    for (int p = 0; p < 8; ++p) {
        const pid_t child = fork();
        if (child == 0) {
            int wrong = 0;
            for (int i = 0; i < 12; ++i) {
                const int c = (3 * i + p) % 7;
                const Compiled one = compile(adds(c), {}, true, Cache((folder / "objects").string(), 4000));
                wrong += !one.native || run(one, 1) != 1 + c;
            }
            _exit(wrong);
        }
        children.push_back(child);
    }
    for (pid_t child : children) {
        int status = -1;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    }
    for (const auto& entry : fs::directory_iterator(folder / "objects"))
        EXPECT_EQ(entry.path().extension(), ".object") << "nothing half-written is left";
}

TEST_F(CacheTest, EightThreadsAtOnce) {
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            for (int i = 0; i < 6; ++i) {
                const int c = (i + t) % 5;
                const Compiled one = compile(adds(c), {}, false, cache());
                if (!one.native || run(one, 1) != 1 + c) ++wrong;
            }
        });
    for (std::thread& t : threads) t.join();
    EXPECT_EQ(wrong, 0);
}

} // namespace
} // namespace rattleback::code
