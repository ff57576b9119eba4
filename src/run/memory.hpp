// How much memory there is for the record of a run.
#pragma once

#include <rattleback/record.hpp>

namespace rattleback {

// Bytes that this process can still take: what is free on the machine, and what limits on it leave. Infinite: unknown.
double available_memory();
// Throws BadRun where a record of so many nodes cannot be kept.
void require_memory(const Layout& layout, double nodes);

} // namespace rattleback
