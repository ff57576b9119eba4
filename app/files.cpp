#include "files.hpp"

#include <algorithm>

#include "command_line.hpp"
#include "output/output_file.hpp"

namespace app {

void Files::require_apart(const std::string& input, const Output& output) {
    const auto& [option, path] = output;
    if (rattleback::same_file(input, path))
        throw BadCommand(option + " " + path + ": that would replace " + input +
                         ", which this command reads; choose another name");
}

Files& Files::reads(const std::string& path) {
    if (path.empty()) return *this;
    inputs_.push_back(path);
    for (const Output& output : outputs_) require_apart(path, output);
    return *this;
}

Files& Files::reads_method(const std::string& methods) {
    // A part of id:option=value,... that is a file's name is one; what is none does not matter.
    for (std::size_t from = 0; from < methods.size();) {
        const std::size_t end = std::min(methods.find_first_of(":,=", from), methods.size());
        reads(methods.substr(from, end - from));
        from = end + 1;
    }
    return *this;
}

Files& Files::writes(const std::string& option, const std::string& path) {
    if (path.empty() || path == "-") return *this;
    for (const std::string& input : inputs_) require_apart(input, {option, path});
    for (const auto& [other, output] : outputs_)
        if (rattleback::same_file(output, path))
            throw BadCommand(option + " " + path + ": " + other + " writes to the same file; choose another name");
    const rattleback::OutputFile writable(path);
    outputs_.emplace_back(option, path);
    return *this;
}

} // namespace app
