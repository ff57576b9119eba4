// The complaints of toml++, in our words and at the place a person would look.
#pragma once

#include "source.hpp"

#include <cstddef>
#include <string_view>

namespace rattleback::model {

// `description` is toml++'s "Error while parsing SCOPE: REASON", met at byte `offset`.
ModelError toml_error(const Source& source, std::size_t offset, std::string_view description);

} // namespace rattleback::model
