# rattleback_flags: how every source of the project is compiled. Linked privately, so it stops at the project's border.

add_library(rattleback_flags INTERFACE)
target_compile_features(rattleback_flags INTERFACE cxx_std_20)
target_compile_options(rattleback_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow)
# {.step = 0.01, .until = 1} means that the other members keep their defaults: that is what the form is for.
target_compile_options(rattleback_flags INTERFACE -Wno-missing-field-initializers)
# std::stable_sort of libstdc++ 12 calls a function that libstdc++ marks deprecated: clang 19 blames us for it, clang 16
# does not.
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 17)
    target_compile_options(rattleback_flags INTERFACE -Wno-deprecated-declarations)
endif()
# GCC 12 takes what is precompiled for headers of ours, and warns of strings in them without a reason.
if(RATTLEBACK_WERROR AND NOT (RATTLEBACK_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU))
    target_compile_options(rattleback_flags INTERFACE -Werror)
endif()

# The same bits everywhere: the compiler never fuses a*b + c, so a result depends neither on -march nor on what happened
# to be inlined; fused operations are written where they are wanted. Private on purpose: it is our promise about our
# code, not a rule for a user's program. A template of a public header that a user instantiates follows the user's
# flags, and differs only where these ask for FMA instructions (-march=...) without this option.
target_compile_options(rattleback_flags INTERFACE -ffp-contract=off)

# Position-independent code without the price: calls inside the library may still be inlined.
if(NOT APPLE) # where that is so anyway
    target_compile_options(rattleback_flags INTERFACE -fno-semantic-interposition)
endif()

# rattleback_hardening: what everything that is shipped has besides, the program, the library and its modules: a mistake
# of ours in reading a file ends the process instead of running what the file says. The linker keeps what the loader has
# resolved read-only, the stack is not executable; functions with arrays notice when something wrote beyond them (stack
# protector), functions of the C library when they are told to (FORTIFY), and jumps lead only to where they may (CET of
# x86). test/oracle/hardening.py reads it from the files that were made.
add_library(rattleback_hardening INTERFACE)
if(NOT APPLE) # where the linker does so by itself
    target_link_options(rattleback_hardening INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
endif()
target_compile_options(rattleback_hardening INTERFACE -fstack-protector-strong)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
    target_compile_options(rattleback_hardening INTERFACE -fcf-protection)
endif()
# FORTIFY needs an optimiser, and does not go together with sanitizers, which are for debug builds here. The third level
# knows sizes that are not constant.
set(fortify 2)
if(CMAKE_CXX_COMPILER_ID MATCHES Clang OR CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
    set(fortify 3)
endif()
target_compile_options(rattleback_hardening INTERFACE
                       "$<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=${fortify}>")
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
