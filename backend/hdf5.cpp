// librattleback_hdf5.so: results as HDF5 files, with dimension scales, so that xarray knows what belongs to what.
#include "output/hdf5_module.hpp"

#include <hdf5.h>
#include <hdf5_hl.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace {

using namespace rattleback;

struct Failure {
    std::string what;
};
template <class T> T good(T id, const char* doing) {
    if (id < 0) throw Failure{doing};
    return id;
}

// An identifier that is closed by the function it belongs to.
class Id {
  public:
    Id(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
    ~Id() {
        if (id_ >= 0) close_(id_);
    }
    Id(const Id&) = delete;
    Id& operator=(const Id&) = delete;
    operator hid_t() const { return id_; }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

void attribute(hid_t at, const char* name, const char* value) {
    const Id type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate(H5S_SCALAR), H5Sclose);
    H5Tset_size(type, H5T_VARIABLE), H5Tset_cset(type, H5T_CSET_UTF8);
    if (H5Aexists(at, name) > 0) H5Adelete(at, name);
    const Id a(good(H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT), "an attribute"), H5Aclose);
    good(H5Awrite(a, type, &value), "an attribute");
}

// A name with slashes would make groups of its own.
std::string safe(const std::string& name) {
    std::string s = name;
    std::replace(s.begin(), s.end(), '/', '|');
    return s;
}

class File {
  public:
    File(const char* name, const Hdf5Dataset* sets, std::size_t count)
        : file_(good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "the file"), H5Fclose) {
        const Id group(good(H5Gcreate2(file_, "observables", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "a group"),
                       H5Gclose);
        for (std::size_t i = 0; i < count; ++i) add(sets[i]);
    }
    ~File() {
        for (hid_t s : sets_) H5Dclose(s);
    }
    hid_t id() const { return file_; }

    void append(std::size_t rows, const double* const* data) {
        for (std::size_t i = 0; i < sets_.size(); ++i) {
            const int rank = widths_[i] ? 2 : 1;
            const hsize_t whole[2] = {rows_ + rows, widths_[i]}, from[2] = {rows_, 0}, part[2] = {rows, widths_[i]};
            good(H5Dset_extent(sets_[i], whole), "more rows");
            const Id there(H5Dget_space(sets_[i]), H5Sclose), here(H5Screate_simple(rank, part, nullptr), H5Sclose);
            good(H5Sselect_hyperslab(there, H5S_SELECT_SET, from, nullptr, part, nullptr), "rows");
            good(H5Dwrite(sets_[i], H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, data[i]), "rows");
        }
        rows_ += rows;
        good(H5Fflush(file_, H5F_SCOPE_GLOBAL), "what was written");
    }

  private:
    void add(const Hdf5Dataset& set) {
        const int rank = set.width ? 2 : 1;
        const hsize_t now[2] = {0, set.width}, most[2] = {H5S_UNLIMITED, set.width};
        const hsize_t chunk[2] = {set.width ? std::max<hsize_t>(1, 8192 / set.width) : 8192, set.width};
        const Id space(H5Screate_simple(rank, now, most), H5Sclose), how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_chunk(how, rank, chunk);
        const std::string name = set.name;
        const std::string path =
            name.rfind("observables/", 0) == 0 ? "observables/" + safe(name.substr(12)) : safe(name);
        const hid_t id =
            good(H5Dcreate2(file_, path.c_str(), H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, how, H5P_DEFAULT), "a dataset");
        sets_.push_back(id), widths_.push_back(set.width);
        attribute(id, "units", "those of the model");
        if (sets_.size() == 1) // the first is t
            good(H5DSset_scale(id, "t"), "the scale of time");
        else
            good(H5DSattach_scale(id, sets_[0], 0), "the scale of time");
        if (set.columns && set.width) columns(path + "_name", set, id);
    }

    void columns(const std::string& path, const Hdf5Dataset& set, hid_t owner) {
        std::vector<std::string> names{""};
        for (const char* c = set.columns; *c; ++c) {
            if (*c == '\n')
                names.emplace_back();
            else
                names.back() += *c;
        }
        std::vector<const char*> texts;
        for (const std::string& n : names) texts.push_back(n.c_str());
        const hsize_t size = set.width;
        const Id type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate_simple(1, &size, nullptr), H5Sclose);
        H5Tset_size(type, H5T_VARIABLE), H5Tset_cset(type, H5T_CSET_UTF8);
        const Id id(good(H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "names"),
                    H5Dclose);
        good(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()), "names");
        good(H5DSset_scale(id, path.c_str()), "a scale of names");
        good(H5DSattach_scale(owner, id, 1), "a scale of names");
    }

    Id file_;
    std::vector<hid_t> sets_;
    std::vector<std::size_t> widths_;
    hsize_t rows_ = 0;
};

template <class F> bool guarded(char* error, std::size_t size, F&& f) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // we speak for ourselves
    try {
        f();
        return true;
    } catch (const Failure& failure) {
        std::snprintf(error, size, "%s", failure.what.c_str());
        return false;
    }
}

void* create(const char* name, const Hdf5Dataset* sets, std::size_t count, const Hdf5Text* texts,
             std::size_t text_count, char* error, std::size_t size) {
    File* file = nullptr;
    const bool done = guarded(error, size, [&] {
        file = new File(name, sets, count);
        for (std::size_t i = 0; i < text_count; ++i) attribute(file->id(), texts[i].name, texts[i].value);
        good(H5Fflush(file->id(), H5F_SCOPE_GLOBAL), "what was written");
    });
    if (!done) delete file;
    return done ? file : nullptr;
}

bool append(void* file, std::size_t rows, const double* const* data, char* error, std::size_t size) {
    return guarded(error, size, [&] { static_cast<File*>(file)->append(rows, data); });
}

bool finish(void* file, const Hdf5Text* texts, std::size_t count, char* error, std::size_t size) {
    const bool done = guarded(error, size, [&] {
        for (std::size_t i = 0; i < count; ++i)
            attribute(static_cast<File*>(file)->id(), texts[i].name, texts[i].value);
    });
    delete static_cast<File*>(file);
    return done;
}

struct Reading {
    void* to;
    void (*dataset)(void*, const char*, const char*, std::size_t, std::size_t, const double*);
    hid_t file;
};

std::string names_of(hid_t file, const std::string& path) {
    if (H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0) return "";
    const Id id(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
    if (id < 0) return "";
    const Id space(H5Dget_space(id), H5Sclose), type(H5Dget_type(id), H5Tclose);
    if (H5Tis_variable_str(type) <= 0) return "";
    std::vector<char*> texts(static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space))));
    if (H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts.data()) < 0) return "";
    std::string all;
    for (const char* t : texts) all += std::string(t ? t : "") + "\n";
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
    return all;
}

herr_t visit(hid_t, const char* name, const H5O_info_t* info, void* data) {
    const Reading& reading = *static_cast<Reading*>(data);
    if (info->type != H5O_TYPE_DATASET) return 0;
    const Id id(H5Dopen2(reading.file, name, H5P_DEFAULT), H5Dclose);
    const Id type(H5Dget_type(id), H5Tclose), space(H5Dget_space(id), H5Sclose);
    hsize_t size[2] = {0, 1};
    const int rank = H5Sget_simple_extent_ndims(space);
    if (H5Tget_class(type) != H5T_FLOAT || rank < 1 || rank > 2) return 0;
    H5Sget_simple_extent_dims(space, size, nullptr);
    std::vector<double> numbers(size[0] * size[1]);
    if (H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0) return -1;
    const std::string columns = rank == 2 ? names_of(reading.file, std::string(name) + "_name") : "";
    reading.dataset(reading.to, name, columns.c_str(), size[0], size[1], numbers.data());
    return 0;
}

bool read(const char* name, void* to,
          void (*dataset)(void*, const char*, const char*, std::size_t, std::size_t, const double*),
          void (*text)(void*, const char*, const char*), char* error, std::size_t size) {
    return guarded(error, size, [&] {
        const Id file(good(H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT), "it is no HDF5 file, or it was cut short"),
                      H5Fclose);
        for (const char* a : {"model", "model_text", "method", "step", "version", "status"}) {
            if (H5Aexists(file, a) <= 0) continue;
            const Id id(H5Aopen(file, a, H5P_DEFAULT), H5Aclose), type(H5Aget_type(id), H5Tclose);
            char* value = nullptr;
            if (H5Tis_variable_str(type) > 0 && H5Aread(id, type, &value) >= 0 && value) {
                text(to, a, value);
                H5free_memory(value);
            }
        }
        Reading reading{to, dataset, file};
        good(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &reading), "its datasets cannot be read");
    });
}

const Hdf5Module functions = {create, append, finish, read};

} // namespace

extern "C" const Hdf5Module* rattleback_hdf5_1() { return &functions; }
