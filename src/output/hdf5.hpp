// Results as HDF5: written while a run goes on, block by block, and read again for pages.
#pragma once

#include <memory>

#include "output/report.hpp"

namespace rattleback {

void require_hdf5(const std::string& file); // throws CannotWrite, with the name, where HDF5 is not there

class Hdf5Writer {
  public:
    // Writes FILE.partial, which becomes FILE with its first block of rows: what is there is kept until then. `sync`:
    // every block waits for the disk. Throws CannotWrite where the file cannot be made, another run is writing it, or
    // HDF5 is not there. `run` has its columns and origin.
    Hdf5Writer(const std::string& file, const Run& run, bool sync = false);
    ~Hdf5Writer(); // without finish: rows that were added are written, the file is "not finished"
    Hdf5Writer(const Hdf5Writer&) = delete;
    Hdf5Writer& operator=(const Hdf5Writer&) = delete;

    // Every second, and every 8 MB, a block is written. Throws CannotWrite; then the file has the blocks of before.
    void add(const NodeView& node);
    void finish(const Run& run); // the last block, how it ended, and a checksum of the whole file

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
    bool finished = false;       // false: the run was killed, and its file has the rows up to there
};
StoredRun read_hdf5(const std::string& file); // throws BadRun, also where its checksum differs
StoredRun stored_run(const std::string& file, const struct Hdf5Contents& from); // throws BadRun, naming `file`
ReportRun report_run(const StoredRun& stored);

} // namespace rattleback
