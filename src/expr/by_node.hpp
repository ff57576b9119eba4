// A number for some of the nodes of a graph, 0 for all others. In pages: a graph may have millions of nodes of which a
// formula uses a few at both ends, and memory that nobody touches costs nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace rattleback {

class ByNode {
  public:
    std::uint32_t operator[](std::uint32_t id) const {
        const std::size_t page = id / size;
        return page < pages_.size() && pages_[page] ? (*pages_[page])[id % size] : 0;
    }
    void set(std::uint32_t id, std::uint32_t value) {
        const std::size_t page = id / size;
        if (page >= pages_.size()) pages_.resize(std::max(page + 1, 2 * pages_.size()));
        if (!pages_[page]) pages_[page] = std::make_unique<Page>();
        (*pages_[page])[id % size] = value;
    }
    void clear() { pages_.clear(); }

  private:
    static constexpr std::size_t size = 4096;
    using Page = std::array<std::uint32_t, size>;
    std::vector<std::unique_ptr<Page>> pages_;
};

} // namespace rattleback
