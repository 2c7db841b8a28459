// Names of files. Nothing here allocates.
#pragma once

#include <span>
#include <string_view>

namespace heddle::rt {

// The part after the last slash.
const char* base_name(const char* path);

// The path of the process's executable. The tables of modules have it under the name /proc/self/exe. Null if the system does not tell it.
const char* executable_path();

// The path of the file that is open under this number, as far as there is room. Empty: it is none, or /proc is not there.
std::string_view path_of_number(int number, std::span<char> room);

}  // namespace heddle::rt
