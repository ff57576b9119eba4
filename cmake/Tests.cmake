# Tests: every folder of test/ with *_test.cpp files is one GoogleTest program, test_<folder>, and one entry of ctest;
# every test/oracle/*.py is one more, oracle_<stem> (a name that begins with _ is a helper, not a test).
#
# A suite has a budget of seconds, 60 unless the file test/<folder>/budget (or test/oracle/<stem>.budget) says otherwise.
# The word "alone" after the number keeps other suites from running at the same time, for what measures time.
# generated/suites.txt tells scripts/test: name, budget, alone or shared.

set(RATTLEBACK_GTEST_SOURCE "" CACHE PATH "GoogleTest's sources, to build it for another machine; empty: as installed")
if(RATTLEBACK_GTEST_SOURCE)
    add_subdirectory("${RATTLEBACK_GTEST_SOURCE}" googletest EXCLUDE_FROM_ALL)
else()
    find_package(GTest REQUIRED)
endif()

# The interpreter that has Debian's NumPy, SciPy, SymPy and mpmath; another python3 may come first in PATH.
set(RATTLEBACK_PYTHON "/usr/bin/python3" CACHE FILEPATH "The Python that runs the oracles")

# Sanitizers make the sources of tests the slowest of all to compile, and little of a test's time is spent in them.
set(RATTLEBACK_TEST_FLAGS "" CACHE STRING "More compiler flags for the sources of the tests")

set(suites "")

function(rattleback_suite name budget_file)
    set(budget 60)
    set(company shared)
    if(EXISTS "${budget_file}")
        set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${budget_file}")
        file(STRINGS "${budget_file}" words LIMIT_COUNT 1)
        if(NOT words MATCHES "^([0-9]+)( alone)?$")
            message(FATAL_ERROR "${budget_file}: one line, a number of seconds and perhaps the word alone")
        endif()
        set(budget "${CMAKE_MATCH_1}")
        if(CMAKE_MATCH_2)
            set(company alone)
        endif()
    endif()
    math(EXPR timeout "3 * ${budget}") # over its budget a suite is reported, over three times it is stopped
    set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout})
    if(company STREQUAL alone)
        set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    endif()
    set(suites "${suites}${name} ${budget} ${company}\n" PARENT_SCOPE)
endfunction()

# The program as it is where neither npm nor HDF5 are found: without the page, and with no module beside it.
if(TARGET rattleback_app)
    add_executable(rattleback-bare "${no_page_source}")
    target_link_libraries(rattleback-bare PRIVATE rattleback_app)
    set_target_properties(
        rattleback-bare PROPERTIES OUTPUT_NAME rattleback CXX_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY
                                                                             "${PROJECT_BINARY_DIR}/test/bare/bin")
endif()

file(GLOB test_files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/test/*/*_test.cpp")
set(folders "")
foreach(file IN LISTS test_files)
    cmake_path(GET file PARENT_PATH folder)
    list(APPEND folders "${folder}")
endforeach()
list(REMOVE_DUPLICATES folders)

function(rattleback_compiled_as_test target)
    target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/test")
    target_compile_definitions(
        ${target}
        PRIVATE RATTLEBACK_VERSION="${PROJECT_VERSION}" #
                RATTLEBACK_SOURCE_DIR="${PROJECT_SOURCE_DIR}" #
                RATTLEBACK_PROGRAM="${PROJECT_BINARY_DIR}/rattleback")
    target_compile_options(${target} PRIVATE ${RATTLEBACK_TEST_FLAGS})
    target_link_libraries(${target} PRIVATE rattleback rattleback_flags GTest::gtest)
    set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
endfunction()

if(RATTLEBACK_PRECOMPILE) # one compilation of the headers for all test programs: their flags are the same
    file(WRITE "${PROJECT_BINARY_DIR}/generated/test_headers.cpp" "// Nothing but the headers.\n")
    add_library(rattleback_test_headers OBJECT "${PROJECT_BINARY_DIR}/generated/test_headers.cpp")
    rattleback_compiled_as_test(rattleback_test_headers)
    rattleback_precompile(rattleback_test_headers <gtest/gtest.h>)
endif()

foreach(folder IN LISTS folders)
    cmake_path(GET folder FILENAME name)
    set(files ${test_files})
    list(FILTER files INCLUDE REGEX "/test/${name}/[^/]*$")
    add_executable(test_${name} ${files})
    rattleback_compiled_as_test(test_${name})
    if(RATTLEBACK_PRECOMPILE)
        target_precompile_headers(test_${name} REUSE_FROM rattleback_test_headers)
    endif()
    target_link_libraries(test_${name} PRIVATE GTest::gtest_main)
    set_target_properties(test_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test")
    if(TARGET rattleback-cli AND name MATCHES "^(app|attack)$") # the others do not run the program
        add_dependencies(test_${name} rattleback-cli rattleback-bare)
    endif()
    add_test(NAME test_${name} COMMAND test_${name} --gtest_brief=1 WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/test")
    rattleback_suite(test_${name} "${folder}/budget")
endforeach()

# What scripts/test compares between compilers and processors.
add_executable(record "${PROJECT_SOURCE_DIR}/test/record/record.cpp")
target_compile_definitions(record PRIVATE RATTLEBACK_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
target_link_libraries(record PRIVATE rattleback rattleback_flags)
set_target_properties(record PROPERTIES CXX_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test")

file(GLOB oracles CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/test/oracle/[a-z]*.py")
foreach(oracle IN LISTS oracles)
    cmake_path(GET oracle STEM name)
    add_test(NAME oracle_${name} COMMAND "${RATTLEBACK_PYTHON}" "${oracle}" WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(
        oracle_${name} PROPERTIES ENVIRONMENT "RATTLEBACK=${PROJECT_BINARY_DIR}/rattleback;PYTHONDONTWRITEBYTECODE=1")
    rattleback_suite(oracle_${name} "${PROJECT_SOURCE_DIR}/test/oracle/${name}.budget")
endforeach()

# Every examples/NAME.cpp is a program that sees the public headers alone, and fails where it does not find what it says.
file(GLOB examples CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cpp")
set(example_programs "")
foreach(example IN LISTS examples)
    cmake_path(GET example STEM name)
    add_executable(example_${name} "${example}")
    target_link_libraries(example_${name} PRIVATE rattleback::rattleback rattleback_flags)
    set_target_properties(example_${name} PROPERTIES CXX_EXTENSIONS OFF RUNTIME_OUTPUT_DIRECTORY
                                                                        "${PROJECT_BINARY_DIR}/examples")
    string(APPEND example_programs "$<TARGET_FILE:example_${name}>,") # a semicolon would separate arguments
endforeach()
add_test(NAME examples COMMAND "${CMAKE_COMMAND}" "-Dprograms=${example_programs}" -P
                               "${PROJECT_SOURCE_DIR}/cmake/run_all.cmake"
         WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/examples")
rattleback_suite(examples "${PROJECT_SOURCE_DIR}/examples/budget")

file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/generated/suites.txt" CONTENT "${suites}" @ONLY)
