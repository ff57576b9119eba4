#include "output/hdf5.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include <dlfcn.h>
#include <unistd.h>

#include "code/module_places.hpp"
#include "output/coarse_clock.hpp"
#include "output/hdf5_layout.hpp"
#include "output/hdf5_module.hpp"
#include "output/hdf5_trailer.hpp"
#include "output/partial_file.hpp"
#include "output/summary.hpp"
#include "run/columns.hpp"

namespace rattleback {
namespace {

constexpr std::size_t numbers_in_a_block = 1'000'000; // 8 MB
constexpr std::chrono::seconds longest_wait(1);       // what a kill may cost

const Hdf5Module* find_module() {
    for (const std::string& place : code::module_places("librattleback_hdf5.so")) {
        void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) continue;
        using Door = const Hdf5Module* (*)();
        if (const auto door = reinterpret_cast<Door>(dlsym(library, hdf5_door))) return door();
        dlclose(library);
    }
    return nullptr;
}

const Hdf5Module& module_for(const std::string& file) {
    static const Hdf5Module* const found = find_module();
    if (!found)
        throw CannotWrite(file +
                          ": this program was built without HDF5; install libhdf5-dev and build it again, or use .csv");
    return *found;
}

using Texts = std::vector<std::pair<std::string, std::string>>;

std::vector<Hdf5Text> pointers(const Texts& texts) {
    std::vector<Hdf5Text> all;
    for (const auto& [name, value] : texts) all.push_back({name.c_str(), value.c_str()});
    return all;
}

Texts texts_of(const Run& run) {
    const Origin& o = run.origin;
    Texts texts{{"parameters", parameters_json(o).text()}, {"start", start_json(o).text()},
                {"step", real::to_text(o.step)},           {"layout", layout_text(run.record.layout())},
                {"units", "those of the model"},           {"status", "not finished"}};
    for (const auto& [name, member] : origin_texts) texts.emplace_back(name, o.*member);
    return texts;
}

} // namespace

void require_hdf5(const std::string& file) { module_for(file); }

struct Hdf5Writer::Block {
    Block(const std::string& to, bool wait) : module(&module_for(to)), name(to), disk(to), sync(wait) {}

    [[noreturn]] void fail(const std::string& why) const {
        throw CannotWrite("cannot write " + name + ": " + why +
                          (disk.published() ? "; " + std::to_string(written) + " rows are in it" : ""));
    }

    const Hdf5Module* module;
    std::string name;
    PartialFile disk;
    bool sync;
    void* file = nullptr;
    // Each dataset's numbers side by side, as libhdf5 takes them. Memory is touched as rows come.
    struct Part {
        std::size_t first, width; // of a row
        std::unique_ptr<double[]> numbers;
    };

    std::vector<Part> parts;
    std::size_t most_rows = 1, rows = 0, written = 0;
    CoarseClock::time_point last = CoarseClock::now();
    std::array<char, 200> error{};
};

Hdf5Writer::Hdf5Writer(const std::string& file, const Run& run, bool sync)
    : block_(std::make_unique<Block>(file, sync)) {
    Block& b = *block_;
    const Layout& layout = run.record.layout();
    const std::vector<StoredDataset> stored = datasets_of(layout);
    b.most_rows = (numbers_in_a_block + layout.width - 1) / layout.width;
    std::vector<Hdf5Dataset> sets;
    std::vector<std::vector<const char*>> names(stored.size());
    for (std::size_t i = 0; i < stored.size(); ++i) {
        const StoredDataset& set = stored[i];
        b.parts.push_back({set.first, set.width, std::make_unique_for_overwrite<double[]>(b.most_rows * set.width)});
        for (const std::string& n : set.group->columns) names[i].push_back(n.c_str());
        sets.push_back(
            {set.path.c_str(), set.group->shape.data(), set.whole ? set.group->shape.size() : 0, names[i].data()});
    }
    const Texts texts = texts_of(run);
    b.file = b.module->create(b.disk.fd(), sync, sets.data(), sets.size(), pointers(texts).data(), texts.size(),
                              b.error.data(), b.error.size());
    if (!b.file) b.fail(std::string("HDF5 fails at ") + b.error.data());
}

Hdf5Writer::~Hdf5Writer() {
    if (!block_->file) return;
    try {
        flush();
    } catch (const CannotWrite&) {} // who called has an exception already
    if (block_->file) block_->module->drop(block_->file);
}

void Hdf5Writer::add(const NodeView& n) {
    Block& b = *block_;
    for (const Block::Part& part : b.parts) {
        const double* const from = n.row.values.data() + part.first;
        double* const to = part.numbers.get() + b.rows * part.width;
        for (std::size_t i = 0; i < part.width; ++i) to[i] = from[i];
    }
    ++b.rows;
    if (b.rows == b.most_rows || CoarseClock::now() - b.last >= longest_wait) flush();
}

void Hdf5Writer::flush() {
    Block& b = *block_;
    if (b.rows == 0) return;
    std::vector<const double*> data;
    for (const Block::Part& part : b.parts) data.push_back(part.numbers.get());
    const bool done = b.module->append(b.file, b.rows, data.data(), b.error.data(), b.error.size());
    if (!done) { // the file is as it was before this block, and stays so
        b.module->drop(b.file);
        b.file = nullptr;
        b.fail(b.error.data());
    }
    b.written += b.rows;
    b.rows = 0;
    if (!b.disk.published()) b.disk.publish(b.sync);
    b.last = CoarseClock::now();
}

void Hdf5Writer::finish(const Run& run) {
    flush();
    Block& b = *block_;
    const Texts texts{{"status", run.report().ok() ? "finished" : run.report().text()}, {"summary", summary_json(run)}};
    const bool done = b.module->close(b.file, pointers(texts).data(), texts.size(), b.error.data(), b.error.size());
    b.file = nullptr;
    if (!done) b.fail(b.error.data());
    if (!append_trailer(b.disk.fd()) || (b.sync && ::fsync(b.disk.fd()) != 0)) b.fail(std::strerror(errno));
    if (!b.disk.published()) b.disk.publish(b.sync);
}

} // namespace rattleback
