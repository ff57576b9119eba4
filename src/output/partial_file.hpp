// A file that replaces another one only when there is something in it: it is written as NAME.partial, and renamed.
#pragma once

#include <string>

namespace rattleback {

class PartialFile {
  public:
    explicit PartialFile(const std::string& name); // throws CannotWrite
    ~PartialFile();                                // removes what was not published
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;

    int fd() const { return fd_; }
    bool published() const { return published_; }
    void publish(bool sync); // under its own name; `sync`: its folder reaches the disk. Throws CannotWrite

  private:
    std::string name_, target_, partial_; // target: where a symbolic link `name` leads to
    int fd_ = -1;
    bool published_ = false;
};

} // namespace rattleback
