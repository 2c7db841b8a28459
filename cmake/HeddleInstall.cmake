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
  ${PROJECT_SOURCE_DIR}/cmake/HeddleRegressions.cmake
  DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# heddle.pc uses paths relative to itself, so it is valid with any prefix.
set(pc_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH HEDDLE_PC_PREFIX ${pc_dir} ${CMAKE_INSTALL_PREFIX})
string(REGEX REPLACE "/$" "" HEDDLE_PC_PREFIX ${HEDDLE_PC_PREFIX})
file(RELATIVE_PATH HEDDLE_PC_BINDIR ${pc_dir} ${CMAKE_INSTALL_FULL_BINDIR})
file(RELATIVE_PATH HEDDLE_PC_INCLUDEDIR ${pc_dir} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH HEDDLE_PC_OBJECTDIR ${pc_dir} ${CMAKE_INSTALL_FULL_LIBDIR}/heddle)
configure_file(${PROJECT_SOURCE_DIR}/cmake/heddle.pc.in ${PROJECT_BINARY_DIR}/heddle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/heddle.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# The links between the pages work as in the repository.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/SECURITY.md ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN man EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/harness/examples/bounded_queue_fuzz.cc DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES ${PROJECT_SOURCE_DIR}/scripts/gdb/heddle_gdb.py DESTINATION ${CMAKE_INSTALL_DATADIR}/heddle/gdb)

# Manual pages and completions. The wrappers share one of each.
set(man_dir ${CMAKE_INSTALL_MANDIR}/man1)
set(bash_dir ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_SOURCE_DIR}/docs/man/heddle.1 ${PROJECT_SOURCE_DIR}/docs/man/heddle-clang.1 DESTINATION ${man_dir})
install(FILES ${PROJECT_SOURCE_DIR}/harness/completion/heddle.bash DESTINATION ${bash_dir} RENAME heddle)
install(FILES ${PROJECT_SOURCE_DIR}/harness/completion/heddle.bash DESTINATION ${bash_dir} RENAME heddle-clang)
foreach(wrapper heddle-clang++ heddle-gcc heddle-g++)
  file(WRITE ${PROJECT_BINARY_DIR}/man/${wrapper}.1 ".so man1/heddle-clang.1\n")
  install(FILES ${PROJECT_BINARY_DIR}/man/${wrapper}.1 DESTINATION ${man_dir})
  install(FILES ${PROJECT_SOURCE_DIR}/harness/completion/heddle.bash DESTINATION ${bash_dir} RENAME ${wrapper})
endforeach()
set(HEDDLE_ZSH_COMPLETION_DIR ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE PATH "Where zsh looks for completions (Debian: share/zsh/vendor-completions)")
install(FILES ${PROJECT_SOURCE_DIR}/harness/completion/_heddle DESTINATION ${HEDDLE_ZSH_COMPLETION_DIR})
