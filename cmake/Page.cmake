# rattleback_page(OUT NONE): web/ bundled into one script and one style sheet, and these as bytes in generated/page.cpp (see
# app/page.hpp); its path goes into OUT, that of a source without the page into NONE. Needs npm, which fetches what web/package-lock.json names once. Without npm, or
# with RATTLEBACK_PAGE=OFF, the program is built without the page, and says so where it is asked for one.

function(rattleback_page out none)
    set(file "${PROJECT_BINARY_DIR}/generated/page.cpp")
    set(no_page "${PROJECT_BINARY_DIR}/generated/no_page.cpp")
    set(${out} "${file}" PARENT_SCOPE)
    set(${none} "${no_page}" PARENT_SCOPE)
    file(CONFIGURE OUTPUT "${no_page}" CONTENT
         "#include \"page.hpp\"\nstd::string_view app::page_script() { return {}; }\nstd::string_view app::page_style() { return {}; }\n")
    find_program(RATTLEBACK_NPM npm)
    if(NOT RATTLEBACK_PAGE OR NOT RATTLEBACK_NPM OR APPLE) # the bytes are placed by directives of ELF assemblers
        message(STATUS "npm was not found or not wanted, or the system is macOS: no report page")
        set(${out} "${no_page}" PARENT_SCOPE)
        return()
    endif()
    set(web "${PROJECT_SOURCE_DIR}/web")
    set(bundle "${PROJECT_BINARY_DIR}/web")
    file(GLOB sources CONFIGURE_DEPENDS "${web}/src/*")
    add_custom_command(
        OUTPUT "${bundle}/installed"
        COMMAND "${RATTLEBACK_NPM}" ci --ignore-scripts --no-audit --no-fund --loglevel=error
        COMMAND "${CMAKE_COMMAND}" -E make_directory "${bundle}"
        COMMAND "${CMAKE_COMMAND}" -E touch "${bundle}/installed"
        WORKING_DIRECTORY "${web}"
        DEPENDS "${web}/package-lock.json" "${web}/package.json"
        COMMENT "Fetching what the report page is built with"
        VERBATIM)
    add_custom_command(
        OUTPUT "${bundle}/page.js" "${bundle}/page.css"
        COMMAND "${web}/node_modules/.bin/tsc" --noEmit -p "${web}"
        COMMAND "${web}/node_modules/.bin/esbuild" "${web}/src/main.ts" --bundle --minify --target=es2020 --log-level=warning
                "--outfile=${bundle}/page.js"
        DEPENDS ${sources} "${web}/tsconfig.json" "${bundle}/installed"
        COMMENT "Bundling the report page"
        VERBATIM)
    set(text "// Written by cmake/Page.cmake.\n#include \"page.hpp\"\n\n")
    foreach(part script:page.js style:page.css)
        string(REPLACE ":" ";" pair "${part}")
        list(GET pair 0 name)
        list(GET pair 1 bytes)
        string(
            APPEND
            text
            "__asm__(\".section .rodata\\nrattleback_page_${name}:\\n.incbin \\\"${bundle}/${bytes}\\\"\\n\"\n"
            "        \"rattleback_page_${name}_end:\\n.byte 0\\n.previous\\n\");\n"
            "extern \"C\" const char rattleback_page_${name}[], rattleback_page_${name}_end[];\n"
            "std::string_view app::page_${name}() {\n"
            "    return {rattleback_page_${name}, static_cast<std::size_t>(rattleback_page_${name}_end - rattleback_page_${name})};\n}\n")
    endforeach()
    file(CONFIGURE OUTPUT "${file}" CONTENT "${text}" @ONLY)
    set_source_files_properties("${file}" PROPERTIES OBJECT_DEPENDS "${bundle}/page.js;${bundle}/page.css")
endfunction()
