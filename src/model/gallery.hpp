// The models that come with the program: every file of models/, embedded when it is built.
#pragma once

#include <span>
#include <string_view>

namespace rattleback {

struct GalleryEntry {
    std::string_view name; // of the file, without .toml
    std::string_view text; // of the whole file
};

std::span<const GalleryEntry> gallery_entries(); // sorted by name

} // namespace rattleback
