// What librattleback_hdf5.so offers: HDF5 brings some twenty libraries along, so it is loaded on first use only. It
// writes; what reads is a program of its own, rattleback-read-hdf5, since a file may come from anywhere.
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
    // Functions return null or false where they fail, and say why in `error`. `fd`: an empty file, which stays the
    // caller's; nothing is in it before the first call of append or close.
    void* (*create)(int fd, bool sync, const Hdf5Dataset* sets, std::size_t count, const Hdf5Text* texts,
                    std::size_t text_count, char* error, std::size_t size);
    // Rows for every dataset. When it returns, the file has them all; when it fails, the file has those of before.
    bool (*append)(void* file, std::size_t rows, const double* const* data, char* error, std::size_t size);
    bool (*close)(void* file, const Hdf5Text* texts, std::size_t text_count, char* error, std::size_t size);
    void (*drop)(void* file); // without close: the file stays as append left it
};

inline constexpr const char* hdf5_door = "rattleback_hdf5_3"; // extern "C" const Hdf5Module* rattleback_hdf5_3()

} // namespace rattleback
