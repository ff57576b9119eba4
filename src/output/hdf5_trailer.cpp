#include "output/hdf5_trailer.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace rattleback {
namespace {

constexpr std::size_t line_size = 70, row_size = 4 * sizeof(std::uint64_t);

// 64 bits in four accumulators, since a single one would be bound by the latency of the multiplication. Each step is a
// bijection of its accumulator, so a change within 8 bytes is always seen, others but for one in 2^64. Against damage,
// not against people.
class Checksum {
  public:
    void add(const char* bytes, std::size_t size) { // in all calls but the last a multiple of 32
        auto [a, b, c, d] = h_; // in registers: of an array in a loop GCC makes memory, which takes four times as long
        for (; size >= row_size; bytes += row_size, size -= row_size)
            add_word(a, bytes), add_word(b, bytes + 8), add_word(c, bytes + 16), add_word(d, bytes + 24);
        h_ = {a, b, c, d};
        if (size == 0) return;
        std::array<char, row_size> last{};
        std::memcpy(last.data(), bytes, size);
        add(last.data(), row_size);
    }
    std::uint64_t value(std::uint64_t size) const {
        std::uint64_t all = size;
        for (std::uint64_t x : h_) {
            all = (all ^ x) * 0xc4ceb9fe1a85ec53u;
            all ^= all >> 29;
        }
        return all;
    }

  private:
    static void add_word(std::uint64_t& h, const char* bytes) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes, sizeof word);
        h = (h ^ word) * 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }

    std::array<std::uint64_t, 4> h_{1, 2, 3, 4};
};

bool read_all(int fd, char* to, std::size_t size, std::uint64_t at) {
    while (size > 0) {
        const ssize_t n = ::pread(fd, to, size, static_cast<off_t>(at));
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = EIO; // cut short while it is read
        if (n <= 0) return false;
        to += n, at += static_cast<std::uint64_t>(n), size -= static_cast<std::size_t>(n);
    }
    return true;
}

std::optional<std::uint64_t> size_of(int fd) {
    struct stat info = {};
    if (::fstat(fd, &info) != 0) return {};
    return static_cast<std::uint64_t>(info.st_size);
}

std::optional<std::string> line_for(int fd, std::uint64_t size) {
    std::vector<char> buffer(std::size_t{1} << 18); // stays in the cache
    Checksum sum;
    for (std::uint64_t at = 0; at < size; at += buffer.size()) {
        const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), size - at));
        if (!read_all(fd, buffer.data(), part, at)) return {};
        sum.add(buffer.data(), part);
    }
    char line[line_size + 1];
    std::snprintf(line, sizeof line, "\nrattleback result: %016llx bytes, checksum %016llx\n",
                  static_cast<unsigned long long>(size), static_cast<unsigned long long>(sum.value(size)));
    return line;
}

} // namespace

std::optional<Trailer> check_trailer(int fd) {
    constexpr std::string_view head = "\nrattleback result: ";
    const auto size = size_of(fd);
    if (!size) return {};
    if (*size < line_size) return Trailer::missing;
    std::string last(line_size, '\0');
    if (!read_all(fd, last.data(), line_size, *size - line_size)) return {};
    if (last.compare(0, head.size(), head) != 0) return Trailer::missing;
    const auto expected = line_for(fd, *size - line_size);
    if (!expected) return {};
    return *expected == last ? Trailer::matches : Trailer::differs;
}

bool append_trailer(int fd) {
    const auto size = size_of(fd);
    const auto line = size ? line_for(fd, *size) : std::nullopt;
    if (!line) return false;
    const ssize_t n = ::pwrite(fd, line->data(), line->size(), static_cast<off_t>(*size));
    if (n == static_cast<ssize_t>(line->size())) return true;
    if (n >= 0) {
        errno = ENOSPC;
        if (::ftruncate(fd, static_cast<off_t>(*size)) != 0) return false; // what is left of the line does no harm
    }
    return false;
}

} // namespace rattleback
