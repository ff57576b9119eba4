// Memory of long arrays in large pages: what walks through all of them needs as many addresses translated as it meets
// pages, and of 4 KB there are thousands. Measured on arrays of 25 MB: two thirds of the time.
#pragma once

#include <cstddef>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace rattleback {

// An allocator. Short arrays lie where all others do.
template <class T> struct LargePages {
    using value_type = T;

    LargePages() = default;
    template <class U> LargePages(const LargePages<U>&) {}

    T* allocate(std::size_t n) {
        if (!is_long(n)) return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(alignof(T))));
        void* const p = ::operator new(n * sizeof(T), std::align_val_t(page));
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        madvise(p, n * sizeof(T) / page * page, MADV_HUGEPAGE); // only a hint: where it is refused, all is as it was
#endif
        return static_cast<T*>(p);
    }
    void deallocate(T* p, std::size_t n) { ::operator delete(p, std::align_val_t(is_long(n) ? page : alignof(T))); }

    friend bool operator==(const LargePages&, const LargePages&) { return true; }

  private:
    static constexpr std::size_t page = std::size_t(1) << 21;
    static bool is_long(std::size_t n) { return n * sizeof(T) >= 2 * page; }
};

} // namespace rattleback
