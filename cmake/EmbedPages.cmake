# Makes a C++ file of pages: cmake -DSOURCE=directory -DPAGES=run.html,stats.html -DOUTPUT=file -P EmbedPages.cmake
# A line @include NAME@ of a page is the text of that file.
cmake_minimum_required(VERSION 3.25)
set(code "// Made of harness/cli/page by cmake/EmbedPages.cmake.\n#include \"harness/cli/embedded_pages.h\"\n\nnamespace heddle::cli {\n
std::string_view embedded_page(std::string_view name) {\n")
string(REPLACE "," ";" pages "${PAGES}")
foreach(page ${pages})
  file(READ "${SOURCE}/${page}" text)
  while(text MATCHES "@include ([A-Za-z_.]+)@")
    set(name ${CMAKE_MATCH_1})
    file(READ "${SOURCE}/${name}" part)
    string(REPLACE "@include ${name}@" "${part}" text "${text}")
  endwhile()
  string(APPEND code "  if (name == \"${page}\") return R\"heddle_page(${text})heddle_page\";\n")
endforeach()
string(APPEND code "  return {};\n}\n\n}  // namespace heddle::cli\n")
file(WRITE "${OUTPUT}" "${code}")
