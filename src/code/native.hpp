// Object files in memory made executable.
#pragma once

#include <memory>
#include <string_view>

#include "code/listing.hpp"

namespace rattleback::code {

// Machine code ready to be called. The pages are written first and executable afterwards, never both.
class Native {
  public:
    // Throws std::runtime_error if the object is not one of ours: it may define one function, refer to its own sections
    // only, and ask for nothing from outside.
    explicit Native(std::string_view object);
    ~Native();
    Native(const Native&) = delete;
    Native& operator=(const Native&) = delete;
    Entry entry() const { return entry_; }

  private:
    void* pages_ = nullptr;
    std::size_t size_ = 0;
    Entry entry_ = nullptr;
};

// The functions that lines may call, by operation.
void* const* function_table();

} // namespace rattleback::code
