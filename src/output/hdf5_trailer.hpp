// The last line of a result that is whole: its size and a checksum of all bytes before the line. HDF5 ignores what
// stands behind its own end, so other programs do not see it. A run that was killed leaves a file without it.
#pragma once

#include <optional>

namespace rattleback {

enum class Trailer { missing, matches, differs };

// Reads the whole file where it has a trailer. Nothing: it cannot be read, errno says why.
std::optional<Trailer> check_trailer(int fd);
bool append_trailer(int fd); // false: errno says why

} // namespace rattleback
