# `cpack -G DEB`: a Debian package of what `cmake --install` installs.
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_VENDOR "the heddle authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/finish.cmake)
set(CPACK_POST_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian/repack.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "heddle runs threaded programs under one exact interleaving after another,
guided by what each run showed, until something breaks. It then reproduces
that run every time. Fuzz targets are built by its compiler wrappers.")
# Debian's own variables for the maintainer of a package.
if(NOT CPACK_DEBIAN_PACKAGE_MAINTAINER)
  set(CPACK_DEBIAN_PACKAGE_MAINTAINER "heddle developers <heddle@example.org>")
  if(DEFINED ENV{DEBEMAIL})
    set(CPACK_DEBIAN_PACKAGE_MAINTAINER "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
  endif()
endif()
# The libraries of the executables. FlatBuffers, xxHash, CLI11, fmt and nlohmann-json are compiled in.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The wrappers call clang 19, which links with its libFuzzer; llvm-symbolizer finds the source lines of reports.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "binutils, clang-19, libclang-rt-19-dev, llvm-19")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "afl++, cmake, g++, gdb, lld-19")
include(CPack)
