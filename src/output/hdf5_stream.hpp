// What rattleback-read-hdf5 prints of a file, and what is taken of it. That program may have been taken over by the
// file it read, so every size is checked here, and memory is bounded by the size of the file: it has no compression.
//
// The stream: `stream_magic`, then records, each a StreamRecord, a name, and its bytes. A record `end` or `failure` is
// the last. All in the byte order of the machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback {

inline constexpr std::string_view stream_magic = "rb-hdf5\n";

struct StreamRecord {
    enum Kind : std::uint32_t { text = 1, numbers, end, failure };
    std::uint32_t kind, name_size;
    std::uint64_t rows, width; // numbers: rows * width doubles follow; text and failure: `rows` bytes; end: rows at all
};

// Exit code of the program where a block of numbers, already announced, cannot be read.
inline constexpr int stream_broken = 3;

// Every record counts against this many bytes, with its name and its contents.
inline constexpr std::uint64_t stream_budget(std::uint64_t file_size) { return file_size + 4096; }

struct Hdf5Contents {
    struct Numbers {
        std::size_t rows, width;
        std::vector<double> values;
    };
    std::size_t rows = 0;
    std::map<std::string, std::string> texts;
    std::map<std::string, Numbers> datasets;
};

// For messages with words of a file: without control characters, which a terminal would obey, and not too long.
std::string printable(std::string words);

// `next` fills a buffer, or returns false where the stream ends before. Throws BadRun, which names `file`.
Hdf5Contents read_stream(const std::string& file, std::uint64_t file_size,
                         const std::function<bool(char*, std::size_t)>& next);

} // namespace rattleback
