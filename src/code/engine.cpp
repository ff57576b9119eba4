#include "code/engine.hpp"

#include <stdexcept>

#include "code/backend.hpp"

namespace rattleback::code {

Compiled compile(const Listing& listing, const Shape& shape, bool quick) {
    Compiled result;
    try {
        const Backend* const found = backend();
        if (!found) return {nullptr, backend_missing()};
        result.native = std::make_shared<const Native>(found->compile(listing, shape, quick));
    } catch (const std::runtime_error& e) { result.why_not = e.what(); }
    return result;
}

} // namespace rattleback::code
