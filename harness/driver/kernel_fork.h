// A fork by the kernel alone. The C library does not notice it.
#pragma once

#include <sys/types.h>

namespace heddle::driver {

// See fiber::provide_donors() for the reason. No thread may hold a lock of the C library.
pid_t kernel_fork();
// Must be called on the engine's thread before the first fork from another stack: the C library's number of that thread is also the child's.
void prepare_kernel_fork();

}  // namespace heddle::driver
