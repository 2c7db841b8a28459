// What a controlled thread reads from /dev/urandom and /dev/random: bytes of the schedule, as from getrandom.
#pragma once

#include <string_view>

namespace heddle::rt {

bool is_random_device(std::string_view path);

// A nameless file of 64 KiB of these bytes. Each call makes a new one. -1: the system has no more descriptors.
int make_random_file();

}  // namespace heddle::rt
