// What `solve` says of a periodic path.
#pragma once

#include <rattleback/rattleback.hpp>

#include "output/json.hpp"

namespace app {

void add_orbit(const rattleback::Solution& solution, rattleback::Json& to);
void print_orbit(const rattleback::Model& model, const rattleback::Solution& solution, std::FILE* to);

} // namespace app
