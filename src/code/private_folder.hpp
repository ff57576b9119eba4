// Folders and files that nobody but this user (and root) can have written.
#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rattleback::code {

// The reason why somebody else could replace what lies in a folder: another user owns it or a folder on the way to it,
// or a group or everybody may write there. "" if only this user and root can. A folder with the sticky bit, such as
// /tmp, is no reason: there only owners replace what is theirs.
std::string who_else_could_change(const std::string& folder);

// A folder of mode 0700, held open: what happens afterwards to the names on the way to it has no effect.
class PrivateFolder {
  public:
    enum class If { exists, missing_create };
    PrivateFolder(const std::string& path, If); // missing_create: with all that is missing on the way to it, mode 0700
    ~PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;

    explicit operator bool() const { return fd_ >= 0; }
    const std::string& why_not() const { return why_not_; }

    // The bytes of a regular file of mode 0600 that is this user's; nothing for anything else. `plausible` is
    // asked first, with the size and the first `head` bytes, whether it is worth reading. Marks the file as used.
    using Plausible = std::function<bool(std::size_t size, std::string_view head)>;
    std::optional<std::string> read(const std::string& name, std::size_t head, const Plausible& plausible) const;

    // Writes with mode 0600 under another name and renames: readers see the whole file or none. With keep_first a file
    // that is there already stays. Returns the reason if that fails, else "".
    enum class Mode { replace, keep_first };
    std::string write(const std::string& name, std::initializer_list<std::string_view> parts, Mode) const;

    // Regular files of this user's whose names and first `head` bytes `ours` knows.
    struct Item {
        std::string name;
        std::size_t size;
        long long seconds, nanoseconds; // when it was used last
    };
    using Ours = std::function<bool(const std::string& name, std::string_view head)>;
    std::vector<Item> list(std::size_t head, const Ours& ours) const;
    bool remove(const Item& item) const;

  private:
    std::string reason() const; // from errno
    int fd_ = -1;
    std::string path_, why_not_;
};

} // namespace rattleback::code
