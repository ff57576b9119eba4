# cmake "-Dprograms=A;B" -P run_all.cmake: runs them one after the other and fails if one of them does.

foreach(program IN LISTS programs)
    cmake_path(GET program FILENAME name)
    message("--- ${name}")
    execute_process(COMMAND "${program}" RESULT_VARIABLE result TIMEOUT 60)
    if(NOT result EQUAL 0)
        message(SEND_ERROR "${name}: ${result}")
    endif()
endforeach()
