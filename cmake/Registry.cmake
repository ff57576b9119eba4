# rattleback_registry(OUT): writes generated/registry_list.cpp, the list of every method, and puts its path into OUT.
#
# A method is one file, src/scheme/methods/NAME.cpp, that defines
#
#     namespace rattleback { extern const Scheme NAME_scheme = {...}; }
#
# (extern: a constant is otherwise private to its file). The list names every such object, so that the linker takes
# each out of the static library, in this tree and in an installed copy, and nobody keeps a list by hand.

function(rattleback_registry out)
    file(GLOB methods CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/scheme/methods/*.cpp")
    set(declarations "")
    set(addresses "")
    foreach(method IN LISTS methods)
        cmake_path(GET method STEM name)
        if(NOT name MATCHES "^[a-z][a-z0-9_]*$")
            message(FATAL_ERROR "${method}: a method's file is named like its id: small letters, digits, underscores")
        endif()
        string(APPEND declarations "extern const Scheme ${name}_scheme;\n")
        string(APPEND addresses "    &${name}_scheme,\n")
    endforeach()

    set(text "// Written by cmake/Registry.cmake from the names in src/scheme/methods.\n")
    if(methods)
        string(
            APPEND
            text
            "#include <rattleback/scheme.hpp>\n\n#include <span>\n\nnamespace rattleback {\n\n"
            "${declarations}\n"
            "static const Scheme* const schemes[] = {\n${addresses}};\n\n"
            "std::span<const Scheme* const> built_in_schemes();\n"
            "std::span<const Scheme* const> built_in_schemes() { return schemes; }\n\n"
            "} // namespace rattleback\n")
    else()
        string(
            APPEND
            text
            "#include <span>\n\nnamespace rattleback {\n\nstruct Scheme;\n"
            "std::span<const Scheme* const> built_in_schemes();\n"
            "std::span<const Scheme* const> built_in_schemes() { return {}; }\n\n"
            "} // namespace rattleback\n")
    endif()
    set(file "${PROJECT_BINARY_DIR}/generated/registry_list.cpp")
    file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY) # touches the file only where the text differs
    set(${out} "${file}" PARENT_SCOPE)
endfunction()
