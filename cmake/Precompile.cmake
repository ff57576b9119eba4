# With RATTLEBACK_PRECOMPILE the headers that nearly every source includes are compiled once for the library and once for
# the tests. scripts/test does so for the sanitizers and other processors; the default build does not, so that a source
# which forgets an include is noticed there.

option(RATTLEBACK_PRECOMPILE "Compile the headers of the standard library once" OFF)

set(common_headers <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <string> <unordered_map> <vector>)

function(rattleback_precompile target)
    if(RATTLEBACK_PRECOMPILE)
        target_precompile_headers(${target} PRIVATE ${common_headers} ${ARGN})
    endif()
endfunction()
