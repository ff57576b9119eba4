# Benchmarks: every bench/NAME.cpp is a program bench_NAME that prints its own table; --long asks for the long jobs.
#
# The bench sources, and so the hand-written code that the library is compared with, are compiled for this very machine;
# the library stays as it is shipped. NOTE: an inline function of a library header that is instantiated here gets these
# flags too, and the linker may keep this copy: call what is measured through functions compiled in the library.

file(GLOB bench_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/bench/*.cpp")
foreach(file IN LISTS bench_files)
    cmake_path(GET file STEM name)
    add_executable(bench_${name} "${file}")
    target_compile_options(bench_${name} PRIVATE -O3 -march=native -fno-math-errno) # a root is one instruction
    target_include_directories(bench_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/bench")
    target_compile_definitions(bench_${name} PRIVATE RATTLEBACK_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                                                     RATTLEBACK_PROGRAM="${PROJECT_BINARY_DIR}/rattleback"
                                                     RATTLEBACK_VERSION="${PROJECT_VERSION}")
    target_link_libraries(bench_${name} PRIVATE rattleback rattleback_flags)
    set_target_properties(bench_${name} PROPERTIES CXX_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY
                                                                      "${PROJECT_BINARY_DIR}/bench")
    if(TARGET rattleback-cli)
        add_dependencies(bench_${name} rattleback-cli)
    endif()
endforeach()

if(TARGET rattleback_hdf5) # which libhdf5 itself is compared with
    target_link_libraries(bench_writing PRIVATE "${RATTLEBACK_HDF5_LIBRARY}")
    target_include_directories(bench_writing SYSTEM PRIVATE "${RATTLEBACK_HDF5_INCLUDE}")
    target_compile_definitions(bench_writing PRIVATE RATTLEBACK_WITH_HDF5)
    add_dependencies(bench_writing rattleback_hdf5)
endif()

# Other people's solvers, for bench_peers alone: what is not installed is left out of its table.
find_library(GSL_LIBRARY gsl)
if(GSL_LIBRARY AND TARGET bench_peers)
    find_library(GSL_BLAS_LIBRARY gslcblas)
    target_compile_definitions(bench_peers PRIVATE RATTLEBACK_HAVE_GSL)
    target_link_libraries(bench_peers PRIVATE ${GSL_LIBRARY} ${GSL_BLAS_LIBRARY})
endif()
find_library(SUNDIALS_CVODE_LIBRARY sundials_cvode)
if(SUNDIALS_CVODE_LIBRARY AND TARGET bench_peers)
    find_library(SUNDIALS_ARKODE_LIBRARY sundials_arkode)
    find_library(SUNDIALS_VECTOR_LIBRARY sundials_nvecserial)
    target_compile_definitions(bench_peers PRIVATE RATTLEBACK_HAVE_SUNDIALS)
    target_link_libraries(bench_peers PRIVATE ${SUNDIALS_CVODE_LIBRARY} ${SUNDIALS_ARKODE_LIBRARY}
                                              ${SUNDIALS_VECTOR_LIBRARY})
endif()
