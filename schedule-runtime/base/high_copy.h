// Descriptors of heddle's own.
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>

#include "base/raw_syscall.h"

namespace heddle::rt {

// So high that no program relies on the number. (AFL++ has 198 and 199.)
inline constexpr int kHigh = 200;

// It is closed by exec. -errno on failure.
inline long high_copy(uintptr_t descriptor) { return raw_syscall(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, kHigh); }

// Instead of this descriptor, which may also be an -errno. So an execution still gets the lowest free number.
inline long move_high(long descriptor) {
  if (descriptor < 0) return descriptor;
  const long high = high_copy(static_cast<uintptr_t>(descriptor));
  raw_syscall(SYS_close, static_cast<uintptr_t>(descriptor));
  return high;
}

}  // namespace heddle::rt
