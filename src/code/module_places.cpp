#include "code/module_places.hpp"

#include <climits>

#include <dlfcn.h>
#include <unistd.h>

namespace rattleback::code {
namespace {

// A program found in PATH knows itself by its name alone: /proc says where it is.
std::string own_path() {
    Dl_info here{};
    if (!dladdr(reinterpret_cast<void*>(&module_places), &here) || !here.dli_fname) return {};
    std::string path = here.dli_fname;
    if (path.find('/') != std::string::npos) return path;
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    return length > 0 ? std::string(program, static_cast<std::size_t>(length)) : std::string();
}

} // namespace

std::vector<std::string> module_places(const std::string& file) {
    const std::string path = own_path(), folder = path.substr(0, path.rfind('/'));
    if (path.empty()) return {};
    return {folder + "/" + file, folder + "/../" RATTLEBACK_LIBDIR "/rattleback/" + file,
            folder + "/rattleback/" + file, folder + "/../" + file}; // the last: test programs of a build tree
}

} // namespace rattleback::code
