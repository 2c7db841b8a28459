// Names of files. Nothing here allocates.
#pragma once

namespace heddle::rt {

// The part after the last slash.
const char* base_name(const char* path);

// The path of the process's executable. The tables of modules have it under the name /proc/self/exe. Null if the system does not tell it.
const char* executable_path();

}  // namespace heddle::rt
