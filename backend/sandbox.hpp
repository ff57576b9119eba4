// For a process that reads a file it does not trust: what it may use, and what it may ask of the system.
#pragma once

#include <cstdint>

namespace rattleback {

// Memory, seconds of CPU time by the size of the file, no core, no file made longer, no descriptor beyond the first
// three. On Linux the process ends with its parent.
bool limit_resources(std::uint64_t file_size);

// From now on: read, write what is open, take and give memory, end. Opening anything fails with EPERM. Linux on x86-64
// and AArch64; elsewhere there is nothing of the kind and it returns true.
bool forbid_system_calls();

} // namespace rattleback
