// Did you mean ...?
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rattleback {

// The candidate most like `name`: at most max(1, length/3) letters inserted, lost, changed or swapped, case aside.
// Empty if there is none.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

} // namespace rattleback
