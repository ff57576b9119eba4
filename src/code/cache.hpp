// Caches object files on disk, so that a model that was compiled once runs as machine code at once the next time.
//
// One file per key, in a folder of the user's own (mode 0700): $RATTLEBACK_CACHE/rattleback-objects, else
// $XDG_CACHE_HOME/rattleback, else ~/.cache/rattleback. An empty RATTLEBACK_CACHE switches the cache off. What is found
// there is executed, so nobody else may have put it there: owners and modes of the file, its folder and all folders
// above are checked; the file contains its whole key (listing, lanes, processor, versions), which is compared byte by
// byte, and a keyed hash of key and object. The key of the hash, the secret, is a file of random bytes beside the
// objects. Whatever does not match is ignored and replaced. Files are written under another name and renamed, so
// concurrent runs see complete files only. When the objects exceed their limit, the least recently used are removed;
// other files are not touched.
#pragma once

#include <optional>
#include <string>

#include "code/listing.hpp"

namespace rattleback::code {

class PrivateFolder;

class Cache {
  public:
    static constexpr std::size_t most_bytes = std::size_t(64) << 20;

    explicit Cache(std::string folder, std::size_t limit = most_bytes) : folder_(std::move(folder)), limit_(limit) {}
    static Cache of_the_user();

    bool enabled() const { return !folder_.empty(); }
    std::optional<std::string> find(const std::string& key) const;
    // Stores an object. Returns the reason if that failed, else ""; it is no error, only slower the next time.
    std::string keep(const std::string& key, const std::string& object) const;
    std::string path(const std::string& key) const;

  private:
    void make_room(const PrivateFolder& folder) const;
    std::string folder_;
    std::size_t limit_;
};

// Everything that an object file depends on, as bytes.
std::string cache_key(const Listing& listing, const Shape& shape, bool quick, const std::string& maker);

} // namespace rattleback::code
