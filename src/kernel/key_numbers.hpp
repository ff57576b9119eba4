// Numbers keys in the order in which they are first seen, from 1. One array, probed linearly: a large step has a key
// for nearly every node, and a table of linked nodes took a fifth of its set-up to fill, and a tenth to free.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace rattleback {

class KeyNumbers {
  public:
    std::uint32_t operator()(std::uint64_t key) {
        if (2 * (count_ + 1) > cells_.size()) grow();
        Cell& found = cell(key);
        if (found.number == 0) found = {key, ++count_};
        return found.number;
    }

  private:
    struct Cell {
        std::uint64_t key = 0;
        std::uint32_t number = 0; // 0: nothing is here
    };

    Cell& cell(std::uint64_t key) {
        std::size_t at = (key * 0x9e3779b97f4a7c15u) >> shift_;
        while (cells_[at].number != 0 && cells_[at].key != key) at = (at + 1) & (cells_.size() - 1);
        return cells_[at];
    }
    void grow() {
        const std::vector<Cell> old = std::exchange(cells_, {});
        if (!old.empty()) --shift_;
        cells_.resize(std::size_t(1) << (64 - shift_));
        for (const Cell& c : old)
            if (c.number != 0) cell(c.key) = c;
    }

    std::vector<Cell> cells_;
    std::uint32_t count_ = 0;
    int shift_ = 58; // of 64 bits; what is left is the number of a cell
};

} // namespace rattleback
