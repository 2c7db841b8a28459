# Differences that Debian's policy requires. CPack runs this on the tree that becomes the package.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
file(GLOB_RECURSE pages ${CPACK_TEMPORARY_DIRECTORY}/usr/share/man/*.1)
find_program(gzip gzip REQUIRED)
foreach(page IN LISTS pages)
  execute_process(COMMAND ${gzip} -9n ${page} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
set(documentation ${CPACK_TEMPORARY_DIRECTORY}/usr/share/doc/heddle)
file(REMOVE ${documentation}/LICENSE)
configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright ${documentation}/copyright COPYONLY)
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${documentation}/changelog "heddle (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * The changes of this version are in CHANGELOG.md.

 -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}
")
execute_process(COMMAND ${gzip} -9n ${documentation}/changelog COMMAND_ERROR_IS_FATAL ANY)
if(EXISTS ${CPACK_TEMPORARY_DIRECTORY}/usr/share/zsh/site-functions)
  file(RENAME ${CPACK_TEMPORARY_DIRECTORY}/usr/share/zsh/site-functions ${CPACK_TEMPORARY_DIRECTORY}/usr/share/zsh/vendor-completions)
endif()
