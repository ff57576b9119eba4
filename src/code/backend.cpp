#include "code/backend.hpp"

#include <cstdlib>
#include <vector>

#include <dlfcn.h>
#include <sys/stat.h>

#include "code/module_places.hpp"

namespace rattleback::code {
namespace {

struct Search {
    const Backend* found = nullptr;
    std::string missing;
};

std::vector<std::string> places() {
    if (const char* const given = std::getenv("RATTLEBACK_BACKEND")) return {given};
    return module_places("librattleback_llvm.so");
}

Search search() {
    Search result;
    result.missing = "the LLVM back end is not installed";
    for (const std::string& place : places()) {
        void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) continue;
        using Door = const Backend* (*)(const char*);
        const auto door = reinterpret_cast<Door>(dlsym(library, "rattleback_backend"));
        const Backend* const found = door ? door(interface_version) : nullptr;
        if (found && found->fuses()) return {found, ""};
        result.missing = found ? "this processor has no fused multiply-add" : place + " belongs to another version";
        if (!found) dlclose(library);
    }
    return result;
}

const Search& result() {
    static const Search once = search();
    return once;
}

} // namespace

std::string backend_identity() {
    for (const std::string& place : places()) {
        struct stat about {};
        if (stat(place.c_str(), &about) == 0)
            return place + " " + std::to_string(about.st_size) + " " + std::to_string(about.st_mtim.tv_sec) + "." +
                   std::to_string(about.st_mtim.tv_nsec);
    }
    return {};
}

#if defined(__x86_64__) && defined(__linux__)
const Backend* backend() { return result().found; }
std::string backend_missing() { return result().missing; }
#else
const Backend* backend() { return nullptr; }
std::string backend_missing() { return "machine code is made on x86-64 Linux only"; }
#endif

} // namespace rattleback::code
