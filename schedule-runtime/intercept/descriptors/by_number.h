// Calls on descriptors through syscall(), by system call number.
#pragma once

#include <cstdint>

namespace heddle::rt {

// On a controlled thread. True: the call is one of these, and `result` is its result in libc's form.
bool descriptor_syscall(long number, const uintptr_t* arguments, long& result);

}  // namespace heddle::rt
