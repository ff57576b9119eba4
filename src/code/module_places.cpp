#include "code/module_places.hpp"

#include <filesystem>

#include <dlfcn.h>
#ifdef __linux__
#include <link.h>
#endif
#include <sys/stat.h>
#include <unistd.h>

namespace rattleback::code {
namespace {

// The file that this code was loaded from. Of the program itself Linux's dynamic linker knows only what it was called
// as, which any caller chooses: /proc says where it is.
std::string own_path() {
    Dl_info here{};
    std::error_code error;
#ifdef __linux__
    void* map = nullptr;
    if (!dladdr1(reinterpret_cast<void*>(&module_places), &here, &map, RTLD_DL_LINKMAP) || !map) return {};
    const char* const name = static_cast<const link_map*>(map)->l_name;
    if (!*name) return std::filesystem::read_symlink("/proc/self/exe", error).string();
#else
    if (!dladdr(reinterpret_cast<void*>(&module_places), &here) || !here.dli_fname) return {};
    const char* const name = here.dli_fname;
#endif
    return std::filesystem::canonical(name, error).string();
}

// A program may lie in a folder where others may put files, such as /tmp: only what root, this user or the program's
// owner put there is taken.
bool is_of_others(const std::string& module, const std::string& program) {
    struct stat about {
    }, own{};
    if (stat(module.c_str(), &about) != 0 || stat(program.c_str(), &own) != 0) return false;
    const uid_t owner = about.st_uid;
    return (owner != 0 && owner != geteuid() && owner != own.st_uid) || (about.st_mode & S_IWOTH) != 0;
}

} // namespace

std::vector<std::string> module_places(const std::string& file) {
    const std::string path = own_path();
    if (path.empty()) return {};
    const std::string folder = path.substr(0, path.rfind('/'));
    std::vector<std::string> places{folder + "/" + file, folder + "/../" RATTLEBACK_LIBDIR "/rattleback/" + file,
                                    folder + "/rattleback/" + file,
                                    folder + "/../" + file}; // the last: test programs of a build tree
    std::erase_if(places, [&](const std::string& place) { return is_of_others(place, path); });
    return places;
}

} // namespace rattleback::code
