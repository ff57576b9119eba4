// Our own loader: an object file in memory made executable, on x86-64 Linux.
#pragma once

#include <memory>
#include <string_view>

#include "code/backend.hpp"

#if defined(__x86_64__) && defined(__linux__) && __has_include(<elf.h>)
#define RATTLEBACK_LOADS_OBJECTS 1
#else
#define RATTLEBACK_LOADS_OBJECTS 0
#endif

namespace rattleback::code {

#if RATTLEBACK_LOADS_OBJECTS
// Throws Error if the object is not one of ours: it may define one function, refer to its own sections
// only, and ask for nothing from outside.
std::unique_ptr<const Loaded> load_object(std::string_view object);
#endif

} // namespace rattleback::code
