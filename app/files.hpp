// The files a command reads and writes: none of them is replaced by mistake.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace app {

// Throws BadCommand where an output is an input or another output, be it through a link, and CannotWrite where it could
// not be written. Call it before anything is computed.
class Files {
  public:
    Files& reads(const std::string& path); // empty: none; what is no file (a name of the gallery) does not matter
    Files& reads_method(const std::string& methods);                   // the files in options like tableau=FILE
    Files& writes(const std::string& option, const std::string& path); // empty or "-": none

  private:
    using Output = std::pair<std::string, std::string>; // its option, and its name
    static void require_apart(const std::string& input, const Output& output);
    std::vector<std::string> inputs_;
    std::vector<Output> outputs_;
};

} // namespace app
