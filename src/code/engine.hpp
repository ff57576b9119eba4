// Compiles a listing: looks the object file up in the cache, or has the back end make it, and loads it.
#pragma once

#include <exception>
#include <memory>
#include <new>
#include <string>

#include "code/native.hpp"

namespace rattleback::code {

class Cache;

struct Compiled {
    std::shared_ptr<const Native> native; // empty: there is no machine code, and why_not says why
    std::string why_not;
    bool from_cache = false;
    std::string warning; // the cache could not be written, and why
};

// Machine code is never needed: whatever fails while it is made, the run goes on with the tape. or_why_not(make) is
// what make() returns; an exception becomes the member `why_not` of a result that is otherwise empty.
// NOTE: the texts written here fit into a std::string without an allocation.
template <class Make> auto or_why_not(Make&& make) noexcept -> decltype(make()) {
    decltype(make()) failed;
    try {
        try {
            return make();
        } catch (const std::bad_alloc&) { throw; } catch (const std::exception& e) {
            failed.why_not = e.what();
        }
    } catch (const std::bad_alloc&) { failed.why_not = "out of memory"; } catch (...) {
        failed.why_not = "unknown error";
    }
    return failed;
}

// `quick` spends less time on compiling, for slower code with the same bits. With the user's cache and the installed
// back end where none are given; a null back end is one that is not installed.
Compiled compile(const Listing& listing, const Shape& shape, bool quick = false) noexcept;
Compiled compile(const Listing& listing, const Shape& shape, bool quick, const Cache& cache,
                 const Backend* (*find_backend)() = backend) noexcept;

} // namespace rattleback::code
