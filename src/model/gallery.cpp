#include "model/gallery.hpp"

#include <rattleback/model.hpp>

namespace rattleback {

const std::vector<GalleryItem>& gallery() {
    static const std::vector<GalleryItem> items = [] {
        std::vector<GalleryItem> all;
        for (const GalleryEntry& e : gallery_entries()) all.push_back({std::string(e.name), std::string(e.text)});
        return all;
    }();
    return items;
}

} // namespace rattleback
