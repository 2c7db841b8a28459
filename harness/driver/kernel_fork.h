// A fork by the kernel alone, of which the C library does not know.
#pragma once

#include <sys/types.h>

namespace heddle::driver {

// fiber::provide_donors() says what for. Nobody may hold a lock of the C library's.
pid_t kernel_fork();

}  // namespace heddle::driver
