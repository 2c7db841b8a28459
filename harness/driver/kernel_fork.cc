#include "harness/driver/kernel_fork.h"

#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>

#include <cstdint>

#include "base/raw_syscall.h"

namespace heddle::driver {
namespace {

// The place where libc stores the number of this kernel thread.
uintptr_t thread_number() {
  const auto self = static_cast<uint32_t>(rt::raw_syscall(SYS_gettid));
  const auto* descriptor = static_cast<const uint32_t*>(__builtin_thread_pointer());
#if defined(__x86_64__)
  constexpr long kFirst = 0, kLast = 0x100;
#else
  constexpr long kFirst = -0x200, kLast = 0;  // before the thread pointer
#endif
  for (long i = kFirst + 32; i < kLast + 256; ++i) {
    if (descriptor[i] == self) return reinterpret_cast<uintptr_t>(descriptor + i);
  }
  return 0;
}

constinit uintptr_t number = 0;

}  // namespace

void prepare_kernel_fork() {
  if (number == 0) number = thread_number();
}

pid_t kernel_fork() {
  const uintptr_t flags = SIGCHLD | (number != 0 ? CLONE_CHILD_SETTID : 0);
#if defined(__x86_64__)
  return static_cast<pid_t>(rt::raw_syscall(SYS_clone, flags, 0, 0, number, 0));
#else
  return static_cast<pid_t>(rt::raw_syscall(SYS_clone, flags, 0, 0, 0, number));
#endif
}

}  // namespace heddle::driver
