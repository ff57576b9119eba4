// Objects on disk, so that a model that was compiled once starts at full speed the next time.
//
// A file a key, in a folder of the user's own (mode 0700): $RATTLEBACK_CACHE, else $XDG_CACHE_HOME/rattleback, else
// ~/.cache/rattleback; RATTLEBACK_CACHE set to nothing: no cache. A file holds the whole key (listing, shape,
// processor, versions), compared byte by byte, and a checksum: what does not fit is taken for missing and written anew.
// Files appear by renaming, so that concurrent runs see whole ones; the oldest go when the folder outgrows its limit.
#pragma once

#include <optional>
#include <string>

#include "code/listing.hpp"

namespace rattleback::code {

class Cache {
  public:
    static constexpr std::size_t most_bytes = std::size_t(64) << 20;

    explicit Cache(std::string folder, std::size_t limit = most_bytes) : folder_(std::move(folder)), limit_(limit) {}
    static Cache of_the_user();

    bool enabled() const { return !folder_.empty(); }
    std::optional<std::string> find(const std::string& key) const;
    // The reason why it could not be kept, or nothing. A cache that cannot be written is no failure.
    std::string keep(const std::string& key, const std::string& object) const;
    std::string path(const std::string& key) const;

  private:
    void make_room() const;
    std::string folder_;
    std::size_t limit_;
};

// Everything an object depends on.
std::string cache_key(const Listing& listing, const Shape& shape, bool quick, const std::string& maker);

} // namespace rattleback::code
