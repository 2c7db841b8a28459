// Calls on descriptors through syscall(), by system call number.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "intercept/library_access.h"

namespace heddle::rt {

// On a controlled thread. True: the call is one of these, and `result` is its result in libc's form.
bool descriptor_syscall(long number, const uintptr_t* arguments, long& result);

// For calls in which the kernel moves the bytes. On a descriptor of the execution, they never wait in the kernel. If such a call would have
// to wait, it is refused.
ssize_t bytes_moved(const char* name, int one, int other, ssize_t result, Place place);

}  // namespace heddle::rt
