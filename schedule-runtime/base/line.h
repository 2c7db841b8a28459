// Writes text to a file descriptor without the target's allocator and stdio, one bounded line or block at a time.
#pragma once

#include <cstddef>
#include <cstdint>

namespace heddle::rt {

// Writes everything, in as many calls as needed. False: the descriptor fails (for example, the disk is full).
bool write_all(int fd, const char* data, size_t size);

// printf to a descriptor through a buffer on the stack. Text beyond 2 KiB is cut.
__attribute__((format(printf, 2, 3))) void print_line(int fd, const char* format, ...);

}  // namespace heddle::rt
