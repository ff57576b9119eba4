// What the library throws. Catch Error for all of it; what() is a message for people, with what to do about it.
// Besides: std::bad_alloc where memory ends, and std::logic_error for a mistake in the library itself.
#pragma once

#include <stdexcept>

namespace rattleback {

struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

} // namespace rattleback
