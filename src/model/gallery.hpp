// The files that come with the program, embedded when it is built: models/, and papers/ with what they must show.
#pragma once

#include <span>
#include <string_view>

namespace rattleback {

struct GalleryEntry {
    std::string_view name; // of the file, without .toml
    std::string_view text; // of the whole file
};

std::span<const GalleryEntry> gallery_entries(); // sorted by name
std::span<const GalleryEntry> paper_entries();

} // namespace rattleback
