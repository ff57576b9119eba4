#include "code/native.hpp"

#include <array>
#include <cstdlib>

#include "expr/graph.hpp"

#include "code/object.hpp"

namespace rattleback::code {
namespace {

std::unique_ptr<const Loaded> load(std::string_view object) {
    const char* const given = std::getenv("RATTLEBACK_LOADER");
    const std::string_view wanted = given ? given : "";
    if (!wanted.empty() && wanted != "own" && wanted != "orc")
        throw Error("RATTLEBACK_LOADER is neither 'own' nor 'orc'");
#if RATTLEBACK_LOADS_OBJECTS
    if (wanted != "orc") return load_object(object);
#else
    if (wanted == "own") throw Error("RATTLEBACK_LOADER is 'own', a loader for x86-64 Linux only");
#endif
    if (!backend()) throw Error(backend_missing());
    return backend()->load(object);
}

} // namespace

Native::Native(std::string_view object) : loaded_(load(object)) {}

// One wrapper for every row of functions.def; listings call those of the rows lowered as `library` or `own`.
namespace {
#define RATTLEBACK_FUNCTION(id, arity, name, value, ...) RATTLEBACK_WRAP_##arity(id, value)
#define RATTLEBACK_WRAP_1(id, value)                                                                                   \
    double call_##id(double x) {                                                                                       \
        using T [[maybe_unused]] = double;                                                                             \
        return value;                                                                                                  \
    }
#define RATTLEBACK_WRAP_2(id, value)                                                                                   \
    double call_##id(double x, double y) {                                                                             \
        using T [[maybe_unused]] = double;                                                                             \
        return value;                                                                                                  \
    }
#define RATTLEBACK_WRAP_3(id, value)                                                                                   \
    double call_##id(double x, double y, double z) {                                                                   \
        using T [[maybe_unused]] = double;                                                                             \
        return value;                                                                                                  \
    }
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION
} // namespace

void* const* function_table() {
    static const std::array<void*, static_cast<std::size_t>(Op::count)> table = [] {
        std::array<void*, static_cast<std::size_t>(Op::count)> t{};
#define RATTLEBACK_FUNCTION(id, ...) t[static_cast<std::size_t>(Op::id)] = reinterpret_cast<void*>(&call_##id);
#include <rattleback/functions.def>
#undef RATTLEBACK_FUNCTION
        return t;
    }();
    return table.data();
}

} // namespace rattleback::code
