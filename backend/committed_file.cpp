#include "committed_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

#include "number_checksum.hpp"

namespace rattleback {
namespace {

struct JournalEnd {
    std::array<char, 16> magic;
    std::uint64_t pages, checksum; // of the pages with their numbers
};
constexpr std::array<char, 16> journal_magic = {'r', 'b', ' ', 'j', 'o', 'u', 'r', 'n', 'a', 'l', ' ', '1', '\n'};

bool write_all(int fd, const char* from, std::size_t size, std::uint64_t at) {
    while (size > 0) {
        const ssize_t n = ::pwrite(fd, from, size, static_cast<off_t>(at));
        if (n < 0 && errno == EINTR) continue;
        if (n == 0) errno = ENOSPC;
        if (n <= 0) return false;
        from += n, at += static_cast<std::uint64_t>(n), size -= static_cast<std::size_t>(n);
    }
    return true;
}

std::uint64_t size_of(int fd) {
    struct stat info = {};
    return ::fstat(fd, &info) == 0 ? static_cast<std::uint64_t>(info.st_size) : 0;
}

} // namespace

CommittedFile::CommittedFile(int fd) : fd_(fd), committed_(size_of(fd)), end_(committed_), on_disk_(committed_) {}

CommittedFile::~CommittedFile() {
    if (failed_ || on_disk_ <= committed_) return;                     // after a failure it is as commit() left it
    if (::ftruncate(fd_, static_cast<off_t>(committed_)) != 0) return; // more behind its end does no harm
}

void CommittedFile::set_end(std::uint64_t end) { end_ = end; }

bool CommittedFile::read(std::uint64_t at, std::size_t size, char* to) const {
    std::size_t done = 0;
    while (done < size) {
        const ssize_t n = ::pread(fd_, to + done, size - done, static_cast<off_t>(at + done));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return false;
        if (n == 0) break;
        done += static_cast<std::size_t>(n);
    }
    std::fill(to + done, to + size, '\0');
    for (auto it = held_.lower_bound(at / page_size); it != held_.end() && it->first * page_size < at + size; ++it) {
        const std::uint64_t begin = it->first * page_size, from = std::max(begin, at);
        const std::uint64_t until = std::min<std::uint64_t>(begin + page_size, at + size);
        std::memcpy(to + (from - at), it->second.data() + (from - begin), until - from);
    }
    return true;
}

bool CommittedFile::load(std::uint64_t number, Page& page) const {
    page.fill('\0');
    const std::uint64_t begin = number * page_size;
    return begin >= on_disk_ ||
           read(begin, static_cast<std::size_t>(std::min<std::uint64_t>(page_size, on_disk_ - begin)), page.data());
}

bool CommittedFile::write(std::uint64_t at, std::size_t size, const char* from) {
    const std::uint64_t first = (std::max(at, committed_) + page_size - 1) / page_size * page_size;
    const std::uint64_t last = (at + size) / page_size * page_size;
    if (first + most_held > last) return hold(at, size, from);
    const auto before = static_cast<std::size_t>(first - at), pages = static_cast<std::size_t>(last - first);
    return hold(at, before, from) && write_at_once(first, pages, from + before) &&
           hold(last, size - before - pages, from + before + pages);
}

bool CommittedFile::write_at_once(std::uint64_t at, std::size_t size, const char* from) {
    if (failed_) return false;
    on_disk_ = std::max(on_disk_, at + size);
    if (!write_all(fd_, from, size, at)) {
        why_ = errno;
        failed_ = true;
        if (::ftruncate(fd_, static_cast<off_t>(committed_)) != 0) return false; // its rest is of no use
        return false;
    }
    held_.erase(held_.lower_bound(at / page_size), held_.lower_bound((at + size) / page_size));
    end_ = std::max(end_, at + size);
    return true;
}

bool CommittedFile::hold(std::uint64_t at, std::size_t size, const char* from) {
    while (size > 0) {
        const std::uint64_t number = at / page_size, inside = at % page_size;
        const std::size_t part = std::min<std::size_t>(size, page_size - inside);
        auto it = held_.find(number);
        if (it == held_.end()) {
            Page page;
            if (part < page_size && !load(number, page)) return false;
            it = held_.emplace(number, page).first;
        }
        std::memcpy(it->second.data() + inside, from, part);
        at += part, from += part, size -= part;
    }
    end_ = std::max(end_, at);
    return true;
}

// Neighbouring pages in one call of the system.
bool CommittedFile::put(Pages::const_iterator first, Pages::const_iterator last) const {
    std::string bytes;
    const std::uint64_t at = first->first * page_size;
    for (; first != last; ++first) bytes.append(first->second.data(), page_size);
    if (at >= end_) return true; // libhdf5 gave this space back
    return write_all(fd_, bytes.data(), static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), end_ - at)), at);
}

bool CommittedFile::append() {
    constexpr std::size_t most = 1024; // pages at once: 4 MB
    const auto behind = held_.lower_bound((committed_ + page_size - 1) / page_size);
    for (auto first = behind; first != held_.end();) {
        auto last = std::next(first);
        std::size_t count = 1;
        while (last != held_.end() && last->first == first->first + count && count < most) ++last, ++count;
        if (!put(first, last)) return false;
        first = last;
    }
    held_.erase(behind, held_.end());
    const std::uint64_t end = std::max(committed_, end_); // where the journal begins, the last thing of the file
    return size_of(fd_) == end || ::ftruncate(fd_, static_cast<off_t>(end)) == 0;
}

bool CommittedFile::write_journal() const {
    if (held_.empty()) return true;
    std::string bytes;
    for (const auto& [number, page] : held_)
        bytes.append(reinterpret_cast<const char*>(&number), sizeof number).append(page.data(), page_size);
    const JournalEnd end{journal_magic, held_.size(),
                         checksum_of(checksum_of_nothing, bytes.data(), bytes.size() / sizeof(std::uint64_t))};
    bytes.append(reinterpret_cast<const char*>(&end), sizeof end);
    return write_all(fd_, bytes.data(), bytes.size(), std::max(committed_, end_));
}

bool CommittedFile::recover() {
    JournalEnd end = {};
    const std::uint64_t size = end_;
    if (size < sizeof end) return true;
    if (!read(size - sizeof end, sizeof end, reinterpret_cast<char*>(&end))) return false;
    constexpr std::size_t entry = sizeof(std::uint64_t) + page_size;
    if (end.magic != journal_magic || end.pages > (size - sizeof end) / entry) return true;
    Pages pages;
    std::uint64_t sum = checksum_of_nothing, at = size - sizeof end - end.pages * entry;
    for (std::uint64_t i = 0; i < end.pages; ++i, at += entry) {
        std::array<char, entry> bytes{};
        if (!read(at, entry, bytes.data())) return false;
        sum = checksum_of(sum, bytes.data(), entry / sizeof(std::uint64_t));
        std::uint64_t number = 0;
        std::memcpy(&number, bytes.data(), sizeof number);
        if (number > size / page_size) return true; // no page of this file
        std::memcpy(pages[number].data(), bytes.data() + sizeof number, page_size);
    }
    if (sum == end.checksum) held_ = std::move(pages);
    return true;
}

bool CommittedFile::replace() const {
    for (auto last = held_.end(); last != held_.begin();) {
        auto first = std::prev(last);
        while (first != held_.begin() && std::prev(first)->first + 1 == first->first) --first;
        if (!put(first, last)) return false;
        last = first;
    }
    return true;
}

bool CommittedFile::commit(bool sync) {
    if (failed_) {
        errno = why_ ? why_ : EIO;
        return false;
    }
    const auto reach_disk = [&] { return !sync || ::fdatasync(fd_) == 0; };
    const bool kept = append() && write_journal() && reach_disk();
    if (kept && replace() && reach_disk() && ::ftruncate(fd_, static_cast<off_t>(std::max(committed_, end_))) == 0) {
        held_.clear();
        on_disk_ = committed_ = std::max(committed_, end_);
        return true;
    }
    const int why = errno;
    failed_ = true;
    if (!kept && ::ftruncate(fd_, static_cast<off_t>(committed_)) != 0) errno = why; // its rest is of no use
    errno = why;
    return false;
}

} // namespace rattleback
