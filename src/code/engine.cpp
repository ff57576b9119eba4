#include "code/engine.hpp"

#include <stdexcept>

#include "code/backend.hpp"
#include "code/cache.hpp"

namespace rattleback::code {

Compiled compile(const Listing& listing, const Shape& shape, bool quick) {
    return compile(listing, shape, quick, Cache::of_the_user());
}

Compiled compile(const Listing& listing, const Shape& shape, bool quick, const Cache& cache) {
    Compiled result;
    const std::string key = cache.enabled() ? cache_key(listing, shape, quick, backend_identity()) : "";
    if (const auto object = cache.find(key)) try {
            result.native = std::make_shared<const Native>(*object);
            result.from_cache = true;
            return result;
        } catch (const std::runtime_error&) {} // made by something else: compiled anew
    try {
        const Backend* const found = backend();
        if (!found) return {nullptr, backend_missing()};
        const std::string object = found->compile(listing, shape, quick);
        result.native = std::make_shared<const Native>(object);
        result.warning = cache.keep(key, object);
    } catch (const std::runtime_error& e) { result.why_not = e.what(); }
    return result;
}

} // namespace rattleback::code
