// librattleback_hdf5.so: writes results as HDF5 files, with dimension scales, so that xarray knows what belongs to
// what. Rows and the attribute `rows`, which counts them, reach the file in one commit. Texts have a fixed length, so
// that whoever reads them needs no memory that the file asks for.
#include "output/hdf5_module.hpp"

#include <hdf5_hl.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

#include "hdf5_driver.hpp"
#include "hdf5_id.hpp"
#include "number_checksum.hpp"

namespace {

using namespace rattleback;

hid_t text_type(std::size_t size) {
    const hid_t type = good(H5Tcopy(H5T_C_S1), "a type of texts");
    if (H5Tset_size(type, size) < 0 || H5Tset_cset(type, H5T_CSET_UTF8) < 0 || H5Tset_strpad(type, H5T_STR_NULLPAD) < 0)
        throw Hdf5Failure{"a type of texts"};
    return type;
}

void attribute(hid_t at, const char* name, const char* value) {
    const Id type(text_type(std::max<std::size_t>(1, std::strlen(value))), H5Tclose),
        space(H5Screate(H5S_SCALAR), H5Sclose);
    if (H5Aexists(at, name) > 0) good(H5Adelete(at, name), "an attribute");
    const Id a(good(H5Acreate2(at, name, type, space, H5P_DEFAULT, H5P_DEFAULT), "an attribute"), H5Aclose);
    good(H5Awrite(a, type, value), "an attribute");
}

// An attribute that changes with every block.
hid_t changing_attribute(hid_t at, const char* name) {
    const Id space(H5Screate(H5S_SCALAR), H5Sclose);
    return good(H5Acreate2(at, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT), "an attribute");
}
void change(hid_t attribute, std::uint64_t value) {
    const auto number = static_cast<long long>(value);
    good(H5Awrite(attribute, H5T_NATIVE_LLONG, &number), "an attribute");
}

class File {
  public:
    File(int fd, bool sync, const Hdf5Dataset* sets, std::size_t count)
        : disk_(fd), sync_(sync), file_(create(disk_), H5Fclose), count_(changing_attribute(file_, "rows"), H5Aclose) {
        change(count_, 0);
        for (std::size_t i = 0; i < count; ++i) add(sets[i]);
    }
    ~File() {
        for (Set& s : sets_) close(s);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    void describe(const Hdf5Text* texts, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) attribute(file_, texts[i].name, texts[i].value);
    }

    void append(std::size_t rows, const double* const* data) {
        try {
            write(rows, data);
        } catch (const Hdf5Failure&) {
            if (disk_.why()) throw Hdf5Failure{std::strerror(disk_.why())};
            throw;
        }
        commit();
    }

    void close() {
        for (Set& s : sets_)
            if (!close(s)) throw Hdf5Failure{"the end of a dataset"};
        if (!count_.close() || !file_.close()) throw Hdf5Failure{"the end of the file"};
        commit();
    }

  private:
    struct Set {
        hid_t id = -1, checksum = -1;
        std::vector<hsize_t> size = {}; // the first: of rows, not kept here
        hsize_t width = 1;
        std::uint64_t sum = checksum_of_nothing;
    };

    void write(std::size_t rows, const double* const* data) {
        std::vector<NumberChecksum> sums;
        for (std::size_t i = 0; i < sets_.size(); ++i)
            if (sets_[i].id >= 0)
                sums.push_back({reinterpret_cast<const char*>(data[i]), rows * sets_[i].width, &sets_[i].sum});
        add_to_checksums(std::move(sums));
        for (std::size_t i = 0; i < sets_.size(); ++i) {
            Set& s = sets_[i];
            if (s.id < 0) continue; // a folder
            std::vector<hsize_t> whole = s.size, from(s.size.size(), 0), part = s.size;
            whole[0] = rows_ + rows, from[0] = rows_, part[0] = rows;
            good(H5Dset_extent(s.id, whole.data()), "more rows");
            const Id there(H5Dget_space(s.id), H5Sclose),
                here(H5Screate_simple(static_cast<int>(part.size()), part.data(), nullptr), H5Sclose);
            good(H5Sselect_hyperslab(there, H5S_SELECT_SET, from.data(), nullptr, part.data(), nullptr), "rows");
            good(H5Dwrite(s.id, H5T_NATIVE_DOUBLE, here, there, H5P_DEFAULT, data[i]), "rows");
            change(s.checksum, s.sum);
        }
        rows_ += rows;
        change(count_, rows_);
        good(H5Fflush(file_, H5F_SCOPE_GLOBAL), "what was written");
    }

    static bool close(Set& s) {
        const bool closed = s.id < 0 || (H5Aclose(s.checksum) >= 0 && H5Dclose(s.id) >= 0);
        s.id = -1;
        return closed;
    }

    // The format of HDF5 1.8: later ones mark a file as open, and refuse it after a kill.
    static hid_t create(CommittedFile& disk) {
        const Id access(good(access_to(disk, true), "its driver"), H5Pclose), how(H5Pcreate(H5P_FILE_CREATE), H5Pclose);
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18);
        H5Pset_meta_block_size(access, hsize_t{1} << 16); // headers and indices lie together
        H5Pset_attr_phase_change(how, 64, 60);
        return good(H5Fcreate("rattleback", H5F_ACC_TRUNC, how, access), "the file");
    }

    void commit() {
        if (!disk_.commit(sync_)) throw Hdf5Failure{std::strerror(errno)};
    }

    void add(const Hdf5Dataset& set) {
        const std::string path = set.path;
        const Id folders(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
        H5Pset_create_intermediate_group(folders, 1);
        if (path.back() == '/') {
            const Id group(good(H5Gcreate2(file_, path.c_str(), folders, H5P_DEFAULT, H5P_DEFAULT), "a group"),
                           H5Gclose);
            sets_.emplace_back();
            return;
        }
        std::vector<hsize_t> now{0}, most{H5S_UNLIMITED}, chunk{8192};
        hsize_t width = 1;
        for (std::size_t i = 0; i < set.rank; ++i) {
            width *= set.shape[i];
            for (auto* size : {&now, &most, &chunk}) size->push_back(set.shape[i]);
            chunk[0] = std::max<hsize_t>(1, chunk[0] / set.shape[i]);
        }
        const int rank = static_cast<int>(now.size());
        const Id space(H5Screate_simple(rank, now.data(), most.data()), H5Sclose),
            how(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
        H5Pset_chunk(how, rank, chunk.data());
        H5Pset_fletcher32(how);
        const hid_t id =
            good(H5Dcreate2(file_, path.c_str(), H5T_IEEE_F64LE, space, folders, how, H5P_DEFAULT), "a dataset");
        sets_.push_back({id, changing_attribute(id, checksum_attribute), now, width});
        change(sets_.back().checksum, checksum_of_nothing);
        attribute(id, "units", "those of the model");
        if (sets_.size() == 1) // the first is time
            good(H5DSset_scale(id, path.c_str()), "the scale of time");
        else
            good(H5DSattach_scale(id, sets_[0].id, 0), "the scale of time");
        if (set.rank == 1) columns(path + "_name", set, id);
    }

    // Names as a scale: xarray takes texts of one byte for letters of a word, hence two, and decodes by _Encoding.
    void columns(const std::string& path, const Hdf5Dataset& set, hid_t owner) {
        const hsize_t count = set.shape[0];
        std::size_t longest = 2;
        for (hsize_t i = 0; i < count; ++i) longest = std::max(longest, std::strlen(set.columns[i]));
        std::string names(longest * count, '\0');
        for (hsize_t i = 0; i < count; ++i)
            std::memcpy(names.data() + i * longest, set.columns[i], std::strlen(set.columns[i]));
        const Id type(text_type(longest), H5Tclose), space(H5Screate_simple(1, &count, nullptr), H5Sclose);
        const Id id(good(H5Dcreate2(file_, path.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), "names"),
                    H5Dclose);
        good(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, names.data()), "names");
        attribute(id, "_Encoding", "utf-8");
        good(H5DSset_scale(id, path.c_str()), "a scale of names");
        good(H5DSattach_scale(owner, id, 1), "a scale of names");
    }

    CommittedFile disk_;
    bool sync_;
    hsize_t rows_ = 0;
    Id file_, count_;
    std::vector<Set> sets_;
};

// No exception leaves the module: its caller may have been built with another C++ library.
template <class F> bool guarded(char* error, std::size_t size, F&& f) {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); // we speak for ourselves
    try {
        f();
        return true;
    } catch (const std::exception& e) { std::snprintf(error, size, "%s", e.what()); }
    return false;
}

void* create(int fd, bool sync, const Hdf5Dataset* sets, std::size_t count, const Hdf5Text* texts,
             std::size_t text_count, char* error, std::size_t size) {
    File* file = nullptr;
    const bool done = guarded(error, size, [&] {
        file = new File(fd, sync, sets, count);
        file->describe(texts, text_count);
    });
    if (!done) delete file;
    return done ? file : nullptr;
}

bool append(void* file, std::size_t rows, const double* const* data, char* error, std::size_t size) {
    return guarded(error, size, [&] { static_cast<File*>(file)->append(rows, data); });
}

bool close(void* file, const Hdf5Text* texts, std::size_t count, char* error, std::size_t size) {
    const bool done = guarded(error, size, [&] {
        static_cast<File*>(file)->describe(texts, count);
        static_cast<File*>(file)->close();
    });
    delete static_cast<File*>(file);
    return done;
}

void drop(void* file) { delete static_cast<File*>(file); }

const Hdf5Module functions = {create, append, close, drop};

} // namespace

extern "C" const Hdf5Module* rattleback_hdf5_3() { return &functions; }
