// A list of plain values that grows in place. A vector copies itself when it grows, so that at its largest both copies
// lie in memory; for tens of megabytes the C library's realloc moves pages instead of bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

namespace rattleback {

template <class T> class Growing {
    static_assert(std::is_trivially_copyable_v<T>);

  public:
    Growing() = default;
    Growing(const Growing& other) { *this = other; }
    Growing(Growing&& other) noexcept { swap(other); }
    Growing& operator=(const Growing& other) {
        if (this == &other) return *this;
        resize(0);
        reserve(other.size_);
        if (other.size_) std::memcpy(static_cast<void*>(items_), other.items_, other.size_ * sizeof(T));
        size_ = other.size_;
        return *this;
    }
    Growing& operator=(Growing&& other) noexcept {
        swap(other);
        return *this;
    }
    ~Growing() { std::free(items_); }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* data() { return items_; }
    const T* data() const { return items_; }
    T* begin() { return items_; }
    T* end() { return items_ + size_; }
    const T* begin() const { return items_; }
    const T* end() const { return items_ + size_; }
    T& operator[](std::size_t i) { return items_[i]; }
    const T& operator[](std::size_t i) const { return items_[i]; }
    T& back() { return items_[size_ - 1]; }
    const T& back() const { return items_[size_ - 1]; }

    void push_back(T value) { // by value: it may be one of the items
        if (size_ == room_) reserve(room_ + room_ / 2 + 16);
        items_[size_++] = value;
    }
    void append(const T* values, std::size_t count) { // of another list
        if (size_ + count > room_) reserve(std::max(size_ + count, room_ + room_ / 2 + 16));
        if (count) std::memcpy(static_cast<void*>(items_ + size_), values, count * sizeof(T));
        size_ += count;
    }
    void pop_back() { --size_; }
    void resize(std::size_t size, const T& value = {}) {
        const T filling = value;
        if (size > room_) reserve(size > room_ + room_ / 2 ? size : room_ + room_ / 2);
        for (std::size_t i = size_; i < size; ++i) items_[i] = filling;
        size_ = size;
    }

  private:
    void swap(Growing& other) noexcept {
        std::swap(items_, other.items_), std::swap(size_, other.size_), std::swap(room_, other.room_);
    }
    void reserve(std::size_t room) {
        if (room <= room_) return;
        void* moved = std::realloc(static_cast<void*>(items_), room * sizeof(T));
        if (!moved) throw std::bad_alloc();
        items_ = static_cast<T*>(moved);
        room_ = room;
    }

    T* items_ = nullptr;
    std::size_t size_ = 0, room_ = 0;
};

} // namespace rattleback
