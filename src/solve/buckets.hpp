// Two containers of the pivot search: rows or columns in buckets by their number of entries, and a hash table of
// entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rattleback::solve {

// Lines (rows or columns) in one doubly linked list for each count: every operation takes constant time.
class Buckets {
  public:
    explicit Buckets(int n) : first_(n + 1, -1), next_(n, -1), previous_(n, -1), count_(n, 0) {}

    int first(int count) const { return first_[count]; }
    int next(int line) const { return next_[line]; }
    int count(int line) const { return count_[line]; }

    void insert(int line, int count) {
        count_[line] = count;
        next_[line] = first_[count];
        previous_[line] = -1;
        if (next_[line] >= 0) previous_[next_[line]] = line;
        first_[count] = line;
    }

    void remove(int line) {
        if (next_[line] >= 0) previous_[next_[line]] = previous_[line];
        (previous_[line] >= 0 ? next_[previous_[line]] : first_[count_[line]]) = next_[line];
    }

    void change(int line, int by) {
        if (by == 0) return;
        remove(line);
        insert(line, count_[line] + by);
    }

  private:
    std::vector<int> first_, next_, previous_, count_;
};

// A hash table with open addressing, from (row, column) to the index of an entry. Searching along a row instead would
// cost its length for every pivot that touches it, and an unknown period or final time makes dense rows and columns.
class Places {
  public:
    explicit Places(std::size_t expected) {
        std::size_t size = 16;
        while (size < 2 * expected) size *= 2;
        slots_.assign(size, {});
    }

    int find(int row, int column) const { return slots_[locate(key(row, column))].index; }

    void insert(int row, int column, int index) {
        if (2 * ++used_ > slots_.size()) grow();
        slots_[locate(key(row, column))] = {key(row, column), index};
    }

  private:
    struct Slot {
        std::uint64_t key = ~std::uint64_t{0};
        int index = -1;
    };

    static std::uint64_t key(int row, int column) {
        return static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint32_t>(column);
    }

    std::size_t locate(std::uint64_t wanted) const {
        std::uint64_t hash = wanted * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
        std::size_t s = hash & (slots_.size() - 1);
        while (slots_[s].index >= 0 && slots_[s].key != wanted) s = (s + 1) & (slots_.size() - 1);
        return s;
    }

    void grow() {
        std::vector<Slot> old(2 * slots_.size());
        old.swap(slots_);
        for (const Slot& s : old)
            if (s.index >= 0) slots_[locate(s.key)] = s;
    }

    std::vector<Slot> slots_;
    std::size_t used_ = 0;
};

} // namespace rattleback::solve
