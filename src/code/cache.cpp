#include "code/cache.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

#include "code/backend.hpp"

namespace rattleback::code {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view magic = "rattleback object 2\n";

// A hash of 64 bits with good avalanche: the multiplications of MurmurHash3's finaliser, in four accumulators, since a
// single one would be bound by the latency of the multiplication. It only names files: keys are compared in full.
std::uint64_t hash(std::string_view bytes, std::uint64_t seed) {
    constexpr std::size_t row = 4 * sizeof(std::uint64_t);
    std::array<std::uint64_t, 4> h{seed, ~seed, seed + 0x9e3779b97f4a7c15u, seed ^ bytes.size()}, word{};
    for (std::size_t i = 0; i < bytes.size(); i += row) {
        if (bytes.size() - i < row) word = {};
        std::memcpy(word.data(), bytes.data() + i, std::min(row, bytes.size() - i));
        for (std::size_t k = 0; k < 4; ++k) {
            h[k] = (h[k] ^ word[k]) * 0xff51afd7ed558ccdu;
            h[k] ^= h[k] >> 32;
        }
    }
    std::uint64_t all = 0;
    for (std::uint64_t x : h) {
        all = (all ^ x) * 0xc4ceb9fe1a85ec53u;
        all ^= all >> 29;
    }
    return all;
}

void append(std::string& to, const void* from, std::size_t size) { to.append(static_cast<const char*>(from), size); }
void append(std::string& to, std::uint64_t x) { append(to, &x, sizeof x); }

// What the processor says of itself: code made for one kind is not run on another. Nothing where there is nothing to
// ask.
std::string processor() {
    std::string text;
#if defined(__x86_64__)
    for (unsigned leaf : {0u, 1u, 7u, 0x80000001u}) {
        std::array<unsigned, 4> r{};
        __get_cpuid_count(leaf, 0, &r[0], &r[1], &r[2], &r[3]);
        if (leaf == 1) r[1] = 0; // contains the number of the current core
        append(text, r.data(), sizeof r);
    }
#elif defined(__linux__)
    append(text, getauxval(AT_HWCAP)), append(text, getauxval(AT_HWCAP2));
#endif
    return text;
}

// Reads a regular file that belongs to this user and that nobody else can write; "" for any other.
std::string read_own(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0) return {};
    struct stat about {};
    std::string bytes;
    if (fstat(file, &about) == 0 && S_ISREG(about.st_mode) && about.st_uid == geteuid() &&
        (about.st_mode & (S_IWGRP | S_IWOTH)) == 0 && about.st_size < (1 << 28)) {
        bytes.resize(static_cast<std::size_t>(about.st_size));
        std::size_t done = 0;
        while (done < bytes.size()) {
            const ssize_t part = read(file, bytes.data() + done, bytes.size() - done);
            if (part <= 0) break;
            done += static_cast<std::size_t>(part);
        }
        bytes.resize(done);
        futimens(file, nullptr); // marks it as used: make_room() removes the oldest
    }
    close(file);
    return bytes;
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t part = write(file, bytes.data(), bytes.size());
        if (part <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(part));
    }
    return true;
}

} // namespace

std::string cache_key(const Listing& listing, const Shape& shape, bool quick, const std::string& maker) {
    std::string key = interface_version;
    key += "\n" + maker + "\n" + processor();
    std::array<char, 1 + sizeof(Line::a) + sizeof(Line::b) + sizeof(Line::c)> row{}; // without the padding
    key.reserve(key.size() + listing.lines.size() * row.size() +
                (listing.constants.size() + 2) * sizeof(std::uint64_t));
    append(key, static_cast<std::uint64_t>(shape.width) << 32 | static_cast<std::uint64_t>(shape.groups) << 1 | quick);
    append(key, listing.lines.size());
    for (const Line& l : listing.lines) {
        row[0] = static_cast<char>(l.what);
        char* to = row.data() + 1;
        for (const auto* x : {&l.a, &l.b, &l.c}) to = static_cast<char*>(std::memcpy(to, x, sizeof *x)) + sizeof *x;
        append(key, row.data(), row.size());
    }
    append(key, listing.constants.data(), listing.constants.size() * sizeof(std::uint64_t));
    return key;
}

Cache Cache::of_the_user() {
    if (processor().empty()) return Cache(""); // an object could meet a processor that it was not made for
    if (const char* const given = std::getenv("RATTLEBACK_CACHE")) return Cache(given);
    const char *const xdg = std::getenv("XDG_CACHE_HOME"), *const home = std::getenv("HOME");
    if (xdg && *xdg == '/') return Cache(std::string(xdg) + "/rattleback");
    if (home && *home == '/') return Cache(std::string(home) + "/.cache/rattleback");
    return Cache("");
}

std::string Cache::path(const std::string& key) const {
    char name[40];
    std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(hash(key, 1)),
                  static_cast<unsigned long long>(hash(key, 0x5bd1e9955bd1e995u)));
    return folder_ + "/" + name + ".object";
}

// Format of a file: magic, size of the key, size of the object, checksum of the object, key, object.
std::optional<std::string> Cache::find(const std::string& key) const {
    if (!enabled()) return {};
    const std::string bytes = read_own(path(key));
    std::array<std::uint64_t, 3> header{};
    const std::size_t front = magic.size() + sizeof header;
    if (bytes.size() < front || std::string_view(bytes).substr(0, magic.size()) != magic) return {};
    std::memcpy(header.data(), bytes.data() + magic.size(), sizeof header);
    const auto& [key_size, object_size, checksum] = header;
    if (key_size != key.size() || bytes.size() - front < key_size || bytes.size() - front - key_size != object_size)
        return {};
    const std::string_view rest = std::string_view(bytes).substr(front);
    const std::string_view object = rest.substr(key.size());
    if (rest.substr(0, key.size()) != key || hash(object, 3) != checksum) return {};
    return std::string(object);
}

std::string Cache::keep(const std::string& key, const std::string& object) const {
    if (!enabled()) return {};
    std::error_code error;
    const fs::path folder(folder_);
    if (!folder.parent_path().empty()) fs::create_directories(folder.parent_path(), error);
    if (mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) return folder_ + ": " + std::strerror(errno);
    struct stat about {};
    if (stat(folder_.c_str(), &about) != 0 || about.st_uid != geteuid() || (about.st_mode & 0077) != 0)
        return folder_ + ": not a folder of this user's alone (mode 0700)";
    make_room();
    std::string bytes(magic);
    append(bytes, key.size()), append(bytes, object.size()), append(bytes, hash(object, 3));
    std::string temporary = folder_ + "/new.XXXXXX";
    const int file = mkstemp(temporary.data()); // mode 0600
    if (file < 0) return folder_ + ": " + std::strerror(errno);
    const bool written = write_all(file, bytes) && write_all(file, key) && write_all(file, object);
    const bool closed = close(file) == 0;
    if (written && closed && rename(temporary.c_str(), path(key).c_str()) == 0) return {};
    const std::string why = folder_ + ": " + std::strerror(errno);
    unlink(temporary.c_str());
    return why;
}

// Removes the least recently used files until a quarter of the limit is free; files that cannot be removed are left.
void Cache::make_room() const {
    struct Item {
        fs::file_time_type time;
        std::uintmax_t size;
        fs::path path;
    };
    std::vector<Item> items;
    std::uintmax_t total = 0;
    std::error_code error;
    for (fs::directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
        std::error_code one;
        const Item item{it->last_write_time(one), it->file_size(one), it->path()};
        if (one || item.size == static_cast<std::uintmax_t>(-1)) continue;
        total += item.size;
        items.push_back(item);
    }
    if (total < limit_) return;
    std::sort(items.begin(), items.end(), [](const Item& x, const Item& y) { return x.time < y.time; });
    for (const Item& item : items) {
        if (total <= limit_ / 4 * 3) break;
        if (fs::remove(item.path, error)) total -= item.size;
    }
}

} // namespace rattleback::code
