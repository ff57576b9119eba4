// Results as HDF5: written while a run goes on, block by block, and read again for pages.
#pragma once

#include <memory>

#include "output/report.hpp"

namespace rattleback {

void require_hdf5(const std::string& file); // throws CannotWrite, with the name, where HDF5 is not there

class Hdf5Writer {
  public:
    // Throws CannotWrite where the file cannot be made, or HDF5 is not there. `run` has its columns and origin.
    Hdf5Writer(const std::string& file, const Run& run);
    ~Hdf5Writer();
    Hdf5Writer(const Hdf5Writer&) = delete;
    Hdf5Writer& operator=(const Hdf5Writer&) = delete;

    void add(const NodeView& node); // every 4096 nodes a block is written and flushed
    void finish(const Run& run);    // the last block, and how it ended

  private:
    void flush();
    struct Block;
    std::unique_ptr<Block> block_;
};

// A stored run: what was written, with the bits it had.
struct StoredRun {
    Record record;
    Origin origin;
    std::string status, summary; // summary: as summary_json writes it; empty: the run was not finished
};
StoredRun read_hdf5(const std::string& file); // throws BadRun
ReportRun report_run(const StoredRun& stored);

} // namespace rattleback
