#include "hdf5_driver.hpp"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <new>
#include <string_view>

namespace rattleback {
namespace {

constexpr const char* only_name = "rattleback"; // what H5Fopen and H5Fcreate must be called with

struct Info {
    CommittedFile* file;
    bool writing;
};
struct Opened {
    H5FD_t base; // first: libhdf5 knows this part alone
    CommittedFile* file;
    haddr_t end;
    bool writing;
};
Opened& of(H5FD_t* f) { return *reinterpret_cast<Opened*>(f); }
const Opened& of(const H5FD_t* f) { return *reinterpret_cast<const Opened*>(f); }

H5FD_t* open(const char* name, unsigned flags, hid_t access, haddr_t) {
    const auto* info = static_cast<const Info*>(H5Pget_driver_info(access));
    if (!info || std::string_view(name) != only_name || (!info->writing && (flags & H5F_ACC_RDWR))) return nullptr;
    auto* opened = new (std::nothrow) Opened{{}, info->file, 0, info->writing};
    return opened ? &opened->base : nullptr;
}

herr_t close(H5FD_t* f) {
    delete &of(f);
    return 0;
}

herr_t query(const H5FD_t*, unsigned long* flags) {
    if (flags)
        *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
                 H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

haddr_t get_eoa(const H5FD_t* f, H5FD_mem_t) { return of(f).end; }

herr_t set_eoa(H5FD_t* f, H5FD_mem_t, haddr_t end) {
    of(f).end = end;
    if (of(f).writing) of(f).file->set_end(end);
    return 0;
}

haddr_t get_eof(const H5FD_t* f, H5FD_mem_t) { return of(f).file->end(); }

herr_t read(H5FD_t* f, H5FD_mem_t, hid_t, haddr_t at, size_t size, void* to) {
    return of(f).file->read(at, size, static_cast<char*>(to)) ? 0 : -1;
}

herr_t write(H5FD_t* f, H5FD_mem_t, hid_t, haddr_t at, size_t size, const void* from) {
    if (!of(f).writing) return -1;
    try {
        return of(f).file->write(at, size, static_cast<const char*>(from)) ? 0 : -1;
    } catch (const std::bad_alloc&) { return -1; } // no exception may pass through libhdf5
}

const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = 600, // of those that are free for testing
#endif
    .name = "rattleback",
    .maxaddr = HADDR_MAX / 2,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(Info),
    .open = open,
    .close = close,
    .query = query,
    .get_eoa = get_eoa,
    .set_eoa = set_eoa,
    .get_eof = get_eof,
    .read = read,
    .write = write,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

} // namespace

hid_t access_to(CommittedFile& file, bool writing) {
    static const hid_t id = H5FDregister(&driver);
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    const Info info{&file, writing};
    if (id < 0 || access < 0 || H5Pset_driver(access, id, &info) < 0) return -1;
    return access;
}

} // namespace rattleback
