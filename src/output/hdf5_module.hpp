// What librattleback_hdf5.so offers: HDF5 brings some twenty libraries along, so it is loaded on first use only.
#pragma once

#include <cstddef>

namespace rattleback {

struct Hdf5Text {
    const char *name, *value;
};
struct Hdf5Dataset {
    const char* path;           // with folders, which are made; what ends in '/' is such a folder and nothing else
    const std::size_t* shape;   // of a row
    std::size_t rank;           // numbers in `shape`; 0: one number a row
    const char* const* columns; // of rank 1: names of the numbers of a row
};

struct Hdf5Module {
    // Functions return null or false where they fail, and say why in `error`.
    void* (*create)(const char* file, const Hdf5Dataset* sets, std::size_t count, const Hdf5Text* texts,
                    std::size_t text_count, char* error, std::size_t size);
    // Rows for every dataset, then flushed: what is in the file can be read, whatever happens next.
    bool (*append)(void* file, std::size_t rows, const double* const* data, char* error, std::size_t size);
    bool (*close)(void* file, const Hdf5Text* texts, std::size_t text_count, char* error, std::size_t size);
    // Calls `text` with every text attribute of the file, then `dataset` with every dataset of numbers.
    bool (*read)(const char* file, void* to,
                 void (*dataset)(void* to, const char* path, std::size_t rows, std::size_t width, const double* data),
                 void (*text)(void* to, const char* name, const char* value), char* error, std::size_t size);
};

inline constexpr const char* hdf5_door = "rattleback_hdf5_2"; // extern "C" const Hdf5Module* rattleback_hdf5_2()

} // namespace rattleback
