#include "output/hdf5.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "code/module_places.hpp"
#include "output/hdf5_module.hpp"

namespace rattleback {
namespace {

constexpr std::size_t rows_in_a_block = 4096;

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

std::string joined(const std::vector<std::string>& names) {
    std::string all;
    for (const std::string& n : names) all += (all.empty() ? "" : "\n") + n;
    return all;
}

} // namespace

struct Hdf5Writer::Block {
    const Hdf5Module* module = nullptr;
    void* file = nullptr;
    std::string name;
    std::vector<std::size_t> widths;
    std::vector<std::vector<double>> data; // of each dataset
    std::size_t rows = 0;
};

Hdf5Writer::Hdf5Writer(const std::string& file, const Model& model, const Run& run)
    : block_(std::make_unique<Block>()) {
    Block& b = *block_;
    b.module = &module_for(file), b.name = file;
    std::vector<std::string> kept{"t"}, names{""}; // of datasets; of their columns
    std::vector<std::size_t> widths{0};
    for (const auto& [name, columns] :
         {std::pair("q", &run.q_names), std::pair("v", &run.v_names), std::pair("p", &run.p_names),
          std::pair("z", &run.z_names), std::pair("lambda", &run.lambda_names)})
        if (!columns->empty())
            kept.emplace_back(name), names.push_back(joined(*columns)), widths.push_back(columns->size());
    for (const char* name : {"energy", "constraint"})
        kept.emplace_back(name), names.emplace_back(), widths.push_back(0);
    if (!run.momentum_names.empty())
        kept.emplace_back("momenta"), names.push_back(joined(run.momentum_names)),
            widths.push_back(run.momentum_names.size());
    for (const std::string& name : run.observable_names)
        kept.push_back("observables/" + name), names.emplace_back(), widths.push_back(0);
    std::vector<Hdf5Dataset> sets;
    for (std::size_t i = 0; i < kept.size(); ++i)
        sets.push_back({kept[i].c_str(), widths[i], widths[i] ? names[i].c_str() : nullptr});
    const std::string step = real::to_text(run.summary().step);
    const std::array texts = {Hdf5Text{"model", model.name.c_str()},
                              Hdf5Text{"model_text", model.text.c_str()},
                              Hdf5Text{"reference", model.reference.c_str()},
                              Hdf5Text{"method", run.summary().method.c_str()},
                              Hdf5Text{"step", step.c_str()},
                              Hdf5Text{"version", RATTLEBACK_VERSION},
                              Hdf5Text{"units", "those of the model"},
                              Hdf5Text{"status", "not finished"}};
    std::array<char, 200> error{};
    b.file = b.module->create(file.c_str(), sets.data(), sets.size(), texts.data(), texts.size(), error.data(),
                              error.size());
    if (!b.file) {
        const bool writable = std::ofstream(file, std::ios::app).is_open();
        throw CannotWrite("cannot write " + file + ": " +
                          (writable ? std::string("HDF5 fails at ") + error.data() : std::strerror(errno)));
    }
    b.widths = widths, b.data.resize(widths.size());
}

Hdf5Writer::~Hdf5Writer() {
    std::array<char, 200> error{};
    if (block_->file) block_->module->close(block_->file, nullptr, 0, error.data(), error.size());
}

void Hdf5Writer::add(const NodeView& n) {
    Block& b = *block_;
    std::size_t i = 0;
    const auto one = [&](double x) { b.data[i++].push_back(x); };
    const auto all = [&](std::span<const double> x) {
        if (!x.empty()) b.data[i].insert(b.data[i].end(), x.begin(), x.end()), ++i;
    };
    one(n.t);
    all(n.q), all(n.v), all(n.p), all(n.z), all(n.lambda);
    one(n.energy), one(n.constraint);
    all(n.momenta);
    for (double x : n.observables) one(x);
    if (++b.rows >= rows_in_a_block) flush();
}

void Hdf5Writer::flush() {
    Block& b = *block_;
    if (b.rows == 0) return;
    std::vector<const double*> data;
    for (const auto& d : b.data) data.push_back(d.data());
    std::array<char, 200> error{};
    if (!b.module->append(b.file, b.rows, data.data(), error.data(), error.size()))
        throw CannotWrite("cannot write " + b.name + ": HDF5 fails at " + error.data());
    for (auto& d : b.data) d.clear();
    b.rows = 0;
}

void Hdf5Writer::finish(const Run& run) {
    flush();
    Block& b = *block_;
    const std::string status = run.report().ok() ? "finished" : run.report().text(), summary = summary_json(run);
    const std::array texts = {Hdf5Text{"status", status.c_str()}, Hdf5Text{"summary", summary.c_str()}};
    std::array<char, 200> error{};
    const bool done = b.module->close(b.file, texts.data(), texts.size(), error.data(), error.size());
    b.file = nullptr;
    if (!done) throw CannotWrite("cannot write " + b.name + ": HDF5 fails at " + error.data());
}

StoredRun read_hdf5(const std::string& file) {
    StoredRun stored;
    stored.run.file = file;
    const auto dataset = [](void* to, const char* name, const char* columns, std::size_t rows, std::size_t width,
                            const double* data) {
        ReportRun& run = static_cast<StoredRun*>(to)->run;
        const std::string set = name;
        if (set == "t") return run.t.assign(data, data + rows);
        std::string names = columns;
        for (std::size_t i = 0; i < width; ++i) {
            const std::size_t end = std::min(names.find('\n'), names.size());
            ReportColumn c{names.empty() ? set : names.substr(0, end), set == "momenta" ? "momentum" : set, {}};
            names.erase(0, end + 1);
            if (set.rfind("observables/", 0) == 0) c.name = set.substr(12), c.group = "observable";
            const bool error = c.group == "energy" || c.group == "momentum";
            for (std::size_t k = 0; k < rows; ++k) c.values.push_back(data[k * width + i] - (error ? data[i] : 0));
            if (set == "energy") c.name = "energy error";
            if (set == "constraint") c.name = "constraint residual";
            run.columns.push_back(std::move(c));
        }
    };
    const auto text = [](void* to, const char* name, const char* value) {
        StoredRun& s = *static_cast<StoredRun*>(to);
        const std::string key = name;
        if (key == "model_text") s.model_text = value;
        if (key == "method") s.run.method = value;
        if (key == "status") s.run.status = value;
        if (key != "model_text") s.run.summary.emplace_back(key, value);
    };
    std::array<char, 200> error{};
    if (!module_for(file).read(file.c_str(), &stored, dataset, text, error.data(), error.size()))
        throw BadRun(file + " is no result: " + error.data());
    if (stored.run.t.empty() || stored.run.columns.empty()) throw BadRun(file + " is no result: it has no rows");
    for (const ReportColumn& c : stored.run.columns)
        if (c.values.size() != stored.run.t.size())
            throw BadRun(file + " is no result: '" + c.name + "' has " + std::to_string(c.values.size()) +
                         " rows, t has " + std::to_string(stored.run.t.size()));
    return stored;
}

} // namespace rattleback
