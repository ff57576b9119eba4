// Names of symbols, one after the other in one array of characters: chains have hundreds of thousands, and a string of
// its own takes each of them 32 bytes at least.
#pragma once

#include <limits>
#include <new>
#include <string>
#include <string_view>

#include "expr/growing.hpp"

namespace rattleback {

class NameList {
  public:
    std::size_t size() const { return ends_.size(); }
    std::string_view operator[](std::size_t i) const { // until the next one is added
        const std::size_t first = i ? ends_[i - 1] : 0;
        return {text_.data() + first, ends_[i] - first};
    }
    void add(std::string_view name) {
        const std::size_t end = text_.size() + name.size();
        if (end > std::numeric_limits<std::uint32_t>::max()) throw std::bad_alloc(); // names of 4 GB
        text_.append(name.data(), name.size());
        ends_.push_back(static_cast<std::uint32_t>(end));
    }

  private:
    Growing<char> text_;
    Growing<std::uint32_t> ends_;
};

} // namespace rattleback
