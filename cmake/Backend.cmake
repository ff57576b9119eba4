# librattleback_llvm.so: the LLVM back end, loaded by the library on first use. Without LLVM everything runs on the tape.
#
# LLVM is linked statically, only what x86-64 needs of it: its shared library takes 25 ms to load. Its CMake package is not
# used: it asks for libraries (Z3, libxml2, ...) that these parts do not need.

set_source_files_properties("${PROJECT_SOURCE_DIR}/src/code/module_places.cpp"
                            PROPERTIES COMPILE_DEFINITIONS "RATTLEBACK_LIBDIR=\"${CMAKE_INSTALL_LIBDIR}\"")

if(RATTLEBACK_LLVM AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
    find_program(RATTLEBACK_LLVM_CONFIG NAMES llvm-config-19 PATHS /usr/lib/llvm-19/bin)
    find_library(RATTLEBACK_ZLIB z)
    find_library(RATTLEBACK_ZSTD zstd)
endif()
if(NOT RATTLEBACK_LLVM_CONFIG OR NOT RATTLEBACK_ZLIB OR NOT RATTLEBACK_ZSTD)
    message(STATUS "LLVM 19 was not found: no machine code, everything runs on the tape")
    return()
endif()

function(llvm_config out)
    execute_process(COMMAND "${RATTLEBACK_LLVM_CONFIG}" ${ARGN} OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
                            COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(text)
    set(${out} ${text} PARENT_SCOPE)
endfunction()
llvm_config(llvm_include --includedir)
llvm_config(llvm_libraries --link-static --libfiles x86codegen passes)

add_library(rattleback_llvm MODULE "${PROJECT_SOURCE_DIR}/backend/llvm.cpp")
target_include_directories(rattleback_llvm PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
target_include_directories(rattleback_llvm SYSTEM PRIVATE ${llvm_include})
target_compile_definitions(rattleback_llvm PRIVATE RATTLEBACK_VERSION="${PROJECT_VERSION}")
target_link_libraries(rattleback_llvm PRIVATE rattleback_flags ${llvm_libraries} "${RATTLEBACK_ZLIB}" "${RATTLEBACK_ZSTD}")
# The symbols of LLVM stay inside: another LLVM may live in the same process.
target_link_options(rattleback_llvm PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -Wl,--gc-sections -Wl,-s)
# LLVM's libraries know no sanitizers, and what is shared with them must be laid out as there.
target_compile_options(rattleback_llvm PRIVATE -fno-sanitize=all)
target_link_options(rattleback_llvm PRIVATE -fno-sanitize=all)
set_target_properties(rattleback_llvm PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
                                                 LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
add_dependencies(rattleback rattleback_llvm)
