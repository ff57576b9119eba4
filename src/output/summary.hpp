// What a run was made from, as JSON.
#pragma once

#include <rattleback/output.hpp>

#include "output/json.hpp"

namespace rattleback {

Json parameters_json(const Origin& origin); // by name
Json start_json(const Origin& origin);      // t, and q, v, p, z, lambda as far as they were given
void read_parameters(const Json& from, Origin& origin);
void read_start(const Json& from, Origin& origin);

} // namespace rattleback
