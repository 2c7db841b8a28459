// Text to a file descriptor without the target's allocator or stdio: one bounded line (or block) at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// Writes all of it, whatever it takes; false when the descriptor refuses (a full disk).
bool write_all(int fd, const char* data, size_t size);

// printf to a descriptor through a buffer on the stack; what is beyond 2 KiB is cut.
__attribute__((format(printf, 2, 3))) void print_line(int fd, const char* format, ...);

}  // namespace heddle::rt
