#include "code/engine.hpp"

#include <stdexcept>
#include <utility>

#include "code/cache.hpp"

namespace rattleback::code {

namespace {

// What a cache holds may come from something else, or be damaged: then there is nothing in it.
std::shared_ptr<const Native> load_cached(const Cache& cache, const std::string& key) {
    const auto object = cache.find(key);
    if (!object) return nullptr;
    try {
        return std::make_shared<const Native>(*object);
    } catch (const std::runtime_error&) { return nullptr; }
}

} // namespace

Compiled compile(const Listing& listing, const Shape& shape, bool quick) noexcept {
    return or_why_not([&] { return compile(listing, shape, quick, Cache::of_the_user()); });
}

Compiled compile(const Listing& listing, const Shape& shape, bool quick, const Cache& cache,
                 const Backend* (*find_backend)()) noexcept {
    return or_why_not([&]() -> Compiled {
        const std::string key = cache.enabled() ? cache_key(listing, shape, quick, backend_identity()) : "";
        if (auto native = load_cached(cache, key)) return {std::move(native), "", true, ""};
        const Backend* const found = find_backend();
        if (!found) return {nullptr, backend_missing()};
        const std::string object = found->compile(listing, shape, quick);
        auto native = std::make_shared<const Native>(object);
        return {std::move(native), "", false, cache.keep(key, object)};
    });
}

} // namespace rattleback::code
