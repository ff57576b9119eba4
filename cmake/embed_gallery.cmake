# cmake -Dlist=FILE -Dfile=OUT.cpp -Dfunction=NAME -P embed_gallery.cmake: one C++ string of escaped bytes for each file named in list.

file(STRINGS "${list}" models)
set(entries "")
foreach(model IN LISTS models)
    cmake_path(GET model STEM LAST_ONLY name)
    file(READ "${model}" bytes HEX)
    string(LENGTH "${bytes}" digits)
    math(EXPR size "${digits} / 2")
    string(REGEX REPLACE "(................................................)" "\\1\"\n     \"" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "\\\\x\\1" bytes "${bytes}")
    string(APPEND entries "    {\"${name}\",\n     {\"${bytes}\",\n      ${size}}},\n")
endforeach()

set(text "// Written by cmake/embed_gallery.cmake from the files it names.\n#include \"model/gallery.hpp\"\n\nnamespace rattleback {\n\n")
if(models)
    string(APPEND text "static constexpr GalleryEntry entries[] = {\n${entries}};\n\n"
           "std::span<const GalleryEntry> ${function}() { return entries; }\n")
else()
    string(APPEND text "std::span<const GalleryEntry> ${function}() { return {}; }\n")
endif()
file(WRITE "${file}" "${text}\n} // namespace rattleback\n")
