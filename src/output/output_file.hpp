// Files that are written for the user: an older one of the same name is never lost to a new one that does not come
// about.
#pragma once

#include <string>
#include <string_view>

namespace rattleback {

// The first piece is written to a temporary file in the same folder, which then takes the name; what follows is
// appended there. Until then an older file of that name is untouched. Devices, pipes and files in folders where none
// can be created are written directly. All functions throw CannotWrite, with the name and the system's reason.
class OutputFile {
  public:
    explicit OutputFile(const std::string& path); // "-": standard output. Creates nothing, but says what would fail
    ~OutputFile();
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // Whole lines, page by page. Where only a part can be written, the file is cut after its last whole line.
    void append(std::string_view lines);
    void write_whole(std::string_view text); // all of it: on failure there is no new file
    const std::string& name() const { return path_; }

  private:
    void begin();                    // opens what is written directly, or the temporary file
    void take_name();                // of the older file
    bool put(std::string_view text); // false: errno says why; size_ counts what was written
    [[noreturn]] void fail(int error) const;

    std::string path_;      // as it was given
    std::string place_;     // behind symbolic links
    std::string temporary_; // empty: there is none, or it has taken the name
    int file_ = -1;
    bool there_ = false, in_place_ = false; // there is an older file; it is written directly
    unsigned mode_ = 0;                     // of the older file
    long long size_ = 0;
};

// The file, behind symbolic links, whether it exists or not.
std::string behind_links(const std::string& path);
// Whether two names lead to one file (or will, where it does not exist yet). Devices and pipes are none.
bool same_file(const std::string& a, const std::string& b);

} // namespace rattleback
