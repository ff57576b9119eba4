// What others put into the object cache, or what was damaged there, is never executed: it is compiled again, in
// silence.
#include <cstring>
#include <functional>
#include <random>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "code/keyed_hash.hpp"
#include "code/with_cache.hpp"

namespace rattleback::code {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "rattleback object 3\n", secret_magic = "rattleback secret 1\n";

std::string hexadecimal(const HashValue& value) {
    std::string text;
    for (std::uint64_t word : value)
        for (int i = 0; i < 8; ++i) {
            char digits[3];
            std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned>(word >> 8 * i & 0xff));
            text += digits;
        }
    return text;
}

// The vectors of the authors: bytes 0, 1, 2, ... with the key 0, 1, ..., 15.
TEST(KeyedHash, HasTheValuesOfItsReference) {
    const std::pair<std::size_t, const char*> vectors[] = {
        {0, "a3817f04ba25a8e66df67214c7550293"},  {1, "da87c1d86b99af44347659119b22fc45"},
        {2, "8177228da4a45dc7fca38bdef60affe4"},  {3, "9c70b60c5267a94e5f33b6b02985ed51"},
        {15, "5493e99933b0a8117e08ec0f97cfc3d9"}, {63, "5150d1772f50834a503e069a973fbd7c"}};
    for (const auto& [size, value] : vectors) {
        std::string bytes;
        for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(i);
        EXPECT_EQ(hexadecimal(keyed_hash({0x0706050403020100u, 0x0f0e0d0c0b0a0908u}, bytes)), value) << size;
    }
}

template <class... T> std::string bytes_of(const T&... values) {
    std::string bytes;
    (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
    return bytes;
}

// Objects of somebody who knows the format, and who would like 1000 to be added where 1 is.
class HostileCache : public CacheTest {
  protected:
    void SetUp() override {
        CacheTest::SetUp();
        if (IsSkipped()) return;
        alarm(120); // a FIFO that is waited for ends the test
        EXPECT_EQ(run(compile(adds(1), {}, false, cache()), 2), 3);
        key = cache_key(adds(1), {}, false, backend_identity());
        path = cache().path(key), good = contents(path);
        evil = backend()->compile(adds(1000), {}, false);
        const std::string stored = contents(secret_path());
        ASSERT_EQ(stored.size(), secret_magic.size() + sizeof secret);
        std::memcpy(secret.data(), stored.data() + secret_magic.size(), sizeof secret);
        ASSERT_GT(good.size(), 500u);
    }
    void TearDown() override {
        alarm(0);
        if (folder.empty()) return;
        chmod(folder.c_str(), 0700), chmod((folder / "objects").c_str(), 0700);
        CacheTest::TearDown();
    }
    std::string secret_path() const { return folder / "objects" / "secret"; }

    void place(const std::string& bytes, mode_t mode = 0600) const {
        fs::remove_all(path);
        std::ofstream(path, std::ios::binary) << bytes;
        chmod(path.c_str(), mode);
    }
    HashValue signature(const HashKey& with, const std::string& object) const {
        return keyed_hash(with, bytes_of(std::uint64_t(key.size()), std::uint64_t(object.size())) + key + object);
    }
    std::string file_of(std::string_view head, std::uint64_t key_size, std::uint64_t object_size,
                        const HashValue& signed_by, const std::string& object) const {
        return std::string(head) + bytes_of(key_size, object_size, signed_by) + key + object;
    }
    // Right in every byte, as root or the user could make it.
    std::string signed_evil() const { return file_of(magic, key.size(), evil.size(), signature(secret, evil), evil); }

    // Neither taken nor complained about, and the result is right.
    void expect_made_anew(const char* what) {
        const Compiled again = compile(adds(1), {}, false, cache());
        EXPECT_FALSE(again.from_cache) << what;
        ASSERT_TRUE(again.native) << what << ": " << again.why_not;
        EXPECT_EQ(run(again, 2), 3) << what;
    }

    std::string key, path, good, evil;
    HashKey secret{};
};

TEST_F(HostileCache, ItsFormatIsWhatTheseTestsMake) {
    place(signed_evil());
    const Compiled taken = compile(adds(1), {}, false, cache());
    EXPECT_TRUE(taken.from_cache);
    EXPECT_EQ(run(taken, 2), 1002) << "else the tests below would not see evil objects that are taken";
}

TEST_F(HostileCache, FiveHundredDamagedObjectsAreNotTaken) {
    std::mt19937_64 random(1);
    int taken = 0;
    for (int i = 0; i < 500; ++i) {
        std::string bad = good;
        const std::size_t at = random() % good.size();
        if (i % 5 == 4)
            bad.resize(at);
        else
            bad[at] = static_cast<char>(bad[at] ^ (1 << random() % 8));
        place(bad);
        taken += cache().find(key).has_value();
        if (i % 50 == 4) {
            expect_made_anew("damaged");
            EXPECT_EQ(contents(path).size(), good.size()) << "made anew";
        }
    }
    EXPECT_EQ(taken, 0);
}

TEST_F(HostileCache, CraftedBytesAreNotTaken) {
    const HashKey other{secret[0] ^ 1, secret[1]};
    const HashValue right = signature(secret, evil), nothing{};
    const std::uint64_t k = key.size(), n = evil.size(), huge = ~std::uint64_t(0);
    const std::string first = contents(path).substr(magic.size() + sizeof(std::uint64_t) * 4 + k);
    const std::pair<const char*, std::string> crafted[] = {
        {"another magic", file_of("rattleback object 9\n", k, n, right, evil)},
        {"an older format", std::string("rattleback object 2\n") + bytes_of(k, n, n) + key + evil},
        {"no signature", file_of(magic, k, n, nothing, evil)},
        {"another secret's", file_of(magic, k, n, signature(other, evil), evil)},
        {"the secret zero's", file_of(magic, k, n, signature({}, evil), evil)},
        {"the signature of the right object", file_of(magic, k, n, signature(secret, first), evil)},
        {"half a signature", file_of(magic, k, n, {right[0], 0}, evil)},
        {"an object without its end", file_of(magic, k, n, right, evil).substr(0, good.size() - 1)},
        {"something behind the object", file_of(magic, k, n, right, evil) + "more"},
        {"a key of 2^64 - 1 bytes", file_of(magic, huge, n, right, evil)},
        {"an object of 2^64 - 1 bytes", file_of(magic, k, huge, right, evil)},
        {"sizes that wrap around", file_of(magic, huge - n, n + n, right, evil)},
        {"nothing", ""},
        {"the magic alone", std::string(magic)},
        {"the header alone", file_of(magic, k, n, right, "").substr(0, magic.size() + 32)},
        {"another key", file_of(magic, k, n, right, evil).replace(magic.size() + 32, 1, "R")}};
    for (const auto& [what, bytes] : crafted) {
        place(bytes);
        expect_made_anew(what);
    }
}

// Bytes that are right, where others could have put them.
TEST_F(HostileCache, WhatOthersCouldHaveWrittenIsNotTaken) {
    const bool root = geteuid() == 0; // only root can give files away, or make devices
    const std::string aside = folder / "aside", objects = folder / "objects";
    std::ofstream(aside, std::ios::binary) << signed_evil();
    chmod(aside.c_str(), 0600);
    const auto in_its_place = [&](auto make) {
        return [this, make] {
            fs::remove_all(path);
            return make() == 0;
        };
    };
    const auto with_mode = [&](const std::string& of, mode_t mode) {
        return [=, this] {
            place(signed_evil());
            return chmod(of.c_str(), mode) == 0;
        };
    };
    const auto given_away = [&](const std::string& which) {
        return [=, this] {
            place(signed_evil());
            return root && chown(which.c_str(), 1, 1) == 0;
        };
    };
    const std::pair<const char*, std::function<bool()>> cases[] = {
        {"the group may write it", with_mode(path, 0620)},
        {"all may write it", with_mode(path, 0602)},
        {"all may read it", with_mode(path, 0644)},
        {"a link", in_its_place([&] { return symlink(aside.c_str(), path.c_str()); })},
        {"a link to nothing", in_its_place([&] { return symlink("nothing", path.c_str()); })},
        {"a FIFO", in_its_place([&] { return mkfifo(path.c_str(), 0600); })},
        {"a folder", in_its_place([&] { return mkdir(path.c_str(), 0700); })},
        {"a device", in_its_place([&] { return root ? mknod(path.c_str(), S_IFCHR | 0600, makedev(1, 5)) : 1; })},
        {"another user's", given_away(path)},
        {"a folder that the group may write", with_mode(objects, 0770)},
        {"a folder that all may write", with_mode(objects, 0777)},
        {"a folder that all may read", with_mode(objects, 0755)},
        {"another user's folder", given_away(objects)},
        {"a folder above that all may write", with_mode(folder, 0777)},
        {"a folder above that the group may write", with_mode(folder, 0770)},
        {"another user's folder above", given_away(folder)},
        {"a link in the place of the folder", [&] {
             place(signed_evil());
             fs::rename(objects, folder / "elsewhere");
             return symlink((folder / "elsewhere").c_str(), objects.c_str()) == 0;
         }}};
    for (const auto& [what, prepare] : cases) {
        if (prepare()) expect_made_anew(what);
        for (const std::string& restored : {folder.string(), objects})
            EXPECT_TRUE(chmod(restored.c_str(), 0700) == 0 && chown(restored.c_str(), geteuid(), getegid()) == 0);
        fs::remove_all(path);
    }
}

TEST_F(HostileCache, ASecretThatOthersKnowIsReplaced) {
    place(signed_evil());
    chmod(secret_path().c_str(), 0644);
    expect_made_anew("a secret that all may read");
    const std::string replaced = contents(secret_path());
    EXPECT_NE(replaced, std::string(secret_magic) + bytes_of(secret));
    EXPECT_TRUE(compile(adds(1), {}, false, cache()).from_cache);
    place(signed_evil());
    expect_made_anew("signed with the secret of before");
    std::ofstream(secret_path(), std::ios::binary) << "cut short";
    expect_made_anew("a damaged secret");
    EXPECT_TRUE(compile(adds(1), {}, false, cache()).from_cache);
    fs::remove(secret_path());
    expect_made_anew("no secret");
    EXPECT_TRUE(compile(adds(1), {}, false, cache()).from_cache);
}

// Two caches never share a secret, so objects cannot be carried from one to the other.
TEST_F(HostileCache, EveryCacheHasItsOwnSecret) {
    const Cache second(folder / "second");
    compile(adds(1), {}, false, second);
    EXPECT_NE(contents(folder / "second" / "secret"), contents(secret_path()));
    fs::copy_file(path, second.path(key), fs::copy_options::overwrite_existing);
    EXPECT_FALSE(second.find(key));
    struct stat about {};
    ASSERT_EQ(stat(secret_path().c_str(), &about), 0);
    EXPECT_EQ(about.st_mode & 0777, 0600u);
}

} // namespace
} // namespace rattleback::code
