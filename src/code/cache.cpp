#include "code/cache.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/random.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__linux__)
#include <sys/auxv.h>
#endif

#include "code/backend.hpp"
#include "code/keyed_hash.hpp"
#include "code/private_folder.hpp"

namespace rattleback::code {
namespace {

// Of every version, so that objects of older ones are removed in their turn.
constexpr std::string_view of_any_version = "rattleback object ", extension = ".object";
constexpr std::string_view magic = "rattleback object 3\n", secret_magic = "rattleback secret 1\n";
constexpr std::size_t longest = std::size_t(1) << 28; // of an object; the largest that were met have some 100 kB

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

// Nothing where there is no secret, or where it is damaged or others can read it.
std::optional<HashKey> read_secret(const PrivateFolder& folder) {
    constexpr std::size_t size = secret_magic.size() + sizeof(HashKey);
    const auto bytes = folder.read("secret", size, [&](std::size_t n, std::string_view) { return n == size; });
    if (!bytes || !bytes->starts_with(secret_magic)) return {};
    HashKey key;
    std::memcpy(key.data(), bytes->data() + secret_magic.size(), sizeof key);
    return key;
}

// The first of several processes wins; a secret that cannot be used is replaced.
std::string make_secret(const PrivateFolder& folder) {
    HashKey key;
    if (getentropy(key.data(), sizeof key) != 0) return std::string("no random numbers: ") + std::strerror(errno);
    const std::string_view bytes(reinterpret_cast<const char*>(key.data()), sizeof key);
    using Mode = PrivateFolder::Mode;
    const std::string why = folder.write("secret", {secret_magic, bytes}, Mode::keep_first);
    if (!why.empty() || read_secret(folder)) return why;
    return folder.write("secret", {secret_magic, bytes}, Mode::replace);
}

std::string name_of(const std::string& key) {
    char name[40];
    std::snprintf(name, sizeof name, "%016llx%016llx", static_cast<unsigned long long>(hash(key, 1)),
                  static_cast<unsigned long long>(hash(key, 0x5bd1e9955bd1e995u)));
    return std::string(name).append(extension);
}

struct Header {
    std::uint64_t key_size, object_size;
    HashValue signature;
};
constexpr std::size_t front = magic.size() + sizeof(Header);

std::string signed_part(const std::string& key, std::string_view object) {
    std::string bytes;
    bytes.reserve(2 * sizeof(std::uint64_t) + key.size() + object.size());
    append(bytes, key.size()), append(bytes, object.size());
    return bytes.append(key).append(object);
}

bool is_object_name(const std::string& name) {
    constexpr std::size_t digits = 32;
    return name.size() == digits + extension.size() && name.ends_with(extension) &&
           name.find_first_not_of("0123456789abcdef") == digits;
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
    const char *const given = std::getenv("RATTLEBACK_CACHE"), *const xdg = std::getenv("XDG_CACHE_HOME");
    const char* const home = std::getenv("HOME");
    if (given) return Cache(*given ? std::string(given) + "/rattleback-objects" : "");
    if (xdg && *xdg == '/') return Cache(std::string(xdg) + "/rattleback");
    if (home && *home == '/') return Cache(std::string(home) + "/.cache/rattleback");
    return Cache("");
}

std::string Cache::path(const std::string& key) const { return folder_ + "/" + name_of(key); }

// Format of a file: magic, header, key, object. The signature is of the two sizes, the key and the object.
std::optional<std::string> Cache::find(const std::string& key) const {
    if (!enabled()) return {};
    const PrivateFolder folder(folder_, PrivateFolder::If::exists);
    if (!folder) return {};
    const auto secret = read_secret(folder);
    if (!secret) return {};
    Header header{};
    const auto bytes = folder.read(name_of(key), front, [&](std::size_t size, std::string_view head) {
        if (head.size() < front || !head.starts_with(magic) || size > longest) return false;
        std::memcpy(&header, head.data() + magic.size(), sizeof header);
        return header.key_size == key.size() && size - front >= key.size() &&
               size - front - key.size() == header.object_size;
    });
    if (!bytes || std::string_view(*bytes).substr(front, key.size()) != key) return {};
    const std::string_view object = std::string_view(*bytes).substr(front + key.size());
    if (keyed_hash(*secret, signed_part(key, object)) != header.signature) return {};
    return std::string(object);
}

std::string Cache::keep(const std::string& key, const std::string& object) const {
    if (!enabled()) return {};
    const PrivateFolder folder(folder_, PrivateFolder::If::missing_create);
    if (!folder) return folder.why_not();
    auto secret = read_secret(folder);
    if (!secret) {
        if (const std::string why = make_secret(folder); !why.empty()) return why;
        secret = read_secret(folder);
    }
    if (!secret) return folder_ + ": its secret cannot be read";
    make_room(folder);
    const Header header{key.size(), object.size(), keyed_hash(*secret, signed_part(key, object))};
    const std::string_view bytes(reinterpret_cast<const char*>(&header), sizeof header);
    return folder.write(name_of(key), {magic, bytes, key, object}, PrivateFolder::Mode::replace);
}

// Removes the least recently used objects until a quarter of the limit is free; what cannot be removed is left.
void Cache::make_room(const PrivateFolder& folder) const {
    auto items = folder.list(of_any_version.size(), [](const std::string& name, std::string_view head) {
        return is_object_name(name) && head == of_any_version;
    });
    std::size_t total = 0;
    for (const auto& item : items) total += item.size;
    if (total < limit_) return;
    std::sort(items.begin(), items.end(), [](const auto& x, const auto& y) {
        return std::pair(x.seconds, x.nanoseconds) < std::pair(y.seconds, y.nanoseconds);
    });
    for (const auto& item : items) {
        if (total <= limit_ / 4 * 3) break;
        if (folder.remove(item)) total -= item.size;
    }
}

} // namespace rattleback::code
