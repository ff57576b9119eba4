#include "output/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include <rattleback/output.hpp>

namespace rattleback {
namespace {

std::string folder_of(const std::string& path) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    return folder.empty() ? "." : folder;
}

constexpr unsigned permissions = 07777;
constexpr std::size_t page = 4096;

// /dev/stdout and /dev/fd/3 lead to a link that names no file: "pipe:[123]", or a file somebody else has open.
bool is_descriptor(const std::string& path) {
    return path.starts_with("/proc/") || path.starts_with("/dev/fd/") || path.starts_with("/dev/std");
}

// How much of these lines to write at once to a file of this size. NOTE: the kernel copies page by page, and a SIGKILL
// that has come meanwhile ends write(2) between two of them. So a piece ends with a line, and goes on into another page
// only where its first line does: what can be cut is one line to a page, and only within the time that a part of a
// line takes. Of 60 kills of runs that do little but write, 5 cut a line when pieces had 64 kB.
std::size_t piece_of(std::string_view lines, std::size_t size) {
    std::size_t room = page - size % page;
    const std::size_t first = std::min(lines.find('\n'), lines.size() - 1) + 1;
    if (first > room) room += (first - room + page - 1) / page * page;
    if (lines.size() <= room) return lines.size();
    return lines.rfind('\n', room - 1) + 1;
}

} // namespace

std::string behind_links(const std::string& path) {
    std::filesystem::path at = path;
    std::error_code error;
    for (int followed = 0; followed < 40 && !is_descriptor(at.string()); ++followed) { // as many as Linux follows
        const std::filesystem::path target = std::filesystem::read_symlink(at, error);
        if (error) break;
        at = target.is_absolute() ? target : at.parent_path() / target;
    }
    return at.string();
}

bool same_file(const std::string& a, const std::string& b) {
    struct stat x = {}, y = {};
    const bool a_there = stat(a.c_str(), &x) == 0, b_there = stat(b.c_str(), &y) == 0;
    if (a_there != b_there) return false;
    if (a_there) return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    const auto resolved = [](const std::string& path) {
        std::error_code error;
        const std::filesystem::path target = std::filesystem::absolute(behind_links(path), error);
        const std::filesystem::path folder = std::filesystem::weakly_canonical(target.parent_path(), error);
        return folder / target.filename();
    };
    return resolved(a) == resolved(b);
}

OutputFile::OutputFile(const std::string& path) : path_(path) {
    if (path == "-") {
        file_ = 1;
        return;
    }
    place_ = behind_links(path);
    struct stat older = {};
    if (stat(place_.c_str(), &older) != 0) {
        if (errno != ENOENT) fail(errno);
        if (place_.empty() || place_.back() == '/') fail(ENOENT);
        if (access(folder_of(place_).c_str(), W_OK | X_OK) != 0) fail(errno);
        return;
    }
    if (S_ISDIR(older.st_mode)) fail(EISDIR);
    if (access(place_.c_str(), W_OK) != 0) fail(errno);
    there_ = true, mode_ = older.st_mode & permissions, in_place_ = !S_ISREG(older.st_mode) || is_descriptor(place_);
}

OutputFile::~OutputFile() {
    if (file_ > 1) close(file_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::fail(int error) const {
    throw CannotWrite("cannot write " + (path_ == "-" ? "to standard output" : path_) + ": " + std::strerror(error));
}

void OutputFile::begin() {
    const std::filesystem::path place = place_;
    for (int number = 0; file_ < 0 && !in_place_; ++number) {
        temporary_ = place.parent_path() /
                     ("." + place.filename().string() + "." + std::to_string(getpid()) + "." + std::to_string(number));
        file_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file_ >= 0) break;
        temporary_.clear();
        if (errno == EEXIST && number < 1000) continue;
        if (!there_) fail(errno);
        in_place_ = true; // nothing can be created here, but the file may be written
    }
    if (!in_place_) {
        if (there_ && fchmod(file_, mode_) != 0) fail(errno);
        return;
    }
    file_ = open(place_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (file_ < 0) fail(errno);
}

void OutputFile::take_name() {
    if (temporary_.empty()) return;
    if (std::rename(temporary_.c_str(), place_.c_str()) != 0) fail(errno);
    temporary_.clear();
}

bool OutputFile::put(std::string_view text) {
    while (!text.empty()) {
        const ssize_t written = ::write(file_, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return false;
        size_ += written;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

void OutputFile::append(std::string_view lines) {
    if (file_ < 0) begin();
    const long long before = size_;
    bool written = true;
    for (std::string_view left = lines; written && !left.empty();) {
        const std::size_t piece = file_ == 1 ? left.size() : piece_of(left, static_cast<std::size_t>(size_));
        written = put(left.substr(0, piece));
        left.remove_prefix(piece);
    }
    if (!written) {
        const int reason = errno;
        const std::size_t end = lines.substr(0, static_cast<std::size_t>(size_ - before)).rfind('\n');
        const bool cut =
            file_ > 1 && ftruncate(file_, before + (end == lines.npos ? 0 : static_cast<long>(end) + 1)) == 0;
        if (cut && !there_ && end != lines.npos) take_name(); // the first rows, and no older ones to keep
        fail(reason);
    }
    take_name();
}

void OutputFile::write_whole(std::string_view text) {
    if (file_ < 0) begin();
    if (!put(text)) fail(errno);
    if (file_ > 1 && close(std::exchange(file_, -1)) != 0) fail(errno);
    take_name();
}

} // namespace rattleback
