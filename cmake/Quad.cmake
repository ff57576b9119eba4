# The widest scalar, quad (see include/rattleback/real.hpp). The header decides by itself but for libquadmath, which must be
# found and linked: it is looked for where long double is not binary128 and the C library does not compute in __float128.

set(RATTLEBACK_QUAD "" CACHE STRING "The widest scalar: libquadmath, long_double, or nothing for the best there is")
set_property(CACHE RATTLEBACK_QUAD PROPERTY STRINGS "" libquadmath long_double)
include(CheckCXXSourceCompiles)

check_cxx_source_compiles(
    "#include <cstdlib>
    #if !(__LDBL_MANT_DIG__ == 113 || (defined(__SIZEOF_FLOAT128__) && defined(__GLIBC__)))
    #error
    #endif
    int main() {}"
    RATTLEBACK_HAS_QUAD)
if(RATTLEBACK_QUAD STREQUAL "libquadmath" OR (NOT RATTLEBACK_QUAD AND NOT RATTLEBACK_HAS_QUAD))
    set(CMAKE_REQUIRED_LIBRARIES quadmath)
    check_cxx_source_compiles(
        "#include <quadmath.h>
        int main(int n, char**) { return static_cast<int>(sinq(static_cast<__float128>(n))); }"
        RATTLEBACK_HAS_LIBQUADMATH)
    unset(CMAKE_REQUIRED_LIBRARIES)
endif()

if(RATTLEBACK_QUAD STREQUAL "long_double")
    target_compile_definitions(rattleback PUBLIC RATTLEBACK_NO_QUAD)
elseif(RATTLEBACK_HAS_LIBQUADMATH)
    target_compile_definitions(rattleback PUBLIC RATTLEBACK_LIBQUADMATH)
    target_link_libraries(rattleback PUBLIC quadmath)
elseif(RATTLEBACK_QUAD STREQUAL "libquadmath")
    message(FATAL_ERROR "RATTLEBACK_QUAD=libquadmath: this compiler has no libquadmath")
elseif(NOT RATTLEBACK_HAS_QUAD)
    message(STATUS "No binary128 was found: orders are measured in long double")
endif()
