// The object cache: what was kept is found again, what cannot be written is only said. What others may have put there:
// hostile_cache_test.cpp.
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
#include "code/with_cache.hpp"

namespace rattleback::code {
namespace {

namespace fs = std::filesystem;

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

// Whoever names a folder with a thesis in it keeps the thesis.
TEST_F(CacheTest, RemovesOnlyObjectsToMakeRoom) {
    const fs::path objects = folder / "objects";
    const Cache small(objects.string(), 200000);
    small.keep("first", std::string(10000, 'x'));
    const std::string named_like_ours(32, 'a');
    const std::vector<std::string> foreign{
        "thesis.tex",   "data.h5", "my.object", named_like_ours + ".object", named_like_ours + ".objects",
        named_like_ours};
    for (const std::string& name : foreign) {
        std::ofstream(objects / name) << "a year of work";
        fs::resize_file(objects / name, 300000);
        fs::permissions(objects / name, fs::perms(0600));
        fs::last_write_time(objects / name, fs::file_time_type::clock::now() - std::chrono::hours(1000));
    }
    fs::create_directory(objects / "figures");
    for (int i = 0; i < 60; ++i) EXPECT_EQ(small.keep("key " + std::to_string(i), std::string(10000, 'x')), "");
    EXPECT_FALSE(small.find("first"));
    EXPECT_TRUE(small.find("key 59"));
    for (const std::string& name : foreign) EXPECT_TRUE(fs::exists(objects / name)) << name;
    EXPECT_TRUE(fs::exists(objects / "figures"));
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
        EXPECT_TRUE(entry.path().extension() == ".object" || entry.path().filename() == "secret")
            << "half-written and left: " << entry.path();
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
