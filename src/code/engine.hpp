// From lines to something that runs: a back end, a cache, a loader.
#pragma once

#include <memory>
#include <string>

#include "code/native.hpp"

namespace rattleback::code {

struct Compiled {
    std::shared_ptr<const Native> native; // empty: it stays on the tape
    std::string why_not;
    bool from_cache = false;
    std::string warning; // of a cache that could not be written
};

// NOTE: `quick` makes slower code in less time. Its bits are the same.
Compiled compile(const Listing& listing, const Shape& shape, bool quick = false);
Compiled compile(const Listing& listing, const Shape& shape, bool quick, const class Cache& cache);

} // namespace rattleback::code
