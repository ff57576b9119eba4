// What a back end does, and where to find one.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <rattleback/error.hpp>

#include "code/listing.hpp"

namespace rattleback::code {

// Changes with everything a back end sees: listings, arrays, this class.
constexpr const char* interface_version = "rattleback " RATTLEBACK_VERSION ", listing 6";

// An object file made executable, for as long as this lives.
struct Loaded {
    virtual ~Loaded() = default;
    Entry entry = nullptr;
};

class Backend {
  public:
    virtual ~Backend() = default;
    virtual bool fuses() const = 0; // has the processor fused multiply-add?
    // The bytes of an object file that defines one function, `step`, and needs no other. Throws Error.
    virtual std::string compile(const Listing& listing, const Shape& shape, bool quick) const = 0;
    // Such an object made executable by the back end's own loader. Throws Error.
    virtual std::unique_ptr<const Loaded> load(std::string_view object) const = 0;
};

// The LLVM back end, loaded at the first call; nullptr where there is none, or none that fits this machine.
const Backend* backend();
// Which back end that would be, told without loading it: its place, size and time. Empty: none.
std::string backend_identity();
// Why not, for messages; empty if there is one.
std::string backend_missing();

} // namespace rattleback::code
