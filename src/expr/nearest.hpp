// Did you mean ...?
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rattleback {

// The candidate most like `name`: at most max(1, length/3) letters inserted, lost, changed or swapped, case aside.
// Empty if there is none.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

// What people bring from other languages, as it is written here: log for ln, asin for arcsin; else the name itself.
std::string_view usual_name(std::string_view name);

} // namespace rattleback
