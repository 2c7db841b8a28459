// A descriptor of heddle's own for what a descriptor of the program refers to.
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"

namespace heddle::rt {

// Its number is so high that no program relies on it. It is closed by exec. -errno on failure.
inline long high_copy(uintptr_t descriptor) {
  constexpr uintptr_t kHigh = 200;
  return raw_syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, kHigh);
}

}  // namespace heddle::rt
