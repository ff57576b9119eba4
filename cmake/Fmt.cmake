# rattleback_fmt: the headers of fmt; its implementation is compiled once, into the rattleback library.
#
# Measured for one source with one format() call (g++ 12, -O2): header-only 4.6 s and 95 kB of code in every source,
# compiled once 0.8 s and 0.1 kB (an empty source: 0.5 s). Debian has fmt as headers and a shared library only; the
# shared one would be needed by whoever links the installed static library, and costs a load at every start. So
# cmake/fmt_implementation.cpp compiles what those headers declare. The inline namespace is our own: a user's fmt of
# any version can be linked beside it without a clash of symbols.

find_package(fmt REQUIRED)
get_target_property(fmt_include fmt::fmt-header-only INTERFACE_INCLUDE_DIRECTORIES)
add_library(rattleback_fmt INTERFACE)
target_include_directories(rattleback_fmt SYSTEM INTERFACE ${fmt_include})

if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
    set(RATTLEBACK_FMT_SOURCE "${PROJECT_SOURCE_DIR}/cmake/fmt_implementation.cpp")
    target_compile_definitions(
        rattleback_fmt INTERFACE "FMT_BEGIN_NAMESPACE=namespace fmt { inline namespace rattleback_v9 {"
                                 "FMT_END_NAMESPACE=}}")
else()
    set(RATTLEBACK_FMT_SOURCE "") # its list of instantiations is that of fmt 9; others compile slowly but surely
    target_compile_definitions(rattleback_fmt INTERFACE FMT_HEADER_ONLY=1)
endif()
