// Identifiers of libhdf5 that close themselves, and its failures as exceptions.
#pragma once

#include <hdf5.h>

#include <string>

#include <rattleback/error.hpp>

namespace rattleback {

struct Hdf5Failure : Error { // never leaves the module or the program
    using Error::Error;
};
template <class T> T good(T id, const std::string& doing) {
    if (id < 0) throw Hdf5Failure{doing};
    return id;
}

// An identifier that is closed by the function it belongs to.
class Id {
  public:
    Id(hid_t id, herr_t (*closing)(hid_t)) : id_(id), close_(closing) {}
    ~Id() { close(); }
    Id(const Id&) = delete;
    Id& operator=(const Id&) = delete;
    operator hid_t() const { return id_; }
    bool close() {
        const bool closed = id_ < 0 || close_(id_) >= 0;
        id_ = -1;
        return closed;
    }

  private:
    hid_t id_;
    herr_t (*close_)(hid_t);
};

} // namespace rattleback
