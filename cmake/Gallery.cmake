# rattleback_gallery(OUT FOLDER FUNCTION): the files FOLDER/*.toml as bytes in generated/FOLDER.cpp, returned by FUNCTION
# (see src/model/gallery.hpp), written again whenever one of them changes; its path goes into OUT.

function(rattleback_gallery out folder function)
    file(GLOB models CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.toml")
    set(file "${PROJECT_BINARY_DIR}/generated/${folder}.cpp")
    # The list travels in a file: a model that is removed changes it, and a command line would be limited in length.
    set(list "${PROJECT_BINARY_DIR}/generated/${folder}.txt")
    string(REPLACE ";" "\n" lines "${models}")
    file(CONFIGURE OUTPUT "${list}" CONTENT "${lines}\n" @ONLY)
    set(script "${PROJECT_SOURCE_DIR}/cmake/embed_gallery.cmake")
    add_custom_command(
        OUTPUT "${file}"
        COMMAND "${CMAKE_COMMAND}" "-Dlist=${list}" "-Dfile=${file}" "-Dfunction=${function}" -P "${script}"
        DEPENDS ${models} "${list}" "${script}"
        COMMENT "Embedding ${folder}"
        VERBATIM)
    set(${out} "${file}" PARENT_SCOPE)
endfunction()
