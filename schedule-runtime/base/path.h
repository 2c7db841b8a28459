// Names of files. Nothing here allocates.
#pragma once

namespace heddle::rt {

// What comes after the last slash.
const char* base_name(const char* path);

// Of the process's executable, which the tables of modules have under /proc/self/exe; null when the system does not tell.
const char* executable_path();

}  // namespace heddle::rt
