#include "output/partial_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <rattleback/output.hpp>

#include "output/output_file.hpp"

namespace rattleback {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& why) {
    throw CannotWrite("cannot write " + name + ": " + why);
}

// One writer a file. Locks of this kind belong to the open file, not to the process, and do not hinder readers.
bool lock(int fd) {
    struct flock whole = {};
    whole.l_type = F_WRLCK, whole.l_whence = SEEK_SET;
#if defined(F_OFD_SETLK)
    return ::fcntl(fd, F_OFD_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN);
#else
    return ::fcntl(fd, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN);
#endif
}

bool is_named(int fd, const std::string& name) {
    struct stat a = {}, b = {};
    return ::fstat(fd, &a) == 0 && ::stat(name.c_str(), &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// What a new file replaces must be a file that may be written, and that nobody writes now. Returns its permissions.
mode_t permissions_of(const std::string& name, const std::string& target) {
    struct stat info = {};
    if (::stat(target.c_str(), &info) != 0) return 0;
    if (S_ISDIR(info.st_mode)) fail(name, std::strerror(EISDIR));
    if (!S_ISREG(info.st_mode)) fail(name, "it is no file");
    const int fd = ::open(target.c_str(), O_RDWR | O_CLOEXEC);
    if (fd < 0) fail(name, std::strerror(errno));
    const bool mine = lock(fd);
    ::close(fd);
    if (!mine) fail(name, "another run is writing it");
    return info.st_mode & 07777;
}

} // namespace

PartialFile::PartialFile(const std::string& name) : name_(name), target_(behind_links(name)) {
    const mode_t permissions = permissions_of(name, target_);
    partial_ = target_ + ".partial";
    fd_ = ::open(partial_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (fd_ < 0) fail(name, std::strerror(errno));
    if (!lock(fd_) || !is_named(fd_, partial_)) {
        ::close(fd_);
        fail(name, "another run is writing it");
    }
    if (::ftruncate(fd_, 0) != 0 || (permissions && ::fchmod(fd_, permissions) != 0)) {
        const int why = errno;
        ::close(fd_);
        fail(name, std::strerror(why));
    }
}

PartialFile::~PartialFile() {
    if (!published_) ::unlink(partial_.c_str());
    ::close(fd_);
}

void PartialFile::publish(bool sync) {
    if (std::rename(partial_.c_str(), target_.c_str()) != 0) fail(name_, std::strerror(errno));
    published_ = true;
    if (!sync) return;
    const std::string folder = std::filesystem::path(target_).parent_path();
    const int fd = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_CLOEXEC);
    const bool kept = fd >= 0 && ::fsync(fd) == 0;
    const int why = errno;
    if (fd >= 0) ::close(fd);
    if (!kept) fail(name_, std::strerror(why));
}

} // namespace rattleback
