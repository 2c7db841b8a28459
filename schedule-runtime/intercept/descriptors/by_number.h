// Calls on descriptors by number, through syscall().
#pragma once

#include <cstdint>

namespace heddle::rt {

// On a controlled thread: true if the call is one of them and `result` is its answer, as libc gives it.
bool descriptor_syscall(long number, const uintptr_t* arguments, long& result);

}  // namespace heddle::rt
