// While it exists, new descriptors of the process have high numbers: for code that is not heddle's and keeps some open.
#pragma once

#include <fcntl.h>
#include <sys/syscall.h>

#include "base/high_copy.h"
#include "base/raw_syscall.h"

namespace heddle::rt {

class HighNumbers {
 public:
  HighNumbers() {
    const long file = raw_syscall(SYS_openat, static_cast<uintptr_t>(AT_FDCWD), word("/dev/null"), O_RDONLY | O_CLOEXEC);
    for (long taken = file; taken >= 0; taken = raw_syscall(SYS_fcntl, static_cast<uintptr_t>(file), F_DUPFD_CLOEXEC, 0)) {
      if (taken >= kHigh) {
        raw_syscall(SYS_close, static_cast<uintptr_t>(taken));
        break;
      }
      taken_[count_++] = taken;
    }
  }
  ~HighNumbers() {
    while (count_ != 0) raw_syscall(SYS_close, static_cast<uintptr_t>(taken_[--count_]));
  }
  HighNumbers(const HighNumbers&) = delete;
  HighNumbers& operator=(const HighNumbers&) = delete;

 private:
  long taken_[kHigh];  // all lower numbers that were free
  int count_ = 0;
};

}  // namespace heddle::rt
