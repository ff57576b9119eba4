# librattleback_hdf5.so writes HDF5 files, and is loaded by the library on first use; rattleback-read-hdf5 reads them, as a
# process of its own. Without libhdf5-dev results are written as CSV.

if(RATTLEBACK_HDF5)
    find_path(RATTLEBACK_HDF5_INCLUDE hdf5_hl.h PATH_SUFFIXES hdf5/serial)
    find_library(RATTLEBACK_HDF5_LIBRARY NAMES hdf5_serial hdf5)
    find_library(RATTLEBACK_HDF5_HL_LIBRARY NAMES hdf5_serial_hl hdf5_hl)
endif()
if(NOT RATTLEBACK_HDF5_INCLUDE OR NOT RATTLEBACK_HDF5_LIBRARY OR NOT RATTLEBACK_HDF5_HL_LIBRARY)
    message(STATUS "HDF5 was not found or not wanted: results are written as CSV")
    return()
endif()

set(both "${PROJECT_SOURCE_DIR}/backend/committed_file.cpp" "${PROJECT_SOURCE_DIR}/backend/hdf5_driver.cpp")
add_library(rattleback_hdf5 MODULE "${PROJECT_SOURCE_DIR}/backend/hdf5.cpp" ${both})
target_link_libraries(rattleback_hdf5 PRIVATE rattleback_flags rattleback_hardening "${RATTLEBACK_HDF5_HL_LIBRARY}"
                                              "${RATTLEBACK_HDF5_LIBRARY}")
add_executable(rattleback-read-hdf5 "${PROJECT_SOURCE_DIR}/backend/read_hdf5.cpp"
                                    "${PROJECT_SOURCE_DIR}/backend/sandbox.cpp" ${both})
target_link_libraries(rattleback-read-hdf5 PRIVATE rattleback_flags rattleback_hardening "${RATTLEBACK_HDF5_LIBRARY}")
# It limits its memory and its system calls, which neither sanitizers nor the counters of coverage survive.
set(plain -fno-sanitize=all)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    list(APPEND plain -fno-profile-instr-generate -fno-coverage-mapping)
endif()
target_compile_options(rattleback-read-hdf5 PRIVATE ${plain})
target_link_options(rattleback-read-hdf5 PRIVATE ${plain})
foreach(target rattleback_hdf5 rattleback-read-hdf5)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
    target_include_directories(${target} SYSTEM PRIVATE "${RATTLEBACK_HDF5_INCLUDE}")
    set_target_properties(
        ${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}"
                             RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
    add_dependencies(rattleback ${target})
endforeach()
