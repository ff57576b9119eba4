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

class File {
  public:
    File(const char* name, const Hdf5Dataset* sets, std::size_t count)
        : file_(good(H5Fcreate(name, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), "the file"), H5Fclose) {
        for (std::size_t i = 0; i < count; ++i) add(sets[i]);
    }
    ~File() {
        for (const Set& s : sets_)
            if (s.id >= 0) H5Dclose(s.id);
    }
    hid_t id() const { return file_; }

    void append(std::size_t rows, const double* const* data) {
        for (std::size_t i = 0; i < sets_.size(); ++i) {
            const Set& s = sets_[i];
            if (s.id < 0) continue; // a folder
            std::vector<hsize_t> whole = s.size, from(s.size.size(), 0), part = s.size;
            whole[0] = rows_ + rows, from[0] = rows_, part[0] = rows;
            good(H5Dset_extent(s.id, whole.data()), "more rows");
            const Id there(H5Dget_space(s.id), H5Sclose),
                here(H5Screate_simple(static_cast<int>(part.size()), part.data(), nullptr), H5Sclose);
            good(H5Sselect_hyperslab(there, H5S_SELECT_SET, from.data(), nullptr, part.data(), nullptr), "rows");
            good(H5Dwrite(s.id, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, data[i]), "rows");
        }
        rows_ += rows;
        good(H5Fflush(file_, H5F_SCOPE_GLOBAL), "what was written");
    }

  private:
    struct Set {
        hid_t id;
        std::vector<hsize_t> size; // the first: of rows, not kept here
    };

    void add(const Hdf5Dataset& set) {
        const std::string path = set.path;
        const Id folders(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
        H5Pset_create_intermediate_group(folders, 1);
        if (path.back() == '/') {
            const Id group(good(H5Gcreate2(file_, path.c_str(), folders, H5P_DEFAULT, H5P_DEFAULT), "a group"),
                           H5Gclose);
            sets_.push_back({-1, {}});
            return;
        }
        std::vector<hsize_t> now{0}, most{H5S_UNLIMITED}, chunk{8192};
        for (std::size_t i = 0; i < set.rank; ++i) {
            for (auto* size : {&now, &most, &chunk}) size->push_back(set.shape[i]);
            chunk[0] = std::max<hsize_t>(1, chunk[0] / set.shape[i]);
        }
        const int rank = static_cast<int>(now.size());
        const Id space(H5Screate_simple(rank, now.data(), most.data()), H5Sclose),
            how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_chunk(how, rank, chunk.data());
        const hid_t id =
            good(H5Dcreate2(file_, path.c_str(), H5T_NATIVE_DOUBLE, space, folders, how, H5P_DEFAULT), "a dataset");
        sets_.push_back({id, now});
        attribute(id, "units", "those of the model");
        if (sets_.size() == 1) // the first is time
            good(H5DSset_scale(id, path.c_str()), "the scale of time");
        else
            good(H5DSattach_scale(id, sets_[0].id, 0), "the scale of time");
        if (set.rank == 1) columns(path + "_name", set, id);
    }

    void columns(const std::string& path, const Hdf5Dataset& set, hid_t owner) {
        const hsize_t size = set.shape[0];
        const Id type(H5Tcopy(H5T_C_S1), H5Tclose), space(H5Screate_simple(1, &size, nullptr), H5Sclose);
        H5Tset_size(type, H5T_VARIABLE), H5Tset_cset(type, H5T_CSET_UTF8);
        const Id id(good(H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "names"),
                    H5Dclose);
        good(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, set.columns), "names");
        good(H5DSset_scale(id, path.c_str()), "a scale of names");
        good(H5DSattach_scale(owner, id, 1), "a scale of names");
    }

    Id file_;
    std::vector<Set> sets_;
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

using OnDataset = void (*)(void*, const char*, std::size_t, std::size_t, const double*);
using OnText = void (*)(void*, const char*, const char*);
struct Reading {
    void* to;
    OnDataset dataset;
    OnText text;
    hid_t file;
};

herr_t visit(hid_t, const char* path, const H5O_info_t* info, void* data) {
    const Reading& reading = *static_cast<Reading*>(data);
    if (info->type != H5O_TYPE_DATASET) return 0;
    const Id id(H5Dopen2(reading.file, path, H5P_DEFAULT), H5Dclose);
    const Id type(H5Dget_type(id), H5Tclose), space(H5Dget_space(id), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(space);
    if (H5Tget_class(type) != H5T_FLOAT || rank < 1) return 0;
    std::vector<hsize_t> size(static_cast<std::size_t>(rank));
    H5Sget_simple_extent_dims(space, size.data(), nullptr);
    std::size_t width = 1;
    for (std::size_t i = 1; i < size.size(); ++i) width *= size[i];
    std::vector<double> numbers(size[0] * width);
    if (H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0) return -1;
    reading.dataset(reading.to, path, size[0], width, numbers.data());
    return 0;
}

herr_t visit_attribute(hid_t at, const char* name, const H5A_info_t*, void* data) {
    const Reading& reading = *static_cast<Reading*>(data);
    const Id id(H5Aopen(at, name, H5P_DEFAULT), H5Aclose), type(H5Aget_type(id), H5Tclose);
    char* value = nullptr;
    if (H5Tis_variable_str(type) <= 0 || H5Aread(id, type, &value) < 0 || !value) return 0;
    reading.text(reading.to, name, value);
    H5free_memory(value);
    return 0;
}

bool read(const char* name, void* to, OnDataset dataset, OnText text, char* error, std::size_t size) {
    return guarded(error, size, [&] {
        const Id file(good(H5Fopen(name, H5F_ACC_RDONLY, H5P_DEFAULT), "it is no HDF5 file, or it was cut short"),
                      H5Fclose);
        Reading reading{to, dataset, text, file};
        good(H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, visit_attribute, &reading),
             "its attributes cannot be read");
        good(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, visit, &reading), "its datasets cannot be read");
    });
}

const Hdf5Module functions = {create, append, finish, read};

} // namespace

extern "C" const Hdf5Module* rattleback_hdf5_2() { return &functions; }
