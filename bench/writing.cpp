// What a run pays that records every node: its step, its nodes, and the writing, as CSV and as HDF5. Beside it the
// least that writing can cost: the bare step, and std::to_chars over the same numbers (17 digits, into a buffer that
// goes to a file), or the same blocks of numbers written from memory by libhdf5, in the same chunks with the same
// checksums.
//
// CPU time of a node, the least of several rounds in which all sides take turns. "node" is what the product takes
// beyond the bare step if nobody writes; "format" what CSV takes beyond that into /dev/null; "write" what a file takes
// beyond /dev/null.
//
//   bench_writing [--long] [NAME...]    the table, or the rows whose model has one of these names
//
// --long: memory of a program that writes 1e6, 1e7 and 1e8 nodes, which must not grow.

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef RATTLEBACK_WITH_HDF5
#include <hdf5.h>
#endif

#include <rattleback/batch.hpp>
#include <rattleback/output.hpp>

#include "measure.hpp"
#include "output/hdf5.hpp"
#include "output/hdf5_layout.hpp"

namespace {

using namespace rattleback;
using bench::cpu_seconds, bench::cpu_seconds_of;

constexpr long long nodes = 100'000;
constexpr int rounds = 7;

struct Case {
    const char *model, *method;
    const char* members = ""; // of a family
    double step = 0;          // 0: the model's
    double most = 0;          // of what is taken over the least possible; 0: no target
};

Model gallery_model(const Case& row) {
    std::ifstream file(std::string(RATTLEBACK_SOURCE_DIR "/models/") + row.model + ".toml");
    const std::string text(std::istreambuf_iterator<char>(file), {});
    LoadOptions options;
    if (*row.members) options.set = {{"n", row.members}};
    Model model = read_model(text, row.model, options);
    if (row.step != 0) model.run.step = row.step;
    return model;
}

std::string folder() {
    static const std::string made = [] {
        std::string name = (std::filesystem::temp_directory_path() / "bench_writing.XXXXXX").string();
        if (!mkdtemp(name.data())) throw BadRun("no folder for temporary files");
        return name;
    }();
    return made;
}

// Where the nodes of a run go.
struct Sink {
    virtual ~Sink() = default;
    virtual void prepare(const Run&) {}
    virtual void add(const NodeView&) {}
    virtual void finish(const Run&) {}
};
struct Csv final : Sink {
    explicit Csv(std::string to) : file(std::move(to)) {}
    void prepare(const Run& run) override { writer = std::make_unique<CsvWriter>(file, run); }
    void add(const NodeView& node) override { writer->add(node); }
    void finish(const Run&) override { writer->finish(); }
    std::string file;
    std::unique_ptr<CsvWriter> writer;
};
struct Hdf5 final : Sink {
    explicit Hdf5(std::string to) : file(std::move(to)) {}
    void prepare(const Run& run) override { writer = std::make_unique<Hdf5Writer>(file, run); }
    void add(const NodeView& node) override { writer->add(node); }
    void finish(const Run& run) override { writer->finish(run); }
    std::string file;
    std::unique_ptr<Hdf5Writer> writer;
};

// Seconds of a run from its first step on: without the set-up, and without making the file.
double seconds_of_run(const Model& model, const Case& row, Sink& sink) {
    double begin = 0;
    RunOptions options{.method = row.method, .steps = nodes};
    options.engine = RunOptions::Engine::compiled, options.keep_record = false;
    options.prepared = [&](const Run& run) { sink.prepare(run); };
    options.at_node = [&](const NodeView& node) {
        sink.add(node);
        if (node.step == 1) begin = cpu_seconds();
        return true;
    };
    const Run run = integrate(model, options);
    if (!run.report().ok()) throw BadRun(run.report().text());
    sink.finish(run);
    return cpu_seconds() - begin;
}

double seconds_of_steps(Batch& batch, double h) {
    batch.start(0);
    batch.advance(0, 1, h); // chooses pivots, warms up
    return cpu_seconds_of([&] { batch.advance(1, nodes - 1, h); });
}

// The numbers of a run, row by row.
struct Numbers {
    std::size_t width = 0;
    Layout layout;
    std::vector<double> values;
    std::size_t rows() const { return values.size() / width; }
};
Numbers numbers_of(const Model& model, const Case& row) {
    Numbers all;
    RunOptions options{.method = row.method, .steps = nodes, .keep_record = false};
    options.prepared = [&](const Run& run) { all.layout = run.record.layout(), all.width = all.layout.width; };
    options.at_node = [&](const NodeView& node) {
        all.values.insert(all.values.end(), node.row.values.begin(), node.row.values.end());
        return true;
    };
    integrate(model, options);
    return all;
}

void to_chars_by_hand(const Numbers& all, const std::string& file) {
    constexpr std::size_t at_once = 1 << 16, longest = 32;
    const int to = open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::vector<char> buffer(at_once + all.width * longest);
    char* end = buffer.data();
    const auto flush = [&] {
        if (write(to, buffer.data(), static_cast<std::size_t>(end - buffer.data())) < 0) throw BadRun("no space");
        end = buffer.data();
    };
    for (const double* x = all.values.data(); x != all.values.data() + all.values.size(); x += all.width) {
        for (std::size_t i = 0; i < all.width; ++i) {
            end = std::to_chars(end, end + longest, x[i], std::chars_format::general, 17).ptr;
            *end++ = ',';
        }
        end[-1] = '\n';
        if (static_cast<std::size_t>(end - buffer.data()) >= at_once) flush();
    }
    flush();
    close(to);
}

#ifdef RATTLEBACK_WITH_HDF5
// Each dataset is a block in memory already; blocks as long as the product's, one for 8 MB of rows.
class Blocks {
  public:
    explicit Blocks(const Numbers& all) : rows_(all.rows()), at_once_(1'000'000 / all.width + 1) {
        for (const StoredDataset& set : datasets_of(all.layout)) {
            if (set.width == 0) continue;
            Block b{set.whole && set.group->shape.size() == 1 ? set.width : 1, set.path, {}};
            std::replace(b.name.begin(), b.name.end(), '/', '.');
            for (std::size_t r = 0; r < rows_; ++r)
                for (std::size_t i = 0; i < set.width; ++i)
                    b.values.push_back(all.values[r * all.width + set.first + i]);
            blocks_.push_back(std::move(b));
        }
    }

    void write(const std::string& name) const {
        const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        std::vector<hid_t> sets;
        for (const Block& b : blocks_) {
            const hsize_t now[2] = {0, b.width}, most[2] = {H5S_UNLIMITED, b.width};
            const hsize_t chunk[2] = {std::max<hsize_t>(1, 8192 / b.width), b.width};
            const hid_t space = H5Screate_simple(2, now, most), how = H5Pcreate(H5P_DATASET_CREATE);
            H5Pset_chunk(how, 2, chunk), H5Pset_fletcher32(how);
            sets.push_back(H5Dcreate2(file, b.name.c_str(), H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT));
            H5Sclose(space), H5Pclose(how);
        }
        for (hsize_t from = 0; from < rows_; from += at_once_)
            for (std::size_t i = 0; i < sets.size(); ++i) put(sets[i], blocks_[i], from);
        for (hid_t set : sets) H5Dclose(set);
        if (H5Fclose(file) < 0) throw BadRun("no HDF5 file");
    }

  private:
    struct Block {
        hsize_t width;
        std::string name;
        std::vector<double> values;
    };
    void put(hid_t set, const Block& b, hsize_t from) const {
        const hsize_t count = std::min(at_once_, rows_ - from), whole[2] = {from + count, b.width};
        const hsize_t first[2] = {from, 0}, part[2] = {count, b.width};
        H5Dset_extent(set, whole);
        const hid_t there = H5Dget_space(set), here = H5Screate_simple(2, part, nullptr);
        H5Sselect_hyperslab(there, H5S_SELECT_SET, first, nullptr, part, nullptr);
        H5Dwrite(set, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, b.values.data() + from * b.width);
        H5Sclose(there), H5Sclose(here);
    }

    hsize_t rows_, at_once_;
    std::vector<Block> blocks_;
};
#else
struct Blocks {
    explicit Blocks(const Numbers&) {}
    void write(const std::string&) const {}
};
#endif

void verdict(double ratio, double most) {
    std::printf(" %5.2f %-6s", ratio, most == 0 ? "" : ratio <= most ? "met" : "MISSED");
}

void measure(const Case& row) {
    const Model model = gallery_model(row);
    const Numbers numbers = numbers_of(model, row);
    const Blocks blocks(numbers);
    Batch batch(model, build_method(model, parse_methods(row.method)[0]), 1, {.width = 1, .groups = 1});
    const std::string csv = folder() + "/x.csv", hdf5 = folder() + "/x.h5", bare = folder() + "/bare";
    enum Part { step, node, format, file, chars, h5, h5_bare, count };
    const std::function<double()> sides[count] = {
        [&] { return seconds_of_steps(batch, *model.run.step); },
        [&] {
            Sink none;
            return seconds_of_run(model, row, none);
        },
        [&] {
            Csv nowhere("/dev/null");
            return seconds_of_run(model, row, nowhere);
        },
        [&] {
            Csv to(csv);
            return seconds_of_run(model, row, to);
        },
        [&] { return cpu_seconds_of([&] { to_chars_by_hand(numbers, bare); }); },
        [&] {
            Hdf5 to(hdf5);
            return seconds_of_run(model, row, to);
        },
        [&] { return cpu_seconds_of([&] { blocks.write(bare); }); },
    };
    double ns[count];
    for (int round = 0; round < rounds; ++round)
        for (int i = 0; i < count; ++i) {
#ifndef RATTLEBACK_WITH_HDF5
            if (i == h5) continue;
#endif
            const double now = sides[i]() / nodes * 1e9;
            ns[i] = round ? std::min(ns[i], now) : now;
        }
    const std::string title = std::string(row.model) + (*row.members ? std::string(" ") + row.members : "");
    std::printf("%-24s %-11s %3zu %7.0f %6.0f | %7.0f %6.0f %7.0f %7.0f", title.c_str(), row.method, numbers.width,
                ns[step], ns[node] - ns[step], ns[format] - ns[node], ns[file] - ns[format], ns[file],
                ns[step] + ns[chars]);
    verdict(ns[file] / (ns[step] + ns[chars]), row.most);
#ifdef RATTLEBACK_WITH_HDF5
    std::printf(" | %6.0f %7.0f %7.0f", ns[h5] - ns[node], ns[h5], ns[step] + ns[h5_bare]);
    verdict(ns[h5] / (ns[step] + ns[h5_bare]), row.most);
#endif
    std::printf("\n");
    std::fflush(stdout);
    std::filesystem::remove(csv), std::filesystem::remove(hdf5), std::filesystem::remove(bare);
}

// The largest memory of the program while it writes so many nodes, in MB; negative: it failed.
double memory_of(const std::string& file, const char* steps) {
    const pid_t child = fork();
    if (child == 0) {
        execl(RATTLEBACK_PROGRAM, RATTLEBACK_PROGRAM, "run", RATTLEBACK_SOURCE_DIR "/models/henon_heiles.toml", "-m",
              "del:ld=verlet", "--steps", steps, "-o", file.c_str(), "--quiet", static_cast<char*>(nullptr));
        _exit(127);
    }
    int status = 0;
    rusage used{};
    if (child < 0 || wait4(child, &status, 0, &used) < 0 || status != 0) return -1;
    return static_cast<double>(used.ru_maxrss) / 1024;
}

bool measure_memory() {
    constexpr double most = 200; // MB
    std::printf("\nMemory of `run henon_heiles`, every node written, at most %.0f MB\n\n%-10s %8s %8s\n", most, "nodes",
                ".csv", ".h5");
    bool good = true;
    for (const char* steps : {"1000000", "10000000", "100000000"}) {
        std::printf("%-10s", steps);
        for (const char* name : {"/long.csv", "/long.h5"}) {
            const double megabytes = memory_of(folder() + name, steps);
            std::printf(" %8.1f", megabytes);
            std::fflush(stdout);
            good &= megabytes >= 0 && megabytes <= most;
            std::filesystem::remove(folder() + name);
        }
        std::printf("\n");
    }
    return good;
}

} // namespace

int main(int argc, char** argv) {
    const Case rows[] = {
        {"double_pendulum", "midpoint", "", 0, 1.5},
        {"cartesian_pendulum", "rattle"},
        {"nonholonomic_particle", "nh_rattle"},
        {"henon_heiles", "del:ld=verlet"},
        {"chain", "rattle", "10", 2e-4},
    };
    std::printf("Every node recorded, ns a node; target: at most 1.5 of the bare writing plus the step\n\n"
                "%-24s %-11s %3s %7s %6s | %7s %6s %7s %7s %12s | %6s %7s %7s %12s\n",
                "model", "method", "col", "step", "node", "format", "write", "CSV", "bare", "ratio ", "write", "HDF5",
                "bare", "ratio ");
    bool good = true, long_jobs = false;
    for (int i = 1; i < argc; ++i) long_jobs |= std::strcmp(argv[i], "--long") == 0;
    for (const Case& row : rows) {
        bool named = false, wanted = false;
        for (int i = 1; i < argc; ++i)
            if (argv[i][0] != '-') named = true, wanted |= std::strcmp(argv[i], row.model) == 0;
        if (wanted || !named) measure(row);
    }
    if (long_jobs) good &= measure_memory();
    std::filesystem::remove_all(folder());
    return good ? 0 : 1;
}
