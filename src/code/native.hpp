// Object files in memory made executable.
#pragma once

#include <memory>
#include <string_view>

#include "code/backend.hpp"

namespace rattleback::code {

// Machine code ready to be called. Loaded by our own loader where there is one (code/object.hpp), else by LLVM's ORC;
// RATTLEBACK_LOADER=orc in the environment asks for the latter. The bits of what it computes are the same.
class Native {
  public:
    explicit Native(std::string_view object); // throws Error
    Entry entry() const { return loaded_->entry; }

  private:
    std::shared_ptr<const Loaded> loaded_;
};

// The functions that lines may call, by operation.
void* const* function_table();

} // namespace rattleback::code
