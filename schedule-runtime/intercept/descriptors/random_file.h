// What a controlled thread reads from /dev/urandom and /dev/random: bytes of the schedule's, as getrandom gives them.
#pragma once

#include <string_view>

namespace heddle::rt {

bool is_random_device(std::string_view path);

// A file of 64 KiB of them, without a name; each is another one. -1: the system has no more descriptors.
int make_random_file();

}  // namespace heddle::rt
