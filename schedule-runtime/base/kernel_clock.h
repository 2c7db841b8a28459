// The kernel's clocks, which heddle's own code reads beside the program's virtual ones.
#pragma once

#include <sys/syscall.h>
#include <time.h>

#include <cstdint>

#include "base/raw_syscall.h"

namespace heddle::rt {

// In ns.
inline uint64_t kernel_clock(clockid_t clock) {
  timespec now = {};
  raw_syscall(SYS_clock_gettime, static_cast<uintptr_t>(clock), word(&now));
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace heddle::rt
