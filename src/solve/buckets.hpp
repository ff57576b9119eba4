// A container of the pivot search: rows or columns in buckets by their number of entries.
#pragma once

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

} // namespace rattleback::solve
