// What a controlled thread reads from /dev/urandom and /dev/random: bytes of the schedule, as from getrandom. In the program's initialisation, the
// bytes are the same in each process.
#pragma once

#include <string_view>

namespace heddle::rt {

bool is_random_device(std::string_view path);

inline constexpr char kRandomFileName[] = "heddle random bytes";

// A nameless file of 64 KiB of these bytes. Each call makes a new one. -1: the system has no more descriptors.
int make_random_file();

// Between the initialisation and the first execution: finds those files that the initialisation has left open. They are read from their begin in each
// execution.
void find_early_random_files();
// Before each execution.
void rewind_early_random_files();

}  // namespace heddle::rt
