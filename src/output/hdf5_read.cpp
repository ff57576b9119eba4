// Results read again. The file is read by another program (backend/read_hdf5.cpp), which only this source starts.
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "code/module_places.hpp"
#include "output/child.hpp"
#include "output/hdf5.hpp"
#include "output/hdf5_layout.hpp"
#include "output/hdf5_stream.hpp"
#include "output/hdf5_trailer.hpp"
#include "output/summary.hpp"

namespace rattleback {
namespace {

// A regular file, open for reading. Opening a pipe would wait for somebody to write.
class InputFile {
  public:
    explicit InputFile(const std::string& name) : fd(::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
        struct stat info = {};
        if (fd < 0 || ::fstat(fd, &info) != 0) throw BadRun("cannot read " + name + ": " + std::strerror(errno));
        if (!S_ISREG(info.st_mode)) {
            ::close(fd);
            throw BadRun("cannot read " + name + ": it is no file");
        }
        size = static_cast<std::uint64_t>(info.st_size);
    }
    ~InputFile() { ::close(fd); }
    InputFile(const InputFile&) = delete;
    InputFile& operator=(const InputFile&) = delete;

    const int fd;
    std::uint64_t size = 0;
};

std::string reading_program(const std::string& file) {
    for (const std::string& place : code::module_places("rattleback-read-hdf5"))
        if (::access(place.c_str(), X_OK) == 0) return place;
    throw BadRun("cannot read " + file +
                 ": rattleback-read-hdf5, which reads HDF5 files, is not installed with this program; install "
                 "libhdf5-dev and build it again, or use .csv");
}

std::string words_for(const Child::Ending& ending) {
    if (ending.silent) return "the HDF5 library did not come to an end with it";
    if (ending.signal == SIGXCPU || ending.signal == SIGKILL) return "the HDF5 library takes too long for its size";
    if (ending.signal) return "the HDF5 library crashes on it (signal " + std::to_string(ending.signal) + ")";
    if (ending.code == stream_broken) return "a block of its numbers is damaged";
    return "rattleback-read-hdf5 fails on it (code " + std::to_string(ending.code) + ")";
}

Hdf5Contents contents_of(const std::string& file, const InputFile& input) {
    Child child(reading_program(file), input.fd);
    bool ended = false;
    const auto next = [&](char* to, std::size_t size) {
        ended = !child.read(to, size);
        return !ended;
    };
    try {
        Hdf5Contents contents = read_stream(file, input.size, next);
        child.wait();
        return contents;
    } catch (const BadRun&) {
        if (!ended) throw;
        throw BadRun(file + " is no result: " + words_for(child.wait()));
    }
}

std::string text(const Hdf5Contents& from, const std::string& name) {
    const auto it = from.texts.find(name);
    return it == from.texts.end() ? "" : it->second;
}

Json json(const Hdf5Contents& from, const std::string& name) {
    if (from.texts.count(name) == 0) throw BadJson("its attribute '" + name + "' is missing");
    return Json::read(text(from, name));
}

Record record_of(const std::string& file, const Hdf5Contents& from) {
    Record record(std::make_shared<const Layout>(read_layout(json(from, "layout"))));
    const std::vector<StoredDataset> sets = datasets_of(record.layout());
    std::vector<const double*> numbers;
    if (from.rows == 0) throw BadRun(file + " is no result: it has no rows");
    for (const StoredDataset& set : sets) {
        const auto it = from.datasets.find(set.path);
        const bool there = it != from.datasets.end();
        if (set.width && (!there || it->second.rows != from.rows || it->second.width != set.width))
            throw BadRun(file + " is no result: " +
                         printable("'" + set.path + "' does not have " + std::to_string(from.rows) + " rows of " +
                                   std::to_string(set.width)));
        numbers.push_back(there ? it->second.values.data() : nullptr);
    }
    std::vector<double> row(record.layout().width);
    for (std::size_t k = 0; k < from.rows; ++k) {
        for (std::size_t i = 0; i < sets.size(); ++i)
            if (sets[i].width) std::copy_n(numbers[i] + k * sets[i].width, sets[i].width, row.data() + sets[i].first);
        record.append(row);
    }
    return record;
}

} // namespace

StoredRun stored_run(const std::string& file, const Hdf5Contents& from) {
    try {
        StoredRun stored;
        stored.record = record_of(file, from);
        Origin& o = stored.origin;
        for (const auto& [name, member] : origin_texts) o.*member = text(from, name);
        o.step = json(from, "step").number();
        read_parameters(json(from, "parameters"), o), read_start(json(from, "start"), o);
        stored.status = text(from, "status"), stored.summary = text(from, "summary");
        return stored;
    } catch (const BadJson& e) { throw BadRun(file + " is no result: " + printable(e.what())); }
}

StoredRun read_hdf5(const std::string& file) {
    const InputFile input(file);
    const auto trailer = check_trailer(input.fd);
    if (!trailer) throw BadRun("cannot read " + file + ": " + std::strerror(errno));
    if (*trailer == Trailer::differs)
        throw BadRun(file + " is damaged: checksum differs; make it again, or take it from a copy");
    StoredRun stored = stored_run(file, contents_of(file, input));
    stored.finished = *trailer == Trailer::matches;
    if (!stored.finished) stored.status = "not finished";
    return stored;
}

ReportRun report_run(const StoredRun& stored) {
    ReportRun run;
    run.method = stored.origin.method, run.status = stored.status;
    add_columns(stored.record, run);
    add_facts(stored.summary, stored.origin, run);
    return run;
}

} // namespace rattleback
