# Fuzz targets: every test/fuzz/NAME_fuzz.cpp becomes fuzz_NAME. The preset clang compiles the library itself with the same
# sanitizers and coverage; here only libFuzzer's main() is added. Seeds: test/fuzz/corpus/NAME/; words: the
# test/fuzz/*.dict that the source names in a comment.

if(NOT CMAKE_CXX_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "Fuzzing needs clang: cmake --preset clang")
endif()

file(GLOB fuzz_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/test/fuzz/*_fuzz.cpp")
foreach(file IN LISTS fuzz_files)
    cmake_path(GET file STEM name)
    string(REGEX REPLACE "_fuzz$" "" name "${name}")
    add_executable(fuzz_${name} "${file}")
    target_include_directories(fuzz_${name} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/test")
    target_compile_definitions(fuzz_${name} PRIVATE RATTLEBACK_VERSION="${PROJECT_VERSION}")
    target_link_libraries(fuzz_${name} PRIVATE rattleback rattleback_flags)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(fuzz_${name} PROPERTIES CXX_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY
                                                                     "${PROJECT_BINARY_DIR}/fuzz")
endforeach()
