// libhdf5's view of a CommittedFile: a virtual file driver.
#pragma once

#include <hdf5.h>

#include "committed_file.hpp"

namespace rattleback {

// A file access property list, to be closed with H5Pclose; `file` must outlive whatever is opened with it. A file that
// libhdf5 would open beside it (an external link, external storage) is refused. Negative: libhdf5 failed.
hid_t access_to(CommittedFile& file, bool writing);

} // namespace rattleback
