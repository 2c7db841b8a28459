// A descriptor of heddle's own for what a descriptor of the program refers to.
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"

namespace heddle::rt {

// So high that no program relies on the number.
inline constexpr int kHigh = 200;

// It is closed by exec. -errno on failure.
inline long high_copy(uintptr_t descriptor) { return raw_syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, kHigh); }

}  // namespace heddle::rt
