# The core for other C++ programs: find_package(tengen), tengen::core, headers under tengen/.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set_target_properties(tengen_core PROPERTIES EXPORT_NAME core)
# Headers name each other from the folder above theirs, as in the source tree.
target_include_directories(tengen_core PUBLIC $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
                                              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tengen>)
install(TARGETS tengen_core EXPORT tengen_targets ARCHIVE)
install(DIRECTORY cpp/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/tengen FILES_MATCHING PATTERN "*.h")

set(PACKAGE_FOLDER ${CMAKE_INSTALL_LIBDIR}/cmake/tengen)
install(EXPORT tengen_targets NAMESPACE tengen:: DESTINATION ${PACKAGE_FOLDER})
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/tengenConfig.cmake
     "include(CMakeFindDependencyMacro)\nfind_dependency(Threads)\ninclude(\${CMAKE_CURRENT_LIST_DIR}/tengen_targets.cmake)\n")
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/tengenConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/tengenConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/tengenConfigVersion.cmake
        DESTINATION ${PACKAGE_FOLDER})
