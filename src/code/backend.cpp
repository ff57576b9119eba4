#include "code/backend.hpp"

#include <cstdlib>
#include <filesystem>
#include <vector>

#include <dlfcn.h>
#include <sys/mman.h>

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

std::string error() {
    const char* const text = dlerror();
    return text ? text : "no reason is given";
}

// Address space for LLVM: linked statically it takes 40 MB to be loaded and to compile a step of the gallery; the heap
// of a new thread reserves 64 MB or twice that.
constexpr std::size_t space_for_llvm = std::size_t{256} << 20;

// NOTE: where the address space ends while a library is loaded, it may end the program, or keep the loader's lock.
bool is_space_for_llvm() {
    void* const space = mmap(nullptr, space_for_llvm, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return space != MAP_FAILED && munmap(space, space_for_llvm) == 0;
}

Search search() {
    Search result;
    result.missing = "the LLVM back end is not installed";
    if (!is_space_for_llvm()) return {nullptr, "there is not enough memory for LLVM"};
    for (const std::string& place : places()) {
        void* const library = dlopen(place.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            std::error_code none;
            if (std::filesystem::exists(place, none)) result.missing = "the LLVM back end cannot be loaded: " + error();
            continue;
        }
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
        std::error_code missing;
        const auto size = std::filesystem::file_size(place, missing);
        const auto time = std::filesystem::last_write_time(place, missing);
        if (!missing) return place + " " + std::to_string(size) + " " + std::to_string(time.time_since_epoch().count());
    }
    return {};
}

const Backend* backend() { return result().found; }
std::string backend_missing() { return result().missing; }

} // namespace rattleback::code
