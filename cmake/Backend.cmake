# librattleback_llvm.so: the LLVM back end, loaded by the library on first use. Without LLVM everything runs on the tape.
#
# LLVM is linked statically, only what this processor needs of it: its shared library takes 25 ms to load. Its CMake package
# is not used: it asks for libraries (Z3, libxml2, ...) that these parts do not need. Of several versions the first of the
# list below is taken; -DRATTLEBACK_LLVM_CONFIG=/path/to/llvm-config names another.

set_source_files_properties("${PROJECT_SOURCE_DIR}/src/code/module_places.cpp"
                            PROPERTIES COMPILE_DEFINITIONS "RATTLEBACK_LIBDIR=\"${CMAKE_INSTALL_LIBDIR}\"")

set(llvm_oldest 16)
set(llvm_names llvm-config-19 llvm-config-20 llvm-config-21 llvm-config-18 llvm-config-17 llvm-config-16 llvm-config)

function(llvm_config out)
    execute_process(COMMAND "${RATTLEBACK_LLVM_CONFIG}" ${ARGN} OUTPUT_VARIABLE text OUTPUT_STRIP_TRAILING_WHITESPACE
                            COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(text)
    set(${out} ${text} PARENT_SCOPE)
endfunction()

set(why_not "")
if(NOT RATTLEBACK_LLVM)
    set(why_not "LLVM is not wanted")
elseif(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|aarch64|arm64)$")
    set(why_not "${CMAKE_SYSTEM_PROCESSOR} is not a processor that machine code was tried on")
else()
    find_program(RATTLEBACK_LLVM_CONFIG NAMES ${llvm_names} DOC "The llvm-config of the LLVM to use")
    find_library(RATTLEBACK_ZLIB z)
    find_library(RATTLEBACK_ZSTD zstd)
    find_library(RATTLEBACK_TINFO NAMES tinfo ncurses)
    if(NOT RATTLEBACK_LLVM_CONFIG)
        set(why_not "LLVM was not found")
    elseif(NOT RATTLEBACK_ZLIB OR NOT RATTLEBACK_ZSTD)
        set(why_not "zlib or zstd, which LLVM needs, was not found")
    else()
        llvm_config(llvm_version --version)
        if(llvm_version VERSION_LESS llvm_oldest)
            set(why_not "LLVM ${llvm_version} is older than ${llvm_oldest}")
        elseif(llvm_version VERSION_LESS 18 AND NOT RATTLEBACK_TINFO)
            set(why_not "tinfo, which LLVM ${llvm_version} needs, was not found")
        endif()
    endif()
endif()
if(why_not)
    message(STATUS "${why_not}: no machine code, everything runs on the tape")
    return()
endif()

message(STATUS "Machine code by LLVM ${llvm_version}")
llvm_config(llvm_include --includedir)
llvm_config(llvm_libraries --link-static --libfiles nativecodegen passes orcjit jitlink)
set(llvm_needs "${RATTLEBACK_ZLIB}" "${RATTLEBACK_ZSTD}")
if(llvm_version VERSION_LESS 18)
    list(APPEND llvm_needs "${RATTLEBACK_TINFO}")
endif()

add_library(rattleback_llvm MODULE "${PROJECT_SOURCE_DIR}/backend/llvm.cpp" "${PROJECT_SOURCE_DIR}/backend/orc.cpp"
                                   "${PROJECT_SOURCE_DIR}/backend/translation.cpp")
target_include_directories(rattleback_llvm PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
target_include_directories(rattleback_llvm SYSTEM PRIVATE ${llvm_include})
target_compile_definitions(rattleback_llvm PRIVATE RATTLEBACK_VERSION="${PROJECT_VERSION}")
target_link_libraries(rattleback_llvm PRIVATE rattleback_flags rattleback_hardening ${llvm_libraries} ${llvm_needs})
# The symbols of LLVM stay inside: another LLVM may live in the same process.
if(NOT APPLE) # where every library keeps its own by itself
    target_link_options(rattleback_llvm PRIVATE -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -Wl,--gc-sections -Wl,-s)
endif()
# LLVM's libraries know no sanitizers, and what is shared with them must be laid out as there.
target_compile_options(rattleback_llvm PRIVATE -fno-sanitize=all)
target_link_options(rattleback_llvm PRIVATE -fno-sanitize=all)
set_target_properties(rattleback_llvm PROPERTIES CXX_EXTENSIONS OFF CXX_VISIBILITY_PRESET hidden
                                                 LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
add_dependencies(rattleback rattleback_llvm)
