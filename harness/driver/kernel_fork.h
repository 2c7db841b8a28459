// A fork by the kernel alone. The C library does not notice it.
#pragma once

#include <sys/types.h>

namespace heddle::driver {

// See fiber::provide_donors() for the reason. No thread may hold a lock of the C library.
pid_t kernel_fork();

}  // namespace heddle::driver
