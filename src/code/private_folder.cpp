#include "code/private_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

namespace rattleback::code {
namespace {

namespace fs = std::filesystem;

class OpenFile {
  public:
    explicit OpenFile(int fd) : fd_(fd) {}
    ~OpenFile() {
        if (fd_ >= 0) ::close(fd_);
    }
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;
    operator int() const { return fd_; }
    bool close() { return ::close(std::exchange(fd_, -1)) == 0; }

  private:
    int fd_;
};

std::string reason_against(const fs::path& path) {
    struct stat about {};
    if (lstat(path.c_str(), &about) != 0) return path.string() + ": " + std::strerror(errno);
    if (about.st_uid != geteuid() && about.st_uid != 0) return path.string() + " belongs to another user";
    const bool shared = (about.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (about.st_mode & S_ISVTX) == 0;
    return shared && !S_ISLNK(about.st_mode) ? path.string() + " may be changed by other users" : "";
}

std::string reason_on_the_way(const fs::path& path) {
    fs::path so_far;
    for (const fs::path& part : path) {
        so_far /= part;
        if (part.empty() || part == ".") continue;
        if (const std::string reason = reason_against(so_far); !reason.empty()) return reason;
    }
    return {};
}

// O_NONBLOCK: a FIFO in the place of a file would wait for somebody to write.
int open_in(int folder, const std::string& name) {
    return openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

// As write() makes them.
bool is_ours_alone(const struct stat& about) {
    return S_ISREG(about.st_mode) && about.st_uid == geteuid() && (about.st_mode & 0077) == 0 && about.st_size >= 0;
}

timespec last_use(const struct stat& about) {
#ifdef __APPLE__
    return about.st_mtimespec;
#else
    return about.st_mtim;
#endif
}

// Up to so many bytes more, at the end of a text.
void read_more(int file, std::string& bytes, std::size_t more) {
    std::size_t done = bytes.size();
    bytes.resize(done + more);
    while (done < bytes.size()) {
        const ssize_t part = ::read(file, bytes.data() + done, bytes.size() - done);
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) break;
        done += static_cast<std::size_t>(part);
    }
    bytes.resize(done);
}

bool write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t part = ::write(file, bytes.data(), bytes.size());
        if (part < 0 && errno == EINTR) continue;
        if (part <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(part));
    }
    return true;
}

void create_with_parents(const fs::path& path) {
    fs::path so_far;
    for (const fs::path& part : path) {
        so_far /= part;
        mkdir(so_far.c_str(), 0700);
    }
}

} // namespace

std::string who_else_could_change(const std::string& folder) {
    std::error_code error;
    const fs::path written = fs::absolute(folder, error), real = error ? fs::path() : fs::canonical(written, error);
    if (error) return folder + ": " + error.message();
    const std::string reason = reason_on_the_way(written); // also owners of symbolic links
    return reason.empty() ? reason_on_the_way(real) : reason;
}

PrivateFolder::PrivateFolder(const std::string& path, If when) : path_(path) {
    std::error_code error;
    if (when == If::missing_create) create_with_parents(fs::absolute(path, error));
    OpenFile folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat about {};
    if (folder < 0 || fstat(folder, &about) != 0)
        why_not_ = reason();
    else if (about.st_uid != geteuid() || (about.st_mode & 0077) != 0)
        why_not_ = path_ + ": not a folder of this user's alone (mode 0700)";
    else
        why_not_ = who_else_could_change(path);
    if (why_not_.empty()) fd_ = dup(folder);
}

PrivateFolder::~PrivateFolder() {
    if (fd_ >= 0) ::close(fd_);
}

std::string PrivateFolder::reason() const { return path_ + ": " + std::strerror(errno); }

std::optional<std::string> PrivateFolder::read(const std::string& name, std::size_t head,
                                               const Plausible& plausible) const {
    const OpenFile file(open_in(fd_, name));
    struct stat about {};
    if (file < 0 || fstat(file, &about) != 0 || !is_ours_alone(about)) return {};
    const auto size = static_cast<std::size_t>(about.st_size);
    std::string bytes;
    read_more(file, bytes, std::min(head, size));
    if (bytes.size() != std::min(head, size) || !plausible(size, bytes)) return {};
    read_more(file, bytes, size - bytes.size());
    if (bytes.size() != size) return {};
    futimens(file, nullptr);
    return bytes;
}

std::string PrivateFolder::write(const std::string& name, std::initializer_list<std::string_view> parts,
                                 Mode mode) const {
    std::uint64_t random = 0;
    if (getentropy(&random, sizeof random) != 0) return reason();
    char other[40];
    std::snprintf(other, sizeof other, "%016llx.part", static_cast<unsigned long long>(random));
    OpenFile file(openat(fd_, other, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (file < 0) return reason();
    const bool written = std::all_of(parts.begin(), parts.end(), [&](auto part) { return write_all(file, part); });
    std::string why;
    if (!file.close() || !written)
        why = reason();
    else if (mode == Mode::keep_first)
        why = linkat(fd_, other, fd_, name.c_str(), 0) == 0 || errno == EEXIST ? "" : reason();
    else if (renameat(fd_, other, fd_, name.c_str()) == 0)
        return {};
    else
        why = reason();
    unlinkat(fd_, other, 0);
    return why;
}

std::vector<PrivateFolder::Item> PrivateFolder::list(std::size_t head, const Ours& ours) const {
    std::vector<Item> items;
    const int again = openat(fd_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); // closedir closes it
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(again < 0 ? nullptr : fdopendir(again), closedir);
    if (!entries) return items;
    while (const dirent* const entry = readdir(entries.get())) {
        const std::string name = entry->d_name;
        struct stat about {};
        const OpenFile file(open_in(fd_, name));
        if (file < 0 || fstat(file, &about) != 0 || !is_ours_alone(about)) continue;
        std::string bytes;
        read_more(file, bytes, head);
        const timespec used = last_use(about);
        if (ours(name, bytes))
            items.push_back({name, static_cast<std::size_t>(about.st_size), used.tv_sec, used.tv_nsec});
    }
    return items;
}

bool PrivateFolder::remove(const Item& item) const { return unlinkat(fd_, item.name.c_str(), 0) == 0; }

} // namespace rattleback::code
