// What kind of module a loaded library is.
#pragma once

#include <link.h>

namespace heddle::rt {

// Was it compiled with heddle's wrapper?
bool is_instrumented(const dl_phdr_info& module);
// The libraries of the C and C++ compilers and of the system, by the beginning of the file's name.
bool is_system_library(const char* path);

}  // namespace heddle::rt
