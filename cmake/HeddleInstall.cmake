# The installed package: headers, find_package(heddle), and the licence. The link objects, the wrappers and the command
# install themselves where they are made.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/heddle)
set(HEDDLE_INSTALL_OBJECT_DIR ${CMAKE_INSTALL_LIBDIR}/heddle)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/heddleConfig.cmake.in ${PROJECT_BINARY_DIR}/heddleConfig.cmake
  INSTALL_DESTINATION ${package_dir}
  PATH_VARS HEDDLE_INSTALL_OBJECT_DIR CMAKE_INSTALL_BINDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/schedule-runtime/include/heddle DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES
  ${PROJECT_BINARY_DIR}/heddleConfig.cmake ${PROJECT_BINARY_DIR}/heddleConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/HeddleFuzzTarget.cmake
  DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
