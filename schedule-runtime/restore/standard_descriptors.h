// Copies of descriptors 0 to 2, used to restore them.
#pragma once

#include <sys/syscall.h>

#include "base/high_copy.h"
#include "base/raw_syscall.h"

namespace heddle::rt {

class StandardDescriptors {
 public:
  static constexpr unsigned kCount = 3;

  void copy() {
    for (unsigned i = 0; i < kCount; ++i) copies_[i] = high_copy(i);
  }
  long error_output() const { return copies_[2]; }
  void put_back() const {
    for (unsigned i = 0; i < kCount; ++i) {
      if (copies_[i] >= 0) raw_syscall(SYS_dup3, static_cast<uintptr_t>(copies_[i]), i, 0);
      else raw_syscall(SYS_close, i);
    }
  }

 private:
  long copies_[kCount] = {-1, -1, -1};  // negative: it was closed
};

}  // namespace heddle::rt
