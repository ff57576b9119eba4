#include "output/hdf5.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>

#include "code/module_places.hpp"
#include "output/hdf5_module.hpp"
#include "output/summary.hpp"

namespace rattleback {
namespace {

constexpr std::size_t rows_in_a_block = 4096;
constexpr std::size_t numbers_in_a_block = 4'000'000; // 32 MB: rows of large models are long

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

// The datasets of a layout: which columns of a row they hold, and where.
struct Dataset {
    std::string path;
    std::size_t first, width;
    const ColumnGroup* group;
    bool whole; // of the group; otherwise one column of it
};
std::vector<Dataset> datasets_of(const Layout& layout) {
    std::vector<Dataset> sets;
    for (const ColumnGroup& g : layout.groups) {
        if (g.role != ColumnGroup::observable) {
            if (!g.columns.empty()) sets.push_back({g.name, g.first, g.columns.size(), &g, true});
            continue;
        }
        sets.push_back({g.name + "/", g.first, 0, &g, false});
        for (std::size_t i = 0; i < g.columns.size(); ++i) {
            std::string name = g.columns[i]; // a name with slashes would make folders
            std::replace(name.begin(), name.end(), '/', '|');
            sets.push_back({g.name + "/" + name, g.first + i, 1, &g, false});
        }
    }
    return sets;
}

std::string layout_text(const Layout& layout) {
    std::vector<Json> groups;
    for (const ColumnGroup& g : layout.groups) {
        const std::vector<double> shape(g.shape.begin(), g.shape.end());
        groups.push_back(Json()
                             .add("group", g.name)
                             .add("role", std::string(to_text(g.role)))
                             .add("shape", shape)
                             .add("columns", g.columns));
    }
    return Json(std::move(groups)).text();
}

Layout read_layout(const Json& from) {
    Layout layout;
    for (const Json& j : from.items()) {
        const auto role = role_of(j["role"].string());
        if (!role) throw BadJson("unknown role '" + j["role"].string() + "'");
        ColumnGroup g{j["group"].string(), *role, {}};
        for (double n : j["shape"].numbers()) g.shape.push_back(static_cast<std::size_t>(n));
        for (const Json& name : j["columns"].items()) g.columns.push_back(name.string());
        layout.add(std::move(g));
    }
    return layout;
}

constexpr std::pair<const char*, std::string Origin::*> origin_texts[] = {
    {"model", &Origin::model},           {"reference", &Origin::reference}, {"model_file", &Origin::model_file},
    {"model_text", &Origin::model_text}, {"method", &Origin::method},       {"command", &Origin::command},
    {"version", &Origin::version}};

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
    const Hdf5Module* module = nullptr;
    void* file = nullptr;
    std::string name;
    std::vector<Dataset> sets;
    std::size_t width = 0, rows = 0;
    std::vector<double> numbers; // whole rows
};

Hdf5Writer::Hdf5Writer(const std::string& file, const Run& run) : block_(std::make_unique<Block>()) {
    Block& b = *block_;
    b.module = &module_for(file), b.name = file;
    b.sets = datasets_of(run.record.layout()), b.width = run.record.layout().width;
    std::vector<Hdf5Dataset> sets;
    std::vector<std::vector<const char*>> names(b.sets.size());
    for (std::size_t i = 0; i < b.sets.size(); ++i) {
        const Dataset& set = b.sets[i];
        for (const std::string& n : set.group->columns) names[i].push_back(n.c_str());
        sets.push_back(
            {set.path.c_str(), set.group->shape.data(), set.whole ? set.group->shape.size() : 0, names[i].data()});
    }
    const Texts texts = texts_of(run);
    std::array<char, 200> error{};
    b.file = b.module->create(file.c_str(), sets.data(), sets.size(), pointers(texts).data(), texts.size(),
                              error.data(), error.size());
    if (!b.file) {
        const bool writable = std::ofstream(file, std::ios::app).is_open();
        throw CannotWrite("cannot write " + file + ": " +
                          (writable ? std::string("HDF5 fails at ") + error.data() : std::strerror(errno)));
    }
}

Hdf5Writer::~Hdf5Writer() {
    std::array<char, 200> error{};
    if (block_->file) block_->module->close(block_->file, nullptr, 0, error.data(), error.size());
}

void Hdf5Writer::add(const NodeView& n) {
    Block& b = *block_;
    b.numbers.insert(b.numbers.end(), n.row.values.begin(), n.row.values.end());
    if (++b.rows >= rows_in_a_block || b.numbers.size() >= numbers_in_a_block) flush();
}

void Hdf5Writer::flush() {
    Block& b = *block_;
    if (b.rows == 0) return;
    std::vector<std::vector<double>> parts(b.sets.size());
    std::vector<const double*> data;
    for (std::size_t i = 0; i < b.sets.size(); ++i) {
        const Dataset& set = b.sets[i];
        for (auto row = b.numbers.begin(); row != b.numbers.end(); row += static_cast<std::ptrdiff_t>(b.width)) {
            const auto first = row + static_cast<std::ptrdiff_t>(set.first);
            parts[i].insert(parts[i].end(), first, first + static_cast<std::ptrdiff_t>(set.width));
        }
        data.push_back(parts[i].data());
    }
    std::array<char, 200> error{};
    if (!b.module->append(b.file, b.rows, data.data(), error.data(), error.size()))
        throw CannotWrite("cannot write " + b.name + ": HDF5 fails at " + error.data());
    b.numbers.clear();
    b.rows = 0;
}

void Hdf5Writer::finish(const Run& run) {
    flush();
    Block& b = *block_;
    const Texts texts{{"status", run.report().ok() ? "finished" : run.report().text()}, {"summary", summary_json(run)}};
    std::array<char, 200> error{};
    const bool done = b.module->close(b.file, pointers(texts).data(), texts.size(), error.data(), error.size());
    b.file = nullptr;
    if (!done) throw CannotWrite("cannot write " + b.name + ": HDF5 fails at " + error.data());
}

namespace {

struct Contents {
    std::map<std::string, std::string> texts;
    struct Numbers {
        std::size_t rows, width;
        std::vector<double> values;
    };
    std::map<std::string, Numbers> datasets;

    std::string text(const std::string& name) const {
        const auto it = texts.find(name);
        return it == texts.end() ? "" : it->second;
    }
    Json json(const std::string& name) const {
        if (texts.count(name) == 0) throw BadJson("its attribute '" + name + "' is missing");
        return Json::read(text(name));
    }
};

Contents contents_of(const std::string& file) {
    Contents all;
    const auto text = [](void* to, const char* name, const char* value) {
        static_cast<Contents*>(to)->texts[name] = value;
    };
    const auto dataset = [](void* to, const char* path, std::size_t rows, std::size_t width, const double* data) {
        static_cast<Contents*>(to)->datasets[path] = {rows, width, {data, data + rows * width}};
    };
    std::array<char, 200> error{};
    if (!module_for(file).read(file.c_str(), &all, dataset, text, error.data(), error.size()))
        throw BadRun(file + " is no result: " + error.data());
    return all;
}

Record record_of(const std::string& file, const Contents& from) {
    Record record(std::make_shared<const Layout>(read_layout(from.json("layout"))));
    const std::vector<Dataset> sets = datasets_of(record.layout());
    const auto time = from.datasets.find("t");
    const std::size_t rows = time == from.datasets.end() ? 0 : time->second.rows;
    if (rows == 0) throw BadRun(file + " is no result: it has no rows");
    std::vector<const double*> numbers;
    for (const Dataset& set : sets) {
        const auto it = from.datasets.find(set.path);
        const bool there = it != from.datasets.end();
        if (set.width && (!there || it->second.rows != rows || it->second.width != set.width))
            throw BadRun(file + " is no result: '" + set.path + "' does not have " + std::to_string(rows) +
                         " rows of " + std::to_string(set.width));
        numbers.push_back(there ? it->second.values.data() : nullptr);
    }
    std::vector<double> row(record.layout().width);
    for (std::size_t k = 0; k < rows; ++k) {
        for (std::size_t i = 0; i < sets.size(); ++i)
            if (sets[i].width) std::copy_n(numbers[i] + k * sets[i].width, sets[i].width, row.data() + sets[i].first);
        record.append(row);
    }
    return record;
}

} // namespace

StoredRun read_hdf5(const std::string& file) {
    const Contents from = contents_of(file);
    try {
        StoredRun stored;
        stored.record = record_of(file, from);
        Origin& o = stored.origin;
        for (const auto& [name, member] : origin_texts) o.*member = from.text(name);
        o.step = from.json("step").number();
        read_parameters(from.json("parameters"), o), read_start(from.json("start"), o);
        stored.status = from.text("status"), stored.summary = from.text("summary");
        return stored;
    } catch (const BadJson& e) { throw BadRun(file + " is no result: " + e.what()); }
}

ReportRun report_run(const StoredRun& stored) {
    ReportRun run;
    run.method = stored.origin.method, run.status = stored.status;
    add_columns(stored.record, run);
    add_facts(stored.summary, stored.origin, run);
    return run;
}

} // namespace rattleback
