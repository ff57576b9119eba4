// A file that changes only when it is told to. What is written between two commits is held in memory, page by page, and
// seen by reads; but for long pieces behind the end of the last commit, where no reader looks: their whole pages go to
// the file at once. A commit writes the others that lie there, then a journal behind that, which has the pages that
// replace older ones, then these pages in their places, and cuts off the journal. A process that is killed leaves a
// file as the last commit made it, with more behind that, or one with a journal: whoever reads that through `recover`
// finds the commit whole. A journal that is not whole does not count, nor does it harm.
//
// The journal: pages, each after its number, and a JournalEnd, with which the file ends. Numbers as in memory.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

namespace rattleback {

class CommittedFile {
  public:
    explicit CommittedFile(int fd); // stays the caller's; what it holds now counts as committed
    ~CommittedFile();               // without what was written after the last commit
    CommittedFile(const CommittedFile&) = delete;
    CommittedFile& operator=(const CommittedFile&) = delete;

    bool recover(); // for reading: takes the pages of a journal instead of those on disk. False: it cannot be read
    std::uint64_t end() const { return end_; }                     // behind the last byte, held or on disk
    void set_end(std::uint64_t end);                               // of what will be committed
    bool read(std::uint64_t at, std::size_t size, char* to) const; // bytes behind the end are zero
    bool write(std::uint64_t at, std::size_t size, const char* from);

    // `sync`: returns when the disk has it. False: errno says why, the file is as the last commit left it, or has a
    // journal that makes this one whole, and no commit will be made again.
    bool commit(bool sync);
    int why() const { return why_; } // an errno, after write() failed at the file itself; else 0

  private:
    static constexpr std::size_t page_size = 4096, most_held = 4 * page_size; // most_held: of one piece behind the end
    using Page = std::array<char, page_size>;
    using Pages = std::map<std::uint64_t, Page>; // by number

    bool load(std::uint64_t number, Page& page) const;
    bool hold(std::uint64_t at, std::size_t size, const char* from);
    bool write_at_once(std::uint64_t at, std::size_t size, const char* from);
    bool put(Pages::const_iterator first, Pages::const_iterator last) const;
    bool append();
    bool write_journal() const;
    bool replace() const;

    int fd_;
    std::uint64_t committed_, end_;
    std::uint64_t on_disk_; // behind the last byte of the file itself
    Pages held_;
    bool failed_ = false;
    int why_ = 0;
};

} // namespace rattleback
