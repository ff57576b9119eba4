# What is installed: the public headers, the library, a CMake package, the models, the program.

include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/rattleback")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/rattleback" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.hpp" PATTERN "*.def")
install(TARGETS rattleback EXPORT rattlebackTargets)
install(EXPORT rattlebackTargets NAMESPACE rattleback:: DESTINATION "${package_dir}")
configure_package_config_file(cmake/rattlebackConfig.cmake.in "${PROJECT_BINARY_DIR}/generated/rattlebackConfig.cmake"
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/generated/rattlebackConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/generated/rattlebackConfig.cmake"
              "${PROJECT_BINARY_DIR}/generated/rattlebackConfigVersion.cmake" DESTINATION "${package_dir}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/models" DESTINATION "${CMAKE_INSTALL_DATADIR}/rattleback"
        FILES_MATCHING PATTERN "*.toml")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(TARGET rattleback_llvm)
    install(TARGETS rattleback_llvm LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/rattleback")
endif()
if(TARGET rattleback_hdf5)
    install(TARGETS rattleback_hdf5 rattleback-read-hdf5 LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/rattleback"
                                                         RUNTIME DESTINATION "${CMAKE_INSTALL_LIBDIR}/rattleback")
endif()
if(TARGET rattleback_ipopt)
    install(TARGETS rattleback_ipopt LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/rattleback")
endif()
if(TARGET rattleback-cli)
    install(TARGETS rattleback-cli)
endif()
