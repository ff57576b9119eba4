# librattleback_ipopt.so solves control problems with bounds and inequalities, and is loaded by the library on first use.
# Without coinor-libipopt-dev such problems are refused.

if(RATTLEBACK_IPOPT)
    find_path(RATTLEBACK_IPOPT_INCLUDE coin/IpStdCInterface.h)
    find_library(RATTLEBACK_IPOPT_LIBRARY NAMES ipopt)
endif()
if(NOT RATTLEBACK_IPOPT_INCLUDE OR NOT RATTLEBACK_IPOPT_LIBRARY)
    message(STATUS "Ipopt was not found or not wanted: control problems with bounds are refused")
    return()
endif()

add_library(rattleback_ipopt MODULE "${PROJECT_SOURCE_DIR}/backend/ipopt.cpp")
target_link_libraries(rattleback_ipopt PRIVATE rattleback_flags rattleback_hardening "${RATTLEBACK_IPOPT_LIBRARY}")
target_include_directories(rattleback_ipopt PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/include")
target_include_directories(rattleback_ipopt SYSTEM PRIVATE "${RATTLEBACK_IPOPT_INCLUDE}")
set_target_properties(rattleback_ipopt PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON
                                                  LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
add_dependencies(rattleback rattleback_ipopt)
