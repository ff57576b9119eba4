# librattleback_hdf5.so: HDF5 files, loaded by the library on first use. Without libhdf5-dev results are written as CSV.

if(RATTLEBACK_HDF5)
    find_path(RATTLEBACK_HDF5_INCLUDE hdf5_hl.h PATH_SUFFIXES hdf5/serial)
    find_library(RATTLEBACK_HDF5_LIBRARY NAMES hdf5_serial hdf5)
    find_library(RATTLEBACK_HDF5_HL_LIBRARY NAMES hdf5_serial_hl hdf5_hl)
endif()
if(NOT RATTLEBACK_HDF5_INCLUDE OR NOT RATTLEBACK_HDF5_LIBRARY OR NOT RATTLEBACK_HDF5_HL_LIBRARY)
    message(STATUS "HDF5 was not found or not wanted: results are written as CSV")
    return()
endif()

add_library(rattleback_hdf5 MODULE "${PROJECT_SOURCE_DIR}/backend/hdf5.cpp")
target_include_directories(rattleback_hdf5 PRIVATE "${PROJECT_SOURCE_DIR}/src")
target_include_directories(rattleback_hdf5 SYSTEM PRIVATE "${RATTLEBACK_HDF5_INCLUDE}")
target_link_libraries(rattleback_hdf5 PRIVATE rattleback_flags rattleback_hardening "${RATTLEBACK_HDF5_HL_LIBRARY}"
                                              "${RATTLEBACK_HDF5_LIBRARY}")
set_target_properties(rattleback_hdf5 PROPERTIES CXX_EXTENSIONS OFF LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
add_dependencies(rattleback rattleback_hdf5)
