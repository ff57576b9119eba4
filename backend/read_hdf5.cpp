// rattleback-read-hdf5: prints a result, given on standard input, as the stream of output/hdf5_stream.hpp on standard
// output. A process of its own: libhdf5 was not made for files of strangers, and what it does with them (a crash, an
// endless loop, code of the file's author) stays in here, without files, network or much memory. Only what our own
// files have is read: texts of fixed length at the root, numbers of 64 bits in chunks or contiguous, no links but hard
// ones, one folder below the root.
#include <hdf5.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "hdf5_driver.hpp"
#include "hdf5_id.hpp"
#include "number_checksum.hpp"
#include "output/hdf5_stream.hpp"
#include "sandbox.hpp"

namespace {

using namespace rattleback;

[[noreturn]] void refuse(const std::string& why) { throw Hdf5Failure{why}; }

void print(const void* from, std::size_t size) {
    const char* bytes = static_cast<const char*>(from);
    while (size > 0) {
        const ssize_t n = ::write(STDOUT_FILENO, bytes, size);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) ::_exit(1); // nobody listens
        bytes += n, size -= static_cast<std::size_t>(n);
    }
}

void print_record(StreamRecord::Kind kind, const std::string& name, std::uint64_t rows, std::uint64_t width) {
    const StreamRecord record{kind, static_cast<std::uint32_t>(name.size()), rows, width};
    print(&record, sizeof record), print(name.data(), name.size());
}

// Names of attributes or of links, as a callback of libhdf5 gathers them.
struct Names {
    std::vector<std::string> all;
    std::size_t most;
    bool hard = true; // all links are
    bool add(const char* name) noexcept {
        try {
            if (all.size() >= most) return false;
            all.emplace_back(name);
            return true;
        } catch (const std::exception&) { return false; } // none may pass through libhdf5
    }
};

herr_t gather_attribute(hid_t, const char* name, const H5A_info_t*, void* to) {
    return static_cast<Names*>(to)->add(name) ? 0 : -1;
}

herr_t gather_link(hid_t, const char* name, const H5L_info_t* info, void* to) {
    auto& names = *static_cast<Names*>(to);
    names.hard = names.hard && info->type == H5L_TYPE_HARD;
    return names.add(name) ? 0 : -1;
}

class Reader {
  public:
    explicit Reader(CommittedFile& file) : disk_(file), size_(file.end()), budget_(stream_budget(size_)) {}

    void run() {
        if (!disk_.recover()) refuse("it cannot be read");
        const Id access(good(access_to(disk_, false), "libhdf5 refuses its driver"), H5Pclose);
        const Id file(good(H5Fopen("rattleback", H5F_ACC_RDONLY, access), "it is no HDF5 file, or it was cut short"),
                      H5Fclose);
        print(stream_magic.data(), stream_magic.size());
        started_ = true;
        texts(file);
        folder(file, "", true);
        print_record(StreamRecord::end, "", rows_, 0);
    }

    void fail(const std::string& why) {
        if (!started_) print(stream_magic.data(), stream_magic.size());
        print_record(StreamRecord::failure, "", why.size(), 1), print(why.data(), why.size());
    }

  private:
    void spend(const std::string& name, std::uint64_t size) {
        if (name.size() > budget_ || size > budget_ - name.size())
            refuse("it says to hold more than fits into its size");
        budget_ -= name.size() + size;
    }

    void texts(hid_t file) {
        constexpr std::size_t most_attributes = 64;
        if (H5Aexists(file, "rows") <= 0)
            refuse("its attribute 'rows' is missing: this version of rattleback did not write it; make it again");
        Names names{{}, most_attributes};
        hsize_t at = 0;
        if (H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_NATIVE, &at, gather_attribute, &names) < 0)
            refuse("its attributes cannot be read, or are more than " + std::to_string(most_attributes));
        for (const std::string& name : names.all) {
            const Id id(good(H5Aopen(file, name.c_str(), H5P_DEFAULT), "an attribute cannot be read"), H5Aclose);
            if (name == "rows")
                count(id);
            else
                text(name, id);
        }
    }

    static long long integer(const std::string& name, hid_t id) {
        const Id type(good(H5Aget_type(id), "an attribute has no type"), H5Tclose),
            space(good(H5Aget_space(id), "an attribute has no shape"), H5Sclose);
        long long value = 0;
        if (H5Sget_simple_extent_type(space) != H5S_SCALAR || H5Tequal(type, H5T_STD_I64LE) <= 0 ||
            H5Aread(id, H5T_NATIVE_LLONG, &value) < 0)
            refuse("its attribute '" + name + "' is not an integer");
        return value;
    }

    void count(hid_t id) {
        const long long rows = integer("rows", id);
        if (rows < 0) refuse("its attribute 'rows' is negative");
        rows_ = static_cast<std::uint64_t>(rows);
    }

    static std::uint64_t checksum(const std::string& path, hid_t dataset) {
        const Id id(good(H5Aopen(dataset, checksum_attribute, H5P_DEFAULT), "'" + path + "' has no checksum"),
                    H5Aclose);
        return static_cast<std::uint64_t>(integer(path + "/" + checksum_attribute, id));
    }

    void text(const std::string& name, hid_t id) {
        const Id type(good(H5Aget_type(id), "an attribute has no type"), H5Tclose),
            space(good(H5Aget_space(id), "an attribute has no shape"), H5Sclose);
        if (H5Sget_simple_extent_type(space) != H5S_SCALAR || H5Tcommitted(type) != 0)
            refuse("its attribute '" + name + "' is not a single text");
        if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0)
            refuse("its attribute '" + name + "' is not a text of fixed length");
        const std::size_t size = H5Tget_size(type);
        spend(name, sizeof(StreamRecord) + size);
        std::string value(size, '\0');
        good(H5Aread(id, type, value.data()), "its attribute '" + name + "' cannot be read");
        value.resize(std::min(value.find('\0'), size));
        print_record(StreamRecord::text, name, value.size(), 1), print(value.data(), value.size());
    }

    void folder(hid_t group, const std::string& path, bool root) {
        Names names{{}, size_ / 64}; // a dataset takes more bytes than that
        hsize_t at = 0;
        const bool listed = H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, &at, gather_link, &names) >= 0;
        if (!names.hard) refuse("it has links to other places");
        if (!listed) refuse("its contents cannot be listed");
        for (const std::string& name : names.all) {
            const std::string where = path + name;
            const Id id(good(H5Oopen(group, name.c_str(), H5P_DEFAULT), "'" + where + "' cannot be read"), H5Oclose);
            const H5I_type_t kind = H5Iget_type(id);
            if (kind == H5I_DATASET)
                dataset(where, id);
            else if (kind == H5I_GROUP && root)
                folder(id, where + "/", false);
            else
                refuse("'" + where + "' is not a dataset");
        }
    }

    void dataset(const std::string& path, hid_t id) {
        const Id type(good(H5Dget_type(id), "a dataset has no type"), H5Tclose),
            space(good(H5Dget_space(id), "a dataset has no shape"), H5Sclose);
        const bool names = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
        if (names) return; // the layout has them, too
        if (H5Tcommitted(type) != 0 || (H5Tequal(type, H5T_IEEE_F64LE) <= 0 && H5Tequal(type, H5T_IEEE_F64BE) <= 0))
            refuse("'" + path + "' does not hold numbers of 64 bits");
        const std::vector<hsize_t> shape = shape_of(path, space);
        const std::uint64_t width = width_of(path, shape);
        if (shape[0] < rows_) refuse("'" + path + "' has fewer rows than its attribute 'rows' says");
        if (rows_ > budget_ / sizeof(double) / width) refuse("it says to hold more than fits into its size");
        require_own_storage(path, id, shape);
        const std::uint64_t expected = checksum(path, id);
        spend(path, sizeof(StreamRecord) + rows_ * width * sizeof(double));
        print_record(StreamRecord::numbers, path, rows_, width);
        if (numbers(id, space, shape, width) != expected) broken();
    }

    std::vector<hsize_t> shape_of(const std::string& path, hid_t space) const {
        constexpr int most_dimensions = 8;
        const int rank = H5Sget_simple_extent_ndims(space);
        if (H5Sget_simple_extent_type(space) != H5S_SIMPLE || rank < 1 || rank > most_dimensions)
            refuse("'" + path + "' is no array of rows");
        std::vector<hsize_t> shape(static_cast<std::size_t>(rank));
        good(H5Sget_simple_extent_dims(space, shape.data(), nullptr), "a dataset has no shape");
        return shape;
    }

    std::uint64_t width_of(const std::string& path, const std::vector<hsize_t>& shape) const {
        std::uint64_t width = 1;
        for (std::size_t i = 1; i < shape.size(); ++i) {
            if (shape[i] == 0 || shape[i] > size_ / width) refuse("'" + path + "' has rows of an impossible length");
            width *= shape[i];
        }
        return width;
    }

    // In the file itself, as our writer puts it: no other files, no views of other datasets, no filter but a checksum.
    void require_own_storage(const std::string& path, hid_t id, const std::vector<hsize_t>& shape) const {
        const Id how(good(H5Dget_create_plist(id), "a dataset has no layout"), H5Pclose);
        const H5D_layout_t layout = H5Pget_layout(how);
        if ((layout != H5D_CHUNKED && layout != H5D_CONTIGUOUS) || H5Pget_external_count(how) != 0)
            refuse("'" + path + "' has its numbers elsewhere");
        const int filters = H5Pget_nfilters(how);
        for (int i = 0; i < filters; ++i) {
            unsigned flags = 0, config = 0;
            std::size_t values = 0;
            if (H5Pget_filter2(how, static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &config) !=
                H5Z_FILTER_FLETCHER32)
                refuse("'" + path + "' is stored through a filter that rattleback does not use");
        }
        if (filters < 0 || filters > 1) refuse("'" + path + "' is stored through too many filters");
        const std::uint64_t overhead = filters == 1 ? sizeof(std::uint32_t) : 0; // a checksum behind each chunk
        if (layout == H5D_CHUNKED)
            require_chunks(path, id, how, shape, overhead);
        else if (shape[0] > 0 && H5Dget_storage_size(id) < rows_ * width_of(path, shape) * sizeof(double))
            refuse("'" + path + "' has rows without numbers");
    }

    // Every chunk of the rows is there, and none of them leaves out its checksum: libhdf5 would take zeros for the
    // first, and believe the second.
    void require_chunks(const std::string& path, hid_t id, hid_t how, const std::vector<hsize_t>& shape,
                        std::uint64_t overhead) const {
        constexpr std::uint64_t largest_chunk = std::uint64_t{64} << 20;
        std::vector<hsize_t> chunk(shape.size());
        if (H5Pget_chunk(how, static_cast<int>(chunk.size()), chunk.data()) != static_cast<int>(chunk.size()))
            refuse("'" + path + "' has chunks of another shape");
        std::uint64_t bytes = sizeof(double);
        for (std::size_t i = 0; i < chunk.size(); ++i) {
            if (chunk[i] == 0 || chunk[i] > largest_chunk / bytes || (i > 0 && chunk[i] != shape[i]))
                refuse("'" + path + "' has chunks of an impossible size");
            bytes *= chunk[i];
        }
        std::vector<hsize_t> from(shape.size(), 0);
        for (; from[0] < rows_; from[0] += chunk[0]) {
            unsigned left_out = 0;
            haddr_t at = HADDR_UNDEF;
            hsize_t size = 0;
            if (H5Dget_chunk_info_by_coord(id, from.data(), &left_out, &at, &size) < 0 || at == HADDR_UNDEF ||
                left_out != 0 || size != bytes + overhead)
                refuse("'" + path + "' has rows without numbers");
        }
    }

    std::uint64_t numbers(hid_t id, hid_t space, const std::vector<hsize_t>& shape, std::uint64_t width) const {
        constexpr std::uint64_t at_once = 131072; // numbers: 1 MB
        std::vector<hsize_t> from(shape.size(), 0), part = shape;
        std::vector<double> values;
        std::uint64_t sum = checksum_of_nothing;
        for (std::uint64_t done = 0; done < rows_; done += part[0]) {
            from[0] = done, part[0] = std::min(rows_ - done, std::max<std::uint64_t>(1, at_once / width));
            values.resize(part[0] * width);
            const Id here(H5Screate_simple(static_cast<int>(part.size()), part.data(), nullptr), H5Sclose);
            if (H5Sselect_hyperslab(space, H5S_SELECT_SET, from.data(), nullptr, part.data(), nullptr) < 0 ||
                H5Dread(id, H5T_NATIVE_DOUBLE, here, space, H5P_DEFAULT, values.data()) < 0)
                broken();
            sum = checksum_of(sum, values.data(), values.size());
            print(values.data(), values.size() * sizeof(double));
        }
        return sum;
    }

    // In the midst of a dataset there is no place for words in the stream: the exit code says it.
    [[noreturn]] void broken() const { ::_exit(stream_broken); }

    CommittedFile& disk_;
    std::uint64_t size_, budget_, rows_ = 0;
    bool started_ = false;
};

} // namespace

int main() {
    struct stat info = {};
    if (::fstat(STDIN_FILENO, &info) != 0 || !S_ISREG(info.st_mode)) return 2;
    if (H5open() < 0) return 2;
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    H5PLset_loading_state(0); // no filters from elsewhere
    CommittedFile file(STDIN_FILENO);
    if (!limit_resources(file.end()) || !forbid_system_calls()) return 2;
    Reader reader(file);
    try {
        reader.run();
    } catch (const Hdf5Failure& failure) { reader.fail(failure.what()); } catch (const std::exception&) {
        reader.fail("reading it needs more memory than it may take");
    }
    ::_exit(0);
}
