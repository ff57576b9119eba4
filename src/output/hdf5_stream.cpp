#include "output/hdf5_stream.hpp"

#include <algorithm>

#include <rattleback/run.hpp>

namespace rattleback {
namespace {

constexpr std::size_t piece = std::size_t{1} << 20; // bytes: memory is taken as they come, not as they are promised

class StreamReader {
  public:
    StreamReader(const std::string& file, std::uint64_t budget, const std::function<bool(char*, std::size_t)>& next)
        : file_(file), budget_(budget), next_(next) {}

    Hdf5Contents all() {
        if (bytes(stream_magic.size()) != stream_magic) fail("what reads HDF5 files answers in another format");
        Hdf5Contents contents;
        for (;;) {
            StreamRecord record = {};
            fill(reinterpret_cast<char*>(&record), sizeof record);
            spend(sizeof record);
            const std::string name = bytes(record.name_size);
            switch (record.kind) {
            case StreamRecord::text:
                if (!contents.texts.emplace(name, bytes(record.rows)).second) fail("it has an attribute twice");
                break;
            case StreamRecord::numbers:
                if (!contents.datasets.emplace(name, numbers(record)).second) fail("it has a dataset twice");
                break;
            case StreamRecord::end: contents.rows = record.rows; return contents;
            case StreamRecord::failure: fail(bytes(record.rows));
            default: fail("what reads HDF5 files answers in another format");
            }
        }
    }

  private:
    [[noreturn]] void fail(const std::string& why) const { throw BadRun(file_ + " is no result: " + printable(why)); }

    void spend(std::uint64_t size) {
        if (size > budget_) fail("it says to hold more than fits into its size");
        budget_ -= size;
    }

    void fill(char* to, std::size_t size) const {
        if (!next_(to, size)) fail("reading it ended early");
    }

    template <class Values> void take(Values& values, std::uint64_t count) const {
        constexpr std::size_t size = sizeof(typename Values::value_type), most = piece / size;
        for (std::uint64_t done = 0; done < count;) {
            const auto part = static_cast<std::size_t>(std::min<std::uint64_t>(most, count - done));
            values.resize(values.size() + part);
            fill(reinterpret_cast<char*>(values.data() + done), part * size);
            done += part;
        }
    }

    std::string bytes(std::uint64_t size) {
        spend(size);
        std::string text;
        take(text, size);
        return text;
    }

    Hdf5Contents::Numbers numbers(const StreamRecord& r) {
        if (r.width == 0 || r.rows > budget_ / sizeof(double) / r.width)
            fail("it says to hold more than fits into its size");
        spend(r.rows * r.width * sizeof(double));
        Hdf5Contents::Numbers n{static_cast<std::size_t>(r.rows), static_cast<std::size_t>(r.width), {}};
        take(n.values, r.rows * r.width);
        return n;
    }

    const std::string& file_;
    std::uint64_t budget_;
    const std::function<bool(char*, std::size_t)>& next_;
};

} // namespace

std::string printable(std::string words) {
    constexpr std::size_t longest = 300;
    for (char& c : words)
        if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
    if (words.size() > longest) words.replace(longest, std::string::npos, " ...");
    return words;
}

Hdf5Contents read_stream(const std::string& file, std::uint64_t file_size,
                         const std::function<bool(char*, std::size_t)>& next) {
    return StreamReader(file, stream_budget(file_size), next).all();
}

} // namespace rattleback
